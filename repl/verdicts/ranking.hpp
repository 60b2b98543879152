// Ranked records with the columns that a reader wants to see. Shared by `assay rank` and the REPL's `:rank`.
#pragma once

#include <assay/assay.hpp>

#include "repl/verdicts/formats.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

struct RankedRecords {
  Ranking ranking;
  std::vector<std::string> columns;                                    // after the place: id, score, bands
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;  // "1", "2=" (tied) and the cells; best first
  std::vector<std::vector<std::string>> values;                        // for each row: the same cells as JSON
  std::vector<std::pair<std::string, std::string>> ineligible;         // id, and the gates that failed
  std::vector<std::pair<std::size_t, InputError>> errors;              // index of the record; path within it
};

// `scorer`: fills in the rows, which evaluates each record once more; null: no rows. It is a second evaluator with the
// same settings, because records that it scores may become history.
RankedRecords rank_records(const Rubric& rubric, Evaluator& evaluator, Evaluator* scorer,
                           const std::vector<std::string_view>& records);

std::string ranking_text(const RankedRecords& ranked, const OutputFormat& format);

}  // namespace assay::cli
