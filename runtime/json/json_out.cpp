// Writing JSON. See json_out.hpp.
#include "runtime/json/json_out.hpp"

#include <assay/text.hpp>

#include <charconv>
#include <cmath>

namespace assay {

void JsonOut::before() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonOut& JsonOut::open(char c) {
  before();
  out_ += c;
  first_ = true;
  return *this;
}

JsonOut& JsonOut::close(char c) {
  out_ += c;
  first_ = false;
  return *this;
}

JsonOut& JsonOut::key(std::string_view name) {
  before();
  write_json_text(name, out_);
  out_ += ':';
  first_ = true;
  return *this;
}

JsonOut& JsonOut::text(std::string_view value) {
  before();
  write_json_text(value, out_);
  return *this;
}

JsonOut& JsonOut::raw(std::string_view json) {
  before();
  out_ += json.empty() ? "null" : json;
  return *this;
}

JsonOut& JsonOut::exact(std::string_view value) {
  if (value.find('/') != std::string_view::npos) return text(value);
  return raw(value);
}

JsonOut& JsonOut::number(double value) {
  if (!std::isfinite(value)) return raw("null");
  char digits[40];
  constexpr int kDigits = 10;
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value == 0 ? 0.0 : value, std::chars_format::general, kDigits);
  return raw({digits, static_cast<std::size_t>(end.ptr - digits)});
}

std::string exact_or_short(Number n) {
  if (n.missing()) return {};
  std::string text;
  write_exact(n, text);
  constexpr std::size_t kLongest = 80;
  return text.size() <= kLongest ? text : short_text(n, 40);
}

std::string short_text(Number n, int digits) {
  std::string text;
  if (!n.missing()) write_significant(n, digits, text);
  return text;
}

}  // namespace assay
