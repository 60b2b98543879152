// The deductions, bonuses, caps, flags and advice that a rubric declares, whether or not they came: found in the
// expressions that make their lists.
#pragma once

#include "lang/text/source.hpp"
#include "runtime/explain/trace.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Entry {
  const Expr* expr = nullptr;   // a record or a text, or a choice between it and missing
  const Expr* label = nullptr;  // its name
  const Expr* loop = nullptr;   // that makes such entries; null: none
  std::string declared;         // the declaration, on one line
  std::string name;             // its name; with values in it, as written: "{fault}"
};
struct EntryList {
  std::string_view key, word;  // "deductions", "deduction"
  int item = -1;               // whose value is the list
  std::vector<Entry> entries;
};

// The source between two places on one line, without comments.
std::string one_line(std::string_view source);
// The first expression with this operation in `e`, not many levels down; null: there is none.
const Expr* find_op(const Expr* e, Op op, int depth = 0);

std::vector<EntryList> declared_entries(const Rubric::Impl& rubric);
// What decides whether it comes, and how much it is: not its reason.
const Expr* deciding(const Entry& entry);
// The nodes of the trace where that entry was made, or was to be made.
std::vector<std::uint32_t> instances(const Trace& trace, const EntryList& list, const Entry& entry);
// Its name there; empty: nothing made it.
std::string_view instance_name(const EntryList& list, const Value& value);
// Whether the entry may have that name.
bool may_be_named(const Entry& entry, std::string_view name);

}  // namespace assay
