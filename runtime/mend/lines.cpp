#include "runtime/mend/lines.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace assay {

void Lines::follow(const std::vector<Edit>& edits, const Texts& now, bool own) {
  const auto moved = [](std::size_t at, std::ptrdiff_t by) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by);
  };
  std::ptrdiff_t shift = 0;
  std::vector<Line> written;
  for (const Edit& edit : edits) {
    const std::size_t begin = moved(edit.begin, shift), end = begin + edit.text.size();
    const auto grows = static_cast<std::ptrdiff_t>(end) - static_cast<std::ptrdiff_t>(moved(edit.end, shift));
    for (Line& line : lines_) {
      if (line.file != edit.file) continue;
      if (begin < line.begin) line.begin = std::max(moved(line.begin, grows), begin);
      if (begin <= line.end) line.end = std::max(moved(line.end, grows), begin);
    }
    shift += grows;
    const std::string& text = now.find(edit.file)->second;
    const std::size_t first = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
    if (own) written.push_back({edit.file, first, std::min(text.find('\n', end), text.size())});
  }
  lines_.insert(lines_.end(), written.begin(), written.end());
}

bool Lines::contain(const Diagnostic& d) const {
  return std::any_of(lines_.begin(), lines_.end(), [&d](const Line& line) {
    return d.at.file.str() == line.file && d.at.offset >= line.begin && d.at.offset <= line.end;
  });
}

}  // namespace assay
