// The names of a file and of its imports: where each is declared and where it is used, by the rules of scope that the
// checker follows. A function of syntax alone but for fields of records, whose type has to be known: for these it asks the
// notes of the checker. It reports nothing; a name that cannot be resolved has no symbol.
#pragma once

#include "lang/check/notes.hpp"
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
  local,   // of a loop or of 'where'
  field,   // of a record type
  column,  // of a table
};

struct Symbol {
  NameKind kind{};
  std::string name;
  Span at;     // its name, where it is first declared
  Span whole;  // the declaration; of a local, of a parameter: where it is visible
  int rubric;  // index in Names::rubrics; -1: outside of rubrics
  int parent;  // index in Names::symbols of what it is part of, or -1
  // What declares it, as far as it has one; the syntax tree owns these.
  const ast::Item* item = nullptr;
  const ast::Dimension* dimension = nullptr;
  const ast::KindField* field = nullptr;
  const ast::Expr* value = nullptr;  // of a local of 'where'
};

struct NameUse {
  Span at;
  int symbol = -1;
  bool declares = false;
  bool shorthand = false;  // in a record, { name }: it is the key as well
};

struct Names {
  std::vector<Symbol> symbols;
  std::vector<NameUse> uses;                // by file and place; no two at one place
  std::vector<const ast::Rubric*> rubrics;  // those that names can mean

  const NameUse* find(std::uint32_t file, std::uint32_t offset) const;  // that begins, goes on or ends there; or null
  const Symbol& of(const NameUse& use) const { return symbols[static_cast<std::size_t>(use.symbol)]; }
  std::vector<const NameUse*> uses_of(int symbol) const;  // in their order

  // Indices in `uses`, those of the first symbol first; of symbol i they begin at first_of[i] and end at first_of[i + 1].
  std::vector<std::uint32_t> by_symbol, first_of;
};

// `notes` and `model` may be null: fields are then not resolved. All arguments have to outlive the result.
Names resolve_names(const ast::File& file, const std::deque<ast::File>& imported, const Sources& sources,
                    const CheckNotes* notes, const Model* model);

}  // namespace assay
