// See sense_checker.hpp. Compares what is taken from lists with what words say of it: the `best_three` of a list in no order,
// the `last` of a history taken by 'first', `delays` that are negative for what is late.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

// What is computed for each item of [… for …], of mean(… for …) and of map(k: … for …), without max(0, …); the value
// itself where there is no loop.
const ast::Expr& of_each(const ast::Expr& value) {
  const ast::Expr* e = &core_of(value);
  constexpr int kMostLevels = 6;
  for (int level = 0; level < kMostLevels; ++level) {
    const bool call = e->kind == ast::ExprKind::call && !e->args.empty() && e->args[0];
    const bool adds = call && has_word("sum mean median max min", e->text);
    const bool pair = adds && !e->loop && e->args.size() == 2 && (e->text == "max" || e->text == "min");
    const bool single = adds && e->args.size() == 1 && (e->loop || e->args[0]->kind == ast::ExprKind::list_loop);
    if (e->kind == ast::ExprKind::list_loop) e = e->args[0].get();
    else if (e->kind == ast::ExprKind::map_loop && e->args.size() == 2) e = e->args[1].get();
    else if (single) e = e->args[0].get();
    else if (pair && e->args[0]->text == "0") e = e->args[1].get();
    else if (pair && e->args[1]->text == "0") e = e->args[0].get();
    else break;
    e = &core_of(*e);
  }
  return *e;
}

// The list of a loop over a single one, without an order: xs of "for x in xs when …"; null: it has another form.
const ast::Expr* looped_list(const ast::Expr& e) {
  if (!e.loop || !e.loop->order.empty() || e.loop->clauses.empty() || !e.loop->clauses[0].expr ||
      e.loop->clauses[0].kind != ast::ClauseKind::for_in)
    return nullptr;
  for (std::size_t i = 1; i < e.loop->clauses.size(); ++i) {
    if (e.loop->clauses[i].kind != ast::ClauseKind::when) return nullptr;
  }
  return e.loop->clauses[0].expr.get();
}

bool has_neighbours(const std::vector<std::string>& words, std::string_view first, std::string_view second) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (has_word(first, words[i]) && has_word(second, words[i + 1])) return true;
  }
  return false;
}

}  // namespace

// let minutes = started - finished; let age = birth_year - year; let delays = [s.planned - s.actual for s in stops]
void SenseChecker::doubt_difference(RubricContext& rc, const Named& value) {
  struct Row {
    std::string_view names, first, second;  // what it is called, and which of the two is subtracted from the other
  };
  static constexpr Row kRows[] = {
      {"duration durations elapsed took length time times minutes minute seconds hours hour days",
       "end ended finish finished stop closed to", "start started begin began opened from"},
      {"age ages", "year today now", "birth born"},
      {"late lateness overdue delay delays delayed",
       "submitted handed delivered arrived arrival actual finished completed returned received real",
       "due deadline planned scheduled expected target promised"},
      {"profit profits surplus margin margins", "revenue income sales earnings price", "cost costs expense expenses"}};
  const ast::Expr &whole = core_of(*value.e), &e = of_each(*value.e);
  if (!is_binary(e, "-")) return;
  const std::string first = source_text(e.args[0]->span), last = source_text(e.args[1]->span);
  const bool extremes =
      &whole == &e && is_call(*e.args[0], "min") && is_call(*e.args[1], "max") && first.substr(3) == last.substr(3);
  const auto has = [](const ast::Expr& of, std::string_view list) {
    return is_path(of) && has_word(list, words_of(of.text));
  };
  const std::vector<std::string> names = words_of(value.name);
  const bool other = &whole != &e && has_word("early earlier ahead left remaining saved gained spare avoided", names);
  const bool reversed = !other && std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) {
    return has_word(row.names, names) && has(*e.args[0], row.second) && has(*e.args[1], row.first) &&
           !has(*e.args[1], row.second);
  });
  if (!reversed && !extremes) return;
  tell(rc, Code::against_name, e.span,
       extremes ? "the smallest minus the largest is never above 0"
                : "'" + value.name + "' subtracts " + last + " from " + first + ", which is not what its name says",
       "write " + last + " - " + first, {{{e.args[0]->span, last}, {e.args[1]->span, first}}});
}

// 1: a list begins with the oldest, -1: with the newest, 0: nothing is known.
int SenseChecker::order_in_time(const RubricContext& rc, const ast::Expr& list, int level) const {
  constexpr int kMostLevels = 4;
  if (level > kMostLevels) return 0;
  if (is_binary(list, "+")) return order_in_time(rc, *list.args[0], level + 1);
  if (list.kind == ast::ExprKind::list_loop) {
    const ast::Expr* of = looped_list(list);
    return of == nullptr ? 0 : order_in_time(rc, *of, level + 1);
  }
  if (list.kind != ast::ExprKind::name) return 0;
  if (list.text == "history") return 1;
  if (const ast::Expr& formula = formula_of(list); &formula != &list) return order_in_time(rc, formula, level + 1);
  const auto input = rc.last_inputs.find(list.text);
  if (input == rc.last_inputs.end()) return 0;
  const std::vector<std::string> words = words_of(plain_words(input->second->prose));
  const bool old = has_neighbours(words, "oldest earliest", "first"),
             late = has_neighbours(words, "newest latest", "first");
  return old == late ? 0 : old ? 1 : -1;
}

// let recent = mean(h.score for h in first(3, history)); score - first(earlier) as a 'change_since_last'
void SenseChecker::doubt_recent(RubricContext& rc, const Named& value) {
  const std::vector<std::string> words = words_of(value.said), names = words_of(value.name);
  const bool since_first = has_neighbours(names, "since", "first start beginning");
  const bool late = says(value.said, WordRole::recent) || has_word("previous", words);
  const bool early = says(value.said, WordRole::oldest) || since_first;
  if (late == early || (has_word("first start beginning", words) && !since_first)) return;
  const ast::Expr* found = nullptr;
  const ast::Expr* list = nullptr;
  std::size_t ends = 0;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (e.kind != ast::ExprKind::call || (e.text != "first" && e.text != "last")) return;
    ++ends;
    const bool part = e.args.size() == 1 || (e.args.size() == 2 && !e.loop && e.args[0]->kind == ast::ExprKind::number);
    const ast::Expr* of = e.loop ? looped_list(e) : part ? e.args.back().get() : nullptr;
    if (of == nullptr) return;
    const int order = order_in_time(rc, *of, 0);
    if (order != 0 && ((e.text == "last") == (order > 0)) != late) found = &e, list = of;
  });
  if (found == nullptr || ends != 1) return;
  const std::string meant = found->text == "first" ? "last" : "first";
  const std::string of = source_text(list->span);
  const bool oldest_first = (found->text == "first") == late;
  tell(rc, Code::against_name, found->word,
       "'" + short_text(list->span) + "' begins with the " + (oldest_first ? "oldest" : "newest") + ", and '" +
           value.name + "' is about the " + (late ? "latest" : "earliest"),
       "write " + meant + (found->loop ? "(…)" : (found->args.size() == 1 ? "(" : "(…, ") + of + ")"),
       {{{found->word, meant}}});
}

// count(languages) "A point for each different language", where the rubric removes copies elsewhere; count(m.country for m
// in members) "Members from three different countries"
void SenseChecker::doubt_distinct(RubricContext& rc, const Named& value) {
  if (!says(value.said, WordRole::differs)) return;
  const std::string_view file = sources_.file(value.e->span.file).text;
  if (source_text(value.e->span).find("distinct(") != std::string::npos) return;
  const std::vector<std::string> words = words_of(value.said);
  // "three different countries" is about a field 'country', and "different from the others" about no list at all
  const auto said_of = [&words](const std::string& field) {
    constexpr std::size_t kNear = 3;
    const std::string last = words_of(field).empty() ? std::string() : words_of(field).back();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!is_word(words[i], WordRole::differs)) continue;
      for (std::size_t k = i + 1; k < words.size() && k <= i + kNear; ++k) {
        if (has_word("from than to in", words[k])) break;
        if (words[k] == last || akin(words[k], last)) return true;
      }
    }
    return false;
  };
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (e.kind != ast::ExprKind::call || e.text != "count" || e.args.size() != 1) return;
    const bool named = !e.loop && is_path(*e.args[0]);
    const ast::Expr& of = e.loop ? e : named ? formula_of(*e.args[0]) : *e.args[0];
    const bool field = looped_list(of) != nullptr && (e.loop || of.kind == ast::ExprKind::list_loop) &&
                       of.args[0]->kind == ast::ExprKind::field && of.args[0]->text != "id" &&
                       said_of(of.args[0]->text);
    if (!named && !field) return;
    std::string list = source_text(e.span);
    list = list.substr(list.find('(') + 1);
    list.pop_back();
    const std::string meant = "count(distinct(" + list + "))";
    if (!field && file.find("distinct(" + list + ")") == file.npos) return;
    tell(rc, Code::against_name, e.span,
         field ? "of equal values of '" + of.args[0]->text + "' each counts here, and '" + value.name +
                     "' is about different ones"
               : "'" + list + "' may hold the same several times, and each counts here",
         "write " + meant, {{{e.span, meant}}});
  });
}

// Whether a list has an order of its own: its prose says so, it is no input, or its items are no numbers.
bool SenseChecker::in_some_order(const RubricContext& rc, const ast::Expr& list) const {
  const ast::Expr* of = &formula_of(list);
  constexpr int kMostLevels = 4;
  for (int level = 0; level < kMostLevels && of->kind == ast::ExprKind::list_loop; ++level) {
    const ast::Expr* inner = looped_list(*of);
    if (inner == nullptr || !is_path(*of->args[0])) return true;
    of = &formula_of(*inner);
  }
  const auto input = of->kind == ast::ExprKind::name ? rc.last_inputs.find(of->text) : rc.last_inputs.end();
  if (input == rc.last_inputs.end()) return true;
  const std::vector<std::string> words = words_of(plain_words(input->second->prose));
  const bool in_time =
      has_word("season time date day week month year appearance entry arrival event calendar", words) ||
      has_neighbours(words, "oldest newest latest earliest", "first");
  const bool first = std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return is_word(w, WordRole::finest) || is_word(w, WordRole::weakest) || is_word(w, WordRole::topmost) ||
           is_word(w, WordRole::lowermost);
  });
  return first || has_word("sorted ranked ranking descending ascending falling rising", words) ||
         (has_word("order ordered", words) && !in_time);
}

// Whether a list is an input of numbers, or takes numbers from one.
bool SenseChecker::holds_numbers(const RubricContext& rc, const ast::Expr& list) {
  if (list.kind == ast::ExprKind::name) {
    const auto input = rc.by_name.inputs.find(list.text);
    if (input == rc.by_name.inputs.end()) return false;
    const Type& type = types_[model(rc).items[static_cast<std::size_t>(input->second)].type];
    return type.kind == TypeKind::list && types_.kind(type.element) == TypeKind::number;
  }
  const ast::Expr* of = list.kind == ast::ExprKind::list_loop ? looped_list(list) : nullptr;
  if (of == nullptr || formula_of(*of).kind != ast::ExprKind::name) return false;
  const ast::Expr &taken = *list.args[0], &all = formula_of(*of);
  if (taken.kind == ast::ExprKind::name) return holds_numbers(rc, all);
  const Type* item = taken.kind == ast::ExprKind::field ? item_type(rc, all) : nullptr;
  return item != nullptr && std::any_of(item->fields.begin(), item->fields.end(), [&](const Field& field) {
           return field.name == taken.text && types_.kind(field.type) == TypeKind::number;
         });
}

// let best_three = first(3, results); # The best three results count, above let counted = first(3, results)
void SenseChecker::doubt_unordered(RubricContext& rc, const Named& value) {
  const ast::Expr* call = nullptr;
  bool other = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (e.kind != ast::ExprKind::call) return;
    const bool part = (e.text == "first" || e.text == "last") && e.args.size() == 2 && !e.loop;
    other = other || has_word("max min sort sorted", e.text) || (part && call != nullptr);
    if (part) call = &e;
  });
  if (call == nullptr || other || call->args[0]->kind != ast::ExprKind::number || told_at(call->span) != nullptr)
    return;
  const ast::Expr& list = *call->args[1];
  const ast::Expr& formula = formula_of(list);
  const bool written = list.kind == ast::ExprKind::list_loop;
  if ((list.kind != ast::ExprKind::name && !written) || in_some_order(rc, list)) return;
  if (!holds_numbers(rc, formula)) return;
  // The word that says which are meant, of the name alone or beside the same number: "the best three", "three best".
  const auto side = [](const std::string& word) {
    const bool high = is_word(word, WordRole::topmost), low = is_word(word, WordRole::lowermost);
    const bool best = is_word(word, WordRole::finest) || word.substr(0, word.find_first_of("0123456789")) == "top",
               worst = is_word(word, WordRole::weakest);
    return high ? 2 : low ? -2 : best ? 1 : worst ? -1 : 0;
  };
  std::vector<std::string> names = words_of(value.name);
  for (const std::string& name : value.shown_as) {
    for (std::string& word : words_of(name)) names.push_back(std::move(word));
  }
  const std::vector<std::string> said = words_of(value.prose + " " + comment_at(value.e->span));
  if (has_word("first last recent latest opening earliest oldest newest initial", names) ||
      has_word("first last recent latest earliest oldest newest sorted ordered ranked", said))
    return;
  int meant = 0;
  std::string word;
  const auto say = [&](int here, const std::string& by) {
    if (here != 0 && meant != 0 && here != meant) return false;
    if (here != 0) meant = here, word = by;
    return true;
  };
  const Number size = slope_.range(rc, *call->args[0]).low;
  const auto is_size = [&](std::size_t i) {
    const std::vector<SaidNumber> n = i < said.size() ? numbers_said(said[i], numbers()) : std::vector<SaidNumber>();
    return n.size() == 1 && compare(n[0].value, size) == 0;
  };
  // "best_three", "top3", "best_results"; not "best_guess"
  const std::string& path = formula.kind == ast::ExprKind::list_loop ? formula.args[0]->text : formula.text;
  const auto of_them = [&](std::size_t i) {
    static constexpr std::string_view kParts = "ones values results marks scores points few some";
    if (i >= names.size()) return false;
    const bool number = number_said(names[i]).has_value() || names[i].find_first_of("0123456789") != std::string::npos;
    const std::vector<std::string> own = words_of(path + " " + list.text);
    return number || has_word(kParts, names[i]) || std::any_of(own.begin(), own.end(), [&](const std::string& w) {
             return w == names[i] || akin(w, names[i]);
           });
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool fits =
        of_them(i + 1) || (i > 0 && of_them(i - 1)) || names[i].find_first_of("0123456789") != std::string::npos;
    if (fits && !say(side(names[i]), names[i])) return;
  }
  for (std::size_t i = 0; i < said.size(); ++i) {
    const bool at = i > 0 && said[i - 1] == "at";  // "at best three"
    const bool beside = !at && (is_size(i + 1) || (i > 0 && is_size(i - 1)));
    if (beside && !say(side(said[i]), said[i])) return;
  }
  if (meant == 0 || (std::abs(meant) == 1 && end_ < 0)) return;
  // The best of times are the low ones.
  const bool low_is_good =
      says(path, WordRole::bad) || ranked_low(rc, path) || moves_with(rc, path, -1) || of_school(rc);
  bool high = meant > 0;
  if (std::abs(meant) == 1 && low_is_good) high = !high;
  if (call->text == "last") high = !high;
  const std::string order = high ? "higher" : "lower", text = source_text(list.span);
  std::string ordered;
  if (written) {
    ordered = text.substr(0, text.size() - 1) + " by " + order + " " + source_text(list.args[0]->span) + "]";
  } else {
    const std::string item = text.substr(0, 1) == "x" ? "v" : "x";
    ordered = "[" + item + " for " + item + " in " + text + " by " + order + " " + item + "]";
  }
  const std::string count = source_text(call->args[0]->span);
  const std::string right = call->text + "(" + count + ", " + ordered + ")";
  tell(rc, Code::against_name, call->span,
       "'" + value.name + "' takes the " + call->text + " " + count + " of '" + short_text(list.span) +
           "', which nothing has put in order, and its name or text says \"" + word + '"',
       "write " + right, {{{call->span, right}}});
}

// let standard_deviation = variance(readings); abs(x - centre) > 3 * spread "3 standard deviations", of a variance
void SenseChecker::doubt_deviation(RubricContext& rc, const Named& value) {
  const auto is_deviation = [](const std::vector<std::string>& words) {
    return has_neighbours(words, "standard std", "deviation deviations dev") ||
           has_word("stdev stddev stdevs sigma", words);
  };
  const auto is_square = [](const std::vector<std::string>& words) {
    return has_word("variance variances squared square", words);
  };
  const std::string_view file = sources_.file(value.e->span.file).text;
  if (file.find("variance(") == file.npos && file.find("stdev(") == file.npos) return;
  const auto calls = [](const ast::Expr& e, std::string_view name) {
    return e.kind == ast::ExprKind::call && e.text == name && e.args.size() == 1;
  };
  const std::vector<std::string> names = words_of(value.name),
                                 said = words_of(value.said + " " + comment_at(value.e->span));
  const ast::Expr& core = core_of(*value.e);
  if (has_word("variance", names) && calls(core, "stdev") && !is_deviation(said))
    return tell(rc, Code::against_name, core.word,
                "'" + value.name + "' is computed by 'stdev', and a variance is its square", "write 'variance'",
                {{{core.word, "variance"}}});
  if (!is_deviation(said) || is_square(said) || file.find("sqrt(") != file.npos || file.find('^') != file.npos) return;
  const ast::Expr* found = nullptr;
  bool right = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const ast::Expr& of = core_of(formula_of(e));
    right = right || calls(of, "stdev");
    if (found == nullptr && calls(of, "variance") && (&of == &e || e.kind == ast::ExprKind::name)) found = &of;
  });
  if (found == nullptr || right || told_at(found->word) != nullptr) return;
  tell(rc, Code::against_name, found->word,
       "'variance' is the square of the standard deviation, of which '" + value.name + "' speaks", "write 'stdev'",
       {{{found->word, "stdev"}}});
}

// (sum(marks) - max(marks) - min(marks)) / count(marks): two of them are struck
void SenseChecker::doubt_struck(RubricContext& rc, const ast::Expr& e) {
  if (!is_binary(e, "/")) return;
  const auto arguments = [this](const ast::Expr& call) {
    const std::string text = squeezed(call.span);
    return text.substr(std::min(text.find('('), text.size()));
  };
  const auto calls = [](const ast::Expr& of, std::string_view name) {
    return of.kind == ast::ExprKind::call && of.text == name && of.args.size() == 1;
  };
  const ast::Expr* left = &meant_by(*e.args[0]);
  std::vector<const ast::Expr*> struck;
  constexpr std::size_t kMost = 2;
  for (; is_binary(*left, "-") && struck.size() <= kMost; left = &meant_by(*left->args[0]))
    struck.push_back(&meant_by(*left->args[1]));
  const ast::Expr &sum = *left, &count = meant_by(*e.args[1]);
  if (struck.empty() || struck.size() > kMost || !calls(sum, "sum") || !is_call(count, "count")) return;
  const bool extremes = std::all_of(struck.begin(), struck.end(), [&](const ast::Expr* one) {
    return (calls(*one, "max") || calls(*one, "min")) && arguments(*one) == arguments(sum);
  });
  if (!extremes || (struck.size() == kMost && struck[0]->text == struck[1]->text)) return;
  const ast::Expr* list = sum.loop ? looped_list(sum) : sum.args[0].get();
  if (list == nullptr || (sum.loop && sum.loop->clauses.size() != 1) ||
      squeezed(list->span) != squeezed(count.args[0]->span))
    return;
  const std::string left_out = std::to_string(struck.size()), all = source_text(e.args[1]->span);
  const std::string meant = "(" + all + " - " + left_out + ")";
  tell(rc, Code::against_name, e.args[1]->span,
       "the " +
           (struck.size() > 1 ? "largest and the smallest are"
                              : (struck[0]->text == "max" ? std::string("largest") : std::string("smallest")) + " is") +
           " taken out of the sum, and " + (struck.size() > 1 ? "they count" : "it counts") +
           " among those by which it is divided",
       "write / " + meant, {{{e.args[1]->span, meant}}});
}

// let mean_per_pupil = mean(c.mean_points for c in classes), beside c.pupils: classes differ in size
void SenseChecker::doubt_mean_of_means(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const ast::Expr* list = e.kind == ast::ExprKind::call && e.text == "mean" && e.loop ? looped_list(e) : nullptr;
  const Type* item = list != nullptr && e.loop->clauses.size() == 1 ? item_type(rc, *list) : nullptr;
  if (item == nullptr || e.args.size() != 1 || e.args[0]->kind != ast::ExprKind::field ||
      e.args[0]->args[0]->kind != ast::ExprKind::name || !e.loop->clauses[0].second.text.empty())
    return;
  if (!says(e.args[0]->text, WordRole::averaged) && !says(e.args[0]->text, WordRole::shared)) return;
  const std::vector<std::string> words = words_of(value.said + " " + comment_at(value.e->span));
  const auto one_of = [](const std::string& field) {
    return field.ends_with('s') ? field.substr(0, field.size() - 1) : field;
  };
  const auto sized = [&](const Field& field) {
    const Type& type = types_[field.type];
    const bool counts = type.kind == TypeKind::number && type.whole && field.name.ends_with('s');
    return counts && (has_neighbours(words, "per average mean typical each every", one_of(field.name)) ||
                      has_neighbours(words, "all", field.name));
  };
  const auto by = std::find_if(item->fields.begin(), item->fields.end(), sized);
  if (by == item->fields.end()) return;
  const std::string name = e.args[0]->args[0]->text, loop = source_text(e.loop->clauses[0].span);
  const std::string size = name + "." + by->name;
  const std::string meant =
      "sum(" + source_text(e.args[0]->span) + " * " + size + " " + loop + ") / sum(" + size + " " + loop + ")";
  tell(rc, Code::against_name, e.span,
       "each of '" + source_text(list->span) + "' counts the same here, whatever its '" + by->name + "' are, and '" +
           value.name + "' is about each " + one_of(by->name),
       "write " + meant, {{{e.span, meant}}});
}

// let overdue = [l for l in loans when l.days_left > 0]; gate on_time = days_late > 0
void SenseChecker::doubt_overdue(RubricContext& rc, const Named& value) {
  std::string names = value.name;
  for (const std::string& name : value.shown_as) names += " " + name;
  const std::vector<std::string> words = words_of(names);
  const bool late = says(names, WordRole::overdue);
  const bool on_time = has_neighbours(words, "on in", "time") || has_word("punctual", words);
  if (late == on_time || has_word("not no never un non without almost nearly soon before until waived excused", words))
    return;
  std::vector<const ast::Expr*> open;
  const bool amount = value.e->kind == ast::ExprKind::choice && (value.e->args.size() < 3 || !value.e->args[2]);
  const ast::Expr& e = amount ? *value.e->args[1] : *value.e;
  // A name of the condition alone says nothing else: "is_overdue", not "late_fee_waived".
  const bool other =
      value.kind != "deduction" && std::any_of(words.begin(), words.end(), [](const std::string& w) {
        return !is_word(w, WordRole::overdue) && !has_word("is was are has been already now on in time punctual", w);
      });
  if (!other && told_at(value.e->span) == nullptr) open.push_back(&e);
  if (e.loop && (e.kind == ast::ExprKind::list_loop || e.kind == ast::ExprKind::call)) {
    if (e.kind == ast::ExprKind::call && has_word("any all", e.text)) open.push_back(e.args[0].get());
    for (const ast::Clause& clause : e.loop->clauses) {
      if (clause.kind == ast::ClauseKind::when) open.push_back(clause.expr.get());
    }
  }
  while (!open.empty()) {
    const ast::Expr& part = *open.back();
    open.pop_back();
    budget_.step();
    if (is_binary(part, "and")) {
      for (const ast::ExprPtr& side : part.args) open.push_back(side.get());
    }
    const bool below = is_binary(part, "<") || is_binary(part, "<="),
               above = is_binary(part, ">") || is_binary(part, ">=");
    if ((!below && !above) || !is_path(*part.args[0]) || part.args[1]->text != "0" || told_at(part.span) != nullptr)
      continue;
    const std::vector<std::string> of = words_of(part.args[0]->text);
    const bool timed = has_word("time", of) || std::any_of(of.begin(), of.end(), [](const std::string& w) {
                         const Unit* unit = unit_of(w);
                         return unit != nullptr && (unit->of == Quantity::time || unit->of == Quantity::months);
                       });
    const bool remaining = timed && has_word("left remaining until", of);
    const bool lateness = has_word("late lateness overdue delay delays", of) && !remaining;
    if (remaining == lateness) continue;
    const bool wants_above = remaining != late;  // time that remains, of what is on time
    if (wants_above == above) continue;
    const std::string meant = late ? (wants_above ? ">" : "<") : wants_above ? ">=" : "<=";
    return tell(rc, Code::against_name, part.span,
                "'" + value.name + "' is for what has " + short_text(part.span) + ", which is not what its name says",
                "write '" + meant + "'", {{{part.word, meant}}});
  }
}

namespace {

// The word of a text for the one value that decides: "only as good as its weakest part", and with `plain` also "the lowest
// of them counts". Empty: none, or several.
std::string deciding_word(const std::vector<std::string>& words, bool plain) {
  std::string found;
  const auto has = [&words](std::size_t i, std::string_view list) {
    return i < words.size() && has_word(list, words[i]);
  };
  const bool counts = has_word("counts decides determines", words) || has_neighbours(words, "is", "the score") ||
                      has_neighbours(words, "the", "score result grade");
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool low = is_word(words[i], WordRole::weakest) || is_word(words[i], WordRole::lowermost);
    const bool high = is_word(words[i], WordRole::finest) || is_word(words[i], WordRole::topmost);
    if (low == high) continue;
    const bool as_good = i > 3 && has(i - 1, "its their the") && has(i - 2, "as") &&
                         has(i - 3, "good strong safe reliable high bad weak") && has(i - 4, "as");
    const bool link = low && has(i + 1, "link");
    if (!as_good && !link && !(plain && counts && has(i - 1, "the"))) continue;
    if (!found.empty() && found != words[i]) return {};
    found = words[i];
  }
  return found;
}

}  // namespace

// # A set is only as good as its weakest part, above composite = max(d.score for d in dimensions)
void SenseChecker::doubt_weakest_part(RubricContext& rc, const ast::Composite& node) {
  if (!node.body.expr || by_grades_ < 0 || of_school(rc)) return;  // "the worst" says nothing of the scale
  const ast::Expr& e = core_of(*node.body.expr);
  if (e.kind != ast::ExprKind::call || (e.text != "max" && e.text != "min") || told_at(e.span) != nullptr) return;
  const std::string other = e.text == "max" ? "min" : "max";
  const std::vector<std::string> own = words_of(comment_at(e.span) + " " + plain_words(rc.node->prose));
  if (has_word("not never than", own)) return;
  std::string said = deciding_word(own, true);
  const std::string_view file = sources_.file(e.span.file).text;
  if (said.empty() && file.find(other + "(") == file.npos) {  // in any comment
    said = deciding_word(words_of(comments_of(sources_.file(e.span.file).text)), false);
  }
  const bool low = is_word(said, WordRole::weakest) || is_word(said, WordRole::lowermost);
  if (said.empty() || low == (e.text == "min")) return;
  tell(rc, Code::against_name, e.span,
       "the composite is the " + std::string(e.text == "max" ? "largest" : "smallest") +
           " of several values, and the text says that the " + said + " counts",
       "write '" + other + "'", {{{e.word, other}}});
}

// dimension trust "The weakest link counts" = mean(links)
void SenseChecker::doubt_deciding(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const std::vector<std::string> words = words_of(value.prose);
  if (e.kind != ast::ExprKind::call || !has_word("mean median max min", e.text) || by_grades_ < 0 || of_school(rc) ||
      has_word("not never than no", words) || told_at(e.span) != nullptr)
    return;
  const std::string said = deciding_word(words, true);
  const bool low = is_word(said, WordRole::weakest) || is_word(said, WordRole::lowermost);
  // What the worst is depends on what is measured; of a dimension it is the lowest.
  const bool judges = is_word(said, WordRole::weakest) || is_word(said, WordRole::finest);
  if (judges && (value.kind != "dimension" || end_ < 0)) return;
  const std::string meant = low ? "min" : "max";
  const ast::Expr* of = e.args.empty() ? nullptr : e.args[0].get();
  if (said.empty() || meant == e.text || of == nullptr || (is_path(*of) && good_is_low(rc, source_text(of->span))))
    return;
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' is computed by '" + e.text + "', and its text says that the " + said + " counts",
       "write '" + meant + "'", {{{e.word, meant}}});
}

void SenseChecker::doubt_lists(RubricContext& rc) {
  for (const Named& value : named_) {
    doubt_deciding(rc, value);
    doubt_recent(rc, value);
    doubt_difference(rc, value);
    doubt_distinct(rc, value);
    doubt_unordered(rc, value);
    doubt_deviation(rc, value);
    doubt_mean_of_means(rc, value);
    doubt_overdue(rc, value);
    each_expr(budget_, *value.e, [&](const ast::Expr& e) { doubt_struck(rc, e); });
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* composite = std::get_if<ast::Composite>(&item->node)) doubt_weakest_part(rc, *composite);
  }
}

}  // namespace assay
