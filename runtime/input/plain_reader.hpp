// A fast path of the reader of records (runtime/input/inputs.hpp), for what nearly every record is: one object with the
// fields that the rubric names, in an order seen before, numbers of at most 18 digits, texts without escapes. It reads
// such a text in one pass without an index of its structure. Whatever else it meets, an error included, it leaves to
// the complete reader, which begins the record anew; so what it accepts has to mean exactly what that one would have
// read (tests/unit/plain_reader_test.cpp compares the two), and taking it out changes nothing but the time.
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
  // How many bytes have to be readable after a text. Among them is a zero, or the text ends where the line of a block
  // of lines does: a text that is not complete is then followed by what no text goes on with.
  static constexpr std::size_t kPadding = 32;

  // `strict`: records with a key that the rubric does not name are left to the complete reader, too.
  explicit PlainReader(const Limits& limits, bool strict = false) : limits_(limits), strict_(strict) {}

  // Fills `slots`, one per field of the plan; texts are views of `text`. False: nothing is known about the record.
  bool read(std::string_view text, RecordPlan& plan, Value* slots, Arena& arena);
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }  // at which it looks within long lists

 private:
  // Each reads from p and returns what follows, or null.
  const char* record(const char* p, RecordPlan& plan, int depth, Value* out);
  const char* value(const char* p, const ValuePlan& plan, int depth, Value& out);
  const char* list(const char* p, const ValuePlan& plan, int depth, Value& out);
  const char* skip(const char* p, int depth);

  Limits limits_;
  bool strict_;
  const Interrupt* interrupt_ = nullptr;
  Arena* arena_ = nullptr;
  std::vector<Value> items_;  // of the lists being read, innermost last
};

}  // namespace assay
