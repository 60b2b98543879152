// Writes values of arrays as JSON text.
#include "runtime/arrow/arrow_json.hpp"

#include "lang/text/utf8.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay {

namespace {

template <class T>
void write_number(T value, std::string& out) {
  char digits[64];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

template <class T>
void write_floating(T value, std::string& out) {
  if (std::isnan(value)) out += "null";
  else if (std::isinf(value)) out += value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  else write_number(value, out);
}

constexpr int kMostZeros = 40;  // zeros written after a decimal; for more, an exponent

float half_to_float(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  float value = 0;
  if (exponent == 0x1f) value = fraction != 0 ? NAN : INFINITY;
  else if (exponent == 0) value = std::ldexp(static_cast<float>(fraction), -24);
  else value = std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return (half & 0x8000) != 0 ? -value : value;
}

// The nearest half-precision number of a finite value >= 0. Halfway cases go to the even one.
std::uint16_t nearest_half(double value) {
  std::uint16_t low = 0, high = 0x7bff;
  while (low < high) {  // the largest that is at most the value
    const auto middle = static_cast<std::uint16_t>((low + high + 1) / 2);
    if (static_cast<double>(half_to_float(middle)) <= value) low = middle;
    else high = static_cast<std::uint16_t>(middle - 1);
  }
  if (low == 0x7bff) return low;
  const double below = value - static_cast<double>(half_to_float(low));
  const double above = static_cast<double>(half_to_float(static_cast<std::uint16_t>(low + 1))) - value;
  if (above < below || (above == below && (low & 1) != 0)) ++low;
  return low;
}

class CellWriter {
 public:
  CellWriter(std::size_t limit, std::string& out) : limit_(limit), out_(out) {}
  void write(const ArrowView& view, std::int64_t i);  // as deep as types are

 private:
  bool full() const { return out_.size() > limit_; }
  void write_list(const ArrowView& view, std::int64_t i);
  void write_map(const ArrowView& view, std::int64_t i);
  void write_record(const ArrowView& view, std::int64_t i);
  std::size_t limit_;
  std::string& out_;
};

void CellWriter::write(const ArrowView& view, std::int64_t i) {
  if (view.null(i)) {
    out_ += "null";
    return;
  }
  const ArrowType& type = *view.type;
  if (view.dictionary)
    return write(*view.dictionary, type.is_signed ? view.signed_at(i) : static_cast<std::int64_t>(view.unsigned_at(i)));
  switch (type.kind) {
    case ArrowKind::boolean: out_ += view.truth(i) ? "true" : "false"; return;
    case ArrowKind::integer:
      if (type.is_signed) write_number(view.signed_at(i), out_);
      else write_number(view.unsigned_at(i), out_);
      return;
    case ArrowKind::floating:
      if (type.bytes == 8) write_floating(load_at<double>(view.data, view.offset + i), out_);
      else if (type.bytes == 4) write_floating(load_at<float>(view.data, view.offset + i), out_);
      else write_floating(half_to_double(load_at<std::uint16_t>(view.data, view.offset + i)), out_);
      return;
    case ArrowKind::decimal:
      return write_arrow_decimal(static_cast<const char*>(view.data) + (view.offset + i) * type.bytes, type.bytes,
                                 type.scale, out_);
    case ArrowKind::text:
    case ArrowKind::text_view: return write_json_bytes(view.text(i), out_);
    case ArrowKind::list:
    case ArrowKind::list_view:
    case ArrowKind::fixed_list: return write_list(view, i);
    case ArrowKind::map: return write_map(view, i);
    case ArrowKind::record: return write_record(view, i);
    case ArrowKind::null:
    case ArrowKind::unsupported: out_ += "null"; return;
  }
}

void CellWriter::write_list(const ArrowView& view, std::int64_t i) {
  std::int64_t first = 0, last = 0;
  view.range(i, first, last);
  out_ += '[';
  for (std::int64_t k = first; k < last && !full(); ++k) {
    if (k > first) out_ += ',';
    write(view.children[0], k);
  }
  out_ += ']';
}

void CellWriter::write_map(const ArrowView& view, std::int64_t i) {
  std::int64_t first = 0, last = 0;
  view.range(i, first, last);
  const ArrowView& keys = view.children[0].children[0];
  out_ += '{';
  for (std::int64_t k = first; k < last && !full(); ++k) {
    if (k > first) out_ += ',';
    write(keys, k);
    out_ += ':';
    write(view.children[0].children[1], k);
  }
  out_ += '}';
}

void CellWriter::write_record(const ArrowView& view, std::int64_t i) {
  bool first = true;
  out_ += '{';
  for (const ArrowView& child : view.children) {
    if (!child.type->wanted || full()) continue;
    if (!first) out_ += ',';
    first = false;
    write_json_text(child.type->name, out_);
    out_ += ':';
    write(child, i);
  }
  out_ += '}';
}

}  // namespace

double half_to_double(std::uint16_t half) {
  const float value = half_to_float(half);
  if (!std::isfinite(value) || value == 0) return static_cast<double>(value);
  const auto magnitude = static_cast<std::uint16_t>(half & 0x7fff);
  double shortest = 0;
  for (int digits = 0; digits < 9; ++digits) {  // after the first digit
    char text[64];
    const auto end =
        std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific, digits).ptr;
    std::from_chars(text, end, shortest);
    if (nearest_half(shortest) == magnitude) break;
  }
  return value < 0 ? -shortest : shortest;
}

void write_arrow_decimal(const void* digits, int bytes, int scale, std::string& out) {
  std::uint32_t limbs[8] = {};
  std::memcpy(limbs, digits, static_cast<std::size_t>(bytes));
  const int count = bytes / 4;
  const bool negative = limbs[count - 1] >> 31 != 0;
  if (negative) {  // two's complement
    std::uint64_t carry = 1;
    for (int k = 0; k < count; ++k) {
      carry += static_cast<std::uint32_t>(~limbs[k]);
      limbs[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string text;  // backwards
  for (bool any = true; any;) {
    std::uint64_t rest = 0;
    any = false;
    for (int k = count - 1; k >= 0; --k) {
      rest = rest << 32 | limbs[k];
      limbs[k] = static_cast<std::uint32_t>(rest / 1'000'000'000);
      rest %= 1'000'000'000;
      any = any || limbs[k] != 0;
    }
    for (int k = 0; k < 9; ++k, rest /= 10) text += static_cast<char>('0' + rest % 10);
  }
  while (text.size() > 1 && text.back() == '0') text.pop_back();
  if (scale > 0 && text.size() <= static_cast<std::size_t>(scale))
    text.resize(static_cast<std::size_t>(scale) + 1, '0');
  if (scale > 0) text.insert(static_cast<std::size_t>(scale), 1, '.');
  std::reverse(text.begin(), text.end());
  if (negative) out += '-';
  out += text;
  if (scale >= 0 || text == "0") return;
  if (scale >= -kMostZeros) out.append(static_cast<std::size_t>(-scale), '0');
  else out += "e" + std::to_string(-scale);
}

void write_arrow_json(const ArrowView& view, std::int64_t i, std::size_t limit, std::string& out) {
  CellWriter(limit, out).write(view, i);
}

}  // namespace assay
