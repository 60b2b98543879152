// The bounds of an evaluation, as options with defaults: a hostile rubric or record ends with a clear error within them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

struct Limits {
  std::size_t record_bytes = std::size_t{64} << 20;  // JSON text of one record
  std::size_t list_items = 100'000;                  // items of one list in a record
  std::size_t text_bytes = std::size_t{1} << 20;     // bytes of one text in a record
  int nesting = 100;                                 // depth of objects and lists in a record
  std::uint64_t steps = 50'000'000;                  // instructions and loop rounds of one evaluation
  std::uint32_t depth = 200;                         // nested calls of functions
  std::size_t memory_bytes = std::size_t{256} << 20; // values made by one evaluation
  std::size_t output_bytes = std::size_t{64} << 20;  // JSON text of one verdict
  std::uint64_t hook_steps = 50'000'000;             // of Lua, in all calls of hooks of one evaluation
  std::size_t hook_memory_bytes = std::size_t{64} << 20;  // that Lua allocates in one call of a hook
  std::uint32_t hook_depth = 150;                    // nested calls of functions in Lua
  std::size_t source_bytes = std::size_t{16} << 20;  // text of one rubric file or import
};

}  // namespace assay
