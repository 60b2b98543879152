// One function for each kind of value; all of them stop at the first byte that is not plain. The zero bytes after the
// text stop every loop, so there is no bound to be checked.
#include "runtime/plain_reader.hpp"

#include "runtime/json_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay {

namespace {

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
inline const char* space(const char* p) {
  while (is_space(*p)) ++p;
  return p;
}
// Mostly there is none.
inline const char* after_space(const char* p) { return static_cast<unsigned char>(*p) > ' ' ? p : space(p); }

inline unsigned digit(char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; }

inline const char* number(const char* p, const ValuePlan& plan, Value& out) {
  const bool negative = *p == '-';
  p += negative;
  const char* const first = p;
  unsigned d = digit(*p);
  if (d > 9) return nullptr;
  std::uint64_t value = d;
  while ((d = digit(*++p)) <= 9) value = value * 10 + d;
  const std::ptrdiff_t whole = p - first;
  if (*first == '0' && whole > 1) return nullptr;
  std::size_t decimals = 0;
  if (*p == '.') {
    const char* const point = p + 1;
    while ((d = digit(*++p)) <= 9) value = value * 10 + d;
    if (p == point) return nullptr;
    decimals = static_cast<std::size_t>(p - point);
  }
  // A value that has overflowed has more digits, too.
  if (p - first > kPlainDigits || (*p | 0x20) == 'e') return nullptr;
  const std::int64_t n = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  if (!plan.allows(n, decimals)) return nullptr;
  out.number = {n, kPowersOfTen[decimals]};
  return p;
}

constexpr std::uint64_t repeat(unsigned char c) { return 0x0101010101010101u * c; }
constexpr std::uint64_t kHigh = repeat(0x80);

// From the first character of a text to its closing quote; null when there is an escape, a control character or what
// is not UTF-8.
const char* text_end(const char* p) {
  for (;;) {
    if constexpr (std::endian::native == std::endian::little) {
      // Eight characters at once: the lowest marked byte is the first that is not an ordinary ASCII character.
      std::uint64_t word;
      std::memcpy(&word, p, sizeof word);
      const std::uint64_t quote = word ^ repeat('"');
      const std::uint64_t escape = word ^ repeat('\\');
      const std::uint64_t marks = (((word - repeat(0x20)) & ~word) | ((quote - repeat(1)) & ~quote) |
                                   ((escape - repeat(1)) & ~escape) | word) & kHigh;
      if (marks == 0) {
        p += sizeof word;
        continue;
      }
      p += std::countr_zero(marks) / 8;
    }
    const unsigned char c = static_cast<unsigned char>(*p);
    if (c == '"') return p;
    if (c < 0x20 || c == '\\') return nullptr;
    if (c < 0x80) {
      ++p;
      continue;
    }
    const std::size_t length = utf8_length({p, 4});
    if (length == 0) return nullptr;
    p += length;
  }
}

inline bool starts(const char* p, const char (&word)[5]) { return std::memcmp(p, word, 4) == 0; }

inline const char* boolean(const char* p, Value& out) {
  const bool truth = *p == 't';
  if (truth ? !starts(p, "true") : !starts(p, "fals") || p[4] != 'e') return nullptr;
  out = make_bool(truth);
  return p + (truth ? 4 : 5);
}

inline bool is_number_character(char c) {
  return digit(c) <= 9 || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

}  // namespace

bool PlainReader::read(std::string_view text, RecordPlan& plan, Value* slots, Arena& arena) {
  arena_ = &arena;
  items_.clear();
  const char* p = after_space(text.data());
  if (*p != '{') return false;
  p = record(p + 1, plan, 0, slots);
  const char* const end = text.data() + text.size();
  if (p == nullptr || p > end) return false;  // beyond: it went on into the next line, which is another record's
  while (p < end && is_space(*p)) ++p;
  return p == end;
}

const char* PlainReader::record(const char* p, RecordPlan& plan, int depth, Value* out) {
  const std::size_t count = plan.fields.size();
  if (depth >= limits_.nesting || count == 0 || count > 64) return nullptr;
  std::uint64_t seen = 0, given = 0;
  p = after_space(p);
  if (*p == '}') {
    ++p;
  } else {
    std::size_t before = 0;
    for (;;) {
      std::size_t at = plan.after[before];
      if (plan.fields[at].key.matches(p)) {
        p += plan.fields[at].key.size();
      } else {
        if (*p != '"') return nullptr;
        const char* const name = p + 1;
        p = text_end(name);
        if (p == nullptr) return nullptr;
        const std::int64_t found = plan.find({name, static_cast<std::size_t>(p - name)});
        p = after_space(p + 1);
        if (*p != ':') return nullptr;
        ++p;
        at = static_cast<std::size_t>(found);
        if (found < 0) {
          p = skip(after_space(p), depth + 1);
          if (p == nullptr) return nullptr;
        } else {
          plan.after[before] = static_cast<std::uint32_t>(at);
        }
      }
      if (at < count) {
        const std::uint64_t bit = std::uint64_t{1} << at;
        if ((seen & bit) != 0) return nullptr;
        seen |= bit;
        p = after_space(p);
        if (*p == 'n') {
          if (!starts(p, "null")) return nullptr;
          p += 4;
        } else {
          const ValuePlan& type = *plan.fields[at].value;
          p = type.kind == TypeKind::number    ? number(p, type, out[at])
              : type.kind == TypeKind::boolean ? boolean(p, out[at])
                                               : value(p, type, depth + 1, out[at]);
          if (p == nullptr) return nullptr;
          given |= bit;
        }
        before = at + 1;
      }
      p = after_space(p);
      const char next = *p++;
      if (next == '}') break;
      if (next != ',') return nullptr;
      p = after_space(p);
    }
  }
  const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  for (std::uint64_t left = all & ~given; left != 0; left &= left - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(left));
    const FieldPlan& field = plan.fields[at];
    if (field.presence == Presence::required) return nullptr;
    out[at] = field.presence == Presence::defaulted ? field.fallback : missing_value();
  }
  return p;
}

const char* PlainReader::value(const char* p, const ValuePlan& plan, int depth, Value& out) {
  switch (plan.kind) {
    case TypeKind::number: return number(p, plan, out);
    case TypeKind::boolean: return boolean(p, out);
    case TypeKind::text: {
      if (*p != '"') return nullptr;
      const char* const begin = p + 1;
      p = text_end(begin);
      if (p == nullptr) return nullptr;
      const std::string_view text(begin, static_cast<std::size_t>(p - begin));
      if (text.size() > limits_.text_bytes || !plan.allows(text)) return nullptr;
      out = make_text(text);
      return p + 1;
    }
    case TypeKind::list: return *p == '[' ? list(p + 1, plan, depth, out) : nullptr;
    case TypeKind::record: {
      if (*p != '{') return nullptr;
      Value* fields = arena_->array<Value>(plan.record->fields.size());
      p = record(p + 1, *plan.record, depth, fields);
      if (p != nullptr) out = make_record(fields, static_cast<std::uint32_t>(plan.record->fields.size()));
      return p;
    }
    case TypeKind::any: {
      const char* const end = skip(p, depth);
      if (end != nullptr) out = make_text({p, static_cast<std::size_t>(end - p)});
      return end;
    }
    default: return nullptr;
  }
}

const char* PlainReader::list(const char* p, const ValuePlan& plan, int depth, Value& out) {
  if (depth >= limits_.nesting) return nullptr;
  const std::size_t base = items_.size();
  p = after_space(p);
  if (*p == ']') {
    ++p;
  } else {
    for (;;) {
      Value item = missing_value();
      p = value(p, *plan.element, depth + 1, item);
      if (p == nullptr || items_.size() - base >= limits_.list_items) return nullptr;
      items_.push_back(item);
      p = after_space(p);
      const char next = *p++;
      if (next == ']') break;
      if (next != ',') return nullptr;
      p = after_space(p);
    }
  }
  out = make_items(items_.data() + base, items_.size() - base, plan.text_set, *arena_);
  items_.resize(base);
  return p;
}

// Passes over a value that nobody needs and sees that it is well-formed.
const char* PlainReader::skip(const char* p, int depth) {
  switch (*p) {
    case '"': p = text_end(p + 1); return p == nullptr ? nullptr : p + 1;
    case 't': return starts(p, "true") ? p + 4 : nullptr;
    case 'f': return starts(p, "fals") && p[4] == 'e' ? p + 5 : nullptr;
    case 'n': return starts(p, "null") ? p + 4 : nullptr;
    case '{':
    case '[': {
      if (depth >= limits_.nesting) return nullptr;
      const bool object = *p == '{';
      const char close = object ? '}' : ']';
      p = after_space(p + 1);
      if (*p == close) return p + 1;
      for (;;) {
        if (object) {
          if (*p != '"') return nullptr;
          p = text_end(p + 1);
          if (p == nullptr) return nullptr;
          p = after_space(p + 1);
          if (*p != ':') return nullptr;
          p = after_space(p + 1);
        }
        p = skip(p, depth + 1);
        if (p == nullptr) return nullptr;
        p = after_space(p);
        const char next = *p++;
        if (next == close) return p;
        if (next != ',') return nullptr;
        p = after_space(p);
      }
    }
    default: {
      const char* end = p;
      while (is_number_character(*end)) ++end;
      return is_json_number({p, static_cast<std::size_t>(end - p)}) ? end : nullptr;
    }
  }
}

}  // namespace assay
