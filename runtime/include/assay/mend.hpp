// Fix-it hints for the problems of a rubric, tried before they are shown or applied. A suggestion counts only if the
// rubric that it produces compiles or fails later: never with the same problem, never with a new one before it. All
// work is in memory; a caller that wants the files changed writes the texts.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// How much may be tried. A rubric beyond these limits is compiled once and gets no tried suggestions.
struct MendLimits {
  std::size_t trials = 1000;                 // compilations
  std::size_t bytes = std::size_t{2} << 20;  // of the rubric's text, over all trials
  std::uint64_t steps = 1'000'000;           // Limits::compile_steps of each trial, if smaller
  std::uint64_t all_steps = 100'000'000;     // over all trials: they take a second or two
  std::size_t proposals = 40;                // for one problem
  std::size_t problems = 30;                 // errors to look for suggestions for; later ones get none
  bool tables = false;  // suggestions may hold edits of CSV files that the rubric names; else the help says it
};

// Compiles, and gives each diagnostic the suggestions that were tried with success, the best first; those that failed are
// taken away, with the help that told of them. Where no single edit mends its line, the line as mend() leaves it is
// suggested, too: for that, half of the limits are spent once more. With an error, `help` then says what its first suggestion writes. Any thread.
Compiled compile_with_suggestions(std::string_view name, std::string_view text, const CompileOptions& options = {},
                                  const MendLimits& limits = {});

struct MendedFile {
  std::string name;  // as the compilation named it
  std::string before, after;
};
struct Mended {
  std::vector<MendedFile> files;  // the changed files: the rubric, its imports and tables
  std::size_t applied = 0;        // number of problems that are gone
  Compiled compiled;              // the changed rubric
};

// Applies certain suggestions one after the other until none is left. The result has only errors that the text had, or
// that those errors hid. Any thread.
Mended mend(std::string_view name, std::string_view text, const CompileOptions& options = {},
            const MendLimits& limits = {});

}  // namespace assay
