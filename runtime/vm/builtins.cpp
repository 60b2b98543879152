// Built-in functions on numbers, lists and maps. Those that are also instructions (abs, clamp …) are here for calls
// that the instructions do not cover, such as a computed number of decimals.
#include "runtime/vm/builtins.hpp"

#include "lang/value/equality.hpp"

#include <algorithm>

namespace assay::builtins {

namespace {

Value number(Number n) { return make_number(n); }

Value round_value(ExecutionContext& m, const BuiltinCall& call, const Value* args, Rounding mode) {
  std::int64_t decimals = 0;
  if (call.types.size() > 1 && !to_int64(args[1].number, decimals)) return missing_value();
  decimals = std::clamp<std::int64_t>(decimals, -4000, 4000);
  return number(round_to(args[0].number, static_cast<int>(decimals), mode, *m.pool));
}

Value extreme(ExecutionContext& m, const BuiltinCall& call, const Value* args, bool largest) {
  const bool list = m.types->kind(call.types[0]) == TypeKind::list;
  const Value* items = list ? args[0].list.items : args;
  const std::size_t size = list ? args[0].list.size : call.types.size();
  if (size == 0) return missing_value();
  m.charge(size / 4);
  Number best = items[0].number;
  for (std::size_t i = 1; i < size; ++i) {
    m.charge(words(best) * words(items[i].number) / 8);
    best = largest ? assay::max(best, items[i].number) : assay::min(best, items[i].number);
  }
  return number(best);
}

// first and last of a list, and of n and a list: a part of a list shares its items.
Value end_of(ExecutionContext& m, const BuiltinCall& call, const Value* args, bool last) {
  (void)m;
  if (call.types.size() == 1) {
    const ListValue& list = args[0].list;
    if (list.size == 0) return missing_value();
    return list.items[last ? list.size - 1 : 0];
  }
  const ListValue& list = args[1].list;
  std::int64_t n = 0;
  if (!to_int64(args[0].number, n)) return missing_value();
  n = std::clamp<std::int64_t>(n, 0, list.size);
  const std::uint32_t size = static_cast<std::uint32_t>(n);
  return make_list(last ? list.items + (list.size - size) : list.items, size);
}

}  // namespace

Value abs_(ExecutionContext& m, const BuiltinCall&, const Value* args) {  // no test: it is an instruction
  return number(assay::abs(args[0].number, *m.pool));                     // no test: as above
}
Value sign_(ExecutionContext&, const BuiltinCall&, const Value* args) { return number(whole(sign(args[0].number))); }
Value min_(ExecutionContext& m, const BuiltinCall& call, const Value* args) { return extreme(m, call, args, false); }
Value max_(ExecutionContext& m, const BuiltinCall& call, const Value* args) { return extreme(m, call, args, true); }
Value clamp_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const RangeData& range = *args[1].range.data;
  Number n = args[0].number;
  if (!range.low.missing() && m.compare(n, range.low) < 0) n = range.low;
  if (!range.high.missing() && m.compare(n, range.high) > 0) n = range.high;
  return number(n);
}
Value round_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return round_value(m, call, args, Rounding::half_away);
}
Value floor_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return round_value(m, call, args, Rounding::floor);
}
Value ceil_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return round_value(m, call, args, Rounding::ceil);
}
Value trunc_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return round_value(m, call, args, Rounding::trunc);
}
Value round_even_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return round_value(m, call, args, Rounding::half_even);
}
Value mod_(ExecutionContext& m, const BuiltinCall&, const Value* args) {  // no test: it is an instruction
  return number(assay::mod(args[0].number, args[1].number, *m.pool));     // no test: as above
}
Value sqrt_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return number(assay::sqrt(args[0].number, *m.pool));
}
Value ln_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return number(assay::ln(args[0].number, *m.pool));
}
Value log10_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return number(assay::log10(args[0].number, *m.pool));
}
Value exp_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return number(assay::exp(args[0].number, *m.pool));
}
Value erf_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return number(assay::erf(args[0].number, *m.pool));
}

Value interpolate_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  const Number x = args[0].number;
  const ListValue& points = args[1].list;
  const bool records = m.types->kind((*m.types)[call.types[1]].element) == TypeKind::record;
  auto point = [&](std::uint32_t i, Number& px, Number& py) {
    const Value& p = points.items[i];
    px = py = kMissing;
    if (p.missing() || (records ? p.record.size : p.list.size) < 2) return false;
    const Value* pair = records ? p.record.fields : p.list.items;
    px = pair[0].number;
    py = pair[1].number;
    return !px.missing() && !py.missing();
  };
  m.charge(points.size / 2);
  Number x0 = kMissing, y0 = kMissing;
  for (std::uint32_t i = 0; i < points.size; ++i) {
    Number x1, y1;
    if (!point(i, x1, y1)) return missing_value();
    const int order = m.compare(x, x1);
    if (order == 0) return number(y1);
    if (order < 0) {
      if (i == 0) return missing_value();
      const Number share = div(sub(x, x0, *m.pool), sub(x1, x0, *m.pool), *m.pool);
      return number(add(y0, mul(share, sub(y1, y0, *m.pool), *m.pool), *m.pool));
    }
    x0 = x1;
    y0 = y1;
  }
  return missing_value();
}

Value count_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  if (m.types->kind(call.types[0]) != TypeKind::text) return number(whole(args[0].list.size));
  constexpr std::size_t kPiece = std::size_t{1} << 16;  // bytes between two looks at the limits
  std::int64_t characters = 0;
  const std::string_view text = args[0].text.view();
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    const std::string_view piece = text.substr(at, kPiece);
    m.charge(piece.size() / 32);
    for (const char c : piece) characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }
  return number(whole(characters));
}

namespace {

// Three-valued: an item equal to `decisive` decides the result.
Value quantifier(ExecutionContext& m, const ListValue& list, bool decisive) {
  m.charge(list.size / 8);
  bool unknown = false;
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Value& v = list.items[i];
    if (v.missing()) {
      unknown = true;
    } else if ((v.boolean.truth != 0) == decisive) {
      return make_bool(decisive);
    }
  }
  return unknown ? missing_value() : make_bool(!decisive);
}

}  // namespace

Value any_(ExecutionContext& m, const BuiltinCall&, const Value* args) { return quantifier(m, args[0].list, true); }
Value all_(ExecutionContext& m, const BuiltinCall&, const Value* args) { return quantifier(m, args[0].list, false); }

Value first_(ExecutionContext& m, const BuiltinCall& call, const Value* args) { return end_of(m, call, args, false); }
Value last_(ExecutionContext& m, const BuiltinCall& call, const Value* args) { return end_of(m, call, args, true); }

Value distinct_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  return distinct(m, (*m.types)[call.types[0]].element, args[0]);
}

Value whole_numbers_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const Number low = args[0].number, high = args[1].number;
  if (m.compare(low, high) > 0) return m.list(0);
  const Number size = add(sub(high, low, *m.pool), whole(1), *m.pool);
  std::int64_t count = 0;
  if (!to_int64(size, count) || count > UINT32_MAX) m.out_of_memory();
  Value result = m.list(static_cast<std::uint32_t>(count));
  Number next = low;
  for (std::int64_t i = 0; i < count; ++i) {
    result.list.items[i] = make_number(next);
    next = add(next, whole(1), *m.pool);
  }
  return result;
}

Value reverse_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  Value result = m.list(list.size);
  for (std::uint32_t i = 0; i < list.size; ++i) result.list.items[i] = list.items[list.size - 1 - i];
  return result;
}

Value flatten_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& lists = args[0].list;
  std::uint64_t size = 0;
  for (std::uint32_t i = 0; i < lists.size; ++i) {
    if (lists.items[i].missing()) return missing_value();
    size += lists.items[i].list.size;
  }
  if (size > UINT32_MAX) m.out_of_memory();
  m.charge(lists.size);
  Value result = m.list(static_cast<std::uint32_t>(size));
  Value* at = result.list.items;
  for (std::uint32_t i = 0; i < lists.size; ++i) {
    const ListValue& inner = lists.items[i].list;
    at = std::copy(inner.items, inner.items + inner.size, at);
  }
  return result;
}

// Missing items have no rank and do not count.
Value rank_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[1].list;
  m.charge(list.size / 4);
  std::int64_t place = 1;
  for (std::uint32_t i = 0; i < list.size; ++i)
    if (!list.items[i].missing() && m.compare(list.items[i].number, args[0].number) > 0) ++place;
  return number(whole(place));
}

Value keys_(ExecutionContext&, const BuiltinCall&, const Value* args) {
  return make_list(args[0].map.data->keys, args[0].map.size);
}
Value values_(ExecutionContext&, const BuiltinCall&, const Value* args) {
  return make_list(args[0].map.data->values, args[0].map.size);
}

Value position_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  const ListValue& list = args[1].list;
  const TypeId element = (*m.types)[call.types[1]].element;
  m.charge(list.size / 4);
  for (std::uint32_t i = 0; i < list.size; ++i) {
    if (!list.items[i].missing() && m.equal(element, args[0], list.items[i])) return make_number(whole(i));
  }
  return missing_value();
}

Value in_order_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  const ListValue &pieces = args[0].list, &list = args[1].list;
  const TypeId element = (*m.types)[call.types[pieces.size ? 0 : 1]].element;
  m.charge(list.size / 4);
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < list.size && found < pieces.size; ++i)
    if (m.equal(element, pieces.items[found], list.items[i])) ++found;
  return make_bool(found == pieces.size);
}

}  // namespace assay::builtins
