// What compile() does, for those who want to see more of it: also of a rubric with errors, whatever each stage could make.
#pragma once

#include "lang/check/state/notes.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace assay {

struct Stages {
  std::shared_ptr<Rubric::Impl> impl;  // never null; its model is null when checking did not come to its end
  std::vector<Diagnostic> diagnostics;
  bool good = false;  // a host may score with it
};

// `notes`: as in check(); empty when checking did not come to its end; null: none are taken.
Stages compile_stages(std::string_view name, std::string_view text, const CompileOptions& options,
                      CheckNotes* notes = nullptr);

// The values of a rubric's items for a record, as JSON texts with the digits that verdicts show: by index in
// RubricModel::items, empty where the item has no value of its own. Nothing when the record is refused.
std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record);

}  // namespace assay
