// The parts that check a rubric, each with references to all others.
#include "lang/check/rubric/rubric_parts.hpp"

namespace assay {

RubricPart::RubricPart(CheckState& state, Expressions& expressions, RubricParts& all)
    : ExprPart(state, expressions),
      bands_(all.bands),
      caps_(all.caps),
      cohorts_(all.cohorts),
      dimensions_(all.dimensions),
      inputs_(all.inputs),
      pipeline_(all.pipeline),
      rubrics_(all.rubrics) {}

RubricParts::RubricParts(CheckState& state, Expressions& expressions)
    : bands(state, expressions, *this),
      caps(state, expressions, *this),
      cohorts(state, expressions, *this),
      dimensions(state, expressions, *this),
      inputs(state, expressions, *this),
      pipeline(state, expressions, *this),
      rubrics(state, expressions, *this) {}

}  // namespace assay
