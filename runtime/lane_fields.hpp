// The loop over the fields of an object, for one instruction set: included by lane_reader.cpp for each, with
// ASSAY_FIELDS_SET (a namespace), ASSAY_FIELDS_OBJECT (the member of LaneReader), ASSAY_FIELDS_TARGET (an attribute)
// and ASSAY_FIELDS_NEWER defined. The newer processors' comparisons and shifts are a good part of what a number costs.

namespace {
namespace ASSAY_FIELDS_SET {

// Whether the key at p is the expected one; `care`: of which of the first bytes that is asked.
ASSAY_FIELDS_TARGET ASSAY_INLINE bool expected(const ExpectedField& field, const char* p, std::uint32_t care) {
#if ASSAY_FIELDS_NEWER
  const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  const __m256i pattern = _mm256_load_si256(reinterpret_cast<const __m256i*>(field.pattern));
  const auto same = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(text, pattern)));
  return (~same & field.mask & care) == 0 &&
         (field.size <= ExpectedField::kPattern || field.rest_matches(p + ExpectedField::kPattern));
#else
  return field.matches(p, care);
#endif
}

// A number of at most seven characters that fits the place, or null. What may follow a number is seen by the caller.
ASSAY_FIELDS_TARGET ASSAY_INLINE const char* short_number(const char* p, const Place& place, char* lanes) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  // Most often a digit, a point and up to three digits more.
  std::uint16_t first;
  std::uint32_t rest;
  std::memcpy(&first, p, sizeof first);
  std::memcpy(&rest, p + 2, sizeof rest);
  if (const std::uint32_t whole = static_cast<std::uint16_t>(first - 0x2e30u); whole <= 9) [[likely]] {
    rest ^= 0x30303030u;
    const std::uint32_t others = ((rest + 0x76767676u) | rest) & 0x80808080u;
    const auto size = static_cast<std::uint32_t>(std::countr_zero(others)) & 0x38u;  // 8 times how many there are
    if (size - 8 < place.fraction) [[likely]] {
      rest &= static_cast<std::uint32_t>((std::uint64_t{1} << size) - 1);
      std::uint32_t four = (rest << 8 | whole) << place.shift;  // the digits, last one highest; in pairs, in one
      four = four * 10 + (four >> 8);
      const std::uint64_t value = ((four & 0x00ff00ffu) * 0x640001u) >> 16;
      if (value - static_cast<std::uint64_t>(place.low) > place.span) return nullptr;
      put_lane(lanes, place.given_at, 1);
      put_lane(lanes, place.at, static_cast<std::int64_t>(value));
      return p + 2 + size / 8;
    }
  }
  const std::uint64_t digits = word_at(p) ^ repeated('0');
  // The high bits of the bytes that are no digits; right up to the second of them, which is enough.
  std::uint64_t others = ((digits + repeated(0x76)) | digits) & repeated(0x80);
  if (others == 0) return nullptr;
  const auto whole = static_cast<unsigned>(std::countr_zero(others)) / 8;  // digits before the point
  if (whole == 0 || (whole > 1 && (digits & 0xff) == 0)) return nullptr;   // none, or 01
  unsigned size = whole, fraction = 0;
  std::uint64_t value;
  if (p[whole] == '.') {
    others &= others - 1;
    if (others == 0) return nullptr;
    size = static_cast<unsigned>(std::countr_zero(others)) / 8;
    fraction = size - whole - 1;
    if (fraction - 1u >= place.decimals) return nullptr;  // none, or more than the lane has
    value = digits << (64 - 8 * size);
    value = (value & kPoint.after[fraction]) | (value & kPoint.before[fraction]) << 8;
  } else {
    value = digits << (64 - 8 * size);
  }
  // The digits, last one highest: in pairs, in fours, in one (Langdale and Lemire, Parsing gigabytes of JSON per
  // second).
  value = value * 10 + (value >> 8);
  value = ((value & 0x000000ff000000ffu) * 0x000f424000000064u +
           ((value >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
          32;
  value *= static_cast<std::uint64_t>(kPowersOfTen[place.decimals - fraction]);
  if (value - static_cast<std::uint64_t>(place.low) > place.span) return nullptr;
  put_lane(lanes, place.given_at, 1);
  put_lane(lanes, place.at, static_cast<std::int64_t>(value));
  return p + size;
}

}  // namespace ASSAY_FIELDS_SET
}  // namespace

template <bool kWide>
ASSAY_FIELDS_TARGET const char* LaneReader::ASSAY_FIELDS_OBJECT(const char* p, Shape& shape, int depth) {
  if (depth >= limits_.nesting) return nullptr;
  char* const lanes = lanes_;
  std::uint64_t seen = 0, null = 0;
  const std::size_t base = seen_.size(), words = shape.all.size();  // kWide: two bits a field, seen and null
  if constexpr (kWide) seen_.resize(base + 2 * words, 0);
  ExpectedField* field = &shape.end;
  std::uint32_t care = ~std::uint32_t{1};  // p is at the '{' and not at a ','
  for (;;) {
    ExpectedField* const before = field;
    field = field->next;
    if (ASSAY_FIELDS_SET::expected(*field, p, care)) [[likely]] {
      p += field->size;
    } else {
      const char* at = p;
      field = locate(at, shape, *before, care != ~std::uint32_t{0}, depth);
      if (field == nullptr) return nullptr;
      p = at;
    }
    care = ~std::uint32_t{0};
    std::uint64_t& had = kWide ? seen_[base + field->word] : seen;
    if ((had & field->bit) != 0) return nullptr;
    had |= field->bit;
    const Place& place = field->place;
    const char* after = nullptr;
    if (place.kind == Place::Kind::number) {  // ifs: a jump through a table costs more than two of them
      after = ASSAY_FIELDS_SET::short_number(p, place, lanes);
      if (after != nullptr) [[likely]] {
        p = after;
        continue;
      }
    } else if (place.kind == Place::Kind::truth) {
      std::int64_t truth;
      if (truth_at(p, truth)) {
        put_lane(lanes, place.given_at, 1);
        put_lane(lanes, place.at, truth);
        p += 5 - truth;
        continue;
      }
    } else if (place.kind == Place::Kind::end) {
      break;
    } else if (place.kind == Place::Kind::text) {
      if (*p == '"') after = text(p, place);
    } else if (place.kind == Place::Kind::record) {
      if (*p == '{')
        after = place.wide ? ASSAY_FIELDS_OBJECT<true>(p, *place.shape, depth + 1)
                           : ASSAY_FIELDS_OBJECT<false>(p, *place.shape, depth + 1);
      for (const LaneWrite& given : place.more_given) given.apply(lanes);
    } else if (place.kind == Place::Kind::texts) {
      if (*p == '[' && depth + 1 < limits_.nesting) after = texts(p + 1, place);
    } else if (place.kind == Place::Kind::list) {
      if (*p == '[' && depth + 1 < limits_.nesting) after = list(p + 1, place, depth + 1);
    } else if (place.kind == Place::Kind::checked) {
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
      // What has failed would fail again, and each level of a nested value twice as often as the one around it.
      if (p == tried && place.kind != Place::Kind::number && place.kind != Place::Kind::any) return nullptr;
      after = value(p, place, depth + 1);
      if (after == nullptr) return nullptr;
    }
    p = after;
    if (place.given != kNoLane) put_lane(lanes, place.given_at, 1);
  }
  if constexpr (kWide) {
    bool whole = true;
    for (std::size_t i = 0; i < words; ++i)
      whole = whole && complete(shape, i, seen_[base + i] & ~seen_[base + words + i]);
    seen_.resize(base);
    return whole ? p : nullptr;
  } else {
    const std::uint64_t all = shape.all.empty() ? 0 : shape.all[0];
    return (seen & ~null) == all || complete(shape, 0, seen & ~null) ? p : nullptr;
  }
}

#undef ASSAY_FIELDS_SET
#undef ASSAY_FIELDS_OBJECT
#undef ASSAY_FIELDS_TARGET
#undef ASSAY_FIELDS_NEWER
