// Aligned tables, Markdown tables and CSV rows. The width table below covers what scoring records hold in practice; a
// terminal that disagrees about a rare character shows one crooked line, nothing worse.
#include "repl/terminal/table.hpp"

#include "repl/terminal/messages.hpp"
#include "repl/terminal/utf8.hpp"

#include <algorithm>
#include <iterator>

namespace assay::cli {

namespace {

struct CharacterRange {
  char32_t first, last;
};

constexpr CharacterRange kCombining[] = {
    {0x0300, 0x036f},   {0x0483, 0x0489},   {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x06d6, 0x06dc},
    {0x0900, 0x0902},   {0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e},   {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},
    {0x20d0, 0x20ff},   {0x3099, 0x309a},   {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff},
    {0xe0001, 0xe007f}, {0xe0100, 0xe01ef},
};

constexpr CharacterRange kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},
    {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},
    {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},
    {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},
    {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6},   {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a},
    {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca},
    {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440},
    {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f567}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
    {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d7}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc},
    {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

template <std::size_t N>
bool within(const CharacterRange (&ranges)[N], char32_t character) {
  const auto* found = std::upper_bound(std::begin(ranges), std::end(ranges), character,
                                       [](char32_t value, const CharacterRange& range) { return value < range.first; });
  return found != std::begin(ranges) && character <= std::prev(found)->last;
}

// A number as verdicts show it; such columns stand to the right.
bool numeric(std::string_view cell) {
  bool digit = false;
  for (const char c : cell) {
    if (c >= '0' && c <= '9') {
      digit = true;
    } else if (c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' && c != '%' && c != '=') {
      return false;
    }
  }
  return digit;
}

std::string cell_of(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? printable(row[column]) : std::string();
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    char32_t character = 0;
    text.remove_prefix(decode(text, character));
    if (character < 0x300) {
      width += 1;
    } else if (!within(kCombining, character)) {
      width += within(kWide, character) ? 2 : 1;
    }
  }
  return width;
}

void Table::drop(std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return;
  const auto column = found - header.begin();
  header.erase(found);
  for (auto& row : rows) {
    if (column < static_cast<std::ptrdiff_t>(row.size())) row.erase(row.begin() + column);
  }
}

void Table::drop_empty(std::string_view kept) {
  const std::vector<std::string> names = header;
  for (const std::string& name : names) {
    const auto column = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
    const bool empty = std::all_of(rows.begin(), rows.end(),
                                   [&](const auto& row) { return column >= row.size() || row[column].empty(); });
    if (empty && name != kept && !rows.empty()) drop(name);
  }
}

std::string Table::text() const {
  std::vector<std::size_t> widths(header.size());
  std::vector<bool> right(header.size());
  for (std::size_t column = 0; column < header.size(); ++column) {
    widths[column] = display_width(header[column]);
    bool any = false;
    bool numbers = true;
    for (const auto& row : rows) {
      const std::string cell = cell_of(row, column);
      widths[column] = std::max(widths[column], display_width(cell));
      if (cell.empty()) continue;
      any = true;
      numbers = numbers && numeric(cell);
    }
    right[column] = any && numbers;
  }
  std::string result;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t column = 0; column < header.size(); ++column) {
      const std::string cell = cell_of(row, column);
      const std::string padding(widths[column] - display_width(cell), ' ');
      if (column > 0) line += "  ";
      line += right[column] ? padding + cell : cell + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  add(header);
  std::vector<std::string> rule;
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  add(rule);
  for (const auto& row : rows) add(row);
  return result;
}

std::string Table::markdown() const {
  std::string result;
  const auto add = [&](const std::vector<std::string>& row) {
    result += "|";
    for (std::size_t column = 0; column < header.size(); ++column) {
      result += " ";
      for (const char c : cell_of(row, column)) {
        if (c == '|' || c == '\\') result += '\\';
        result += c;
      }
      result += " |";
    }
    result += "\n";
  };
  add(header);
  result += "|";
  for (std::size_t column = 0; column < header.size(); ++column) {
    const bool numbers = !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      const std::string cell = cell_of(row, column);
      return cell.empty() || numeric(cell);
    });
    result += numbers ? " ---: |" : " --- |";
  }
  result += "\n";
  for (const auto& row : rows) add(row);
  return result;
}

std::string separated_row(const std::vector<std::string>& cells, char separator) {
  const std::string special = std::string("\"\r\n") + separator;
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += separator;
    const std::string& cell = cells[i];
    const bool quoted = cell.find_first_of(special) != std::string::npos || (cells.size() == 1 && cell.empty());
    if (!quoted) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + "\n";
}

}  // namespace assay::cli
