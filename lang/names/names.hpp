// The names of a file and of its imports: where each is declared and used, by the checker's rules of scope. It depends
// only on the syntax, except for fields of records, whose type must be known: for these it uses the checker's notes. It
// reports nothing; a name that cannot be resolved has no symbol.
#pragma once

#include "lang/check/state/notes.hpp"
#include "lang/model/model.hpp"
#include "lang/syntax/ast.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class NameKind : std::uint8_t {
  rubric,
  type,
  input,
  dimension,
  criterion,
  let,
  output,
  bands,
  gate,
  context,
  function,
  table,
  hook,
  parameter,
  local,   // in a loop or 'where'
  field,   // of a record type
  column,  // of a table
};

struct Symbol {
  NameKind kind{};
  std::string name;
  Span at;     // its name, at the first declaration
  Span whole;  // the declaration; for a local or a parameter: its scope
  int rubric;  // index in Names::rubrics; -1: outside of rubrics
  int parent;  // index in Names::symbols of its parent, or -1
  // The node that declares it, if any; the syntax tree owns these.
  const ast::Item* item = nullptr;
  const ast::Dimension* dimension = nullptr;
  const ast::KindField* field = nullptr;
  const ast::Expr* value = nullptr;  // for a local of 'where'
};

struct NameUse {
  Span at;
  int symbol = -1;
  bool declares = false;
  bool shorthand = false;  // in a record, { name }: it is also the key
};

struct Names {
  std::vector<Symbol> symbols;
  std::vector<NameUse> uses;                // by file and place; at most one at each place
  std::vector<const ast::Rubric*> rubrics;  // the rubrics that names can refer to

  // that contains the place or ends there; or null
  const NameUse* find(std::uint32_t file, std::uint32_t offset) const;
  const Symbol& of(const NameUse& use) const { return symbols[static_cast<std::size_t>(use.symbol)]; }
  std::vector<const NameUse*> uses_of(int symbol) const;  // in their order

  std::vector<std::vector<std::uint32_t>> by_symbol;  // indices in `uses`
};

// `notes` and `model` may be null: fields are then not resolved. All arguments must outlive the result.
Names resolve_names(const ast::File& file, const std::deque<ast::File>& imported, const Sources& sources,
                    const CheckNotes* notes, const Model* model);

}  // namespace assay
