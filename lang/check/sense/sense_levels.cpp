// See sense_checker.hpp. Compares the texts of levels with their order, and what contexts say of weights with the weights.
// Also levels and rows of tables that are out of the order or the proportion of all others.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace assay {

namespace {

bool any_akin(const std::vector<std::string>& words, const std::string& word) {
  return std::any_of(words.begin(), words.end(), [&word](const std::string& w) { return akin(w, word); });
}

// How good a text says that something is; texts are compared with those of the same measure alone.
struct Praise {
  enum class Measure { none, grade, faults, merits } measure = Measure::none;
  int rank = 0;
  std::set<std::string> of;  // the merits
};

Praise praise_of(std::string_view text, const std::vector<std::string>& about) {
  static constexpr std::string_view kGrades[] = {
      "unacceptable terrible awful",
      "bad inadequate insufficient unsatisfactory rude impolite unfriendly hostile",
      "poor weak",
      "fair sufficient acceptable adequate satisfactory",
      "good polite friendly",
      "excellent outstanding exceptional perfect flawless"};
  static constexpr std::string_view kAmounts[] = {
      "no none nothing never nobody without", "one two few occasional occasionally hardly rarely",
      "some several sometimes somebody someone half", "many most often mostly frequent frequently",
      "all every everybody everyone always everywhere"};
  static constexpr std::string_view kWeights[] = {"", "minor small slight harmless", "",
                                                  "serious major important severe grave"};
  const auto rank_in = [](const auto& rows, const std::string& word) {
    const auto* row =
        std::find_if(std::begin(rows), std::end(rows), [&word](std::string_view list) { return has_word(list, word); });
    return row == std::end(rows) ? -1 : static_cast<int>(row - std::begin(rows));
  };
  const std::vector<std::string> words = words_of(text);
  constexpr std::size_t kBrief = 3;
  static constexpr std::string_view kMet =
      "found finds explained handled noticed spotted caught reported prevented avoided listed named";
  if (words.empty() || has_word("at not", words)) return {};  // "at most one"
  if (has_word("needed required necessary", words))
    return {};  // none is the best of help, and the worst of a burglar's tools
  if (const int grade = rank_in(kGrades, words[0]); grade >= 0 && words.size() <= kBrief)
    return words.size() > 1 && (words[1] == "to" || words[1] == "or") ? Praise()
                                                                      : Praise{Praise::Measure::grade, grade, {}};
  int amount = -1, weight = -1, none = 0;
  bool faults = false;
  std::size_t amount_at = 0;
  Praise praise;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int rank = rank_in(kAmounts, words[i]);
    none += rank == 0 || has_word("missing lacks lacking absent unclear only", words[i]) ? 1 : 0;
    if (amount < 0 && (rank != 1 || i == 0 || !has_word("one two", words[i]))) amount = rank, amount_at = i;
    if (weight < 0) weight = rank_in(kWeights, words[i]);
    const NameSense sense = sense_of(words[i]);
    if (is_word(words[i], WordRole::done) || has_word(kMet, words[i])) return {};  // "bug fixed"
    const bool fault = sense.good < 0 && sense.topic == WordTopic::none;
    constexpr std::size_t kNear = 3;  // "one or two slips"
    if (fault && !faults && i > amount_at + kNear) amount = -1;
    faults = faults || fault;
    for (const std::string& word : about) {
      if (akin(word, words[i])) praise.of.insert(word);
    }
  }
  if (faults && praise.of.empty() && std::max(amount, weight) >= 0)
    praise.measure = Praise::Measure::faults, praise.rank = amount >= 0 ? -amount : -weight;
  if (!faults && !praise.of.empty() && amount >= 0 && none <= (amount == 0 ? 1 : 0))
    praise.measure = Praise::Measure::merits, praise.rank = amount;
  return praise;
}

}  // namespace

// level 0 "every claim has its source", level 1 "no claim has a source"
void SenseChecker::doubt_levels(RubricContext& rc, const ast::Dimension& node) {
  const std::string prose = plain_words(node.prose);
  const bool against =
      end_before_levels_ < 0 || says(node.name.text, WordRole::weighty) || sense_of_dimension(node).good < 0;
  if (node.levels.size() < 2 || against) return;
  std::vector<std::string> about = words_of(node.name.text + " " + prose);
  // "Errors are explained", "No page is missing"
  const bool of_faults =
      std::any_of(about.begin(), about.end(), [](const std::string& w) { return sense_of(w).good < 0; });
  if (of_faults || says(prose, WordRole::doubts)) about.clear();
  struct Praised {
    Number at;
    const ast::Level* level;
    Praise praise;
  };
  std::vector<Praised> known, all;
  for (const ast::Level& level : node.levels) {
    const Interval at = slope_.range(rc, *level.number);
    if (!finite(at) || !is_own(level.span, rc.index)) return;
    const Praised one{at.low, &level, praise_of(plain_words(level.prose), about)};
    all.push_back(one);
    const bool fits = !of_faults || one.praise.measure == Praise::Measure::grade;
    if (one.praise.measure != Praise::Measure::none && fits) known.push_back(one);
  }
  const auto below = [](const Praised& a, const Praised& b) { return compare(a.at, b.at) < 0; };
  std::sort(known.begin(), known.end(), below), std::sort(all.begin(), all.end(), below);
  const auto other = [&known](const Praised& k) { return k.praise.measure != known[0].praise.measure; };
  const auto exchange = [this](Fix& fix, const Praised& a, const Praised& b) {
    fix.push_back({a.level->prose.span, source_text(b.level->prose.span)});
    fix.push_back({b.level->prose.span, source_text(a.level->prose.span)});
  };
  if (known.size() == 1 && all.size() > 1) {  // "complete and without an error" at the lowest level
    const Praise& praise = known[0].praise;
    const bool grade = praise.measure == Praise::Measure::grade, faults = praise.measure == Praise::Measure::faults;
    const bool best = (grade && praise.rank >= 5) || (faults && praise.rank == 0);
    const bool worst = (grade && praise.rank <= 2) || (faults && praise.rank <= -3);
    const bool lowest = known[0].level == all.front().level, highest = known[0].level == all.back().level;
    if (!(best && lowest) && !(worst && highest)) return;
    Fix fix;
    exchange(fix, all.front(), all.back());
    return tell(
        rc, Code::worst_first, known[0].level->prose.span,
        source_text(known[0].level->prose.span) + " stands at the " + (lowest ? "lowest" : "highest") + " level",
        "exchange it with the " + std::string(lowest ? "highest" : "lowest"), {std::move(fix)});
  }
  if (known.size() < 2 || std::any_of(known.begin(), known.end(), other)) return;
  const auto of_all = [&known](const std::string& merit) {
    return std::all_of(known.begin(), known.end(), [&merit](const Praised& k) { return k.praise.of.count(merit) > 0; });
  };
  const std::set<std::string>& merits = known[0].praise.of;
  if (known[0].praise.measure == Praise::Measure::merits && std::none_of(merits.begin(), merits.end(), of_all)) return;
  const auto rises = [](const std::vector<Praised>& list) {
    return std::adjacent_find(list.begin(), list.end(), [](const Praised& a, const Praised& b) {
             return a.praise.rank >= b.praise.rank;
           }) == list.end();
  };
  std::vector<Praised> turned(known.rbegin(), known.rend());
  const Praised& low = known.front();
  const Praised& high = known.back();
  const auto say = [&](const Praised& better, const Praised& worse, std::string help, Fix fix) {
    const Span good = better.level->prose.span, bad = worse.level->prose.span;
    const bool first = bad.begin < good.begin;
    tell(rc, Code::worst_first, first ? bad : good,
         first ? source_text(bad) + " stands above " + source_text(good) + " here, which is better"
               : source_text(good) + " stands below " + source_text(bad) + " here, which is worse",
         std::move(help), fix.empty() ? std::vector<Fix>() : std::vector<Fix>{std::move(fix)});
  };
  if (rises(turned)) {
    Fix fix;
    const bool ends = low.level == all.front().level && high.level == all.back().level;
    if (!ends && all.size() > known.size() + 1) return say(low, high, "bring the texts into their order", {});
    const std::vector<Praised>& list = ends ? all : known;
    for (std::size_t i = 0; i < list.size() / 2; ++i) exchange(fix, list[i], list[list.size() - 1 - i]);
    return say(low, high, "exchange the texts: the last one first", std::move(fix));
  }
  if (rises(known)) return;
  const Praised *first = nullptr, *second = nullptr;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t k = i + 1; k < known.size(); ++k) {
      std::vector<Praised> swapped = known;
      std::swap(swapped[i].praise, swapped[k].praise);
      if (!rises(swapped)) continue;
      if (first != nullptr) return;
      first = &known[i], second = &known[k];
    }
  }
  if (first == nullptr) return;
  Fix fix;
  exchange(fix, *first, *second);
  say(*first, *second, "exchange the two", std::move(fix));
}

// "Accessibility counts half of the score", "Privacy counts 40%": what a context says of a weight. True: it says a share.
bool SenseChecker::doubt_context_share(RubricContext& rc, const ast::ContextWeight& changed,
                                       const std::vector<std::string>& words, const std::string& prose) {
  Number said;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "half" && words[i + 1] == "of") said = div(whole(1), whole(2), numbers());
    if (words[i] == "quarter" && words[i + 1] == "of") said = div(whole(1), whole(4), numbers());
  }
  const std::vector<SaidNumber> in_prose = numbers_said(prose, numbers());
  if (said.missing() && in_prose.size() == 1 && in_prose[0].percent && has_word("counts count weighs", words))
    said = div(in_prose[0].value, whole(100), numbers());
  const ast::Expr& weight = *changed.weight;
  if (said.missing()) return false;
  const Number now = slope_.range(rc, weight).low;
  if (!weight.text.ends_with('%') || compare(now, said) == 0) return true;
  const std::string meant = shortest_text(mul(said, whole(100), numbers())) + "%";
  tell(rc, Code::amount_against_prose, weight.span,
       "'" + changed.name.text + "' weighs " + weight.text + " here, and the text says \"" + prose + '"',
       "bring the two into line", {{{weight.span, meant}}});
  return true;
}

// context children "Harmlessness counts twice as much" { weight harmless 15% }, which weighs 25% otherwise
void SenseChecker::doubt_context(RubricContext& rc, const ast::Context& node) {
  const std::string prose = plain_words(node.prose);
  if (prose.empty()) return;
  std::vector<std::vector<std::string>> clauses;
  for (std::size_t at = 0; at <= prose.size();) {
    const std::size_t end = std::min(prose.find_first_of(",;:.", at), prose.size());
    clauses.push_back(words_of(std::string_view(prose).substr(at, end - at)));
    at = end + 1;
  }
  for (const ast::ContextWeight& changed : node.weights) {
    const auto d =
        std::find_if(rc.dimensions.all.begin(), rc.dimensions.all.end(),
                     [&changed](const DimensionItems& one) { return one.node->name.text == changed.name.text; });
    if (d == rc.dimensions.all.end() || !d->node->weight || d->node->weight->kind != ast::ExprKind::number ||
        changed.weight->kind != ast::ExprKind::number ||
        d->node->weight->text.ends_with('%') != changed.weight->text.ends_with('%'))
      continue;
    const Number usual = slope_.range(rc, *d->node->weight).low, now = slope_.range(rc, *changed.weight).low;
    const std::vector<std::string> names = words_of(changed.name.text);
    for (const std::vector<std::string>& words : clauses) {
      const bool about =
          std::any_of(names.begin(), names.end(), [&words](const std::string& name) { return any_akin(words, name); });
      const bool less = has_word("less", words);
      const bool up = has_word("more twice double doubled triple higher heavier increased", words) ||
                      (!less && has_word("important matters", words));
      const bool down = has_word("less half halved lower lighter reduced little hardly", words);
      if (!about) continue;
      if (doubt_context_share(rc, changed, words, prose)) break;
      if (up == down || has_word("no not never than", words)) continue;
      const int moves = compare(now, usual);
      if (moves == 0 || (moves > 0) == up) break;
      const bool times = has_word("twice double doubled half halved", words);
      const Number factor = up ? whole(2) : div(whole(1), whole(2), numbers());
      const bool percent = changed.weight->text.ends_with('%');
      const std::string meant =
          shortest_text(mul(mul(usual, factor, numbers()), whole(percent ? 100 : 1), numbers())) + (percent ? "%" : "");
      tell(rc, Code::amount_against_prose, changed.weight->span,
           "'" + changed.name.text + "' weighs " + changed.weight->text + " here and " + d->node->weight->text +
               " otherwise, and the text says \"" + prose + '"',
           "bring the two into line", times ? std::vector<Fix>{{{changed.weight->span, meant}}} : std::vector<Fix>());
      break;
    }
  }
}

// dimension safety advisory "The most important part", dimension fun weight 10% "Counts most", beside one of 60%
void SenseChecker::doubt_most_important(RubricContext& rc, const DimensionItems& d) {
  const ast::Dimension& node = *d.node;
  const std::string prose = plain_words(node.prose);
  bool most = false;
  for (std::size_t from = 0; from <= prose.size();) {  // "Counts most: would one have a second piece?"
    const std::size_t end = std::min(prose.find_first_of(":.;,", from), prose.size());
    std::vector<std::string> words = words_of(std::string_view(prose).substr(from, end - from));
    from = end + 1;
    if (has_word("not least after second first top", words)) continue;
    while (!words.empty() && has_word("this it that is and by far clearly", words[0])) words.erase(words.begin());
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      // What is said of the dimension itself: not 'keeps the most important fact', 'begins with what matters most'.
      if (i > (words[0] == "the" || words[0] == "our" ? 1U : 0U)) break;
      const bool fact =
          i + 2 < words.size() && words[i] == "most" &&
          !has_word("part thing criterion criteria point factor aspect question dimension quality of to for here",
                    words[i + 2]);
      if (fact) continue;
      const bool main = i == 1 && words[0] == "the" && words[1] == "main" && words.size() == 3 &&
                        has_word("thing criterion point factor", words[2]);
      most = most || main || (words[i] == "most" && has_word("important weight", words[i + 1])) ||
             (has_word("counts weighs matters", words[i]) && words[i + 1] == "most");
    }
  }
  if (!most) return;
  const std::string said = "'" + node.name.text + "' ";
  if (node.advisory)
    return tell(rc, Code::amount_against_prose, node.name.span,
                said + "is advisory, so it has no weight, and its text says \"" + node.prose.str() + '"',
                "give it the largest weight", {});
  const auto weight = [&](const ast::Dimension& of) {
    return of.weight && of.weight->kind == ast::ExprKind::number ? slope_.range(rc, *of.weight).low : kMissing;
  };
  const Number own = weight(node);
  const DimensionItems* top = nullptr;
  for (const DimensionItems& other : rc.dimensions.all) {
    const Number n = weight(*other.node);
    if (n.missing()) continue;
    if (top == nullptr || compare(n, weight(*top->node)) > 0) top = &other;
  }
  if (own.missing() || top == nullptr || compare(weight(*top->node), own) <= 0) return;
  const ast::Expr& other = *top->node->weight;
  tell(rc, Code::amount_against_prose, node.weight->span,
       said + "weighs " + node.weight->text + " and '" + top->node->name.text + "' " + other.text +
           ", and its text says \"" + node.prose.str() + '"',
       "bring the two into line", {{{node.weight->span, other.text}, {other.span, node.weight->text}}});
}

// dimension repair missing 10 "Unknown is taken as the worst", where 10 is the best
void SenseChecker::doubt_missing_as(RubricContext& rc, const ast::Dimension& node) {
  const ast::Expr* value = node.policy.expr.get();
  const bool given = node.policy.tag == ast::PolicyTag::missing || node.policy.tag == ast::PolicyTag::default_;
  const Interval& scale = model(rc).scale.range;
  if (!given || value == nullptr || value->kind != ast::ExprKind::number || node.kind || node.body.expr ||
      !node.parts.empty() || !finite(scale))
    return;
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  if (!has_word("unknown missing unanswered unjudged", words) || has_word("not no never than unless except", words))
    return;
  // Which end is the worst has to be known: not that of a hazard, whose high values are bad.
  const bool first = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    const auto* rank = std::get_if<ast::Rank>(&item->node);
    return rank && !rank->keys.empty() && rank->keys[0].higher && rank->keys[0].expr->text == "score";
  });
  const bool high = high_is_better(rc) || (first && end_ >= 0 && !some_bad_ && !of_school(rc));
  int said = 0;  // 1: the high end
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool as = words[i - 1] == "as" || (i > 1 && words[i - 1] == "the" && words[i - 2] == "as");
    const bool plain = has_word("lowest highest", words[i]);
    if (!as || !(plain || (high && has_word("worst best", words[i])))) continue;
    if (said != 0) return;
    said = has_word("best highest", words[i]) ? 1 : -1;
  }
  const Number &meant = said > 0 ? scale.high : scale.low, &other = said > 0 ? scale.low : scale.high;
  const Interval here = slope_.range(rc, *value);
  if (said == 0 || !finite(here) || compare(here.low, other) != 0) return;
  const std::string text = shortest_text(meant);
  tell(rc, Code::amount_against_prose, value->span,
       "this is the " + std::string(said > 0 ? "lowest" : "highest") + " value, and the text says \"" +
           node.prose.str() + '"',
       "write " + text, {{{value->span, text}}});
}

void SenseChecker::doubt_described(RubricContext& rc) {
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all)
    doubt_levels(rc, *d->node), doubt_numbered_levels(rc, *d->node), doubt_missing_as(rc, *d->node);
  for (const ast::Item* item : rc.items) {
    const auto* table = std::get_if<ast::Table>(&item->node);
    if (table && table->params.size() == 1 && table->from.parts.empty()) {
      doubt_numbered_rows(rc, table->rows);
      doubt_ordered_rows(rc, *table);
    }
    if (table && table->from.parts.empty()) doubt_proportion(rc, table->params.size(), table->rows);
  }
  for (const DimensionItems& d : rc.dimensions.all) doubt_most_important(rc, d);
  std::map<std::string, const ast::Context*> earlier;  // by what it changes
  for (const ast::Item* item : rc.items) {
    const auto* context = std::get_if<ast::Context>(&item->node);
    if (context == nullptr) continue;
    doubt_context(rc, *context);
    std::string changes;
    for (const ast::ContextWeight& one : context->weights)
      changes += one.name.text + "=" + squeezed(one.weight->span) + ";";
    const auto [at, fresh] = earlier.emplace(changes, context);
    if (fresh || changes.empty() || !is_own(item->span, rc.index) || rc.dimensions.all.size() < 2) continue;
    tell(rc, Code::counted_twice, context->weights.front().name.span,
         "the context '" + context->name.text + "' changes what '" + at->second->name.text +
             "' changes, in the same way",
         "write what is different in it, or leave one of them out", {});
  }
}

// ---- the order of levels and rows

// A text with an amount: "two tests", "level 2", "no test", "more than ten mistakes", "one or two"; the words are those
// around it.
struct SenseChecker::Numbered {
  Number at;                       // by which all are sorted
  Number value;                    // what has to be in order then
  Span text, number;               // what may be exchanged
  std::vector<std::string> words;  // in the singular
  bool plain = true;               // a single number
  bool percent = false, none = false;
};

// The amount becomes the value: more than ten are a bit more than ten, and one or two one and a half.
bool SenseChecker::read_numbered(std::string_view text, Numbered& all) {
  static constexpr std::string_view kAside =
      "a an the per in on of each every at all or any with has contains about only around roughly approximately from "
      "between";
  const std::vector<SaidNumber> said = numbers_said(text, numbers());
  const std::vector<std::string> words = words_of(text);
  all.none = said.empty() && !words.empty() && has_word("no none without", words[0]);
  constexpr std::size_t kMost = 2;
  if ((!all.none && said.empty()) || said.size() > kMost) return false;
  std::size_t first = words.size(), last = 0, count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!numbers_said(words[i], numbers()).empty()) first = std::min(first, i), last = i, ++count;
  }
  if (count != said.size()) return false;  // 2.5 has two words
  if (all.none) first = last = 0;
  std::vector<bool> read(words.size(), false);
  for (std::size_t i = first; i <= last; ++i) read[i] = true;
  all.value = all.none ? whole(0) : said[0].value;
  all.percent = !said.empty() && said.back().percent;
  if (count == kMost) {  // "one or two", "3 to 5", "3-5"
    const bool range = last == first + 1 || (last == first + 2 && has_word("or to and", words[first + 1]));
    if (!range || compare(said[1].value, said[0].value) <= 0) return false;
    all.value = div(add(said[0].value, said[1].value, numbers()), whole(2), numbers());
    all.plain = false;
  }
  const BoundWords* bound = nullptr;
  const auto bound_at = [&](std::size_t from, BoundWords::Place place) {
    return bound_words(BoundWords::demands | BoundWords::states | BoundWords::cells, place, [&](std::size_t k) {
      return from + k < words.size() ? std::string_view(words[from + k]) : std::string_view();
    });
  };
  constexpr std::size_t kMostWords = 5, kMostBetween = 3;  // "five (such mistakes) or more"
  for (std::size_t from = first > kMostWords ? first - kMostWords : 0; from < first && bound == nullptr; ++from) {
    bound = bound_at(from, BoundWords::before);
    if (bound != nullptr && from + bound->count() != first) bound = nullptr;
    for (std::size_t i = from; bound != nullptr && i < first; ++i) read[i] = true;
  }
  for (std::size_t from = last + 1; from <= last + 1 + kMostBetween && bound == nullptr && !all.none; ++from) {
    bound = bound_at(from, BoundWords::behind);
    for (std::size_t i = from; bound != nullptr && i < from + bound->count(); ++i) read[i] = true;
  }
  if (bound != nullptr) {
    constexpr std::int64_t kBit = 1'000'000;
    const Number bit = div(whole(bound->op == ">" ? 1 : bound->op == "<" ? -1 : 0), whole(kBit), numbers());
    all.value = add(all.value, bit, numbers());
    all.plain = false;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (read[i] || has_word(kAside, words[i])) continue;
    if (has_word("not no none never nor but except than without", words[i])) return false;
    const bool plural = words[i].size() > 2 && words[i].ends_with('s');
    all.words.push_back(words[i] == "children" ? "child"
                        : words[i] == "people" ? "person"
                        : plural               ? words[i].substr(0, words[i].size() - 1)
                                               : words[i]);
  }
  return true;
}

// Whether all of them count the same: "twenty mistakes a page", "ten mistakes", "two".
bool SenseChecker::comparable(const std::vector<Numbered>& all) {
  const auto longer = [](const Numbered& a, const Numbered& b) { return a.words.size() < b.words.size(); };
  const auto longest = std::max_element(all.begin(), all.end(), longer);
  const auto counted = std::find_if(all.begin(), all.end(), [](const Numbered& one) { return !one.none; });
  if (longest == all.end() || counted == all.end()) return false;
  return std::all_of(all.begin(), all.end(), [&](const Numbered& one) {
    return (one.none || one.percent == counted->percent) &&
           std::equal(one.words.begin(), one.words.end(), longest->words.begin(),
                      longest->words.begin() + static_cast<std::ptrdiff_t>(one.words.size()));
  });
}

// The only two that have to be exchanged for all of them to rise, or to fall, neighbours rather than others; nothing if they
// do, or if it is not certain which.
std::optional<SenseChecker::Pair> SenseChecker::out_of_order(const std::vector<Number>& values) {
  constexpr std::size_t kMost = 50;
  if (values.size() < 3 || values.size() > kMost) return std::nullopt;
  const auto ordered = [](const std::vector<Number>& list) {
    const int way = compare(list.back(), list.front());
    return way != 0 && std::adjacent_find(list.begin(), list.end(), [way](const Number& a, const Number& b) {
                         return compare(b, a) != way;
                       }) == list.end();
  };
  std::vector<Number> changed = values;
  if (ordered(changed)) return std::nullopt;
  for (const bool apart : {false, true}) {
    std::optional<Pair> found;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t k = i + 1; k < values.size() && (k == i + 1 || apart); ++k) {
        std::swap(changed[i], changed[k]);
        if (ordered(changed) && found) return std::nullopt;
        if (ordered(changed)) found = Pair{i, k};
        std::swap(changed[i], changed[k]);
      }
    }
    if (found) return found;
  }
  return std::nullopt;
}

namespace {

bool may_have_ideal(const std::string& prose, NumberPool& pool) {
  return !numbers_said(prose, pool).empty() ||
         has_word("ideal ideally exactly best right optimal optimum between balance balanced moderation",
                  words_of(prose));
}

bool rise_but_for(const std::vector<Number>& values, std::pair<std::size_t, std::size_t> exchanged) {
  std::vector<Number> right = values;
  std::swap(right[exchanged.first], right[exchanged.second]);
  return compare(right.back(), right.front()) > 0;
}

}  // namespace

// level 2 "two tests", level 3 "four tests", level 4 "three tests"; level 7 "more than ten mistakes", level 4 "up to ten"
void SenseChecker::doubt_numbered_levels(RubricContext& rc, const ast::Dimension& node) {
  std::vector<Numbered> all;
  for (const ast::Level& level : node.levels) {
    const Interval at = slope_.range(rc, *level.number);
    Numbered one;
    if (!finite(at) || !is_own(level.span, rc.index) || told_at(level.prose.span) != nullptr ||
        !read_numbered(plain_words(level.prose), one))
      return;
    one.at = at.low, one.text = level.prose.span;
    all.push_back(std::move(one));
  }
  if (all.empty() || !comparable(all)) return;
  std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) { return compare(a.at, b.at) < 0; });
  std::vector<Number> values;
  std::string counted;  // what all of them count
  for (const Numbered& one : all) {
    values.push_back(one.value);
    if (counted.empty() && !one.words.empty()) counted = one.words[0];
  }
  const std::optional<Pair> at = out_of_order(values);
  if (!at) return;
  // What is called a level has an order, and of faults each one more is worse; of other numbers there must be more, and
  // the best may be in the middle: "Three sentences are ideal".
  const bool level = has_word("level tier star", counted) && all[0].words.size() == 1;
  const NameSense sense = sense_of(counted);
  const bool fault = sense.good < 0 && sense.topic == WordTopic::none;
  constexpr std::size_t kFewest = 4;
  if (!level && !fault && all.size() < kFewest) return;
  const bool neighbours = at->second == at->first + 1;
  const bool plain = std::all_of(all.begin(), all.end(), [](const Numbered& one) { return one.plain; });
  const bool top = at->second + 1 == all.size();
  if (top && !fault && (!neighbours || !plain)) return;
  if ((top || at->first == 0) && may_have_ideal(plain_words(node.prose), numbers())) return;
  const Numbered &low = all[at->first], &high = all[at->second];
  tell(rc, Code::out_of_line, high.text,
       "all other numbers in these texts " + std::string(rise_but_for(values, *at) ? "rise" : "fall") +
           " from level to level, but " + source_text(low.text) + " and " + source_text(high.text) + " do not",
       "exchange the two", {{{low.text, source_text(high.text)}, {high.text, source_text(low.text)}}});
}

namespace {

// The text or the number of a cell that is nothing else; null: it is another one.
const ast::Expr* plain_cell(const std::vector<ast::Cell>& row, std::size_t column) {
  const bool plain = column < row.size() && row[column].patterns.size() == 1 && row[column].patterns[0].bounds.empty();
  return plain ? row[column].patterns[0].expr.get() : nullptr;
}

}  // namespace

// The numbers of a column, one for each row. Empty: it has others.
std::vector<Number> SenseChecker::column_of(RubricContext& rc, const ast::Rows& rows, std::size_t column) {
  std::vector<Number> values;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    const ast::Expr* cell = plain_cell(row, column);
    const Interval of = cell != nullptr && cell->kind == ast::ExprKind::number ? slope_.range(rc, *cell) : Interval();
    if (!finite(of)) return {};
    values.push_back(of.low);
  }
  return values;
}

// | "level 2" | 60 |, between | "level 1" | 10 | and | "level 3" | 40 |
void SenseChecker::doubt_numbered_rows(RubricContext& rc, const ast::Rows& rows) {
  constexpr std::size_t kMostColumns = 12, kFewest = 4, kFewestApart = 5;
  for (std::size_t column = 1; column < std::min(rows.columns.size(), kMostColumns); ++column) {
    std::vector<Numbered> all;
    for (const std::vector<ast::Cell>& row : rows.rows) {
      const ast::Expr *key = plain_cell(row, 0), *value = plain_cell(row, column);
      if (key == nullptr) continue;  // otherwise
      Numbered one;
      const bool read = value != nullptr && value->kind == ast::ExprKind::number && key->kind == ast::ExprKind::text &&
                        read_numbered(plain_words(key->literal), one);
      const Interval of = read ? slope_.range(rc, *value) : Interval();
      if (!read || !finite(of)) {
        all.clear();
        break;
      }
      one.at = one.value, one.value = of.low, one.text = key->span, one.number = value->span;
      all.push_back(std::move(one));
    }
    if (all.empty() || !comparable(all)) continue;
    std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) { return compare(a.at, b.at) < 0; });
    std::vector<Number> values;
    for (const Numbered& one : all) values.push_back(one.value);
    const std::optional<Pair> at = out_of_order(values);
    const bool level = has_word("level tier star", all[0].words) && all[0].words.size() == 1;
    if (!at || (!level && all.size() < kFewest)) continue;
    const bool neighbours = at->second == at->first + 1;
    const bool inner = at->first > 0 && at->second + 1 < all.size();
    const bool plain = std::all_of(all.begin(), all.end(), [](const Numbered& one) { return one.plain; });
    if ((!neighbours || (!plain && !inner)) && all.size() < kFewestApart) continue;
    const Numbered &low = all[at->first], &high = all[at->second];
    tell(rc, Code::out_of_line, high.number,
         "all other numbers of '" + rows.columns[column].text + "' " + (rise_but_for(values, *at) ? "rise" : "fall") +
             " with the number in '" + rows.columns[0].text + "', but those of " + source_text(low.text) + " and " +
             source_text(high.text) + " do not",
         "exchange the two", {{{low.number, source_text(high.number)}, {high.number, source_text(low.number)}}});
  }
}

// | "several days" | 1 |, | "more than half the days" | 3 |, | "nearly every day" | 2 |
void SenseChecker::doubt_ordered_rows(RubricContext& rc, const ast::Table& table) {
  const ast::Rows& rows = table.rows;
  std::vector<std::string> labels;
  std::vector<const std::vector<ast::Cell>*> named;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    const ast::Expr* key = plain_cell(row, 0);
    if (key == nullptr) continue;  // otherwise
    if (key->kind != ast::ExprKind::text || !key->literal.plain()) return;
    labels.push_back(key->literal.str()), named.push_back(&row);
  }
  constexpr std::size_t kFewest = 4;
  const Ranked order = labels.size() < kFewest ? Ranked() : ranked(labels);
  if (order.places.empty()) return;
  std::vector<std::size_t> sorted;  // rows by their places
  for (std::size_t i = 0; i < named.size(); ++i) sorted.push_back(i);
  std::sort(sorted.begin(), sorted.end(),
            [&order](std::size_t a, std::size_t b) { return order.places[a] < order.places[b]; });
  for (std::size_t column = 1; column < rows.columns.size(); ++column) {
    std::vector<Number> values;
    for (const std::size_t i : sorted) {
      const ast::Expr* cell = plain_cell(*named[i], column);
      const Interval of = cell != nullptr && cell->kind == ast::ExprKind::number ? slope_.range(rc, *cell) : Interval();
      if (!finite(of)) break;
      values.push_back(of.low);
    }
    const std::optional<Pair> at = values.size() == sorted.size() ? out_of_order(values) : std::nullopt;
    if (!at) continue;
    std::vector<Number> right = values;
    std::swap(right[at->first], right[at->second]);
    // The best may be next to the end: then only equal steps tell that two of them are exchanged.
    const bool at_end = at->first == 0 || at->second + 1 == values.size();
    bool equal = true;
    for (std::size_t i = 2; i < right.size(); ++i)
      equal = equal && compare(sub(right[i], right[i - 1], numbers()), sub(right[1], right[0], numbers())) == 0;
    const std::string prose = plain_words(table.prose) + " " + plain_words(rc.node->prose);
    if (at_end && (!equal || order.either || may_have_ideal(prose, numbers()))) continue;
    const std::vector<ast::Cell>&low = *named[sorted[at->first]], &high = *named[sorted[at->second]];
    const Span first = plain_cell(low, column)->span, second = plain_cell(high, column)->span;
    tell(rc, Code::out_of_line, second,
         "all other numbers of '" + rows.columns[column].text + "' " + (rise_but_for(values, *at) ? "rise" : "fall") +
             " from step to step, but those of " + source_text(low[0].span) + " and " + source_text(high[0].span) +
             " do not",
         "exchange the two", {{{first, source_text(second)}, {second, source_text(first)}}});
  }
}

// | 4 | 1 |, | 3 | 0.75 |, | 0.5 | 2 |: in all other rows the first is four times the second
void SenseChecker::doubt_proportion(RubricContext& rc, std::size_t keys, const ast::Rows& rows) {
  constexpr std::size_t kFewest = 3, kMostColumns = 12;
  const std::size_t columns = std::min(rows.columns.size(), kMostColumns);
  std::vector<std::vector<Number>> all(columns);
  for (std::size_t c = keys; c < columns; ++c) all[c] = column_of(rc, rows, c);
  for (std::size_t a = keys; a < columns; ++a) {
    for (std::size_t b = a + 1; b < columns; ++b) {
      const std::vector<Number>&first = all[a], &second = all[b];
      if (first.size() < kFewest || second.size() != first.size()) continue;
      const auto crossed = [&](std::size_t i, std::size_t k) {  // whether rows have one proportion, one of them turned
        return compare(mul(first[i], first[k], numbers()), mul(second[i], second[k], numbers())) == 0;
      };
      const auto alike = [&](std::size_t i, std::size_t k) {
        return compare(mul(first[i], second[k], numbers()), mul(second[i], first[k], numbers())) == 0;
      };
      const auto none = [](const Number& n) { return sign(n) <= 0; };
      if (std::any_of(first.begin(), first.end(), none) || std::any_of(second.begin(), second.end(), none)) continue;
      std::optional<std::size_t> odd;
      for (std::size_t i = 0; i < first.size(); ++i) {
        const std::size_t next = i == 0 ? 1 : 0;
        bool fits = crossed(i, next) && !alike(i, next);
        for (std::size_t k = 0; k < first.size() && fits; ++k) fits = k == i || alike(k, next);
        if (fits) odd = i;
      }
      if (!odd) continue;
      // Of three rows two may have one proportion by chance: 2 to 1, and 1 to 2.
      const std::size_t other = *odd == 0 ? 1 : 0;
      const Number low = compare(first[other], second[other]) < 0 ? first[other] : second[other];
      const Number high = compare(first[other], second[other]) < 0 ? second[other] : first[other];
      const bool far = compare(high, mul(low, whole(2), numbers())) > 0 || compare(high, whole(10)) >= 0;
      bool differ = true;  // rows that agree are no copies of each other
      for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t k = i + 1; k < first.size(); ++k)
          differ = differ && (i == *odd || k == *odd || compare(first[i], first[k]) != 0);
      }
      if (!differ || (!far && first.size() == kFewest)) continue;
      const std::vector<ast::Cell>& row = rows.rows[*odd];
      const Span left = plain_cell(row, a)->span, right = plain_cell(row, b)->span;
      tell(rc, Code::out_of_line, left,
           "in all other rows '" + rows.columns[a].text + "' is " +
               (compare(first[*odd], second[*odd]) < 0 ? "above" : "below") + " '" + rows.columns[b].text +
               "' in one proportion, and here the two are the other way round",
           "exchange the two", {{{left, source_text(right)}, {right, source_text(left)}}});
    }
  }
}

}  // namespace assay
