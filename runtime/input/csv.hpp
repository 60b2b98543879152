// CSV (RFC 4180: quotes around a cell, doubled inside it) as records: the header tells which input each column is, and
// a row becomes one JSON object by the types of those inputs. Everything that does not depend on the row (keys, types,
// which objects open and close between two columns) is computed once, from the header.
#pragma once

#include "lang/model/model.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace assay {

struct CsvRow {
  char* next = nullptr;        // the position after the row
  std::uint64_t newlines = 0;  // in the row, including the one that ends it
  bool open = false;           // a quoted cell has no closing quote
  bool behind_quote = false;   // text follows the closing quote of a cell
};

// Cuts the row at `begin` into cells. Removes quotes in place, which changes the text. A newline must be at `end`, and
// CsvTable::kAhead bytes must be readable there.
CsvRow read_csv_row(char* begin, char* end, char separator, std::vector<std::string_view>& cells);

class CsvTable {
 public:
  // Null: `problem` tells what is wrong with the header. If commas separate, a single cell that contains ';' counts as
  // a header with the other usual separator. `strict`: a column that the rubric does not name is an error. Limit:
  // `nesting` bounds the objects in a path.
  static std::shared_ptr<const CsvTable> make(const Model& model, int rubric, std::vector<std::string> header,
                                              InputError& problem, bool strict = false, const Limits& limits = {},
                                              char separator = ',');

  char separator() const { return separator_; }
  std::size_t size() const { return columns_.size(); }
  // Whether the first cell of a row is the id of its record, which a row with too many or too few cells keeps.
  bool begins_with_id() const { return !paths_.empty() && paths_[0].size() == 1 && paths_[0][0] == "id"; }
  // The keys that lead to the value of a column.
  const std::vector<std::string>& path(std::size_t column) const { return paths_[column]; }
  const std::string& name(std::size_t column) const { return header_[column]; }
  const std::vector<std::vector<std::string>>& paths() const { return paths_; }

  static constexpr std::size_t kAhead = 16;  // bytes copied at a time

  // The largest number of bytes that write() needs for cells with `cells` bytes in total.
  std::size_t most(std::size_t cells) const { return fixed_ + growth_ * cells; }
  // Why a row of as many cells as the header is no record, whatever reads it: a header once more, nothing at all where
  // the rubric requires something, or the total of the others. Empty: it may be one. `ends`: the rows below it have other columns, so that
  // this header must not read them.
  struct NoRecord {
    std::string_view why;
    bool ends = false;
  };
  NoRecord no_record(const std::vector<std::string_view>& cells) const;
  // Writes the row as JSON and returns where it ends. Objects and keys come in the order of their first column; an
  // empty cell is absent; a text that does not fit its type stays a text, for the reader of records to refuse with its
  // place.
  char* write(const std::vector<std::string_view>& cells, const Model& model, int nesting, char* out) const;
  // The same for one cell that is not empty.
  char* write_one(std::size_t column, std::string_view cell, const Model& model, int nesting, char* out) const;

 private:
  // A text followed by kAhead readable bytes.
  struct Fragment {
    std::string text;
    std::size_t size = 0;
    void set(std::string_view of) {
      size = of.size();
      text = of;
      text.append(kAhead, '\0');
    }
  };
  struct Column {
    std::size_t cell = 0;  // its position in the rows
    TypeId type = kUnknown;
    TypeKind kind = TypeKind::unknown;
    std::vector<int> groups;  // the enclosing objects, outermost first
    Fragment key;             // "name":
    Fragment next;            // everything between the previous column and its cell
  };
  // Whether the cells are names of columns, the first of them perhaps behind a byte order mark.
  bool names_columns(const std::vector<std::string_view>& cells) const;
  bool nearly_header(const std::vector<std::string_view>& cells) const;
  // Closes and opens objects between two columns.
  char* between(const Column* last, const Column& column, char* out) const;

  std::vector<Column> columns_;                  // the columns of one object are adjacent
  std::vector<std::vector<std::string>> paths_;  // as in the header
  std::vector<TypeId> types_;
  std::vector<Fragment> groups_;        // "scores":{
  std::size_t fixed_ = 2 + 2 * kAhead;  // bytes that most() needs for any row
  // bytes per byte of a cell: for an escape; for a list's item its brackets as well
  std::size_t growth_ = 6;
  char separator_ = ',';
  std::vector<std::string> header_;
  std::unordered_set<std::string> inputs_;  // of the rubric
  bool requires_ = false;                   // the rubric requires an input
  std::size_t telling_ = kNone;             // the first column whose name is no value of it
  std::vector<std::size_t> needs_;          // the columns that no record may leave empty
  static constexpr std::size_t kNone = ~std::size_t{0};
};

}  // namespace assay
