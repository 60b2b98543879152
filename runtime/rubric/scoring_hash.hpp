// A hash that rubrics share if they give the same numbers: 16 hex digits over everything that decides a number, a band
// or whether a record is scored at all. Prose, flags, advice and examples do not affect it, nor do the names of
// intermediate values.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

#include <string>

namespace assay {

std::string scoring_hash(const Model& model, int rubric, Budget& budget);

}  // namespace assay
