// The Python literals that describe the content of a .npy file: texts, integers, True, False, None, tuples, lists and
// dicts of them. Nothing is evaluated; anything else is refused with its position.
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
  std::vector<PythonValue> items;  // for a dict: key, value, key, value …

  // The value of a text key of a dict; null: none.
  const PythonValue* find(std::string_view key) const;
};

// Parses all of `text` (UTF-8). Returns nothing, and the byte `at` of the problem, for any other text, for negative
// numbers and those beyond 64 bits, and for more than 32 nested brackets.
std::optional<PythonValue> parse_python(std::string_view text, std::size_t& at);

}  // namespace assay
