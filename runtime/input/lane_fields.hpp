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
      after = short_number(p, place, lanes);
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
