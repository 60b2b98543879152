// Values → JSON text. How a rubric's verdict is written is decided once, in the constructor: keys are rendered with
// their quotes and commas, so that writing a verdict copies prepared pieces and prints numbers.
#pragma once

#include "lang/model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// How numbers are shown, at every depth of a value.
inline constexpr int kAsGiven = -1;      // the shortest exact decimal
inline constexpr int kSignificant = -2;  // whole numbers exactly, others with at most 12 significant digits

class ValueWriter {
 public:
  explicit ValueWriter(const TypeTable& types) : types_(types) {}
  // Appends the JSON of a value. False: `limit` bytes are exceeded.
  bool write(TypeId type, const Value& value, int decimals, std::string& out, std::size_t limit = ~std::size_t{0});

 private:
  const std::vector<std::string>& keys(TypeId record);
  void write_value(TypeId type, const Value& value, int decimals, std::string& out);

  const TypeTable& types_;
  std::vector<std::vector<std::string>> keys_;  // by record type: {"a":   ,"b":
  std::size_t limit_ = 0;
};

// A number as a verdict shows it, and its value as shown.
void write_number(Number n, int decimals, std::string& out);

struct FieldSpan {
  std::size_t begin = 0, end = 0;  // of the value's text in the verdict
};

// Writes {"rubric": …, "version": …, then the fields}.
class VerdictWriter {
 public:
  // `fields` in their order; all of them belong to `rubric`; in front, the rubric's name and version where asked for.
  VerdictWriter(const Model& model, int rubric, std::vector<VerdictField> fields, bool with_name = true,
                bool with_version = true);
  const std::vector<VerdictField>& fields() const { return fields_; }
  TypeId type(std::size_t field) const { return types_[field]; }
  TypeKind kind(std::size_t field) const { return kinds_[field]; }
  std::string_view name_json() const { return name_; }
  std::string_view version_json() const { return version_; }
  // The position of a field, or -1.
  int find(std::string_view name) const;
  // Replaces `out`; `values` and `spans`: one per field. False: `limit` bytes are exceeded.
  bool write(const Value* values, std::string& out, std::vector<FieldSpan>& spans, std::size_t limit);

 private:
  std::vector<VerdictField> fields_;
  std::vector<TypeId> types_;
  std::vector<TypeKind> kinds_;
  std::string name_, version_;  // of the rubric, as JSON
  std::vector<std::string> prefixes_;  // ,"score":
  std::string head_;                   // {"rubric":"judge","version":"1.0"
  ValueWriter writer_;
};

}  // namespace assay
