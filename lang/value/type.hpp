// Static types. A type is an index into a TypeTable; equal structural types have equal indices. Number types include
// their range and text types their choices: they are checked when a record is read, and used by the checker. Whether a
// value may be missing is not part of its type: expressions and fields store it beside the type, lists and maps for
// their items.
#pragma once

#include "lang/text/budget.hpp"
#include "lang/value/arena.hpp"
#include "lang/value/text_index.hpp"
#include "lang/value/value.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

using TypeId = std::uint32_t;

enum class TypeKind : std::uint8_t {
  unknown,  // of the word `missing`, of the items of an empty list, of a recursion not inferred yet: fits every type
  number,
  boolean,
  text,
  list,
  map,  // text → element
  record,
  range,
  any,     // any value of a record, as JSON: its type can be tested, its parts read, and it can be shown
  either,  // one of several types of different kinds, so that a value shows which one it has
};

// The types of `x is …` and `x as …`.
enum class AskedKind : std::uint8_t {
#define ASSAY_ASKED_KIND(id, ...) id,
#include "lang/value/asked_kinds.def"
#undef ASSAY_ASKED_KIND
};
std::string_view word_of(AskedKind kind);  // as in a rubric
std::string_view say(AskedKind kind);      // for messages: "a number"
AskedKind asked_kind(std::string_view word);

// A missing bound is infinite.
struct Interval {
  Number low, high;
  bool low_open = false, high_open = false;
};

enum class Presence : std::uint8_t { required, optional, defaulted };

struct Field {
  std::string name;
  TypeId type = 0;
  Presence presence = Presence::required;  // for an input; in computed records, optional: may be missing
  Value fallback = missing_value();        // defaulted: a constant
};

struct Type {
  TypeKind kind = TypeKind::unknown;
  bool whole = false;                // number
  bool set = false;                  // list: each text once, in the order of first appearance
  Interval range;                    // number
  std::vector<std::string> choices;  // text; empty: any text
  TextIndex choice_index;
  TypeId element = 0;                // list, map
  bool gaps = false;                 // list, map: items may be missing
  bool mixed = false;                // it is `either`, or contains one
  std::vector<Field> fields;         // record
  std::vector<TypeId> alternatives;  // either: two or more, in the order of their kinds
  std::string name;                  // a declared type's name, for messages
  int depth = 0;                     // nesting of lists, maps and records; a declared one counts when it is complete
  int rubric = -1;                   // record: the input record of that rubric (see `verdict`)
  bool verdict = false;              // record: the verdict of `rubric`; its fields are those that some expression uses

  bool allows(std::string_view text) const { return choices.empty() || choice_index.find(choices, text) >= 0; }
};

inline constexpr TypeId kUnknown = 0, kNumber = 1, kWhole = 2, kBool = 3, kText = 4, kRange = 5, kAny = 6;

class TypeTable {
 public:
  TypeTable();
  const Type& operator[](TypeId id) const { return types_[id]; }
  Type& edit(TypeId id) { return types_[id]; }          // nominal types only, while they are declared
  void complete(TypeId id, std::vector<Field> fields);  // of a nominal type
  TypeKind kind(TypeId id) const { return types_[id].kind; }
  TypeId number(Interval range, bool whole);
  TypeId text(std::vector<std::string> choices);
  TypeId list(TypeId element, bool set = false, bool gaps = false);
  TypeId map(TypeId element, bool gaps = false);
  TypeId values(TypeId map) { return list(types_[map].element, false, types_[map].gaps); }
  TypeId with_gaps_of(TypeId type, TypeId other);  // the two types must fit each other
  TypeId record(std::vector<Field> fields);        // structural
  TypeId nominal(std::string name);                // a new record type, completed through edit()
  // The type of values of one of these types, none of which is `either`; a single type stays itself. False if two of
  // them cannot be told apart.
  bool either(const std::vector<TypeId>& all, TypeId& result);
  // The types that a value of this type may have: the type itself, or its alternatives.
  std::vector<TypeId> alternatives(TypeId id) const;
  TypeId alternative(TypeId id, TypeKind kind) const;  // the alternative of this kind, or kUnknown
  TypeId actual(TypeId id, const Value& given) const;  // the alternative that a given value has
  // The alternatives that `x is …` accepts, and the remaining ones; kUnknown if there is none. For `any`, the possible
  // types of JSON.
  TypeId asked(TypeId id, AskedKind kind);
  TypeId left(TypeId id, AskedKind kind);
  bool scalar(TypeId id) const;  // numbers, texts and conditions, and either of these
  // The type that contains the values of both: the hull of ranges, the union of choices. False if there is none.
  bool unify(TypeId a, TypeId b, TypeId& result) { return merge(a, b, result, false); }
  // The same, but different types combine to `either`.
  bool join(TypeId a, TypeId b, TypeId& result) { return merge(a, b, result, true); }
  // The same for many types: returns the index of the first that does not combine with those before it, or their
  // number.
  std::size_t unify_all(const std::vector<TypeId>& all, TypeId& result, bool join = false);
  // Whether a value of type `from` is accepted where `to` is expected, ignoring ranges and choices.
  bool fits(TypeId from, TypeId to) const;
  // The same, but a computed record also fits a declared type with the same fields, in any order.
  bool shaped(TypeId from, TypeId to) const;
  int field(TypeId record, std::string_view name) const;  // index or -1
  std::string str(TypeId id) const;                       // as in a rubric
  std::string say(TypeId id) const;                       // a value of it, for messages, abbreviated
  std::string say_kind(TypeId id) const;                  // the same without choices and bounds: "a number"
  std::size_t size() const { return types_.size(); }
  NumberPool& numbers() { return numbers_; }
  // Charges types, their nesting and the arithmetic of their ranges to a budget; null, the default: to none.
  void charge_to(Budget* budget) {
    budget_ = budget;
    numbers_.charge_to(budget);
  }

 private:
  bool holds_mixed(const std::vector<Field>& fields) const;
  int deeper(int depth) const;  // one level deeper
  TypeId intern(Type type);
  bool unify_range(const TypeId* all, std::size_t count, TypeId& result, bool join);
  bool merge(TypeId a, TypeId b, TypeId& result, bool join);
  bool merge_parts(TypeId a, TypeId b, TypeId& result, bool join);
  bool merge_either(TypeId a, TypeId b, TypeId& result, bool join);
  void write(TypeId id, std::string& out) const;
  void write_element(TypeId id, std::string& out) const;
  std::string brief(TypeId id, int depth) const;
  std::deque<Type> types_;
  std::unordered_map<std::string, TypeId> known_;
  // Types share their parts, so each pair is compared once; otherwise the work would double with each level.
  std::map<std::pair<TypeId, TypeId>, std::pair<bool, TypeId>> unified_, joined_;
  mutable std::map<std::pair<TypeId, TypeId>, bool> fitting_;
  NumberPool numbers_;
  Budget* budget_ = nullptr;
};

std::string str(const Interval& range, bool whole);
std::string range_text(const Interval& range);  // behind "is": " >= 0", " 0..1", " 5"

// The kind of a given value. A map and an `any` differ from a record and a text only by their type: an `any` is a text.
inline TypeKind kind_of(const Value& given) {
  if (given.is_number()) return TypeKind::number;
  switch (given.tag()) {
    case ValueTag::boolean: return TypeKind::boolean;
    case ValueTag::text: return TypeKind::text;
    case ValueTag::list: return TypeKind::list;
    case ValueTag::record: return TypeKind::record;
    case ValueTag::map: return TypeKind::map;
    case ValueTag::range: return TypeKind::range;
  }
  return TypeKind::unknown;
}
inline TypeId TypeTable::actual(TypeId id, const Value& given) const {
  return types_[id].kind == TypeKind::either ? alternative(id, kind_of(given)) : id;
}

}  // namespace assay
