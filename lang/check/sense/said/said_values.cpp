// See said_checker.hpp. Compares what single values hold for with the values, the fields and the conditions that their texts
// name: "Reviews with 1 or 2 stars" of stars <= 3, "without a source" of what is given.
#include "lang/check/sense/said/said_checker.hpp"
#include "lang/proof/prose.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

std::string last_word(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return words.empty() ? std::string() : words.back();
}

bool one_noun(std::string_view a, std::string_view b) {
  return a == b || akin(a, b) || std::string(a) + "s" == b || std::string(b) + "s" == a;
}

// "1 or 2 stars", "Marks of 4 and 5": numbers in a row, each one more than the one before; the word that they count.
std::vector<Number> listed_values(std::string_view prose, std::string& noun, NumberPool& pool) {
  std::vector<Number> all;
  const std::vector<std::string> words = words_of(prose);
  std::size_t last = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::vector<SaidNumber> said = numbers_said(words[i], pool);
    if (said.empty()) continue;
    const bool next = all.empty() || (last + 2 == i && has_word("or and", words[last + 1])) || last + 1 == i;
    if (said.size() != 1 || said[0].percent || !next ||
        (!all.empty() && compare(said[0].value, add(all.back(), whole(1), pool)) != 0))
      return {};
    all.push_back(said[0].value), last = i;
  }
  if (all.size() < 2 || numbers_said(prose, pool).size() != all.size()) return {};
  const auto first = std::find_if(words.begin(), words.end(),
                                  [&pool](const std::string& w) { return !numbers_said(w, pool).empty(); });
  const auto before = static_cast<std::size_t>(first - words.begin());
  static constexpr std::string_view kBound = "between least most than over under about not from to every or";
  if (before > 0 && has_word(kBound, words[before - 1])) return {};
  if (last + 1 < words.size() && has_word("or and", words[last + 1])) return {};             // "or more"
  if (before > 0) noun = words[before - (before > 1 && words[before - 1] == "of" ? 2 : 1)];  // "Marks of 4 or 5"
  if (last + 1 < words.size()) noun = words[last + 1];
  return all;
}

}  // namespace

// output unhappy = count(s for s in stars when s <= 3) "Reviews with 1 or 2 stars", where a star is one of 1..5
void SaidChecker::doubt_listed_values(RubricContext& rc, const Named& value) {
  std::string noun;
  const bool several_said =
      value.prose.find(" or ") != std::string::npos || value.prose.find(" and ") != std::string::npos;
  const std::vector<Number> listed = several_said ? listed_values(value.prose, noun, numbers()) : std::vector<Number>();
  if (listed.empty()) return;
  const ast::Expr* asked = nullptr;
  const ast::Expr* list = nullptr;
  std::string item;
  bool several = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    for (std::size_t i = 0; e.loop && i < e.loop->clauses.size(); ++i) {
      const ast::Clause& clause = e.loop->clauses[i];
      if (clause.kind != ast::ClauseKind::for_in || !clause.expr || !clause.second.text.empty()) continue;
      several = several || list != nullptr;
      list = clause.expr.get(), item = clause.first.text;
    }
    const bool order = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
    if (!order) return;
    several = several || asked != nullptr;
    asked = &e;
  });
  if (several || asked == nullptr || asked->args[1]->kind != ast::ExprKind::number || !is_path(*asked->args[0]) ||
      told_at(asked->span) != nullptr)
    return;
  const ast::Expr& path = *asked->args[0];
  const Type* type = nullptr;
  std::string called = path.text;
  if (path.kind == ast::ExprKind::field) {
    const Type* record = list != nullptr ? item_type(rc, *list) : nullptr;
    for (std::size_t i = 0; record != nullptr && i < record->fields.size(); ++i) {
      if (record->fields[i].name == path.text) type = &types_[record->fields[i].type];
    }
  } else {
    const bool of_list = list != nullptr && path.text == item && list->kind == ast::ExprKind::name;
    const auto input = rc.by_name.inputs.find(of_list ? list->text : path.text);
    if (input == rc.by_name.inputs.end()) return;
    type = &types_[model(rc).items[static_cast<std::size_t>(input->second)].type];
    if (of_list && type->kind != TypeKind::list) return;
    if (of_list) type = &types_[type->element], called = list->text;
  }
  if (type == nullptr || type->kind != TypeKind::number || !type->whole || !finite(type->range) ||
      !one_noun(last_word(called), noun))
    return;
  const Interval& range = type->range;
  const bool from_low = compare(listed.front(), range.low) == 0, to_high = compare(listed.back(), range.high) == 0;
  const bool less = asked->text.front() == '<', strict = asked->text.size() == 1;
  if (from_low == to_high || from_low != less) return;
  const Number meant = less ? add(listed.back(), whole(strict ? 1 : 0), numbers())
                            : sub(listed.front(), whole(strict ? 1 : 0), numbers());
  const Interval here = slope_.range(rc, *asked->args[1]);
  if (!finite(here) || compare(here.low, meant) == 0 || !is_whole(here.low)) return;
  const std::string text = shortest_text(meant);
  tell(rc, Code::contradicts_prose, asked->args[1]->span,
       "this condition is " + short_text(asked->span) + ", and the text of '" + value.name + "' says \"" + value.prose +
           '"',
       "write " + text, {{{asked->args[1]->span, text}}});
}

// 0.5 * count(q for q in quotes when q.source is given) "Half a point for each quotation without a source"
void SaidChecker::doubt_given(RubricContext& rc, const Named& value) {
  if (value.kind == "gate" || value.prose.empty()) return;
  const ast::Expr* asked = nullptr;
  bool several = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (e.kind == ast::ExprKind::unary && e.text == "not") several = true;
    if (e.kind != ast::ExprKind::is_given && e.kind != ast::ExprKind::is_missing) return;
    several = several || asked != nullptr;
    asked = &e;
  });
  if (asked == nullptr || several || !is_path(*asked->args[0]) || told_at(asked->span) != nullptr) return;
  const std::string name = last_word(asked->args[0]->text);
  const std::vector<std::string> words = words_of(value.prose);
  int said = 0;  // 1 with it, -1 without it
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!one_noun(words[i], name)) continue;
    std::size_t before = i;
    while (before > 0 && has_word("a an any its the their", words[before - 1])) --before;
    if (before == 0) return;
    const int now = has_word("without lacks lack lacking no", words[before - 1]) ? -1
                    : words[before - 1] == "with"                                ? 1
                                                                                 : 0;
    if (now == 0 || (said != 0 && said != now)) return;
    said = now;
  }
  const bool given = asked->kind == ast::ExprKind::is_given;
  if (said == 0 || given == (said > 0) || has_word("not never unless except nor neither", words)) return;
  const std::string meant = source_text(asked->args[0]->span) + (given ? " is missing" : " is given");
  tell(rc, Code::contradicts_prose, asked->span,
       "this condition is " + short_text(asked->span) + ", and the text of '" + value.name + "' says \"" + value.prose +
           '"',
       FixIt("write " + meant, meant, false), {});
}

// let allowed = 90 when extra else 120, where 'extra' is "Is extra time granted?"; price = 14 when reduced else 9
void SaidChecker::doubt_more_for_less(RubricContext& rc, const Named& value) {
  static constexpr std::string_view kAllowances =
      "allowed allowance limit maximum max permitted quota time minutes hours days deadline seconds";
  static constexpr std::string_view kPrices = "price fee fare cost rent charge rate contribution";
  const ast::Expr& e = core_of(*value.e);
  if (e.kind != ast::ExprKind::choice || e.args.size() != 3 || !e.args[2] || e.args[0]->kind != ast::ExprKind::number ||
      e.args[2]->kind != ast::ExprKind::number || told_at(e.span) != nullptr)
    return;
  const bool denied = e.args[1]->kind == ast::ExprKind::unary && e.args[1]->text == "not";
  const ast::Expr& path = denied ? *e.args[1]->args[0] : *e.args[1];
  if (path.kind != ast::ExprKind::name || rc.last_inputs.find(path.text) == rc.last_inputs.end()) return;
  const std::vector<std::string> of = words_of(path.text), own = words_of(value.name);
  if (has_word("no not non without lost used refused", of) || says(value.name, WordRole::reduces)) return;
  const bool more = has_word("extra additional extended prolonged longer", of) && has_word(kAllowances, own);
  const bool less = has_word("reduced discount discounted rebate concession", of) && has_word(kPrices, own);
  const Interval first = slope_.range(rc, *e.args[0]), second = slope_.range(rc, *e.args[2]);
  if (more == less || !finite(first) || !finite(second)) return;
  const int order = compare(first.low, second.low);  // with it, and without it
  if (order == 0 || (order > 0) == (more != denied)) return;
  tell(rc, Code::contradicts_prose, e.span,
       "'" + value.name + "' is " + (more ? "smaller" : "larger") + " with '" + path.text + "' than without it",
       "exchange " + e.args[0]->text + " and " + e.args[2]->text,
       {{{e.args[0]->span, e.args[2]->text}, {e.args[2]->span, e.args[0]->text}}});
}

namespace {

// A field named after what was done: sold, brought, delivered.
bool is_done_to(const std::string& name) {
  return (name.size() > 4 && name.ends_with("ed")) ||
         has_word("sold brought bought paid sent built made read eaten drunk lost won kept given taken lent", name);
}

}  // namespace

// sum(i.brought * i.price for i in items) "Money in the box: what was sold, times its price"
void SaidChecker::doubt_said_field(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const bool loop = e.kind == ast::ExprKind::call && e.text == "sum" && e.loop && e.args.size() == 1 && e.args[0] &&
                    e.loop->clauses.size() == 1 && e.loop->clauses[0].expr;
  const std::vector<std::string> words = words_of(value.prose);
  if (!loop || words.empty() || has_word("not no never without less minus", words)) return;
  const Type* record = item_type(rc, *e.loop->clauses[0].expr);
  if (record == nullptr) return;
  std::vector<const ast::Expr*> read;
  each_expr(budget_, *e.args[0], [&](const ast::Expr& part) {
    if (part.kind == ast::ExprKind::field) read.push_back(&part);
  });
  const auto said = [&words](const std::string& name) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  const ast::Expr* wrong = nullptr;
  bool agrees = false;
  for (const ast::Expr* field : read) {
    agrees = agrees || said(field->text);
    if (said(field->text) || !is_done_to(field->text)) continue;
    if (wrong != nullptr) return;
    wrong = field;
  }
  std::string meant;
  for (const auto& field : record->fields) {
    const bool other =
        std::none_of(read.begin(), read.end(), [&](const ast::Expr* r) { return r->text == field.name; });
    if (!other || !said(std::string(field.name)) || !is_done_to(std::string(field.name))) continue;
    if (!meant.empty()) return;
    meant = field.name;
  }
  if (wrong == nullptr || meant.empty() || !agrees || told_at(wrong->span) != nullptr) return;
  tell(rc, Code::contradicts_prose, wrong->word,
       "this reads '" + wrong->text + "', and the text of '" + value.name + "' says \"" + value.prose + '"',
       "write " + meant, {{{wrong->word, meant}}});
}

// example "an adult member" { given { age: 14 } }
void SaidChecker::doubt_ages(RubricContext& rc, const ast::Example& node) {
  struct Row {
    std::string_view words;
    int low, high;  // beyond which nobody is called so
  };
  static constexpr Row kRows[] = {{"baby infant", 0, 3},      {"toddler", 0, 5},
                                  {"child kid", 0, 17},       {"teenager teenage", 10, 20},
                                  {"adult grownup", 15, 200}, {"pensioner retiree", 45, 200}};
  const auto of_age = [](const ast::Name& field) { return field.text == "age"; };
  if (!node.given || std::none_of(node.given->fields.begin(), node.given->fields.end(), of_age)) return;
  const std::vector<std::string> words = words_of(plain_words(node.name));
  if (words.empty() || has_word("not no never without with and or of almost nearly just by", words)) return;
  const Row* said = nullptr;
  for (const Row& row : kRows) {
    if (!has_word(row.words, words)) continue;
    if (said != nullptr) return;
    said = &row;
  }
  for (std::size_t i = 0; said != nullptr && i < std::min(node.given->fields.size(), node.given->args.size()); ++i) {
    const ast::Expr* e = node.given->args[i].get();
    Number age;
    if (node.given->fields[i].text != "age" || e == nullptr || e->kind != ast::ExprKind::number ||
        !parse_decimal(e->text, age, numbers(), true) || told_at(e->span) != nullptr)
      continue;
    if (compare(age, whole(said->low)) >= 0 && compare(age, whole(said->high)) <= 0) return;
    tell(rc, Code::against_name, e->span,
         "the example is called \"" + node.name.str() + "\", and 'age' is " + e->text + " in it",
         "bring the two into line", {});
  }
}

// # The two best throws count. Above: mean(last(2, far_first)), where far_first = [t for t in throws by higher t]
void SaidChecker::doubt_best_of_order(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const ast::Expr* taken = nullptr;
  if (e.kind == ast::ExprKind::call && !e.loop && e.args.size() == 1 && has_word("mean sum", e.text))
    taken = e.args[0].get();
  if (taken == nullptr || taken->kind != ast::ExprKind::call || taken->loop || taken->args.size() != 2 ||
      !has_word("first last", taken->text) || taken->args[0]->kind != ast::ExprKind::number ||
      told_at(e.span) != nullptr || told_at(taken->span) != nullptr)
    return;
  const ast::Expr& list = formula_of(*taken->args[1]);
  if (!list.loop || list.loop->order.size() != 1) return;
  const std::vector<std::string> words = words_of(value.said + " " + comment_at(value.e->span));
  bool high = false, low = false, best = false;
  for (const std::string& word : words) {
    best = best || is_word(word, WordRole::finest);
    high = high || is_word(word, WordRole::topmost) || is_word(word, WordRole::finest);
    low = low || is_word(word, WordRole::lowermost) || is_word(word, WordRole::weakest);
  }
  const ast::OrderKey& key = list.loop->order[0];
  if (high == low || has_word("not no never drop drops dropped ignore ignored out without except worst", words) ||
      !is_path(*key.expr))
    return;
  // The best time is a short one, and the best place the first.
  const std::string about =
      source_text(taken->args[1]->span) + " " + source_text(list.span) + " " + prose_of(rc, key.expr->text);
  const Unit* unit = unit_of_path(rc, *key.expr);
  if (best && (sense_of(key.expr->text).good < 0 || has_word(kPlaces, words_of(about)) ||
               (unit != nullptr && relate(*unit, *assay::unit_of("second"))) ||
               has_word("lap laps time times race races heat heats run runs duration cost price", words_of(about))))
    return;
  const bool takes_high = key.higher == (taken->text == "first");
  if (takes_high == high) return;
  const std::string meant = taken->text == "first" ? "last" : "first";
  tell(rc, Code::contradicts_prose, taken->span,
       "this takes the " + std::string(takes_high ? "highest" : "lowest") + " of '" +
           source_text(taken->args[1]->span) + "', which is ordered 'by " + source_text(key.span) +
           "', and the text says something else",
       "write '" + meant + "'", {{{taken->word, meant}}});
}

// output steps = walk_m / stride_cm decimals 0
void SaidChecker::doubt_count_of_lengths(RubricContext& rc, const ast::Output& node) {
  const ast::Expr* e = node.body.expr.get();
  if (e == nullptr) return;
  const bool rounded = e->kind == ast::ExprKind::call && has_word("floor ceil round", e->text) && e->args.size() == 1;
  const ast::Expr& of = rounded ? *e->args[0] : *e;
  if ((!rounded && node.decimals != 0) || !is_binary(of, "/") || !is_path(*of.args[0]) || !is_path(*of.args[1]) ||
      told_at(of.span) != nullptr)
    return;
  const Unit *from = unit_of_path(rc, *of.args[0]), *to = unit_of_path(rc, *of.args[1]);
  const bool plural = node.name.text.ends_with('s') && node.name.text.find('_') == std::string::npos;
  const bool counts = from != nullptr && to != nullptr && from->of == to->of && from->size != to->size &&
                      (from->of == Quantity::length || from->of == Quantity::time) && plural &&
                      assay::unit_of(node.name.text) == nullptr && !says(node.name.text, WordRole::shared);
  if (!counts) return;
  const bool larger = from->size > to->size;
  const std::string factor = std::to_string(larger ? from->size / to->size : to->size / from->size);
  const std::string meant = source_text(of.args[0]->span) + (larger ? " * " : " / ") + factor;
  tell(rc, Code::other_unit, of.args[0]->span,
       "'" + short_text(of.args[0]->span) + "' is in another unit than '" + short_text(of.args[1]->span) +
           "', by which it is divided",
       "write " + meant, {{{of.args[0]->span, meant}}});
}

void SaidChecker::look(RubricContext& rc) {
  SenseChecker::look(rc);
  doubt_all_levels(rc);
  for (const ast::Item* item : rc.items) {
    const auto* table = std::get_if<ast::Table>(&item->node);
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (table && table->params.size() == 1 && table->from.parts.empty())
      doubt_pole_rows(rc, *table), doubt_measured_rows(rc, table->name.text, table->params[0].text, table->rows);
    if (bands && bands->params.size() == 1)
      doubt_measured_rows(rc, bands->name.text, bands->params[0].text, bands->rows);
    if (const auto* example = std::get_if<ast::Example>(&item->node))
      doubt_ages(rc, *example), doubt_refused_given(rc, *example);
    if (const auto* output = std::get_if<ast::Output>(&item->node)) doubt_count_of_lengths(rc, *output);
  }
  for (const Named& value : named_) {
    doubt_measured_choice(rc, value), doubt_listed_values(rc, value), doubt_given(rc, value);
    doubt_more_for_less(rc, value), doubt_said_field(rc, value), doubt_best_of_order(rc, value);
  }
  doubt_paragraphs(rc);
  doubt_order_of_weights(rc);
  doubt_parallel(rc);
  doubt_turned_neighbour(rc);
  doubt_slips(rc);
}

}  // namespace assay
