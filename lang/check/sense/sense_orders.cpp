// See sense_checker.hpp. Finds orders and grades that begin with the worst.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/number/number.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {

namespace {

std::string grade_of(const ast::Cell& cell) {
  if (cell.patterns.size() != 1 || !cell.patterns[0].expr || cell.patterns[0].expr->kind != ast::ExprKind::text)
    return {};
  const ast::Text& text = cell.patterns[0].expr->literal;
  return text.plain() ? text.str() : std::string();
}

// 1: the first row is that of the highest values, -1: of the lowest, 0: unknown.
int first_row(const ast::Rows& rows, NumberPool& pool) {
  const ast::Cell &first = rows.rows.front()[0], &last = rows.rows.back()[0];
  if (first.patterns.empty()) return 0;
  if (first.patterns[0].tag == ast::CellPattern::Tag::bound && !first.patterns[0].bounds.empty()) {
    const ast::Bound bound = first.patterns[0].bounds[0].bound;
    return bound == ast::Bound::greater_equal || bound == ast::Bound::greater ? 1 : -1;
  }
  // 0, 1..4, >= 5
  const auto begins = [&pool](const ast::Cell& cell, Number& n) {
    if (cell.patterns.size() != 1) return false;
    const ast::CellPattern& p = cell.patterns[0];
    const ast::Expr* e = !p.bounds.empty() ? p.bounds[0].expr.get() : p.expr.get();
    if (e != nullptr && e->kind == ast::ExprKind::range) e = e->args[0].get();
    return e != nullptr && e->kind == ast::ExprKind::number && parse_decimal(e->text, n, pool, true);
  };
  Number a, b;
  const bool rest = last.patterns.size() == 1 && last.patterns[0].tag == ast::CellPattern::Tag::otherwise;
  if (rest && first.patterns.size() == 1 && first.patterns[0].bounds.size() == 1) {
    const ast::Bound bound = first.patterns[0].bounds[0].bound;
    return bound == ast::Bound::greater || bound == ast::Bound::greater_equal ? 1 : -1;
  }
  if (!begins(first, a) || !begins(last, b)) return 0;
  return compare(a, b);
}

// 'a' of "A" and "A+", up to 'f'; 0: no grade in letters.
char letter_of(std::string_view grade) {
  const char letter = grade.empty() ? '\0' : static_cast<char>(grade[0] | 0x20);
  const bool alone = grade.size() == 1 || (grade.size() == 2 && (grade[1] == '+' || grade[1] == '-'));
  return alone && letter >= 'a' && letter <= 'f' ? letter : '\0';
}

// The grades of the highest and of the lowest values of the first key. Empty: not in order.
struct Ends {
  std::string high, low;
};
Ends ends_of(const ast::Rows& rows, std::size_t column, NumberPool& pool) {
  if (rows.rows.size() < 2 || rows.rows.front().size() <= column || rows.rows.back().size() <= column) return {};
  const int first = first_row(rows, pool);
  const std::string top = grade_of(rows.rows.front()[column]), last = grade_of(rows.rows.back()[column]);
  return first > 0 ? Ends{top, last} : first < 0 ? Ends{last, top} : Ends();
}

// 1: a text is about the best, as "Very good" is; -1: about the worst; 0: unknown.
int grade_said(std::string_view text) {
  std::vector<std::string> words = words_of(text);
  while (words.size() > 1 && has_word("very generally quite the", words[0])) words.erase(words.begin());
  if (words.size() != 1) return 0;
  const bool best = is_word(words[0], WordRole::best) || has_word("best ideal perfect green aaa aa", words[0]);
  const bool worst = is_word(words[0], WordRole::last) || has_word("worst severe catastrophic hopeless red", words[0]);
  return best == worst ? 0 : best ? 1 : -1;
}

// Which end of a value is good if its lowest and its highest have these texts.
int end_of(const Ends& ends) {
  const int high = grade_said(ends.high), low = grade_said(ends.low);
  return high == low ? 0 : high != 0 && low != 0 ? high : high - low;
}

}  // namespace

// The same from prose that names both ends: "0 is best, 50 the worst", "0 no pain to 10 the worst pain".
int SenseChecker::end_said(std::string_view prose) {
  const std::vector<std::string> words = words_of(prose);
  // "Low is good", "the lower the better", "fewer is better"
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (!has_word("is are the", words[i + 1]) || !has_word("good better best", words[i + 2])) continue;
    if (has_word("low lower lowest small smaller less fewer", words[i])) return -1;
    if (has_word("high higher highest large larger more", words[i])) return 1;
  }
  std::vector<Ends> ends;  // high: the text behind a number, up to the next one; low: the number
  for (const std::string& word : words) {
    const bool number = word.find_first_not_of("0123456789") == word.npos;
    if (number) ends.push_back({"", word});
    else if (ends.empty()) continue;
    else if (grade_said(word) != 0 && ends.back().high.empty()) ends.back().high = word;
  }
  const auto value = [](const std::string& digits) { return digits.size() > 6 ? 0 : std::stoi(digits); };
  if (ends.size() != 2 || value(ends[0].low) == value(ends[1].low)) return 0;
  const bool rises = value(ends[0].low) < value(ends[1].low);
  return end_of({ends[rises ? 1 : 0].high, ends[rises ? 0 : 1].high});
}

// What a text says of the low end of a value: 1 it is the best or the highest, "1 is the highest priority", "6 the lowest";
// -1 it is the worst, "SEV 1 is the worst"; 0 nothing.
int SenseChecker::low_end_said(std::string_view prose) {
  const std::vector<std::string> words = words_of(prose);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "the" && has_word("lower smaller less fewer", words[i + 1])) {  // "The lower, the brighter"
      for (std::size_t k = i + 2; k + 1 < words.size(); ++k) {
        if (words[k] == "the" && (words[k + 1].ends_with("er") || has_word("more worse", words[k + 1]))) return 1;
      }
    }
    if (words[i].find_first_not_of("0123456789") != std::string::npos) continue;
    const bool first = words[i] == "0" || words[i] == "1";
    std::size_t k = i + 1;
    while (k + 1 < words.size() && has_word("is are being means the a as", words[k])) ++k;
    if (first && (has_word("highest first top greatest", words[k]) || is_word(words[k], WordRole::finest))) return 1;
    if (first ? words[k] == "worst" : has_word("worst lowest last bottom", words[k])) return first ? -1 : 1;
  }
  return end_said(prose) < 0 ? 1 : 0;
}

// Whether a ranking puts low values of this, or of what is computed from it, first.
bool SenseChecker::ranked_low(const RubricContext& rc, const std::string& path) const {
  const auto reads = [&](const auto& self, const ast::Expr& e, int level) -> bool {
    bool found = false;
    each_expr(budget_, e, [&](const ast::Expr& part) {
      found = found || (is_path(part) && part.text == path);
      constexpr int kMostLevels = 4;
      if (found || part.kind != ast::ExprKind::name || level == kMostLevels) return;
      const auto named =
          std::find_if(named_.begin(), named_.end(), [&part](const Named& n) { return n.name == part.text; });
      found = named != named_.end() && named->e != &e && self(self, *named->e, level + 1);
    });
    return found;
  };
  for (const ast::Item* item : rc.items) {
    const auto* rank = std::get_if<ast::Rank>(&item->node);
    for (std::size_t i = 0; rank != nullptr && i < rank->keys.size(); ++i) {
      const ast::OrderKey& key = rank->keys[i];
      if (!key.higher && reads(reads, *key.expr, 0)) return true;
    }
  }
  return false;
}

// Marks such as 1..6 are low for the best in many schools.
bool SenseChecker::of_school(const RubricContext& rc) const {
  const Interval& scale = model_.rubrics[static_cast<std::size_t>(rc.index)].scale.range;
  return finite(scale) && compare(scale.low, whole(1)) == 0 && compare(scale.high, whole(7)) <= 0;
}

int SenseChecker::end_by_grades(const RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (!bands || bands->params.empty() || bands->params[0].text != "score") continue;
    for (std::size_t column = bands->params.size(); column < bands->rows.columns.size(); ++column) {
      if (const int end = end_of(ends_of(bands->rows, column, numbers())); end != 0) return end;
    }
  }
  return end_by_prose(rc);
}

int SenseChecker::end_by_prose(const RubricContext& rc) const {
  int end = end_said(plain_words(rc.node->prose));
  if (end == 0) end = end_said(comments_of(sources_.file(rc.node->name.span.file).text));
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) {
    const int own = end_said(plain_words(d->node->prose));
    if (own != 0 && end != 0 && own != end) return 0;
    if (own != 0) end = own;
  }
  return end;
}

// The texts of the lowest and the highest level of every dimension that has some.
int SenseChecker::end_by_levels(RubricContext& rc) {
  int end = 0;
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) {
    const ast::Level *low = nullptr, *high = nullptr;
    Number lowest, highest;
    for (const ast::Level& level : d->node->levels) {
      const Interval at = slope_.range(rc, *level.number);
      if (!finite(at)) return 0;
      if (low == nullptr || compare(at.low, lowest) < 0) low = &level, lowest = at.low;
      if (high == nullptr || compare(at.low, highest) > 0) high = &level, highest = at.low;
    }
    if (low == nullptr) continue;
    const int own = end_of({plain_words(high->prose), plain_words(low->prose)});
    if (own == 0 || (end != 0 && own != end)) return 0;
    end = own;
  }
  return end;
}

// | >= 90 | "F" | … | >= 0 | "A" |
void SenseChecker::doubt_grades(RubricContext& rc, std::string_view name, const std::vector<ast::Name>& params,
                                const ast::Rows& rows) {
  if (params.size() != 1) return;
  const Ends ends = ends_of(rows, 1, numbers());
  if (ends.high.empty() || ends.low.empty()) return;
  const std::string& key = params[0].text;
  const bool score = key == "score" || key == "composite";
  for (const ast::Item* item : rc.items) {
    const auto* rank = std::get_if<ast::Rank>(&item->node);
    if (score && rank && !rank->keys.empty() && !rank->keys[0].higher) return;
  }
  if (score && of_school(rc)) return;
  NameSense of = sense_of(key);
  if (rc.last_inputs.count(key) > 0) of = sense_of_path(rc, key, {});
  int good = score ? by_words_ : of.topic == WordTopic::none ? of.good : 0;
  for (const ast::Item* item : rc.items) {  // bands of a time, and rank by lower time
    const auto* rank = std::get_if<ast::Rank>(&item->node);
    if (!score && rank && !rank->keys.empty() && rank->keys[0].expr->text == key) good = rank->keys[0].higher ? 1 : -1;
  }
  const bool best_last = (is_word(ends.high, WordRole::last) && is_word(ends.low, WordRole::best)) ||
                         (letter_of(ends.low) != 0 && letter_of(ends.high) > letter_of(ends.low));
  const bool medals = ends.high == "gold" && has_word("bronze none", ends.low);
  const bool best_first = is_word(ends.high, WordRole::best) && (is_word(ends.low, WordRole::last) || medals);
  const bool about_amount = score && all_bad_ && (is_word(name, WordRole::plain) || says(name, WordRole::weighty));
  const bool little_first = is_word(ends.high, WordRole::little) && is_word(ends.low, WordRole::much);
  if (!(good > 0 && best_last) && !(good < 0 && !score && best_first) && !(about_amount && little_first)) return;
  const Span at = rows.rows[first_row(rows, numbers()) > 0 ? 0 : rows.rows.size() - 1][1].span;
  doubt(Code::worst_first, at, rc.index,
        "the highest '" + key + "' is \"" + ends.high + "\" here, and the lowest \"" + ends.low + '"',
        "exchange the rows' results: the last one first");
  if (!is_own(at, rc.index)) return;
  Fix fix;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const std::vector<ast::Cell>&here = rows.rows[i], &there = rows.rows[rows.rows.size() - 1 - i];
    if (here.size() < 2 || there.size() < 2) return;
    if (&here != &there) fix.push_back({here[1].span, source_text(there[1].span)});
  }
  state_.noted.doubts.back().fixes = {std::move(fix)};
}

// "poor" when score >= 8 else "fair" when score >= 5 else "good"
void SenseChecker::doubt_chosen_grades(RubricContext& rc, const Named& value) {
  std::vector<const ast::Expr*> grades;
  std::string key, signs;
  const ast::Expr* e = &core_of(*value.e);
  for (; e->kind == ast::ExprKind::choice && e->args.size() == 3 && e->args[2]; e = e->args[2].get()) {
    const ast::Expr& asked = *e->args[1];
    if (asked.kind != ast::ExprKind::binary || asked.args[1]->kind != ast::ExprKind::number) return;
    if (!grades.empty() && source_text(asked.args[0]->span) != key) return;
    key = source_text(asked.args[0]->span);
    signs += asked.text[0];
    grades.push_back(e->args[0].get());
  }
  grades.push_back(e);
  const bool falls = signs.find_first_not_of('>') == signs.npos, rises = signs.find_first_not_of('<') == signs.npos;
  const auto is_grade = [](const ast::Expr* g) { return g->kind == ast::ExprKind::text && g->literal.plain(); };
  if (signs.empty() || (!falls && !rises) || !std::all_of(grades.begin(), grades.end(), is_grade)) return;
  const std::string first = grades.front()->literal.str(), last = grades.back()->literal.str();
  const std::string &high = falls ? first : last, &low = falls ? last : first;
  const bool score = key == "score" || key == "composite";
  if (score && of_school(rc)) return;
  const int good = score ? by_words_ : sense_of_path(rc, key, {}).good;
  const bool best_last = is_word(high, WordRole::last) && is_word(low, WordRole::best);
  const bool best_first = is_word(high, WordRole::best) && is_word(low, WordRole::last);
  if (!(good > 0 && best_last) && !(good < 0 && !score && best_first)) return;
  Fix fix;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    const ast::Expr* other = grades[grades.size() - 1 - i];
    if (other != grades[i]) fix.push_back({grades[i]->span, source_text(other->span)});
  }
  tell(rc, Code::worst_first, grades.front()->span,
       "the highest '" + key + "' is \"" + high + "\" here, and the lowest \"" + low + '"',
       "exchange the results: the last one first", {std::move(fix)});
}

// Whether all dimensions that read an input rise with it (1), or fall (-1), and some do.
bool SenseChecker::moves_with(RubricContext& rc, const std::string& input, int good) {
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  bool some = false;
  for (const DimensionItems* d : all) {
    const Leans leans = slope_.of(rc, d->node->body, false);
    const auto lean = leans.find(input);
    if (lean == leans.end()) continue;
    if (lean->second.direction != (good > 0 ? Lean::Direction::rises : Lean::Direction::falls)) return false;
    some = true;
  }
  return some;
}

namespace {

// Words of one order, from the lowest up.
using WordOrder = std::vector<std::string_view>;
const std::vector<WordOrder>& word_orders() {
  static const std::vector<WordOrder> kOrders = {
      {"bad fail failed unsatisfactory unacceptable inadequate insufficient", "poor weak", "sufficient pass passed",
       "satisfactory fair average acceptable adequate", "good", "very good", "excellent outstanding exceptional"},
      {"bronze", "silver", "gold", "platinum"},
      {"f", "e", "d", "c", "b", "a"},
      {"beginner novice", "intermediate", "advanced", "expert master"}};
  return kOrders;
}

// The place of a label in an order; -1: it has none.
int place_in(const WordOrder& order, const std::string& label) {
  const auto at = std::find_if(order.begin(), order.end(), [&label](std::string_view words) {
    return words == label || (label.find(' ') == label.npos && words != "very good" && has_word(words, label));
  });
  return at == order.end() ? -1 : static_cast<int>(at - order.begin());
}

}  // namespace

// | >= 92 | "A" | "Good" |, above | >= 80 | "B" | "Excellent" |
void SenseChecker::doubt_labels(RubricContext& rc, const ast::Bands& bands) {
  if (bands.params.size() != 1 || bands.params[0].text != "score" || bands.rows.rows.size() < 3 || end_ < 0 ||
      of_school(rc) || first_row(bands.rows, numbers()) == 0)
    return;
  for (std::size_t column = 1; column < bands.rows.columns.size(); ++column) {
    for (const WordOrder& order : word_orders()) {
      std::vector<std::pair<int, const ast::Cell*>> known;  // from the lowest scores up
      for (const std::vector<ast::Cell>& row : bands.rows.rows) {
        const std::string label = column < row.size() ? in_lower_case(grade_of(row[column])) : std::string();
        if (const int place = place_in(order, label); place >= 0) known.emplace_back(place, &row[column]);
      }
      if (first_row(bands.rows, numbers()) > 0) std::reverse(known.begin(), known.end());
      const auto rises = [](const auto& list) {
        return std::adjacent_find(list.begin(), list.end(),
                                  [](const auto& a, const auto& b) { return a.first >= b.first; }) == list.end();
      };
      if (known.size() < 3 || rises(known)) continue;
      for (std::size_t i = 1; i < known.size(); ++i) {
        auto turned = known;
        std::swap(turned[i - 1], turned[i]);
        if (!rises(turned)) continue;
        const ast::Cell &low = *known[i - 1].second, &high = *known[i].second;
        return tell(rc, Code::worst_first, high.span,
                    source_text(high.span) + " stands above " + source_text(low.span) + " here, which is better",
                    "exchange the two", {{{high.span, source_text(low.span)}, {low.span, source_text(high.span)}}});
      }
    }
  }
}

namespace {

// How strongly a label says something, in steps that leave no doubt: slightly late, late, very late.
struct Degree {
  std::string of;
  int rank = 0;
};

Degree degree_of(const std::string& label) {
  static constexpr std::string_view kDegrees[] = {"slightly", "", "very", "extremely"};
  std::vector<std::string> words = words_of(label);
  if (words.size() > 2 && words[0] == "a" && has_word("little bit", words[1])) {
    words.erase(words.begin());
    words[0] = "slightly";
  }
  if (words.size() == 1) return {words[0], 1};
  const auto* at = std::find(std::begin(kDegrees), std::end(kDegrees), words.empty() ? "" : words[0]);
  return words.size() != 2 || at == std::end(kDegrees) ? Degree() : Degree{words[1], static_cast<int>(at - kDegrees)};
}

}  // namespace

// | <= 5 | "late" |, | <= 15 | "a little late" |, | > 15 | "very late" |
void SenseChecker::doubt_degrees(RubricContext& rc, const ast::Rows& rows) {
  if (rows.rows.size() < 3 || first_row(rows, numbers()) == 0) return;
  for (std::size_t column = 1; column < rows.columns.size(); ++column) {
    std::map<std::string, std::vector<std::pair<int, const ast::Cell*>>> all;
    std::vector<std::string> order;
    for (const std::vector<ast::Cell>& row : rows.rows) {
      const Degree degree = column < row.size() ? degree_of(grade_of(row[column])) : Degree();
      if (!degree.of.empty()) all[degree.of].emplace_back(degree.rank, &row[column]);
      order.push_back(degree.of);
    }
    for (const auto& [of, labels] : all) {
      std::vector<Number> ranks;
      for (const auto& label : labels) ranks.push_back(whole(label.first));
      // What is good stands at one end: in the middle, "wrong" would be on both sides of it.
      const auto here = std::search_n(order.begin(), order.end(), static_cast<std::ptrdiff_t>(labels.size()), of);
      const bool one_end =
          here != order.end() && order.front() != order.back() && (order.front() == of) != (order.back() == of);
      const std::optional<Pair> at = one_end ? out_of_order(ranks) : std::nullopt;
      if (!at || told_at(labels[at->second].second->span) != nullptr) continue;
      const Span first = labels[at->first].second->span, second = labels[at->second].second->span;
      tell(rc, Code::out_of_line, second,
           "all other texts about '" + of + "' come in one order, but " + source_text(first) + " and " +
               source_text(second) + " do not",
           "exchange the two", {{{first, source_text(second)}, {second, source_text(first)}}});
    }
  }
}

// What a rubric wants of a value by its gates, caps, deductions and bonuses: 1 much, -1 little, 0 nothing that is certain.
// A gate alone may be a threshold for what is ordered the other way: at least ten games, and the fewest of them first.
int SenseChecker::wanted(RubricContext& rc, const std::string& name, std::string& because, bool& gate_only) {
  int all = 0;
  bool both = false;
  gate_only = true;
  const auto add = [&](const Leans& leans, int sign, const std::string& what, bool gate) {
    const auto lean = leans.find(name);
    if (lean == leans.end()) return;
    const int moves = lean->second.direction == Lean::Direction::rises   ? sign
                      : lean->second.direction == Lean::Direction::falls ? -sign
                                                                         : 0;
    both = both || moves == 0 || (all != 0 && all != moves);
    if (all == 0 || (gate_only && !gate))
      because = what + " what has " + ((moves > 0) == (sign > 0) ? "much" : "little") + " '" + name + "'";
    all = moves, gate_only = gate_only && gate;
  };
  for (const ast::Item* item : rc.items) {
    const auto* gate = std::get_if<ast::Gate>(&item->node);
    if (gate && gate->body.expr)
      add(slope_.of(rc, *gate->body.expr), 1, "the gate '" + gate->name.text + "' passes", true);
    const auto* cap = std::get_if<ast::Cap>(&item->node);
    const bool alone = cap && cap->when && !is_binary(*cap->when, "and");
    if (alone && end_ >= 0) add(slope_.of(rc, *cap->when), -1, "a cap lowers", false);
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    if (!amount || amount->loop || !amount->body.expr || !amount->body.where.empty()) continue;
    const bool taken = amount->kind == AdjustmentKind::deduction;
    const std::string label = amount->label.plain() ? " '" + amount->label.str() + "'" : "";
    add(slope_.of(rc, amount->body, true), taken ? -1 : 1,
        "the " + std::string(row_of(amount->kind).word) + label + " is for", false);
  }
  // A score that is reached with less of it may be the better one: a dimension only has to agree.
  std::vector<const DimensionItems*> dimensions;
  if (all != 0) each_dimension(rc.dimensions.all, dimensions);
  for (const DimensionItems* d : dimensions) add(slope_.of(rc, d->node->body, false), 1, "", true);
  return both ? 0 : all;
}

// A triage: "worst first" in the prose of the rubric, or "Those that are repaired first" beside the order.
bool SenseChecker::worst_first_meant(const RubricContext& rc, const ast::Rank& rank) const {
  static constexpr std::string_view kBest = "best good strongest highest top winner winners leader leaders";
  const auto says_so = [](const std::string& text, bool about_order) {
    const std::vector<std::string> words = words_of(text);
    const auto any = [&words](const auto& is) { return std::any_of(words.begin(), words.end(), is); };
    const bool worst = any([](const std::string& w) {
      return is_word(w, WordRole::weakest) || is_word(w, WordRole::lowermost) || is_word(w, WordRole::weighty);
    });
    return has_word("first foremost", words) && !has_word(kBest, words) && (worst || about_order);
  };
  const Span keys{rank.keys.front().span.file, rank.keys.front().span.begin, rank.keys.back().span.end};
  return says_so(plain_words(rc.node->prose) + " " + comment_at(rc.node->name.span), false) ||
         says_so(comment_at(keys), true);
}

// Whether low scores may come first for a reason: bands that speak of severity, or grades of an order that is not known.
bool SenseChecker::ordered_by_need(const RubricContext& rc) const {
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (!bands || bands->params.empty() || bands->params[0].text != "score") continue;
    if (by_grades_ == 0) return true;
    for (const auto& row : bands->rows.rows) {
      for (std::size_t column = bands->params.size(); column < row.size(); ++column) {
        const std::vector<std::string> words = words_of(source_text(row[column].span));
        if (has_word("severe mild moderate critical urgent acute emergency severely mildly", words)) return true;
      }
    }
  }
  return false;
}

// rank by lower score, where the high ones are the good ones; by higher typos, where typos are deducted.
void SenseChecker::doubt_key(RubricContext& rc, const ast::Rank& rank, const ast::OrderKey& key) {
  const bool first = &key == rank.keys.data();
  if (key.expr->kind != ast::ExprKind::name) return;
  const std::string& name = key.expr->text;
  const std::string other = key.higher ? "lower" : "higher";
  const bool score = (name == "score" || name == "composite") && rc.by_name.own.find(name) == rc.by_name.own.end();
  const int high_is_good = by_grades_ != 0 ? by_grades_ : of_school(rc) ? 0 : by_words_;
  std::string because;
  if (score && !key.higher && high_is_good > 0 && !ordered_by_need(rc))
    because = "a high " + name + " is the better one in this rubric";
  for (const ast::Item* of : rc.items) {
    const auto* amount = std::get_if<ast::Adjustment>(&of->node);
    if (score || first || !amount || amount->loop || !amount->body.expr || !amount->body.where.empty()) continue;
    const AdjustmentRow& row = row_of(amount->kind);
    const bool taken = amount->kind == AdjustmentKind::deduction;
    const ast::Expr& e = *amount->body.expr;
    const bool product = e.kind == ast::ExprKind::binary && e.text == "*";
    const bool grows = (e.kind == ast::ExprKind::name && e.text == name) ||
                       (product && ((e.args[0]->text == name && e.args[1]->kind == ast::ExprKind::number) ||
                                    (e.args[1]->text == name && e.args[0]->kind == ast::ExprKind::number)));
    if (grows && taken == key.higher)
      because = "the " + std::string(row.word) + " '" + (amount->label.plain() ? amount->label.str() : name) + "' " +
                (taken ? "takes points for '" : "gives points for '") + name + "'";
  }
  if (because.empty() && !score && end_ > 0) {
    const NameSense sense = sense_of_path(rc, name, {});
    const bool general = sense.topic == WordTopic::none || sense.topic == WordTopic::price;
    if (general && sense.good != 0 && (sense.good > 0) != key.higher && (sense.good > 0 || !first))
      because = std::string(sense.good > 0 ? "more" : "less") + " '" + name + "' is better";
  }
  // rank by higher score, higher seconds, where a gate wants at most 30 of them and a cap applies to many
  std::string wants;
  bool gate_only = false;
  const int much =
      because.empty() && !score && rc.by_name.inputs.count(name) > 0 ? wanted(rc, name, wants, gate_only) : 0;
  const int by_name = sense_of_path(rc, name, {}).good;
  const bool of_best = std::any_of(rank.keys.begin(), rank.keys.end(),
                                   [](const ast::OrderKey& k) { return k.higher && k.expr->text == "score"; });
  if (much != 0 && (much > 0) != key.higher && by_name != -much && (gate_only ? by_name == much : of_best))
    because = wants;
  // rank by higher score, higher price, where a dimension falls with the price
  const auto is_score = [](const ast::OrderKey& k) { return k.higher && k.expr->text == "score"; };
  if (because.empty() && !score && !first && is_score(rank.keys[0])) {
    // The points agree with the name, so doubts in its prose ("without tax") leave nothing open.
    const std::string prose = prose_of(rc, name);
    int good = excused(prose) ? sense_of_path(rc, name, {}).good : sense_of(name).good;
    if (!key.higher && says(name, WordRole::mark)) good = 1;  // of a rating
    if (good != 0 && (good > 0) != key.higher && moves_with(rc, name, good))
      because = "the score " + std::string(good > 0 ? "rises" : "falls") + " with '" + name + "'";
  }
  const std::string_view file = sources_.file(key.span.file).text;
  for (const std::string_view read : {"duration", "number"}) {  // rank by lower lap, where a lap is "9:58" or "10:02"
    const std::string call = std::string(read) + "(" + name + ")";
    const auto input = rc.by_name.inputs.find(name);
    if (!because.empty() || input == rc.by_name.inputs.end() || file.find(call) == file.npos) continue;
    if (types_.kind(model(rc).items[static_cast<std::size_t>(input->second)].type) != TypeKind::text) continue;
    return tell(rc, Code::text_order, key.span,
                "'" + name + "' is a text, and texts are ordered by the alphabet: \"10\" comes before \"9\"",
                "write " + std::string(key.higher ? "higher " : "lower ") + call, {{{key.expr->span, call}}});
  }
  // rank by higher priority, one of ("low", "medium", "high")
  const auto input = rc.by_name.inputs.find(name);
  if (because.empty() && input != rc.by_name.inputs.end()) {
    const TypeId type = model(rc).items[static_cast<std::size_t>(input->second)].type;
    if (alphabet_misleads(types_[type].choices))
      return tell(rc, Code::text_order, key.span,
                  "'" + name + "' is " + types_.say(type) + ", and texts are ordered by the alphabet",
                  "order by a number: a table gives one for each of the texts", {});
  }
  if (because.empty() && key.higher && !score && !first && is_word(name, WordRole::placing) &&
      rc.by_name.inputs.count(name) > 0)
    because = "'" + name + "' is 1 for the best";
  if (because.empty() || worst_first_meant(rc, rank)) return;
  const std::string meant = other + " " + name;
  doubt(Code::worst_first, key.span, rc.index, "this order puts the worst first: " + because,
        "write " + meant + " for the best first");
  state_.noted.doubts.back().fixes = {{{key.span, meant}}};
}

// let best_lap = max(laps), where the score falls with the laps
void SenseChecker::doubt_best_of(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const bool best = says(value.name, WordRole::finest), worst = says(value.name, WordRole::weakest);
  if ((!is_call(e, "min") && !is_call(e, "max")) || e.args[0]->kind != ast::ExprKind::name || best == worst || end_ < 0)
    return;
  const std::string& list = e.args[0]->text;
  if (rc.by_name.inputs.count(list) == 0 || holds_marks(rc, e, *e.args[0])) return;
  const bool falls = moves_with(rc, list, -1), rises = moves_with(rc, list, 1);
  const std::string meant = falls == best ? "min" : "max";
  if (falls == rises || e.text == meant) return;
  tell(rc, Code::against_name, e.word,
       "the score " + std::string(rises ? "rises" : "falls") + " with '" + list + "', so the " + e.text +
           " of them is the " + (best ? "worst" : "best"),
       "write " + meant + "(" + list + ")", {{{e.word, meant}}});
}

void SenseChecker::doubt_rank(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    const auto* rank = std::get_if<ast::Rank>(&item->node);
    if (!rank || !is_own(item->span, rc.index)) continue;
    std::set<std::string_view> before;  // a key that stands twice is told elsewhere
    for (const ast::OrderKey& key : rank->keys) {
      if (before.insert(sources_.text(key.expr->span)).second) doubt_key(rc, *rank, key);
    }
  }
}

}  // namespace assay
