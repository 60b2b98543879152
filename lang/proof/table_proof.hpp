// Which rows of a table can be reached, and whether some keys have no row, where rows are tried from the top. Found by
// sweeping over the keys that make a difference, one key column after the other: between two neighbouring ends of cells
// the same rows fit, and only those are looked at further. So the work goes with the rows that fit together and not
// with the combinations of keys, of which a table of three keys may have a thousand million.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

#include <cstddef>
#include <vector>

namespace assay {

class TableProof {
 public:
  // `keys`: for each key column the values to be tried, one for each of those that cells can tell apart: numbers in
  // order, each value once, a missing one last.
  TableProof(const TypeTable& types, const LookupTable& table, std::vector<std::vector<Value>> keys, Budget& budget);
  ~TableProof();

  // Marks the rows that some keys reach; those marked before are not looked for. With `gaps`, keeps the first keys, all
  // given, that no row fits; first in the order of the last column, then of the one before it. `work` is how many rows
  // may be looked at, and gets less by those that were. False: that was not enough, and what has not been found may yet
  // be there.
  bool run(std::vector<char>& reached, bool gaps, std::size_t& work);
  const std::vector<Value>& gap() const { return gap_; }  // one for each key; empty: none

 private:
  struct Span {  // of places in the values of a column
    std::uint32_t begin = 0, end = 0;
  };
  struct Column {
    std::vector<Value> values;
    std::uint32_t given = 0;  // how many of them are
    std::vector<Span> spans;  // those of row r are first[r] … first[r + 1]: apart, in order
    std::vector<std::uint32_t> first;
  };
  class Seen;
  class Fitting;

  void place(Column& column, TypeKind kind, std::size_t key, const LookupTable& table);
  // Rows that fit the keys of all columns behind `column`, in the order of the table. `open`: their gaps count.
  bool visit(std::size_t column, const std::vector<std::uint32_t>& rows, bool open);
  bool spend(std::size_t work) {  // false: there is not so much
    const bool enough = work <= left_;
    left_ -= enough ? work : left_;
    constexpr std::size_t kRowsAStep = 4;
    budget_.step(work / kRowsAStep);
    return enough;
  }
  template <class Visit>
  bool sweep(const Column& column, const std::vector<std::uint32_t>& rows, Visit&& visit);
  void found_gap(std::size_t column);

  Budget& budget_;
  std::vector<Column> columns_;
  std::vector<Seen> seen_;             // two for each column: where gaps are looked for, and where not
  std::vector<std::size_t> whole_;     // of each row: so many of the first columns fit any key
  std::vector<std::uint32_t> chosen_;  // places in the columns behind the one being visited
  std::vector<char>* reached_ = nullptr;
  bool gaps_ = false;
  std::vector<Value> gap_;
  std::size_t left_ = 0;  // of the work
};

}  // namespace assay
