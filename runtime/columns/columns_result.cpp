// Result columns: whether a column holds every value of its field, so that no row gets a different number.
#include "runtime/columns/columns_impl.hpp"

namespace assay {

namespace {

std::string text_of(const IntegerRange& range) { return std::to_string(range.low) + ".." + std::to_string(range.high); }

}  // namespace

// Whether an integer column holds every value of a field, and can tell it from a missing one.
std::optional<InputError> Columns::Impl::check_result(Written& w, const Item& item) const {
  const IntegerRange held = range_of(w.column.type);
  // In an unsigned column, -1 means the largest number.
  const bool largest = held.low == 0 && w.column.missing == -1;
  if (!largest && !held.holds(w.column.missing)) {
    return wrong(w.field, "column",
                 "has " + std::to_string(w.column.missing) + " for missing, and its column holds " + text_of(held));
  }
  const std::int64_t missing = largest ? held.high : w.column.missing;
  const auto ambiguous = [&]() -> std::optional<InputError> {
    if (!item.optional) return std::nullopt;
    return wrong(w.field, "column",
                 "may be missing, and what its column holds then, " + std::to_string(missing) + ", is a value as well");
  };
  const Type& type = model.types[item.type];
  if (type.kind != TypeKind::number) {
    const auto count = static_cast<std::int64_t>(type.kind == TypeKind::text ? w.texts.size() : 2);
    if (!held.holds(count - 1)) {
      return wrong(w.field, "column",
                   "is one of " + std::to_string(count) + " texts, and its column holds " + text_of(held));
    }
    return missing >= 0 && missing < count ? ambiguous() : std::nullopt;
  }
  w.fits = false;
  if (type.range.low.missing() || type.range.high.missing()) return std::nullopt;
  NumberPool pool;
  const Number unit = whole(kPowersOfTen[w.column.decimals]);
  const Number low = round_to(mul(type.range.low, unit, pool), 0, Rounding::floor, pool);
  const Number high = round_to(mul(type.range.high, unit, pool), 0, Rounding::ceil, pool);
  if (compare(low, whole(held.low)) < 0 || compare(high, whole(held.high)) > 0) {
    return wrong(w.field, "column",
                 "is " + describe_type(model.types, item.type) + ", which with " + std::to_string(w.column.decimals) +
                     " decimals is beyond the " + text_of(held) + " that its column holds");
  }
  w.fits = true;
  return compare(low, whole(missing)) <= 0 && compare(high, whole(missing)) >= 0 ? ambiguous() : std::nullopt;
}

}  // namespace assay
