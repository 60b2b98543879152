// The literals of Python that describe the content of a .npy file: texts, whole numbers, True, False, None, tuples, lists
// and dicts of them. Nothing is evaluated; what is not such a literal is refused with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct PythonValue {
  enum class Kind : std::uint8_t { text, whole, truth, none, tuple, list, dict };
  Kind kind = Kind::none;
  std::string text;
  std::uint64_t whole = 0;
  bool truth = false;
  std::vector<PythonValue> items;  // of a dict: key, value, key, value …

  // The value of a key of a dict that is a text; null: there is none.
  const PythonValue* find(std::string_view key) const;
};

// The value that the whole of `text` (UTF-8) is. Nothing, and the byte `at` where it cannot be read on, for any other
// text, for negative numbers and those beyond 64 bits, and for more than 32 brackets within each other.
std::optional<PythonValue> parse_python(std::string_view text, std::size_t& at);

}  // namespace assay
