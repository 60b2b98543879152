// A value is a byte that tells whether it is missing, then its content by type. Numbers are in lowest terms: small
// integers in a few bytes, others as their exact text.
#include "runtime/cohort/value_codec.hpp"

#include "lang/number/number.hpp"
#include "lang/value/equality.hpp"
#include "lang/value/map.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <numeric>

namespace assay {

namespace {

constexpr std::uint8_t kAbsent = 0, kPresent = 1, kFraction = 2, kLong = 3;

std::uint64_t zigzag(std::int64_t n) {
  return (static_cast<std::uint64_t>(n) << 1) ^ (n < 0 ? UINT64_MAX : std::uint64_t{0});
}
std::int64_t unzigzag(std::uint64_t n) {
  return static_cast<std::int64_t>((n >> 1) ^ ((n & 1) != 0 ? UINT64_MAX : std::uint64_t{0}));
}

void encode_number(Number n, std::string& out) {
  if (n.missing()) {
    out += static_cast<char>(kAbsent);
    return;
  }
  NumberPool pool;
  std::string exact;
  if (!n.small()) {  // a small number may be stored as a big one
    write_exact(n, exact);
    Number again;
    if (parse_exact(exact, again, pool) && again.small()) n = again;
  }
  if (!n.small()) {
    out += static_cast<char>(kLong);
    encode_text(exact, out);
    return;
  }
  const std::int64_t divisor = std::gcd(n.num, n.den);
  n.num /= divisor;
  n.den /= divisor;
  out += static_cast<char>(n.den == 1 ? kPresent : kFraction);
  encode_count(zigzag(n.num), out);
  if (n.den != 1) encode_count(static_cast<std::uint64_t>(n.den), out);
}

}  // namespace

void encode_count(std::uint64_t count, std::string& out) {
  for (; count >= 0x80; count >>= 7) out += static_cast<char>((count & 0x7f) | 0x80);
  out += static_cast<char>(count);
}

void encode_text(std::string_view text, std::string& out) {
  encode_count(text.size(), out);
  out += text;
}

void encode(const TypeTable& types, TypeId id, const Value& value, std::string& out, int depth) {
  const Type& type = types[id];
  if (type.kind == TypeKind::number) return encode_number(value.missing() ? kMissing : value.number, out);
  if (value.missing() || depth >= kMostValueNesting || type.kind == TypeKind::unknown) {
    out += static_cast<char>(kAbsent);
    return;
  }
  out += static_cast<char>(kPresent);
  switch (type.kind) {
    case TypeKind::boolean: out += static_cast<char>(value.boolean.truth != 0); break;
    case TypeKind::text:
    case TypeKind::any: encode_text(value.text.view(), out); break;
    case TypeKind::list:
      encode_count(value.list.size, out);
      for (std::uint32_t i = 0; i < value.list.size; ++i)
        encode(types, type.element, value.list.items[i], out, depth + 1);
      break;
    case TypeKind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        encode(types, type.fields[i].type, value.record.fields[i], out, depth + 1);
      break;
    case TypeKind::map:
      encode_count(value.map.size, out);
      for (std::uint32_t i = 0; i < value.map.size; ++i) {
        encode_text(value.map.data->keys[i].text.view(), out);
        encode(types, type.element, value.map.data->values[i], out, depth + 1);
      }
      break;
    case TypeKind::range: {
      const RangeData& range = *value.range.data;
      encode_number(range.low, out);
      encode_number(range.high, out);
      out += static_cast<char>(range.low_open * 1 + range.high_open * 2);
      break;
    }
    case TypeKind::either: {  // which of its types, then a value of that type
      const TypeId actual = types.actual(id, value);
      const auto found = std::find(type.alternatives.begin(), type.alternatives.end(), actual);
      encode_count(static_cast<std::uint64_t>(found - type.alternatives.begin()), out);
      encode(types, actual, value, out, depth + 1);
      break;
    }
    case TypeKind::number:
    case TypeKind::unknown: break;
  }
}

bool Decoder::byte(std::uint8_t& out) {
  if (rest_.empty()) return false;
  out = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return true;
}

bool Decoder::count(std::uint64_t& out) {
  out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t next = 0;
    if (!byte(next)) return false;
    const std::uint64_t part = next & 0x7fu;
    if (shift == 63 && part > 1) return false;
    out |= part << shift;
    if ((next & 0x80u) == 0) return true;
  }
  return false;
}

bool Decoder::size(std::uint64_t& out) { return count(out) && out <= rest_.size() && out <= UINT32_MAX; }

bool Decoder::text(std::string_view& out) {
  std::uint64_t length = 0;
  if (!size(length)) return false;
  out = rest_.substr(0, static_cast<std::size_t>(length));
  rest_.remove_prefix(static_cast<std::size_t>(length));
  return true;
}

bool Decoder::number(Arena& arena, std::uint8_t tag, Number& out) {
  if (tag == kAbsent) {
    out = kMissing;
    return true;
  }
  if (tag == kLong) {
    std::string_view exact;
    return text(exact) && parse_exact(exact, out, arena.numbers()) && !out.missing();
  }
  std::uint64_t top = 0, below = 1;
  if (tag > kLong || !count(top) || (tag == kFraction && !count(below))) return false;
  const std::int64_t num = unzigzag(top);
  if (num == INT64_MIN || below == 0 || below > static_cast<std::uint64_t>(INT64_MAX)) return false;
  out = {num, static_cast<std::int64_t>(below)};
  return true;
}

bool Decoder::value(const TypeTable& types, TypeId id, Arena& arena, Value& out, int depth) {
  out = missing_value();
  std::uint8_t tag = 0;
  if (depth >= kMostValueNesting || !byte(tag)) return false;
  const Type& type = types[id];
  if (type.kind == TypeKind::number) {
    Number n;
    if (!number(arena, tag, n)) return false;
    out = make_number(n);
    return true;
  }
  if (tag == kAbsent) return true;
  if (tag != kPresent) return false;
  std::uint64_t items = 0;
  std::string_view characters;
  switch (type.kind) {
    case TypeKind::boolean: {
      std::uint8_t truth = 0;
      if (!byte(truth) || truth > 1) return false;
      out = make_bool(truth != 0);
      return true;
    }
    case TypeKind::text:
    case TypeKind::any:
      if (!text(characters) || !is_utf8(characters)) return false;
      out = make_text(arena.copy(characters));
      return true;
    case TypeKind::list: {
      if (!size(items)) return false;
      Value* const values = arena.array<Value>(static_cast<std::size_t>(items));
      for (std::uint64_t i = 0; i < items; ++i) {
        if (!value(types, type.element, arena, values[i], depth + 1)) return false;
        if (values[i].missing() && !type.gaps && types.kind(type.element) != TypeKind::unknown) return false;
      }
      out = make_list(values, static_cast<std::uint32_t>(items));
      return true;
    }
    case TypeKind::record: {
      Value* const fields = arena.array<Value>(type.fields.size());
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        const Field& field = type.fields[i];
        if (!value(types, field.type, arena, fields[i], depth + 1)) return false;
        const bool known = types.kind(field.type) != TypeKind::unknown;
        if (fields[i].missing() && field.presence == Presence::required && known) return false;
      }
      out = make_record(fields, static_cast<std::uint32_t>(type.fields.size()));
      return true;
    }
    case TypeKind::map: {
      if (!size(items)) return false;
      auto* const data = arena.array<MapData>(1);
      const auto count = static_cast<std::uint32_t>(items);
      *data = {arena.array<Value>(count), arena.array<Value>(count), nullptr, 0};
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!text(characters) || !is_utf8(characters)) return false;
        data->keys[i] = make_text(arena.copy(characters));
        if (!value(types, type.element, arena, data->values[i], depth + 1)) return false;
        if (data->values[i].missing() && !type.gaps && types.kind(type.element) != TypeKind::unknown) return false;
      }
      if (count >= kMapIndexFrom) {
        const std::uint32_t words = map_index_size(count);
        map_build_index(*data, count, arena.array<std::uint32_t>(words), words);
      }
      out = make_map(data, count);
      return true;
    }
    case TypeKind::range: {
      auto* const range = arena.array<RangeData>(1);
      *range = {};
      std::uint8_t low = 0, high = 0, open = 0;
      if (!byte(low) || !number(arena, low, range->low) || !byte(high) || !number(arena, high, range->high) ||
          !byte(open) || open > 3)
        return false;
      range->low_open = (open & 1u) != 0;
      range->high_open = (open & 2u) != 0;
      out = make_range(range);
      return true;
    }
    case TypeKind::either:
      return count(items) && items < type.alternatives.size() &&
             value(types, type.alternatives[static_cast<std::size_t>(items)], arena, out, depth + 1) && !out.missing();
    case TypeKind::number:
    case TypeKind::unknown: break;
  }
  return false;
}

}  // namespace assay
