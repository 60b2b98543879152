// Model → Program. Total: after `check` no author error can arise here. What is compiled is what is asked for: only
// the items that the roots need are computed.
#pragma once

#include "lang/bytecode/program.hpp"
#include "lang/model/model.hpp"

#include <memory>
#include <vector>

namespace assay {

// roots: items of model.rubrics[rubric] whose values the caller wants, in the order of the results. `checks`: also run
// the rubric's rules (required_when, embedded, checks) first. `traced`: the program also tells what it does (see
// TracePoint), for explanations; its values are the same. The Program keeps the model alive: constants are shared.
std::shared_ptr<const Program> compile(std::shared_ptr<const Model> model, int rubric, const std::vector<int>& roots,
                                       bool checks = true, bool traced = false);

}  // namespace assay
