// The files that rubrics name: imports, CSV tables, Lua. A rubric may come from an untrusted author, so only regular
// files are read (a pipe would block, a device may do anything), at most `limit` bytes of them, and with --root only
// inside the given directories. Whether a file lies inside is checked on the open file, symbolic links resolved, so
// that it cannot be exchanged between the check and the reading.
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
  // Nothing (and `problem`) if one of them is not a directory.
  static std::optional<Roots> open(const std::vector<std::string>& directories, std::string& problem);

  bool empty() const { return names_.empty(); }
  bool hold(std::string_view real_path) const;
  // "it is outside of --root 'a' and 'b'"
  std::string refusal() const;

 private:
  std::vector<std::string> names_;  // as given
  std::vector<std::string> paths_;  // absolute, without symbolic links
};

// Finds imports relative to the file that names them. Reads at most `limit` + 1 bytes of each file, which is enough for
// the library to refuse it.
Importer file_importer(Roots roots, std::size_t limit);

// Reads a rubric named on the command line, with the limit for imports. It may lie anywhere, because the caller names
// it. But if there are roots and it is a symbolic link, it must lie inside one, because somebody else may have made the
// link.
std::optional<std::string> read_rubric(const std::string& path, const Roots& roots, std::size_t limit,
                                       std::string& problem);

}  // namespace assay::cli
