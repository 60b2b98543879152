// The instructions of more than one line: making lists, maps and texts, sorting, tables.
#include "runtime/vm/execution_context.hpp"

#include "lang/value/equality.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/input/inputs.hpp"

#include <algorithm>

namespace assay {

void ExecutionContext::overflow() {
  interrupt();
  if (pool->end() == NumberPool::End::work) out_of_steps();
  if (pool->end() == NumberPool::End::memory) out_of_memory();
  stop_at(Passed::number);
}

void ExecutionContext::look() {
  constexpr std::uint64_t kBetweenLooks = 20'000;  // steps: well below a millisecond
  const std::uint64_t done = steps + pool->work();
  if (done > step_limit) out_of_steps();
  interrupt();
  next_look = limits->interrupt == nullptr || step_limit - done < kBetweenLooks ? step_limit : done + kBetweenLooks;
}

void ExecutionContext::interrupt() {
  const Interrupt::State state = interrupt_state(limits->interrupt);
  if (state != Interrupt::State::none) stop("", interrupt_code(state), interrupt_message(state));
}

RunError ExecutionContext::limit_error() const {
  const std::string what = where.empty() ? "the evaluation" : where;
  switch (passed) {
    case Passed::steps: return {"", "limit", limit_message(what + " takes", limits->steps, "steps", "steps")};
    case Passed::memory:
      return {"", "limit", limit_message(what + " takes", limits->memory, "bytes of memory", "memory_bytes")};
    case Passed::depth:
      return {"", "limit", limit_message(what + " needs", limits->depth, "calls within each other", "depth")};
    case Passed::number: return {"", "limit", limit_message(what + " makes a number of", 200'000, "bits", "")};
    case Passed::nesting:  // no test: the checker lets no type be nested as deep
      return {"", "limit", limit_message(what + " nests", kMostValueNesting, "levels", "")};  // no test: as above
    case Passed::none: break;  // no test: it is asked about a limit that was passed
  }
  return {};  // no test: as above
}

// ---- numbers

// Uses one common denominator while all numbers are small, as scores and weights usually are.
Number weighted_sum(const Value* values, const Value* weights, std::uint32_t n, NumberPool& pool) {
  std::int64_t num = 0, den = 1;
  std::uint32_t i = 0;
  if (!pool.force_big()) {
    for (; i < n; ++i) {
      const Number v = values[i].number, w = weights[i].number;
      if (v.den == 0 || w.den == 0) return kMissing;
      std::int64_t p, q, sum, scaled;
      if (v.den < 0 || w.den < 0 || __builtin_mul_overflow(v.num, w.num, &p) ||
          __builtin_mul_overflow(v.den, w.den, &q))
        break;
      if (q == den) {
        if (__builtin_add_overflow(num, p, &sum)) break;
      } else if (q < den && den % q == 0) {
        if (__builtin_mul_overflow(p, den / q, &scaled) || __builtin_add_overflow(num, scaled, &sum)) break;
      } else if (q % den == 0) {
        if (__builtin_mul_overflow(num, q / den, &scaled) || __builtin_add_overflow(scaled, p, &sum)) break;
        den = q;
      } else {
        break;
      }
      if (sum == INT64_MIN) break;
      num = sum;
    }
  }
  Number total{num, den};
  for (; i < n; ++i) {
    if (values[i].missing() || weights[i].missing()) return kMissing;
    total = add(total, mul(values[i].number, weights[i].number, pool), pool);
  }
  return total;
}

// ---- lists

void list_grow(ExecutionContext& m, Value* list) {
  std::uint64_t capacity = list[1].words.first < 4 ? 8 : list[1].words.first * 2;
  if (capacity > UINT32_MAX) m.out_of_memory();
  Value* items = m.array<Value>(capacity);
  if (list[0].list.size) std::memcpy(static_cast<void*>(items), list[0].list.items, list[0].list.size * sizeof(Value));
  list[0].list.items = items;
  list[1].words.first = capacity;
}

void push_row(ExecutionContext& m, Value* list, const Value* row, std::uint32_t columns) {
  for (std::uint32_t i = 0; i < columns; ++i) list_push(m, list, row[i]);
}

namespace {

// Compares two keys: negative if `l` comes first. Missing comes last in either direction, and an item that only one of
// two lists has counts as missing in the other.
int order_of(ExecutionContext& m, TypeId type, const Value& l, const Value& r, bool higher) {
  if (l.missing() || r.missing()) return static_cast<int>(l.missing()) - static_cast<int>(r.missing());
  int c = 0;
  switch (m.types->kind(type)) {
    case TypeKind::either: {  // numbers, then conditions, then texts
      const TypeId a = m.types->actual(type, l), b = m.types->actual(type, r);
      if (a == b) return order_of(m, a, l, r, higher);
      c = m.types->kind(a) < m.types->kind(b) ? -1 : 1;
      break;
    }
    case TypeKind::number: c = m.compare(l.number, r.number); break;
    case TypeKind::boolean: c = static_cast<int>(l.boolean.truth - r.boolean.truth); break;
    case TypeKind::text:
    case TypeKind::any: c = m.compare_text(l.text.view(), r.text.view()); break;
    case TypeKind::list: {
      const TypeId element = (*m.types)[type].element;
      const std::uint32_t both = std::min(l.list.size, r.list.size);
      for (std::uint32_t i = 0; i < both; ++i) {
        m.tick();
        if (const int order = order_of(m, element, l.list.items[i], r.list.items[i], higher)) return order;
      }
      return static_cast<int>(l.list.size < r.list.size) - static_cast<int>(r.list.size < l.list.size);
    }
    default: break;  // no test: the checker lets no other kind be ordered
  }
  return higher ? -c : c;
}

}  // namespace

Value sort_rows(ExecutionContext& m, const Value& rows, const SortOrder& order) {
  const std::uint32_t stride = order.stride, n = rows.list.size / stride;
  const Value* items = rows.list.items;
  std::uint64_t log = 1;
  while ((n >> log) > 0) ++log;
  m.charge(n * log / 4);
  m.order.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) m.order[i] = i;
  const std::vector<SortKey>& keys = order.keys;
  std::sort(m.order.begin(), m.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    m.tick();
    const Value* left = items + std::size_t{a} * stride;
    const Value* right = items + std::size_t{b} * stride;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const int c = order_of(m, keys[k].type, left[k], right[k], keys[k].higher);
      if (c != 0) return c < 0;
    }
    return a < b;
  });
  Value sorted = m.list(n * stride);
  for (std::uint32_t i = 0; i < n; ++i)
    std::memcpy(static_cast<void*>(sorted.list.items + std::size_t{i} * stride),
                items + std::size_t{m.order[i]} * stride, stride * sizeof(Value));
  return sorted;
}

Value concat(ExecutionContext& m, const Value& a, const Value& b) {
  if (a.missing() || b.missing()) return missing_value();
  if (b.list.size == 0) return a;
  if (a.list.size == 0) return b;
  if (a.list.size > UINT32_MAX - b.list.size) m.out_of_memory();
  Value joined = m.list(a.list.size + b.list.size);
  std::memcpy(static_cast<void*>(joined.list.items), a.list.items, a.list.size * sizeof(Value));
  std::memcpy(static_cast<void*>(joined.list.items + a.list.size), b.list.items, b.list.size * sizeof(Value));
  return joined;
}

Value compact(ExecutionContext& m, const Value& list) {
  if (list.missing()) return list;
  std::uint32_t given = 0;
  for (std::uint32_t i = 0; i < list.list.size; ++i) given += !list.list.items[i].missing();
  if (given == list.list.size) return list;
  Value result = m.list(given);
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < list.list.size; ++i)
    if (!list.list.items[i].missing()) result.list.items[at++] = list.list.items[i];
  return result;
}

namespace {

// Calls keep(i) for each item that equals no earlier one. Short lists are compared pairwise, long ones hashed.
template <class Equal, class Hash, class Keep>
void first_of_each(ExecutionContext& m, std::uint32_t size, Equal&& equal, Hash&& hash, Keep&& keep) {
  if (size <= 12) {
    for (std::uint32_t i = 0; i < size; ++i) {
      bool first = true;
      for (std::uint32_t j = 0; j < i && first; ++j) first = !equal(i, j);
      if (first) keep(i);
    }
    return;
  }
  m.charge(size);
  const std::uint32_t slots = map_index_size(size);
  m.order.assign(slots, 0);
  for (std::uint32_t i = 0; i < size; ++i) {
    std::uint32_t slot = static_cast<std::uint32_t>(hash(i)) & (slots - 1);
    bool first = true;
    while (std::uint32_t at = m.order[slot]) {
      if (equal(i, at - 1)) {
        first = false;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
    if (!first) continue;
    m.order[slot] = i + 1;
    keep(i);
  }
}

}  // namespace

Value distinct(ExecutionContext& m, TypeId element, const Value& list) {
  if (list.missing() || list.list.size < 2) return list;
  const Value* items = list.list.items;
  Value result = m.list(list.list.size);
  result.list.size = 0;
  first_of_each(
      m, list.list.size, [&](std::uint32_t i, std::uint32_t j) { return m.equal(element, items[i], items[j]); },
      [&](std::uint32_t i) { return m.hash(element, items[i]); },
      [&](std::uint32_t i) { result.list.items[result.list.size++] = items[i]; });
  return result;
}

// ---- earlier records

namespace {

// A larger verdict only exists because its parts are shared: a copy would cost too much.
constexpr std::size_t kMostKept = std::size_t{1} << 20;

}  // namespace

void keep_verdict(ExecutionContext& m, const Value& verdict) {
  m.charge(1);  // also checks that no number has grown too large
  if (m.kept != nullptr && m.not_kept.empty()) {
    KeptVerdicts& kept = *m.kept;
    const TypeId type = m.program->model->rubrics[static_cast<std::size_t>(m.program->rubric)].verdict.type;
    const std::size_t size = deep_size(*m.types, type, verdict, kMostKept);
    m.charge(size / 128);
    if (size <= kMostKept) {
      if (kept.bytes + size + sizeof(Value) <= kept.most) {
        kept.verdicts.push_back(deep_copy(*m.types, type, verdict, kept.arena));
        kept.bytes += size + sizeof(Value);
        return;
      }
      kept.full = true;
    }
  }
  m.not_kept.push_back(verdict);
}

Value earlier_verdicts(ExecutionContext& m) {
  std::vector<Value> none;
  std::vector<Value>& kept = m.kept != nullptr ? m.kept->verdicts : none;
  if (m.not_kept.empty()) return make_list(kept.data(), static_cast<std::uint32_t>(kept.size()));
  const Value all = m.list(static_cast<std::uint32_t>(kept.size() + m.not_kept.size()));
  std::copy(m.not_kept.begin(), m.not_kept.end(), std::copy(kept.begin(), kept.end(), all.list.items));
  return all;
}

Value in_list(ExecutionContext& m, TypeId element, const Value& item, const Value& list) {
  if (item.missing() || list.missing()) return missing_value();
  m.charge(list.list.size / 8);
  bool unknown = false;
  for (std::uint32_t i = 0; i < list.list.size; ++i) {
    if (list.list.items[i].missing()) {
      unknown = true;
    } else if (m.equal(element, item, list.list.items[i])) {
      return make_bool(true);
    }
  }
  return unknown ? missing_value() : make_bool(false);
}

Value in_set(ExecutionContext& m, const ConstantSet& set, const Value& item) {
  if (item.missing()) return missing_value();
  const std::size_t mask = set.slots.size() - 1;
  for (std::size_t at = m.hash(set.type, item) & mask; const std::uint32_t found = set.slots[at];
       at = (at + 1) & mask) {
    if (m.equal(set.type, item, set.items[found - 1])) return make_bool(true);
  }
  return set.missing ? missing_value() : make_bool(false);
}

namespace {

// Records of name, amount, reason: the first one of each name, if its amount counts.
template <class Take>
void amounts(ExecutionContext& m, const Value& list, const Take& take) {
  const Value* items = list.list.items;
  const auto name = [items](std::uint32_t i) {
    return items[i].missing() ? std::string_view() : items[i].record.fields[0].text.view();
  };
  first_of_each(
      m, list.list.size, [&](std::uint32_t i, std::uint32_t j) { return name(i) == name(j); },
      [&](std::uint32_t i) { return hash_text(name(i)); },
      [&](std::uint32_t i) {
        if (items[i].missing()) return;
        const Number amount = items[i].record.fields[1].number;
        if (!amount.missing() && sign(amount) > 0) take(items[i], amount);
      });
}

}  // namespace

// Records of name, amount, reason. The cap reduces amounts from the end.
Value adjust(ExecutionContext& m, const Value& list, const Value& cap) {
  if (list.missing()) return list;
  const std::uint32_t size = list.list.size;
  if (size == 0) return list;
  Value result = m.list(size);
  Value* kept = result.list.items;
  std::uint32_t count = 0;
  Number total = whole(0);
  amounts(m, list, [&](const Value& item, Number amount) {
    total = add(total, amount, *m.pool);
    kept[count++] = item;
  });
  if (!cap.missing()) {
    Number over = sub(total, cap.number, *m.pool);
    for (std::uint32_t i = count; i > 0 && sign(over) > 0; --i) {  // an amount that is used up stays, as 0
      Value& last = kept[i - 1];
      const Number amount = last.record.fields[1].number;
      const Number left = m.compare(amount, over) <= 0 ? whole(0) : sub(amount, over, *m.pool);
      over = sub(over, amount, *m.pool);
      Value* fields = m.array<Value>(last.record.size);
      std::memcpy(static_cast<void*>(fields), last.record.fields, last.record.size * sizeof(Value));
      fields[1] = make_number(left);
      last.record.fields = fields;
    }
  }
  result.list.size = count;
  return result;
}

// The sum of the result of adjust: the cap reduces it to at least 0.
Number adjust_total(ExecutionContext& m, const Value& list, const Value& cap) {
  if (list.missing()) return kMissing;
  Number total = whole(0);
  amounts(m, list, [&](const Value&, Number amount) { total = add(total, amount, *m.pool); });
  if (cap.missing() || compare(total, cap.number) <= 0) return total;
  return sign(cap.number) > 0 ? cap.number : whole(0);
}

// ---- maps: capacity is a power of two, at least 8

Value new_map(ExecutionContext& m) {
  MapData* data = m.array<MapData>(1);
  *data = {nullptr, nullptr, nullptr, 0};
  return make_map(data, 0);
}

Value& map_slot(ExecutionContext& m, Value& map, const Value& key) {
  MapData& data = *map.map.data;
  const std::uint32_t size = map.map.size;
  std::int64_t known = map_find(data, size, key.text.view());
  if (known >= 0) return data.values[known];
  if (size == 0 || (size >= 8 && (size & (size - 1)) == 0)) {
    const std::size_t capacity = size == 0 ? 8 : std::size_t{size} * 2;
    Value* keys = m.array<Value>(capacity);
    Value* values = m.array<Value>(capacity);
    if (size) {
      std::memcpy(static_cast<void*>(keys), data.keys, size * sizeof(Value));
      std::memcpy(static_cast<void*>(values), data.values, size * sizeof(Value));
    }
    data.keys = keys;
    data.values = values;
    if (capacity >= kMapIndexFrom) {
      const std::uint32_t words = map_index_size(static_cast<std::uint32_t>(capacity));
      map_build_index(data, size, m.array<std::uint32_t>(words), words);
    }
  }
  data.keys[size] = key;
  data.values[size] = missing_value();
  if (data.index) map_index_add(data, size);
  ++map.map.size;
  return data.values[size];
}

void group_put(ExecutionContext& m, Value& map, const Value& key, const Value& value) {
  if (key.missing()) return;
  Value& group = map_slot(m, map, key);
  if (group.missing()) group = make_list(m.array<Value>(4), 0);
  ListValue& list = group.list;
  if (list.size >= 4 && (list.size & (list.size - 1)) == 0) {
    Value* items = m.array<Value>(std::size_t{list.size} * 2);
    std::memcpy(static_cast<void*>(items), list.items, list.size * sizeof(Value));
    list.items = items;
  }
  list.items[list.size++] = value;
}

Value make_map_from(ExecutionContext& m, const KeySet& keys, const Value* values) {
  MapData* data = m.array<MapData>(1);
  *data = keys.data;
  data->values = m.array<Value>(keys.size);
  if (keys.size) std::memcpy(static_cast<void*>(data->values), values, keys.size * sizeof(Value));
  return make_map(data, keys.size);
}

// ---- texts

void write_value(ExecutionContext& m, TypeId type, const Value& v, int decimals) {
  std::string& out = m.scratch;
  if (v.missing()) {
    out += "–";
    return;
  }
  const Type& t = (*m.types)[type];
  const auto number = [&](Number n) {
    if (n.missing()) return;
    if (!n.small()) m.charge(words(n) * words(n) / 8);
    if (decimals < -100) write_significant(n, -100 - decimals, out);  // as in the fields of a verdict
    else if (decimals >= 0) write_fixed(n, decimals, out);
    else write_shortest(n, out);
  };
  switch (t.kind) {
    case TypeKind::number: number(v.number); break;
    case TypeKind::boolean: out += v.boolean.truth ? "true" : "false"; break;
    case TypeKind::text:
    case TypeKind::any:
      if (v.text.size > m.room()) m.out_of_memory();
      out += v.text.view();
      break;
    case TypeKind::list:
      for (std::uint32_t i = 0; i < v.list.size; ++i) {
        m.tick();
        if (i > 0) out += ", ";
        if (out.size() > m.room()) m.out_of_memory();
        write_value(m, t.element, v.list.items[i], decimals);
      }
      break;
    case TypeKind::either: write_value(m, m.types->actual(type, v), v, decimals); break;
    default: break;  // no test: the checker lets no other kind stand in a text, nor lists of lists
  }
}

Value join_text(ExecutionContext& m, const TextTemplate& t, const Value* args) {
  m.scratch.clear();
  for (const TextPart& part : t.parts) {
    if (part.arg < 0) {
      m.scratch += part.literal;
    } else {
      write_value(m, part.type, args[part.arg], part.decimals);
    }
  }
  return m.text(m.scratch);
}

Value join_path(ExecutionContext& m, const Value& prefix, const Value& path) {
  if (path.missing() || path.text.size == 0) return prefix;
  if (prefix.missing() || prefix.text.size == 0) return path;
  m.scratch.assign(prefix.text.view());
  if (path.text.data[0] != '[') m.scratch += '.';
  m.scratch += path.text.view();
  return m.text(m.scratch);
}

// ---- tables

namespace {

bool fits(ExecutionContext& m, TypeId type, const std::vector<CellTest>& cell, const Value& key) {
  if (cell.empty()) return true;
  for (const CellTest& test : cell) {
    switch (test.kind) {
      case CellTest::Kind::value:
        if (!key.missing() && m.equal(type, key, test.value)) return true;
        break;
      case CellTest::Kind::range:
        if (!key.missing() && key.is_number() && within(m, key.number, test.range)) return true;
        break;
      case CellTest::Kind::missing:
        if (key.missing()) return true;
        break;
    }
  }
  return false;
}

bool row_fits(ExecutionContext& m, const LookupTable& table, std::uint32_t row, const Value* keys) {
  const std::vector<std::vector<CellTest>>& cells = table.rows[row].cells;
  for (std::size_t k = 0; k < table.keys.size() && k < cells.size(); ++k)
    if (!fits(m, table.keys[k].type, cells[k], keys[k])) return false;
  return true;
}

Value row_number(std::int32_t row) { return row < 0 ? missing_value() : make_number(whole(row)); }

}  // namespace

Value lookup_threshold(ExecutionContext& m, const Lookup& table, const Value& key) {
  if (key.missing()) return row_number(table.otherwise);
  std::size_t low = 0, high = table.bounds.size();  // the first bound reached is in [low, high]
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const Lookup::Bound& bound = table.bounds[middle];
    int order = m.compare(key.number, bound.value);
    if (table.upper) order = -order;
    if (order > 0 || (order == 0 && !bound.open)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return row_number(low < table.bounds.size() ? table.bounds[low].row : table.otherwise);
}

Value lookup_index(ExecutionContext& m, const Lookup& table, const Value* keys) {
  const TypeId type = table.table->keys[0].type;
  const std::uint32_t *row = nullptr, *end = nullptr;
  if (!keys[0].missing()) {
    std::size_t slot = m.hash(type, keys[0]) & (table.slots.size() - 1);
    while (std::uint32_t at = table.slots[slot]) {
      const Lookup::Entry& entry = table.entries[at - 1];
      if (m.equal(type, entry.key, keys[0])) {
        row = table.rows.data() + entry.begin;
        end = table.rows.data() + entry.end;
        break;
      }
      slot = (slot + 1) & (table.slots.size() - 1);
    }
  }
  // Both lists ascend: take the first row that matches, in table order.
  const std::uint32_t *other = table.others.data(), *other_end = other + table.others.size();
  std::uint64_t tried = 0;
  std::int32_t found = -1;
  while (row != end || other != other_end) {
    std::uint32_t next = other == other_end || (row != end && *row < *other) ? *row++ : *other++;
    ++tried;
    if (row_fits(m, *table.table, next, keys)) {
      found = static_cast<std::int32_t>(next);
      break;
    }
  }
  m.charge(tried / 4);
  return row_number(found);
}

Value lookup_scan(ExecutionContext& m, const Lookup& table, const Value* keys) {
  const std::uint32_t rows = static_cast<std::uint32_t>(table.table->rows.size());
  for (std::uint32_t i = 0; i < rows; ++i)
    if (row_fits(m, *table.table, i, keys)) {
      m.charge(i / 4);
      return make_number(whole(i));
    }
  m.charge(rows / 4);
  return missing_value();
}

}  // namespace assay
