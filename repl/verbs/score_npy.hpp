// assay score with verdicts as rows of a .npy file, from records that are rows of one: neither a record nor a verdict is
// ever text. score.cpp does all else.
#pragma once

#include "repl/files/output.hpp"
#include "repl/verbs/verbs.hpp"

#include <string>
#include <vector>

namespace assay::cli {

// The exit code, after saying what is wrong. `files`: one of them, or standard input.
int score_npy(const ScoreOptions& options, const Rubric& rubric, const Limits& limits,
              const std::vector<std::string>& files, Output& output);

}  // namespace assay::cli
