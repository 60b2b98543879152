// Static types. A type is an index into a TypeTable; equal structural types have equal indices. Number types carry
// their range and text types their choices: ranges are types, checked at the door of a record and used by the checker.
// Whether a value may be missing is not part of its type: expressions and fields say it beside the type, and lists and maps
// of their items.
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
  unknown,  // of the word `missing`, of an empty list's items, of a recursion not yet inferred: fits every type
  number,
  boolean,
  text,
  list,
  map,  // text → element
  record,
  range,
  any,     // whatever the record holds, as JSON: asked what it is, looked into, and shown
  either,  // one of several types, whose kinds differ, so that a value says which of them it has
};

// What `x is …` asks and `x as …` takes.
enum class AskedKind : std::uint8_t {
#define ASSAY_ASKED_KIND(id, ...) id,
#include "lang/value/asked_kinds.def"
#undef ASSAY_ASKED_KIND
};
std::string_view word_of(AskedKind kind);  // as a rubric writes it
std::string_view say(AskedKind kind);      // as a sentence names one: "a number"
AskedKind asked_kind(std::string_view word);

// A bound that is missing is infinite.
struct Interval {
  Number low, high;
  bool low_open = false, high_open = false;
};

enum class Presence : std::uint8_t { required, optional, defaulted };

struct Field {
  std::string name;
  TypeId type = 0;
  Presence presence = Presence::required;  // as an input; in computed records, optional: may be missing
  Value fallback = missing_value();        // defaulted: a constant
};

struct Type {
  TypeKind kind = TypeKind::unknown;
  bool whole = false;                // number
  bool set = false;                  // list: each text once, where it first appeared
  Interval range;                    // number
  std::vector<std::string> choices;  // text; empty: any text
  TextIndex choice_index;
  TypeId element = 0;                // list, map
  bool gaps = false;                 // list, map: items may be missing
  bool mixed = false;                // either, or something in it is
  std::vector<Field> fields;         // record
  std::vector<TypeId> alternatives;  // either: two or more, in the order of their kinds
  std::string name;                  // a declared type's name, for messages
  int depth = 0;         // lists, maps and records within each other; each declared one counts when it is complete
  int rubric = -1;       // record: the input record of that rubric (see `verdict`)
  bool verdict = false;  // record: the verdict of `rubric`; its fields are those that anything uses

  bool allows(std::string_view text) const { return choices.empty() || choice_index.find(choices, text) >= 0; }
};

inline constexpr TypeId kUnknown = 0, kNumber = 1, kWhole = 2, kBool = 3, kText = 4, kRange = 5, kAny = 6;

class TypeTable {
 public:
  TypeTable();
  const Type& operator[](TypeId id) const { return types_[id]; }
  Type& edit(TypeId id) { return types_[id]; }          // nominal types only, while they are being declared
  void complete(TypeId id, std::vector<Field> fields);  // of a nominal type
  TypeKind kind(TypeId id) const { return types_[id].kind; }
  TypeId number(Interval range, bool whole);
  TypeId text(std::vector<std::string> choices);
  TypeId list(TypeId element, bool set = false, bool gaps = false);
  TypeId map(TypeId element, bool gaps = false);
  TypeId values(TypeId map) { return list(types_[map].element, false, types_[map].gaps); }
  TypeId with_gaps_of(TypeId type, TypeId other);  // which fit each other
  TypeId record(std::vector<Field> fields);        // structural
  TypeId nominal(std::string name);                // a new record type, filled through edit()
  // A value of one of these types, none of which is itself `either`; one alone is itself. False when two of them cannot be told apart.
  bool either(const std::vector<TypeId>& all, TypeId& result);
  // The types that a value of this one may have: the type itself, or its alternatives.
  std::vector<TypeId> alternatives(TypeId id) const;
  TypeId alternative(TypeId id, TypeKind kind) const;  // that one of them, or kUnknown
  TypeId actual(TypeId id, const Value& given) const;  // that one of them which a given value has
  // The alternatives that `x is …` takes and those that it leaves; kUnknown where there is none. `any` is taken as what
  // JSON can be.
  TypeId asked(TypeId id, AskedKind kind);
  TypeId left(TypeId id, AskedKind kind);
  bool scalar(TypeId id) const;  // numbers, texts and conditions, and either of these
  // The type that holds values of both: the hull of ranges, the union of choices. False when there is none.
  bool unify(TypeId a, TypeId b, TypeId& result) { return merge(a, b, result, false); }
  // The same where different types come together: then the result is either of them.
  bool join(TypeId a, TypeId b, TypeId& result) { return merge(a, b, result, true); }
  // The same of many: the first that does not go with those before it, or their number when all go together.
  std::size_t unify_all(const std::vector<TypeId>& all, TypeId& result, bool join = false);
  // True when a value of type `from` may stand where `to` is expected, ranges and choices aside.
  bool fits(TypeId from, TypeId to) const;
  // The same where a computed record may stand for one of a declared type that has the same fields, in any order.
  bool shaped(TypeId from, TypeId to) const;
  int field(TypeId record, std::string_view name) const;  // index or -1
  std::string str(TypeId id) const;                       // as a rubric would write it
  std::string say(TypeId id) const;                       // as a sentence names one value of it, kept short
  std::string say_kind(TypeId id) const;                  // the same without texts and bounds: "a number"
  std::size_t size() const { return types_.size(); }
  NumberPool& numbers() { return numbers_; }
  // Types are charged to it, and nested within its depth; null, as at first: to nothing.
  void charge_to(Budget* budget) { budget_ = budget; }

 private:
  bool holds_mixed(const std::vector<Field>& fields) const;
  int deeper(int depth) const;  // by one level
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
  // Types share their parts, so a pair of them is looked at once; otherwise the work doubles with each level.
  std::map<std::pair<TypeId, TypeId>, std::pair<bool, TypeId>> unified_, joined_;
  mutable std::map<std::pair<TypeId, TypeId>, bool> fitting_;
  NumberPool numbers_;
  Budget* budget_ = nullptr;
};

std::string str(const Interval& range, bool whole);

// Of a given value. A map and an `any` are told apart from a record and a text by their type alone: an `any` is a text.
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
