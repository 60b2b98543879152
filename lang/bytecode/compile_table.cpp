// Data of a program besides code: constants, tables prepared for searching, templates, key sets.
#include "lang/bytecode/compiler.hpp"
#include "lang/value/equality.hpp"
#include "lang/value/map.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kIndexFrom = 9;  // rows, constants

// Accepts one number key with bounds that are all on the same side, where each row is reached before the next; the last
// row may match anything. A lower bound may repeat the bound of the row above as its upper one, which has no effect.
bool make_threshold(const LookupTable& table, bool upper, Lookup& out) {
  out.bounds.clear();
  out.otherwise = -1;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<CellTest>& cell = table.rows[i].cells[0];
    if (cell.empty()) {
      out.otherwise = static_cast<std::int32_t>(i);
      break;  // the following rows are never reached
    }
    if (cell.size() != 1 || cell[0].kind != CellTest::Kind::range) return false;
    const RangeData& r = cell[0].range;
    Number near = upper ? r.high : r.low, far = upper ? r.low : r.high;
    const bool near_open = upper ? r.high_open : r.low_open, far_open = upper ? r.low_open : r.high_open;
    if (near.missing()) return false;
    if (!far.missing()) {
      if (out.bounds.empty()) return false;
      const Lookup::Bound& above = out.bounds.back();
      if (compare(far, above.value) != 0 || far_open == above.open) return false;
    }
    if (!out.bounds.empty()) {
      const Lookup::Bound& above = out.bounds.back();
      int order = compare(near, above.value);
      if (upper ? order < 0 : order > 0) return false;
      if (order == 0 && !(above.open && !near_open)) return false;
    }
    Lookup::Bound bound;
    bound.value = near;
    bound.open = near_open;
    bound.row = static_cast<std::int32_t>(i);
    out.bounds.push_back(bound);
  }
  out.upper = upper;
  return !out.bounds.empty();
}

bool make_index(const TypeTable& types, const LookupTable& table, Lookup& out) {
  const TypeId type = table.keys[0].type;
  const TypeKind kind = types.kind(type);
  if (table.rows.size() < kIndexFrom) return false;
  if (kind != TypeKind::number && kind != TypeKind::text && kind != TypeKind::boolean) return false;
  std::vector<std::vector<std::uint32_t>> rows;
  std::size_t tests = 0, size = 64;
  for (const TableRow& row : table.rows) tests += row.cells[0].size();
  while (size < tests * 4) size *= 2;
  out.slots.assign(size, 0);
  auto entry = [&](const Value& key) -> std::size_t {
    std::size_t slot = deep_hash(types, type, key) & (out.slots.size() - 1);
    while (out.slots[slot]) {
      if (deep_equal(types, type, out.entries[out.slots[slot] - 1].key, key)) return out.slots[slot] - 1;
      slot = (slot + 1) & (out.slots.size() - 1);
    }
    Lookup::Entry e;
    e.key = key;
    out.entries.push_back(e);
    rows.emplace_back();
    out.slots[slot] = static_cast<std::uint32_t>(out.entries.size());
    return out.entries.size() - 1;
  };
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<CellTest>& cell = table.rows[i].cells[0];
    const bool values = !cell.empty() && std::all_of(cell.begin(), cell.end(), [](const CellTest& t) {
      return t.kind == CellTest::Kind::value && !t.value.missing();
    });
    if (!values) {
      out.others.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    for (const CellTest& test : cell) {
      std::vector<std::uint32_t>& list = rows[entry(test.value)];
      if (list.empty() || list.back() != i) list.push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (out.entries.empty()) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.entries[i].begin = static_cast<std::uint32_t>(out.rows.size());
    out.rows.insert(out.rows.end(), rows[i].begin(), rows[i].end());
    out.entries[i].end = static_cast<std::uint32_t>(out.rows.size());
  }
  return true;
}

}  // namespace

std::uint32_t ProgramBuilder::lookup(std::uint32_t index) {
  auto [at, added] = lookups_.try_emplace(index, static_cast<std::uint32_t>(program_->lookups.size()));
  if (!added) return at->second;
  const LookupTable& table = model().tables[index];
  Lookup out;
  out.table = &table;
  const bool number = table.keys.size() == 1 && model().types.kind(table.keys[0].type) == TypeKind::number;
  if (number && (make_threshold(table, false, out) || make_threshold(table, true, out))) {
    out.kind = Lookup::Kind::threshold;
  } else {
    out.bounds.clear();
    out.otherwise = -1;
    if (!table.keys.empty() && make_index(model().types, table, out)) {
      out.kind = Lookup::Kind::index;
    } else {
      out.slots.clear();
      out.entries.clear();
      out.others.clear();
    }
  }
  program_->lookups.push_back(std::move(out));
  return at->second;
}

bool ProgramBuilder::set(TypeId element, const Expr& list, std::uint32_t& number) {
  if (list.op != Op::make_list && list.op != Op::constant) return false;
  if (list.op == Op::make_list && list.args.size() < kIndexFrom) return false;
  Value all;
  if (!constant_value(list, all) || all.missing() || all.list.size < kIndexFrom) return false;
  ConstantSet out;
  out.type = element;
  out.slots.assign(map_index_size(all.list.size), 0);
  const std::size_t mask = out.slots.size() - 1;
  for (std::uint32_t i = 0; i < all.list.size; ++i) {
    const Value& item = all.list.items[i];
    if (item.missing()) {
      out.missing = true;
      continue;
    }
    std::size_t at = deep_hash(model().types, element, item) & mask;
    while (out.slots[at] && !deep_equal(model().types, element, out.items[out.slots[at] - 1], item))
      at = (at + 1) & mask;
    if (out.slots[at]) continue;  // a duplicate
    out.items.push_back(item);
    out.slots[at] = static_cast<std::uint32_t>(out.items.size());
  }
  number = static_cast<std::uint32_t>(program_->sets.size());
  program_->sets.push_back(std::move(out));
  return true;
}

std::uint32_t ProgramBuilder::pick(TypeId type, std::span<const Value> values) {
  program_->picks.push_back({type, values});
  return static_cast<std::uint32_t>(program_->picks.size() - 1);
}

std::uint32_t ProgramBuilder::text(const Expr& e) {
  TextTemplate out;
  out.args = static_cast<std::uint32_t>(e.args.size());
  for (const TextSegment& s : e.parts) {
    TextPart part;
    part.literal = s.literal;
    part.arg = s.arg;
    part.decimals = s.decimals;
    if (s.arg >= 0) part.type = e.args[static_cast<std::size_t>(s.arg)]->type;
    out.parts.push_back(std::move(part));
  }
  out.whole = out.parts.size() == 1 && out.parts[0].arg == 0 && model().types.kind(out.parts[0].type) == TypeKind::text;
  program_->texts.push_back(std::move(out));
  return static_cast<std::uint32_t>(program_->texts.size() - 1);
}

std::uint32_t ProgramBuilder::key_set(const std::vector<std::string>& names) {
  KeySet out;
  out.size = static_cast<std::uint32_t>(names.size());
  Arena& arena = program_->arena;
  out.data.keys = arena.array<Value>(names.size());
  out.data.values = nullptr;
  out.data.index = nullptr;
  out.data.index_mask = 0;
  for (std::size_t i = 0; i < names.size(); ++i) out.data.keys[i] = make_text(arena.copy(names[i]));
  if (out.size >= kMapIndexFrom) {
    const std::uint32_t size = map_index_size(out.size);
    map_build_index(out.data, out.size, arena.array<std::uint32_t>(size), size);
  }
  program_->key_sets.push_back(out);
  return static_cast<std::uint32_t>(program_->key_sets.size() - 1);
}

std::uint32_t ProgramBuilder::sort(SortOrder order) {
  program_->sorts.push_back(std::move(order));
  return static_cast<std::uint32_t>(program_->sorts.size() - 1);
}

std::uint32_t ProgramBuilder::builtin_call(BuiltinCall call) {
  for (std::size_t i = 0; i < program_->calls.size(); ++i) {
    const BuiltinCall& known = program_->calls[i];
    if (known.builtin == call.builtin && known.types == call.types && known.result == call.result)
      return static_cast<std::uint32_t>(i);
  }
  program_->calls.push_back(std::move(call));
  return static_cast<std::uint32_t>(program_->calls.size() - 1);
}

std::uint16_t ProgramBuilder::type(TypeId type) {
  auto [at, added] = types_.try_emplace(type, static_cast<std::uint16_t>(program_->types.size()));
  if (added) program_->types.push_back(type);
  return at->second;
}

std::uint32_t ProgramBuilder::message(const std::string& text) {
  auto [at, added] = messages_.try_emplace(text, static_cast<std::uint32_t>(program_->messages.size()));
  if (added) program_->messages.push_back(text);
  return at->second;
}

bool ProgramBuilder::constant_value(const Expr& e, Value& value) {
  Arena& arena = program_->arena;
  auto parts = [&](Value*& values) {
    std::vector<Value> known(e.args.size());
    for (std::size_t i = 0; i < e.args.size(); ++i)
      if (!constant_value(*e.args[i], known[i])) return false;
    values = arena.array<Value>(known.size());
    std::copy(known.begin(), known.end(), values);
    return true;
  };
  Value* values = nullptr;
  const std::uint32_t size = static_cast<std::uint32_t>(e.args.size());
  switch (e.op) {
    case Op::constant: value = e.value; return true;
    case Op::neg:
      if (!constant_value(*e.args[0], value)) return false;
      value.number = neg(value.number, arena.numbers());
      return true;
    case Op::make_list:
      if (!parts(values)) return false;
      value = make_list(values, size);
      return true;
    case Op::make_record:
      if (!parts(values)) return false;
      value = make_record(values, size);
      return true;
    case Op::make_map: {
      if (!parts(values)) return false;
      MapData* data = arena.array<MapData>(1);
      *data = program_->key_sets[key_set(e.names)].data;
      data->values = values;
      value = make_map(data, size);
      return true;
    }
    case Op::make_range: {
      Value low, high;
      if (!constant_value(*e.args[0], low) || !constant_value(*e.args[1], high)) return false;
      RangeData* range = arena.array<RangeData>(1);
      *range = {low.number, high.number, (e.index & 1) != 0, (e.index & 2) != 0};
      value = make_range(range);
      return true;
    }
    default: return false;
  }
}

}  // namespace assay
