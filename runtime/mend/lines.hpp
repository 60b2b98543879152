// Which lines of the texts some edits have written, while further edits follow.
#pragma once

#include "lang/mend/rank.hpp"

#include <assay/mend.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

using mending::Texts;

// The lines that some edits have written.
class Lines {
 public:
  // Behind some edits, which have been applied to these texts; `own`: it adds their lines.
  void follow(const std::vector<Edit>& edits, const Texts& now, bool own);
  bool contain(const Diagnostic& d) const;

 private:
  struct Line {
    std::string file;
    std::size_t begin, end;
  };
  std::vector<Line> lines_;
};

}  // namespace assay
