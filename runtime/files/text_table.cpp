// Aligned tables, Markdown tables and CSV rows. If a terminal disagrees about the width of a rare character, only that
// line is misaligned.
#include <assay/verdicts.hpp>

#include <assay/text.hpp>

#include <algorithm>

namespace assay {

namespace {

// Whether it is a number as in verdicts; such columns are right-aligned.
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

void TextTable::drop(std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return;
  const auto column = found - header.begin();
  header.erase(found);
  for (auto& row : rows) {
    if (column < static_cast<std::ptrdiff_t>(row.size())) row.erase(row.begin() + column);
  }
}

void TextTable::drop_empty(std::string_view kept) {
  const std::vector<std::string> names = header;
  for (const std::string& name : names) {
    const auto column = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
    const bool empty = std::all_of(rows.begin(), rows.end(),
                                   [&](const auto& row) { return column >= row.size() || row[column].empty(); });
    if (empty && name != kept && !rows.empty()) drop(name);
  }
}

namespace {

constexpr std::size_t kBetween = 2, kLeastColumn = 8;
// A wider cell does not widen its column, so that no text is padded by more than this: the table grows with its cells.
constexpr std::size_t kWidestColumn = 200;

std::size_t total(const std::vector<std::size_t>& widths, std::size_t columns) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < columns; ++i) sum += widths[i] + (i > 0 ? kBetween : 0);
  return sum;
}

// Narrows the widest text columns until the line fits; returns the number of columns shown.
std::size_t fit(std::vector<std::size_t>& widths, const std::vector<bool>& numbers, std::size_t limit) {
  std::vector<std::size_t> least = widths;
  for (std::size_t i = 0; i < least.size(); ++i) {
    if (!numbers[i]) least[i] = std::min(least[i], kLeastColumn);
  }
  if (total(least, least.size()) > limit) widths = least;  // all the narrowing there is
  while (total(widths, widths.size()) > limit) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!numbers[i] && widths[i] > kLeastColumn && (widest == widths.size() || widths[i] > widths[widest]))
        widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
  }
  std::size_t columns = widths.size();
  while (columns > 1 && total(widths, columns) > limit) --columns;
  return columns;
}

std::string cut(const std::string& cell, std::size_t width) {
  if (display_width(cell) <= width) return cell;
  std::size_t size = prefix_size(cell, width - 1);
  while (size > 0 && display_width(std::string_view(cell).substr(0, size)) + 1 > width)
    size = prefix_size(
        cell, static_cast<std::size_t>(std::count_if(cell.begin(), cell.begin() + static_cast<std::ptrdiff_t>(size),
                                                     [](char c) { return (c & 0xc0) != 0x80; })) -
                  1);
  return cell.substr(0, size) + "…";
}

}  // namespace

std::string TextTable::text(std::size_t width) const {
  std::vector<std::size_t> widths(header.size());
  std::vector<bool> right(header.size());
  for (std::size_t column = 0; column < header.size(); ++column) {
    const auto widen = [&](const std::string& cell) {
      const std::size_t columns = display_width(cell);
      if (columns <= kWidestColumn || width > 0)  // or it is cut
        widths[column] = std::max(widths[column], std::min(columns, kWidestColumn));
    };
    widen(printable(header[column]));
    bool any = false;
    bool numbers = true;
    for (const auto& row : rows) {
      const std::string cell = cell_of(row, column);
      widen(cell);
      if (cell.empty()) continue;
      any = true;
      numbers = numbers && numeric(cell);
    }
    right[column] = any && numbers;
  }
  const std::size_t columns = width > 0 ? fit(widths, right, width) : header.size();
  std::string result;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      std::string cell = cell_of(row, column);
      if (width > 0) cell = cut(cell, widths[column]);
      const std::string padding(widths[column] - std::min(widths[column], display_width(cell)), ' ');
      if (column > 0) line += std::string(kBetween, ' ');
      line += right[column] ? padding + cell : cell + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  add(header);
  std::vector<std::string> rule;
  for (const std::size_t size : widths) rule.emplace_back(size, '-');
  add(rule);
  for (const auto& row : rows) add(row);
  if (columns < header.size()) {
    result += "(too narrow for:";
    for (std::size_t column = columns; column < header.size(); ++column)
      result += (column > columns ? ", " : " ") + printable(header[column]);
    result += ")\n";
  }
  return result;
}

std::string TextTable::markdown() const {
  std::string result;
  const auto add = [&](const std::vector<std::string>& row) {
    result += "|";
    for (std::size_t column = 0; column < header.size(); ++column) {
      result += " " + (column < row.size() ? plain_markdown(row[column]) : std::string()) + " |";
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

}  // namespace assay
