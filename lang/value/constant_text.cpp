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
    case TypeKind::unknown: out += "[]"; break;  // the only constant without a type is an empty list
  }
}

}  // namespace assay
