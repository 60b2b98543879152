// The keys of a ranking in any notation: 'score: desc', '-price', 'higher score then cheapest'.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/foreign/known_names.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <vector>

namespace assay::mending {
namespace {

bool says_high(std::string_view word) {
  return among(in_lower_case(word), {"desc",    "descending", "higher",   "highest", "high",    "largest", "most",
                                     "best",    "biggest",    "greatest", "more",    "bigger",  "maximum", "max",
                                     "reverse", "decreasing", "larger",   "oldest",  "longest", "↓",       "▼"});
}
bool says_low(std::string_view word) {
  return among(in_lower_case(word), {"asc",    "ascending", "lower",    "lowest",   "low", "smallest", "least",
                                     "fewest", "cheapest",  "fewer",    "minimum",  "min", "smaller",  "increasing",
                                     "less",   "worst",     "youngest", "shortest", "↑",   "▲"});
}
// The keys of a ranking in a span without texts: divided by commas, lines, 'then' and 'and'.
std::string ranking_of_words(const Tokens& tokens, Span span, bool& certain, bool sorts) {
  struct Key {
    std::string of;
    int direction;  // 1 high, -1 low, 0 not said
    bool minus = false;
    bool counted = false;  // 'fewest', 'most': a number of items
  };
  std::vector<Key> keys;
  std::size_t from = span.begin;
  const auto close = [&](std::size_t to) {
    Key key{"", 0};
    std::size_t begin = kNone, end = 0;
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view word = tokens[i].shown;
      const bool call = tokens.is(i + 1, "(") && tokens[i + 1].begin == tokens[i].end;
      if (in_lower_case(word) == "nulls") ++i;                                       // nulls last
      else if (key.direction == 1 && among(in_lower_case(word), {"true", "false"}))  // reverse=true
        key.direction = in_lower_case(word) == "true" ? 1 : -1;
      else if (key.direction != 0 && (says_high(word) || says_low(word)) &&
               (among(tokens[i - 1].shown, {"to", "->", "→"}) || among(word, {"first", "last"})))
        continue;  // from high to low, lower score first: the first one counts
      else if (!call && (says_high(word) || says_low(word))) {
        key.direction = says_high(word) ? 1 : -1;
        key.counted = among(in_lower_case(word), {"fewest", "fewer", "least", "less", "most", "more"});
        const bool quality = among(in_lower_case(word), {"best", "worst"});  // the cheapest price is the best
        certain = certain && (!quality || (begin != kNone && among(tokens[begin].shown, {"score", "composite"})));
      } else if (begin == kNone && word == "-" && !tokens[i].first) key.direction = -1, key.minus = true;
      else if (begin == kNone && word == "+") key.direction = 1;
      else if (among(in_lower_case(word),
                     {"by",    "first",     "then",     "and",        "on",          "of",        "the", "to",   "with",
                      "from",  "ties",      "broken",   "tie",        "break",       "finally",   "=",   ":",    "(",
                      ")",     "[",         "]",        "{",          "}",           "-",         "*",   "keys", "key",
                      "order", "direction", "tiebreak", "tiebreaker", "tiebreakers", "tie_break", "dir"}) &&
               !(begin != kNone && i + 1 < to && tokens.operand(begin) > i))
        continue;
      else {
        if (begin == kNone) begin = i;
        end = i + 1;
      }
    }
    if (begin != kNone) key.of = raw(tokens, {begin, end});
    if (!key.of.empty()) keys.push_back(std::move(key));
    else if (!keys.empty() && key.direction != 0) keys.back().direction = key.direction;  // { key: price, order: asc }
    from = to;
  };
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const bool call =
        tokens.opens(i) && i > span.begin && tokens[i - 1].end == tokens[i].begin && tokens[i - 1].value();
    if (call && tokens[i].partner != kNone && i > span.begin + 1) {
      i = tokens[i].partner;
      continue;
    }
    const bool cut = tokens.is(i, ",") || tokens.is(i, ";") || tokens.is(i, "then") || tokens.is(i, "and") ||
                     tokens.is(i, "|") || tokens.is(i, ">") || (tokens[i].first && i > span.begin);
    if (!cut) continue;
    close(i);
    from = tokens[i].first && !tokens.is(i, ",") ? i : i + 1;
  }
  close(span.end);
  // '-score' is how other languages sort downwards, and their other keys upwards.
  const bool signs = std::any_of(keys.begin(), keys.end(), [](const Key& k) { return k.of == "score" && k.minus; });
  for (Key& key : keys) {
    if (signs) key.direction = key.minus ? 1 : -1;
  }
  std::string text;
  const KnownNames known(tokens);
  const bool sql = std::any_of(keys.begin(), keys.end(), [](const Key& k) { return k.direction != 0; });
  for (const Key& key : keys) {
    const Tokens one(key.of);
    if (one.operand(0) + 1 != one.size()) return {};
    const bool dimension = tokens.declaration({"dimension"}, key.of) != kNone;
    if (key.direction == 0 && !among(key.of, {"score", "composite"}) && !dimension && !(sorts && sql)) certain = false;
    const bool high = key.direction > 0 || (key.direction == 0 && (key.of == "score" || dimension || !sql));
    const bool items = known.has_items(key.of);
    certain = certain && (!key.minus || signs);  // turned, as in a key of Python, or only negative
    certain = certain && (!items || key.counted);
    text += (text.empty() ? "" : ", ") + std::string(high ? "higher " : "lower ") +
            (items ? "count(" + key.of + ")" : key.of);
  }
  return text;
}

}  // namespace

std::string ranking_of(const Tokens& tokens, Span span, bool& certain, bool sorts) {
  const auto holds_text = [](const Tokens& all, Span part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (all[i].is_text()) return true;
    }
    return false;
  };
  if (!holds_text(tokens, span)) return ranking_of_words(tokens, span, certain, sorts);
  std::string plain(tokens.text());  // ["higher score", "lower price"]: no text orders anything
  for (std::size_t i = span.begin; i < span.end; ++i) {
    if (tokens[i].is_text()) plain[tokens[i].begin] = plain[tokens[i].end - 1] = ' ';
  }
  const Tokens words(plain);
  const std::size_t end = span.end < tokens.size() ? words.at(tokens[span.end].begin) : words.size() - 1;
  const Span inside{words.at(tokens[span.begin].begin), end};
  return holds_text(words, inside) ? std::string() : ranking_of_words(words, inside, certain, sorts);
}

}  // namespace assay::mending
