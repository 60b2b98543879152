// The constant parts of a line are built once: keys and braces are fixed texts between the values.
#include "runtime/npy/npy_values.hpp"

#include "lang/text/utf8.hpp"

#include <assay/text.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace assay {

namespace {

template <class T>
void append_number(std::string& out, T value) {
  char text[kMostNumber];
  out.append(text, std::to_chars(text, text + kMostNumber, value).ptr);
}

// The shortest decimal that reads back as the value; with an exponent only if its digits do not reach the point.
template <class T>
void append_float(std::string& out, T value) {
  constexpr T kPlain = 1e15;
  char text[kMostNumber];
  if (std::isnan(value)) {
    out += "null";
  } else if (std::isinf(value)) {
    out += value > 0 ? "1e999" : "-1e999";
  } else if (std::abs(value) < kPlain && (std::abs(value) >= static_cast<T>(1e-6) || value == 0)) {
    out.append(text, std::to_chars(text, text + kMostNumber, value + T{0}, std::chars_format::fixed).ptr);
  } else {
    append_number(out, value);
  }
}

}  // namespace

bool append_npy_value(std::string& out, NpyType kind, const char* item, std::size_t size) {
  switch (kind) {
    case NpyType::f64: append_float(out, npy_read<double>(item)); break;
    case NpyType::f32: append_float(out, npy_read<float>(item)); break;
    case NpyType::i8: append_number(out, int{npy_read<std::int8_t>(item)}); break;
    case NpyType::i16: append_number(out, npy_read<std::int16_t>(item)); break;
    case NpyType::i32: append_number(out, npy_read<std::int32_t>(item)); break;
    case NpyType::i64: {
      const auto value = npy_read<std::int64_t>(item);
      if (value == std::numeric_limits<std::int64_t>::min()) return false;
      append_number(out, value);
      break;
    }
    case NpyType::u8: append_number(out, unsigned{npy_read<std::uint8_t>(item)}); break;
    case NpyType::u16: append_number(out, npy_read<std::uint16_t>(item)); break;
    case NpyType::u32: append_number(out, npy_read<std::uint32_t>(item)); break;
    case NpyType::u64: append_number(out, npy_read<std::uint64_t>(item)); break;
    case NpyType::truth: out += *item != 0 ? "true" : "false"; break;
    case NpyType::bytes: {
      const std::string_view text = npy_bytes(item, size);
      if (text.empty()) return false;
      write_json_bytes(text, out);
      break;
    }
    case NpyType::unicode: {
      std::string text;
      append_npy_unicode(text, item, size);
      if (text.empty()) return false;
      write_json_bytes(text, out);
      break;
    }
    case NpyType::other: return false;
  }
  return true;
}

void append_npy_field(std::string& out, const NpyField& field, const char* row) {
  const char* item = row + field.offset;
  if (!field.list) {
    if (!append_npy_value(out, field.kind, item, field.size)) out += "null";
    return;
  }
  out += '[';
  const std::size_t first = out.size();
  for (std::size_t i = 0; i < field.items; ++i, item += field.size) {
    const std::size_t before = out.size();
    if (before > first) out += ',';
    if (!append_npy_value(out, field.kind, item, field.size)) out.resize(before);  // padding of a list of texts
  }
  out += ']';
}

NpyLines::NpyLines(const std::vector<NpyInput>& inputs) {
  std::vector<const NpyField*> fields;
  for (const NpyInput& input : inputs) fields.push_back(&input.field);
  plan(fields, 0, end_);
}

// Plans the object with these fields, whose paths agree up to `begin`; fields of one record are adjacent. `before`
// collects the text before the next value.
void NpyLines::plan(const std::vector<const NpyField*>& fields, std::size_t begin, std::string& before) {
  std::vector<std::pair<std::string_view, std::vector<const NpyField*>>> members;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const NpyField* field : fields) {
    const std::string_view rest = std::string_view(field->path).substr(begin);
    const std::string_view name = rest.substr(0, rest.find('.'));
    const auto [place, added] = places.emplace(name, members.size());
    if (added) members.push_back({name, {}});
    members[place->second].second.push_back(field);
  }
  before += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto& [name, within] = members[i];
    if (i > 0) before += ',';
    write_json_text(name, before);
    before += ':';
    if (within.front()->path.size() > begin + name.size()) {
      plan(within, begin + name.size() + 1, before);
    } else {
      values_.push_back({std::exchange(before, {}), *within.front()});
    }
  }
  before += '}';
}

void NpyLines::append(std::string& text, const char* row) const {
  for (const Value& value : values_) {
    text += value.before;
    append_npy_field(text, value.field, row);
  }
  text += end_;
}

}  // namespace assay
