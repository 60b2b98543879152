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

// A run in two steps. The first says whether a host may score with the rubric; the second adds the warnings that need
// proofs, which cost about as much as all the rest and change nothing else. All arguments must outlive the run, and so
// must the syntax and the model. Both steps may throw OutOfBudget; the run is of no use afterwards.
class CheckRun {
 public:
  // No imported text may exceed `source_bytes`. `notes`: filled while checking; it points into `file` and `imported`.
  CheckRun(Sources& sources, const Importer& importer, Diagnostics& diagnostics, Budget& budget,
           std::size_t source_bytes, CheckNotes* notes = nullptr);
  ~CheckRun();

  // Once. `imported`: receives the syntax of the imported files.
  std::unique_ptr<Model> check(const ast::File& file, std::deque<ast::File>* imported);
  void report_doubts();  // once, after check()

 private:
  friend std::unique_ptr<Model> check_with_expression(const ast::File&, Sources&, const Importer&, Diagnostics&,
                                                      Budget&, std::size_t, const ast::Expr*, int&);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All of a run with one more hidden item in the main rubric that holds `expression` (for a host's console); `item` is its
// index.
std::unique_ptr<Model> check_with_expression(const ast::File& file, Sources& sources, const Importer& importer,
                                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                                             const ast::Expr* expression, int& item);

}  // namespace assay
