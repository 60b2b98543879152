// JSON values → arrays.
#include "runtime/arrow/arrow_values.hpp"

#include <charconv>
#include <cstring>

namespace assay {

namespace {

constexpr std::size_t kMostLevels = 16;   // of lists and records; deeper ones are JSON texts …
constexpr std::size_t kMostParts = 5000;  // … and so do further parts after this many
constexpr int kDecimalDigits = 38;        // of a decimal128

template <class T>
ArrowBuffer buffer_of(const T* from, std::size_t count) {
  ArrowBuffer buffer(count * sizeof(T));
  if (count > 0) std::memcpy(buffer.data(), from, count * sizeof(T));
  return buffer;
}

}  // namespace

bool parse_decimal128(std::string_view json, int scale, std::int64_t& low, std::int64_t& high) {
  bool negative = false;
  if (!json.empty() && json.front() == '-') {
    negative = true;
    json.remove_prefix(1);
  }
  std::string digits;
  std::int64_t exponent = 0;
  bool behind = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '.') {
      behind = true;
    } else if (c == 'e' || c == 'E') {
      const std::size_t from = i + (i + 1 < json.size() && json[i + 1] == '+' ? 2 : 1);
      std::int64_t power = 0;
      if (std::from_chars(json.data() + from, json.data() + json.size(), power).ec != std::errc()) return false;
      if (power > 1000 || power < -100'000) return false;
      exponent += power;
      break;
    } else {
      digits += c;
      exponent -= behind ? 1 : 0;
    }
  }
  std::int64_t zeros = exponent + scale;  // to append or remove
  const std::size_t first = digits.find_first_not_of('0');
  digits = first == std::string::npos ? "" : digits.substr(first);
  for (; zeros < 0 && !digits.empty(); ++zeros, digits.pop_back()) {
    if (digits.back() != '0') return false;
  }
  if (digits.empty()) zeros = 0;
  if (digits.size() + static_cast<std::size_t>(zeros) > static_cast<std::size_t>(kDecimalDigits)) return false;
  digits.append(static_cast<std::size_t>(zeros), '0');
  std::uint64_t words[2] = {0, 0};
  for (const char c : digits) {  // times ten, in parts of 32 bits
    std::uint64_t carry = static_cast<std::uint64_t>(c - '0');
    for (std::uint64_t& word : words) {
      const std::uint64_t lower = (word & 0xffffffffu) * 10 + carry;
      const std::uint64_t upper = (word >> 32) * 10 + (lower >> 32);
      word = upper << 32 | (lower & 0xffffffffu);
      carry = upper >> 32;
    }
  }
  if (negative) {
    words[0] = ~words[0] + 1;
    words[1] = ~words[1] + (words[0] == 0 ? 1 : 0);
  }
  low = static_cast<std::int64_t>(words[0]);
  high = static_cast<std::int64_t>(words[1]);
  return true;
}

struct ValueBuilder::Growth {
  std::vector<TypeId> within;  // the enclosing lists and records
  std::size_t parts = 0;

  bool enter(TypeId type) {
    for (const TypeId around : within) {
      if (around == type) return false;  // a record that contains itself
    }
    if (within.size() >= kMostLevels || parts >= kMostParts) return false;
    within.push_back(type);
    return true;
  }
};

ValueBuilder::ValueBuilder(const TypeTable& types, TypeId type, std::string name, int decimals, bool as_decimals) {
  Growth growth;
  *this = ValueBuilder(types, type, std::move(name), decimals, as_decimals, growth);
}

ValueBuilder::ValueBuilder(const TypeTable& types, TypeId id, std::string name, int decimals, bool as_decimals,
                           Growth& growth)
    : name_(std::move(name)) {
  const Type& type = types[id];
  ++growth.parts;
  switch (type.kind) {
    case TypeKind::number:
      form_ = as_decimals && decimals >= 0 && decimals < kDecimalDigits ? Form::decimal : Form::number;
      scale_ = decimals;
      return;
    case TypeKind::boolean: form_ = Form::truth; return;
    case TypeKind::text: form_ = Form::text; return;
    case TypeKind::list:
    case TypeKind::record:
      if ((type.kind == TypeKind::record && type.fields.empty()) || !growth.enter(id)) return;
      form_ = type.kind == TypeKind::list ? Form::list : Form::record;
      if (form_ == Form::list)
        children_.push_back(ValueBuilder(types, type.element, "item", decimals, as_decimals, growth));
      for (const Field& field : type.fields) {
        keys_.push_back(field.name);
        children_.push_back(ValueBuilder(types, field.type, field.name, decimals, as_decimals, growth));
      }
      growth.within.pop_back();
      return;
    default: return;
  }
}

ValueBuilder ValueBuilder::texts(std::string name, const std::vector<std::string>& members) {
  ValueBuilder builder;
  builder.name_ = std::move(name);
  builder.form_ = Form::record;
  for (const std::string& member : members) {
    ValueBuilder& child = builder.children_.emplace_back(ValueBuilder());
    child.name_ = member;
    child.form_ = Form::text;
    builder.keys_.push_back(member);
  }
  return builder;
}

bool ValueBuilder::fits() const {
  for (const ValueBuilder& child : children_) {
    if (!child.fits()) return false;
  }
  return fits_;
}

void ValueBuilder::append_valid(bool valid) {
  if (length_ % 8 == 0) valid_.push_back(0);
  if (valid) set_bit(valid_.data(), length_);
  else ++nulls_;
  ++length_;
}

void ValueBuilder::append_bytes(std::string_view bytes) {
  append_valid(true);
  bytes_ += bytes;
  words_.push_back(static_cast<std::int64_t>(bytes_.size()));
}

void ValueBuilder::append_text(std::string_view text) { append_bytes(text); }

void ValueBuilder::append_texts(const std::vector<std::string_view>& texts) {
  append_valid(true);
  for (std::size_t k = 0; k < children_.size(); ++k) children_[k].append_text(texts[k]);
}

void ValueBuilder::append(const JsonNode* value) {  // recursion limited by the levels
  using Kind = JsonNode::Kind;
  const bool given = value != nullptr && !value->is(Kind::null);
  switch (form_) {
    case Form::number: {
      double number = 0;
      const bool good =
          given && std::from_chars(value->raw.data(), value->raw.data() + value->raw.size(), number).ec == std::errc();
      numbers_.push_back(good ? number : 0);
      return append_valid(good);
    }
    case Form::decimal: {
      std::int64_t low = 0, high = 0;
      const bool good = given && parse_decimal128(value->raw, scale_, low, high);
      fits_ = fits_ && (good || !given);
      words_.push_back(good ? low : 0);
      words_.push_back(good ? high : 0);
      return append_valid(good);
    }
    case Form::truth:
      if (length_ % 8 == 0) bytes_ += '\0';
      if (given && value->truth()) set_bit(reinterpret_cast<std::uint8_t*>(bytes_.data()), length_);
      return append_valid(given);
    case Form::text:
    case Form::json:
      if (given) return append_bytes(form_ == Form::text ? std::string_view(value->text) : value->raw);
      words_.push_back(static_cast<std::int64_t>(bytes_.size()));
      return append_valid(false);
    case Form::list:
      if (given) {
        for (const JsonNode& item : value->items) children_[0].append(&item);
      }
      words_.push_back(children_[0].length_);
      return append_valid(given);
    case Form::record:
      for (std::size_t k = 0; k < children_.size(); ++k) children_[k].append(given ? value->find(keys_[k]) : nullptr);
      return append_valid(given);
  }
}

void ValueBuilder::append_missing(std::int64_t count) {
  if (count <= 0) return;
  if (form_ != Form::text && form_ != Form::json && form_ != Form::record) {
    for (; count > 0; --count) append(nullptr);
    return;
  }
  for (ValueBuilder& child : children_) child.append_missing(count);
  if (form_ != Form::record)
    words_.insert(words_.end(), static_cast<std::size_t>(count), static_cast<std::int64_t>(bytes_.size()));
  length_ += count;
  nulls_ += count;
  valid_.resize(static_cast<std::size_t>((length_ + 7) / 8), 0);
}

std::string ValueBuilder::format() const {
  switch (form_) {
    case Form::number: return "g";
    case Form::decimal: return "d:" + std::to_string(kDecimalDigits) + "," + std::to_string(scale_);
    case Form::truth: return "b";
    case Form::text:
    case Form::json: return "U";
    case Form::list: return "+L";
    case Form::record: return "+s";
  }
  return {};
}

ArrowOwned ValueBuilder::type() const {
  ArrowOwned made;
  made.format = format();
  made.name = name_;
  for (const ValueBuilder& child : children_) made.children.push_back(child.type());
  return made;
}

ArrowOwned ValueBuilder::finish() {
  ArrowOwned made;
  made.format = format();
  made.name = name_;
  made.length = length_;
  made.nulls = nulls_;
  made.buffers.push_back(nulls_ == 0 ? ArrowBuffer() : buffer_of(valid_.data(), valid_.size()));
  if (form_ == Form::text || form_ == Form::json || form_ == Form::list) words_.insert(words_.begin(), 0);
  switch (form_) {
    case Form::number: made.buffers.push_back(buffer_of(numbers_.data(), numbers_.size())); break;
    case Form::truth: made.buffers.push_back(buffer_of(bytes_.data(), bytes_.size())); break;
    case Form::text:
    case Form::json:
      made.buffers.push_back(buffer_of(words_.data(), words_.size()));
      made.buffers.push_back(buffer_of(bytes_.data(), bytes_.size()));
      break;
    case Form::decimal:
    case Form::list: made.buffers.push_back(buffer_of(words_.data(), words_.size())); break;
    case Form::record: break;
  }
  for (ValueBuilder& child : children_) made.children.push_back(child.finish());
  return made;
}

}  // namespace assay
