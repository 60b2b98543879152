// Writes the JSON of answers: members in order, with their commas.
#pragma once

#include "lang/number/number.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

class JsonOut {
 public:
  JsonOut& object() { return open('{'); }
  JsonOut& list() { return open('['); }
  JsonOut& end_object() { return close('}'); }
  JsonOut& end_list() { return close(']'); }
  JsonOut& key(std::string_view name);
  JsonOut& text(std::string_view value);
  JsonOut& text_or_null(std::string_view value) { return value.empty() ? raw("null") : text(value); }
  JsonOut& raw(std::string_view json);     // JSON, copied unchanged; empty: null
  JsonOut& exact(std::string_view value);  // a decimal as a number, a fraction as a text, empty: null
  JsonOut& number(double value);           // null for NaN; 10 significant digits
  JsonOut& count(std::size_t value) { return raw(std::to_string(value)); }
  JsonOut& truth(bool value) { return raw(value ? "true" : "false"); }
  std::string take() { return std::move(out_); }

 private:
  JsonOut& open(char c);
  JsonOut& close(char c);
  void before();

  std::string out_;
  bool first_ = true;
};

// A decimal, or a fraction if the decimal does not terminate within 60 places; empty: missing.
std::string exact_or_short(Number n);
// At most `digits` significant digits.
std::string short_text(Number n, int digits = 12);

}  // namespace assay
