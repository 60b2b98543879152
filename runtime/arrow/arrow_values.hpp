// Values of verdicts as arrays, built from the JSON of each value by its type in the rubric.
#pragma once

#include "lang/value/type.hpp"
#include "runtime/arrow/arrow_export.hpp"
#include "runtime/json/json_tree.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

// Converts a number as shown to a 128-bit decimal with `scale` digits after the point. False: it has more digits.
bool parse_decimal128(std::string_view json, int scale, std::int64_t& low, std::int64_t& high);

// Appends values of one type. Numbers become float64, or decimal128 if they are rounded and that is requested; texts
// large utf8; lists large lists; records structs; and values without such a form (maps, ranges, values of any type,
// records that contain themselves) their JSON text.
class ValueBuilder {
 public:
  ValueBuilder(const TypeTable& types, TypeId type, std::string name, int decimals, bool as_decimals);
  // A record of texts, for errors.
  static ValueBuilder texts(std::string name, const std::vector<std::string>& members);
  void append(const JsonNode* value);  // null or JSON's null: missing
  void append_missing(std::int64_t count);
  void append_text(std::string_view text);
  void append_texts(const std::vector<std::string_view>& texts);  // for a builder made by texts()
  bool fits() const;        // false: some number had too many digits for a decimal, and is missing
  ArrowOwned type() const;  // without rows
  ArrowOwned finish();      // all rows

 private:
  enum class Form : std::uint8_t { number, decimal, truth, text, json, list, record };
  ValueBuilder() = default;
  struct Growth;  // of a tree of builders
  ValueBuilder(const TypeTable& types, TypeId type, std::string name, int decimals, bool as_decimals, Growth& growth);
  std::string format() const;
  void append_valid(bool valid);
  void append_bytes(std::string_view bytes);
  Form form_ = Form::json;
  std::string name_;
  int scale_ = 0;
  bool fits_ = true;
  std::int64_t length_ = 0, nulls_ = 0;
  std::vector<std::uint8_t> valid_;
  std::vector<double> numbers_;
  std::vector<std::int64_t> words_;  // decimals: two words each; texts and lists: end positions
  std::string bytes_;                // texts; truths as bits
  std::vector<ValueBuilder> children_;
  std::vector<std::string> keys_;  // of records
};

// Sets a bit, eight per byte.
inline void set_bit(std::uint8_t* bits, std::int64_t i) {
  bits[i >> 3] = static_cast<std::uint8_t>(bits[i >> 3] | 1u << (i & 7));
}

}  // namespace assay
