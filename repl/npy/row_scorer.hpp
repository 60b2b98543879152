// Rows of a .npy file → whatever is written of their verdicts, on several threads: each has a scorer of its own, and what
// they write comes in the order of the rows.
#pragma once

#include "repl/files/output.hpp"
#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

// Belongs to one thread at a time.
class RowScorer {
 public:
  virtual ~RowScorer() = default;
  // Appends what is written of any number of rows.
  virtual void append(std::string& out, std::string_view rows) = 0;
  virtual Statistics statistics() const = 0;
  // Of the rows of the last append(): what is wrong with some of them, by row.
  const std::vector<std::pair<std::size_t, InputError>>& faults() const { return faults_; }

 protected:
  std::vector<std::pair<std::size_t, InputError>> faults_;
};
using RowScorers = std::vector<std::unique_ptr<RowScorer>>;

// How many threads to score such a table on: `threads`, or where that is 0 as many as the machine runs at once and are worth
// it.
unsigned row_threads(const NpyTable& table, unsigned threads);

// Scores all rows that are left in a file, says what is wrong with them, and writes the rest, as long as somebody reads it.
// `rejected` becomes true when a row is. False: the file could not be read to its end, as its problem() says.
bool score_rows(RecordFile& file, const RowScorers& scorers, Output& output, bool& rejected);

}  // namespace assay::cli
