// The depth of a model: nested expressions, through the items and functions that they name. Later stages are recursive,
// so a model deeper than the budget allows is rejected here.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

namespace assay {

void measure_depth(const Model& model, Budget& budget);

}  // namespace assay
