// Aligns consecutive statements column by column, as elastic tabstops do: a column covers adjacent statements that have
// the same cells up to it.
#include "lang/format/tokens.hpp"

#include <assay/format.hpp>

#include <algorithm>

namespace assay::format {
namespace {

constexpr std::uint32_t kLongestCell = 60;  // a longer cell does not move its neighbours above and below

struct Row {
  const Line* line;
  std::vector<std::uint32_t> cells;  // the tokens at which they begin
  std::uint32_t column = 0;          // start of the current cell
  bool aligned = true;
};

class Aligner {
 public:
  Aligner(std::vector<Token>& tokens, const Widths& widths) : tokens_(tokens), widths_(widths) {}

  void run(const std::vector<Line>& lines) {
    std::vector<Row> rows;
    for (const Line& line : lines) {
      Row row{&line, {line.begin}, line.indent};
      for (std::uint32_t t = line.begin + 1; t < line.end; ++t) {
        if (tokens_[t].block && tokens_[t].partner != kNone && tokens_[t].partner > t) {
          if (tokens_[t].cell == Cell::brace) row.cells.push_back(t);
          t = tokens_[t].partner;  // the contents of a block have their own cells
        } else if (tokens_[t].cell != Cell::none) {
          row.cells.push_back(t);
        }
      }
      rows.push_back(std::move(row));
    }
    // All rows of a range have the same cells before the current one, in the same columns.
    struct Range {
      std::size_t begin, end, cell;
    };
    std::vector<Range> ranges = {{0, rows.size(), 1}};
    while (!ranges.empty()) {
      const Range range = ranges.back();
      ranges.pop_back();
      for (std::size_t begin = range.begin; begin < range.end;) {
        const Cell cell = cell_of(rows[begin], range.cell);
        std::size_t end = begin + 1;
        while (end < range.end && cell_of(rows[end], range.cell) == cell) ++end;
        if (cell != Cell::none) {
          column(rows, begin, end, range.cell, cell == Cell::number);
          ranges.push_back({begin, end, range.cell + 1});
        }
        begin = end;
      }
    }
  }

 private:
  Cell cell_of(const Row& row, std::size_t cell) const {
    return cell < row.cells.size() ? tokens_[row.cells[cell]].cell : Cell::none;
  }

  // Where a cell begins without alignment.
  std::uint32_t natural(const Row& row, std::size_t cell) const {
    return row.column + widths_.of(row.cells[cell - 1], row.cells[cell]) + tokens_[row.cells[cell]].gap.space;
  }
  std::uint32_t rest(const Row& row, std::size_t cell) const { return widths_.of(row.cells[cell], row.line->end); }

  void column(std::vector<Row>& rows, std::size_t begin, std::size_t end, std::size_t cell, bool number) {
    std::uint32_t whole = 0;
    if (number) {
      for (std::size_t i = begin; i < end; ++i) whole = std::max(whole, whole_of(rows[i], cell));
    }
    std::uint32_t target = 0;
    for (bool all = false; !all;) {  // twice at most: without the rows that do not fit, the others need no more room
      target = 0;
      all = true;
      for (std::size_t i = begin; i < end; ++i) {
        Row& row = rows[i];
        if (widths_.of(row.cells[cell - 1], row.cells[cell]) > kLongestCell) row.aligned = false;
        if (row.aligned) target = std::max(target, natural(row, cell));
      }
      for (std::size_t i = begin; i < end; ++i) {
        Row& row = rows[i];
        const std::uint32_t lead = number ? whole - whole_of(row, cell) : 0;
        if (!row.aligned || target + lead + rest(row, cell) <= kFormatWidth) continue;
        row.aligned = all = false;
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      Row& row = rows[i];
      const std::uint32_t before = natural(row, cell);
      const std::uint32_t at = !row.aligned ? before : target + (number ? whole - whole_of(row, cell) : 0);
      tokens_[row.cells[cell]].placing.pad += at - before;
      row.column = at;
    }
  }

  std::uint32_t whole_of(const Row& row, std::size_t cell) const { return tokens_[row.cells[cell]].whole; }

  std::vector<Token>& tokens_;
  const Widths& widths_;
};

}  // namespace

void align(std::vector<Token>& tokens, const Widths& widths, const std::vector<Line>& run) {
  Aligner(tokens, widths).run(run);
}

}  // namespace assay::format
