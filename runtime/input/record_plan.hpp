// The layout of a rubric's records, made once from the model and used by both readers. A plan also remembers which
// field followed which in the last record, because the records of one source tend to have the same order; this only
// affects the speed.
#pragma once

#include "lang/model/model.hpp"
#include "lang/number/powers_of_ten.hpp"
#include "lang/value/arena.hpp"
#include "lang/value/map.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

struct RecordPlan;

inline constexpr int kPlainDigits = 18;  // always fits 64 bits
static_assert(kPlainDigits <= kMostPowerOfTen);

struct ValuePlan {
  TypeId id = kUnknown;
  const Type* type = nullptr;
  TypeKind kind = TypeKind::unknown;
  bool text_set = false;                                      // a list that holds each text once
  const ValuePlan* element = nullptr;                         // list, map
  RecordPlan* record = nullptr;                               // record
  std::vector<const ValuePlan*> alternatives;                 // either
  const ValuePlan* alternative(TypeKind wanted) const;        // the alternative of this kind, this plan itself, or null
  const ValuePlan* alternative_of(char first_of_json) const;  // of either: null if none matches
  // number: for each number of decimals, the bounds of n in n / 10^decimals
  struct Bounds {
    std::int64_t low = INT64_MIN, high = INT64_MAX;
  } bounds[kPlainDigits + 1];
  bool allows(std::int64_t n, std::size_t decimals) const {
    return n >= bounds[decimals].low && n <= bounds[decimals].high &&
           (!type->whole || decimals == 0 || n % kPowersOfTen[decimals] == 0);
  }
  // text: whether it is one of the type's choices
  bool allows(std::string_view text) const { return type->allows(text); }
};

// The alternative of an `either` type for JSON with this first character; kUnknown if none matches.
TypeId alternative_of(const TypeTable& types, TypeId either, char first_of_json);

// `"name":` as words, to compare with a text followed by eight readable bytes.
class KeyPattern {
 public:
  explicit KeyPattern(std::string_view name);
  bool matches(const char* p) const {
    std::uint64_t word;
    for (const std::uint64_t expected : words_) {
      std::memcpy(&word, p, sizeof word);
      if (word != expected) return false;
      p += sizeof word;
    }
    std::memcpy(&word, p, sizeof word);
    return ((word ^ last_) & mask_) == 0;
  }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::uint64_t> words_;  // all but the last
  std::uint64_t last_ = 0, mask_ = 0;
  std::size_t size_ = 0;
};

struct FieldPlan {
  std::string_view name;
  TypeId type = kUnknown;
  Presence presence = Presence::required;
  Value fallback = missing_value();
  const ValuePlan* value = nullptr;
  KeyPattern key;
};

struct RecordPlan {
  std::vector<FieldPlan> fields;
  std::vector<std::uint32_t> table;  // open addressing by hash_text, position + 1
  std::uint32_t mask = 0;
  std::vector<std::uint32_t> after;  // after[i + 1]: the field seen after field i; after[0]: the first

  void index();
  std::int64_t find(std::string_view name) const {
    std::uint32_t at = static_cast<std::uint32_t>(hash_text(name)) & mask;
    while (const std::uint32_t found = table[at]) {
      if (fields[found - 1].name == name) return found - 1;
      at = (at + 1) & mask;
    }
    return -1;
  }
};

class RecordPlans {
 public:
  RecordPlans(const Model& model, int rubric);  // the model must outlive it
  RecordPlan& top() { return top_; }
  RecordPlan& of(TypeId record) { return *records_[record]; }
  const ValuePlan& value(TypeId type) const { return *values_[type]; }
  // True if a map is among the inputs.
  bool has_maps() const { return has_maps_; }

 private:
  const ValuePlan* plan(const Model& model, TypeId id);
  void plan_parts(const Model& model);

  RecordPlan top_;
  std::vector<std::unique_ptr<ValuePlan>> values_;    // by type
  std::vector<std::unique_ptr<RecordPlan>> records_;  // by type
  std::vector<ValuePlan*> pending_;                   // whose parts are not planned yet
  bool has_maps_ = false;
};

// Marks the fields of one object that have been read.
class Seen {
 public:
  Seen(std::size_t fields, Arena& arena) {
    if (fields <= 64) return;
    const std::size_t count = (fields + 63) / 64;
    words_ = arena.array<std::uint64_t>(count);
    std::memset(words_, 0, count * sizeof(std::uint64_t));
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;
  bool add(std::size_t i) {  // false: it was marked already
    std::uint64_t& word = words_[i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
    return true;
  }

 private:
  std::uint64_t few_ = 0;
  std::uint64_t* words_ = &few_;
};

inline bool inside(Number n, const Interval& range) {
  if (!range.low.missing()) {
    const int order = compare(n, range.low);
    if (order < 0 || (order == 0 && range.low_open)) return false;
  }
  if (!range.high.missing()) {
    const int order = compare(n, range.high);
    if (order > 0 || (order == 0 && range.high_open)) return false;
  }
  return true;
}

// A list of the items read; for a set of texts, each text once, in the order of first appearance.
Value make_items(const Value* items, std::size_t count, bool text_set, Arena& arena);

}  // namespace assay
