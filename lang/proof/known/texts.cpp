// Knowledge: texts in their order, by code point. Each text that is compared has a place, a number, and they stand in the
// order of their texts: so whatever is known of numbers in an order is known of texts. See known.hpp.
#include "lang/proof/known/known.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// Between the places of its neighbours. Missing: there is no small number left.
Number Knowledge::place_of(std::string_view text) {
  auto& places = owned_.places;
  const auto next = places.lower_bound(text);
  if (next != places.end() && next->first == text) return next->second;
  budget_.take(text.size() + sizeof(Number));
  Number place = whole(0);
  if (next == places.end() && !places.empty()) {
    place = add(std::prev(next)->second, whole(1), pool_);
  } else if (next == places.begin() && !places.empty()) {
    place = sub(next->second, whole(1), pool_);
  } else if (!places.empty()) {
    place = div(add(std::prev(next)->second, next->second, pool_), whole(2), pool_);
  }
  if (place.missing() || !place.small()) return kMissing;  // it gets none: others keep theirs
  places.emplace_hint(next, text, place);
  return place;
}

// The range of a value in its order: of a number, or of the places of a text.
Interval Knowledge::in_order(const Known& value, TypeKind kind) {
  if (kind != TypeKind::text || value.any_text || value.texts.empty()) return value.range;
  budget_.step(1 + value.texts.size() / 8);
  const auto [least, most] = std::minmax_element(value.texts.begin(), value.texts.end());
  return common(value.range, {place_of(*least), place_of(*most), false, false});
}

// The places of all texts that begin with this one.
Interval Knowledge::beginning_with(std::string_view text) {
  if (text.empty()) return {};
  std::string beyond(text);  // the last byte of a text may be followed by another one
  ++beyond.back();
  return {place_of(text), place_of(beyond), false, true};
}

// Whether `text op other` may hold.
bool Knowledge::may_compare(std::string_view text, Op op, const Known& other) {
  const auto holds_for = [&](int order) {
    switch (op) {
      case Op::lt: return order < 0;
      case Op::le: return order <= 0;
      case Op::gt: return order > 0;
      case Op::ge: return order >= 0;
      case Op::eq: return order == 0;
      default: return order != 0;
    }
  };
  if (!other.any_text) {
    budget_.step(1 + other.texts.size() / 8);
    return std::any_of(other.texts.begin(), other.texts.end(),
                       [&](std::string_view t) { return holds_for(text.compare(t)); });
  }
  const Interval& range = other.range;
  if (range.low.missing() && range.high.missing()) return true;
  const Number place = place_of(text);
  if (place.missing()) return true;
  const auto beyond = [&](Number end, bool open, int direction) {  // of all others
    const int order = end.missing() ? 1 : compare(place, end) * direction;
    return order < 0 || (order == 0 && open);
  };
  const bool below = beyond(range.low, range.low_open, 1), above = beyond(range.high, range.high_open, -1);
  return below ? holds_for(-1) : above ? holds_for(1) : true;
}

// Of the texts that a value may be, those for which `value op other` may hold.
void Knowledge::keep_texts(Known& kept, const Known& value, Op op, const Known& other) {
  if (op == Op::eq) intersect_texts(kept, other);
  if (value.any_text) return;
  Known own;
  own.any_text = false;
  for (const std::string_view text : value.texts) {
    if (may_compare(text, op, other)) own.texts.push_back(text);
  }
  intersect_texts(kept, own);
  if (kept.texts.empty()) kept.given = false;
}

namespace {

bool has_capital(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

// A text of small letters, which is none with a capital and has no such part.
bool Knowledge::without_capitals(const Expr& text) const {
  const Expr& e = behind(text);
  if (e.op != Op::builtin || e.args.size() != 1) return false;
  const auto id = static_cast<Builtin>(e.index);
  return id == Builtin::lowercase || (id == Builtin::trim && without_capitals(*e.args[0]));
}

// Whether some of these texts may be one of small letters, or a part of it.
bool Knowledge::may_be_small(const Known& part) const {
  return part.any_text || !std::all_of(part.texts.begin(), part.texts.end(), has_capital);
}

// Whether a text contains another, begins or ends with it.
Known Knowledge::text_search(const Expr& e, Known k, const Known& text, const Known& part) {
  const auto id = static_cast<Builtin>(e.index);
  if (model_.types.kind(e.args[0]->type) != TypeKind::text) return k;
  if (without_capitals(*e.args[0]) && !may_be_small(part)) k.yes = false;
  if (part.any_text || part.texts.size() != 1) return k;
  const std::string_view sought = part.texts[0];
  if (!text.any_text) {
    k.yes = k.no = false;
    for (const std::string_view t : text.texts) {
      const bool holds = id == Builtin::starts_with ? t.starts_with(sought)
                         : id == Builtin::ends_with ? t.ends_with(sought)
                                                    : t.find(sought) != t.npos;
      (holds ? k.yes : k.no) = true;
    }
  } else if (id == Builtin::starts_with &&
             (text.hole != nullptr || !text.range.low.missing() || !text.range.high.missing())) {
    const Interval range = beginning_with(sought);
    k.yes = k.yes && !empty(common(text.range, range)) && !(text.hole != nullptr && inside(range, *text.hole));
    k.no = k.no && !inside(text.range, range);
  }
  return k;
}

// That a text begins with another one, or does not; `missing`: or it is missing.
void Knowledge::assume_beginning(const Expr& e, bool holds, bool missing) {
  if (static_cast<Builtin>(e.index) != Builtin::starts_with || is_constant(*e.args[0])) return;
  const Known part = eval(*e.args[1]);
  if (part.missing || part.any_text || part.texts.size() != 1 || part.texts[0].empty()) return;
  Known x;
  x.missing = missing;
  const Interval range = beginning_with(part.texts[0]);
  if (range.low.missing() || range.high.missing()) return;
  if (holds) x.range = range;
  else x.hole = &owned_.holes.emplace_back(range);
  learn_all(*e.args[0], x);
}

}  // namespace assay
