// Tables for people: aligned text, Markdown, and CSV rows for spreadsheets. Widths are terminal columns: wide East
// Asian characters and emoji take two, combining marks none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // short rows are padded with empty cells

  // Removes the column of that name.
  void drop(std::string_view name);
  // Removes columns (except `kept`) without any nonempty cell.
  void drop_empty(std::string_view kept);

  // Aligned columns, numbers to the right, a rule under the header. Ends with a newline. If the width is limited, long
  // texts are shortened first, then the last columns are omitted, which a line below reports.
  std::string text() const;
  std::string markdown() const;
};

// The width of table lines from now on, in terminal columns; 0, the default: unlimited.
void set_table_width(std::size_t columns);

// Characters that mean something in Markdown mean themselves.
std::string plain_markdown(std::string_view text);

// One line of CSV (RFC 4180), with its newline, or of the same with another separator.
std::string separated_row(const std::vector<std::string>& cells, char separator);

}  // namespace assay::cli
