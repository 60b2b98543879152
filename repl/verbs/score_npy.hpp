// assay score with verdicts as rows of a .npy file, from records that are rows of one: neither records nor verdicts are
// ever converted to text. score.cpp handles all other cases.
#pragma once

#include "repl/files/output.hpp"
#include "repl/verbs/verbs.hpp"

#include <string>
#include <vector>

namespace assay::cli {

// Returns the exit code, after reporting errors. `files`: one of them, or standard input.
int score_npy(const ScoreOptions& options, const Rubric& rubric, const Limits& limits,
              const std::vector<std::string>& files, Output& output);

}  // namespace assay::cli
