// The limits of a compilation and of an evaluation, as options with defaults. A hostile rubric or record ends with a
// clear error at one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

struct Limits {
  std::size_t record_bytes = std::size_t{64} << 20;  // JSON text of one record
  std::size_t list_items = 100'000;                  // items of one list in a record
  std::size_t text_bytes = std::size_t{1} << 20;     // bytes of one text in a record
  std::size_t number_digits = 10'000;                // digits of one number in a record
  int nesting = 200;                 // depth of objects and lists in a record; a tree level counts twice
  std::uint64_t steps = 50'000'000;  // instructions and loop rounds of one evaluation
  std::uint32_t depth = 200;         // depth of nested function calls
  std::size_t memory_bytes = std::size_t{256} << 20;        // memory for the values of one evaluation
  std::size_t output_bytes = std::size_t{64} << 20;         // JSON text of one verdict
  std::uint64_t hook_steps = 50'000'000;                    // Lua instructions in all hook calls of one evaluation
  std::size_t hook_memory_bytes = std::size_t{64} << 20;    // memory that Lua allocates in one hook call
  std::uint32_t hook_depth = 150;                           // depth of nested function calls in Lua
  std::size_t source_bytes = std::size_t{16} << 20;         // text of one rubric file or import
  std::uint64_t compile_steps = 200'000'000;                // steps of compiling one rubric with all its imports
  std::size_t compile_memory_bytes = std::size_t{1} << 30;  // memory for compiling one rubric
};

// The deepest nesting that a reader of records supports, whatever Limits::nesting says: the reader is recursive.
inline constexpr int kMostNesting = 500;

// The largest number of digits that arithmetic supports, whatever Limits::number_digits says.
inline constexpr std::size_t kMostNumberDigits = 60'000;

// The limits by name, in the order above, for a host's options.
struct LimitInfo {
  std::string_view name;     // "steps"
  std::string_view meaning;  // "instructions and loop rounds of one evaluation"
  std::uint64_t most;        // the largest value that can be set
  std::uint64_t (*get)(const Limits& limits);
  void (*set)(Limits& limits, std::uint64_t value);  // value <= most
};
std::span<const LimitInfo> limit_infos();
const LimitInfo* find_limit(std::string_view name);  // null: no limit has that name

}  // namespace assay
