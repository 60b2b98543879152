// Conditions in words about the items of a list of records: any serious fault, every fault has count > 3, no fault of
// kind "junction", number of overdue bills. Each word has to say something of the items; otherwise it is another sentence.
#include "lang/mend/foreign/reader.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

}  // namespace

// A truth of the items, or one of the texts of a field; kind none: the list's items have no such word.
Expr Reader::adjective(std::string_view word, std::string_view list) const {
  const auto fields = facts_.fields.find(list);
  if (fields == facts_.fields.end()) return {};
  const auto said = [&](std::string_view part) {
    const std::string quoted = '"' + std::string(part) + '"';
    for (const std::string_view name : fields->second) {
      if (name == part && facts_.shape(name) == Shape::condition) return atom(part);
      const auto texts = facts_.values.find(name);
      const bool text = texts != facts_.values.end() &&
                        std::find(texts->second.begin(), texts->second.end(), quoted) != texts->second.end();
      if (text) return binary("==", atom(name), atom(quoted));
    }
    return Expr{};
  };
  if (Expr e = said(word); !e.is(Kind::none)) return e;
  for (const std::string_view not_ : {"un", "in", "im", "non"}) {  // unclean, of the field clean
    if (!word.starts_with(not_) || word.size() < not_.size() + 3) continue;
    if (Expr e = said(word.substr(not_.size())); !e.is(Kind::none)) return negated(std::move(e));
  }
  return {};
}

// 'fault.kind == "a"', 'fault has kind "a"', 'fault with count > 3', 'fault that is not serious': what follows the name
// of an item at `noun`. False: the words say something else.
bool Reader::predicate_in_words(std::string_view list, std::size_t noun, Expr& predicate) {
  at_ = noun + 1;
  if (is(".") && touches(at_)) {
    at_ = noun;
    predicate = comparison();
    return !failed_;
  }
  take({"that", "which", "who"});
  const bool demanded =
      take({"must", "shall", "should", "may", "has", "have", "needs", "need"}) &&
      (!among(tokens_[at_ - 1].shown, {"has", "have", "needs", "need"}) || is("to") || (--at_, false));
  const bool not_ = demanded && take({"not"});
  if (demanded) take({"to"});
  if (take({"is", "are", "was", "were"}) || (demanded && take({"be"}))) {
    const bool denied = take({"not"}) != not_;
    const std::string_view said = tokens_[std::min(at_, end_ - 1)].shown;
    const bool quoted = at_ < end_ && tokens_[at_].is_text() && said.size() > 1;
    predicate = at_ < end_ ? adjective(quoted ? said.substr(1, said.size() - 2) : said, list) : Expr{};
    if (predicate.is(Kind::none)) return false;
    ++at_;
    if (denied) predicate = negated(std::move(predicate));
    return true;
  }
  if (not_) return false;
  if (!take({"has", "have", "with", "having", "of", "whose", "where", "include", "includes", "contain", "contains"}))
    return true;
  take({"a", "an", "the"});
  if (predicate = is_word(at_) ? adjective(tokens_[at_].shown, list) : Expr{}; !predicate.is(Kind::none)) {
    ++at_;
    return true;
  }
  const bool field = is_word(at_) && facts_.has_field(list, tokens_[at_].shown);
  if (!field) return false;
  const Token& behind = tokens_[at_ + 1];
  if (at_ + 1 < end_ && (behind.is_text() || behind.kind == Token::Kind::number)) {  // of kind "junction"
    Expr name = atom(tokens_[at_++].shown);
    predicate = binary("==", std::move(name), primary());
  } else {
    predicate = comparison();
  }
  return !failed_;
}

// 'serious faults with count > 3': the list, what the words before the name of its items say, and those behind it.
bool Reader::items_in_words(Expr& of, Expr& adjectives, Expr& predicate) {
  constexpr std::size_t kMostWords = 4;  // before the name
  while (take({"the", "of", "those", "single", "one"})) {}
  std::string_view list;
  std::size_t noun = at_;
  for (; list.empty() && noun < at_ + kMostWords && is_word(noun) && (noun == at_ || !new_line(noun)); ++noun) {
    for (const auto& [name, fields] : facts_.fields) {
      if (tokens_.is(noun, name) || KnownNames::singular(tokens_[noun].shown, name)) list = name;
    }
  }
  if (list.empty()) return false;
  --noun;
  for (std::size_t i = at_; i < noun; ++i) {
    const bool denied = among(tokens_[i].shown, {"not", "non"}) && ++i < noun;
    Expr one = adjective(tokens_[i].shown, list);
    if (one.is(Kind::none)) return false;
    if (denied) one = negated(std::move(one));
    adjectives = adjectives.is(Kind::none) ? std::move(one) : binary("and", std::move(adjectives), std::move(one));
  }
  of = atom(list);
  return predicate_in_words(list, noun, predicate);
}

// Kind none, and nothing read: no such words.
Expr Reader::quantified() {
  const std::size_t begin = at_;
  // '2 or more visits are late', 'at least two visits are late'
  const BoundWords* bound = bound_at(at_, BoundWords::before, BoundWords::sentences);
  const std::size_t number = bound != nullptr ? at_ + bound->count() : at_;
  const int said = number < end_ ? number_said(tokens_[number].shown).value_or(-1) : -1;
  if (number + 1 < end_ && (said >= 0 || tokens_[number].kind == Token::Kind::number)) {
    const BoundWords* behind =
        bound == nullptr ? bound_at(number + 1, BoundWords::behind, BoundWords::sentences) : nullptr;
    const std::string amount = said >= 0 ? std::to_string(said) : std::string(tokens_[number].shown);
    at_ = number + 1 + (behind != nullptr ? behind->count() : 0);
    const BoundWords* limit = bound != nullptr ? bound : behind;
    if (limit != nullptr && is("of") &&
        (tokens_.is(at_ + 1, "(") || tokens_.is(at_ + 1, "["))) {  // at least 2 of (a, b, c)
      ++at_;
      const Expr all = primary();
      if (!failed_ && bare(all).is(Kind::list)) {
        Expr each = loop(atom("x"), "x", bare(all));
        each.names.emplace_back("when"), each.parts.push_back(atom("x"));
        return binary(limit->op, call("count", {std::move(each)}), atom(amount));
      }
      at_ = number + 1, failed_ = false;
    }
    Expr count = limit != nullptr ? counted_in_words(behind != nullptr || said >= 0) : Expr{};
    if (!count.is(Kind::none)) {
      const bool share =
          tokens_[number].shown.ends_with('%') && count.parts[0].is(Kind::loop);  // 50% of visits are late
      if (share) count = binary("/", count, call("count", {count.parts[0].parts[1]}));
      return binary(limit->op, std::move(count), atom(amount));
    }
    at_ = begin;
  }
  if (is("none") && tokens_.is(at_ + 1, "of")) {  // none of late, ill
    at_ += 2;
    Expr of = alternatives();
    const bool conditions =
        !failed_ && of.is(Kind::list) && of.parts.size() > 1 &&
        std::all_of(of.parts.begin(), of.parts.end(), [this](const Expr& e) { return is_condition(e, facts_); });
    if (conditions) return negated(call("any", {std::move(of)}));
    at_ = begin, failed_ = false;
  }
  std::string_view name = "any";
  if (is("one") && tokens_.is(at_ + 1, "of")) {
    at_ += 2;
  } else if (take("there")) {
    take({"is", "are", "exists", "exist"});
    if (take("no")) name = "none";
    else take({"a", "an", "any", "some"});
  } else if (one({"no", "none", "without"})) {
    name = "none", ++at_;
  } else if (one({"all", "every", "each"})) {
    name = "all", ++at_;
  } else if (!take({"any", "some", "a", "an"})) {
    const bool has = is_word(at_) && facts_.fields.count(tokens_[at_].shown) != 0 &&
                     among(tokens_[at_ + 1].shown, {"has", "have", "include", "includes", "contain", "contains"});
    if (!has) return {};  // faults include serious
  }
  Expr of, adjectives, predicate;
  const bool read = !tokens_.is(at_ + 1, "in") && items_in_words(of, adjectives, predicate) && !failed_;
  const bool all = name == "all";
  if (!read || (all && predicate.is(Kind::none))) {
    at_ = begin, failed_ = false;
    return {};
  }
  bool chosen = false;  // all steps that are late: those steps
  for (std::size_t i = begin; all && i < at_; ++i)
    chosen = chosen || among(tokens_[i].shown, {"that", "which", "who", "whose"});
  if (chosen) {
    of_variable(predicate, "x", of);
    Expr e = loop(atom("x"), "x", std::move(of));
    e.names.emplace_back("when"), e.parts.push_back(std::move(predicate));
    return e;
  }
  if (all) return aggregate_over(name, std::move(predicate), std::move(of), std::move(adjectives), {});
  Expr asked = adjectives.is(Kind::none)  ? std::move(predicate)
               : predicate.is(Kind::none) ? std::move(adjectives)
                                          : binary("and", std::move(adjectives), std::move(predicate));
  if (asked.is(Kind::none)) return binary(name == "any" ? ">" : "==", call("count", {std::move(of)}), atom("0"));
  return aggregate_over(name, Expr{}, std::move(of), std::move(asked), {});
}

// 'serious faults', behind 'number of' or 'more than 2'. Kind none, and nothing read: no such words. `all`: also 'faults'
// alone.
Expr Reader::counted_in_words(bool all) {
  const std::size_t begin = at_;
  Expr of, adjectives, predicate;
  const bool read = items_in_words(of, adjectives, predicate) && !failed_;
  Expr asked = adjectives.is(Kind::none)  ? std::move(predicate)
               : predicate.is(Kind::none) ? std::move(adjectives)
                                          : binary("and", std::move(adjectives), std::move(predicate));
  if (!read || (asked.is(Kind::none) && !all)) {
    at_ = begin, failed_ = false;
    return {};
  }
  return aggregate_over("count", Expr{}, std::move(of), std::move(asked), {});
}

// faults where serious, faults filter count > 3: those items; count of faults: that field of each; for f in faults: f.count.
// Kind none, and nothing read: something else.
Expr Reader::chosen_items() {
  const std::size_t begin = at_;
  if (is("for") && is_word(at_ + 1)) return loop_first("");
  const bool field_of = is_word(at_) && (tokens_.is(at_ + 1, "of") || tokens_.is(at_ + 1, "from")) && is_word(at_ + 2);
  if (const std::string_view list = tokens_[std::min(at_ + 2, end_)].shown;
      field_of && !facts_.declares(tokens_[at_].shown) && facts_.has_field(list, tokens_[at_].shown)) {
    Expr each = field(atom("x"), tokens_[at_].shown);
    at_ += 3;
    return loop(std::move(each), "x", atom(list));
  }
  if (!is_word(at_) || facts_.fields.count(tokens_[at_].shown) == 0) return {};
  Expr of = atom(tokens_[at_++].shown);
  if (take({"sorted", "ordered"})) return sorted_in_words(of);
  const bool names = is("where") && tokens_.is(at_ + 2, "=");  // where x = 1: Assay's own
  if (names || !take({"where", "filter", "filtered", "whose", "with", "having", "that", "which"})) {
    at_ = begin;
    return {};
  }
  take({"by", "on", "where", "are", "is", "have", ":"});
  Expr asked = condition();
  if (failed_ || !is_condition(asked, facts_)) {
    at_ = begin, failed_ = false;
    return {};
  }
  std::string variable;
  find_variable(asked, of, variable, 0);
  if (variable.empty()) variable = "x";
  of_variable(asked, variable, of);
  Expr e = loop(atom(variable), variable, std::move(of));
  e.names.emplace_back("when"), e.parts.push_back(bare(asked));
  return e;
}

}  // namespace assay::mending
