// JSON text of a record → the values of a rubric's slots. Every field that the rubric names is checked here, by
// itself, against its type: what reaches the VM is well typed, in range and complete. Fields that it does not name are
// skipped, but must be well-formed JSON like the rest; strict reading refuses them. Reads with simdjson's on-demand
// parser; texts without escapes are views into the reader's own copy of the JSON, so that scoring a record copies
// nothing twice.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/arena.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace assay {

class InputReader {
 public:
  // `model` must outlive the reader. Not `plain`: without the fast path (runtime/input/plain_reader.hpp), to compare with.
  // `strict`: EvaluatorOptions::strict.
  InputReader(const Model& model, int rubric, const Limits& limits, bool plain = true, bool strict = false);
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;

  // Fills `slots`, one per slot of the rubric. With `keep` all texts are copied into the arena; without, they are valid
  // until the next read. False: `error`, its path beginning at the record.
  // `padded`: the text lies in a block (runtime/stream/blocks.hpp); then it is read where it is, and has to stay there.
  bool read(std::string_view json, Value* slots, Arena& arena, bool keep, InputError& error, bool padded = false);
  // What else is wrong with a record that read() has refused with `first`, in the order in which it is found; `most` at
  // most. Reads it once more for each.
  std::vector<InputFault> others(std::string_view json, Value* slots, Arena& arena, const InputError& first,
                                 std::size_t most);
  // Fills the slots as far as the record is right, for who needs only some of them: what is wrong is missing, and
  // is put into `faults`. False: too much is wrong, or nothing can be read at all; `error` as read() gives it.
  bool read_around(std::string_view json, Value* slots, Arena& arena, InputError& error,
                   std::vector<InputError>& faults);
  void watch(const Interrupt* interrupt);  // at which it looks while it reads; null: none

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A copy of a value with everything behind it. What is nested deeper than kMostValueNesting is missing in it: ask
// deep_size() first where values may be that deep.
Value deep_copy(const TypeTable& types, TypeId type, const Value& value, Arena& arena, int depth = 0);
// About how many bytes that takes, as far as `most`: values share their parts, and a copy does not. More than `most` for
// a value that is nested too deeply to be copied.
std::size_t deep_size(const TypeTable& types, TypeId type, const Value& value, std::size_t most, int depth = 0);

// "a number 1..10", "a list", "one of (…)": how messages call what a type expects.
std::string describe_type(const TypeTable& types, TypeId type);

// The error of a text that is not JSON, with its byte offset; code "limit" when it is only nested too deeply. `what` is
// "the record", "the request" …
InputError syntax_error(std::string_view json, int nesting, std::string_view what = "the record");
InputError too_deep_error(std::string_view what, int nesting);

}  // namespace assay
