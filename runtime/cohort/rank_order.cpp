// The order of ranking keys.
#include "runtime/cohort/rank_order.hpp"

#include "lang/value/equality.hpp"

#include <algorithm>

namespace assay {

int compare_keys(const TypeTable& types, TypeId type, const Value& a, const Value& b, bool higher) {
  if (a.missing() || b.missing()) return static_cast<int>(a.missing()) - static_cast<int>(b.missing());
  int order = 0;
  switch (types.kind(type)) {
    case TypeKind::list: {
      const std::uint32_t both = std::min(a.list.size, b.list.size);
      for (std::uint32_t i = 0; i < both; ++i) {
        order = compare_keys(types, types[type].element, a.list.items[i], b.list.items[i], higher);
        if (order != 0) return order;
      }
      return static_cast<int>(a.list.size < b.list.size) - static_cast<int>(b.list.size < a.list.size);
    }
    case TypeKind::either: {  // numbers, then conditions, then texts
      const TypeId left = types.actual(type, a), right = types.actual(type, b);
      if (left == right) return compare_keys(types, left, a, b, higher);
      order = types.kind(left) < types.kind(right) ? -1 : 1;
      break;
    }
    case TypeKind::number: order = compare(a.number, b.number); break;
    case TypeKind::boolean: order = static_cast<int>(a.boolean.truth) - static_cast<int>(b.boolean.truth); break;
    case TypeKind::text: order = compare_text(a.text.view(), b.text.view()); break;
    default: break;
  }
  return higher ? -order : order;
}

int compare_places(const TypeTable& types, const RubricModel& rubric, const Value* a, const Value* b) {
  for (const RankModel& key : rubric.rank) {
    const TypeId type = rubric.items[static_cast<std::size_t>(key.item)].type;
    if (const int order = compare_keys(types, type, *a++, *b++, key.higher); order != 0) return order;
  }
  return 0;
}

}  // namespace assay
