// How deep a model is: an expression in an expression, through the items and functions that it names. Later stages follow
// these with their own stack, so a model that is deeper than the budget allows ends here.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

namespace assay {

void measure_depth(const Model& model, Budget& budget);

}  // namespace assay
