// Ways out of what is wrong with a rubric, tried before they are shown or applied. A suggestion counts only when the rubric
// that it leads to compiles, or gets as far as the next problem: never to the same problem again, and never to a new one
// before it. Everything is done in memory; who wants the files changed writes the texts.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// How much may be tried. What is larger or costs more is compiled once, and told without suggestions that were tried.
struct MendLimits {
  std::size_t trials = 1000;                 // compilations
  std::size_t bytes = std::size_t{2} << 20;  // of the rubric, all trials together
  std::uint64_t steps = 1'000'000;           // Limits::compile_steps of each trial, where that is less
  std::size_t proposals = 40;                // for one problem
  std::size_t problems = 30;                 // errors that ways out are looked for; of those behind, none is
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
  std::vector<MendedFile> files;  // that change: the rubric, or what it imports
  std::size_t applied = 0;        // suggestions
  Compiled compiled;              // of what they become
};

// Applies the suggestions that are certain, one after the other, until none is left. The result has no error that the text
// did not have, nor one that its errors did not hide. Any thread.
Mended mend(std::string_view name, std::string_view text, const CompileOptions& options = {},
            const MendLimits& limits = {});

}  // namespace assay
