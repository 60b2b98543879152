// Aligns the rows of a table: bars below each other, numbers by their decimal points, signs to their left.
#include "lang/format/tokens.hpp"

#include <assay/format.hpp>

#include <algorithm>

namespace assay::format {
namespace {

struct TableCell {
  std::uint32_t begin = 0, end = 0;   // tokens; `end` is the bar after it
  std::uint32_t number = kNone;       // the first token of its number, including the minus
  std::uint32_t head = 0;             // columns before the number
  std::uint32_t whole = 0, rest = 0;  // of the number
};

class TableAligner {
 public:
  TableAligner(Tokens& tokens, const Widths& widths) : tokens_(tokens), list_(tokens.list), widths_(widths) {}

  void run(std::uint32_t open) {
    std::vector<std::vector<TableCell>> rows;
    std::vector<std::uint32_t> rules;
    for (std::uint32_t t = open + 1; t < list_[open].partner; t = list_[t].last + 1) {
      if (list_[t].tag == Token::Tag::rule) {
        rules.push_back(t);
      } else if (list_[t].row && plain(t)) {
        rows.push_back(cells_of(t));
      } else if (!list_[t].row) {
        return;  // no test: a table has rows and rules
      }
    }
    std::vector<std::uint32_t> widths;
    for (const auto& row : rows) widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < widths.size(); ++i) column(rows, i, widths[i]);
    for (const std::uint32_t rule : rules)
      tokens_.written[list_[rule].written] = rule_text(rule_cells(tokens_.shown(rule)), widths);
  }

 private:
  // A row on one line.
  bool plain(std::uint32_t row) const {
    for (std::uint32_t t = row; t <= list_[row].last; ++t) {
      if (list_[t].multiline || (t > row && list_[t].placing.forced)) return false;
    }
    return true;
  }

  std::vector<TableCell> cells_of(std::uint32_t row) const {
    std::vector<TableCell> cells;
    std::uint32_t begin = row + 1;
    for (std::uint32_t t = begin; t <= list_[row].last; ++t) {
      if (tokens_.shown(t) != "|") continue;
      cells.push_back(cell(begin, t));
      begin = t + 1;
    }
    return cells;
  }

  TableCell cell(std::uint32_t begin, std::uint32_t end) const {
    TableCell cell{begin, end};
    if (begin == end || list_[end - 1].tag != Token::Tag::number) return cell;
    std::uint32_t first = end - 1;
    if (first > begin && tokens_.shown(first - 1) == "-") --first;
    if (first > begin + 1) return cell;
    if (first == begin + 1) {
      const std::string_view sign = tokens_.shown(begin);
      if (sign != "<" && sign != "<=" && sign != ">" && sign != ">=") return cell;
    }
    const NumberWidths number = number_widths(tokens_.shown(end - 1));
    cell.number = first;
    cell.head = first > begin ? widths_.of(begin, first) + 1 : 0;
    cell.whole = number.whole + (end - 1 - first);
    cell.rest = number.rest;
    return cell;
  }

  void column(std::vector<std::vector<TableCell>>& rows, std::size_t index, std::uint32_t& width) {
    std::uint32_t point = 0, head = 0, whole = 0;
    for (const auto& row : rows) {
      if (index >= row.size() || row[index].number == kNone) continue;
      if (row[index].head + row[index].whole > kFormatWidth) continue;
      head = std::max(head, row[index].head);
      whole = std::max(whole, row[index].whole);
    }
    point = head + whole;
    width = 0;
    for (const auto& row : rows) {
      if (index >= row.size()) continue;
      const TableCell& cell = row[index];
      const std::uint32_t taken = cell.number == kNone ? widths_.of(cell.begin, cell.end) : point + cell.rest;
      if (taken <= kFormatWidth) width = std::max(width, taken);  // a wider cell does not move its neighbours
    }
    for (const auto& row : rows) {
      if (index >= row.size()) continue;
      const TableCell& cell = row[index];
      std::uint32_t taken = widths_.of(cell.begin, cell.end);
      if (cell.number != kNone) {
        list_[cell.number].placing.pad = point - std::min(point, cell.whole + cell.head);
        taken = point + cell.rest;
      }
      list_[cell.end].placing.pad = width - std::min(width, taken);
    }
  }

  Tokens& tokens_;
  std::vector<Token>& list_;
  const Widths& widths_;
};

}  // namespace

void align_table(Tokens& tokens, const Widths& widths, std::uint32_t open) { TableAligner(tokens, widths).run(open); }

}  // namespace assay::format
