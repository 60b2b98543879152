// Streams of Arrow batches.
#pragma once

#include <assay/arrow.hpp>

namespace assay {

// Moves the scorer and the records into `verdicts`, which is overwritten.
std::optional<InputError> score_arrow_stream(ArrowScorer scorer, ArrowArrayStream& records, ArrowArrayStream& verdicts);

}  // namespace assay
