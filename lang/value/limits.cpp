// The limits by name, one row each, for command line options and lists; and the messages about exceeded limits.
#include "lang/value/hook_depth.hpp"
#include "lang/value/limit_message.hpp"

#include <assay/limits.hpp>

#include <limits>
#include <type_traits>

namespace assay {

namespace {

template <auto member>
void set(Limits& limits, std::uint64_t value) {
  using Type = std::remove_reference_t<decltype(limits.*member)>;
  limits.*member = static_cast<Type>(value);
}

template <auto member>
std::uint64_t get(const Limits& limits) {
  return static_cast<std::uint64_t>(limits.*member);
}

constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kAnySize = std::numeric_limits<std::int32_t>::max();  // the largest count that a Value can hold

template <auto member>
consteval LimitInfo row(std::string_view name, std::string_view meaning, std::uint64_t most) {
  return {name, meaning, most, get<member>, set<member>};
}

constexpr LimitInfo kLimits[] = {
    row<&Limits::record_bytes>("record_bytes", "JSON text of one record or request", kAnySize),
    row<&Limits::list_items>("list_items", "items of one list in a record, records of a history", kAnySize),
    row<&Limits::text_bytes>("text_bytes", "bytes of one text in a record", kAnySize),
    row<&Limits::number_digits>("number_digits", "digits of one number in a record", kMostNumberDigits),
    row<&Limits::nesting>("nesting", "objects and lists within each other in a record", kMostNesting),
    row<&Limits::steps>("steps", "instructions and loop rounds of one evaluation", kAnyCount),
    row<&Limits::depth>("depth", "calls of functions within each other", 100'000),
    row<&Limits::memory_bytes>("memory_bytes", "values made by one evaluation", kAnyCount),
    row<&Limits::output_bytes>("output_bytes", "JSON text of one verdict", kAnyCount),
    row<&Limits::hook_steps>("hook_steps", "steps of Lua in all calls of hooks of one evaluation", kAnyCount),
    row<&Limits::hook_memory_bytes>("hook_memory_bytes", "what Lua allocates in one call of a hook", kAnyCount),
    row<&Limits::hook_depth>("hook_depth", "calls of functions within each other in Lua", kMostHookDepth),
    row<&Limits::source_bytes>("source_bytes", "text of one rubric file or import", kAnySize),
    row<&Limits::compile_steps>("compile_steps", "of compiling one rubric, with all that it imports", kAnyCount),
    row<&Limits::compile_memory_bytes>("compile_memory_bytes", "that compiling one rubric takes", kAnyCount),
};

}  // namespace

std::span<const LimitInfo> limit_infos() { return kLimits; }

const LimitInfo* find_limit(std::string_view name) {
  for (const LimitInfo& limit : kLimits) {
    if (limit.name == name) return &limit;
  }
  return nullptr;
}

std::string limit_message(std::string_view what, std::uint64_t value, std::string_view unit, std::string_view limit) {
  std::string text = std::string(what) + " more than " + std::to_string(value) + ' ';
  text += unit;
  if (!limit.empty()) text += " (raise the limit '" + std::string(limit) + "' to allow more)";
  return text;
}

const char* interrupt_code(Interrupt::State state) {
  return state == Interrupt::State::timeout ? "timeout" : "cancelled";
}

const char* interrupt_message(Interrupt::State state) {
  return state == Interrupt::State::timeout ? "the evaluation ran out of time" : "the evaluation was cancelled";
}

}  // namespace assay
