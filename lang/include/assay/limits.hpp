// The bounds of an evaluation and of a compilation, as options with defaults: a hostile rubric or record ends with a clear
// error within them.
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
  int nesting = 200;                                 // depth of objects and lists in a record: a tree takes two a level
  std::uint64_t steps = 50'000'000;                  // instructions and loop rounds of one evaluation
  std::uint32_t depth = 200;                         // nested calls of functions
  std::size_t memory_bytes = std::size_t{256} << 20;        // values made by one evaluation
  std::size_t output_bytes = std::size_t{64} << 20;         // JSON text of one verdict
  std::uint64_t hook_steps = 50'000'000;                    // of Lua, in all calls of hooks of one evaluation
  std::size_t hook_memory_bytes = std::size_t{64} << 20;    // that Lua allocates in one call of a hook
  std::uint32_t hook_depth = 150;                           // nested calls of functions in Lua
  std::size_t source_bytes = std::size_t{16} << 20;         // text of one rubric file or import
  std::uint64_t compile_steps = 200'000'000;                // of compiling one rubric, with all that it imports
  std::size_t compile_memory_bytes = std::size_t{1} << 30;  // that compiling one rubric takes
};

// The deepest nesting that a reader of records follows, whatever Limits::nesting says: it follows with its own stack.
inline constexpr int kMostNesting = 500;

// The most digits of a number that can be computed with, whatever Limits::number_digits says.
inline constexpr std::size_t kMostNumberDigits = 60'000;

// The limits by name, in the order above: for options of a host.
struct LimitInfo {
  std::string_view name;     // "steps"
  std::string_view meaning;  // "instructions and loop rounds of one evaluation"
  std::uint64_t most;        // the largest value that can be set
  std::uint64_t (*get)(const Limits& limits);
  void (*set)(Limits& limits, std::uint64_t value);  // value <= most
};
std::span<const LimitInfo> limit_infos();
const LimitInfo* find_limit(std::string_view name);  // null: there is none of that name

}  // namespace assay
