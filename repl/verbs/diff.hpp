// Two rubrics that are in memory, and their verdicts on records that are: what the prompt shares with `assay diff`.
#pragma once

#include "repl/files/record_stream.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cli {

struct DiffSide {
  const Rubric* rubric;  // not owned
  std::string name;      // how messages call its text
};

struct DiffAnswer {
  std::string changes;   // of the rubrics, a line each
  std::string verdicts;  // those that differ, each with why
  std::string summary;   // "2 of 4 records differ (grade 1)…\n"; empty without records
  std::uint64_t differ = 0;
};

// What `assay diff WAS IS --on RECORDS` writes, with these settings. What is wrong with settings or records is said.
DiffAnswer diff_of(const DiffSide& was, const DiffSide& is, const std::vector<std::string>& records,
                   const Preparation& preparation, const Limits& limits);

}  // namespace assay::cli
