// Writing values and verdicts as JSON: one line, no white space, keys in the order of the rubric.
#include "runtime/report.hpp"

#include "runtime/json_tree.hpp"

namespace assay {

void write_number(Number n, int decimals, std::string& out) {
  if (n.missing()) {
    out.append("null");
  } else if (decimals >= 0) {
    write_rounded(n, decimals, out);
  } else if (decimals == kAsGiven || is_whole(n)) {
    write_shortest(n, out);
  } else {
    write_significant(n, 12, out);
  }
}

namespace {

// JSON as it was written, without white space between its parts: a verdict is one line.
void write_compact(std::string_view json, std::string& out) {
  bool inside = false;  // a text
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inside) {
      out.push_back(c);
      if (c == '\\' && i + 1 < json.size()) out.push_back(json[++i]);
      if (c == '"') inside = false;
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      out.push_back(c);
      inside = c == '"';
    }
  }
}

}  // namespace

const std::vector<std::string>& ValueWriter::keys(TypeId record) {
  if (keys_.size() <= record) keys_.resize(types_.size());
  std::vector<std::string>& keys = keys_[record];
  const std::vector<Field>& fields = types_[record].fields;
  if (keys.size() == fields.size()) return keys;
  for (const Field& field : fields) {
    std::string key = keys.empty() ? "{" : ",";
    write_json_text(field.name, key);
    keys.push_back(key + ':');
  }
  return keys;
}

void ValueWriter::write_value(TypeId id, const Value& value, int decimals, std::string& out) {
  if (value.missing()) {
    out.append("null");
    return;
  }
  if (out.size() > limit_) return;  // enough to know
  const Type& type = types_[id];
  switch (type.kind) {
    case TypeKind::number: write_number(value.number, decimals, out); return;
    case TypeKind::boolean: out.append(value.boolean.truth != 0 ? "true" : "false"); return;
    case TypeKind::text: write_json_text(value.text.view(), out); return;
    case TypeKind::any: write_compact(value.text.view(), out); return;
    case TypeKind::list:
      out.push_back('[');
      for (std::uint32_t i = 0; i < value.list.size && out.size() <= limit_; ++i) {
        if (i > 0) out.push_back(',');
        write_value(type.element, value.list.items[i], decimals, out);
      }
      out.push_back(']');
      return;
    case TypeKind::map:
      out.push_back('{');
      for (std::uint32_t i = 0; i < value.map.size && out.size() <= limit_; ++i) {
        if (i > 0) out.push_back(',');
        write_json_text(value.map.data->keys[i].text.view(), out);
        out.push_back(':');
        write_value(type.element, value.map.data->values[i], decimals, out);
      }
      out.push_back('}');
      return;
    case TypeKind::record: {
      if (type.fields.empty()) {
        out.append("{}");
        return;
      }
      const std::vector<std::string>& names = keys(id);
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        out.append(names[i]);
        write_value(type.fields[i].type, value.record.fields[i], decimals, out);
      }
      out.push_back('}');
      return;
    }
    case TypeKind::range: {
      const RangeData& range = *value.range.data;
      out.append(range.low_open ? "{\"above\":" : "{\"from\":");
      write_number(range.low, decimals, out);
      out.append(range.high_open ? ",\"below\":" : ",\"to\":");
      write_number(range.high, decimals, out);
      out.push_back('}');
      return;
    }
    case TypeKind::unknown: out.append("null"); return;
  }
}

bool ValueWriter::write(TypeId type, const Value& value, int decimals, std::string& out, std::size_t limit) {
  limit_ = limit;
  write_value(type, value, decimals, out);
  return out.size() <= limit;
}

VerdictWriter::VerdictWriter(const Model& model, int rubric, std::vector<VerdictField> fields, bool with_name,
                             bool with_version)
    : fields_(std::move(fields)), writer_(model.types) {
  const RubricModel& from = model.rubrics[static_cast<std::size_t>(rubric)];
  write_json_text(from.name, name_);
  write_json_text(from.version, version_);
  head_ = "{";
  if (with_name) head_ += "\"rubric\":" + name_;
  if (with_version) head_ += (with_name ? ",\"version\":" : "\"version\":") + version_;
  bool first = !with_name && !with_version;
  for (const VerdictField& field : fields_) {
    types_.push_back(from.items[static_cast<std::size_t>(field.item)].type);
    kinds_.push_back(model.types.kind(types_.back()));
    std::string prefix = first ? "" : ",";
    write_json_text(field.name, prefix);
    prefixes_.push_back(prefix + ':');
    first = false;
  }
}

int VerdictWriter::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool VerdictWriter::write(const Value* values, std::string& out, std::vector<FieldSpan>& spans, std::size_t limit) {
  out.assign(head_);
  spans.resize(fields_.size());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    out.append(prefixes_[i]);
    spans[i].begin = out.size();
    if (!writer_.write(types_[i], values[i], fields_[i].decimals, out, limit)) return false;
    spans[i].end = out.size();
  }
  out.push_back('}');
  return out.size() <= limit;
}

}  // namespace assay
