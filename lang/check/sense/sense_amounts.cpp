// See sense_checker.hpp. Compares how often an amount counts, and what a cap leaves, with what the texts say.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

// xs, of count(xs), a list or a text; null: another expression.
const ast::Expr* what_is_counted(const ast::Expr& e) { return is_call(e, "count") ? e.args[0].get() : nullptr; }

// The list or number of which a condition asks whether there is any: typos > 0, count(typos) >= 1. Null: another one.
const ast::Expr* asked_for_any(const ast::Expr& condition) {
  if (condition.kind != ast::ExprKind::binary || condition.args.size() != 2) return nullptr;
  const std::string& bound = condition.args[1]->text;
  const bool any = (condition.text == ">" && bound == "0") || (condition.text == ">=" && bound == "1");
  if (!any || condition.args[1]->kind != ast::ExprKind::number) return nullptr;
  const ast::Expr& of = *condition.args[0];
  return what_is_counted(of) != nullptr || is_path(of) ? &of : nullptr;
}

// Whether a word is about a name: 'typo' about 'typos' and 'typo_count'.
bool is_about(std::string_view name, const std::string& word) {
  const std::vector<std::string> parts = words_of(name);
  return std::any_of(parts.begin(), parts.end(), [&word](const std::string& part) {
    return part == word || part == word + "s" || part == word + "es" || word == part + "s";
  });
}

}  // namespace

// deduction typos = 1 when typos > 0 "One point for each typo"
void SenseChecker::doubt_once(RubricContext& rc, const ast::Adjustment& node) {
  const ast::Expr* e = node.body.expr.get();
  const bool constant = e != nullptr && e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2]) &&
                        e->args[0]->kind == ast::ExprKind::number;
  const ast::Expr* of = constant && !node.loop ? asked_for_any(*e->args[1]) : nullptr;
  if (of == nullptr) return;
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  const std::string name = is_path(*of) ? of->text : of->args[0]->text;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!has_word("each every per", words[i]) || !is_about(name, words[i + 1])) continue;
    const std::string amount = e->args[0]->text, counted = source_text(of->span);
    const std::string meant = amount == "1" ? counted : amount + " * " + counted;
    return tell(rc, Code::amount_against_prose, e->args[0]->span,
                "this counts once, however many there are, and its text says \"" + node.prose.str() + '"',
                "write " + meant, {{{e->args[0]->span, meant}}});
  }
}

// deduction missed = 2 * (attended - held), where a check needs attended <= held
void SenseChecker::doubt_turned_difference(RubricContext& rc, const ast::Adjustment& node) {
  if (!node.body.expr) return;
  std::vector<std::pair<const ast::Expr*, const ast::Expr*>> own, checked;
  const ast::Expr* e = node.body.expr.get();
  if (e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2])) {
    never_above(*e->args[1], own);
    e = e->args[0].get();
  }
  for (std::size_t i = 0; node.loop && i < node.loop->clauses.size(); ++i) {
    if (node.loop->clauses[i].kind == ast::ClauseKind::when) never_above(*node.loop->clauses[i].expr, own);
  }
  for (const ast::Item* item : rc.items) {
    const auto* check = std::get_if<ast::Check>(&item->node);
    if (check && !check->loop && check->condition) never_above(*check->condition, checked);
  }
  for (int level = 0; level < 6 && !is_binary(*e, "-"); ++level) {  // what keeps or scales it
    const bool scaled = is_binary(*e, "*") || is_binary(*e, "/");
    const bool kept = e->kind == ast::ExprKind::call && !e->loop && has_word("max min clamp round floor ceil", e->text);
    const ast::Expr* next = e->kind == ast::ExprKind::name ? &meant_by(*e) : nullptr;
    for (std::size_t i = 0; (scaled || kept) && i < e->args.size(); ++i) {
      const bool constant = e->args[i]->kind == ast::ExprKind::number || e->args[i]->kind == ast::ExprKind::range;
      if (!constant && (next != nullptr || (i > 0 && e->text == "/"))) return;
      if (!constant) next = e->args[i].get();
    }
    if (next == nullptr || next == e) return;
    e = next;
  }
  if (!is_binary(*e, "-")) return;
  const std::string left = squeezed(e->args[0]->span), right = squeezed(e->args[1]->span);
  const auto turned = [&](const auto& pair) {
    return squeezed(pair.first->span) == left && squeezed(pair.second->span) == right;
  };
  const bool by_own = std::any_of(own.begin(), own.end(), turned);
  if (!by_own && std::none_of(checked.begin(), checked.end(), turned)) return;
  const std::string first = source_text(e->args[0]->span), second = source_text(e->args[1]->span);
  const bool wrapped = e->args[1]->kind == ast::ExprKind::binary;
  const std::string word(row_of(node.kind).word);
  const std::string what = node.label.plain() ? "the " + word + " '" + node.label.str() + "'" : "this " + word;
  Fix fix = {{e->args[0]->span, second}, {e->args[1]->span, first}};
  tell(rc, Code::idle_amount, e->span,
       what + " is never above 0: " + (by_own ? "under its own condition" : "by a check") + " '" + first +
           "' is not above '" + second + "'",
       "write " + second + " - " + first, wrapped ? std::vector<Fix>() : std::vector<Fix>{std::move(fix)});
}

// deduction "typo {t.page}" = 0.1 * count(typos) for t in typos
void SenseChecker::doubt_counted_again(RubricContext& rc, const ast::Adjustment& node) {
  if (!node.loop || node.loop->clauses.empty() || !node.loop->clauses[0].expr || !node.body.expr) return;
  const std::string list = source_text(node.loop->clauses[0].expr->span);
  const ast::Expr* e = node.body.expr.get();
  if (e->kind == ast::ExprKind::choice) e = e->args[0].get();
  if (e->kind != ast::ExprKind::binary || e->text != "*") return;
  for (const std::size_t side : {0U, 1U}) {
    const ast::Expr& factor = *e->args[side];
    const ast::Expr* of = what_is_counted(factor);
    if (of == nullptr || source_text(of->span) != list) continue;
    const std::string meant = source_text(e->args[1 - side]->span);
    return tell(rc, Code::counted_twice, factor.span,
                "the loop counts each of '" + list + "' already, and this multiplies by how many there are",
                "write " + meant, {{{e->span, meant}}});
  }
}

// cap score at 50 when plagiarised "A plagiarised paper fails", where 50 is a pass
void SenseChecker::doubt_graded_cap(RubricContext& rc, const ast::Cap& node) {
  Number at;
  if (node.target.text != "score" || !node.at || node.at->kind != ast::ExprKind::number || !node.prose.plain() ||
      !parse_decimal(node.at->text, at, numbers(), true))
    return;
  const std::vector<std::string> words = words_of(node.prose.str());
  const auto speaks_of = [&words](std::string_view label) {
    const std::string low = in_lower_case(label);
    return std::any_of(words.begin(), words.end(), [&low](const std::string& word) {
      return word == low || word == low + "s" || word == low + "ed" || low == word + "ed" || low == word + "s";
    });
  };
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (bands == nullptr || bands->params.size() != 1 || bands->params[0].text != "score") continue;
    std::string here;  // the grade at the cap
    for (const std::vector<ast::Cell>& row : bands->rows.rows) {
      if (row.size() < 2 || row[0].patterns.size() != 1 || row[1].patterns.size() != 1) break;
      const ast::CellPattern& key = row[0].patterns[0];
      const ast::Expr* label = row[1].patterns[0].expr.get();
      if (label == nullptr || label->kind != ast::ExprKind::text || !label->literal.plain()) break;
      const std::string text = label->literal.str();
      if (words_of(text).size() != 1) break;
      if (!here.empty()) {
        if (speaks_of(here) || !speaks_of(text)) continue;
        const std::string meant = bands->name.text + " at \"" + text + '"';
        return tell(
            rc, Code::amount_against_prose, node.at->span,
            "at " + node.at->text + " the grade is \"" + here + "\", and the text says \"" + node.prose.str() + '"',
            "write cap " + meant, {{{{node.target.span.file, node.target.span.begin, node.at->span.end}, meant}}});
      }
      Number low;
      const bool bound = key.bounds.size() == 1 && key.bounds[0].expr &&
                         key.bounds[0].expr->kind == ast::ExprKind::number &&
                         parse_decimal(key.bounds[0].expr->text, low, numbers(), true);
      if (!bound) break;
      if (key.bounds[0].bound == ast::Bound::greater_equal ? compare(at, low) >= 0 : compare(at, low) > 0) here = text;
    }
  }
}

// example "without tests it is ineligible" { … expect { status: "eligible" } }
void SenseChecker::doubt_named_example(RubricContext& rc, const ast::Example& node) {
  if (!node.expect || !node.name.plain()) return;
  const std::vector<std::string> words = words_of(node.name.str());
  std::string said;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!has_word("eligible ineligible incomplete", words[i])) continue;
    if (!said.empty() || (i > 0 && has_word("not no never almost longer", words[i - 1]))) return;
    said = words[i];
  }
  for (std::size_t i = 0; i < node.expect->fields.size() && i < node.expect->args.size() && !said.empty(); ++i) {
    const ast::Expr& value = *node.expect->args[i];
    if (node.expect->fields[i].text != "status" || value.kind != ast::ExprKind::text || !value.literal.plain() ||
        value.literal.str() == said)
      continue;
    tell(rc, Code::against_name, value.span,
         "the example is called \"" + node.name.str() + "\", and expects the status \"" + value.literal.str() + '"',
         "bring the two into line", {{{value.span, '"' + said + '"'}}});
  }
}

// example "closed because of rats", in which no rats are given; example "no rats" { given { rats: true } }
void SenseChecker::doubt_named_truth(RubricContext& rc, const ast::Example& node) {
  const std::vector<std::string> words = words_of(plain_words(node.name));
  if (!node.given || words.empty() || has_word("unknown missing unsaid default instead or and but", words)) return;
  for (const auto& [key, input] : rc.last_inputs) {
    const std::string name(key);
    std::vector<std::string> own = words_of(name);
    while (own.size() > 1 && has_word("is has was are with had", own[0])) own.erase(own.begin());
    const auto at = std::search(words.begin(), words.end(), own.begin(), own.end());
    const auto type = rc.by_name.inputs.find(name);
    if (at == words.end() || type == rc.by_name.inputs.end() ||
        types_.kind(model(rc).items[static_cast<std::size_t>(type->second)].type) != TypeKind::boolean)
      continue;
    const bool denied = at != words.begin() && has_word("no not without never", *(at - 1));
    const bool plain = at == words.begin() || has_word("because of with has have are is by a the", *(at - 1));
    if ((!denied && !plain) || (plain && has_word("no not without never", words))) continue;
    const ast::Expr* value = nullptr;
    bool given = false;
    for (std::size_t i = 0; i < node.given->fields.size() && i < node.given->args.size(); ++i) {
      if (node.given->fields[i].text == name) value = node.given->args[i].get(), given = true;
    }
    if (value == nullptr) value = input->policy.expr.get();
    if (value == nullptr || value->kind != ast::ExprKind::boolean) continue;
    const bool holds = value->flag;
    if (holds != denied) continue;
    const std::string meant = holds ? "false" : "true";
    return tell(rc, Code::against_name, given ? value->span : node.name.span,
                "the example is called \"" + node.name.str() + "\", and '" + name + "' is " +
                    (holds ? "true" : "false") + " in it",
                given ? "write " + meant : "give " + name + ": " + meant,
                given ? std::vector<Fix>{{{value->span, meant}}} : std::vector<Fix>());
  }
}

namespace {

// How many a word says: 4 for "four" and "4"; 0: none, or one.
int how_many(std::string_view word) {
  static constexpr std::string_view kWords[] = {"two",   "three", "four", "five",   "six",   "seven",
                                                "eight", "nine",  "ten",  "eleven", "twelve"};
  const auto* said = std::find(std::begin(kWords), std::end(kWords), word);
  if (said != std::end(kWords)) return static_cast<int>(said - std::begin(kWords)) + 2;
  int number = 0;
  constexpr std::size_t kMostDigits = 3;
  for (const char c : word)
    number = is_digit(c) && word.size() <= kMostDigits && number >= 0 ? 10 * number + c - '0' : -1;
  return number > 1 ? number : 0;
}

// The numbers of "last_four", "top3", "best_of_five" in the words of a name or a text, and the word behind each.
std::vector<std::pair<int, std::string>> how_many_of(const std::vector<std::string>& words) {
  static constexpr std::string_view kEnds =
      "last first top bottom best worst final latest newest oldest earliest strongest weakest fastest slowest";
  const auto is_end = [](std::string_view word) {
    return has_word(kEnds, word) || is_word(word, WordRole::topmost) || is_word(word, WordRole::lowermost);
  };
  std::vector<std::pair<int, std::string>> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t digits = std::min(words[i].find_first_of("0123456789"), words[i].size());
    std::size_t at = i;
    int number = how_many(words[i].substr(digits));
    if (number == 0) {  // "best of five"
      at = i + 2 < words.size() && words[i + 1] == "of" && has_word("best worst", words[i]) ? i + 2 : i + 1;
      number = at < words.size() ? how_many(words[at]) : 0;
    }
    if (number > 0 && !is_end(words[i].substr(0, digits))) continue;
    if (number > 0) all.emplace_back(number, at + 1 < words.size() ? words[at + 1] : "");
  }
  return all;
}

}  // namespace

// let last_four = mean(last(3, marks)); output top_three = first(5, [m for m in marks by higher m])
void SenseChecker::doubt_how_many_named(RubricContext& rc, const Named& value) {
  static constexpr std::string_view kMeasures =
      "mean average avg sum total share rate median min max score points value values result results entries count "
      "are is and only alone which that counted";
  std::vector<std::pair<int, std::string>> said = how_many_of(words_of(value.said));
  for (const std::string& name : value.shown_as) {
    for (auto& one : how_many_of(words_of(name))) said.push_back(std::move(one));
  }
  if (said.empty()) return;
  const ast::Expr* literal = nullptr;
  bool several = false;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const bool part = e.kind == ast::ExprKind::call && (e.text == "first" || e.text == "last") && e.args.size() == 2;
    if (!part || e.loop) return;
    several = several || literal != nullptr;
    literal = e.args[0].get();
  });
  if (several || literal == nullptr || literal->kind != ast::ExprKind::number) return;
  const std::vector<std::string> read = words_of(source_text(value.e->span));
  const auto about = [&](const std::string& noun) {  // "weeks" beside days are others
    return noun.empty() || has_word(kMeasures, noun) || has_word(noun, read) || has_word(noun + "s", read) ||
           (noun.ends_with('s') && has_word(noun.substr(0, noun.size() - 1), read));
  };
  for (const auto& [number, noun] : said) {
    if (number != said[0].first || !about(noun) || std::to_string(number) == literal->text) return;
  }
  const std::string meant = std::to_string(said[0].first);
  tell(rc, Code::against_name, literal->span,
       "'" + value.name + "' takes " + literal->text + ", and its name or text says " + meant, "write " + meant,
       {{{literal->span, meant}}});
}

// let longest_run = max(n for d in days with n = 0 then n + 1 when d.free else n): it never begins again
void SenseChecker::doubt_run(RubricContext& rc, const Named& value) {
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const ast::Loop* loop = e.loop.get();
    if (e.kind != ast::ExprKind::call || e.text != "max" || loop == nullptr || !loop->next || e.args.empty()) return;
    const ast::Expr& next = *loop->next;
    const std::string state = e.args[0]->text;
    const bool keeps = e.args[0]->kind == ast::ExprKind::name && next.kind == ast::ExprKind::choice &&
                       next.args.size() > 2 && next.args[2] && next.args[2]->kind == ast::ExprKind::name &&
                       next.args[2]->text == state;
    const ast::Expr& grown = *next.args[0];
    const bool grows = keeps && grown.kind == ast::ExprKind::binary && grown.text == "+" &&
                       grown.args[0]->text == state && grown.args[1]->kind == ast::ExprKind::number;
    if (!grows) return;
    tell(rc, Code::against_name, next.args[2]->span,
         "'" + state + "' never goes back, so the largest of its values counts all items together", "write 0",
         {{{next.args[2]->span, "0"}}});
  });
}

// gate long_enough = count(abstract) >= 150 "The abstract has at least 150 words": of a text, the characters
void SenseChecker::doubt_words(RubricContext& rc, const Named& value) {
  const std::vector<std::string> said = words_of(value.said);
  const bool words =
      std::any_of(said.begin(), said.end(), [](const std::string& w) { return w == "words" || w == "word"; });
  if (!words || says(value.said, WordRole::turns)) return;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const ast::Expr* of = what_is_counted(e);
    if (of == nullptr) return;
    const auto input = rc.last_inputs.find(of->text);
    const bool text = of->kind == ast::ExprKind::name && input != rc.last_inputs.end() && input->second->kind &&
                      input->second->kind->tag == ast::KindTag::text;
    if (!text) return;
    const std::string meant = "words(" + of->text + ")";
    tell(rc, Code::against_name, of->span,
         "the count of a text is that of its characters, and '" + value.name + "' speaks of words",
         "write count(" + meant + ")", {{{of->span, meant}}});
  });
}

// let totals = map(r.rider: r.points for r in results): of equal keys the last value stays
void SenseChecker::doubt_last_of_key(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const std::vector<std::string> words = words_of(value.name);
  const bool sums = has_word("total totals sum sums points counts per", words);
  const bool plain = e.kind == ast::ExprKind::map_loop && e.text == "map" && e.loop && e.loop->clauses.size() == 1 &&
                     e.args.size() == 2 && e.args[0]->kind == ast::ExprKind::field &&
                     e.args[1]->kind == ast::ExprKind::field && e.args[0]->text != "id";
  if (!sums || !plain) return;
  const std::string inner = source_text(e.span);
  const std::string meant = "map(k: sum(vs) for k, vs in group" + inner.substr(inner.find('(')) + ")";
  tell(rc, Code::against_name, e.span,
       "of equal keys a map keeps the last value, and '" + value.name + "' speaks of all", "write " + meant,
       {{{e.span, meant}}});
}

// let best_three = [t for t in first(3, throws) by higher t]: the first three of all, in order
void SenseChecker::doubt_taken_first(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (!e.loop || e.loop->order.size() != 1 || e.loop->clauses.size() != 1 || !e.loop->clauses[0].expr) return;
  const ast::Expr& of = *e.loop->clauses[0].expr;
  const bool takes = of.kind == ast::ExprKind::call && (of.text == "first" || of.text == "last") && !of.loop &&
                     of.args.size() == 2 && is_path(*of.args[1]);
  const bool ranks = says(value.name, WordRole::finest) || says(value.name, WordRole::topmost) ||
                     says(value.name, WordRole::weakest) || says(value.name, WordRole::lowermost);
  if (!takes || !ranks || e.kind != ast::ExprKind::list_loop) return;
  const std::string list = source_text(of.args[1]->span);
  std::string ordered = source_text(e.span);
  ordered.replace(of.span.begin - e.span.begin, of.span.end - of.span.begin, list);
  const std::string meant = "first(" + source_text(of.args[0]->span) + ", " + ordered + ")";
  tell(rc, Code::against_name, of.span,
       "this takes " + source_text(of.args[0]->span) + " of '" + list + "' before they are in order", "write " + meant,
       {{{e.span, meant}}});
}

// [rested, cheerful, 6 - tense, 5 - lonely], where all answers are 1..5: turned round, they are 6 minus the answer
void SenseChecker::doubt_turned(RubricContext& rc, const ast::Expr& list) {
  if (list.kind != ast::ExprKind::list || list.loop || list.args.size() < 2) return;
  const ast::Expr* odd = nullptr;
  Interval all;
  bool some = false;
  for (const ast::ExprPtr& item : list.args) {
    const bool turned = item->kind == ast::ExprKind::binary && item->text == "-" &&
                        item->args[0]->kind == ast::ExprKind::number && is_path(*item->args[1]);
    const ast::Expr& path = turned ? *item->args[1] : *item;
    const Interval here = is_path(path) ? slope_.range(rc, path) : Interval{};
    if (!finite(here) || sign(here.low) <= 0) return;
    if (some && (compare(all.low, here.low) != 0 || compare(all.high, here.high) != 0)) return;
    all = here, some = true;
    Number from;
    if (!turned || !parse_decimal(item->args[0]->text, from, numbers(), true)) continue;
    if (compare(from, add(here.low, here.high, numbers())) == 0) continue;
    if (compare(from, here.high) != 0 || odd != nullptr) return;
    odd = item->args[0].get();
  }
  if (odd == nullptr) return;
  const std::string meant = shortest_text(add(all.low, all.high, numbers()));
  tell(rc, Code::out_of_line, odd->span,
       "all of these are" + range_text(all) + ", and turned round with " + odd->text + " one of them is not",
       "write " + meant, {{{odd->span, meant}}});
}

namespace {

// Whether a condition about two items of one list fails for an item and itself: `a` and `b` are their names.
class WithItself {
 public:
  WithItself(const Sources& sources, std::string_view a, std::string_view b) : sources_(sources), a_(a), b_(b) {}

  bool fails(const ast::Expr& e, Budget& budget) const {
    const Nesting nesting(budget);
    if (e.kind != ast::ExprKind::binary) return false;
    const ast::Expr &left = *e.args[0], &right = *e.args[1];
    if (e.text == "and") return fails(left, budget) || fails(right, budget);
    if (e.text == "or") return fails(left, budget) && fails(right, budget);
    const bool strict = e.text == "<" || e.text == ">" || e.text == "!=";
    if (strict && folded(left.span) == folded(right.span)) return true;
    const ast::Expr& inner =
        left.kind == ast::ExprKind::call && left.text == "abs" && left.args.size() == 1 ? *left.args[0] : left;
    const bool zero = inner.kind == ast::ExprKind::binary && inner.text == "-" &&
                      folded(inner.args[0]->span) == folded(inner.args[1]->span);
    return zero && (e.text == ">" || e.text == ">=") && right.text != "0";
  }

 private:
  // The text with one name for both items.
  std::string folded(Span span) const {
    std::string all;
    const std::string_view text = sources_.text(span);
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_name_character(text[end])) ++end;
      const std::string_view word = text.substr(i, std::max(end - i, std::size_t{1}));
      if (word != " ") all += word == b_ ? a_ : word;
      i += word.size();
    }
    return all;
  }
  const Sources& sources_;
  std::string_view a_, b_;
};

}  // namespace

// any(a.from < b.to and b.from < a.to for a in bookings for b in bookings): each booking meets itself
void SenseChecker::doubt_itself(RubricContext& rc, const ast::Expr& e) {
  const ast::Loop* loop = e.loop.get();
  if (e.kind != ast::ExprKind::call || (e.text != "any" && e.text != "count") || loop == nullptr || e.args.empty())
    return;
  std::vector<const ast::Clause*> lists, filters;
  for (const ast::Clause& clause : loop->clauses) {
    if (!clause.expr) return;
    (clause.kind == ast::ClauseKind::for_in ? lists : filters).push_back(&clause);
  }
  if (lists.size() != 2 || source_text(lists[0]->expr->span) != source_text(lists[1]->expr->span)) return;
  const auto item = [](const ast::Clause& c) { return c.second.text.empty() ? c.first.text : c.second.text; };
  const auto place = [](const ast::Clause& c) { return c.second.text.empty() ? std::string() : c.first.text; };
  const std::string a = item(*lists[0]), b = item(*lists[1]);
  const WithItself itself(sources_, a, b);
  bool differ = false, pairs = false;  // an item and itself are told apart; both items are compared
  const auto look = [&](const ast::Expr& condition) {
    std::set<std::string> names;
    each_expr(budget_, condition, [&names](const ast::Expr& part) {
      if (part.kind == ast::ExprKind::name) names.insert(part.text);
    });
    differ = differ || itself.fails(condition, budget_) ||
             (!place(*lists[0]).empty() && names.count(place(*lists[0])) > 0) ||
             (!place(*lists[1]).empty() && names.count(place(*lists[1])) > 0);
    pairs = pairs || (names.count(a) > 0 && names.count(b) > 0);
  };
  look(*e.args[0]);
  for (const ast::Clause* filter : filters) look(*filter->expr);
  if (differ || !pairs) return;
  const std::string i = place(*lists[0]).empty() ? "i" : place(*lists[0]),
                    k = place(*lists[1]).empty() ? "k" : place(*lists[1]);
  Fix fix;
  for (const auto& [clause, name] : {std::pair{lists[0], i}, std::pair{lists[1], k}}) {
    if (place(*clause).empty())
      fix.push_back({{clause->first.span.file, clause->first.span.begin, clause->first.span.begin}, name + ", "});
  }
  const std::uint32_t end = lists[1]->expr->span.end;
  fix.push_back({{lists[1]->expr->span.file, end, end}, " when " + k + " > " + i});
  tell(rc, Code::counted_twice, lists[1]->span,
       "each of '" + source_text(lists[1]->expr->span) + "' is compared with itself here, too",
       "number both, and add when " + k + " > " + i, {std::move(fix)});
}

struct SenseChecker::Term {
  Number factor = whole(1);
  const ast::Expr* path = nullptr;     // what it is times; null: not found yet
  const ast::Expr* literal = nullptr;  // the only number of the factor
  bool divides = false;                // by it
  const ast::Expr* without = nullptr;  // the number that is subtracted before
  bool through = false;                // names are followed also where they have the unit
  bool open = false;                   // something else decides how often it counts
  int level = 0;
};

const Unit* SenseChecker::unit_of_path(const RubricContext& rc, const ast::Expr& path) const {
  return unit_of_value(rc, path, [this](std::string_view name) { return value_named(name); });
}

// The terms of a sum that count what a text says, also behind names: 30 * travel_km, of "a kilometre".
void SenseChecker::terms_of(const RubricContext& rc, const ast::Expr& e, Term term, const SaidAmount& of,
                            std::vector<Term>& all) {
  constexpr int kMostLevels = 12;
  if (++term.level > kMostLevels) return;
  const auto number = [](const ast::Expr& side) {
    return side.kind == ast::ExprKind::number && !side.text.ends_with('%');
  };
  const auto go = [&](const ast::ExprPtr& part, const Term& with) { terms_of(rc, *part, with, of, all); };
  if (is_path(e) || is_call(e, "count")) {
    const ast::Expr& path = is_path(e) ? e : *e.args[0];
    const Unit *said = unit_of(of.of), *own = is_path(path) ? unit_of_path(rc, path) : nullptr;
    const std::vector<std::string> words = words_of(path.text);
    const ast::Expr& formula = formula_of(e);
    const bool follow = term.through && term.without == nullptr && &formula != &e;
    const bool same = !words.empty() && of.of.size() > 2 && (words.back() == of.of || words.back() == of.of + "s");
    if (!follow && (said != nullptr ? own != nullptr && own->of == said->of : same)) {
      term.path = &path;
      all.push_back(term);
    } else if (&formula != &e) {
      terms_of(rc, formula, term, of, all);
    }
    return;
  }
  if (is_binary(e, "+") || is_binary(e, "-")) {
    Term less = term;
    if (is_binary(e, "-") && number(*e.args[1])) less.without = e.args[1].get();
    go(e.args[0], less), go(e.args[1], term);
  } else if (is_binary(e, "*") || is_binary(e, "/")) {
    const bool first = number(*e.args[0]), second = number(*e.args[1]);
    Number n;
    const ast::Expr& literal = *e.args[first ? 0 : 1];
    term.divides = e.text == "/", term.without = nullptr;  // which is of another unit
    const bool read =
        first != second && !(first && term.divides) && parse_decimal(literal.text, n, numbers(), true) && sign(n) > 0;
    if (read) term.factor = term.divides ? div(term.factor, n, numbers()) : mul(term.factor, n, numbers());
    term.open = term.open || !read || term.literal != nullptr;
    term.literal = &literal;
    for (const ast::ExprPtr& side : e.args) go(side, term);
  } else if (e.kind == ast::ExprKind::call && !e.loop && has_word("min max clamp round floor ceil abs", e.text)) {
    for (const ast::ExprPtr& arg : e.args) {
      if (arg) go(arg, term);
    }
  } else if (e.kind == ast::ExprKind::choice && e.args.size() > 1) {
    const bool none = e.args.size() < 3 || !e.args[2] || e.args[2]->text == "0";
    term.open = term.open || !none;
    go(e.args[0], term);
    if (!none) go(e.args[2], term);
  } else if (is_binary(e, "default")) {
    go(e.args[0], term);
  } else {
    term.open = true;
    for (const ast::ExprPtr& arg : e.args) {
      if (arg) go(arg, term);
    }
  }
}

// output euros = 30 * km "30 cents a kilometre"; floor(metres / 50) "A point for every 500 m"; max(0, minutes - 50) "The
// first half hour is free"; # an hour for every 400 m uphill, above hours = km / 4 + rise_m / 300
void SenseChecker::doubt_said_rates(RubricContext& rc, const Named& value, const std::string& text, bool comment) {
  const auto only_term = [&](const SaidAmount& of, bool through) {
    Term all;
    all.through = through;
    std::vector<Term> terms;
    terms_of(rc, *value.e, all, of, terms);
    std::erase_if(terms, [&](const Term& t) { return t.path == nullptr; });
    const Unit* said = unit_of(of.of);
    if (terms.size() > 1 && said != nullptr)  // metres, beside kilometres
      std::erase_if(terms, [&](const Term& t) { return unit_of_path(rc, *t.path) != said; });
    return terms.size() == 1 ? terms[0] : Term{};
  };
  // How many units of the path one of the text is.
  const auto in_units_of = [&](const ast::Expr& path, const std::string& said) {
    const Unit *from = unit_of(said), *to = from != nullptr ? unit_of_path(rc, path) : nullptr;
    return from == nullptr ? whole(1) : div(whole(from->size), whole(to->size), numbers());
  };
  const auto doubted = [&](const ast::Expr& literal, const Number& meant, bool certain) {
    Number here;
    if (told_at(literal.span) != nullptr || told_at(value.e->span) != nullptr || !is_own(literal.span, rc.index) ||
        !parse_decimal(literal.text, here, numbers(), true))
      return;
    // "5 euros an hour", of 0.083 * minutes; 1 MB of 1024 kB
    const Number off = abs(sub(here, meant, numbers()), numbers());
    if (compare(mul(off, whole(20), numbers()), meant) <= 0) return;
    const std::string instead = shortest_text(meant);
    tell(rc, Code::amount_against_prose, literal.span,
         "this is " + literal.text + ", and the " + (comment ? "comment on '" : "text of '") + value.name +
             "' says \"" + text + '"',
         certain ? "write " + instead : "bring the two into line",
         certain ? std::vector<Fix>{{{literal.span, instead}}} : std::vector<Fix>());
  };
  if (const std::optional<SaidAmount> said = left_out_said(text, numbers())) {
    const Term term = only_term(*said, true);
    if (term.path != nullptr && term.without != nullptr)
      doubted(*term.without, mul(said->value, in_units_of(*term.path, said->of), numbers()), true);
  }
  const std::vector<SaidRate> rates = rates_said(text, numbers());
  if (rates.empty()) return;
  // What the value counts: euros, by its name, or the points of a deduction.
  const Unit* own = unit_of_name(value.name);
  for (const std::string& name : value.shown_as) own = own == nullptr ? unit_of_name(name) : own;
  for (SaidRate rate : rates) {
    const auto alike = [&rate](const SaidRate& other) {
      const Unit *a = unit_of(rate.each.of), *b = unit_of(other.each.of);
      return other.each.of == rate.each.of || (a != nullptr && b != nullptr && a->of == b->of);
    };
    if (std::count_if(rates.begin(), rates.end(), alike) != 1) continue;
    const auto counts_own = [own](const SaidAmount& of) {
      const Unit* unit = unit_of(of.of);
      return unit != nullptr && own != nullptr && own->of == unit->of;
    };
    if (counts_own(rate.each) && !counts_own(rate.amount)) std::swap(rate.amount, rate.each);  // "4 km an hour"
    const Term term = only_term(rate.each, false);
    if (term.path == nullptr || term.literal == nullptr || term.open) continue;
    const Unit* said = unit_of(rate.amount.of);
    const bool points =
        has_word("point points pt pts", rate.amount.of) && (value.kind == "deduction" || value.kind == "bonus");
    if (said != nullptr ? !counts_own(rate.amount) : !points && !has_word(rate.amount.of, words_of(value.name)))
      continue;
    const Number unit = said == nullptr ? whole(1) : div(whole(said->size), whole(own->size), numbers());
    const Number meant = div(div(mul(rate.amount.value, unit, numbers()), rate.each.value, numbers()),
                             in_units_of(*term.path, rate.each.of), numbers());
    Number literal;
    if (!parse_decimal(term.literal->text, literal, numbers(), true)) continue;
    const Number ratio = div(meant, term.factor, numbers());
    // Half a point for 20 pages is one for 40, but in other steps.
    doubted(*term.literal, term.divides ? div(literal, ratio, numbers()) : mul(literal, ratio, numbers()),
            !term.divides || compare(mul(rate.amount.value, unit, numbers()), whole(1)) == 0);
  }
}

}  // namespace assay
