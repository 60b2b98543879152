// The records at the beginning of a file, which are read again after a run for notes about what was hardly meant.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// The complete records among the first bytes of a file, a hundred at most. Not shared by threads.
class FirstRecords {
 public:
  // The rubric must outlive this object.
  FirstRecords(const Beginning& beginning, const Rubric& rubric);
  FirstRecords(const FirstRecords&) = delete;
  FirstRecords& operator=(const FirstRecords&) = delete;

  // As RecordReader::next; an error only counts as one of the hundred.
  RecordReader::Status next(Record& record);
  std::vector<std::string> columns() const { return reader_.columns(); }  // of a table, after the first next()

 private:
  std::string text_;
  std::string_view left_;  // of the text, which is not read yet
  std::size_t count_ = 0;
  RecordReader reader_;
};

}  // namespace assay::cli
