// See sense_checker.hpp. Compares how a value is computed with what words say of groups, periods, rates and differences:
// a 'by_team' that is grouped by driver, a 'monthly_rate' that is the rate of a year.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace assay {

namespace {

// How long a period is that a name or a text names, in hours; 0: none, or several.
int period_of(std::string_view text, bool name) {
  struct Row {
    std::string_view adjectives, nouns;
    int hours;
  };
  static constexpr Row kRows[] = {{"hourly", "hour", 1},
                                  {"daily", "day", 24},
                                  {"weekly", "week", 7 * 24},
                                  {"monthly", "month", 730},
                                  {"yearly annual annually", "year", 8'760}};
  const std::vector<std::string> words = words_of(text);
  int found = 0;
  for (const Row& row : kRows) {
    bool said = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool each = i > 0 && has_word(name ? "per" : "a per each every", words[i - 1]);
      said = said || has_word(row.adjectives, words[i]) || (each && words[i] == row.nouns);
    }
    if (said && found != 0) return 0;
    if (said) found = row.hours;
  }
  return found;
}

}  // namespace

// The fields of the items of an input that is a list of records; null: it is something else.
const Type* SenseChecker::item_type(const RubricContext& rc, const ast::Expr& list) {
  const auto input = list.kind == ast::ExprKind::name ? rc.by_name.inputs.find(list.text) : rc.by_name.inputs.end();
  if (input == rc.by_name.inputs.end()) return nullptr;
  const Type& type = types_[model(rc).items[static_cast<std::size_t>(input->second)].type];
  const Type* item = type.kind == TypeKind::list ? &types_[type.element] : nullptr;
  return item != nullptr && item->kind == TypeKind::record ? item : nullptr;
}

// output by_team = map(t: sum(ps) for t, ps in group(r.driver: r.points for r in results))
void SenseChecker::doubt_group(RubricContext& rc, const Named& value) {
  const std::size_t by = value.name.find("_by_");
  if (!value.name.starts_with("by_") && by == std::string::npos) return;
  const std::string meant = value.name.substr(by == std::string::npos ? 3 : by + 4);
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (e.kind != ast::ExprKind::map_loop || e.args[0]->kind != ast::ExprKind::field || e.args[0]->text == meant)
      return;
    const ast::Expr& key = *e.args[0];
    const Type* item = e.loop->clauses[0].expr ? item_type(rc, *e.loop->clauses[0].expr) : nullptr;
    if (item == nullptr || key.args[0]->kind != ast::ExprKind::name || has_word(key.text, words_of(value.name))) return;
    const auto named = [&meant](const Field& f) { return f.name == meant; };
    if (std::none_of(item->fields.begin(), item->fields.end(), named)) return;
    const std::string path = key.args[0]->text + "." + meant;
    const std::vector<Doubt>& told = state_.noted.doubts;
    if (std::any_of(told.begin(), told.end(), [&key](const Doubt& d) {  // the formula of another output
          const bool edits = d.code == Code::counted_twice && !d.fixes.empty();
          return edits && d.fixes[0][0].at.begin <= key.span.begin && d.fixes[0][0].at.end >= key.span.end;
        }))
      return;
    tell(rc, Code::against_name, key.span,
         "'" + value.name + "' is by '" + key.text + "', which is not what its name says", "write " + path,
         {{{key.span, path}}});
  });
}

// sum(distinct(p.euros for p in pledges)): equal amounts are added once
void SenseChecker::doubt_equal_amounts(RubricContext& rc, const ast::Expr& e) {
  if (e.kind != ast::ExprKind::call || e.args.size() != 1 || e.loop || !has_word("sum mean median stdev", e.text))
    return;
  const ast::Expr& of = *e.args[0];
  if (of.kind != ast::ExprKind::call || of.text != "distinct" || of.args.size() != 1) return;
  const std::string all = source_text(of.span), meant = e.text + all.substr(all.find('('));
  tell(rc, Code::lost_items, of.span,
       "of equal amounts 'distinct' leaves one, so '" + e.text + "' does not count the others", "write " + meant,
       {{{e.span, meant}}});
}

// let days_left = packs_per_day / stock
void SenseChecker::doubt_rate(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (!is_binary(e, "/") || !is_path(*e.args[0]) || !is_path(*e.args[1])) return;
  const std::vector<std::string> words = words_of(value.name), part = words_of(e.args[0]->text);
  if (has_word("per", words) || has_word("per", words_of(e.args[1]->text))) return;
  const auto per = std::find(part.begin(), part.end(), "per");
  const Unit* unit = per != part.end() && per + 1 != part.end() ? unit_of(*(per + 1)) : nullptr;
  const auto same = [unit](const std::string& word) {
    const Unit* own = unit_of(word);
    return own != nullptr && own->of == unit->of && own->size == unit->size;
  };
  if (unit == nullptr || std::none_of(words.begin(), words.end(), same)) return;
  const std::string first = source_text(e.args[0]->span), second = source_text(e.args[1]->span);
  tell(rc, Code::other_unit, e.span,
       "'" + first + "' divided by '" + second + "' is not in " + *std::find_if(words.begin(), words.end(), same),
       "write " + second + " / " + first, {{{e.args[0]->span, second}, {e.args[1]->span, first}}});
}

// let accidents_per_million_km = million_km / accidents; output litres_per_100_km = 100 * km / litres; let yield_per_ha =
// hectares / tonnes
void SenseChecker::doubt_turned_rate(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (!is_binary(e, "/") || !is_path(*e.args[1])) return;
  const ast::Expr* of = e.args[0].get();
  if (is_binary(*of, "*")) of = of->args[of->args[0]->kind == ast::ExprKind::number ? 1 : 0].get();
  if (!is_path(*of)) return;
  const std::vector<std::string> words = words_of(value.name);
  const auto per = std::find(words.begin(), words.end(), "per");
  if (per == words.begin() || per == words.end() || std::count(words.begin(), words.end(), "per") != 1) return;
  const std::vector<std::string> counted(words.begin(), per), by(per + 1, words.end());
  const auto about = [](const std::vector<std::string>& list, const ast::Expr& side) {
    const std::vector<std::string> own = words_of(side.text);
    return std::any_of(own.begin(), own.end(), [&list](const std::string& word) {
      return std::any_of(list.begin(), list.end(), [&word](const std::string& other) {
        return other == word || other + "s" == word || other == word + "s" || akin(other, word);
      });
    });
  };
  const ast::Expr &part = *of, &all = *e.args[1];
  // "per_ha", of hectares: the unit alone is enough, where the other side is of none.
  const std::vector<std::string> last = words_of(part.text);
  const bool unit = !by.empty() && !last.empty() && by.size() == 1 && !unit_named(by[0]).empty() &&
                    unit_named(last.back()) == unit_named(by[0]) && !about({"per"}, part);
  const bool turned = (about(by, part) && about(counted, all)) || unit;
  if (!turned || about(counted, part) || about(by, all) || (unit && unit_in_name(all.text) == unit_named(by[0])) ||
      told_at(e.span) != nullptr)
    return;
  const std::string first = source_text(part.span), second = source_text(all.span);
  const bool plain = of == e.args[0].get();
  std::string meant = source_text(e.span);
  meant.replace(all.span.begin - e.span.begin, second.size(), first);
  meant.replace(part.span.begin - e.span.begin, first.size(), second);
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' divides '" + first + "' by '" + second + "', which is not what its name says",
       "write " + (plain ? second + " / " + first : meant), {{{part.span, second}, {all.span, first}}});
  // What rises with it by this quotient falls with it then.
  std::erase_if(state_.noted.doubts, [&](const Doubt& d) {
    return d.code == Code::wrong_way && is_own(d.span, rc.index) &&
           source_text(d.span).find(value.name) != std::string::npos;
  });
}

// let minutes = duration(runtime), which is in seconds
void SenseChecker::doubt_seconds(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const Unit *unit = unit_of_name(value.name), *second = unit_of("second");
  if (!is_call(e, "duration") || unit == nullptr || unit->of != second->of || unit->size == second->size) return;
  const bool longer = unit->size > second->size;
  const std::string factor = std::to_string(longer ? unit->size / second->size : second->size / unit->size);
  const std::string meant = source_text(e.span) + (longer ? " / " : " * ") + factor;
  tell(rc, Code::other_unit, e.span, "'duration' gives seconds, and '" + value.name + "' is in another unit",
       "write " + meant, {{{e.span, meant}}});
}

// let monthly_rate = rate / 100, where rate is "Interest a year"
void SenseChecker::doubt_period(RubricContext& rc, const Named& value) {
  const int own = period_of(value.name, true);
  if (own == 0) return;
  int other = 0;
  std::string name;
  bool plain = true;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    plain = plain && (e.kind == ast::ExprKind::number ? e.text == "1" || e.text == "100"
                                                      : is_path(e) || is_binary(e, "/") || is_binary(e, "*"));
    const auto input = e.kind == ast::ExprKind::name ? rc.last_inputs.find(e.text) : rc.last_inputs.end();
    if (input == rc.last_inputs.end()) return;
    plain = plain && name.empty();
    name = e.text;
    other = period_of(plain_words(input->second->prose), false);
  });
  if (!plain || other == 0 || other == own) return;
  struct Row {
    int longer, shorter;
    std::string_view count;
  };
  static constexpr Row kRows[] = {
      {8'760, 730, "12"}, {8'760, 7 * 24, "52"}, {8'760, 24, "365"}, {7 * 24, 24, "7"}, {24, 1, "24"}};
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
    return r.longer == std::max(own, other) && r.shorter == std::min(own, other);
  });
  const std::string meant = row == std::end(kRows)
                                ? ""
                                : source_text(value.e->span) + (own < other ? " / " : " * ") + std::string(row->count);
  tell(rc, Code::other_unit, value.e->span, "'" + value.name + "' is about another period than '" + name + "'",
       meant.empty() ? FixIt("convert it") : FixIt("write " + meant),
       meant.empty() ? std::vector<Fix>() : std::vector<Fix>{{{value.e->span, meant}}});
}

// yes / voting as a share, where yes counts people, and voting adds up their shares
void SenseChecker::doubt_heads(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  std::string names = value.name;
  for (const std::string& name : value.shown_as) names += " " + name;
  if (!is_binary(e, "/") || !says(names, WordRole::shared)) return;
  const ast::Expr* part = e.args[0].get();
  if (is_binary(*part, "*")) part = part->args[part->args[0]->kind == ast::ExprKind::number ? 1 : 0].get();
  const ast::Expr &counted = meant_by(*part), &added = meant_by(*e.args[1]);
  const auto loops = [](const ast::Expr& call, std::string_view name) {
    return call.kind == ast::ExprKind::call && call.text == name && call.loop && !call.args.empty();
  };
  if (!loops(counted, "count") || !loops(added, "sum") || added.args[0]->kind != ast::ExprKind::field) return;
  const ast::Clause &first = counted.loop->clauses[0], &second = added.loop->clauses[0];
  if (first.first.text != second.first.text || source_text(first.expr->span) != source_text(second.expr->span)) return;
  const std::string field = source_text(added.args[0]->span);
  std::string meant = source_text(counted.span);
  const std::size_t behind = counted.args[0]->span.end - counted.span.begin;
  meant = "sum(" + field + meant.substr(behind);
  tell(rc, Code::against_name, counted.span,
       "this counts items, and '" + short_text(e.args[1]->span) + "', by which '" + value.name +
           "' divides it, adds up '" + field + "'",
       "write " + meant, {{{counted.span, meant}}});
}

std::string SenseChecker::comment_at(Span at) const {
  return assay::comment_at(sources_.file(at.file).text, at.begin, at.end);
}

// "The two worst do not count" at first(count(marks) - 2, [m for m in marks by lower m]), which leaves out the best
void SenseChecker::doubt_left_best(RubricContext& rc, const Named& value) {
  const std::vector<std::string> words = words_of(value.said + " " + comment_at(value.e->span));
  const bool worst = has_word("worst lowest weakest poorest", words) && !has_word("best highest strongest", words);
  const bool out = has_word("drop drops dropped ignore ignored discard discarded omit omitted", words) ||
                   (has_word("not", words) && has_word("count counts", words));
  if (!worst || !out) return;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const bool part =
        e.kind == ast::ExprKind::call && (e.text == "first" || e.text == "last") && e.args.size() == 2 && !e.loop;
    if (!part || !e.args[1]->loop || e.args[1]->loop->order.size() != 1) return;
    const bool takes = source_text(e.args[0]->span).find("count(") != std::string::npos;  // all but some
    const ast::OrderKey& key = e.args[1]->loop->order[0];
    if (!takes || key.higher == (e.text == "first")) return;
    const std::string order = source_text(key.span),
                      meant = (key.higher ? "lower" : "higher") + order.substr(order.find(' '));
    tell(rc, Code::contradicts_prose, key.span,
         "this leaves out the highest, and the text says that the worst do not count", "write by " + meant,
         {{{key.span, meant}}});
  });
}

// let attempt = count(history): of the first attempt it is 0
void SenseChecker::doubt_attempt(RubricContext& rc, const Named& value) {
  const ast::Expr& e = *value.e;
  if (!is_call(e, "count") || e.args[0]->kind != ast::ExprKind::name || e.args[0]->text != "history" ||
      !has_word("attempt try trial round visit turn", value.name))
    return;
  tell(rc, Code::against_name, e.span,
       "'history' holds the earlier records alone, so of the first '" + value.name + "' this is 0",
       "write count(history) + 1", {{{e.span, "count(history) + 1"}}});
}

// let trend = slope(levels), where levels is "Newest week first"
void SenseChecker::doubt_newest_first(RubricContext& rc, const ast::Expr& e) {
  const auto input = is_call(e, "slope") && e.args[0]->kind == ast::ExprKind::name
                         ? rc.last_inputs.find(e.args[0]->text)
                         : rc.last_inputs.end();
  if (input == rc.last_inputs.end()) return;
  const std::vector<std::string> words = words_of(plain_words(input->second->prose));
  const bool turned = has_word("first", words) && std::any_of(words.begin(), words.end(), [](const std::string& w) {
                        return is_word(w, WordRole::recent);
                      });
  if (!turned) return;
  const std::string list = e.args[0]->text;
  tell(rc, Code::contradicts_prose, e.args[0]->span,
       "'slope' reads from the oldest on, and '" + list + "' begins with the newest", "write reverse(" + list + ")",
       {{{e.args[0]->span, "reverse(" + list + ")"}}});
}

// abs(a - b) <= tolerance and c - d <= tolerance: the second may be as far below as it likes
void SenseChecker::doubt_tolerance(RubricContext& rc, const Named& value) {
  const auto bound = [](const ast::Expr& e) {
    const bool less = e.kind == ast::ExprKind::binary && (e.text == "<=" || e.text == "<");
    if (!less || !is_path(*e.args[1])) return false;
    std::string path;
    for (const ast::Expr* of = e.args[1].get(); is_path(*of); of = of->args[0].get()) {
      path += " " + of->text;
      if (of->kind == ast::ExprKind::name) break;
    }
    const std::vector<std::string> words = words_of(path);
    return has_word("tolerance tolerances tol", words);
  };
  bool both = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) { both = both || (bound(e) && is_call(*e.args[0], "abs")); });
  if (!both) return;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (!bound(e) || !is_binary(*e.args[0], "-") || !is_path(*e.args[0]->args[0]) || !is_path(*e.args[0]->args[1]))
      return;
    const std::string difference = source_text(e.args[0]->span);
    tell(rc, Code::against_name, e.args[0]->span,
         "'" + short_text(e.args[0]->span) + "' may be far below 0, and is within this tolerance then",
         "write abs(" + difference + ")", {{{e.args[0]->span, "abs(" + difference + ")"}}});
  });
}

// gate significant = p_value > 0.05
void SenseChecker::doubt_significant(RubricContext& rc, const Named& value) {
  const ast::Expr& e = *value.e;
  const bool above = is_binary(e, ">") || is_binary(e, ">=");
  if (!above || !is_path(*e.args[0]) || !has_word("p p_value pvalue p_val", e.args[0]->text)) return;
  const std::vector<std::string> words = words_of(value.said);
  if (!has_word("significant", words) || has_word("not no in non without insignificant chance", words)) return;
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' holds if " + short_text(e.span) + ", and small values are significant", "write '<'",
       {{{e.word, "<"}}});
}

// deduction absence = 2 * missed when missed > 3 "2 points for each evening beyond the third"
void SenseChecker::doubt_beyond(RubricContext& rc, const ast::Adjustment& node) {
  const ast::Expr* e = node.body.expr.get();
  if (e == nullptr || e->kind != ast::ExprKind::choice || (e->args.size() > 2 && e->args[2])) return;
  const ast::Expr &amount = *e->args[0], &condition = *e->args[1];
  if (!is_binary(condition, ">") || !is_path(*condition.args[0]) || condition.args[1]->kind != ast::ExprKind::number)
    return;
  const std::string path = source_text(condition.args[0]->span);
  const ast::Expr* of = &amount;
  if (is_binary(amount, "*")) of = amount.args[amount.args[0]->kind == ast::ExprKind::number ? 1 : 0].get();
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  // "Over 15%: a point for each percent" says when, and not of what.
  const auto place = [&words](std::string_view list) {
    return std::find_if(words.begin(), words.end(), [list](const std::string& w) { return has_word(list, w); });
  };
  const auto each_at = place("each every per"), beyond_at = place("beyond above over after past exceeding");
  const bool each = each_at != words.end(), beyond = beyond_at != words.end() && each_at < beyond_at;
  if (!is_path(*of) || source_text(of->span) != path || !each || !beyond) return;
  const std::string excess = "max(0, " + path + " - " + condition.args[1]->text + ")";
  std::string meant = source_text(amount.span);
  meant.replace(of->span.begin - amount.span.begin, of->span.end - of->span.begin, excess);
  tell(rc, Code::amount_against_prose, amount.span,
       "this counts all of '" + path + "', and the text speaks of what goes beyond " + condition.args[1]->text,
       "write " + meant, {{{e->span, meant}}});
}

// 'w' for warnings and 'e' for errors everywhere, and one 'e' in warnings
void SenseChecker::doubt_loop_names(RubricContext& rc) {
  struct Use {
    const ast::Expr* list;
    const Type* item;
    std::string name;
  };
  std::vector<Use> uses;
  const auto note = [&](const ast::Loop& loop) {
    for (const ast::Clause& clause : loop.clauses) {
      if (clause.kind != ast::ClauseKind::for_in || !clause.expr) continue;
      const ast::Name& each = clause.second.text.empty() ? clause.first : clause.second;
      if (const Type* item = item_type(rc, *clause.expr)) uses.push_back({clause.expr.get(), item, each.text});
    }
  };
  const auto look = [&](const ast::Expr* e) {
    if (e != nullptr)
      each_expr(budget_, *e, [&](const ast::Expr& part) {
        if (part.loop) note(*part.loop);
      });
  };
  for (const Named& value : named_) look(value.e);
  for (const ast::Item* item : rc.items) {
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node); amount && amount->loop) {
      look(amount->body.expr.get());
      note(*amount->loop);
    }
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && flag->loop) note(*flag->loop);
    if (const auto* advice = std::get_if<ast::Advice>(&item->node); advice && advice->loop) note(*advice->loop);
  }
  constexpr std::size_t kMost = 100;
  if (uses.size() > kMost) return;
  const auto count = [&uses](std::string_view list, std::string_view name) {
    return std::count_if(uses.begin(), uses.end(),
                         [&](const Use& u) { return u.list->text == list && u.name == name; });
  };
  const auto alike = [](const Type& a, const Type& b) {  // records of the same fields
    return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                      [](const Field& f, const Field& g) { return f.name == g.name; });
  };
  for (const Use& odd : uses) {
    const std::string& list = odd.list->text;
    if (odd.name.size() != 1 || odd.name[0] == list[0] || count(list, odd.name) != 1) continue;
    const bool other = std::any_of(uses.begin(), uses.end(), [&](const Use& u) {
      return u.list->text == list && u.name.size() == 1 && u.name[0] == list[0];
    });
    const auto meant = std::find_if(uses.begin(), uses.end(), [&](const Use& u) {
      return u.list->text != list && alike(*u.item, *odd.item) && u.name == odd.name && u.list->text[0] == odd.name[0];
    });
    if (!other || meant == uses.end() || count(meant->list->text, odd.name) < 2) continue;
    const std::string& right = meant->list->text;
    tell(rc, Code::not_the_item, odd.list->span,
         "'" + odd.name + "' is an item of '" + right + "' everywhere else, and of '" + list + "' here",
         "write " + right, {{{odd.list->span, right}}});
  }
}

// A matrix of two keys whose results rise in both directions, but for one: "likely" and "major" as harmless as nothing.
void SenseChecker::doubt_matrix(RubricContext& rc, std::size_t keys, const ast::Rows& rows) {
  constexpr std::size_t kFewest = 3, kMost = 8;  // of either key
  if (keys != 2 || rows.columns.size() < 3 || rows.rows.size() < kFewest * kFewest) return;
  std::vector<std::string> first, second;  // in the order of the rows
  const auto place = [](std::vector<std::string>& all, const std::string& one) {
    const auto at = std::find(all.begin(), all.end(), one);
    if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
    all.push_back(one);
    return all.size() - 1;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::string, const std::vector<ast::Cell>*>> grid;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    for (std::size_t c = 0; c < 3; ++c) {
      const bool text = row.size() > c && row[c].patterns.size() == 1 && row[c].patterns[0].expr &&
                        row[c].patterns[0].expr->kind == ast::ExprKind::text &&
                        row[c].patterns[0].expr->literal.plain();
      if (!text) return;
    }
    const auto said = [&row](std::size_t c) { return row[c].patterns[0].expr->literal.str(); };
    grid[{place(first, said(0)), place(second, said(1))}] = {said(2), &row};
  }
  if (first.size() < kFewest || second.size() < kFewest || first.size() > kMost || second.size() > kMost ||
      grid.size() != first.size() * second.size())
    return;
  // Whether no result comes both before and behind another one, without one cell.
  const auto in_order = [&](std::pair<std::size_t, std::size_t> without) {
    std::map<std::string, std::set<std::string>> behind;
    for (const auto& [at, cell] : grid) {
      for (const auto& next : {std::pair{at.first + 1, at.second}, std::pair{at.first, at.second + 1}}) {
        const auto found = grid.find(next);
        if (found == grid.end() || at == without || next == without || found->second.first == cell.first) continue;
        behind[cell.first].insert(found->second.first);
      }
    }
    for (std::size_t left = grid.size(); !behind.empty() && left > 0;
         --left) {  // those with nothing behind them go first
      const auto last = std::find_if(behind.begin(), behind.end(), [&](const auto& one) {
        return std::none_of(one.second.begin(), one.second.end(), [&](const auto& w) { return behind.count(w) > 0; });
      });
      if (last == behind.end()) return false;
      behind.erase(last);
    }
    return behind.empty();
  };
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  budget_.step(grid.size() * grid.size());
  if (in_order({kNone, kNone})) return;
  const std::vector<ast::Cell>* odd = nullptr;
  for (const auto& [at, cell] : grid) {
    if (!in_order(at)) continue;
    if (odd != nullptr) return;
    odd = cell.second;
  }
  if (odd == nullptr) return;
  const ast::Expr& result = *(*odd)[2].patterns[0].expr;
  tell(rc, Code::out_of_line, result.span,
       "this result breaks the order of all others: " + source_text(result.span) + " for " +
           source_text((*odd)[0].patterns[0].expr->span) + " and " + source_text((*odd)[1].patterns[0].expr->span),
       "correct it, if it is a slip", {});
}

void SenseChecker::doubt_computed(RubricContext& rc) {
  for (const Named& value : named_) {
    doubt_group(rc, value);
    doubt_rate(rc, value);
    doubt_turned_rate(rc, value);
    doubt_seconds(rc, value);
    doubt_period(rc, value);
    doubt_heads(rc, value);
    doubt_left_best(rc, value);
    doubt_attempt(rc, value);
    doubt_tolerance(rc, value);
    doubt_significant(rc, value);
    each_expr(budget_, *value.e, [&](const ast::Expr& e) { doubt_equal_amounts(rc, e), doubt_newest_first(rc, e); });
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node)) doubt_beyond(rc, *amount);
    if (const auto* bands = std::get_if<ast::Bands>(&item->node)) doubt_matrix(rc, bands->params.size(), bands->rows);
    if (const auto* table = std::get_if<ast::Table>(&item->node)) doubt_matrix(rc, table->params.size(), table->rows);
  }
  doubt_loop_names(rc);
}

}  // namespace assay
