// compile() for callers that need more of its results: even for a rubric with errors, the results of each stage.
#pragma once

#include "lang/check/state/notes.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace assay {

struct Stages {
  std::shared_ptr<Rubric::Impl> impl;  // never null; its model is null if checking did not finish
  std::vector<Diagnostic> diagnostics;
  bool good = false;  // a host may score with it
};

// `notes`: as in check(); empty if checking did not finish; null: no notes are taken.
Stages compile_stages(std::string_view name, std::string_view text, const CompileOptions& options,
                      CheckNotes* notes = nullptr);

// The values of a rubric's items for a record, as JSON texts with the digits that verdicts show: by index in
// RubricModel::items, empty if the item has no value of its own. Nothing if the record is rejected.
std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record);

}  // namespace assay
