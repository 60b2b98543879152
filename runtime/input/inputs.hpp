// JSON text of a record → the values of a rubric's slots. Checks every field that the rubric names, on its own, against
// its type: values that reach the VM are well typed, in range and complete. Other fields are skipped, but must be
// well-formed JSON like the rest; strict reading rejects them. Uses simdjson's on-demand parser; texts without escapes
// are views into the reader's own copy of the JSON, so that scoring a record copies nothing twice.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/arena.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class InputReader {
 public:
  // `model` must outlive the reader. `plain` false: without the fast path (runtime/input/plain_reader.hpp), for
  // comparison. `strict`: EvaluatorOptions::strict.
  InputReader(const Model& model, int rubric, const Limits& limits, bool plain = true, bool strict = false);
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;

  // Fills `slots`, one per slot of the rubric. With `keep` all texts are copied into the arena; otherwise they are
  // valid until the next read. False: `error`, with a path from the record. `padded`: the text is in a block
  // (runtime/stream/blocks.hpp) and is read in place; it must stay there.
  bool read(std::string_view json, Value* slots, Arena& arena, bool keep, InputError& error, bool padded = false);
  // The further problems of a record that read() rejected with `first`, in the order in which they are found, at most
  // `most`. Reads the record again for each.
  std::vector<InputFault> others(std::string_view json, Value* slots, Arena& arena, const InputError& first,
                                 std::size_t most);
  // Fills the slots as far as the record is valid, for callers that need only some of them: invalid values become
  // missing and are added to `faults`. False: too many problems, or nothing can be read; `error` as by read().
  bool read_around(std::string_view json, Value* slots, Arena& arena, InputError& error,
                   std::vector<InputError>& faults);
  void watch(const Interrupt* interrupt);  // checked while reading; null: none

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A deep copy of a value. Parts nested deeper than kMostValueNesting are missing in the copy: if values may be that
// deep, call deep_size() first.
Value deep_copy(const TypeTable& types, TypeId type, const Value& value, Arena& arena, int depth = 0);
// The approximate size of a deep copy in bytes, up to `most`: values share their parts, a copy does not. More than
// `most` for a value that is nested too deeply to copy.
std::size_t deep_size(const TypeTable& types, TypeId type, const Value& value, std::size_t most, int depth = 0);

// "a number 1..10", "a list", "one of (…)": the expected type, for messages.
std::string describe_type(const TypeTable& types, TypeId type);

// The error of a text that is not JSON, with its byte offset; code "limit" if it is only nested too deeply. `what`:
// "the record", "the request" …
InputError syntax_error(std::string_view json, int nesting, std::string_view what = "the record");
// The id of a record that could not be read, as JSON: a text or an integer. Nothing if it has none.
std::string written_id(std::string_view json);
// The same of a record that is malformed.
std::string id_before_fault(std::string_view json, int nesting, const Interrupt* interrupt = nullptr);
InputError too_deep_error(std::string_view what, int nesting);

}  // namespace assay
