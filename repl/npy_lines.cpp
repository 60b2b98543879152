// What does not change from line to line is put together once: keys and braces are constant pieces between the values.
#include "repl/npy_lines.hpp"

#include "repl/json_text.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace assay::cli {

namespace {

template <class T>
T read(const char* item) {
  T value;
  std::memcpy(&value, item, sizeof value);
  return value;
}

template <class T>
void append_number(std::string& out, T value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// A number of at most six decimals, as most are, and 15 digits: then its text is the shortest, for the quotient of two
// doubles without error is the double nearest to it. `decimals`: as many are tried first. False: another number.
bool append_short(std::string& out, double value, std::uint8_t& decimals) {
  static constexpr double kUnits[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
  std::int64_t digits = 0;
  const auto with = [&](std::size_t k) {
    const double scaled = value * kUnits[k];
    if (!(std::abs(scaled) < 1e15)) return false;
    digits = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    return static_cast<double>(digits) / kUnits[k] == value;
  };
  if (!with(decimals)) {
    std::uint8_t k = 0;
    while (k < std::size(kUnits) && !with(k)) ++k;
    if (k == std::size(kUnits)) return false;
    decimals = k;
  }
  std::size_t fraction = decimals;
  for (; fraction > 0 && digits % 10 == 0; --fraction) digits /= 10;
  char text[32];
  char* end = text;
  if (digits < 0) *end++ = '-';
  // With a digit more in front, where the point will be, the fraction keeps its zeros: .05 is 105.
  const auto unit = static_cast<std::int64_t>(kUnits[fraction]);
  const std::int64_t size = std::abs(digits);
  end = std::to_chars(end, text + sizeof text, size / unit).ptr;
  if (fraction > 0) {
    char* const point = end;
    end = std::to_chars(point, text + sizeof text, unit + size % unit).ptr;
    *point = '.';
  }
  out.append(text, static_cast<std::size_t>(end - text));
  return true;
}

template <class T>
void append_float(std::string& out, const char* item, std::uint8_t& decimals) {
  const T value = read<T>(item);
  if (std::isnan(value)) out += "null";
  else if (std::isinf(value)) out += value > 0 ? "1e999" : "-1e999";
  else if (std::is_same_v<T, float> || !append_short(out, value, decimals)) append_number(out, value);
}

// Bytes that are no UTF-8 stay as they are.
void append_text(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && static_cast<unsigned char>(text[plain]) >= 0x20 && text[plain] != '"' &&
           text[plain] != '\\')
      ++plain;
    out += text.substr(0, plain);
    if (plain < text.size()) {
      const auto c = static_cast<unsigned char>(text[plain++]);
      if (c >= 0x20) (out += '\\') += static_cast<char>(c);
      else (((out += "\\u00") += kHex[c >> 4U]) += kHex[c & 15U]);
    }
    text.remove_prefix(plain);
  }
  out += '"';
}

// False for an empty text. `decimals`: see append_short.
bool append_item(std::string& out, NpyType kind, const char* item, std::size_t size, std::uint8_t& decimals) {
  switch (kind) {
    case NpyType::f64: append_float<double>(out, item, decimals); break;
    case NpyType::f32: append_float<float>(out, item, decimals); break;
    case NpyType::i8: append_number<int>(out, read<std::int8_t>(item)); break;
    case NpyType::i16: append_number(out, read<std::int16_t>(item)); break;
    case NpyType::i32: append_number(out, read<std::int32_t>(item)); break;
    case NpyType::i64: {
      const auto value = read<std::int64_t>(item);
      if (value == std::numeric_limits<std::int64_t>::min()) out += "null";
      else append_number(out, value);
      break;
    }
    case NpyType::u8: append_number<unsigned>(out, read<std::uint8_t>(item)); break;
    case NpyType::u16: append_number(out, read<std::uint16_t>(item)); break;
    case NpyType::u32: append_number(out, read<std::uint32_t>(item)); break;
    case NpyType::u64: append_number(out, read<std::uint64_t>(item)); break;
    case NpyType::truth: out += *item != 0 ? "true" : "false"; break;
    case NpyType::bytes: {
      const std::string_view text = npy_bytes(item, size);
      if (text.empty()) return false;
      append_text(out, text);
      break;
    }
    case NpyType::unicode: {
      std::string text;
      append_npy_unicode(text, item, size);
      if (text.empty()) return false;
      append_text(out, text);
      break;
    }
    case NpyType::other: break;
  }
  return true;
}

}  // namespace

NpyLines::NpyLines(const std::vector<NpyInput>& inputs) {
  std::vector<const NpyField*> fields;
  for (const NpyInput& input : inputs) fields.push_back(&input.field);
  plan(fields, 0, end_);
  end_ += '\n';
}

// The object that holds these fields, whose paths agree up to `begin`; those of one record come together. `before`
// collects what stands before the next value.
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
    before += (i > 0 ? "," : "") + quoted(name) + ":";
    if (within.front()->path.size() > begin + name.size()) {
      plan(within, begin + name.size() + 1, before);
    } else {
      values_.push_back({std::move(before), *within.front(), 0});
      before.clear();
    }
  }
  before += '}';
}

void NpyLines::append(std::string& out, const char* row) {
  for (Value& value : values_) {
    out += value.before;
    const NpyField& field = value.field;
    const char* item = row + field.offset;
    if (!field.list) {
      if (!append_item(out, field.kind, item, field.size, value.decimals)) out += "null";
      continue;
    }
    out += '[';
    bool first = true;
    for (std::size_t i = 0; i < field.items; ++i, item += field.size) {
      const std::size_t before = out.size();
      if (!first) out += ',';
      if (append_item(out, field.kind, item, field.size, value.decimals)) first = false;
      else out.resize(before);  // what fills up a list of texts
    }
    out += ']';
  }
  out += end_;
}

}  // namespace assay::cli
