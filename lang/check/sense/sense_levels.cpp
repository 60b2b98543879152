// See sense_checker.hpp. Compares the texts of levels with their order, and what contexts say of weights with the weights.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"

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
      "some several sometimes half", "many most often mostly frequent frequently", "all every always everywhere"};
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
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  bool most = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool of_several = i > 1 && words[i - 2] == "of";  // "one of the most important"
    most = most || (words[i] == "most" && has_word("important weight", words[i + 1]) && !of_several) ||
           (has_word("counts weighs matters", words[i]) && words[i + 1] == "most");
  }
  if (!most || has_word("not least after second", words)) return;
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

void SenseChecker::doubt_described(RubricContext& rc) {
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) doubt_levels(rc, *d->node), doubt_numbered_levels(rc, *d->node);
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

}  // namespace assay
