// See sense_checker.hpp. Finds levels and rows of tables that are out of the order or the proportion of all others.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <optional>

namespace assay {

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
