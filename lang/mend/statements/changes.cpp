// Sentences about points that are lost or won: 'late drafts lose 2 points', '0.5 off per typo, at most 3', 'for each
// missing source deduct one point'. Looks for the parts that can be recognized anywhere in the sentence: a number,
// words for a direction, declared names, a condition, a limit.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

namespace assay::mending {
namespace {

struct Change {
  std::string amount, of, step, over, most, when;  // step: 'per 30 minutes'

  bool minus = false, plus = false, each = false;
  bool sure = true;
  std::vector<std::string_view> words;  // that say neither
};

bool says_minus(std::string_view word) {
  return among(in_lower_case(word),
               {"-",      "−",       "–",        "minus",     "lose",      "loses",     "lost",       "losing",
                "deduct", "deducts", "deducted", "deducting", "subtract",  "subtracts", "subtracted", "off",
                "cost",   "costs",   "penalty",  "penalised", "penalized", "reduce",    "reduces",    "reduced",
                "docked", "remove",  "removed",  "less",      "down",      "forfeit"});
}
bool says_plus(std::string_view word) {
  return among(
      in_lower_case(word),
      {"+",   "plus", "add",   "adds",  "added", "gain",    "gains",   "gained",   "earn",   "earns",    "earned",
       "get", "gets", "bonus", "extra", "award", "awarded", "receive", "receives", "reward", "increase", "increases"});
}
bool is_idle(std::string_view word) {
  static constexpr std::string_view kIdle[] = {
      "the",   "a",    "an",    "of",     "from",  "is",   "are",   "be",    "will",  "by",   "in",      "to", "for",
      "score", "its",  "their", "total",  "then",  "and",  "but",   "with",  "it",    "they", "that",    "on", "final",
      "out",   "mark", "grade", "result", "being", "been", "there", "which", "would", "this", "overall", "we", "you"};
  return is_points(word) || std::find(std::begin(kIdle), std::end(kIdle), in_lower_case(word)) != std::end(kIdle);
}

// 'half a point', 'two', '5': the number, and behind it `i` goes on; empty: it is none.
std::string count_in_words(const Tokens& tokens, Span span, std::size_t& i) {
  const std::string word = in_lower_case(tokens[i].shown);
  const std::optional<int> said = number_said(word);
  const bool half = word == "half" && i + 1 < span.end &&  // of one, rather than of what was said before
                    (among(tokens[i + 1].shown, {"a", "an", "of"}) || is_points(tokens[i + 1].shown));
  const bool a = among(word, {"a", "an"}) && is_points(tokens[i + 1].shown);
  if (tokens[i].kind == Token::Kind::number) return std::string(tokens[i++].shown);
  if (!said && !half && !a) return {};
  ++i;
  if (half && among(tokens[i].shown, {"a", "of"})) ++i;
  return half ? "0.5" : a ? "1" : std::to_string(*said);
}

// A bound in words before a number, '(max 2', 'at most two': the number behind it; `i` goes on behind that.
std::string limit_at(const Tokens& tokens, Span span, std::size_t& i, std::string_view op) {
  std::size_t at = i;
  while (at < span.end &&
         among(in_lower_case(tokens[at].shown),
               {"capped", "limited", "cap", "limit", "never", "to", "total", "at", "in", "of", ":"}) &&
         !(tokens.is(at, "at") && tokens.is(at + 1, "most")))
    ++at;
  const bool capped = at > i && among(in_lower_case(tokens[i].shown), {"capped", "limited", "cap", "limit", "never"});
  const auto bound_here = [&] {
    return bound_words(BoundWords::sentences, BoundWords::before,
                       [&](std::size_t k) { return in_lower_case(tokens[at + k].shown); });
  };
  const BoundWords* bound = bound_here();
  if (bound == nullptr && !(capped && op == "<=")) return {};
  if (bound != nullptr) {
    const bool never = tokens.is(i, "never") && bound->op == ">" && op == "<=";
    if (bound->op != op && !never) return {};
    at += bound->count();
    bound = bound_here();  // 'up to a maximum of'
    if (bound != nullptr && bound->op == op) at += bound->count();
  }
  while (at < span.end && among(tokens[at].shown, {"a", "the", "of", ":", "first"})) ++at;
  const std::string number = at < span.end ? count_in_words(tokens, span, at) : std::string();
  if (!number.empty()) i = at;
  return number;
}

// Its condition: up to a sign that ends it, or a word about points.
std::string condition_at(const Tokens& tokens, Span span, std::size_t& i) {
  const std::size_t from = i;
  std::size_t end = i + 1;
  while (end < span.end && !among(tokens[end].shown, {",", ":", ";", "then", "=>", "->"}) &&
         !(end > from + 1 && tokens[end].kind == Token::Kind::word && tokens.ends_value(end - 1) &&
           (says_minus(tokens[end].shown) || says_plus(tokens[end].shown))))
    end = tokens.behind(end);
  i = std::min(end, span.end);
  return condition_in(tokens, {from, i});
}

// Of what there is one change each: 'debt with amount > 4', 'd in debts where d.overdue'; behind it `i` goes on. Empty:
// it is no list, or only words follow.
std::string items_at(const Tokens& tokens, Span span, std::size_t& i) {
  const bool named = tokens.is(i + 1, "in") && tokens.operand(i + 2) <= span.end && tokens.operand(i + 2) > i + 2;
  const std::string variable(tokens[i].shown);
  const std::string list = named ? raw(tokens, {i + 2, tokens.operand(i + 2)}) : declared_like(tokens, variable);
  const std::size_t word = named ? tokens.operand(i + 2) : i + 1;
  if (!named && declared_kind(tokens, list) != "list") return {};
  bool filters =
      word + 1 < span.end && among(tokens[word].shown, {"with", "where", "whose", "having", "when", "if", "unless"});
  if (filters) {
    std::size_t end = word + 1;
    bool of_items = false;  // a comparison of the item, or a word for one of its truths
    for (; end < span.end && !among(tokens[end].shown, {",", ";"}); end = tokens.behind(end)) {
      of_items = of_items || (named && tokens.is(end, variable)) ||
                 (!named && (tokens[end].kind == Token::Kind::sign || end == word + 1) &&
                  (end > word + 1 || KnownNames(tokens).is_field(tokens[end].shown)));
    }
    filters = of_items;
    if (filters) {
      std::string rest = raw(tokens, {word + 1, std::min(end, span.end)});
      if (tokens.is(word, "unless")) rest = negated_text(rest);
      i = std::min(end, span.end);
      return named ? "count(" + variable + " for " + variable + " in " + list + " when " + rest + ")"
                   : "count(" + list + " where " + rest + ")";
    }
  }
  if (!named) return {};
  i = word;
  return "count(" + list + ")";
}

bool read_sentence(const Tokens& tokens, Span span, Change& c) {
  for (std::size_t i = span.begin; i < span.end;) {
    const std::string word = in_lower_case(tokens[i].shown);
    const bool call = tokens.is(i + 1, "(") && tokens[i + 1].begin == tokens[i].end;
    const bool loop = word == "for" && (tokens.is(i + 2, "in") || tokens.is(i + 2, ",")) && !tokens.is(i + 1, "each");
    if (call || loop || among(word, {"limited", "capped", "restricted"})) return false;
    const bool rate = among(word, {"per", "each", "every", "x", "times"});
    if (is_condition_word(word)) {
      const auto part = [](const std::string& one) { return one.find(" or ") != one.npos ? "(" + one + ")" : one; };
      const std::string one = condition_at(tokens, span, i);
      if (one.empty()) return false;
      c.when = c.when.empty() ? one : part(c.when) + " and " + part(one);  // if late, unless sick
    } else if (std::string most = limit_at(tokens, span, i, "<="); !most.empty() && !c.amount.empty()) {
      c.most = most;
    } else if (c.each && among(word, {"over", "above", "beyond", "more", "after", "past", "exceeding"})) {
      for (++i; i < span.end && among(tokens[i].shown, {"than", "the", "first"});) ++i;
      const std::size_t behind = tokens.operand(i);
      if (behind == i || behind > span.end) return false;
      c.over = raw(tokens, {i, behind});
      i = behind;
    } else if (rate && tokens[i].kind == Token::Kind::word) {
      c.each = true;
      ++i;
      while (i < span.end && among(tokens[i].shown, {"a", "one", "full", "extra", "additional", "each"})) ++i;
      if (among(in_lower_case(tokens[i].shown), {"started", "begun", "commenced", "complete", "completed"}))
        return false;
      if (tokens.is(i, "half") || tokens.is(i, "quarter")) c.step = tokens.is(i++, "half") ? "0.5" : "0.25";
      if (tokens[i].kind == Token::Kind::number && i < span.end) c.step = tokens[i++].shown;
      c.of = items_at(tokens, span, i);
    } else if (std::size_t at = i; c.amount.empty() && !(c.amount = count_in_words(tokens, span, at)).empty()) {
      i = at;
    } else if (says_minus(word)) {
      c.minus = true, ++i;
    } else if (says_plus(word)) {
      c.plus = true, ++i;
    } else if (is_idle(word) || among(word, {",", ":", ";", "(", ")", "."})) {
      ++i;
    } else if (tokens[i].kind == Token::Kind::word && !is_reserved(word)) {
      c.words.push_back(tokens[i++].shown);
    } else {
      return false;
    }
  }
  return !c.amount.empty();
}

// Of a list of records those with the texts and truths that the words name: 'issue with severity high', 'overdue debts'.
// `said`: how many of the words that are, with the one for the list. Empty: they name none.
std::string filter_of(const Tokens& tokens, std::string_view list, const std::vector<std::string_view>& words,
                      std::size_t& said) {
  const std::size_t at = tokens.declaration({"input"}, list);
  std::size_t open = at;
  while (open < at + 12 && open + 1 < tokens.size() && !tokens.is(open, "{")) ++open;
  if (!tokens.is(open, "{") || tokens[open].partner == kNone) return {};
  std::string condition;
  std::string_view field;
  for (std::size_t k = open + 1; k < tokens[open].partner; ++k) {
    if (tokens.is(k + 1, ":") && tokens[k].kind == Token::Kind::word) field = tokens[k].shown;
    const std::string text = tokens[k].is_text()    ? without_quotes(tokens, k)
                             : tokens.is(k, "bool") ? std::string(field)
                                                    : "";
    if (text.empty() || std::find(words.begin(), words.end(), text) == words.end()) continue;
    ++said;
    condition += (condition.empty() ? "item." : " and item.") + std::string(field) +
                 (tokens[k].is_text() ? " == " + as_text(tokens[k].shown) : "");
    said += tokens[k].is_text() && std::find(words.begin(), words.end(), field) != words.end() ? 1 : 0;
  }
  return condition.empty() ? "" : "item for item in " + std::string(list) + " when " + condition;
}

// Whether a condition reads fields of a list's items that are no values of the rubric themselves.
bool reads_field_of(const Tokens& tokens, std::string_view list, const std::string& condition) {
  const KnownNames known(tokens);
  const Tokens words(condition);
  for (std::size_t i = 0; !list.empty() && i + 1 < words.size(); ++i) {
    if (words[i].kind == Token::Kind::word && known.has_field(list, words[i].shown) && !known.declares(words[i].shown))
      return true;
  }
  return false;
}

// What such a sentence means as an amount and a condition; false: it does not say of what.
bool settle(const Tokens& tokens, Change& c, Facts& facts) {
  if (c.each && c.words.empty() && c.of.empty()) c.words.push_back(facts.name);
  const std::string subject = c.words.empty() ? std::string() : declared_like(tokens, c.words);
  const std::string_view kind = declared_kind(tokens, subject);
  const bool truth = kind == "bool";
  c.sure = c.words.size() <= 2;
  // A value that is named beside a condition, and that nothing is made of, may be another condition.
  for (const std::string_view word : c.words)
    c.sure = c.sure && (c.when.empty() || c.each || declared_kind(tokens, word).empty());
  if (c.each && c.of.empty()) {
    c.of = subject.empty() && c.words.size() == 1 ? std::string(c.words[0]) : subject;
    if (c.of.empty() || truth) return false;
    if (among(kind, {"list", "set", "map"})) {
      std::size_t said = 1;
      const std::string some = filter_of(tokens, subject, c.words, said);
      c.of = "count(" + (some.empty() ? subject : some) + ")";
      c.sure = said >= c.words.size();
    }
  } else if (c.when.empty() && !c.words.empty()) {
    if (!truth) return false;
    c.when = subject;
  }
  if (reads_field_of(tokens, subject, c.when)) c.of = "count(" + subject + " where " + std::exchange(c.when, {}) + ")";
  if (c.amount.back() == '%') c.amount += " * composite", c.sure = false;
  facts.value = c.amount;
  if (!c.of.empty()) {
    const std::string times = c.over.empty() ? c.of : "max(0, " + c.of + " - " + c.over + ")";
    facts.value = c.amount == "1" ? times : c.amount + " * " + times;
    if (!c.step.empty()) facts.value += " / " + c.step, c.sure = false;  // or for each full one
  }
  if (facts.name.empty() && facts.text.empty() && c.when.empty()) facts.name = subject;
  if (!c.most.empty()) facts.value = "min(" + facts.value + ", " + c.most + ")";
  facts.when = c.when;
  facts.guessed = facts.guessed || !c.sure;
  return true;
}

// '1 if hours <= 24, 3 if more than 24': an amount for each case; false: there are not several.
bool read_cases(const Tokens& tokens, Span span, Facts& facts) {
  std::string subject;
  std::vector<std::pair<std::string, std::string>> cases;  // with their conditions
  for (std::size_t i = span.begin; i < span.end;) {
    std::size_t end = i, at = i;
    while (end < span.end && !tokens.is(end, ",") && !tokens.is(end, ";")) end = tokens.behind(end);
    while (at < end && among(in_lower_case(tokens[at].shown), {"and", "but", "else", "-"})) ++at;
    const std::string amount = count_in_words(tokens, {at, end}, at);
    while (at < end && is_points(tokens[at].shown)) ++at;
    if (amount.empty() || at >= end) return false;
    const bool rest = at + 1 == end && among(tokens[at].shown, {"otherwise", "else"});
    if (!rest && !is_condition_word(tokens[at].shown)) return false;
    std::string condition = rest ? std::string() : raw(tokens, {at + 1, end});
    if (tokens[at + 1].kind == Token::Kind::word && tokens.operand(at + 1) < end) {
      const std::string whole = plain_condition(condition), with_subject = plain_condition(subject + " " + condition);
      const bool elliptic = whole == condition && !subject.empty() && with_subject != subject + " " + condition;
      condition = elliptic ? with_subject : whole;
      if (!elliptic) subject = raw(tokens, {at + 1, tokens.operand(at + 1)});
    }
    cases.push_back({amount + (rest ? "" : " when " + condition), condition});
    i = end + 1;
  }
  if (cases.size() < 2) return false;
  // The first case that holds decides: 'km > 5000' would hide 'km > 20000' behind it.
  const auto limit = [](const std::string& condition) {
    return std::strtod(condition.c_str() + std::min(condition.find_last_of(' ') + 1, condition.size()), nullptr);
  };
  const auto above = [](const auto& one) { return one.second.find('>') != std::string::npos; };
  if (std::all_of(cases.begin(), cases.end(), above))
    std::stable_sort(cases.begin(), cases.end(),
                     [&limit](const auto& a, const auto& b) { return limit(a.second) > limit(b.second); });
  for (const auto& one : cases) facts.value += (facts.value.empty() ? "" : " else ") + one.first;
  return true;
}

}  // namespace

bool costs(std::string_view word) {
  return among(in_lower_case(word), {"cost", "costs", "costing", "take", "takes", "lose", "loses", "count", "counts",
                                     "subtract", "subtracts", "deduct", "deducts", "is", "of", "worth"});
}

std::string_view read_change(const Tokens& tokens, Span span, Facts& facts) {
  facts.text = take_text(tokens, span);
  Change c;
  if (!read_sentence(tokens, span, c) || c.minus == c.plus || (c.words.empty() && c.when.empty() && c.of.empty()) ||
      !settle(tokens, c, facts))
    return {};
  return c.minus ? "deduction" : "bonus";
}

void read_adjustment(const Tokens& tokens, Span span, Facts& facts) {
  if (const std::string text = take_text(tokens, span); !text.empty()) facts.text = text;
  // for each flag in flags "Red flag: {flag}": its text needs the loop
  for (std::size_t i = span.begin + 2; i < span.end; ++i) {
    if (tokens.is(i, "in") && among(tokens[i - 2].shown, {"each", "every"}) &&
        facts.text.find("{" + std::string(tokens[i - 1].shown)) != std::string::npos)
      return;
  }
  // 'ads -0.25 each': so often as the name says
  Change c;
  const bool each = span.end > span.begin + 1 && tokens.is(span.end - 1, "each") && !facts.name.empty();
  if (each) c.of = declared_like(tokens, facts.name);
  if (read_sentence(tokens, span, c) && settle(tokens, c, facts)) return;
  facts.when.clear();
  if (read_cases(tokens, span, facts)) return;
  if (facts.value = choice_by_input(tokens, read_block(tokens, stripped(tokens, span))); !facts.value.empty()) return;
  // '0.5 minutes > 150'
  std::size_t behind = span.begin;
  const std::string count = span.empty() ? std::string() : count_in_words(tokens, span, behind);
  if (!count.empty() && behind < span.end && tokens[behind].kind == Token::Kind::word &&
      tokens.declaration({"input", "let", "dimension"}, tokens[behind].shown) != kNone) {
    facts.value = count;
    facts.when = condition_in(tokens, {behind, span.end});
    return;
  }
  Span amount;
  split_condition(tokens, span, facts, amount);
  amount = stripped(tokens, amount);
  const auto called = [&tokens](std::size_t i) {
    return tokens.is(i + 1, "(") && tokens[i + 1].begin == tokens[i].end;
  };
  while (!amount.empty() && costs(tokens[amount.begin].shown) && !called(amount.begin)) ++amount.begin;
  // 'typos * 0.5 max 2'; 'typos capped at 2' of the value that the name means
  for (std::size_t i = amount.begin; i < amount.end; ++i) {
    std::size_t at = i;
    const std::string of =
        i == amount.begin ? declared_like(tokens, facts.name) : raw(tokens, stripped(tokens, {amount.begin, i}));
    if (of.empty() || (i > amount.begin && !tokens.ends_value(i - 1) && !tokens.is(i - 1, ","))) continue;
    const std::string most = limit_at(tokens, amount, at, "<=");
    while (at < amount.end && (is_points(tokens[at].shown) || tokens.is(at, "total"))) ++at;
    if (most.empty() || at != amount.end) continue;
    facts.value = "min(" + of + ", " + most + ")";
    return;
  }
  while (!amount.empty() && !called(amount.begin) &&
         (says_minus(tokens[amount.begin].shown) || says_plus(tokens[amount.begin].shown)) &&
         amount.end > amount.begin + 1)
    ++amount.begin;
  while (amount.end > amount.begin + 1 && is_points(tokens[amount.end - 1].shown) && !tokens.is(amount.end - 2, "."))
    --amount.end;
  facts.value = raw(tokens, amount);
}

}  // namespace assay::mending
