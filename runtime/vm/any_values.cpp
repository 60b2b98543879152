// Type tests and conversions of values of several types, or of any type. An `any` is the JSON in the record: it is read
// in place, at a cost of one step for each 64 bytes skipped.
#include "runtime/json/json_parts.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/vm/execution_context.hpp"

namespace assay {

namespace {

constexpr std::uint64_t kBytesAStep = 64;

std::string_view trimmed_json(std::string_view json) {
  while (!json.empty() && static_cast<unsigned char>(json.front()) <= ' ') json.remove_prefix(1);
  while (!json.empty() && static_cast<unsigned char>(json.back()) <= ' ') json.remove_suffix(1);
  return json;
}

// A part as a value of its own; null becomes missing.
Value part(std::string_view json) { return json == "null" ? missing_value() : make_text(json); }

Value number_of(ExecutionContext& m, std::string_view json) {
  Number n;
  if (!is_json_number(json) || !parse_decimal(json, n, *m.pool)) return missing_value();
  return make_number(n);
}

Value text_of(ExecutionContext& m, std::string_view json) {
  if (json.size() < 2) return missing_value();
  const std::string_view written = json.substr(1, json.size() - 2);
  std::string_view text;
  if (!unescape_json(written, m.scratch, text)) return missing_value();
  return text.data() == written.data() ? make_text(text) : m.text(text);
}

Value list_of(ExecutionContext& m, std::string_view json) {
  std::uint32_t size = 0;
  for (JsonParts parts(json); parts.next();) ++size;
  Value list = m.list(size);
  std::uint32_t at = 0;
  for (JsonParts parts(json); at < size && parts.next();) list.list.items[at++] = part(parts.value());
  return list;
}

// A repeated key has its last value, in its first position.
Value map_of(ExecutionContext& m, std::string_view json) {
  Value map = new_map(m);
  for (JsonParts parts(json); parts.next();) {
    m.tick();
    std::string_view key;
    if (parts.value() == "null" || !unescape_json(parts.key(), m.scratch, key)) continue;
    const Value name = key.data() == parts.key().data() ? make_text(key) : m.text(key);
    map_slot(m, map, name) = part(parts.value());
  }
  return map;
}

Value any_as(ExecutionContext& m, std::string_view json, AskedKind asked) {
  json = trimmed_json(json);
  m.charge(1 + json.size() / kBytesAStep);
  const char first = json.empty() ? '\0' : json.front();
  switch (asked) {
    case AskedKind::number: return number_of(m, json);
    case AskedKind::whole: {
      const Value n = number_of(m, json);
      return n.missing() || is_whole(n.number) ? n : missing_value();
    }
    case AskedKind::boolean:
      if (json == "true" || json == "false") return make_bool(first == 't');
      break;
    case AskedKind::text:
      if (first == '"') return text_of(m, json);
      break;
    case AskedKind::list:
      if (first == '[') return list_of(m, json);
      break;
    case AskedKind::map:
    case AskedKind::record:
      if (first == '{') return map_of(m, json);
      break;
  }
  return missing_value();
}

bool is_of(const Value& value, AskedKind asked) {
  static constexpr TypeKind kKinds[] = {
#define ASSAY_ASKED_KIND(id, word, kind, say) TypeKind::kind,
#include "lang/value/asked_kinds.def"
#undef ASSAY_ASKED_KIND
  };
  if (kind_of(value) != kKinds[static_cast<std::size_t>(asked)]) return false;
  return asked != AskedKind::whole || is_whole(value.number);
}

}  // namespace

Value as_kind(ExecutionContext& m, TypeId type, const Value& value, AskedKind asked) {
  if (value.missing()) return value;
  if (m.types->kind(type) == TypeKind::any) return any_as(m, value.text.view(), asked);
  return is_of(value, asked) ? value : missing_value();
}

bool is_kind(ExecutionContext& m, TypeId type, const Value& value, AskedKind asked) {
  if (value.missing()) return false;
  if (m.types->kind(type) != TypeKind::any) return is_of(value, asked);
  const std::string_view json = trimmed_json(value.text.view());
  const char first = json.empty() ? '\0' : json.front();
  if (asked == AskedKind::list) return first == '[';
  if (asked == AskedKind::map || asked == AskedKind::record) return first == '{';
  return !any_as(m, json, asked).missing();
}

Value any_get(ExecutionContext& m, const Value& any, const Value& key, bool place) {
  if (any.missing() || key.missing()) return missing_value();
  const std::string_view json = any.text.view();
  m.charge(1 + json.size() / kBytesAStep);
  JsonParts parts(json);
  Value found = missing_value();
  if (place) {
    std::int64_t at = 0;
    if (parts.object() || !to_int64(key.number, at) || at < 0) return found;
    while (parts.next()) {
      if (at-- == 0) return part(parts.value());
    }
    return found;
  }
  if (!parts.object()) return found;
  while (parts.next()) {
    std::string_view name;
    if (unescape_json(parts.key(), m.scratch, name) && name == key.text.view()) found = part(parts.value());
  }
  return found;
}

}  // namespace assay
