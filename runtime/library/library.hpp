// The native tier of the standard library: functions in C++ behind hooks that its modules declare with `from "std:name"`.
// A row of library.def gives each its types; a module that declares others does not compile. Functions take values as
// built-in functions do, pay for their work and memory through the same Machine, and give the same bytes on every platform:
// what is rational is exact, and nothing is computed in binary floating point of the processor.
#pragma once

#include "lang/model/library_prefix.hpp"
#include "lang/model/model.hpp"
#include "runtime/vm/machine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// part / all; missing when all is 0.
inline Number share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return kMissing;
  return {static_cast<std::int64_t>(part), static_cast<std::int64_t>(all)};
}

inline Value make_fields(Machine& m, const Number* numbers, std::uint32_t size) {
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
