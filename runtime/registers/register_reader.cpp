// One function for each kind of value; all stop at the first byte that is not plain, at the latest at the byte after
// the record, which no value continues past. The loop over the fields of an object reads numbers and truths itself.
#include "runtime/registers/register_reader.hpp"

#include "runtime/registers/register_values.hpp"

#include <algorithm>

namespace assay {

namespace {

inline const char* space(const char* p) { return skip_space<false>(p); }

// From the end of one list item to the next. False: the list has ended, or is invalid (null).
ASSAY_INLINE bool next_item(const char*& p) {
  if (*p == ',' && p[1] == '"') {
    ++p;
    return true;
  }
  p = space(p);
  const char next = *p++;
  if (next == ',') {
    p = space(p);
    return true;
  }
  if (next != ']') p = nullptr;
  return false;
}

}  // namespace

RegisterReader::RegisterReader(const Model& model, int rubric, std::shared_ptr<const Kernel> kernel,
                               const Limits& limits, bool strict)
    : kernel_(std::move(kernel)), limits_(limits), strict_(strict), layouts_(model, rubric, *kernel_), set_(16) {
  limits_.nesting = std::min(limits_.nesting, kMostNesting);
  for (const KernelResult& result : kernel_->results) {
    if (result.kind == KernelResult::Kind::input) shown_slots_.push_back(result.slot);
  }
}

bool RegisterReader::read(std::string_view line, std::int64_t* registers, std::string_view* shown) {
  if (line.size() > limits_.record_bytes) return false;
  const char* const end = line.data() + line.size();
  const bool carriage = *end == '\r' && end[1] == '\n';
  if (*end != '\n' && *end != '\0' && !carriage) return false;
  return record(line.data(), registers, shown) == end + carriage;
}

void RegisterReader::begin(std::int64_t* registers, std::string_view* shown) {
  registers_ = reinterpret_cast<char*>(registers);
  shown_ = shown;
  for (const std::uint32_t slot : shown_slots_) shown[slot] = {};
  seen_.clear();
  ++records_;
}

const char* RegisterReader::record(const char* p, std::int64_t* registers, std::string_view* shown) {
  if (!usable()) return nullptr;
  begin(registers, shown);
  p = space(p);
  if (*p != '{') return nullptr;
  ObjectLayout& top = layouts_.top();
  p = top.fields.size() > 64 ? object<true>(p, top, 0) : object<false>(p, top, 0);
  if (misfits_ >= restyle_) {
    misfits_ = 0;
    restyle_ *= 2;  // records of both kinds in turn must not cost much
    layouts_.set_spaced(!layouts_.spaced());
  }
  return p == nullptr ? nullptr : space(p);
}

// p is at the quote.
ASSAY_INLINE const char* RegisterReader::text(const char* p, const FieldPlace& place) {
  const char* const end = text_end(p + 1);
  if (end == nullptr) return nullptr;
  const auto size = static_cast<std::size_t>(end - p - 1);
  if (!put_text(p + 1, size, place)) return nullptr;
  if (place.shown >= 0) shown_[place.shown] = {p, size + 2};
  return end + 1;
}

// p is behind the '['.
ASSAY_INLINE const char* RegisterReader::texts(const char* p, const FieldPlace& place) {
  std::size_t count = 0;
  const TextNumbers* const choices = place.element->numbers.get();
  p = space(p);
  if (*p == ']') {
    ++p;
  } else {
    for (;;) {
      if (*p != '"') return nullptr;
      const char* const begin = ++p;
      p = text_end(begin);
      if (p == nullptr) return nullptr;
      if (!add_item(begin, static_cast<std::size_t>(p - begin), place, choices, count)) return nullptr;
      ++p;
      if (next_item(p)) continue;
      if (p == nullptr) return nullptr;
      break;
    }
  }
  return put_items(place, count) ? p : nullptr;
}

template <bool kWide>
const char* RegisterReader::object(const char* p, ObjectLayout& layout, int depth) {
  if (depth >= limits_.nesting) return nullptr;
  char* const registers = registers_;
  std::uint64_t seen = 0, null = 0;
  const std::size_t base = seen_.size(), words = layout.all.size();  // kWide: two bits per field: seen, and null
  if constexpr (kWide) seen_.resize(base + 2 * words, 0);
  ExpectedField* field = &layout.end;
  std::uint32_t care = ~std::uint32_t{1};  // p is at the '{', not at a ','
  for (;;) {
    ExpectedField* const before = field;
    field = field->next;
    if (field->matches(p, care)) [[likely]] {
      p += field->size;
    } else {
      const char* at = p;
      field = locate(at, layout, *before, care != ~std::uint32_t{0}, depth);
      if (field == nullptr) return nullptr;
      p = at;
    }
    care = ~std::uint32_t{0};
    std::uint64_t& had = kWide ? seen_[base + field->word] : seen;
    if ((had & field->bit) != 0) return nullptr;
    had |= field->bit;
    const FieldPlace& place = field->place;
    const char* after = nullptr;
    if (place.kind == FieldPlace::Kind::number) {  // ifs: a jump table would cost more than two of them
      after = short_number(p, place, registers);
      if (after != nullptr) [[likely]] {
        p = after;
        continue;
      }
    } else if (place.kind == FieldPlace::Kind::truth) {
      std::int64_t truth;
      if (truth_at(p, truth)) {
        put_register(registers, place.given_at, 1);
        put_register(registers, place.at, truth);
        p += 5 - truth;
        continue;
      }
    } else if (place.kind == FieldPlace::Kind::end) {
      break;
    } else if (place.kind == FieldPlace::Kind::text) {
      if (*p == '"') after = text(p, place);
    } else if (place.kind == FieldPlace::Kind::record) {
      if (*p == '{')
        after = place.wide ? object<true>(p, *place.layout, depth + 1) : object<false>(p, *place.layout, depth + 1);
      for (const RegisterWrite& given : place.more_given) given.apply(registers);
    } else if (place.kind == FieldPlace::Kind::texts) {
      if (*p == '[' && depth + 1 < limits_.nesting) after = texts(p + 1, place);
    } else if (place.kind == FieldPlace::Kind::list) {
      if (*p == '[' && depth + 1 < limits_.nesting) after = list(p + 1, place, depth + 1);
    } else if (place.kind == FieldPlace::Kind::checked) {
      after = checked(p, place);
    }
    if (after == nullptr) [[unlikely]] {
      const char* const tried = p;
      p = space(p);
      if (*p == 'n') {
        if (!starts(p, "null")) return nullptr;
        p += 4;
        (kWide ? seen_[base + words + field->word] : null) |= field->bit;
        continue;
      }
      // The value has failed before and would fail again, and each level of nesting would double the work.
      if (p == tried && place.kind != FieldPlace::Kind::number && place.kind != FieldPlace::Kind::any) return nullptr;
      after = value(p, place, depth + 1);
      if (after == nullptr) return nullptr;
    }
    p = after;
    if (place.given != kNoReg) put_register(registers, place.given_at, 1);
  }
  if constexpr (kWide) {
    bool whole = true;
    for (std::size_t i = 0; i < words; ++i)
      whole = whole && complete(layout, i, seen_[base + i] & ~seen_[base + words + i]);
    seen_.resize(base);
    return whole ? p : nullptr;
  } else {
    const std::uint64_t all = layout.all.empty() ? 0 : layout.all[0];
    return (seen & ~null) == all || complete(layout, 0, seen & ~null) ? p : nullptr;
  }
}

// Sets the registers of fields that the object lacks. False: the kernel declines the record.
bool RegisterReader::complete(const ObjectLayout& layout, std::size_t word, std::uint64_t given) {
  if (layout.all.empty()) return true;
  for (std::uint64_t left = layout.all[word] & ~given; left != 0; left &= left - 1) {
    const ExpectedField& field = layout.fields[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
    if (field.required) return false;
    for (const RegisterWrite& write : field.absent) write.apply(registers_);
  }
  return true;
}

// A field followed an unexpected one. It becomes the expected one if that happens often.
inline void RegisterReader::learn(ExpectedField& before, ExpectedField& found) {
  if (&found == before.next) return;  // only the spaces differ
  if (before.other != &found || records_ - before.since > 8) {
    before.other = &found;
    before.since = records_;
    before.turns = 0;
  }
  if (++before.turns < 3) return;
  before.other = before.next;
  before.next = &found;
  before.turns = 0;
}

// Finds the field whose key comes next and is not the expected one. p is at the '{' or after a value, and is moved to
// after the colon, or at the end of the object to after the '}'. Fields that the rubric does not name are skipped; in
// strict reading the kernel declines the record.
ExpectedField* RegisterReader::locate(const char*& p, ObjectLayout& layout, ExpectedField& before, bool first,
                                      int depth) {
  const std::size_t lead = layouts_.spaced() ? 2 : 1;      // length of the patterns before the quote
  if (p[1] == '"' && (first || *p == ',') && lead == 1) {  // the usual case: only the order is unexpected
    const char* const end = plain_end<2>(p + 2);
    ExpectedField* const found = layout.find(p + 2, static_cast<std::size_t>(end - p - 2));
    if (found != nullptr && *end == '"' && end[1] == ':') {
      learn(before, *found);
      p = end + 2;
      return found;
    }
  }
  for (;;) {
    const char* at = space(p);
    if (!first && *at == '}') {
      p = at + 1;
      // An object with only unknown fields teaches nothing about the first field, and `end` cannot be compared with a
      // '{'.
      if (&before != &layout.end) learn(before, layout.end);
      return &layout.end;
    }
    if (!first && *at != ',') return nullptr;
    const char* name = space(at + 1);
    if (first && *name == '}') {
      p = name + 1;
      return &layout.end;
    }
    misfits_ += name != at + (first ? 1 : lead);
    first = false;
    if (*name++ != '"') return nullptr;
    const char* end = text_end(name);
    if (end == nullptr) return nullptr;
    ExpectedField* const found = layout.find(name, static_cast<std::size_t>(end - name));
    p = space(end + 1);
    if (*p++ != ':') return nullptr;
    p = space(p);
    if (found != nullptr) {
      learn(before, *found);
      return found;
    }
    if (strict_) return nullptr;
    p = skip(p, depth + 1);
    if (p == nullptr) return nullptr;
  }
}

// Reads any value at a place; p is at its first character.
const char* RegisterReader::value(const char* p, const FieldPlace& place, int depth) {
  switch (place.kind) {
    case FieldPlace::Kind::number: return any_number(p, place);
    case FieldPlace::Kind::truth: {
      std::int64_t truth;
      if (!truth_at(p, truth)) return nullptr;
      put_register(registers_, place.at, truth);
      return p + 5 - truth;
    }
    case FieldPlace::Kind::checked: return checked(p, place);
    case FieldPlace::Kind::text: return *p == '"' ? text(p, place) : nullptr;
    case FieldPlace::Kind::texts:
    case FieldPlace::Kind::list:
      if (*p != '[' || depth >= limits_.nesting) return nullptr;
      return place.kind == FieldPlace::Kind::texts ? texts(p + 1, place) : list(p + 1, place, depth);
    case FieldPlace::Kind::record:
      if (*p != '{') return nullptr;
      return place.wide ? object<true>(p, *place.layout, depth) : object<false>(p, *place.layout, depth);
    case FieldPlace::Kind::any: return skip(p, depth);
    case FieldPlace::Kind::end:
    case FieldPlace::Kind::unknown: break;
  }
  return nullptr;
}

const char* RegisterReader::checked(const char* p, const FieldPlace& place) {
  if (place.plan->kind == TypeKind::number) return any_number(p, place);
  std::int64_t truth;
  if (!truth_at(p, truth)) return nullptr;
  for (RegisterWrite fold : place.folds) {
    fold.value = truth;
    fold.apply(registers_);
  }
  return p + 5 - truth;
}

const char* RegisterReader::any_number(const char* p, const FieldPlace& place) {
  PlainNumber read;
  p = plain_number(p, read);
  if (p == nullptr) return nullptr;
  auto [n, decimals, whole] = read;
  if (!place.plan->allows(n, decimals)) return nullptr;
  if (place.kind != FieldPlace::Kind::number) return p;
  for (; decimals > place.decimals; --decimals, n /= 10) {
    if (n % 10 != 0) return nullptr;
  }
  const std::size_t more = place.decimals - decimals;
  if (whole + static_cast<std::ptrdiff_t>(decimals + more) > kPlainDigits) return nullptr;
  n *= kPowersOfTen[more];
  if (n < place.low || static_cast<std::uint64_t>(n) - static_cast<std::uint64_t>(place.low) > place.span)
    return nullptr;
  put_register(registers_, place.at, n);
  return p;
}

// How many of the first texts of set_ are distinct.
std::size_t RegisterReader::different(std::size_t count) {
  // The first and last eight bytes cover any text of at most sixteen.
  const auto same = [](const Text& a, const Text& b) {
    const bool alike = (a.first == b.first) & (a.last == b.last) & (a.size == b.size);
    return alike && (a.size <= 16 || same_bytes(a.begin, b.begin, a.size));
  };
  if (count == 2) return same(set_[0], set_[1]) ? 1 : 2;
  std::size_t result = 1;
  if (count <= 16) {
    for (std::size_t i = 1; i < count; ++i) {
      bool known = false;
      for (std::size_t k = 0; k < i; ++k) known |= same(set_[k], set_[i]);
      result += !known;
    }
    return result;
  }
  const std::uint32_t size = map_index_size(static_cast<std::uint32_t>(count));
  places_.assign(size, 0);
  result = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t at = static_cast<std::size_t>(fingerprint(set_[i].begin, set_[i].size)) & (size - 1);
    while (places_[at] != 0 && !same(set_[places_[at] - 1], set_[i])) at = (at + 1) & (size - 1);
    if (places_[at] != 0) continue;
    places_[at] = static_cast<std::uint32_t>(i + 1);
    ++result;
  }
  return result;
}

// p is behind the '['.
const char* RegisterReader::list(const char* p, const FieldPlace& place, int depth) {
  const FieldPlace& element = *place.element;
  const bool texts = element.kind == FieldPlace::Kind::any;  // ignored by the kernel, and only skipped
  for (const RegisterWrite& fold : place.folds) fold.apply(registers_);
  std::size_t count = 0;
  p = space(p);
  if (*p == ']') {
    ++p;
  } else {
    for (;;) {
      if (*p == '"' && texts) {
        p = text_end(p + 1);
        if (p == nullptr) return nullptr;
        ++p;
      } else {
        p = value(p, element, depth + 1);
        if (p == nullptr) return nullptr;
      }
      ++count;
      if (next_item(p)) continue;
      if (p == nullptr) return nullptr;
      break;
    }
  }
  if (count > limits_.list_items || count > place.span) return nullptr;
  if (place.reg != kNoReg) put_register(registers_, place.at, static_cast<std::int64_t>(count));
  for (const RegisterWrite& given : place.more_given) given.apply(registers_);
  return p;
}

const char* RegisterReader::skip(const char* p, int depth) { return skip_value<false>(p, depth, limits_.nesting); }

}  // namespace assay
