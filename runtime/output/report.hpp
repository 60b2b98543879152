// Values → JSON text. The constructor decides once how a rubric's verdict is written: it prepares keys with their
// quotes and commas, so that writing a verdict copies fragments and prints numbers.
#pragma once

#include "lang/model/model.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// How numbers are shown, at every depth of a value.
inline constexpr int kAsGiven = -1;      // the shortest exact decimal
inline constexpr int kSignificant = -2;  // integers exactly, others with at most 12 significant digits
inline constexpr int kAllDigits = -3;    // integers without an exponent: ids
inline constexpr int kDigits = -100;     // -100 - n: n significant digits

// A text under construction: a growing buffer that is reused. Fragments are copied in whole blocks, which is faster
// than copying exact sizes; kSlack bytes after its end may be overwritten.
class OutputBuffer {
 public:
  static constexpr std::size_t kSlack = 32;
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {text_.get(), size_}; }
  // Room for `bytes` bytes, plus kSlack; end_at() keeps what was written there.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes + kSlack) grow(bytes);
    return text_.get() + size_;
  }
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }
  void put(char c) {
    *room(1) = c;
    ++size_;
  }
  void put(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void put_json_text(std::string_view text);

 private:
  void grow(std::size_t bytes);
  std::unique_ptr<char[]> text_;
  std::size_t size_ = 0, capacity_ = 0;
};

// A constant fragment of text for an OutputBuffer.
class Fragment {
 public:
  explicit Fragment(std::string_view text) : text_(text), size_(text.size()) {
    text_.resize((size_ + 15) / 16 * 16, '\0');
  }
  std::size_t size() const { return size_; }
  void put(OutputBuffer& sheet) const { sheet.end_at(put(sheet.room(size_))); }
  // Copies it where there is room for it and kSlack. Returns the end.
  char* put(char* to) const {
    for (std::size_t at = 0; at < size_; at += 16) std::memcpy(to + at, text_.data() + at, 16);
    return to + size_;
  }

 private:
  std::string text_;  // padded to whole blocks
  std::size_t size_;
};

class ValueWriter {
 public:
  explicit ValueWriter(const TypeTable& types) : types_(types) {}
  // Appends the JSON of a value. False: `limit` bytes are exceeded.
  bool write(TypeId type, const Value& value, int decimals, std::string& out, std::size_t limit = ~std::size_t{0});
  // The same into an OutputBuffer.
  bool write(TypeId type, const Value& value, int decimals, OutputBuffer& out, std::size_t limit);
  // Why the last value was not written; `what`: "the verdict".
  InputError error(std::string_view what, std::size_t limit) const;
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }  // checked while writing; null: none

 private:
  // Prepared data about a type.
  struct Form {
    struct Member {
      Fragment key;  // {"a":   ,"b":
      TypeId type;
      TypeKind kind;
    };
    bool known = false;
    TypeKind kind = TypeKind::unknown;
    TypeId element = 0;
    std::vector<Member> members;
  };
  const Form& form(TypeId type) {
    if (type < forms_.size() && forms_[type].known) return forms_[type];
    return new_form(type);
  }
  const Form& new_form(TypeId type);
  void write_value(TypeId type, const Value& value, int decimals, OutputBuffer& out);
  void write_record(const Form& form, const Value* fields, int decimals, OutputBuffer& out);
  void write_number(Number n, int decimals, OutputBuffer& out);

  enum class End : std::uint8_t { none, deep, stopped };
  bool enter();                       // begins a list or map; false: it is nested too deeply, or the interrupt is due
  bool goes_on(std::uint32_t count);  // checks the interrupt from time to time
  bool stop(End end);

  const TypeTable& types_;
  std::deque<Form> forms_;  // by type
  std::size_t limit_ = 0;
  const Interrupt* interrupt_ = nullptr;
  int depth_ = 0;
  std::uint32_t parts_ = 0;
  End end_ = End::none;
  std::string rare_;  // buffer for the slow path
  OutputBuffer sheet_;
};

// Writes a number as a verdict shows it, and returns that value.
void write_number(Number n, int decimals, std::string& out);

struct FieldSpan {
  std::size_t begin = 0, end = 0;  // position of the value's text in the verdict
};

// Writes {"rubric": …, "version": …, "scoring_hash": …, then the fields}.
class VerdictWriter {
 public:
  // `fields` in their order, all of `rubric`; optionally preceded by the name and version of the rubric.
  VerdictWriter(const Model& model, int rubric, std::vector<VerdictField> fields, bool with_name = true,
                bool with_version = true, bool with_hash = true);
  const std::vector<VerdictField>& fields() const { return fields_; }
  TypeId type(std::size_t field) const { return types_[field]; }
  TypeKind kind(std::size_t field) const { return kinds_[field]; }
  std::string_view name_json() const { return name_; }
  std::string_view version_json() const { return version_; }
  std::string_view hash_json() const { return hash_; }
  // The position of a field, or -1.
  int find(std::string_view name) const;
  // Replaces `out`; `values` and `spans`: one per field. False: `error`, usually that `limit` bytes are exceeded.
  bool write(const Value* values, std::string& out, std::vector<FieldSpan>& spans, std::size_t limit,
             InputError& error);
  void watch(const Interrupt* interrupt) { writer_.watch(interrupt); }

 private:
  std::vector<VerdictField> fields_;
  std::vector<TypeId> types_;
  std::vector<TypeKind> kinds_;
  std::string name_, version_, hash_;  // of the rubric, as JSON
  std::vector<Fragment> prefixes_;     // ,"score":
  std::string head_;                   // {"rubric":"judge","version":"1.0","scoring_hash":"…"
  ValueWriter writer_;
  OutputBuffer sheet_;
};

}  // namespace assay
