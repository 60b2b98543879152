// One function for each kind of value; all stop at the first byte that is not plain. The zero bytes after the text stop
// every loop, so no loop checks a bound.
#include "runtime/input/plain_reader.hpp"

#include "lang/value/limit_message.hpp"
#include "runtime/input/plain_json.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay {

namespace {

// Usually there is no space.
inline const char* after_space(const char* p) { return static_cast<unsigned char>(*p) > ' ' ? p : skip_space<true>(p); }

inline const char* number(const char* p, const ValuePlan& plan, Value& out) {
  PlainNumber read;
  p = plain_number(p, read);
  if (p == nullptr || !plan.allows(read.n, read.decimals)) return nullptr;
  out.number = {read.n, kPowersOfTen[read.decimals]};
  return p;
}

inline const char* boolean(const char* p, Value& out) {
  const bool truth = *p == 't';
  if (truth ? !starts(p, "true") : !starts(p, "fals") || p[4] != 'e') return nullptr;
  out = make_bool(truth);
  return p + (truth ? 4 : 5);
}

}  // namespace

bool PlainReader::read(std::string_view text, RecordPlan& plan, Value* slots, Arena& arena) {
  arena_ = &arena;
  items_.clear();
  const char* p = after_space(text.data());
  if (*p != '{') return false;
  p = record(p + 1, plan, 0, slots);
  const char* const end = text.data() + text.size();
  if (p == nullptr || p > end) return false;  // past the end: it continued into the next line, which is another record
  while (p < end && is_space<true>(*p)) ++p;
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
          if (strict_) return nullptr;
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
    case TypeKind::either: {
      const ValuePlan* const one = plan.alternative_of(*p);
      return one == nullptr ? nullptr : value(p, *one, depth, out);
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
      const bool none = plan.type->gaps && *p == 'n';
      if (none) p = std::memcmp(p, "null", 4) == 0 ? p + 4 : nullptr;
      else p = value(p, *plan.element, depth + 1, item);
      if (p == nullptr || items_.size() - base >= limits_.list_items) return nullptr;
      items_.push_back(item);
      if ((items_.size() & 0xff) == 0 && interrupted(interrupt_)) return nullptr;
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

const char* PlainReader::skip(const char* p, int depth) { return skip_value<true>(p, depth, limits_.nesting); }

}  // namespace assay
