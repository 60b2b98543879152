// See sense_checker.hpp. Finds declarations of which the words say the opposite of the rest: a condition that its text
// denies, advice for what is so already, a cap at another grade than its text names, an average that is a maximum.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr std::string_view kDenials = "not no never without non nor neither";

// Whether a text has a word only behind one that denies it: "It is not yet expired" of 'expired'.
bool denied_in(const std::vector<std::string>& words, const std::string& word) {
  static constexpr std::string_view kBetween = "yet been be being with a an the any fully properly";
  bool denied = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != word && !akin(words[i], word)) continue;
    std::size_t before = i;
    while (before > 0 && has_word(kBetween, words[before - 1])) --before;
    if (before == 0 || !has_word(kDenials, words[before - 1])) return false;
    denied = true;
  }
  return denied;
}

// The largest or smallest of several, their average or their sum, by one word of a name; empty: no word says it.
std::string_view computed_by_name(const std::vector<std::string>& words) {
  struct Row {
    WordRole role;
    std::string_view function;
  };
  static constexpr Row kRows[] = {
      {WordRole::averaged, "mean"}, {WordRole::topmost, "max"}, {WordRole::lowermost, "min"}};
  std::string_view found;
  for (const std::string& word : words) {
    for (const Row& row : kRows) {
      const bool here = is_word(word, row.role) || (row.function != "mean" && word == row.function);
      if (!here) continue;
      if (!found.empty()) return {};  // the average of the longest ones
      found = row.function;
    }
  }
  return found;
}

// Whether prose demands what it names: "at most B", "not better than C". The grade that it names; empty: none, or several.
std::string grade_limit(std::string_view prose, const std::vector<std::string>& grades) {
  std::vector<std::string> words;  // with their case: "A" is a grade, and "a" an article
  for (std::size_t at = 0; at < prose.size();) {
    const std::size_t begin = prose.find_first_not_of(" ,;.:()\"'", at);
    const std::size_t end = std::min(prose.find_first_of(" ,;.:()\"'", begin), prose.size());
    if (begin == prose.npos) break;
    words.emplace_back(prose.substr(begin, end - begin));
    at = end;
  }
  std::string found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(grades.begin(), grades.end(), words[i]) == grades.end()) continue;
    std::size_t k = i;
    while (k > 0 && has_word("a an the grade mark class band level", words[k - 1])) --k;
    const auto before = [&](std::size_t back, std::string_view list) {
      return k >= back && has_word(list, in_lower_case(words[k - back]));
    };
    const bool limits =
        (before(2, "at") && before(1, "most best")) || (before(2, "up") && before(1, "to")) ||
        (before(1, "than above beyond") &&
         std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(k),
                     [](const std::string& w) { return has_word("not no never nothing Not No Never Nothing", w); }));
    if (!limits) continue;
    if (!found.empty()) return {};
    found = words[i];
  }
  return found;
}

}  // namespace

// gate usable = expired "It is not past its date, and not expired"; cap score at 4 when verified "Not verified"
void SenseChecker::doubt_denied(RubricContext& rc, const ast::Expr& e, const std::string& name, const ast::Text& prose,
                                bool passes) {
  if (is_binary(e, "and") && !told_at(e.span)) {  // age < 12 and with_adult "A child without an adult"
    for (const ast::ExprPtr& side : e.args) doubt_denied(rc, *side, "", prose, passes);
    return;
  }
  if (!is_path(e)) return;
  std::vector<std::string> of = words_of(e.text);
  while (of.size() > 1 && has_word("is has was are with", of.front())) of.erase(of.begin());
  if (of.size() != 1) return;
  const std::vector<std::string> names = words_of(name);
  const bool by_name = names.size() == 2 && has_word("not no non without", names[0]) && names[1] == of[0];
  // The text of a gate may say why it fails: "Not verified". What is bad is no reason for it where there is none of it.
  const bool bad = sense_of(e.text).good < 0 || says(e.text, WordRole::overdue);
  const bool by_text = (!passes || bad) && denied_in(words_of(plain_words(prose)), of[0]);
  if ((!by_name && !by_text) || told_at(e.span) != nullptr) return;
  const std::string meant = "not " + source_text(e.span);
  tell(rc, Code::contradicts_prose, e.span,
       "this condition is " + short_text(e.span) + ", and its " +
           (by_text ? "text says \"" + prose.str() + '"' : "name says '" + name + "'"),
       FixIt("write " + meant, meant, false), {});
}

// gate no_allergens = count(allergens) > 0
void SenseChecker::doubt_none_named(RubricContext& rc, const ast::Expr& e, const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  const bool some = (is_binary(e, ">") || is_binary(e, "!=")) && e.args[1]->text == "0";
  const bool one = is_binary(e, ">=") && e.args[1]->text == "1";
  if (words.size() != 2 || !has_word("no zero without", words[0]) || (!some && !one)) return;
  const ast::Expr& of = *e.args[0];
  const ast::Expr& path = is_call(of, "count") ? *of.args[0] : of;
  const std::vector<std::string> own = is_path(path) ? words_of(path.text) : std::vector<std::string>();
  if (own.size() != 1 || (own[0] != words[1] && !akin(own[0], words[1])) || told_at(e.span) != nullptr) return;
  const std::string meant = source_text(of.span) + " == 0";
  tell(rc, Code::contradicts_prose, e.span,
       "this condition is " + short_text(e.span) + ", and its name says '" + name + "'",
       FixIt("write " + meant, meant, false), {});
}

// incomplete when count(sure) >= 3 "Three reviews are needed, there are {count(sure)}", or "Only {count(sure)} reviews"
void SenseChecker::doubt_needed(RubricContext& rc, const ast::Expr& e, const ast::Text& prose) {
  const bool much = is_binary(e, ">=") || is_binary(e, ">");
  if (!much || e.args[1]->kind != ast::ExprKind::number || prose.parts.empty() || told_at(e.span) != nullptr) return;
  const Interval here = slope_.range(rc, *e.args[1]);
  const std::string begin = prose.parts[0].literal;
  const std::vector<std::string> words = words_of(begin);
  bool few = words.size() == 1 && words[0] == "only" && !prose.parts[0].expr && prose.parts.size() > 1 &&
             prose.parts[1].expr && squeezed(prose.parts[1].expr->span) == squeezed(e.args[0]->span);
  few = few || (words.size() == 1 && words[0] == "only" && prose.parts[0].expr &&
                squeezed(prose.parts[0].expr->span) == squeezed(e.args[0]->span));
  const std::vector<SaidNumber> said = numbers_said(begin, numbers());
  if (!few && has_word("needed required necessary needs requires need require", words) && said.size() == 1 &&
      !said[0].percent && finite(here) && !has_word("not no never longer most than without more less fewer", words)) {
    const Number least = is_binary(e, ">=") ? here.low : add(here.low, whole(1), numbers());
    few = compare(said[0].value, least) == 0 || compare(said[0].value, here.low) == 0;
  }
  if (!few) return;
  const bool exactly_said = said.size() == 1 && finite(here) && compare(said[0].value, here.low) == 0;
  const std::string meant = is_binary(e, ">=") || exactly_said ? "<" : "<=";
  tell(rc, Code::contradicts_prose, e.span,
       "this condition is " + short_text(e.span) + ", and its text says " + source_text(prose.span),
       "write '" + meant + "'", {{{e.word, meant}}});
}

// deduction cap = 10: an amount for every record, where the limit of all deductions is meant
void SenseChecker::doubt_limit_as_amount(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node) {
  const std::string name = plain_words(node.label);
  if (node.loop || !node.body.expr || node.body.expr->kind != ast::ExprKind::number ||
      !has_word("cap limit max maximum ceiling", name))
    return;
  const AdjustmentRow& row = row_of(node.kind);
  const std::string meant = "cap " + std::string(row.list) + " at " + source_text(node.body.expr->span);
  tell(rc, Code::against_name, item.word,
       "'" + name + "' is a " + std::string(row.word) + " that every record has, which is not what its name says",
       "write " + meant + " for a limit of all " + std::string(row.list),
       {{{{item.word.file, item.word.begin, node.body.expr->span.end}, meant}}});
}

namespace {

// "More night than work", beside night <= work: the text says what the condition rejects.
bool says_opposite(const ast::Expr& e, const std::vector<std::string>& words) {
  const auto than = std::find(words.begin(), words.end(), "than");
  const auto more = std::find_if(words.begin(), than, [](const std::string& w) {
    return has_word("more later less fewer earlier", w) || is_word(w, WordRole::larger) || is_word(w, WordRole::lesser);
  });
  if (than == words.end() || more == than) return false;
  const auto named = [&](const ast::Expr& side) {
    const std::vector<std::string> own = words_of(side.text);
    return std::count_if(words.begin(), than, [&own](const std::string& word) {
      return std::any_of(own.begin(), own.end(), [&word](const std::string& w) { return w == word || akin(w, word); });
    });
  };
  const auto left = named(*e.args[0]), right = named(*e.args[1]);
  const bool large = !has_word("less fewer earlier", *more) && !is_word(*more, WordRole::lesser);
  return left != right && (left > right) == (large == (e.text.front() == '<'));
}

}  // namespace

// check end < start at end "The shift ends before it begins"; check age < 18 at age "Must be at least 18"
void SenseChecker::doubt_complaint(RubricContext& rc, const ast::Check& node) {
  const ast::Expr& e = *node.condition;
  if (e.kind != ast::ExprKind::binary || opposite_of(e.text).empty() || turned(e.text) == e.text ||
      !is_path(*e.args[0]) || !node.prose.plain() || told_at(e.span) != nullptr)
    return;
  bool against = false;
  if (e.args[1]->kind == ast::ExprKind::number) {
    const std::optional<SaidBound> said = bound_said(node.prose.str(), numbers());
    const Interval here = slope_.range(rc, *e.args[1]);
    against = said && (said->demands || said->must) && !said->number.percent && finite(here) &&
              compare(here.low, said->number.value) == 0 && said->op.front() != e.text.front();
  } else if (is_path(*e.args[1]) && !says_opposite(e, words_of(node.prose.str()))) {
    // What is less by its nature: the start than the end, a part than the whole.
    const std::string &less = e.args[e.text.front() == '<' ? 0 : 1]->text,
                      &more = e.args[e.text.front() == '<' ? 1 : 0]->text;
    const auto has = [](std::string_view list, const std::string& name) { return has_word(list, words_of(name)); };
    const bool ends = has("end ended ends finish finished stop closed", less) &&
                      has("start started starts begin began begins opened", more);
    against = (ends && !has("previous last next before", less + " " + more)) || counts_some(more, less);
  }
  if (!against) return;
  const std::string meant(opposite_of(e.text));
  tell(rc, Code::contradicts_prose, e.span,
       "a check says what must hold, and this rejects all but " + short_text(e.span) + "; its text says \"" +
           node.prose.str() + '"',
       "write '" + meant + "'", {{{e.word, meant}}});
}

// advice "Grow more vegetables" when vegetables > 0.3; "Raise the pH" when ph > 7.8; "Water it" when soil_moisture > 60
void SenseChecker::doubt_advised(RubricContext& rc, const ast::Advice& node) {
  if (!node.when || node.loop) return;
  const ast::Expr& e = *node.when;
  const bool order = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
  if (!order || !is_path(*e.args[0]) || is_path(*e.args[1]) || told_at(e.span) != nullptr) return;
  const std::vector<std::string> words = words_of(plain_words(node.text));
  std::vector<std::string> of = words_of(e.args[0]->text);
  if (of.size() > 1 && unit_of(of.back()) != nullptr) of.pop_back();
  if (of.empty() || words.empty() || has_word("not no never too already enough instead than is are was were", words) ||
      says(e.args[0]->text, WordRole::turns))
    return;
  int wanted = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (i > 0 && words[i - 1] == "or") continue;  // three or more tasks
    std::size_t k = i + 1;
    while (k + 1 < words.size() && has_word("the your its their this", words[k])) ++k;
    for (std::size_t n = 0; n + 1 < of.size() && k + 1 < words.size() && words[k] == of[n]; ++n) ++k;
    const bool next = words[k] == of.back() || akin(words[k], of.back());
    if (next && has_word("more increase raise add", words[i])) wanted = 1;
    if (next && has_word("less fewer reduce lower cut decrease", words[i])) wanted = -1;
  }
  if (wanted == 0) {  // what it asks for changes the value
    wanted = change_said(words[0], e.args[0]->text);
    if (has_word("less fewer seldom rarely sparingly", words)) wanted = -wanted;
  }
  if (wanted == 0 || (e.text.front() == '<') == (wanted > 0)) return;
  const std::string meant(turned(e.text));
  tell(rc, Code::contradicts_prose, e.span,
       "this advice is for " + short_text(e.span) + ", and its text says \"" + node.text.str() + '"',
       "write '" + meant + "'", {{{e.word, meant}}});
}

// cap grade at "B" when broken > 0 "With a broken part not better than C"
void SenseChecker::doubt_named_grade(RubricContext& rc, const ast::Cap& node) {
  if (!node.at || node.at->kind != ast::ExprKind::text || !node.at->literal.plain() || !node.prose.plain()) return;
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (bands == nullptr || bands->name.text != node.target.text) continue;
    std::vector<std::string> grades;
    for (const std::vector<ast::Cell>& row : bands->rows.rows) {
      if (row.size() <= bands->params.size() || row[bands->params.size()].patterns.size() != 1) return;
      const ast::Expr* label = row[bands->params.size()].patterns[0].expr.get();
      if (label == nullptr || label->kind != ast::ExprKind::text || !label->literal.plain()) return;
      grades.push_back(label->literal.str());
    }
    const std::string said = grade_limit(node.prose.str(), grades), here = node.at->literal.str();
    if (said.empty() || said == here) return;
    const std::string meant = '"' + said + '"';
    return tell(rc, Code::amount_against_prose, node.at->span,
                "this cap is at " + source_text(node.at->span) + ", and its text says \"" + node.prose.str() + '"',
                "write " + meant, {{{node.at->span, meant}}});
  }
}

// context chat "Speed counts most" { weight price 50% }; context nursery "Children in the room: safety comes first"
void SenseChecker::doubt_counts_most(RubricContext& rc, const ast::Context& node) {
  const std::string prose = plain_words(node.prose);
  std::vector<std::vector<std::string>> clauses = {words_of(node.name.text)};
  for (std::size_t at = 0; at <= prose.size();) {
    const std::size_t end = std::min(prose.find_first_of(",;:.", at), prose.size());
    clauses.push_back(words_of(std::string_view(prose).substr(at, end - at)));
    at = end + 1;
  }
  const ast::Dimension* said = nullptr;
  bool by_text = false;
  for (const std::vector<std::string>& words : clauses) {
    std::size_t most = words.size();
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool first =
          words[i] == "first" && i + 1 == words.size() && (i == 1 || has_word("comes goes is", words[i - 1]));
      const bool above = words[i] == "above" && i + 1 < words.size() && words[i + 1] == "all";  // "Control above all"
      if (first || above || (words[i] == "most" && has_word("counts matters weighs", words[i - 1]))) most = i;
    }
    if (most == words.size()) continue;
    if (has_word("not no never than", words)) return;
    for (const DimensionItems& d : rc.dimensions.all) {
      const std::vector<std::string> names = words_of(d.node->name.text);
      const bool here = std::any_of(
          words.begin(), words.begin() + static_cast<std::ptrdiff_t>(most),
          [&](const auto& word) { return names.size() == 1 && (word == names[0] || akin(word, names[0])); });
      if (here && said != nullptr && said != d.node) return;
      if (here) said = d.node, by_text = by_text || &words != &clauses.front();
    }
  }
  if (said == nullptr) return;
  Number own, highest;
  const ast::ContextWeight* changed = nullptr;  // of another dimension
  for (const DimensionItems& d : rc.dimensions.all) {
    const ast::Expr* weight = d.node->weight.get();
    for (const ast::ContextWeight& other : node.weights) {
      if (other.name.text != d.node->name.text) continue;
      weight = other.weight.get();
      if (d.node != said) changed = &other;
    }
    const Interval range = weight == nullptr ? Interval{} : slope_.range(rc, *weight);
    if (!finite(range) || weight->kind != ast::ExprKind::number) return;
    if (d.node == said) own = range.low;
    if (d.node != said && (highest.missing() || compare(range.low, highest) > 0)) highest = range.low;
  }
  if (own.missing() || highest.missing() || compare(own, highest) >= 0) return;
  std::vector<Fix> fixes;
  if (node.weights.size() == 1 && changed != nullptr) fixes = {{{changed->name.span, said->name.text}}};
  const Span at = node.weights.size() == 1 ? node.weights[0].name.span : node.name.span;
  tell(rc, Code::amount_against_prose, at,
       "'" + said->name.text + "' does not have the largest weight in this context, and its " +
           (by_text ? "text says \"" + prose + '"' : "name says '" + node.name.text + "'"),
       "bring the two into line", std::move(fixes));
}

// let average_wait = max(waits); let longest_wait = mean(w.minutes for w in waits)
void SenseChecker::doubt_aggregate(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (e.kind != ast::ExprKind::call || e.args.size() != 1 || !e.args[0]) return;
  const std::string_view meant = computed_by_name(words_of(value.name));
  const bool mean = meant == "mean" && (e.text == "max" || e.text == "min");
  const bool extreme = (meant == "max" || meant == "min") && (e.text == "mean" || e.text == "median");
  const ast::Expr& of = e.args[0]->loop && !e.loop && !e.args[0]->args.empty() ? *e.args[0]->args[0] : *e.args[0];
  if ((!mean && !extreme) || !is_path(of)) return;
  const std::vector<std::string> inner = words_of(of.text);
  if (!computed_by_name(inner).empty() || has_word("max min maximum minimum limit", inner)) return;
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' is computed by '" + e.text + "', which is not what its name says",
       "write '" + std::string(meant) + "'", {{{e.word, std::string(meant)}}});
}

// let total_climb = max(s.climb for s in stages), which is no running total
void SenseChecker::doubt_total(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const std::vector<std::string> words = words_of(value.name);
  const bool extreme = e.kind == ast::ExprKind::call && (e.text == "max" || e.text == "min") && e.loop;
  const bool plain = extreme && e.args.size() == 1 && e.args[0] && e.args[0]->kind == ast::ExprKind::field &&
                     e.loop->clauses.size() == 1 && e.loop->clauses[0].expr;
  if (!plain || words.size() < 2 || !has_word("total sum", words[0]) || value.kind == "dimension") return;
  static constexpr std::string_view kRunning =
      "total sum running cumulative cumulated accumulated so_far meter counter odometer reading readings entry entries "
      "log until date end after then";
  const ast::Expr& of = *e.args[0];
  const std::vector<std::string> own = words_of(of.text);
  const bool same = std::any_of(own.begin(), own.end(), [&words](const std::string& word) {
    return std::any_of(words.begin() + 1, words.end(),
                       [&word](const std::string& other) { return other == word || other == word + "s"; });
  });
  const std::string about = of.text + " " + source_text(e.loop->clauses[0].expr->span) + " " + prose_of(rc, of.text) +
                            " " + prose_of(rc, e.loop->clauses[0].expr->text);
  if (!same || says(of.text, WordRole::mark) || has_word(kRunning, words_of(about)) ||
      has_word("max maximum min minimum peak so", words_of(value.said)) || says(value.said, WordRole::topmost) ||
      says(value.said, WordRole::lowermost) || says(value.said, WordRole::finest) || told_at(e.span) != nullptr)
    return;
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' is computed by '" + e.text + "', which is not what its name says", "write 'sum'",
       {{{e.word, "sum"}}});
}

// let vat = net * 119%; let gross = net + vat
void SenseChecker::doubt_tax_with_base(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (value.kind != "value" || !is_binary(e, "*") ||
      !has_word("tax vat gst surcharge tip commission interest duty", words_of(value.name)))
    return;
  const bool first = e.args[0]->kind == ast::ExprKind::number;
  const ast::Expr &factor = *e.args[first ? 0 : 1], &of = *e.args[first ? 1 : 0];
  const Interval n = slope_.range(rc, factor);
  if (factor.kind != ast::ExprKind::number || !is_path(of) || !finite(n) || compare(n.low, whole(1)) <= 0 ||
      compare(n.low, whole(2)) >= 0)
    return;
  const std::string base = squeezed(of.span);
  for (const Named& sum : named_) {
    bool adds = false;
    each_expr(budget_, *sum.e, [&](const ast::Expr& part) {
      for (const std::size_t side : {0U, 1U})
        adds = adds || (is_binary(part, "+") && part.args[side]->kind == ast::ExprKind::name &&
                        part.args[side]->text == value.name && squeezed(part.args[1 - side]->span) == base);
    });
    if (!adds) continue;
    const Number share = sub(n.low, whole(1), numbers());
    const std::string meant =
        factor.text.ends_with('%') ? shortest_text(mul(share, whole(100), numbers())) + "%" : shortest_text(share);
    return tell(rc, Code::counted_twice, factor.span,
                "'" + value.name + "' holds all of '" + source_text(of.span) + "' already, and '" + sum.name +
                    "' adds it again",
                "write " + meant, {{{factor.span, meant}}});
  }
}

// let reached = sum(q.worth for q in done); let possible = sum(q.worth for q in done); … reached / possible
void SenseChecker::doubt_same_quotient(RubricContext& rc, const ast::Expr& e) {
  if (!is_binary(e, "/")) return;
  const ast::Expr &first = meant_by(*e.args[0]), &second = meant_by(*e.args[1]);
  const bool named = &first != &*e.args[0] || &second != &*e.args[1];
  const bool computed = first.kind == ast::ExprKind::call && second.kind == ast::ExprKind::call;
  if (!computed || (!named && told_at(e.span) != nullptr)) return;
  if (squeezed(first.span) != squeezed(second.span)) return;
  tell(rc, Code::same_sides, e.span,
       named ? short_text(e.args[0]->span) + " and " + short_text(e.args[1]->span) +
                   " are computed alike, so this is always 1"
             : "this divides a value by itself, so it is always 1",
       "write what it is to be divided by", {});
}

// 40 when ratio < 30% else 20 when ratio < 60 else 0
void SenseChecker::doubt_mixed_percent(RubricContext& rc, const ast::Expr& all) {
  const ast::Expr* percent = nullptr;
  for (const bool plain : {false, true}) {
    each_expr(budget_, all, [&](const ast::Expr& e) {
      const bool order = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
      if (!order || !is_path(*e.args[0]) || e.args[1]->kind != ast::ExprKind::number) return;
      const ast::Expr& literal = *e.args[1];
      if (!plain && literal.text.ends_with('%')) percent = &e;
      if (!plain || percent == nullptr || literal.text.ends_with('%') ||
          source_text(percent->args[0]->span) != source_text(e.args[0]->span) || told_at(literal.span) != nullptr)
        return;
      const Interval here = slope_.range(rc, literal), range = slope_.range(rc, *e.args[0]);
      const bool share = range.high.missing() || compare(range.high, whole(1)) <= 0;
      if (!share || !finite(here) || compare(here.low, whole(2)) < 0) return;
      tell(rc, Code::percent_of_points, literal.span,
           short_text(e.args[0]->span) + " is compared with " + literal.text + " here, and with " +
               percent->args[1]->text + ", which is less than 1, beside it",
           "write " + literal.text + "%", {{{literal.span, literal.text + "%"}}});
    });
  }
}

// output enough = servings <= guests; gate sufficient_stock = stock <= needed
void SenseChecker::doubt_enough(RubricContext& rc, const Named& value) {
  static constexpr std::string_view kEnough = "enough sufficient suffices";
  static constexpr std::string_view kNeeds =
      "need needs needed required requires require demand demanded guests people persons children visitors players "
      "ordered orders wanted expected consumption used";
  const ast::Expr& e = *value.e;
  const std::vector<std::string> words = words_of(value.name);
  const bool order = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
  if (!order || !has_word(kEnough, words) || !is_path(*e.args[0]) || !is_path(*e.args[1]) ||
      has_word("not no never without", words) || told_at(e.span) != nullptr)
    return;
  const auto named = [&](const ast::Expr& side) {  // enough_beds, of beds and guests
    const std::vector<std::string> own = words_of(side.text);
    return std::any_of(own.begin(), own.end(), [&words](const std::string& w) {
      return std::any_of(words.begin(), words.end(), [&w](const auto& of) { return of == w || akin(of, w); });
    });
  };
  const auto needs = [](const ast::Expr& side) { return has_word(kNeeds, words_of(side.text)); };
  const bool left = named(*e.args[0]), right = named(*e.args[1]);
  // The side of which there has to be enough: 0 the left one.
  const bool by_need = needs(*e.args[0]) != needs(*e.args[1]);
  if (left == right && (!by_need || left)) return;
  const std::size_t supply = left != right ? (left ? 0 : 1) : (needs(*e.args[0]) ? 1 : 0);
  if (by_need && needs(*e.args[supply])) return;
  if ((e.text.front() == '>') == (supply == 0) || says(e.args[supply]->text, WordRole::turns)) return;
  const std::string meant(supply == 0 ? ">=" : "<=");
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' holds if " + short_text(e.span) + ", which is not what its name says",
       "write '" + meant + "'", {{{e.word, meant}}});
}

// advice "Cotton is washed at 60 degrees" when fabric == "silk" and …, beside one that names its own value
void SenseChecker::doubt_other_choice(RubricContext& rc) {
  struct ByChoice {
    const ast::Expr* value;  // "silk"
    std::string path, own, said;
    const ast::Text* text;
  };
  std::vector<ByChoice> all;
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    const ast::Expr* e = parts.when;
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    if (amount != nullptr && amount->body.expr && amount->body.expr->kind == ast::ExprKind::choice &&
        amount->body.expr->args.size() == 2)
      e = amount->body.expr->args[1].get();
    while (e != nullptr && is_binary(*e, "and")) e = e->args[0].get();
    if (e == nullptr || !is_binary(*e, "==") || e->args[0]->kind != ast::ExprKind::name ||
        e->args[1]->kind != ast::ExprKind::text || !e->args[1]->literal.plain())
      continue;
    const auto input = rc.by_name.inputs.find(e->args[0]->text);
    if (input == rc.by_name.inputs.end()) continue;
    const Type& type = types_[model(rc).items[static_cast<std::size_t>(input->second)].type];
    for (const ast::Text* text : parts.texts) {
      const std::vector<std::string> words = words_of(plain_words(*text));
      if (words.empty()) continue;
      std::string said;
      std::size_t several = 0;
      for (const std::string& choice : type.choices) {
        const std::vector<std::string> own = words_of(choice);
        if (own.empty() || std::search(words.begin(), words.end(), own.begin(), own.end()) == words.end()) continue;
        said = choice, ++several;
      }
      const std::vector<std::string> own = words_of(said);
      const bool begins = several == 1 && std::equal(own.begin(), own.end(), words.begin());
      if (begins && !has_word("not no never except unless instead than like", words))
        all.push_back({e->args[1].get(), e->args[0]->text, e->args[1]->literal.str(), said, text});
    }
  }
  for (const ByChoice& one : all) {
    if (one.own == one.said || told_at(one.value->span) != nullptr) continue;
    // Another one begins with the value that it asks for, and none asks for what this one says.
    const auto agrees = [&one](const ByChoice& o) { return o.path == one.path && o.own == o.said && o.own != one.own; };
    const auto asks = [&one](const ByChoice& o) { return o.path == one.path && o.own == one.said; };
    if (std::none_of(all.begin(), all.end(), agrees) || std::any_of(all.begin(), all.end(), asks)) continue;
    const std::string meant = '"' + one.said + '"';
    tell(rc, Code::contradicts_prose, one.value->span,
         "this asks for " + source_text(one.value->span) + ", and its text says \"" + one.text->str() + '"',
         "write " + meant, {{{one.value->span, meant}}});
  }
}

// example "three days late" { given { days_late: 2 } }; "misses half of the rehearsals", of 20 and 8
void SenseChecker::doubt_example_amount(RubricContext& rc, const ast::Example& node) {
  static constexpr std::string_view kOpen =
      "more less fewer over under than almost nearly about around up to after before least most too first last every "
      "each not no never without or from between another extra only missing minus plus below above within if when";
  const std::vector<std::string> words = words_of(plain_words(node.name));
  if (!node.given || words.empty() || has_word(kOpen, words)) return;
  struct Given {
    std::string field;
    std::vector<std::string> name;
    const ast::Expr* e;
    Number n;
  };
  std::vector<Given> all;
  for (std::size_t i = 0; i < std::min(node.given->fields.size(), node.given->args.size()); ++i) {
    const ast::Expr* e = node.given->args[i].get();
    Number n;
    if (e != nullptr && e->kind == ast::ExprKind::number && parse_decimal(e->text, n, numbers(), true))
      all.push_back({node.given->fields[i].text, words_of(node.given->fields[i].text), e, n});
  }
  const auto doubted = [&](const Given& of, const Number& meant) {
    const std::string text = shortest_text(meant);
    tell(rc, Code::against_name, of.e->span,
         "the example is called \"" + node.name.str() + "\", and '" + of.field + "' is " + of.e->text + " in it",
         "bring the two into line", {{{of.e->span, text}}});
  };
  const std::vector<SaidNumber> said = numbers_said(node.name.str(), numbers());
  const auto begins = [&words](const Given& of, std::size_t at) {
    return !of.name.empty() && at + of.name.size() <= words.size() &&
           std::equal(of.name.begin(), of.name.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const Given* found = nullptr;
    const bool half = words[i] == "half" && words[i + 1] == "of";
    const std::size_t at = half ? i + (i + 2 < words.size() && has_word("the all", words[i + 2]) ? 3 : 2) : i + 1;
    for (const Given& of : all) {
      if (begins(of, at) && (found == nullptr || of.name.size() > found->name.size())) found = &of;
    }
    if (found == nullptr) continue;
    const std::vector<SaidNumber> number = numbers_said(words[i], numbers());
    // Other inputs with this word may be meant: absences, and absences_excused.
    const bool alone = std::count_if(all.begin(), all.end(), [&](const Given& of) {
                         return std::find(of.name.begin(), of.name.end(), found->name[0]) != of.name.end();
                       }) == 1;
    if (!half && number.size() == 1 && said.size() == 1 && !said[0].percent && alone &&
        compare(number[0].value, said[0].value) == 0 && compare(found->n, said[0].value) != 0)
      return doubted(*found, said[0].value);
    if (!half || all.size() != 2 || !said.empty()) continue;
    const Given& part = &all[0] == found ? all[1] : all[0];
    const Number meant = div(found->n, whole(2), numbers());
    const bool counts = is_whole(part.n) && is_whole(meant) && sign(part.n) > 0 && compare(part.n, found->n) < 0;
    if (counts && compare(part.n, meant) != 0) return doubted(part, meant);
  }
}

void SenseChecker::doubt_contrary(RubricContext& rc) {
  for (const Named& value : named_) {
    if (value.e->kind == ast::ExprKind::choice) doubt_mixed_percent(rc, *value.e);
    doubt_aggregate(rc, value), doubt_total(rc, value), doubt_tax_with_base(rc, value), doubt_enough(rc, value);
    each_expr(budget_, *value.e, [&](const ast::Expr& e) { doubt_same_quotient(rc, e); });
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate && gate->body.expr)
      doubt_denied(rc, *gate->body.expr, gate->name.text, gate->prose, true),
          doubt_none_named(rc, *gate->body.expr, gate->name.text);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && flag->when && !flag->loop)
      doubt_denied(rc, *flag->when, plain_words(flag->label), flag->prose, false),
          doubt_none_named(rc, *flag->when, plain_words(flag->label));
    if (const auto* rule = std::get_if<ast::Incomplete>(&item->node); rule && rule->when)
      doubt_denied(rc, *rule->when, "", rule->prose, false), doubt_needed(rc, *rule->when, rule->prose);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node); amount && amount->body.expr && !amount->loop) {
      const ast::Expr& e = *amount->body.expr;
      doubt_limit_as_amount(rc, *item, *amount);
      const bool when = e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2]);
      if (when) doubt_denied(rc, *e.args[1], plain_words(amount->label), amount->prose, false);
    }
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) {
      if (cap->when) doubt_denied(rc, *cap->when, "", cap->prose, false);
      doubt_named_grade(rc, *cap);
    }
    if (const auto* check = std::get_if<ast::Check>(&item->node); check && check->condition && !check->loop)
      doubt_complaint(rc, *check);
    if (const auto* example = std::get_if<ast::Example>(&item->node)) doubt_example_amount(rc, *example);
    if (const auto* advice = std::get_if<ast::Advice>(&item->node)) doubt_advised(rc, *advice);
    if (const auto* context = std::get_if<ast::Context>(&item->node)) doubt_counts_most(rc, *context);
  }
  doubt_other_choice(rc);
}

}  // namespace assay
