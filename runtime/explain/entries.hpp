// The deductions, bonuses, caps, flags and advice that a rubric declares, whether or not they apply, found in the
// expressions that make their lists.
#pragma once

#include "lang/text/source.hpp"
#include "runtime/explain/trace.hpp"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

struct Entry {
  const Expr* expr = nullptr;   // a record or a text, or a choice between one and missing
  const Expr* label = nullptr;  // its name
  const Expr* loop = nullptr;   // the loop that makes such entries; null: none
  std::string declared;         // the declaration, on one line
  std::string name;             // its name; one with values, as written: "{fault}"
};
struct EntryList {
  std::string_view key, word;  // "deductions", "deduction"
  int item = -1;               // the item whose value is the list
  std::vector<Entry> entries;
};

// The source between two places, on one line and without comments.
std::string one_line(std::string_view source);
// The same for a part of a formula that is shown as a whole elsewhere: at most kPartOfFormula characters, in a time that
// does not depend on the length of the source. Parts are nested in one another, so that whole texts of all of them would
// be as long as the square of the formula.
inline constexpr std::size_t kPartOfFormula = 200;
std::string part_of_formula(std::string_view source);
// The first expression with this operation in `e`, within a few levels; null: there is none.
const Expr* find_op(const Expr* e, Op op, int depth = 0);

std::vector<EntryList> declared_entries(const Rubric::Impl& rubric);
// The expression that decides whether it applies, and its amount, without its reason.
const Expr* deciding(const Entry& entry);
// The trace nodes where entries were made, or could have been made. Each list is looked through once, when it is first
// asked for; the trace and the lists outlive this.
class Instances {
 public:
  explicit Instances(const Trace& trace) : trace_(trace) {}
  // In order of creation.
  const std::vector<std::uint32_t>& of(const EntryList& list, const Entry& entry);

 private:
  const Trace& trace_;
  std::unordered_map<const Expr*, std::vector<std::uint32_t>> made_;
  std::set<const EntryList*> known_;
};
// Its name there; empty: none was made.
std::string_view instance_name(const EntryList& list, const Value& value);
// Whether the entry can have that name.
bool may_be_named(const Entry& entry, std::string_view name);

}  // namespace assay
