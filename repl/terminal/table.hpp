// Tables for people: aligned text, Markdown, and CSV rows for spreadsheets. Widths are columns of a terminal: wide East
// Asian characters and emoji take two, combining marks none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // a short row is filled with empty cells

  // Takes out the column of that name.
  void drop(std::string_view name);
  // Takes out columns (but for `kept`) without a single cell.
  void drop_empty(std::string_view kept);

  // Aligned columns, numbers to the right, a rule under the header. Ends with a newline. Where the lines of a table are
  // limited, texts that are too long lose their ends, then the last columns are left out, which a line below says.
  std::string text() const;
  std::string markdown() const;
};

// Columns of a terminal that a line of a table takes from now on; 0, as at first: any number.
void set_table_width(std::size_t columns);

// Characters that mean something in Markdown mean themselves.
std::string plain_markdown(std::string_view text);

// One line of CSV (RFC 4180), with its newline, or of the same with another separator.
std::string separated_row(const std::vector<std::string>& cells, char separator);

}  // namespace assay::cli
