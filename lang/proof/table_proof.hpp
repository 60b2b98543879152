// Determines which rows of a table can be reached, and whether some keys have no row, if rows are tried from the top.
// Sweeps over the distinguishable keys, one key column after another: between two neighbouring ends of cells the same
// rows match, and only those are examined further. So the work depends on how many rows overlap, not on the number of
// key combinations, which for three keys may be a thousand million.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

#include <cstddef>
#include <vector>

namespace assay {

class TableProof {
 public:
  // `keys`: for each key column the values to try, one for each class that cells can distinguish: numbers in ascending
  // order, each value once, missing last.
  TableProof(const TypeTable& types, const LookupTable& table, std::vector<std::vector<Value>> keys, Budget& budget);
  ~TableProof();

  // Marks the rows that some keys reach; rows marked before are skipped. With `gaps`, stores the first keys, all given,
  // that no row matches; first in the order of the last column, then of the one before it. `work` is the number of rows
  // that may be examined, and is reduced by those that were. False: that was not enough, and further results may exist.
  bool run(std::vector<char>& reached, bool gaps, std::size_t& work);
  const std::vector<Value>& gap() const { return gap_; }  // one per key; empty: none

 private:
  struct Span {  // of positions in the values of a column
    std::uint32_t begin = 0, end = 0;
  };
  struct Column {
    std::vector<Value> values;
    std::uint32_t given = 0;  // how many of them are given
    std::vector<Span> spans;  // those of row r are first[r] … first[r + 1]: disjoint and sorted
    std::vector<std::uint32_t> first;
  };
  class Seen;
  class Fitting;

  void place(Column& column, TypeKind kind, std::size_t key, const LookupTable& table);
  // Visits rows that match the keys of all columns after `column`, in table order. `open`: their gaps count.
  bool visit(std::size_t column, const std::vector<std::uint32_t>& rows, bool open);
  bool spend(std::size_t work) {  // false: not enough is left
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
  std::vector<Seen> seen_;             // two for each column: with and without a search for gaps
  std::vector<std::size_t> whole_;     // for each row: how many of the first columns match any key
  std::vector<std::uint32_t> chosen_;  // positions in the columns after the one being visited
  std::vector<char>* reached_ = nullptr;
  bool gaps_ = false;
  std::vector<Value> gap_;
  std::size_t left_ = 0;      // of the work
  std::size_t compared_ = 0;  // in sorts, between looks at the interrupt
};

}  // namespace assay
