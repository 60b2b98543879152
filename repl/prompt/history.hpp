// The file in which entries are kept from one session to the next. Each is written as soon as it was typed, so that
// nothing is lost when a session ends badly and several sessions may share the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class HistoryFile {
 public:
  static constexpr std::size_t kMost = 1000;

  // $XDG_STATE_HOME/assay/history where that is set, else ~/.assay_history; a file that cannot be kept is no error.
  HistoryFile();
  const std::vector<std::string>& entries() const { return entries_; }  // as they were found, oldest first
  void add(std::string_view entry) const;

 private:
  std::string path_;  // empty: not kept
  std::vector<std::string> entries_;
};

}  // namespace assay::cli
