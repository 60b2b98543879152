// The file that keeps entries between sessions. Each entry is written as soon as it is typed, so that a crash loses
// nothing and several sessions may share the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class HistoryFile {
 public:
  static constexpr std::size_t kMost = 1000;

  // $XDG_STATE_HOME/assay/history if that is set, otherwise ~/.assay_history; a file that cannot be written is not an
  // error.
  HistoryFile();
  const std::vector<std::string>& entries() const { return entries_; }  // as found at the start, oldest first
  void add(std::string_view entry) const;

 private:
  std::string path_;  // empty: no file
  std::vector<std::string> entries_;
};

}  // namespace assay::cli
