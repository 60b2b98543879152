// Deep equality and hashes by type; see equality.hpp.
#include "lang/value/equality.hpp"

#include "lang/value/map.hpp"

#include <assay/interrupt.hpp>

namespace assay {

namespace {

constexpr std::uint64_t kBetweenLooks = 1 << 14;  // steps between two checks of the interrupt

bool spend(Effort& effort, std::uint64_t steps) {
  const std::uint64_t before = effort.left;
  effort.left = before > steps ? before - steps : 0;
  const bool look = effort.interrupt != nullptr && before / kBetweenLooks != effort.left / kBetweenLooks;
  if (look && effort.interrupt->state() != Interrupt::State::none) effort.left = 0;
  return effort.left > 0;
}

// One level of nesting during its lifetime.
class Level {
 public:
  explicit Level(Effort& effort) : effort_(effort) {
    if (++effort_.depth <= kMostValueNesting) return;
    effort_.too_deep = true;
    effort_.left = 0;
  }
  ~Level() { --effort_.depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  Effort& effort_;
};

bool equal_bound(Number a, Number b) {
  if (a.missing() || b.missing()) return a.missing() == b.missing();
  return compare(a, b) == 0;
}

}  // namespace

bool deep_equal(const TypeTable& types, TypeId type, const Value& a, const Value& b, Effort& effort) {
  const Level level(effort);
  if (!spend(effort, 1)) return false;
  if (a.missing() || b.missing()) return a.missing() == b.missing();
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number:
      if (a.number.small() && a.number.den == b.number.den) return a.number.num == b.number.num;
      return spend(effort, words(a.number) * words(b.number)) && compare(a.number, b.number) == 0;
    case TypeKind::boolean: return a.boolean.truth == b.boolean.truth;
    case TypeKind::text:
    case TypeKind::any:
      return a.text.size == b.text.size && spend(effort, a.text.size / 64) && a.text.view() == b.text.view();
    case TypeKind::list:
      if (a.list.size != b.list.size) return false;
      if (a.list.items == b.list.items) return true;
      for (std::uint32_t i = 0; i < a.list.size; ++i)
        if (!deep_equal(types, t.element, a.list.items[i], b.list.items[i], effort)) return false;
      return true;
    case TypeKind::map:  // the order of entries does not matter
      if (a.map.size != b.map.size) return false;
      for (std::uint32_t i = 0; i < a.map.size; ++i) {
        std::int64_t at = map_find(*b.map.data, b.map.size, a.map.data->keys[i].text.view());
        if (at < 0 || !deep_equal(types, t.element, a.map.data->values[i], b.map.data->values[at], effort))
          return false;
      }
      return true;
    case TypeKind::record:
      if (a.record.size != b.record.size) return false;
      if (a.record.fields == b.record.fields) return true;
      for (std::uint32_t i = 0; i < a.record.size && i < t.fields.size(); ++i)
        if (!deep_equal(types, t.fields[i].type, a.record.fields[i], b.record.fields[i], effort)) return false;
      return true;
    case TypeKind::range: {
      const RangeData &r = *a.range.data, &s = *b.range.data;
      return equal_bound(r.low, s.low) && equal_bound(r.high, s.high) &&
             (r.low.missing() || r.low_open == s.low_open) && (r.high.missing() || r.high_open == s.high_open);
    }
    case TypeKind::either: {
      const TypeId actual = types.actual(type, a);
      return actual == types.actual(type, b) && deep_equal(types, actual, a, b, effort);
    }
    case TypeKind::unknown: break;  // no test: a value of it is missing
  }
  return false;  // no test: as above
}

// The nearest double is the same for every representation of a number.
std::uint64_t hash_number(Number n) {
  double d = n.den == 1 ? static_cast<double>(n.num) : to_double(n);
  std::uint64_t bits;
  std::memcpy(&bits, &d, sizeof bits);
  return mix_hash(bits);
}

std::uint64_t deep_hash(const TypeTable& types, TypeId type, const Value& v, Effort& effort) {
  const Level level(effort);
  if (!spend(effort, 1)) return 0;
  if (v.missing()) return 0x51ed270b;
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number: spend(effort, words(v.number)); return hash_number(v.number);
    case TypeKind::boolean: return mix_hash(static_cast<std::uint64_t>(v.boolean.truth) + 7);
    case TypeKind::text:
    case TypeKind::any: spend(effort, v.text.size / 64); return hash_text(v.text.view());
    case TypeKind::list: {
      std::uint64_t h = v.list.size;
      for (std::uint32_t i = 0; i < v.list.size && effort.left > 0; ++i)
        h = mix_hash(h ^ deep_hash(types, t.element, v.list.items[i], effort)) + i;
      return h;
    }
    case TypeKind::map: {
      std::uint64_t h = v.map.size;
      for (std::uint32_t i = 0; i < v.map.size && effort.left > 0; ++i)
        h += mix_hash(hash_text(v.map.data->keys[i].text.view()) ^
                      deep_hash(types, t.element, v.map.data->values[i], effort));
      return h;
    }
    case TypeKind::record: {
      std::uint64_t h = v.record.size;
      for (std::uint32_t i = 0; i < v.record.size && i < t.fields.size() && effort.left > 0; ++i)
        h = mix_hash(h ^ deep_hash(types, t.fields[i].type, v.record.fields[i], effort)) + i;
      return h;
    }
    case TypeKind::range:
      return (v.range.data->low.missing() ? 1 : hash_number(v.range.data->low)) ^
             mix_hash(v.range.data->high.missing() ? 2 : hash_number(v.range.data->high));
    case TypeKind::either: return deep_hash(types, types.actual(type, v), v, effort);
    case TypeKind::unknown: break;
  }
  return mix_hash(v.words.first ^ mix_hash(v.words.second));
}

}  // namespace assay
