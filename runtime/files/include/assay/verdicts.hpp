// Verdicts as people and spreadsheets read them: which of their fields make a readable row, tables of text, and the
// formats that verdicts are written in. Part of the library assay-files; nothing here opens a file.
//
//   assay::VerdictPrinter writer(write, *assay::find_output_format("csv"), assay::verdict_columns(rubric));
//   batch_options.render = writer.render();
//   … batch.run(…, {[&](std::string_view block) { return writer.add(block); }, rejected});
//   writer.end({}, true);
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// ---- the fields of a row

// The columns of a table of verdicts: who, how it stands, the score and its bands, each dimension, the flags; the plain
// outputs of a rubric without a score. `second_pass`: what the whole run says of a record, too. A dot reaches into the
// verdict: "dimensions.safety.score".
std::vector<std::string> verdict_columns(const Rubric& rubric, bool second_pass = false);
// The rubric's own values that fit into a cell: bands and outputs.
std::vector<std::string> plain_outputs(const Rubric& rubric);
// The bands among the fields: "grade", without "grade_label" and its like.
std::vector<std::string> band_fields(const Rubric& rubric);
bool has_field(const Rubric& rubric, std::string_view name);
// Whether values of a field of this type (FieldInfo::type) fit into a cell.
bool fits_cell(std::string_view type);

// "dimensions.safety.score" is headed "safety".
std::string column_heading(std::string_view field);
// The keys of a verdict that hold these columns, each once: EvaluatorOptions::fields.
std::vector<std::string> verdict_keys(const Rubric& rubric, const std::vector<std::string>& columns);

// ---- tables

// Widths are columns of a terminal: wide East Asian characters and emoji take two, combining marks none.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // a short row is filled with empty cells

  // Takes out the column of that name.
  void drop(std::string_view name);
  // Takes out columns (but for `kept`) without a single cell.
  void drop_empty(std::string_view kept);

  // Aligned columns, numbers to the right, a rule under the header. Ends with a newline. `width`: columns of a terminal
  // that a line may take; 0: any number. Texts that are too long lose their ends, then the last columns are left out,
  // which a line below says.
  std::string text(std::size_t width = 0) const;
  std::string markdown() const;
};

// One line of CSV (RFC 4180), with its newline, or of the same with another separator.
std::string separated_row(const std::vector<std::string>& cells, char separator);

// What is wrong with a record, on one line: "path: message", or the message where it begins with the path.
std::string error_text(const InputError& error);

// ---- formats

// How verdicts and rankings are written: the text before, between and after their rows.
struct OutputFormat {
  std::string_view name, other_name;  // "markdown", "md"; also endings of names of files
  enum class Layout : std::uint8_t {
    lines,   // a verdict's JSON a line
    array,   // a JSON array of verdicts
    rows,    // cells of each verdict at once
    table,   // cells of all verdicts, when the last has come
    columns  // numbers of all verdicts, not by way of text: <assay/npy_columns.hpp>
  } layout;
  std::string (*row)(const std::vector<std::string>& cells) = nullptr;      // rows: one line
  std::string (*table)(const TextTable& all, std::size_t width) = nullptr;  // table: all of it
  std::string_view before_json = {}, behind_json = {};                      // table: around the JSON of a cohort
};

// Null if no format has that name.
const OutputFormat* find_output_format(std::string_view name);
// The names, in the order of help: with the other names of formats, too, or without; `columns`: formats of that layout,
// too.
std::vector<std::string> output_format_names(bool all, bool columns);

// Verdicts in a format. What can be done for a verdict alone is done by the thread that scored it (render); blocks of
// that come to add() in order, on one thread. Only tables are held back until the end. Formats of the layout `columns`
// are not for this class.
class VerdictPrinter {
 public:
  // Writes a text; false: there is no point in going on.
  using Write = std::function<bool(std::string_view text)>;
  // `format` has to live as long as this. `width`: of tables (TextTable::text).
  VerdictPrinter(Write write, const OutputFormat& format, std::vector<std::string> columns, std::size_t width = 0);

  std::function<void(std::string_view json, bool rejected, std::string& out)> render() const;  // BatchOptions::render
  bool add(std::string_view block);
  // `cohort`: the JSON of a cohort's outputs, which comes last; empty: none. `tidy`: leave out columns that say
  // nothing.
  bool end(std::string_view cohort, bool tidy);

 private:
  void add_rows(std::string_view block);
  std::string finished_table(bool tidy);

  Write write_;
  const OutputFormat* format_;
  std::vector<std::string> columns_;
  TextTable table_;
  std::size_t width_;
  bool first_ = true;
  bool all_eligible_ = true;
};

}  // namespace assay
