// A fast path of the reader of records (runtime/input/inputs.hpp), for the usual record: one object with the fields
// that the rubric names, in an order seen before, numbers of at most 18 digits, texts without escapes. It reads such a
// text in one pass without an index of its structure. For anything else, including errors, the complete reader reads
// the record from its beginning. So whatever this reader accepts must mean exactly what the complete reader would have
// read (tests/unit/plain_reader_test.cpp compares the two), and removing it would only cost time.
#pragma once

#include "runtime/input/record_plan.hpp"

#include <assay/interrupt.hpp>
#include <assay/limits.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

class PlainReader {
 public:
  // How many bytes must be readable after a text. Either one of them is a zero, or the text ends at the end of a line
  // in a block of lines; in both cases an incomplete text is followed by a byte that cannot continue it.
  static constexpr std::size_t kPadding = 32;

  // `strict`: leaves records with a key that the rubric does not name to the complete reader, too.
  explicit PlainReader(const Limits& limits, bool strict = false) : limits_(limits), strict_(strict) {}

  // Fills `slots`, one per field of the plan; texts are views of `text`. False: the record has to be read by the
  // complete reader.
  bool read(std::string_view text, RecordPlan& plan, Value* slots, Arena& arena);
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }  // checked within long lists

 private:
  // Each reads from p and returns the position after the value, or null.
  const char* record(const char* p, RecordPlan& plan, int depth, Value* out);
  const char* value(const char* p, const ValuePlan& plan, int depth, Value& out);
  const char* list(const char* p, const ValuePlan& plan, int depth, Value& out);
  const char* skip(const char* p, int depth);

  Limits limits_;
  bool strict_;
  const Interrupt* interrupt_ = nullptr;
  Arena* arena_ = nullptr;
  std::vector<Value> items_;  // items of the lists being read, innermost last
};

}  // namespace assay
