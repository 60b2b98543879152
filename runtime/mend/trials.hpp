// Suggestions for one problem, tried: applied to the texts in memory, compiled, and compared with the problems before.
#pragma once

#include "lang/mend/rank.hpp"
#include "runtime/mend/workbench.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace assay {

struct Trial {
  Suggestion suggestion;
  mending::Rank rank;
  Texts changed;
  Compiled compiled;
  std::size_t unmet = 0;  // expectations of the rubric's examples, where several trials are equal otherwise
  bool choice = false;    // see Proposal
};

// One suggestion, tried; nothing when it does not help.
std::optional<Trial> try_out(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all,
                             Suggestion suggestion);

// The helpful trials of one problem, best first.
std::vector<Trial> tried(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all);

// Whether a suggestion changes a table that a rubric names.
bool changes_table(const Workbench& bench, const Suggestion& suggestion);

// Only the checker knows what belongs to the rows of bands: a proposal that changes the score hides their mistake.
bool is_about_rows(const Diagnostic& d);

// How far compilation gets; less is better.
std::pair<std::size_t, std::size_t> mistakes(const std::vector<Diagnostic>& all);

}  // namespace assay
