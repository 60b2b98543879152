// The files that rubrics name: imports, CSV tables, Lua. A rubric may come from somebody who is not trusted, so only
// regular files are read (a pipe would block, a device may do anything), no more of them than the limit, and with
// --root none outside of the given directories. Whether a file lies within one is asked of the open file, symbolic
// links resolved, so that nothing can be exchanged between the question and the reading.
#pragma once

#include "repl/files/files.hpp"

#include <assay/importer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// The directories of --root; none: every file may be read.
class Roots {
 public:
  // Nothing (and `problem`) when one of them is no directory.
  static std::optional<Roots> open(const std::vector<std::string>& directories, std::string& problem);

  bool empty() const { return names_.empty(); }
  bool hold(std::string_view real_path) const;
  // "it is outside of --root 'a' and 'b'"
  std::string refusal() const;

 private:
  std::vector<std::string> names_;  // as they were given
  std::vector<std::string> paths_;  // absolute, without symbolic links
};

// Imports are found beside the file that names them. Of each file at most `limit` + 1 bytes are read: enough for the
// library to refuse it.
Importer file_importer(Roots roots, std::size_t limit);

// A rubric named on the command line, read as far as an import is. It may lie anywhere: whoever runs the command names
// it. Where there are roots and a symbolic link leads to it, it has to lie within one, because the link may be of
// somebody else.
std::optional<std::string> read_rubric(const std::string& path, const Roots& roots, std::size_t limit,
                                       std::string& problem);

}  // namespace assay::cli
