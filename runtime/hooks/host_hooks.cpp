// Hooks of the host: values are converted to HookValues and back, and checked against the rubric's declarations.
#include "runtime/hooks/hooks.hpp"
#include "runtime/input/record_plan.hpp"
#include "runtime/json/json_tree.hpp"

#include "lang/value/equality.hpp"
#include "lang/value/limit_message.hpp"
#include "lang/value/map.hpp"

#include <simdjson.h>

#include <algorithm>

namespace assay {

namespace {

// Converts arguments. Values with more than kMostValueNesting levels are cut off, which sets `too_deep`.
struct Giver {
  const TypeTable& types;
  bool too_deep = false;

  HookValue give(TypeId type, const Value& value, int depth = 0) {
    if (value.missing()) return {};
    type = types.actual(type, value);
    const Type& t = types[type];
    switch (t.kind) {
      case TypeKind::number: return HookValue(to_double(value.number));
      case TypeKind::boolean: return HookValue(value.boolean.truth != 0);
      case TypeKind::text:
      case TypeKind::any: return HookValue(std::string(value.text.view()));
      case TypeKind::list:
      case TypeKind::map:
      case TypeKind::record: break;
      default: return {};
    }
    HookValue whole = t.kind == TypeKind::list ? HookValue::list({}) : HookValue::record({});
    too_deep = too_deep || depth >= kMostValueNesting;
    if (too_deep) return whole;
    if (t.kind == TypeKind::list) {
      for (std::uint32_t i = 0; i < value.list.size; ++i)
        whole.items.push_back(give(t.element, value.list.items[i], depth + 1));
    } else if (t.kind == TypeKind::map) {
      for (std::uint32_t i = 0; i < value.map.size; ++i) {
        whole.members.emplace_back(std::string(value.map.data->keys[i].text.view()),
                                   give(t.element, value.map.data->values[i], depth + 1));
      }
    } else {
      for (std::uint32_t i = 0; i < value.record.size && i < t.fields.size(); ++i)
        whole.members.emplace_back(t.fields[i].name, give(t.fields[i].type, value.record.fields[i], depth + 1));
    }
    return whole;
  }
};

std::uint64_t work_of(const TypeTable& types, TypeId type, const Value& value) {
  constexpr std::uint64_t kItem = 4, kBytes = 64;
  if (value.missing()) return kItem;
  type = types.actual(type, value);
  const Type& t = types[type];
  std::uint64_t work = kItem;
  switch (t.kind) {
    case TypeKind::text:
    case TypeKind::any: return kItem + value.text.view().size() / kBytes;
    case TypeKind::list:
      for (std::uint32_t i = 0; i < value.list.size; ++i) work += work_of(types, t.element, value.list.items[i]);
      return work;
    case TypeKind::map:
      for (std::uint32_t i = 0; i < value.map.size; ++i)
        work +=
            value.map.data->keys[i].text.view().size() / kBytes + work_of(types, t.element, value.map.data->values[i]);
      return work;
    case TypeKind::record:
      for (std::uint32_t i = 0; i < value.record.size && i < t.fields.size(); ++i)
        work += work_of(types, t.fields[i].type, value.record.fields[i]);
      return work;
    default: return kItem;
  }
}

struct Reader {
  const TypeTable& types;
  Arena& arena;
  std::string path, problem;
  int depth = 0;

  bool refuse(const HookValue& value, TypeId expected) {
    static constexpr const char* kNames[] = {"missing", "the number ", "the bool ", "the text ",
                                             "a list",  "a record",    "an error"};
    problem = kNames[static_cast<std::size_t>(value.kind)];
    if (value.kind == HookValue::Kind::number) {
      const Number n = from_double(value.number, arena.numbers());
      n.missing() ? void(problem += "that is not finite") : write_significant(n, 12, problem);
    }
    if (value.kind == HookValue::Kind::boolean) problem += value.boolean ? "true" : "false";
    if (value.kind == HookValue::Kind::text && is_utf8(value.text))
      write_json_text(shorten(value.text, kMostQuoted), problem);
    problem += (path.empty() ? "" : " in " + path) + " instead of " + types.str(expected);
    return false;
  }
  bool part(const HookValue& from, TypeId type, const std::string& step, Value& into) {
    if (depth >= kMostValueNesting) {
      problem = limit_message("a value of", kMostValueNesting, "levels", "");
      return false;
    }
    const std::size_t size = path.size();
    path += step;
    ++depth;
    const bool good = read(from, type, into);
    --depth;
    if (good) path.resize(size);
    return good;
  }
  bool read(const HookValue& from, TypeId type, Value& into) {
    const Type& t = types[type];
    switch (t.kind) {
      case TypeKind::number: {
        if (from.kind != HookValue::Kind::number) return refuse(from, type);
        const Number n = from_double(from.number, arena.numbers());
        if (n.missing() || (t.whole && !is_whole(n)) || !inside(n, t.range)) return refuse(from, type);
        into = make_number(n);
        return true;
      }
      case TypeKind::boolean:
        if (from.kind != HookValue::Kind::boolean) return refuse(from, type);
        into = make_bool(from.boolean);
        return true;
      case TypeKind::text: {
        if (from.kind != HookValue::Kind::text || !t.allows(from.text) || !simdjson::validate_utf8(from.text))
          return refuse(from, type);
        into = make_text(arena.copy(from.text));
        return true;
      }
      case TypeKind::list: {
        if (from.kind != HookValue::Kind::list) return refuse(from, type);
        Value* items = arena.array<Value>(from.items.size());
        std::uint32_t size = 0;
        for (std::size_t i = 0; i < from.items.size(); ++i) {
          if (!part(from.items[i], t.element, "[" + std::to_string(i) + "]", items[size])) return false;
          const auto same = [&](const Value& other) { return other.text.view() == items[size].text.view(); };
          if (!t.set || std::none_of(items, items + size, same)) ++size;
        }
        into = make_list(items, size);
        return true;
      }
      case TypeKind::map: return read_map(from, type, into);
      case TypeKind::record: return read_record(from, type, into);
      case TypeKind::either: {
        const TypeId one = alternative(from, type);
        return one == kUnknown ? refuse(from, type) : read(from, one, into);
      }
      default: return refuse(from, type);
    }
  }
  TypeId alternative(const HookValue& from, TypeId either) const {
    switch (from.kind) {
      case HookValue::Kind::number: return types.alternative(either, TypeKind::number);
      case HookValue::Kind::boolean: return types.alternative(either, TypeKind::boolean);
      case HookValue::Kind::text: return types.alternative(either, TypeKind::text);
      case HookValue::Kind::list: return types.alternative(either, TypeKind::list);
      case HookValue::Kind::record: {
        const TypeId map = types.alternative(either, TypeKind::map);
        return map != kUnknown ? map : types.alternative(either, TypeKind::record);
      }
      default: return kUnknown;
    }
  }
  bool read_map(const HookValue& from, TypeId type, Value& into) {
    if (from.kind != HookValue::Kind::record) return refuse(from, type);
    const auto size = static_cast<std::uint32_t>(from.members.size());
    auto* data = arena.array<MapData>(1);
    *data = MapData{arena.array<Value>(size), arena.array<Value>(size), nullptr, 0};
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto& [key, value] = from.members[i];
      if (map_find(*data, i, key) >= 0 || !simdjson::validate_utf8(key)) return refuse(from, type);
      data->keys[i] = make_text(arena.copy(key));
      if (!part(value, types[type].element, (path.empty() ? "" : ".") + key, data->values[i])) return false;
    }
    if (size >= kMapIndexFrom) {
      const std::uint32_t words = map_index_size(size);
      map_build_index(*data, size, arena.array<std::uint32_t>(words), words);
    }
    into = make_map(data, size);
    return true;
  }
  bool read_record(const HookValue& from, TypeId type, Value& into) {
    const std::vector<Field>& fields = types[type].fields;
    if (from.kind != HookValue::Kind::record) return refuse(from, type);
    Value* values = arena.array<Value>(fields.size());
    for (const auto& member : from.members) {
      if (types.field(type, member.first) < 0) return refuse(from, type);
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto member = std::find_if(from.members.begin(), from.members.end(),
                                       [&](const auto& m) { return m.first == fields[i].name; });
      const bool absent = member == from.members.end() || member->second.kind == HookValue::Kind::missing;
      values[i] = fields[i].presence == Presence::defaulted ? fields[i].fallback : missing_value();
      if (absent && fields[i].presence != Presence::required) continue;
      if (!part(absent ? HookValue() : member->second, fields[i].type, (path.empty() ? "" : ".") + fields[i].name,
                values[i]))
        return false;
    }
    into = make_record(values, static_cast<std::uint32_t>(fields.size()));
    return true;
  }
};

}  // namespace

std::uint64_t copying_work(const Model& model, const HookModel& hook, const Value* args) {
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < hook.params.size(); ++i) work += work_of(model.types, hook.params[i].type, args[i]);
  return work;
}

bool call_host_hook(const HookFunction& function, const Model& model, const HookModel& hook, const Value* args,
                    Value& result, Arena& arena, RunError& error) {
  std::vector<HookValue> arguments;
  Giver giver{model.types};
  for (std::size_t i = 0; i < hook.params.size(); ++i) arguments.push_back(giver.give(hook.params[i].type, args[i]));
  if (giver.too_deep) {
    error = {"", "limit",
             limit_message("hook '" + hook.name + "' is given a value of", kMostValueNesting, "levels", "")};
    return false;
  }
  const HookValue returned = function(arguments);
  if (returned.kind == HookValue::Kind::error) {
    error = {"", "hook", "hook '" + hook.name + "' failed: " + returned.text};
    return false;
  }
  if (returned.kind == HookValue::Kind::missing && hook.result_optional) {
    result = missing_value();
    return true;
  }
  Reader reader{model.types, arena, {}, {}};
  if (reader.read(returned, hook.result, result)) return true;
  error = {"", "hook", "hook '" + hook.name + "' (of the host) returned " + reader.problem};
  return false;
}

}  // namespace assay
