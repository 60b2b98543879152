// See sense_checker.hpp. Finds values that are used the wrong way round: a smallest that would have to be above the largest,
// the first row of a rising table, an input that is required where nothing reads it.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/words/units.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace assay {

// deduction "{m.kind}" = price(m.kind) for m in mistakes "Mistake in '{m.word}'": each name counts once
void SenseChecker::doubt_name_of_kind(RubricContext& rc, const ast::Adjustment& node) {
  if (!node.loop || node.loop->clauses.empty() || !node.loop->clauses[0].expr || !is_own(node.label.span, rc.index))
    return;
  const ast::Clause& over = node.loop->clauses[0];
  const std::string& item = over.second.text.empty() ? over.first.text : over.second.text;
  const ast::Expr* list = over.expr.get();
  for (int level = 0; level < 4 && item_type(rc, *list) == nullptr; ++level) {  // [m for m in mistakes when …]
    const ast::Expr& formula = formula_of(*list);
    const bool some = formula.kind == ast::ExprKind::list_loop && !formula.loop->clauses.empty() &&
                      formula.args[0]->kind == ast::ExprKind::name &&
                      formula.args[0]->text == formula.loop->clauses[0].first.text;
    if (!some) return;
    list = formula.loop->clauses[0].expr.get();
  }
  const Type* type = item_type(rc, *list);
  if (type == nullptr) return;
  const auto field_of = [&](const ast::TextPart& part) -> const Field* {
    const ast::Expr* e = part.expr.get();
    if (e == nullptr || e->kind != ast::ExprKind::field || e->args[0]->kind != ast::ExprKind::name ||
        e->args[0]->text != item)
      return nullptr;
    const auto at =
        std::find_if(type->fields.begin(), type->fields.end(), [e](const Field& f) { return f.name == e->text; });
    return at == type->fields.end() ? nullptr : &*at;
  };
  bool kinds = false;
  std::set<std::string> named;
  for (const ast::TextPart& part : node.label.parts) {
    if (!part.expr) continue;
    const Field* field = field_of(part);
    if (field == nullptr || types_[field->type].choices.empty()) return;
    kinds = true;
    named.insert(field->name);
  }
  if (!kinds) return;
  const ast::Expr* by = nullptr;  // what tells one item from others of its kind
  std::string prose;
  for (const ast::TextPart& part : node.prose.parts) {
    const Field* field = field_of(part);
    if (field != nullptr && types_[field->type].choices.empty() && types_.kind(field->type) != TypeKind::boolean &&
        by == nullptr)
      by = part.expr.get();
    prose += part.expr ? " it " : part.literal;
  }
  const std::vector<std::string> words = words_of(prose);
  bool each = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    each = each || (has_word("each every", words[i]) && named.count(words[i + 1]) == 0 &&
                    !has_word("kind type sort category class", words[i + 1]));
  if (by == nullptr && !each) return;
  std::string meant = source_text(node.label.span);
  const bool index = !over.second.text.empty() && meant.starts_with('"') && item == over.second.text;
  if (index && list == over.expr.get()) meant.insert(1, "{" + over.first.text + " + 1}: ");
  else if (by != nullptr && meant.ends_with('"')) meant.insert(meant.size() - 1, ": {" + source_text(by->span) + "}");
  const bool edits = meant != source_text(node.label.span);
  tell(rc, Code::amount_against_prose, node.label.span,
       "each name counts once, so of several with the same " + *named.begin() +
           " only the first counts, and the text speaks of each",
       edits ? "write " + meant : "put what tells them apart into the name",
       edits ? std::vector<Fix>{{{node.label.span, meant}}} : std::vector<Fix>());
}

// weakest > 1.4 * strongest, where they are the smallest and the largest of one list
void SenseChecker::doubt_extremes_turned(RubricContext& rc, const ast::Expr& e) {
  if (e.kind != ast::ExprKind::binary || (e.text[0] != '<' && e.text[0] != '>')) return;
  const bool above = e.text[0] == '>';
  struct Side {
    const ast::Expr* written;
    const ast::Expr* call;
    Number factor;
  };
  const auto read = [&](const ast::Expr& side) {
    Side s{&side, nullptr, whole(1)};
    if (is_binary(side, "*")) {
      const std::size_t literal = side.args[0]->kind == ast::ExprKind::number ? 0 : 1;
      const Interval n = slope_.range(rc, *side.args[literal]);
      if (side.args[literal]->kind != ast::ExprKind::number || !finite(n)) return s;
      s.written = side.args[1 - literal].get(), s.factor = n.low;
    }
    s.call = &formula_of(*s.written);
    return s;
  };
  const Side big = read(*e.args[above ? 0 : 1]), small = read(*e.args[above ? 1 : 0]);
  if (big.call == nullptr || small.call == nullptr || !is_call(*big.call, "min") || !is_call(*small.call, "max") ||
      big.written->kind != ast::ExprKind::name || small.written->kind != ast::ExprKind::name ||
      squeezed(big.call->args[0]->span) != squeezed(small.call->args[0]->span) || compare(big.factor, small.factor) > 0)
    return;
  const std::string least = big.written->text, most = small.written->text;
  tell(rc, Code::always_false, e.span,
       "this never holds: '" + least + "' is the smallest of the values of which '" + most + "' is the largest",
       "exchange the two", {{{big.written->span, most}, {small.written->span, least}}});
}

// first(t for t in tiers when nights >= t.from), where 'from' rises from row to row: the first one that fits is the lowest
void SenseChecker::doubt_first_of_rising(RubricContext& rc, const ast::Expr& e) {
  if (e.kind != ast::ExprKind::call || (e.text != "first" && e.text != "last") || !e.loop ||
      e.loop->clauses.size() != 2 || !e.loop->order.empty() || e.loop->clauses[1].kind != ast::ClauseKind::when ||
      !e.loop->clauses[0].expr || !e.loop->clauses[0].second.text.empty())
    return;
  const std::string &item = e.loop->clauses[0].first.text, &list = e.loop->clauses[0].expr->text;
  const ast::Expr& condition = *e.loop->clauses[1].expr;
  const auto column = [&item](const ast::Expr& side) {
    return side.kind == ast::ExprKind::field && side.args[0]->kind == ast::ExprKind::name && side.args[0]->text == item;
  };
  if (condition.kind != ast::ExprKind::binary || (condition.text[0] != '<' && condition.text[0] != '>') ||
      column(*condition.args[0]) == column(*condition.args[1]))
    return;
  const bool right = column(*condition.args[1]);
  const std::string& name = condition.args[right ? 1 : 0]->text;
  const bool begins = (condition.text[0] == '>') == right;  // nights >= t.from
  for (const ast::Item* one : rc.items) {
    const auto* table = std::get_if<ast::Table>(&one->node);
    if (table == nullptr || table->name.text != list || !table->params.empty() || table->rows.rows.size() < 3) continue;
    std::size_t c = 0;
    while (c < table->rows.columns.size() && table->rows.columns[c].text != name) ++c;
    int order = 0;
    Number before;
    for (const std::vector<ast::Cell>& row : table->rows.rows) {
      const ast::Expr* cell = c < row.size() && row[c].patterns.size() == 1 ? row[c].patterns[0].expr.get() : nullptr;
      const Interval at = cell != nullptr ? slope_.range(rc, *cell) : Interval();
      if (!finite(at)) return;
      const int now = before.missing() ? 0 : compare(at.low, before);
      if (now != 0 && order == -now) return;
      if (now == 0 && !before.missing()) return;
      if (now != 0) order = now;
      before = at.low;
    }
    // The row whose bound is nearest is the last of those that fit where bounds move towards the value.
    const bool nearest_last = (order > 0) == begins;
    const std::string meant = nearest_last ? "last" : "first";
    if (e.text == meant) return;
    return tell(rc, Code::against_name, e.word,
                "'" + name + "' " + (order > 0 ? "rises" : "falls") + " from row to row, so of the rows that fit the " +
                    meant + " one is the nearest",
                "write " + meant + "(…)", {{{e.word, meant}}});
  }
}

// agreed + standard: of a key in both, the value on the right counts, so what was agreed is always replaced
void SenseChecker::doubt_replaced_entries(RubricContext& rc, const ast::Expr& e) {
  const bool names =
      is_binary(e, "+") && e.args[0]->kind == ast::ExprKind::name && e.args[1]->kind == ast::ExprKind::name;
  if (!names || has_word("override overrides forced fixed final corrections", words_of(e.args[1]->text))) return;
  const auto input = rc.by_name.inputs.find(e.args[0]->text);
  const ast::Expr& literal = formula_of(*e.args[1]);
  const auto constant = [](const auto& arg) {
    return arg && (arg->kind == ast::ExprKind::number || arg->kind == ast::ExprKind::text ||
                   arg->kind == ast::ExprKind::boolean);
  };
  if (input == rc.by_name.inputs.end() || literal.kind != ast::ExprKind::record || literal.args.empty() ||
      types_.kind(model(rc).items[static_cast<std::size_t>(input->second)].type) != TypeKind::map ||
      !std::all_of(literal.args.begin(), literal.args.end(), constant))
    return;
  const std::string left = e.args[0]->text, right = source_text(e.args[1]->span);
  tell(rc, Code::exchanged_arguments, e.span,
       "of a key that both have, the value on the right counts: what '" + left + "' has for it is always replaced",
       "write " + right + " + " + left, {{{e.args[0]->span, right}, {e.args[1]->span, left}}});
}

// grams * salt_per_100g, without a division by 100
void SenseChecker::doubt_per_hundred(RubricContext& rc, const Named& value) {
  const std::string_view file = sources_.file(value.e->span.file).text;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (!is_binary(e, "*") || !is_path(*e.args[0]) || !is_path(*e.args[1])) return;
    for (const std::size_t side : {0U, 1U}) {
      const std::vector<std::string> words = words_of(e.args[side]->text);
      const auto per = std::find(words.begin(), words.end(), "per");
      if (per == words.end() || per + 1 == words.end() || !is_digit((*(per + 1))[0])) continue;
      const std::string& measure = *(per + 1);
      const std::size_t digits = std::min(measure.find_first_not_of("0123456789"), measure.size());
      const std::string count = measure.substr(0, digits);
      const Unit *of = unit_of(digits < measure.size()  ? measure.substr(digits)
                               : per + 2 != words.end() ? *(per + 2)
                                                        : std::string()),
                 *other = unit_of_name(e.args[1 - side]->text);
      if (of == nullptr || other != of || digits < 2) continue;
      bool divided = false;
      each_expr(budget_, *value.e, [&](const ast::Expr& part) {
        divided = divided || (part.kind == ast::ExprKind::number && part.text != "1" && part.text != "0") ||
                  is_binary(part, "/");
      });
      const std::string later = value.name + " / ";
      if (divided || file.find(later) != file.npos) continue;
      const std::string meant = source_text(e.span) + " / " + count;
      return tell(rc, Code::other_unit, e.span,
                  "'" + short_text(e.args[side]->span) + "' is for " + count + " of what '" +
                      short_text(e.args[1 - side]->span) + "' counts one by one",
                  "write " + meant, {{{e.span, meant}}});
    }
  });
}

// sum((a.points default 10) for a in answers), where 10 are all points and those who lack them did not answer
void SenseChecker::doubt_full_marks(RubricContext& rc, const ast::Expr& e) {
  if (!is_binary(e, "default") || !is_path(*e.args[0]) || e.args[1]->kind != ast::ExprKind::number ||
      !says(e.args[0]->text, WordRole::mark))
    return;
  const Interval range = slope_.range(rc, *e.args[0]), instead = slope_.range(rc, *e.args[1]);
  const std::vector<std::string> words = words_of(prose_of(rc, e.args[0]->text));
  const bool absent = has_word("absent missing unanswered skipped", words) ||
                      (has_word("not", words) && has_word("answered given done taken handed", words));
  if (!finite(range) || !finite(instead) || !absent || sign(range.low) != 0 || compare(instead.low, range.high) != 0)
    return;
  tell(rc, Code::against_name, e.args[1]->span,
       "without '" + short_text(e.args[0]->span) + "' this is " + e.args[1]->text + ", the most that there can be",
       "write 0 for what is not there", {{{e.args[1]->span, "0"}}});
}

// input reason: text required when passed "Why it must not run", which is read where 'passed' does not hold alone
void SenseChecker::doubt_required_when(RubricContext& rc, const ast::Input& input) {
  if (input.policy.tag != ast::PolicyTag::required_when || !input.policy.expr || input.names.size() != 1) return;
  const ast::Expr& when = *input.policy.expr;
  const bool denied = when.kind == ast::ExprKind::unary && when.text == "not";
  const ast::Expr& asked = denied ? *when.args[0] : when;
  if (!is_path(asked) || !is_own(when.span, rc.index)) return;
  const std::string condition = squeezed(asked.span);
  int fits = 0, against = 0;
  // holds: 1 where the condition holds, -1 where it does not, 0 elsewhere
  const auto truth = [&](const ast::Expr& e) {
    if (squeezed(e.span) == condition) return 1;
    return e.kind == ast::ExprKind::unary && e.text == "not" && squeezed(e.args[0]->span) == condition ? -1 : 0;
  };
  struct Open {
    const ast::Expr* e;
    int holds;
  };
  std::vector<Open> open;
  const auto put = [&open](const ast::ExprPtr& e, int holds) {
    if (e) open.push_back({e.get(), holds});
  };
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    const int holds = parts.when != nullptr ? truth(*parts.when) : 0;
    for (const ast::Expr* e : parts.exprs) open.push_back({e, 0});
    for (const ast::Text* text : parts.texts) {
      for (const ast::TextPart& part : text->parts) put(part.expr, holds);
    }
  }
  for (const Named& value : named_) {
    if (value.kind == "dimension") open.push_back({value.e, 0});
  }
  while (!open.empty()) {
    const auto [e, holds] = open.back();
    open.pop_back();
    budget_.step();
    if (e->kind == ast::ExprKind::name && e->text == input.names[0].text)
      ++(holds == (denied ? 1 : -1) ? against : fits);
    const bool choice = e->kind == ast::ExprKind::choice;
    const int decided = choice ? truth(*e->args[1]) : 0;
    for (std::size_t i = 0; i < e->args.size(); ++i)
      put(e->args[i], decided == 0 || i == 1 ? holds : i == 0 ? decided : -decided);
    for (const ast::TextPart& part : e->literal.parts) put(part.expr, holds);
    if (!e->loop) continue;
    for (const ast::Clause& clause : e->loop->clauses) put(clause.expr, holds);
    for (const ast::OrderKey& key : e->loop->order) put(key.expr, holds);
    put(e->loop->start, holds), put(e->loop->next, holds);
  }
  if (against == 0 || fits > 0) return;
  const std::string meant = denied ? source_text(asked.span) : "not " + source_text(asked.span);
  tell(rc, Code::contradicts_prose, when.span,
       "'" + input.names[0].text + "' is required where " + source_text(when.span) +
           ", and only read where that does not hold",
       "write " + meant, {{{when.span, meant}}});
}

namespace {

// What a text says of two sides: 1 the left one is above the right one, -1 below it, 0 nothing that is certain.
struct SaidSides {
  int sign = 0;
  bool denied = false;  // "must not exceed": equal ones are right
  bool must = false;
  bool one = false;  // it names the right one alone: "More tickets than places" of sold and places
};

bool names_side(const ast::Expr& side, std::string_view word) {
  constexpr std::size_t kStem = 4, kShort = 3;
  const bool sum = is_binary(side, "+");
  if (sum && (names_side(*side.args[0], word) || names_side(*side.args[1], word))) return true;
  const std::vector<std::string> all = is_path(side) ? words_of(side.text) : std::vector<std::string>();
  return std::any_of(all.begin(), all.end(), [word](const std::string& own) {
    const bool forms = own.size() >= kShort && word.starts_with(own) && has_word("s es d ed", word.substr(own.size()));
    return own == word || forms ||
           (own.size() >= kStem && word.size() >= kStem && (own.starts_with(word) || word.starts_with(own)));
  });
}

SaidSides sides_said(const ast::Expr& left, const ast::Expr& right, std::string_view prose) {
  static constexpr std::string_view kMust = "must should cannot can may needs need shall has have";
  const std::vector<std::string> words = words_of(prose);
  SaidSides said;
  std::size_t first = words.size(), second = words.size(), at = words.size(), than = words.size(), denials = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool of_left = names_side(left, word), of_right = names_side(right, word);
    const bool than_follows =
        std::find(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(), "than") != words.end();
    const int now = has_word("after above over exceed exceeds exceeded beyond", word)                   ? 1
                    : has_word("before below under", word)                                              ? -1
                    : than_follows && (has_word("more later", word) || is_word(word, WordRole::larger)) ? 1
                    : than_follows && (has_word("less fewer earlier lighter", word) || is_word(word, WordRole::lesser))
                        ? -1
                        : 0;
    if (now != 0 && at < words.size()) return {};  // it says more than one thing
    if (now != 0) at = i, said.sign = now;
    if (word == "than") than = i;
    if (has_word("not no never cannot", word)) ++denials;
    if (of_left && of_right) return {};
    if (of_left) first = std::min(first, i);
    if (of_right) second = std::min(second, i);
  }
  said.one = first == words.size() && at < than && than < second && second < words.size();
  if (said.one) first = at;
  if (std::max({first, second, at}) == words.size() || denials > 1 || has_word("or unless except by if", words))
    return {};
  const std::size_t middle = than < words.size() ? than : at;
  if ((first < middle) == (second < middle)) return {};
  if (first > second) said.sign = -said.sign;
  said.denied = denials == 1;
  if (said.denied &&
      !has_word("not no never cannot", std::vector(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at))))
    return {};
  if (said.denied) said.sign = -said.sign;
  const bool to = prose.find(" to ") != prose.npos || has_word("must should cannot needs shall", words);
  said.must = to && has_word(kMust, words);
  return said;
}

// The order that two values have by their names, where nothing is wrong: -1 the left one is not above the right one.
int order_by_names(const ast::Expr& left, const ast::Expr& right) {
  static constexpr std::string_view kEnds[][2] = {
      {"start started starts begin began begins opens opened minimum min",
       "end ended ends finish finished closes closed maximum max"},
      {"", "budget limit allowance allowed maximum max quota capacity places seats"},
      {"minimum min required", ""}};
  const auto says_one = [](const ast::Expr& side, std::string_view list) {
    return has_word(list, words_of(side.text));
  };
  int order = 0;
  for (const auto& ends : kEnds) {
    const auto is = [&](const ast::Expr& low, const ast::Expr& high) {
      return (ends[0].empty() ? !says_one(low, ends[1]) : says_one(low, ends[0])) &&
             (ends[1].empty() ? !says_one(high, ends[0]) : says_one(high, ends[1]));
    };
    const int now = (is(left, right) ? -1 : 0) + (is(right, left) ? 1 : 0);
    if (order == 0) order = now;
  }
  return order != 0 ? order : counts_some(left.text, right.text) ? -1 : counts_some(right.text, left.text) ? 1 : 0;
}

}  // namespace

// check arrives < departs at arrives "A bus has to arrive after it departs"; check finish < start at finish "It finishes
// before it starts"; flag over when spent < budget "The money spent exceeds the budget"
void SenseChecker::doubt_stated_sides(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool applies,
                                      bool rejects) {
  const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
  const auto sum = [](const ast::Expr& of) {
    return is_binary(of, "+") && is_path(*of.args[0]) && is_path(*of.args[1]);
  };
  if (!compared || !(is_path(*e.args[0]) || (rejects && sum(*e.args[0]))) || !is_path(*e.args[1]) ||
      told_at(e.span) != nullptr)
    return;
  const ast::Expr &left = *e.args[0], &right = *e.args[1];
  for (const ast::Expr* side : {&left, &right}) {  // a place is above another one if it is smaller
    if (has_word("place rank position left remaining ago since before after until", words_of(side->text))) return;
  }
  const SaidSides said = sides_said(left, right, plain_words(prose));
  if (said.sign == 0 || (said.one && (!rejects || said.must || said.denied))) return;
  const int asked = e.text[0] == '>' ? 1 : -1, usual = order_by_names(left, right);
  std::string meant = std::string(said.sign > 0 ? ">" : "<") + (said.denied && said.must ? "=" : e.text.substr(1));
  std::string help = "write '" + meant + "'", is = "this condition is ", says = "its text says";
  if (applies) {  // it says why it applies, unless it says what has to be
    if (said.must || said.denied || asked == said.sign || usual == said.sign) return;
  } else if (said.must) {
    if (asked == said.sign) return;
  } else {  // a check that says what is wrong, and asks for it
    if (!rejects || said.denied || asked != said.sign || usual == 0 || usual == said.sign) return;
    meant = said.sign > 0 ? "<=" : ">=";
    help = "write '" + meant + "': a check says what has to hold, and its text what is wrong otherwise";
    is = "this check asks for ", says = "the text for what it rejects says";
  }
  tell(rc, Code::contradicts_prose, e.span, is + short_text(e.span) + ", and " + says + " \"" + prose.str() + '"',
       std::move(help), {{{e.word, meant}}});
}

// deduction slow = clamp((limit - seconds) / 2, 0..30) "Half a point for each second too slow"
void SenseChecker::doubt_too_much(RubricContext& rc, const ast::Adjustment& node) {
  if (node.kind != AdjustmentKind::deduction || !node.body.expr) return;
  const std::string said = plain_words(node.label) + " " + plain_words(node.prose);
  const std::vector<std::string> words = words_of(said);
  int much = 0;  // 1: what is above the limit
  std::string word;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool too = i > 0 && words[i - 1] == "too";
    if (too) word = words[i];
    if (too && has_word("long late many much high heavy large wide slow", words[i])) much |= 1;
    if (too && has_word("short early few little low light small narrow fast", words[i])) much |= 2;
  }
  if (much != 1 && much != 2) return;
  each_expr(budget_, *node.body.expr, [&](const ast::Expr& e) {
    if (!is_binary(e, "-") || !is_path(*e.args[0]) || !is_path(*e.args[1])) return;
    static constexpr std::string_view kMost = "limit max maximum allowed allowance due deadline",
                                      kLeast = "min minimum least required";
    const auto is = [](const ast::Expr& side, std::string_view list) { return has_word(list, words_of(side.text)); };
    const std::string_view list = much == 1 ? kMost : kLeast;
    const bool first = is(*e.args[0], list), second = is(*e.args[1], list);
    const ast::Expr& value = *e.args[first ? 1 : 0];
    const bool speed = has_word("slow fast", words) && sense_of(value.text).topic != WordTopic::speed;
    if (first == second || speed || says(value.text, WordRole::turns) || first == (much == 2)) return;
    const std::string left = source_text(e.args[0]->span), right = source_text(e.args[1]->span);
    tell(rc, Code::against_name, e.span,
         "this is for what is " + std::string(much == 1 ? "below" : "above") + " '" + (first ? left : right) +
             "', and the text says \"too " + word + '"',
         "write " + right + " - " + left, {{{e.args[0]->span, right}, {e.args[1]->span, left}}});
  });
}

// bonus golden = 3 when correct == 40, where all of the score comes from 'correct', and 40 are full marks already
void SenseChecker::doubt_bonus_at_top(RubricContext& rc, const ast::Adjustment& node) {
  const ast::Expr* e = node.body.expr.get();
  if (node.kind != AdjustmentKind::bonus || node.loop || e == nullptr || e->kind != ast::ExprKind::choice ||
      (e->args.size() > 2 && e->args[2]))
    return;
  const ast::Expr& condition = *e->args[1];
  const bool at = is_binary(condition, "==") || is_binary(condition, ">=");
  if (!at || condition.args[0]->kind != ast::ExprKind::name) return;
  const std::string& name = condition.args[0]->text;
  const Interval range = slope_.range(rc, *condition.args[0]), least = slope_.range(rc, *condition.args[1]);
  if (rc.by_name.inputs.count(name) == 0 || !finite(range) || !finite(least) || compare(least.low, range.high) != 0)
    return;
  for (const ast::Item* item : rc.items) {
    const auto* other = std::get_if<ast::Adjustment>(&item->node);
    if ((other != nullptr && other->kind == AdjustmentKind::deduction) ||
        std::holds_alternative<ast::Composite>(item->node) || std::holds_alternative<ast::Cap>(item->node))
      return;
  }
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.node->advisory) continue;
    const Leans leans = slope_.of(rc, d.node->body, false);
    if (!d.node->body.expr || leans.size() != 1 || leans.begin()->first != name ||
        leans.begin()->second.direction != Lean::Direction::rises)
      return;
  }
  if (rc.dimensions.all.empty()) return;
  tell(rc, Code::idle_amount, condition.span,
       "where '" + name + "' is " + shortest_text(range.high) +
           ", the score is at the end of the scale already, so this bonus adds nothing",
       "give it where it can add something", {});
}

// | "bell" | -1 |, in a table from which deductions take their amounts
void SenseChecker::doubt_negative_rows(RubricContext& rc, const ast::Adjustment& node) {
  if (!node.body.expr || node.body.expr->kind != ast::ExprKind::call || node.body.expr->loop) return;
  for (const ast::Item* item : rc.items) {
    const auto* table = std::get_if<ast::Table>(&item->node);
    if (table == nullptr || table->name.text != node.body.expr->text ||
        table->rows.columns.size() != table->params.size() + 1)
      continue;
    const ast::Expr* negative = nullptr;
    bool positive = false;
    for (const std::vector<ast::Cell>& row : table->rows.rows) {
      const ast::Expr* result = row.size() == table->rows.columns.size() && row.back().patterns.size() == 1
                                    ? row.back().patterns[0].expr.get()
                                    : nullptr;
      if (result == nullptr) return;
      const bool minus =
          result->kind == ast::ExprKind::unary && result->text == "-" && result->args[0]->kind == ast::ExprKind::number;
      if (minus && negative != nullptr) return;  // all of them, or a table that is used elsewhere as well
      if (minus) negative = result;
      positive = positive || (result->kind == ast::ExprKind::number && result->text != "0");
    }
    if (negative == nullptr || !positive) return;
    const std::string word(row_of(node.kind).word), meant = source_text(negative->args[0]->span);
    return tell(rc, Code::idle_amount, negative->span,
                "a " + word + " below 0 is not listed, so this row takes nothing", "write " + meant,
                {{{negative->span, meant}}});
  }
}

// rank by lower member_no, higher score, where each member has another number
void SenseChecker::doubt_unique_key(RubricContext& rc, const ast::Rank& node) {
  for (std::size_t i = 0; i + 1 < node.keys.size(); ++i) {
    const ast::OrderKey& key = node.keys[i];
    if (key.expr->kind != ast::ExprKind::name || !is_own(key.span, rc.index)) continue;
    const std::vector<std::string> words = words_of(prose_of(rc, key.expr->text));
    const bool own = has_word("each every", words) && has_word("another own different", words);
    const bool unique = key.expr->text == "id" || has_word("unique", words) || own;
    if (!unique || has_word("not or may", words)) continue;
    const Span behind{key.span.file, key.span.begin, node.keys[i + 1].span.begin},
        end{key.span.file, node.keys.back().span.end, node.keys.back().span.end};
    return tell(rc, Code::redundant_rank, key.span,
                "no two records have the same '" + key.expr->text + "', so the keys behind it never decide",
                "put it at the end", {{{behind, ""}, {end, ", " + source_text(key.span)}}});
  }
}

// first(h.street for h in hydrants by higher h.months) "Never checked comes first", of months that are absent then
void SenseChecker::doubt_missing_last(RubricContext& rc, const Named& value, const ast::Expr& e) {
  if (!e.loop || e.loop->order.empty()) return;
  const ast::OrderKey& key = e.loop->order[0];
  const std::vector<std::string> said = words_of(value.said + " " + comment_at(value.e->span));
  const auto first = std::find(said.begin(), said.end(), "first");
  if (!is_path(*key.expr) || first == said.end()) return;
  const std::vector<std::string> words = words_of(prose_of(rc, key.expr->text));
  const auto absent = std::find_if(words.begin(), words.end(),
                                   [](const std::string& w) { return has_word("absent missing empty", w); });
  constexpr std::size_t kShort = 4;
  const bool named = std::any_of(said.begin(), first, [&](const std::string& w) {
    return w.size() >= kShort && absent != words.end() && std::find(absent, words.end(), w) != words.end();
  });
  if (!named || !has_word("never not without no unchecked unknown", std::vector<std::string>(said.begin(), first)))
    return;
  tell(rc, Code::worst_first, key.span,
       "what is missing comes last in every order, and the text says that it comes first",
       "give it a value that comes first: " + source_text(key.expr->span) + " default …", {});
}

// mean(s.coli default 0 for s in samples) "Broken bottles do not count"
void SenseChecker::doubt_counted_as_nothing(RubricContext& rc, const Named& value, const ast::Expr& e) {
  if (e.kind != ast::ExprKind::call || e.text != "mean" || !e.loop || e.args.size() != 1 ||
      e.loop->clauses.size() != 1 || !is_binary(*e.args[0], "default") || e.args[0]->args[1]->text != "0")
    return;
  const std::vector<std::string> words = words_of(value.said + " " + comment_at(value.e->span));
  bool out = has_word("ignored excluded skipped disregarded", words);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    out = out || (words[i] == "not" && has_word("count counted", words[i + 1])) ||
          (words[i] == "left" && words[i + 1] == "out");
  if (!out || has_word("zero nothing", words)) return;
  const std::string path = source_text(e.args[0]->args[0]->span), loop = source_text(e.loop->span);
  const std::string meant = path + " " + loop + " when " + path + " is given";
  tell(rc, Code::contradicts_prose, e.args[0]->span,
       "what is missing counts as 0 here, and the text says that it does not count", "write mean(" + meant + ")",
       loop.starts_with("for ") ? std::vector<Fix>{{{{e.span.file, e.args[0]->span.begin, e.loop->span.end}, meant}}}
                                : std::vector<Fix>());
}

// min(2 * days, 5) "2 points a day, at least 5"
void SenseChecker::doubt_least(RubricContext& rc, const Named& value) {
  const ast::Expr& e = *value.e;
  const bool call =
      e.kind == ast::ExprKind::call && !e.loop && e.args.size() == 2 && (e.text == "min" || e.text == "max");
  const ast::Expr* literal = call ? e.args[e.args[0]->kind == ast::ExprKind::number ? 0 : 1].get() : nullptr;
  if (literal == nullptr || literal->kind != ast::ExprKind::number) return;
  const std::vector<std::string> words = words_of(value.said);
  std::string meant;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i + 2] != literal->text) continue;
    const bool at = words[i] == "at", least = at && words[i + 1] == "least",
               most = (at && words[i + 1] == "most") || (words[i] == "up" && words[i + 1] == "to");
    if (!least && !most) continue;
    if (!meant.empty()) return;
    meant = least ? "max" : "min";
  }
  if (meant.empty() || meant == e.text || told_at(e.span) != nullptr) return;
  tell(rc, Code::amount_against_prose, e.word,
       "this is at " + std::string(e.text == "min" ? "most " : "least ") + literal->text + ", and the text says \"" +
           (meant == "max" ? "at least " : "at most ") + literal->text + '"',
       "write '" + meant + "'", {{{e.word, meant}}});
}

// flag third when absences > 3 "From the third absence on"; 2 when absences >= 3 "After the third"
void SenseChecker::doubt_ordinal(RubricContext& rc, const Named& value) {
  static constexpr std::string_view kOrdinals[] = {"first", "second",  "third",  "fourth", "fifth",
                                                   "sixth", "seventh", "eighth", "ninth",  "tenth"};
  const bool choice = value.e->kind == ast::ExprKind::choice && (value.e->args.size() < 3 || !value.e->args[2]);
  const ast::Expr& e = choice ? *value.e->args[1] : *value.e;
  if ((!is_binary(e, ">") && !is_binary(e, ">=")) || e.args[1]->kind != ast::ExprKind::number) return;
  const std::vector<std::string> words = words_of(value.said);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const auto* at = std::find(std::begin(kOrdinals), std::end(kOrdinals), words[i + 2]);
    if (words[i + 1] != "the" || at == std::end(kOrdinals)) continue;
    const bool from = words[i] == "from", after = has_word("after beyond above", words[i]);
    if ((!from && !after) || (from && !has_word("on onwards", words)) ||
        e.args[1]->text != std::to_string(at - std::begin(kOrdinals) + 1))
      continue;
    const std::string meant = from ? ">=" : ">";
    if (e.text == meant) return;
    return tell(
        rc, Code::contradicts_prose, e.span,
        "this condition is " + short_text(e.span) + ", and its text says \"" + words[i] + " the " + words[i + 2] + '"',
        "write '" + meant + "'", {{{e.word, meant}}});
  }
}

// let recent = last(3, before), where the rubric asks for six of them, and for four that are low
void SenseChecker::doubt_window(RubricContext& rc) {
  for (const Named& value : named_) {
    const ast::Expr& window = *value.e;
    const bool part = window.kind == ast::ExprKind::call && !window.loop && has_word("first last", window.text) &&
                      window.args.size() == 2 && window.args[0]->kind == ast::ExprKind::number;
    if (value.kind != "value" || !part) continue;
    const Number size = slope_.range(rc, *window.args[0]).low;
    int beyond = 0;
    Number most = size;
    const auto look = [&](const ast::Expr& e) {
      if (!is_binary(e, ">=") || e.args[1]->kind != ast::ExprKind::number) return;
      const ast::Expr& count = formula_of(*e.args[0]);
      if (count.kind != ast::ExprKind::call || count.text != "count" || count.args.empty()) return;
      const ast::Expr* of =
          count.loop ? count.loop->clauses.empty() ? nullptr : count.loop->clauses[0].expr.get() : count.args[0].get();
      const Number asked = slope_.range(rc, *e.args[1]).low;
      if (of == nullptr || of->kind != ast::ExprKind::name || of->text != value.name || asked.missing() ||
          compare(asked, size) <= 0)
        return;
      ++beyond;
      if (compare(asked, most) > 0) most = asked;
    };
    for (const ast::Item* item : rc.items) {
      const WrittenParts parts = written_parts(*item);
      for (const ast::Expr* e : parts.exprs) each_expr(budget_, *e, look);
    }
    if (beyond < 2) continue;  // one alone is told where it stands
    const std::string meant = shortest_text(most);
    tell(rc, Code::always_false, window.args[0]->span,
         "'" + value.name + "' holds at most " + window.args[0]->text + ", and the rubric asks for " + meant +
             " of them",
         "write " + meant, {{{window.args[0]->span, meant}}});
  }
}

void SenseChecker::doubt_uses(RubricContext& rc) {
  doubt_window(rc);
  for (const Named& value : named_) {
    each_expr(budget_, *value.e, [&](const ast::Expr& e) {
      doubt_extremes_turned(rc, e), doubt_first_of_rising(rc, e), doubt_replaced_entries(rc, e),
          doubt_full_marks(rc, e);
    });
    doubt_per_hundred(rc, value);
    doubt_least(rc, value), doubt_ordinal(rc, value);
    each_expr(budget_, *value.e,
              [&](const ast::Expr& e) { doubt_missing_last(rc, value, e), doubt_counted_as_nothing(rc, value, e); });
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node))
      doubt_name_of_kind(rc, *amount), doubt_too_much(rc, *amount), doubt_bonus_at_top(rc, *amount),
          doubt_negative_rows(rc, *amount);
    if (const auto* rank = std::get_if<ast::Rank>(&item->node)) doubt_unique_key(rc, *rank);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node); amount && amount->body.expr) {
      const ast::Expr& e = *amount->body.expr;
      const bool plain = e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2]);
      if (plain) doubt_stated_sides(rc, *e.args[1], amount->prose, true, false);
    }
    if (const auto* check = std::get_if<ast::Check>(&item->node); check && check->condition)
      doubt_stated_sides(rc, *check->condition, check->prose, false, true);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate && gate->body.expr)
      doubt_stated_sides(rc, *gate->body.expr, gate->prose, false, false);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && flag->when)
      doubt_stated_sides(rc, *flag->when, flag->prose, true, false);
    if (const auto* cap = std::get_if<ast::Cap>(&item->node); cap && cap->when)
      doubt_stated_sides(rc, *cap->when, cap->prose, true, false);
    if (const auto* input = std::get_if<ast::Input>(&item->node)) doubt_required_when(rc, *input);
  }
}

}  // namespace assay
