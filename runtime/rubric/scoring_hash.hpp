// What two rubrics share that give the same numbers: 16 hex digits over all that decides a number, a band or whether a
// record is scored at all. Prose, flags, advice and examples do not change it, nor do the names that a rubric gives to
// what is in between.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

#include <string>

namespace assay {

std::string scoring_hash(const Model& model, int rubric, Budget& budget);

}  // namespace assay
