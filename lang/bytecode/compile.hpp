// Model → Program. Total: after `check` no error of an author can occur here. Only the items that the roots need are
// compiled.
#pragma once

#include "lang/bytecode/program.hpp"
#include "lang/model/model.hpp"

#include <memory>
#include <vector>

namespace assay {

// roots: items of model.rubrics[rubric] whose values the caller wants, in the order of the results. `checks`: first
// runs the rubric's rules (required_when, embedded, checks). `traced`: the program also reports its steps (see
// TracePoint), for explanations; its values are the same. The Program keeps the model alive, because they share
// constants.
std::shared_ptr<const Program> compile(std::shared_ptr<const Model> model, int rubric, const std::vector<int>& roots,
                                       bool checks = true, bool traced = false);

}  // namespace assay
