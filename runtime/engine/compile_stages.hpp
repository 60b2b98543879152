// compile() for callers that need more of its results: even for a rubric with errors, the results of each stage.
#pragma once

#include "lang/check/check.hpp"
#include "lang/check/state/notes.hpp"
#include "lang/parse/parse.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

struct Stages {
  std::shared_ptr<Rubric::Impl> impl;  // never null; its model is null if checking did not finish
  std::vector<Diagnostic> diagnostics;
  bool good = false;        // a host may score with it
  std::uint64_t steps = 0;  // of Limits::compile_steps
};
Compiled compiled(Stages stages);

// `notes`: as in check(); empty if checking did not finish; null: no notes are taken.
Stages compile_stages(std::string_view name, std::string_view text, const CompileOptions& options,
                      CheckNotes* notes = nullptr);

// The same stage by stage, for those who answer from the first stages before they need the last ones.
class Staging {
 public:
  // Reads the text: the syntax tree is there afterwards. What `options` points at has to outlive the last stage.
  // `before` and `now`: see parse().
  Staging(std::string_view name, std::string_view text, const CompileOptions& options,
          const ParsedText* before = nullptr, ParsedText* now = nullptr);
  void check(CheckNotes* notes);  // once
  void report_doubts();           // adds the warnings that need proofs, after check(); take() does so at the latest
  void hash();                    // of a model with a main rubric and without errors
  // Lua, when nothing was wrong.
  void prepare();
  bool has_errors() const { return diagnostics_ ? diagnostics_->has_errors() : assay::has_errors(told_); }
  std::vector<Diagnostic> take();  // once, at the end: what was reported
  const std::shared_ptr<Rubric::Impl>& impl() const { return impl_; }
  std::uint64_t steps() const { return budget_ ? budget_->steps() : 0; }

 private:
  std::shared_ptr<Rubric::Impl> impl_;
  std::vector<Diagnostic> told_;
  std::optional<Diagnostics> diagnostics_;  // nothing: the text is longer than the limit
  std::optional<Budget> budget_;
  Importer importer_;
  std::optional<CheckRun> run_;  // between check() and report_doubts()
  Model* model_ = nullptr;       // that of impl_, or null
  bool stopped_ = false;         // the budget ran out
};

// The values of a rubric's items for a record, as JSON texts with the digits that verdicts show: by index in
// RubricModel::items, empty if the item has no value of its own. Nothing if the record is rejected.
std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record);

}  // namespace assay
