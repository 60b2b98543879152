// The native tier of the standard library: C++ functions behind hooks that its modules declare with `from "std:name"`.
// A row of library.def gives the types of each; a module that declares others does not compile. Functions take values
// like built-in functions, charge their work and memory to the same ExecutionContext, and give the same bytes on every
// platform: rational results are exact, and nothing uses the processor's floating point.
#pragma once

#include "lang/model/library_prefix.hpp"
#include "lang/model/model.hpp"
#include "runtime/vm/execution_context.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct LibraryRow {
  std::string_view name;
  std::string_view signature;  // its types as library_signature() writes them
  NativeFunction function;
};

const LibraryRow* find_library_function(std::string_view name);  // null if there is none

// The types of a hook without ranges, choices and type names: "text [text] -> {precision number?, recall number?}".
std::string library_signature(const TypeTable& types, const HookModel& hook);

// ---- for the functions themselves

namespace library {
Value normalised(ExecutionContext& m, const Value* args);  // of text_match.cpp, used by the overlaps
}

// Memory for the duration of a call, refused beyond what the evaluation has left.
template <class T>
std::vector<T> scratch(ExecutionContext& m, std::size_t size, T value = {}) {
  if (size > m.room() / sizeof(T)) m.out_of_memory();
  return std::vector<T>(size, value);
}

// part / all; missing if all is 0.
inline Number share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return kMissing;
  return {static_cast<std::int64_t>(part), static_cast<std::int64_t>(all)};
}

inline Value make_fields(ExecutionContext& m, const Number* numbers, std::uint32_t size) {
  Value* fields = m.array<Value>(size);
  for (std::uint32_t i = 0; i < size; ++i) fields[i] = make_number(numbers[i]);
  return make_record(fields, size);
}

inline bool has_gaps(const ListValue& list) {
  for (std::uint32_t i = 0; i < list.size; ++i) {
    if (list.items[i].missing()) return true;
  }
  return false;
}

}  // namespace assay
