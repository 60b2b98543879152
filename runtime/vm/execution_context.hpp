// State that instructions and built-in functions share while a record is evaluated: memory, limits and early ends of a
// run. Values are allocated with `take`, which refuses to exceed the memory limit; work in proportion to data is paid
// with `charge`. A run that ends early throws Abort, which Vm::run catches: nothing else throws or catches it.
#pragma once

#include "lang/bytecode/program.hpp"
#include "lang/value/equality.hpp"
#include "lang/value/map.hpp"
#include "runtime/vm/vm.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Abort {};

struct ExecutionContext {
  const Program* program = nullptr;
  const TypeTable* types = nullptr;
  Arena* arena = nullptr;
  NumberPool* pool = nullptr;
  RunError* error = nullptr;
  std::uint64_t steps = 0;  // without the work of big numbers, which their pool counts
  std::uint64_t step_limit = 0;
  // at this number of steps, charge() checks the limit and the interrupt; at most step_limit
  std::uint64_t next_look = 0;
  std::uint64_t looks = 0;  // counted by tick()
  const VmLimits* limits = nullptr;
  std::size_t memory_limit = 0;      // of arena->used()
  std::string where;                 // what was running, for the message of a limit: determined when a run ends early
  std::string scratch;               // for texts under construction
  std::vector<std::uint32_t> order;  // for sorting and hashing
  std::vector<Number> numbers;
  KeptVerdicts* kept = nullptr;  // of the earlier records
  std::vector<Value> not_kept;   // the verdicts after those that this run has computed

  [[noreturn]] void stop(std::string path, std::string code, std::string message) {
    *error = {std::move(path), std::move(code), std::move(message)};
    throw Abort{};
  }
  // The exceeded limit; the message names it once Vm::run knows what was running.
  enum class Passed : std::uint8_t { none, steps, memory, depth, number, nesting } passed = Passed::none;
  [[noreturn]] void stop_at(Passed limit) {
    passed = limit;
    throw Abort{};
  }
  [[noreturn]] void out_of_steps() { stop_at(Passed::steps); }
  [[noreturn]] void out_of_memory() { stop_at(Passed::memory); }
  [[noreturn]] void overflow();
  void look();       // ends the run if it is out of steps or interrupted; otherwise schedules the next check
  void interrupt();  // ends the run if it is interrupted
  RunError limit_error() const;

  void charge(std::uint64_t n) {
    steps += n;
    if (steps + pool->work() > next_look) look();
    if (pool->overflowed()) overflow();
  }
  // For loops that have been charged as a whole, such as sorting.
  void tick() {
    if ((++looks & 0xfff) == 0) interrupt();
  }
  // Compares values that may be large: the cost is charged before (numbers, texts) or during the comparison (everything
  // else).
  int compare(Number a, Number b) {
    if (a.den < 0 || b.den < 0) charge(words(a) * words(b) / 8);
    return assay::compare(a, b);
  }
  int compare_text(std::string_view a, std::string_view b) {
    charge(std::min(a.size(), b.size()) / 256);
    return assay::compare_text(a, b);
  }
  bool equal(TypeId type, const Value& a, const Value& b) {
    Effort effort = effort_left();
    const bool same = deep_equal(*types, type, a, b, effort);
    charge_effort(effort);
    return same;
  }
  std::uint64_t hash(TypeId type, const Value& v) {
    Effort effort = effort_left();
    const std::uint64_t result = deep_hash(*types, type, v, effort);
    charge_effort(effort);
    return result;
  }
  static constexpr std::uint64_t kEffort = 8;  // values visited per step
  Effort effort_left() const {
    const std::uint64_t left = step_limit - std::min(step_limit, steps + pool->work()) + 1;
    return {left < UINT64_MAX / kEffort ? left * kEffort : UINT64_MAX, limits->interrupt};
  }
  void charge_effort(const Effort& effort) {
    if (effort.left == 0) interrupt();
    if (effort.too_deep) stop_at(Passed::nesting);
    charge((effort_left().left - effort.left) / kEffort);
  }

  std::size_t room() const { return memory_limit - std::min(memory_limit, arena->used()); }
  void* take(std::size_t bytes) {
    if (void* p = arena->allocate_at_once(bytes, memory_limit)) return p;
    if (arena->used() + bytes > memory_limit) out_of_memory();
    return arena->allocate(bytes);
  }
  template <class T>
  T* array(std::size_t n) {
    return static_cast<T*>(take(n * sizeof(T)));
  }
  Value text(std::string_view s) {  // a copy
    if (s.size() > UINT32_MAX / 2) out_of_memory();
    charge(s.size() / 64);
    char* p = array<char>(s.size() + 1);
    if (!s.empty()) std::memcpy(p, s.data(), s.size());
    p[s.size()] = 0;
    return make_text({p, s.size()});
  }
  Value list(std::uint32_t size) {  // the caller fills in its items
    charge(size / 8);
    return make_list(array<Value>(size), size);
  }
};

// ---- instructions of more than one line (instructions.cpp)
inline bool within(ExecutionContext& m, Number n, const RangeData& r) {
  if (!r.low.missing()) {
    int order = m.compare(n, r.low);
    if (order < 0 || (order == 0 && r.low_open)) return false;
  }
  if (!r.high.missing()) {
    int order = m.compare(n, r.high);
    if (order > 0 || (order == 0 && r.high_open)) return false;
  }
  return true;
}

Number weighted_sum(const Value* values, const Value* weights, std::uint32_t n, NumberPool& pool);
void list_grow(ExecutionContext& m, Value* list);  // list[1]: the capacity
inline void list_push(ExecutionContext& m, Value* list, const Value& v) {
  if (list[0].list.size >= list[1].words.first) list_grow(m, list);
  list[0].list.items[list[0].list.size++] = v;
}
void push_row(ExecutionContext& m, Value* list, const Value* row, std::uint32_t columns);
Value sort_rows(ExecutionContext& m, const Value& rows, const SortOrder& order);
Value new_map(ExecutionContext& m);
Value& map_slot(ExecutionContext& m, Value& map, const Value& key);  // the value of a key, missing if the key is new
void group_put(ExecutionContext& m, Value& map, const Value& key, const Value& value);
Value make_map_from(ExecutionContext& m, const KeySet& keys, const Value* values);
Value concat(ExecutionContext& m, const Value& a, const Value& b);
Value compact(ExecutionContext& m, const Value& list);
Value distinct(ExecutionContext& m, TypeId element, const Value& list);
// ---- values of several types, or of any type (any_values.cpp)
bool is_kind(ExecutionContext& m, TypeId type, const Value& value, AskedKind asked);
Value as_kind(ExecutionContext& m, TypeId type, const Value& value, AskedKind asked);
Value any_get(ExecutionContext& m, const Value& any, const Value& key, bool place);  // place: the key is a number
Value in_list(ExecutionContext& m, TypeId element, const Value& item, const Value& list);
void keep_verdict(ExecutionContext& m, const Value& verdict);
Value earlier_verdicts(ExecutionContext& m);
Value in_set(ExecutionContext& m, const ConstantSet& set, const Value& item);
Value adjust(ExecutionContext& m, const Value& list, const Value& cap);
Number adjust_total(ExecutionContext& m, const Value& list, const Value& cap);
Value join_text(ExecutionContext& m, const TextTemplate& t, const Value* args);
Value join_path(ExecutionContext& m, const Value& prefix, const Value& path);
Value lookup_threshold(ExecutionContext& m, const Lookup& table, const Value& key);
Value lookup_index(ExecutionContext& m, const Lookup& table, const Value* keys);
Value lookup_scan(ExecutionContext& m, const Lookup& table, const Value* keys);
// Appends to m.scratch, which never exceeds the remaining memory.
void write_value(ExecutionContext& m, TypeId type, const Value& v, int decimals);

}  // namespace assay
