// ast::File → Model: resolves every name, infers every type, proves what can be proved before a record is seen, and
// writes the scoring pipeline out as items. Reports all errors in one run; the Model is complete only if there are
// none.
#pragma once

#include "lang/check/state/notes.hpp"
#include "lang/model/model.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/text/budget.hpp"

#include <assay/importer.hpp>

#include <deque>
#include <memory>

namespace assay {

// No imported text may exceed `source_bytes`. `imported`: receives the syntax of the imported files. `notes`: filled
// while checking; it points into `file` and `imported`.
std::unique_ptr<Model> check(const ast::File& file, Sources& sources, const Importer& importer,
                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                             std::deque<ast::File>* imported = nullptr, CheckNotes* notes = nullptr);

// The same with one more hidden item in the main rubric that holds `expression` (for a host's console); `item` is its
// index.
std::unique_ptr<Model> check_with_expression(const ast::File& file, Sources& sources, const Importer& importer,
                                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                                             const ast::Expr* expression, int& item);

}  // namespace assay
