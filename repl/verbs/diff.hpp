// Compares two rubrics in memory, and their verdicts on records in memory: shared by the prompt and `assay diff`.
#pragma once

#include "repl/files/record_stream.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cli {

struct DiffSide {
  const Rubric* rubric;  // not owned
  std::string name;      // the name of its text in messages
};

struct DiffAnswer {
  std::string changes;   // of the rubrics, one per line
  std::string verdicts;  // differing verdicts, each with the reason
  std::string summary;   // "2 of 4 records differ (grade 1)…\n"; empty without records
  std::uint64_t differ = 0;
};

// The output of `assay diff WAS IS --on RECORDS` with these settings. Errors of settings or records are reported.
DiffAnswer diff_of(const DiffSide& was, const DiffSide& is, const std::vector<std::string>& records,
                   const Preparation& preparation, const Limits& limits);

}  // namespace assay::cli
