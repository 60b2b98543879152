// The shortest edit script of Myers (An O(ND) Difference Algorithm and Its Variations, 1986), over lines. Texts that differ
// in more than kMostEdits lines are shown as one hunk that replaces all between their common ends.
#include "lang/text/line_diff.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {
namespace {

constexpr std::ptrdiff_t kMostEdits = 2000;
constexpr std::size_t kAround = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// For each line of both texts, whether the other text has it, too.
struct Kept {
  std::vector<char> before, after;
};

Kept kept_lines(const Lines& a, const Lines& b) {
  Kept kept{std::vector<char>(a.size(), 0), std::vector<char>(b.size(), 0)};
  std::size_t head = 0, tail = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
  while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  for (std::size_t i = 0; i < head; ++i) kept.before[i] = kept.after[i] = 1;
  for (std::size_t i = 1; i <= tail; ++i) kept.before[a.size() - i] = kept.after[b.size() - i] = 1;

  const auto n = static_cast<std::ptrdiff_t>(a.size() - head - tail);
  const auto m = static_cast<std::ptrdiff_t>(b.size() - head - tail);
  const std::ptrdiff_t most = std::min(n + m, kMostEdits);
  const auto at = [&](const Lines& lines, std::ptrdiff_t i) { return lines[head + static_cast<std::size_t>(i)]; };
  // furthest[k + most]: how far into `a` diagonal k reaches with this number of edits; a copy for each number of edits.
  std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * most + 3), 0);
  const auto reach = [most](std::vector<std::ptrdiff_t>& v, std::ptrdiff_t k) -> std::ptrdiff_t& {
    return v[static_cast<std::size_t>(k + most + 1)];
  };
  std::vector<std::vector<std::ptrdiff_t>> trace;
  for (std::ptrdiff_t d = 0; d <= most; ++d) {
    trace.push_back(furthest);
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && reach(furthest, k - 1) < reach(furthest, k + 1));
      std::ptrdiff_t x = down ? reach(furthest, k + 1) : reach(furthest, k - 1) + 1;
      std::ptrdiff_t y = x - k;
      while (x < n && y < m && at(a, x) == at(b, y)) ++x, ++y;
      reach(furthest, k) = x;
      if (x < n || y < m) continue;
      // Walks back from the end: diagonals are the common lines.
      for (; d > 0 || (x > 0 && y > 0); --d) {
        std::vector<std::ptrdiff_t>& earlier = trace[static_cast<std::size_t>(d)];
        const std::ptrdiff_t diagonal = x - y;
        std::ptrdiff_t from_x = 0, from_y = 0;
        if (d > 0) {
          const bool was_down =
              diagonal == -d || (diagonal != d && reach(earlier, diagonal - 1) < reach(earlier, diagonal + 1));
          from_x = was_down ? reach(earlier, diagonal + 1) : reach(earlier, diagonal - 1);
          from_y = from_x - (was_down ? diagonal + 1 : diagonal - 1);
        }
        while (x > from_x && y > from_y && x > 0 && y > 0 && at(a, x - 1) == at(b, y - 1)) {
          --x, --y;
          kept.before[head + static_cast<std::size_t>(x)] = kept.after[head + static_cast<std::size_t>(y)] = 1;
        }
        x = from_x;
        y = from_y;
        if (d == 0) break;
      }
      return kept;
    }
  }
  return kept;
}

void append(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t begin, std::size_t count) {
  return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

}  // namespace

std::vector<LineChange> line_changes(std::string_view before, std::string_view after) {
  const Lines a = lines_of(before), b = lines_of(after);
  const Kept kept = kept_lines(a, b);
  std::vector<LineChange> changes;
  std::size_t i = 0, j = 0, at = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && kept.before[i] != 0 && kept.after[j] != 0) {
      at += a[i].size();
      ++i, ++j;
      continue;
    }
    LineChange change{at, at, {}};
    for (; i < a.size() && kept.before[i] == 0; ++i) at += a[i].size();
    for (; j < b.size() && kept.after[j] == 0; ++j) change.text += b[j];
    change.end = at;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const Lines a = lines_of(before), b = lines_of(after);
  const Kept kept = kept_lines(a, b);
  std::string out = "--- a/" + std::string(name) + "\n+++ b/" + std::string(name) + "\n";
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    // Skips to the next change.
    if (i < a.size() && j < b.size() && kept.before[i] != 0 && kept.after[j] != 0) {
      ++i, ++j;
      continue;
    }
    const std::size_t lead = std::min({kAround, i, j});
    std::size_t end_i = i, end_j = j, same = 0;
    while ((end_i < a.size() || end_j < b.size()) && same <= 2 * kAround) {
      const bool both = end_i < a.size() && end_j < b.size() && kept.before[end_i] != 0 && kept.after[end_j] != 0;
      same = both ? same + 1 : 0;
      if (both) {
        ++end_i, ++end_j;
      } else if (end_i < a.size() && kept.before[end_i] == 0) {
        ++end_i;
      } else {
        ++end_j;
      }
    }
    const std::size_t drop = same > kAround ? same - kAround : 0;
    end_i -= drop;
    end_j -= drop;
    i -= lead;
    j -= lead;
    out += "@@ -" + range(i, end_i - i) + " +" + range(j, end_j - j) + " @@\n";
    while (i < end_i || j < end_j) {
      if (i < end_i && kept.before[i] == 0) {
        append(out, '-', a[i++]);
      } else if (j < end_j && kept.after[j] == 0) {
        append(out, '+', b[j++]);
      } else {
        append(out, ' ', a[i++]);
        ++j;
      }
    }
  }
  return out;
}

}  // namespace assay
