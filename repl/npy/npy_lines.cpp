// What does not change from line to line is put together once: keys and braces are constant pieces between the values.
#include "repl/npy/npy_lines.hpp"

#include "repl/npy/number_text.hpp"
#include "repl/terminal/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace assay::cli {

namespace {

constexpr std::size_t kPiece =
    32;  // bytes that are copied at once: most pieces are shorter, and a copy of known size is short

template <class T>
T read(const char* item) {
  T value;
  std::memcpy(&value, item, sizeof value);
  return value;
}

template <class T>
char* put_number(char* out, T value) {
  return std::to_chars(out, out + kMostNumberText, value).ptr;
}

char* put(char* out, std::string_view text) { return std::copy(text.begin(), text.end(), out); }

// The first `size` of kPiece bytes that may all be read and written.
char* put_piece(char* out, const char* text, std::size_t size) {
  std::memcpy(out, text, kPiece);
  return out + size;
}

template <class T>
char* put_float(char* out, const char* item, std::uint8_t& decimals) {
  const T value = read<T>(item);
  if (std::isnan(value)) return put(out, "null");
  if (std::isinf(value)) return put(out, value > 0 ? "1e999" : "-1e999");
  char* const end = std::is_same_v<T, float> ? nullptr : put_short(out, value, decimals);
  return end != nullptr ? end : put_number(out, value);
}

// Bytes that are no UTF-8 stay as they are.
char* put_text(char* out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  *out++ = '"';
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c < 0x20) {
      out = put(out, "\\u00");
      *out++ = kHex[c >> 4U];
      *out++ = kHex[c & 15U];
      continue;
    }
    if (c == '"' || c == '\\') *out++ = '\\';
    *out++ = byte;
  }
  *out++ = '"';
  return out;
}

// How many bytes a value is at most.
std::size_t most(const NpyField& field) {
  switch (field.kind) {
    case NpyType::bytes: return 6 * field.size + 2;
    case NpyType::unicode: return 6 * (field.size / 4) + 2;
    case NpyType::i8:
    case NpyType::u8:
    case NpyType::truth: return 5;
    case NpyType::i16:
    case NpyType::u16: return 6;
    default: return kMostNumberText;
  }
}

// Null for an empty text. `decimals`: see put_short.
char* put_item(char* out, NpyType kind, const char* item, std::size_t size, std::uint8_t& decimals) {
  switch (kind) {
    case NpyType::f64: return put_float<double>(out, item, decimals);
    case NpyType::f32: return put_float<float>(out, item, decimals);
    case NpyType::i8: return put_number<int>(out, read<std::int8_t>(item));
    case NpyType::i16: return put_number(out, read<std::int16_t>(item));
    case NpyType::i32: return put_number(out, read<std::int32_t>(item));
    case NpyType::i64: {
      const auto value = read<std::int64_t>(item);
      return value == std::numeric_limits<std::int64_t>::min() ? put(out, "null") : put_number(out, value);
    }
    case NpyType::u8: return put_number<unsigned>(out, read<std::uint8_t>(item));
    case NpyType::u16: return put_number(out, read<std::uint16_t>(item));
    case NpyType::u32: return put_number(out, read<std::uint32_t>(item));
    case NpyType::u64: return put_number(out, read<std::uint64_t>(item));
    case NpyType::truth: return put(out, *item != 0 ? "true" : "false");
    case NpyType::bytes: {
      const std::string_view text = npy_bytes(item, size);
      return text.empty() ? nullptr : put_text(out, text);
    }
    case NpyType::unicode: {
      std::string text;
      append_npy_unicode(text, item, size);
      return text.empty() ? nullptr : put_text(out, text);
    }
    case NpyType::other: break;
  }
  return nullptr;
}

}  // namespace

NpyLines::NpyLines(const std::vector<NpyInput>& inputs) {
  std::vector<const NpyField*> fields;
  for (const NpyInput& input : inputs) fields.push_back(&input.field);
  plan(fields, 0, end_);
  end_ += '\n';
  most_ = end_.size();
  for (const Value& value : values_) most_ += value.before_size + 2 + value.field.items * (most(value.field) + 1);
  most_ += kPiece;  // what is written and does not count
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
      const std::size_t size = before.size();
      before.resize(std::max(size, kPiece));
      values_.push_back({std::move(before), size, *within.front(), 0});
      before.clear();
    }
  }
  before += '}';
}

void NpyLines::append(std::string& text, const char* row) {
  const std::size_t size = text.size();
  text.resize(size + most_);
  char* out = text.data() + size;
  for (Value& value : values_) {
    out = value.before_size <= kPiece ? put_piece(out, value.before.data(), value.before_size)
                                      : put(out, std::string_view(value.before).substr(0, value.before_size));
    const NpyField& field = value.field;
    const char* item = row + field.offset;
    if (!field.list) {
      char* const end = put_item(out, field.kind, item, field.size, value.decimals);
      out = end != nullptr ? end : put(out, "null");
      continue;
    }
    *out++ = '[';
    bool first = true;
    for (std::size_t i = 0; i < field.items; ++i, item += field.size) {
      char* const begin = first ? out : out + 1;
      char* const end = put_item(begin, field.kind, item, field.size, value.decimals);
      if (end == nullptr) continue;  // what fills up a list of texts
      if (!first) *out = ',';
      first = false;
      out = end;
    }
    *out++ = ']';
  }
  out = put(out, end_);
  text.resize(static_cast<std::size_t>(out - text.data()));
}

}  // namespace assay::cli
