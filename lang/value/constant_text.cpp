// The text form of constant values; see constant_text.hpp.
#include "lang/value/constant_text.hpp"

namespace assay {

void write_range(const RangeData& range, std::string& out) {
  out += range.low_open ? '(' : '[';
  if (!range.low.missing()) write_exact(range.low, out);
  out += "..";
  if (!range.high.missing()) write_exact(range.high, out);
  out += range.high_open ? ')' : ']';
}

void write_constant(const TypeTable& types, TypeId type, const Value& v, std::string& out) {
  if (v.missing()) {
    out += "missing";
    return;
  }
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number: write_exact(v.number, out); break;
    case TypeKind::boolean: out += v.boolean.truth ? "true" : "false"; break;
    case TypeKind::text: write_json_text(v.text.view(), out); break;
    case TypeKind::any: out += v.text.view(); break;
    case TypeKind::list:
      out += '[';
      for (std::uint32_t i = 0; i < v.list.size; ++i) {
        if (i) out += ", ";
        write_constant(types, t.element, v.list.items[i], out);
      }
      out += ']';
      break;
    case TypeKind::map:
      out += '{';
      for (std::uint32_t i = 0; i < v.map.size; ++i) {
        if (i) out += ", ";
        write_json_text(v.map.data->keys[i].text.view(), out);
        out += ": ";
        write_constant(types, t.element, v.map.data->values[i], out);
      }
      out += '}';
      break;
    case TypeKind::record:
      out += '{';
      for (std::uint32_t i = 0; i < v.record.size && i < t.fields.size(); ++i) {
        if (i) out += ", ";
        out += t.fields[i].name;
        out += ": ";
        write_constant(types, t.fields[i].type, v.record.fields[i], out);
      }
      out += '}';
      break;
    case TypeKind::range: write_range(*v.range.data, out); break;
    case TypeKind::either: write_constant(types, types.actual(type, v), v, out); break;
    case TypeKind::unknown: out += "[]"; break;  // the only constant of unknown type is an empty list
  }
}

namespace {

bool write_text_literal(std::string_view text, std::string& out) {
  if (!is_utf8(text)) return false;
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '{' || c == '}') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u{";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      out += '}';
    } else {
      out += c;
    }
  }
  out += '"';
  return true;
}

}  // namespace

bool write_literal(const TypeTable& types, TypeId type, const Value& v, std::string& out, std::size_t limit) {
  if (out.size() > limit) return false;
  if (v.missing()) {
    out += "missing";
    return true;
  }
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number:
      out += '(';
      write_exact(v.number, out);
      out += ')';
      return true;
    case TypeKind::boolean: out += v.boolean.truth ? "true" : "false"; return true;
    case TypeKind::text: return write_text_literal(v.text.view(), out);
    case TypeKind::list:
      out += '[';
      for (std::uint32_t i = 0; i < v.list.size; ++i) {
        if (i) out += ", ";
        if (!write_literal(types, t.element, v.list.items[i], out, limit)) return false;
      }
      out += ']';
      return true;
    case TypeKind::map:  // keys of a map may be any text, those of a record are names
      out += "map(p.k: p.v for p in [";
      for (std::uint32_t i = 0; i < v.map.size; ++i) {
        out += i ? ", {k: " : "{k: ";
        if (!write_text_literal(v.map.data->keys[i].text.view(), out)) return false;
        out += ", v: ";
        if (!write_literal(types, t.element, v.map.data->values[i], out, limit)) return false;
        out += '}';
      }
      out += "])";
      return v.map.size > 0;  // the type of an empty one's values is unknown
    case TypeKind::record:
      out += '{';
      for (std::uint32_t i = 0; i < v.record.size && i < t.fields.size(); ++i) {
        if (i) out += ", ";
        out += t.fields[i].name + ": ";
        if (!write_literal(types, t.fields[i].type, v.record.fields[i], out, limit)) return false;
      }
      out += '}';
      return true;
    case TypeKind::either: return write_literal(types, types.actual(type, v), v, out, limit);
    case TypeKind::any:
    case TypeKind::range:
    case TypeKind::unknown: break;
  }
  return false;
}

}  // namespace assay
