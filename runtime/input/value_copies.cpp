// Values that outlive the record that they were read from, and how much memory they take.
#include "lang/value/equality.hpp"
#include "lang/value/map.hpp"
#include "runtime/input/inputs.hpp"

namespace assay {

Value deep_copy(const TypeTable& types, TypeId id, const Value& value, Arena& arena, int depth) {
  if (value.missing()) return value;
  if (depth >= kMostValueNesting) return missing_value();
  const Type& type = types[id];
  switch (type.kind) {
    case TypeKind::number: return make_number(adopt(value.number, arena.numbers()));
    case TypeKind::text:
    case TypeKind::any: return make_text(arena.copy(value.text.view()));
    case TypeKind::list: {
      Value* items = arena.array<Value>(value.list.size);
      for (std::uint32_t i = 0; i < value.list.size; ++i)
        items[i] = deep_copy(types, type.element, value.list.items[i], arena, depth + 1);
      return make_list(items, value.list.size);
    }
    case TypeKind::record: {
      Value* fields = arena.array<Value>(value.record.size);
      for (std::uint32_t i = 0; i < value.record.size; ++i) {
        fields[i] = deep_copy(types, type.fields[i].type, value.record.fields[i], arena, depth + 1);
      }
      return make_record(fields, value.record.size);
    }
    case TypeKind::map: {
      const std::uint32_t size = value.map.size;
      auto* data = arena.array<MapData>(1);
      *data = {arena.array<Value>(size), arena.array<Value>(size), nullptr, 0};
      for (std::uint32_t i = 0; i < size; ++i) {
        data->keys[i] = make_text(arena.copy(value.map.data->keys[i].text.view()));
        data->values[i] = deep_copy(types, type.element, value.map.data->values[i], arena, depth + 1);
      }
      if (size >= kMapIndexFrom) {
        const std::uint32_t words = map_index_size(size);
        map_build_index(*data, size, arena.array<std::uint32_t>(words), words);
      }
      return make_map(data, size);
    }
    case TypeKind::range: {
      auto* data = arena.array<RangeData>(1);
      *data = *value.range.data;
      data->low = adopt(data->low, arena.numbers());
      data->high = adopt(data->high, arena.numbers());
      return make_range(data);
    }
    case TypeKind::either: return deep_copy(types, types.actual(id, value), value, arena, depth);
    case TypeKind::boolean:
    case TypeKind::unknown: break;
  }
  return value;
}

std::size_t deep_size(const TypeTable& types, TypeId id, const Value& value, std::size_t most, int depth) {
  if (value.missing()) return 0;
  if (depth >= kMostValueNesting) return most < SIZE_MAX ? most + 1 : most;
  const Type& type = types[id];
  std::size_t size = 0;
  const auto parts = [&](const Value* values, std::uint32_t count, const auto& type_of) {
    size += std::size_t{count} * sizeof(Value);
    for (std::uint32_t i = 0; i < count && size <= most; ++i)
      size += deep_size(types, type_of(i), values[i], most - size, depth + 1);
  };
  const auto element = [&](std::uint32_t) { return type.element; };
  switch (type.kind) {
    case TypeKind::number: return 8 * words(value.number);
    case TypeKind::text:
    case TypeKind::any: return std::size_t{value.text.size} + sizeof(Value);
    case TypeKind::list: parts(value.list.items, value.list.size, element); break;
    case TypeKind::record:
      parts(value.record.fields, value.record.size, [&](std::uint32_t i) { return type.fields[i].type; });
      break;
    case TypeKind::map:
      parts(value.map.data->values, value.map.size, element);
      parts(value.map.data->keys, value.map.size, [](std::uint32_t) { return kText; });
      size += sizeof(MapData) + (value.map.size >= kMapIndexFrom ? 4 * map_index_size(value.map.size) : 0);
      break;
    case TypeKind::range: return sizeof(RangeData) + 8 * (words(value.range.data->low) + words(value.range.data->high));
    case TypeKind::either: return deep_size(types, types.actual(id, value), value, most, depth);
    case TypeKind::boolean:
    case TypeKind::unknown: break;
  }
  return size;
}

}  // namespace assay
