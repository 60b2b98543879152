// A double means the decimal to which it is nearest: two decimals of at most 15 digits never share a double. So if an
// integer number of units in the last place divided by the unit gives the double again, it is the number of the record.
#include "runtime/npy/npy_registers.hpp"

#include "runtime/registers/register_values.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t kFifteenDigits = 999'999'999'999'999;
constexpr std::size_t kMostNumber = 64;  // bytes of a number as JSON
constexpr std::size_t kMostEscape = 6;   // bytes of a byte as JSON

std::vector<std::string> steps_of(std::string_view path) {
  std::vector<std::string> steps;
  for (;;) {
    const std::size_t dot = path.find('.');
    steps.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

std::vector<std::vector<std::string>> paths_of(const std::vector<NpyInput>& inputs) {
  std::vector<std::vector<std::string>> paths;
  for (const NpyInput& input : inputs) paths.push_back(steps_of(input.field.path));
  return paths;
}

// The largest size of a row in bytes as JSON.
std::size_t most_json(const std::vector<NpyInput>& inputs) {
  std::size_t most = 2;
  for (const NpyInput& input : inputs) {
    const bool text = input.field.kind == NpyType::bytes || input.field.kind == NpyType::unicode;
    most += kMostEscape * input.field.path.size() + 8;
    most += input.field.items * ((text ? kMostEscape * input.field.size : kMostNumber) + 3);
  }
  return most;
}

// Whether JSON needs no escape for the text; decided for ASCII, which nearly all texts are.
bool plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHigh = 0x80 * kOnes;
  const auto zeros = [](std::uint64_t x) { return (x - kOnes) & ~x; };  // the lowest zero byte has its high bit set
  while (text.size() >= 8) {
    const std::uint64_t word = npy_read<std::uint64_t>(text.data()), control = (word - 0x20 * kOnes) & ~word;
    if (((word | control | zeros(word ^ ('"' * kOnes)) | zeros(word ^ ('\\' * kOnes))) & kHigh) != 0) return false;
    text.remove_prefix(8);
  }
  return std::all_of(text.begin(), text.end(), [](char byte) {
    const auto c = static_cast<unsigned char>(byte);
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
  });
}

}  // namespace

NpyRegisters::NpyRegisters(RegisterReader& reader, const std::vector<NpyInput>& inputs, const Limits& limits)
    : reader_(&reader), limits_(limits), places_(reader, paths_of(inputs)) {
  usable_ = reader.usable() && most_json(inputs) <= limits.record_bytes;
  for (std::size_t i = 0; usable_ && i < inputs.size(); ++i) {
    Field& field = fields_.emplace_back();
    field.field = inputs[i].field;
    field.column = places_.columns()[i];
    const FieldPlace& place = *field.column.place;
    field.way = way_of(field.field, place);
    if (field.field.kind == NpyType::unicode)
      field.text.reserve(field.field.items * field.field.size + RegisterReader::kPadding);
    if (place.kind != FieldPlace::Kind::number) continue;
    const bool real = field.field.kind == NpyType::f64 || field.field.kind == NpyType::f32;
    field.factor = kPowersOfTen[place.decimals];
    field.scale = static_cast<double>(field.factor);
    field.low = place.low;
    field.high = static_cast<std::int64_t>(static_cast<std::uint64_t>(place.low) + place.span);
    // Rounded inwards; division rounds towards 0.
    field.least = field.low / field.factor + (field.low > 0 && field.low % field.factor != 0);
    field.most = field.high / field.factor - (field.high < 0 && field.high % field.factor != 0);
    if (!real) continue;
    field.low = std::max(field.low, -kFifteenDigits);
    field.high = std::min(field.high, kFifteenDigits);
  }
}

NpyRegisters::Way NpyRegisters::way_of(const NpyField& field, const FieldPlace& place) {
  const bool is_text = field.kind == NpyType::bytes || field.kind == NpyType::unicode;
  if (place.plan == nullptr && place.kind == FieldPlace::Kind::text) return Way::unknown;
  if (field.list) return place.kind == FieldPlace::Kind::texts && is_text ? Way::texts : Way::other;
  if (place.kind == FieldPlace::Kind::number && field.kind < NpyType::truth)
    return field.kind == NpyType::f64 ? Way::f64 : Way::number;
  if (place.kind == FieldPlace::Kind::text && is_text) return Way::text;
  return place.kind == FieldPlace::Kind::truth && field.kind == NpyType::truth ? Way::truth : Way::other;
}

ASSAY_INLINE void NpyRegisters::put(const Field& field, std::int64_t value) const {
  put_register(reader_->registers_, field.column.place->given_at, 1);
  put_register(reader_->registers_, field.column.place->at, value);
}

ASSAY_INLINE NpyRegisters::Outcome NpyRegisters::real(const Field& field, double value) const {
  if (value != value) return Outcome::missing;
  const double scaled = value * field.scale;
  if (!(scaled > static_cast<double>(field.low) - 0.5 && scaled < static_cast<double>(field.high) + 0.5))
    return Outcome::declined;
  const auto n = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  if (static_cast<double>(n) / field.scale != value) return Outcome::declined;
  put(field, n);
  return Outcome::read;
}

ASSAY_INLINE NpyRegisters::Outcome NpyRegisters::read(Field& field, const char* row) const {
  const char* const item = row + field.field.offset;
  switch (field.way) {
    case Way::f64: return real(field, npy_read<double>(item));
    case Way::number: return number(field, item);
    case Way::truth: put(field, *item != 0); return Outcome::read;
    case Way::text: return text(field, item);
    case Way::texts: return texts(field, item);
    case Way::unknown: return unknown(field, item);
    case Way::other: break;
  }
  return other(field, row);
}

bool NpyRegisters::row(const char* row, std::int64_t* registers, std::string_view* shown) {
  if (!usable_) return false;
  reader_->begin(registers, shown);
  places_.begin();
  for (Field& field : fields_) {
    switch (read(field, row)) {
      case Outcome::read: break;
      case Outcome::missing: places_.empty(field.column.word, field.column.bit); break;
      case Outcome::declined: return false;
    }
  }
  return places_.complete(true);
}

NpyRegisters::Outcome NpyRegisters::number(const Field& field, const char* item) const {
  switch (field.field.kind) {
    case NpyType::f64: return real(field, npy_read<double>(item));
    case NpyType::f32: return real(field, npy_read<float>(item));
    case NpyType::i8: return integer(field, npy_read<std::int8_t>(item));
    case NpyType::i16: return integer(field, npy_read<std::int16_t>(item));
    case NpyType::i32: return integer(field, npy_read<std::int32_t>(item));
    case NpyType::u8: return integer(field, npy_read<std::uint8_t>(item));
    case NpyType::u16: return integer(field, npy_read<std::uint16_t>(item));
    case NpyType::u32: return integer(field, npy_read<std::uint32_t>(item));
    case NpyType::i64: {
      const auto value = npy_read<std::int64_t>(item);
      return value == std::numeric_limits<std::int64_t>::min() ? Outcome::missing : integer(field, value);
    }
    default: {
      const auto value = npy_read<std::uint64_t>(item);
      return value > INT64_MAX ? Outcome::declined : integer(field, static_cast<std::int64_t>(value));
    }
  }
}

NpyRegisters::Outcome NpyRegisters::integer(const Field& field, std::int64_t value) const {
  if (value < field.least || value > field.most) return Outcome::declined;
  put(field, value * field.factor);
  return Outcome::read;
}

// The shortest decimal of a float differs from that of the double with the same value; with at most six digits it is
// unique.
NpyRegisters::Outcome NpyRegisters::real(const Field& field, float value) const {
  constexpr double kSixDigits = 999'999;
  if (value != value) return Outcome::missing;
  const double scaled = std::nearbyint(static_cast<double>(value) * field.scale), decimal = scaled / field.scale;
  if (std::abs(scaled) <= kSixDigits && static_cast<float>(decimal) == value) return real(field, decimal);
  char text[kMostNumber];
  double shown = 0;
  std::from_chars(text, std::to_chars(text, text + kMostNumber, value).ptr, shown);
  return real(field, shown);
}

// As UTF-8, followed by readable bytes.
std::string_view NpyRegisters::text_of(Field& field, const char* item) const {
  if (field.field.kind == NpyType::bytes) return npy_bytes(item, field.field.size);
  const std::size_t begin = field.text.size();
  append_npy_unicode(field.text, item, field.field.size);
  return std::string_view(field.text).substr(begin);
}

NpyRegisters::Outcome NpyRegisters::text(Field& field, const char* item) const {
  const FieldPlace& place = *field.column.place;
  field.text.clear();
  const std::string_view found = text_of(field, item);
  if (found.empty()) return Outcome::missing;
  if (!plain(found) && (place.shown >= 0 || !is_utf8(found))) return Outcome::declined;
  if (!reader_->put_text(found.data(), found.size(), place)) return Outcome::declined;
  if (place.given != kNoReg) put_register(reader_->registers_, place.given_at, 1);
  if (place.shown >= 0) reader_->shown_[place.shown] = found;
  return Outcome::read;
}

NpyRegisters::Outcome NpyRegisters::texts(Field& field, const char* item) const {
  const FieldPlace& place = *field.column.place;
  const TextNumbers* const choices = place.element->numbers.get();
  const NpyField& of = field.field;
  // Most lists are shorter than their room.
  const char* const end = item + npy_bytes(item, of.items * of.size).size();
  std::size_t count = 0;
  field.text.clear();
  for (; item < end; item += of.size) {
    const std::string_view found = text_of(field, item);
    if (found.empty()) continue;
    if (!plain(found) && !is_utf8(found)) return Outcome::declined;
    if (!reader_->add_item(found.data(), found.size(), place, choices, count)) return Outcome::declined;
  }
  if (!reader_->put_items(place, count)) return Outcome::declined;
  if (place.given != kNoReg) put_register(reader_->registers_, place.given_at, 1);
  return Outcome::read;
}

// An unknown key may have any value that JSON can express.
NpyRegisters::Outcome NpyRegisters::unknown(Field& field, const char* item) const {
  const NpyType kind = field.field.kind;
  if (!field.field.list && kind != NpyType::f64 && kind != NpyType::f32 && kind != NpyType::bytes &&
      kind != NpyType::unicode)
    return Outcome::read;
  field.text.clear();
  append_npy_field(field.text, field.field, item - field.field.offset);
  return field.text.find("1e999") == std::string::npos && is_utf8(field.text) ? Outcome::read : Outcome::declined;
}

// Through JSON.
NpyRegisters::Outcome NpyRegisters::other(Field& field, const char* row) const {
  field.text.clear();
  append_npy_field(field.text, field.field, row);
  const std::size_t size = field.text.size();
  field.text.append(RegisterReader::kPadding, '\0');
  const char* const json = field.text.data();
  if (*json == 'n') return Outcome::missing;
  if (*json == '"' && !is_utf8({json, size})) return Outcome::declined;
  const FieldPlace& place = *field.column.place;
  if (reader_->value(json, place, field.column.depth + 1) != json + size) return Outcome::declined;
  if (place.given != kNoReg) put_register(reader_->registers_, place.given_at, 1);
  return Outcome::read;
}

}  // namespace assay
