// Single lines that express a declaration in other words: the keys of a ranking, the ends of a scale, the input of a
// history, and lines that lack the word of the declaration before the name.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay::mending {
namespace {

bool says_order(std::string_view word) {
  return among(in_lower_case(word),
               {"rank", "ranking", "sort", "order", "orderby", "sorted", "ranked", "sorting", "wins", "win", "best",
                "tiebreak", "tiebreaker", "tiebreakers", "tie_break", "ties"});
}

void ranking(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!says_order(tokens[i].shown) || tokens.is(i, "ties")) return;
  std::size_t at = i + 1;
  while (tokens.is(at, ":") || tokens.is(at, "=") ||
         (among(in_lower_case(tokens[at].shown), {"by", "order", "keys"}) && !tokens[at].first))
    ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (block.inside.empty()) return;
  Span span = block.inside;
  std::size_t last = block.last;
  // Lines that break ties belong to it.
  while (tokens[last + 1].first && among(in_lower_case(tokens[last + 1].shown),
                                         {"tiebreak", "tiebreaker", "tiebreakers", "tie_break", "ties", "then"})) {
    last = line_last(tokens, last + 1);
    span.end = last + 1;
  }
  bool certain = true;
  // 'score: desc' of a block is a key as well
  const bool sorts =
      in_lower_case(tokens[i].shown).starts_with("sort") || in_lower_case(tokens[i].shown).starts_with("order");
  const std::string keys = ranking_of(tokens, span, certain, sorts);
  if (!keys.empty()) out.add(tokens[i].begin, tokens[last].end, "rank by " + keys, certain);
}

// cohort by region { output typical = mean(r.score for r in records) }: each aggregate over groups of the records
void cohort_of_groups(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!tokens.is(i, "cohort") || !among(tokens[i + 1].shown, {"by", "per", "for"})) return;
  const std::size_t by = i + 2 + (among(tokens[i + 2].shown, {"each", "every"}) ? 1 : 0), open = by + 1;
  if (tokens[by].kind != Token::Kind::word || !tokens.is(open, "{") || tokens[open].partner == kNone) return;
  std::vector<Edit> edits{out.edit(tokens[i].end, tokens[by].end, "")};
  for (std::size_t k = open + 1; k < tokens[open].partner; ++k) {
    const std::size_t close = tokens[k].partner, loop = close == kNone || close < k + 4 ? 0 : close - 4;
    if (!tokens.is(k, "(") || loop == 0 || !tokens.is(loop, "for") || !tokens.is(loop + 2, "in") ||
        !tokens.is(loop + 3, "records"))
      continue;
    const std::string record(tokens[loop + 1].shown);
    edits.push_back(out.edit(tokens[k - 1].begin, tokens[close].end,
                             "map(name: " + std::string(tokens[k - 1].shown) + "(items) for name, items in group(" +
                                 record + "." + std::string(tokens[by].shown) + ": " + raw(tokens, {k + 1, close}) +
                                 "))"));
  }
  if (edits.size() > 1) out.add(std::move(edits), true);
}

// 'version 2.1 (May 2024)': all of the line is the text; 'v2.1' alone
void version(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t last = line_last(tokens, i);
  const std::string line = raw(tokens, {i, last + 1});
  const bool number = line.size() > 1 && (line[0] == 'v' || line[0] == 'V') && is_digit(line[1]) &&
                      line.find_first_not_of("0123456789.", 1) == line.npos;
  if (number) return out.add(tokens[i].begin, tokens[last].end, "version \"" + line.substr(1) + "\"", true);
  if (!tokens.is(i, "version") || last == i) return;
  std::string text;
  for (std::size_t k = i + 1; k <= last; ++k)
    text += (k > i + 1 && tokens[k].begin > tokens[k - 1].end ? " " : "") + without_quotes(tokens, k);
  out.add(tokens[i].begin, tokens[last].end, "version " + text_of("'" + text + "'"), true);
}

// 'corked wines are disqualified', 'no title: rejected': a gate, with what must not be
void exclusion(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t last = line_last(tokens, i);
  Span span{i, last + 1};
  const std::string text = take_text(tokens, span);
  static constexpr std::string_view kVerdicts[] = {"disqualified", "rejected", "excluded", "ineligible", "disqualify",
                                                   "disqualifies", "reject",   "fail",     "fails",      "exclude",
                                                   "refused",      "veto",     "out",      "knockout"};
  const auto verdict = [&tokens](std::size_t k) {
    return std::find(std::begin(kVerdicts), std::end(kVerdicts), in_lower_case(tokens[k].shown)) != std::end(kVerdicts);
  };
  bool found = false;
  while (!span.empty() && (verdict(span.begin) || is_condition_word(tokens[span.begin].shown)))
    found = found || verdict(span.begin), ++span.begin;
  while (!span.empty() && (verdict(span.end - 1) || among(in_lower_case(tokens[span.end - 1].shown),
                                                          {"is", "are", "be", "will", "automatically", ":", ",", "=>",
                                                           "->", "then", "get", "gets", "must"})))
    found = found || verdict(span.end - 1), --span.end;
  const std::string written = raw(tokens, span), condition = found ? condition_in(tokens, span) : std::string();
  if (condition.empty() || condition == written) return;
  const Tokens words(condition);
  const std::size_t of = words.is(0, "not") ? 1 : words.is(0, "count") ? 2 : 0;
  const bool one = !words.is(of + 1, "and") && words.size() <= 4;
  out.add(tokens[i].begin, tokens[last].end,
          "gate " + std::string(words[of].shown) + " = not " +
              (one && of == 0 && words.size() == 2 ? condition : "(" + condition + ")") + " " +
              (text.empty() ? text_of(raw(tokens, {i, last + 1})) : text),
          true);
}

// A demand without its articles, thousands in the notation of the language: 'The price must not exceed 50,000'. Of what
// somebody must have only the number counts: 'Each bidder must have at least 3 references' is 'at least 3 references'.
std::string demand_of(const Tokens& tokens, Span span) {
  const auto says = [&tokens](std::size_t k, std::initializer_list<std::string_view> words) {
    return among(in_lower_case(tokens[k].shown), words);
  };
  while (span.end > span.begin + 2 && says(span.begin, {"the", "a", "an", "each", "every", "all"})) ++span.begin;
  std::size_t have = span.begin;
  while (have < span.end && !says(have, {"have", "has", "hold", "include", "contain", "provide", "submit", "list"}))
    ++have;
  const bool bound = says(have + 1, {"at", "no", "not", "up", "fewer", "less"}) && !says(have + 2, {"least"});
  const bool owner = have > span.begin && have + 1 < span.end &&
                     declared_like(tokens, tokens[span.begin].shown).empty() &&
                     (says(have - 1, {"must", "shall", "should", "to", "will"}) ||
                      (says(have - 1, {"may", "can"}) && bound));  // may have at most 2 errors
  std::string text;
  if (owner) {
    span.begin = have + 1;
    if (tokens[span.begin].kind == Token::Kind::number && span.end == span.begin + 2)  // has to have 3 references
      text = "at least ";
  }
  for (std::size_t k = span.begin; k < span.end; ++k) {
    const bool thousands = k > span.begin && k + 1 < span.end && tokens.is(k, ",") && tokens[k + 1].shown.size() == 3 &&
                           tokens[k - 1].kind == Token::Kind::number && tokens[k + 1].kind == Token::Kind::number &&
                           tokens[k - 1].end == tokens[k].begin && tokens[k].end == tokens[k + 1].begin;
    const bool apart = k > span.begin && tokens[k].begin > tokens[k - 1].end;
    text += (apart ? " " : "") + (thousands ? std::string("_") : std::string(tokens[k].shown));
  }
  return text;
}

// 'Concept counts for 60%.', '40% for the price', one below the other: dimensions.
void weights_in_sentences(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto idle = [](std::string_view word) {
    return among(in_lower_case(word),
                 {"the",   "a",    "an",   "counts",   "count",   "is",    "are",   "worth", "weighs", "weigh",
                  "makes", "make", "up",   "accounts", "account", "for",   "on",    "goes",  "to",     "of",
                  "with",  "has",  "have", "weight",   "weights", "total", "score", "and",   "."});
  };
  std::vector<Edit> edits;
  double sum = 0;
  for (std::size_t at = i; at + 1 < tokens.size() && tokens[at].first && !tokens[at].starts && !tokens.closes(at);) {
    const std::size_t last = line_last(tokens, at);
    std::string name, amount;
    bool verb = false, good = true;
    for (std::size_t k = at; k <= last; ++k) {
      verb = verb || among(tokens[k].shown, {"counts", "count", "is", "are", "weighs", "weigh", "makes", "accounts",
                                             "for", "on", "has"});
      if (tokens[k].kind == Token::Kind::number) {
        const bool percent = tokens[k].shown.ends_with('%') || among(tokens[k + 1].shown, {"%", "percent"});
        good = good && percent && amount.empty();
        amount = std::string(tokens[k].shown) + (tokens[k].shown.ends_with('%') ? "" : "%");
        k += tokens[k].shown.ends_with('%') ? 0 : 1;
      } else if (!idle(tokens[k].shown)) {
        good = good && tokens[k].kind == Token::Kind::word;
        name += (name.empty() ? "" : "_") + in_lower_case(tokens[k].shown);
      }
    }
    constexpr std::size_t kLongest = 40;
    if (!good || !verb || name.empty() || name.size() > kLongest || amount.empty() || is_reserved(name)) break;
    sum += std::strtod(amount.c_str(), nullptr);
    edits.push_back(out.edit(tokens[at].begin, tokens[last].end, "dimension " + name + " weight " + amount));
    at = last + 1;
  }
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {  // with those that are declared
    if (tokens.is(k, "weight") && tokens[k + 1].shown.ends_with('%'))
      sum += std::strtod(std::string(tokens[k + 1].shown).c_str(), nullptr);
  }
  constexpr double kWhole = 100;
  if (!edits.empty()) out.add(std::move(edits), sum == kWhole);
}

// 'words must be at least 300', 'at least 300 words required', 'no more than 20 typos': a gate.
void requirement(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  Span span{i, line_last(tokens, i) + 1};
  bool demands = false;
  for (std::size_t k = i; k < span.end; ++k) {
    if (among(tokens[k].shown, {"when", "if", "unless", "=", ":", "{"})) return;
    demands = demands || among(tokens[k].shown, {"must", "shall", "required", "cannot", "may"});
  }
  const std::string text = take_text(tokens, span);
  while (span.end > i + 2 && (among(in_lower_case(tokens[span.end - 1].shown),
                                    {"required", "needed", "allowed", "expected", "accepted", "is", "are", "."})))
    --span.end;
  const std::string written = demand_of(tokens, span), condition = plain_condition(written);
  if (condition == written && written == raw(tokens, span)) return;
  const Tokens words(condition);
  const std::size_t of = words.is(0, "not") ? 1 : words.is(0, "count") && words.is(1, "(") ? 2 : 0;
  const std::string_view value = words[of].shown;
  if (value != "score" && tokens.declaration({"input", "let", "dimension"}, value) == kNone) return;
  bool compares = words.size() <= of + 2;  // 'tests must be true'
  for (std::size_t k = 1; k + 1 < words.size(); ++k)
    compares = compares || among(words[k].shown, {">=", "<=", ">", "<", "==", "!=", "in", "is"});
  if (!compares) return;
  const std::size_t last = line_last(tokens, i);
  const std::string name = value == "score" ? "pass" : std::string(value);
  out.add(tokens[i].begin, tokens[last].end,
          "gate " + name + " = " + condition + " " + (text.empty() ? text_of(raw(tokens, {i, last + 1})) : text),
          demands);
}

// 'scale from 0 to 10, rounded to 1 decimal'
void scale(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string word = in_lower_case(tokens[i].shown);
  if (!among(word, {"scale", "range", "scores", "score", "points"}) || (word != "scale" && !tokens[i + 1].value()))
    return;
  std::size_t last = line_last(tokens, i);
  // 'scale:' with 'min: 0' and 'max: 10' below it
  if (word == "scale" && (last == i || tokens.is(last, ":")) && column_of(tokens, last + 1) > column_of(tokens, i))
    last = block_behind(tokens, last + 1, column_of(tokens, i)).last;
  for (std::size_t k = i + 1; k <= last; ++k) {  // 'score cannot be above 6 when late' says something else
    if (among(in_lower_case(tokens[k].shown), {"when", "if", "unless", "cannot", "must", "may", "never", "not"}))
      return;
    if (tokens.is(k, "digits") && tokens[k + 1].kind == Token::Kind::number) return;  // no decimals
  }
  for (std::size_t k = i + 1; k < i + 3; ++k) {
    if (tokens.opens(k) && tokens[k].partner != kNone) last = std::max(last, tokens[k].partner);
  }
  std::string text = scale_of(tokens, {i + 1, last + 1});
  if (text.empty()) return;
  // Texts, and words for its ends, stay as a comment; steps are something that a scale does not have.
  bool says = false, steps = false;
  for (std::size_t k = i + 1; k <= last; ++k) {
    const bool sign =
        (k > i + 1 && among(tokens[k - 1].shown, {"=", "("})) ||
        (tokens.is(k + 1, "=") && tokens[k + 2].kind == Token::Kind::number &&
         !among(in_lower_case(tokens[k].shown), {"min", "max", "low", "high", "from", "to", "lower", "upper", "minimum",
                                                 "maximum", "start", "end", "decimals", "step"}));
    says = says || tokens[k].is_text() || (sign && tokens[k].kind == Token::Kind::word);
    steps = steps || among(in_lower_case(tokens[k].shown), {"step", "steps", "increment", "increments"});
  }
  const bool range = tokens.is(i + 2, "..") && tokens[i + 4].is_text();
  const std::string line = raw(tokens, stripped(tokens, {range ? i + 4 : i + 1, last + 1}));
  const bool quoted = last == i + 1 || (last == i + 2 && !tokens[i + 1].value());  // scale "0..10"
  if (says && !quoted && (line.find('\n') != line.npos || tokens.closes(last + 1))) return;
  if (says && !quoted) text += "  # " + line;
  out.add(tokens[i].begin, tokens[last].end, text, !steps);
}

// history { key: driver }: the input that it names
void history(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!tokens.is(i, "history")) return;
  const std::size_t open = tokens.opens(i + 1) ? i + 1 : tokens.opens(i + 2) ? i + 2 : i;
  const std::size_t last = tokens[open].partner != kNone ? tokens[open].partner : line_last(tokens, i);
  std::string by;
  bool several = false;  // history by street, site: only one of them
  for (std::size_t k = i + 1; k <= last; ++k) {
    several = several || tokens.is(k, ",") || (tokens[k].is_text() && !by.empty());
    if (tokens[k].kind != Token::Kind::word && !tokens[k].is_text()) continue;
    const std::string name = without_quotes(tokens, k);
    if (by.empty() && tokens.declaration({"input"}, name) != kNone) by = name;
  }
  if (!by.empty()) out.add(tokens[i].begin, tokens[last].end, "history by " + by, !several);
}

// "Too late": -3 if days > 2
void text_first(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!tokens[i].is_text() || tokens[i].shown.find(' ') == std::string_view::npos) return;  // "key": 5, of JSON
  const std::size_t last = line_last(tokens, i);
  std::size_t number = i + 1;
  while (number <= last && tokens[number].kind != Token::Kind::number && !among(tokens[number].shown, {"if", "when"}))
    ++number;
  const bool minus = number <= last && tokens.is(number - 1, "-");
  const std::vector<BlockItem> items = read_block(tokens, {i, last + 1});
  if (items.size() != 1 || number > last || items[0].value.begin <= i) return;
  BlockItem item = items[0];
  item.key = name_of_text(without_quotes(tokens, i));
  const std::string_view word = tokens[number].kind != Token::Kind::number ? "flag" : minus ? "deduction" : "bonus";
  const Declared one = declare(tokens, word, item, indent_before(tokens, i));
  if (!one.text.empty()) out.add(tokens[i].begin, tokens[last].end, one.text + " " + as_text(tokens[i].shown), true);
}

// 'name: number 0..10' and the like, up to the next declaration: inputs.
void typed_names(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t at = i; at + 1 < tokens.size() && tokens[at].first && !tokens[at].starts && !tokens.closes(at);) {
    const std::size_t end = line_last(tokens, at);
    const bool typed =
        tokens[at].kind == Token::Kind::word && tokens.is(at + 1, ":") &&
        among(in_lower_case(tokens[at + 2].shown), {"number", "whole", "text", "bool", "int", "float", "string", "str",
                                                    "list", "one", "integer", "boolean", "map", "set", "any", "enum"});
    // ticket: number;  guide?: string;
    const std::size_t colon = tokens.is(at + 1, "?") ? at + 2 : at + 1;
    const bool field =
        tokens[at].kind == Token::Kind::word && tokens.is(colon, ":") && tokens.is(end, ";") && end > colon + 1;
    Type type(tokens, tokens[at].shown, colon + 1, end);
    if (field && type.read() && type.at() == end) {
      std::string written = type.written();
      if (colon > at + 1 && written.find(" optional") == written.npos) written += " optional";
      edits.push_back(
          out.edit(tokens[at].begin, tokens[end].end, "input " + std::string(tokens[at].shown) + ": " + written));
    } else if (typed) {
      edits.push_back(out.edit(tokens[at].begin, tokens[at].begin, "input "));
    } else {
      break;
    }
    at = end + 1;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// Lines that begin with a name, or with what it means: the word of a declaration is missing before them.
void without_word(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code != "E0107" && !tokens[i].is_text() && !tokens.is(i, "+") && !tokens.is(i, "-") &&
      !tokens.is(i, "*") && tokens[i].kind != Token::Kind::number)
    return;
  const std::string indent = indent_before(tokens, i);
  // 'late drafts lose 2 points', '+0.5 when free "Free entry"'
  const std::size_t line_end = line_last(tokens, i);
  const Declared change = tokens[i].starts ? Declared{} : declare_change(tokens, {i, line_end + 1}, indent);
  if (!change.text.empty()) {
    out.add(tokens[i].begin, tokens[line_end].end, change.text, change.certain);
    return;
  }
  const auto amount = [&tokens](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      if (tokens[k].kind == Token::Kind::number &&
          (tokens[k].shown.back() == '%' || tokens.is(k + 1, "%") ||
           among(in_lower_case(tokens[k + 1].shown), {"points", "pts", "marks", "point", "percent"}) ||
           (k > from &&
            among(in_lower_case(tokens[k - 1].shown), {"weight", "points", "/", "max", "to", "-", "–", ".."}))))
        return true;
    }
    return false;
  };
  // A run of lines with amounts: dimensions.
  std::vector<Edit> edits;
  bool certain = true;
  std::size_t at = i;
  while (at + 1 < tokens.size() && tokens[at].first && !tokens[at].starts && !tokens.closes(at)) {
    const std::size_t last = line_last(tokens, at);
    const bool statement = among(in_lower_case(tokens[at].shown), {"if", "when", "unless", "for", "while", "else"});
    if (statement || !amount(at, last + 1)) break;
    // 'Scale 0..10' is no dimension, nor is what is lost: 'late essays lose 2 points'
    const std::string_view known = known_word(in_lower_case(tokens[at].shown));
    bool other = (!known.empty() && known != "dimension" && known != "criterion" && tokens[at + 1].value()) ||
                 (heads_grades(tokens[at].shown) && tokens.opens(at + 1));
    for (std::size_t k = at; k <= last; ++k)
      other = other || among(in_lower_case(tokens[k].shown), {"lose", "loses", "lost", "deduct", "deducted", "minus",
                                                              "penalty", "costs", "cost", "off", "subtract"});
    if (other) break;
    const std::vector<BlockItem> items = read_block(tokens, {at, last + 1});
    if (items.size() != 1 || items[0].key.empty()) break;
    const Declared one = declare(tokens, "dimension", items[0], indent);
    if (one.text.empty()) break;
    certain = certain && one.certain;
    edits.push_back(out.edit(tokens[at].begin, tokens[last].end, one.text));
    at = last + 1;
  }
  if (!edits.empty()) out.add(std::move(edits), certain);
  // 'taste cannot exceed 6 when milk == "cow"'
  bool limits = false, negated = false;
  for (std::size_t k = i; k <= line_end; ++k) {
    const std::string word = in_lower_case(tokens[k].shown);
    negated = negated || among(word, {"cannot", "not", "never", "no"});
    limits = limits || among(word, {"exceed", "most", "limited", "capped", "maximum", "max"}) ||
             (negated && among(word, {"above", "over", "beyond", "more", "higher"}));
  }
  if (!tokens[i].starts) exclusion(window, i, out), requirement(window, i, out), weights_in_sentences(window, i, out);
  if (limits && !tokens[i].starts) {
    BlockItem item;
    item.value = {i, line_last(tokens, i) + 1};
    const Declared one = declare(tokens, "cap", item, indent);
    if (!one.text.empty()) out.add(tokens[i].begin, tokens[item.value.end - 1].end, one.text, true);
  }
  // 'total points: 20' beside a scale that ends there says nothing more
  bool scaled = false;
  const std::string_view last = tokens[line_last(tokens, i)].shown;
  for (std::size_t k = 0; k + 3 < tokens.size(); ++k)
    scaled = scaled || (tokens[k].starts && tokens.is(k, "scale") && tokens.is(k + 3, last));
  const std::size_t around = tokens.brace_around(i);
  const bool within = around != kNone && among(tokens[line_first(tokens, around)].shown, {"dimension", "criterion"});
  if (scaled && !tokens[i].starts && !within &&
      among(in_lower_case(tokens[i].shown), {"total", "max", "maximum", "points", "out", "marks"}) &&
      tokens[line_last(tokens, i)].kind == Token::Kind::number && line_last(tokens, i) <= i + 4)
    out.add(tokens[i].begin, tokens[i].begin, "# ", true);
  text_first(window, i, out);
  typed_names(window, i, out);
}

// <dimension name="aroma" weight="35%">Apple, barnyard</dimension>: elements of XML, each on a line.
void elements(const Window& window, std::size_t i, Proposals& out) {
  const std::string_view text = window.tokens.text();
  const std::string indent = indent_before(window.tokens, i);
  std::vector<Edit> edits;
  bool certain = true;
  for (std::size_t from = window.tokens[i].begin; from < text.size() && text[from] == '<';) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, text.find_last_not_of(" \t\r", end - 1) + 1 - from);
    const std::size_t word = std::min(line.find_first_of(" />"), line.size());
    std::size_t close = word;
    for (bool quoted = false; close < line.size() && (quoted || line[close] != '>'); ++close)
      quoted = quoted != (line[close] == '"');
    if (word < 2 || close == line.size()) return;
    const std::string name(line.substr(1, word - 1));
    std::string call = name + "(";
    for (std::size_t at = word; at < close;) {  // key="value"
      const std::size_t key = line.find_first_not_of(" /", at), sign = line.find("=\"", at);
      if (key >= close || sign == line.npos || sign > close) break;
      const std::size_t behind = line.find('"', sign + 2);
      if (behind == line.npos) return;
      const std::string_view attribute = line.substr(key, sign - key), value = line.substr(sign + 2, behind - sign - 2);
      const bool words =
          among(in_lower_case(attribute), {"name", "id", "text", "description", "reason", "message", "label", "title"});
      call +=
          std::string(attribute) + ": " + (words ? as_text("'" + std::string(value) + "'") : std::string(value)) + ", ";
      at = behind + 1;
    }
    const std::size_t closing = line.find("</" + name + ">", close);
    const bool empty = close > 0 && line[close - 1] == '/' && close + 1 == line.size();
    if (!empty && (closing == line.npos || closing + name.size() + 3 != line.size())) return;
    if (!empty && closing > close + 1)
      call += "text: " + as_text("'" + std::string(line.substr(close + 1, closing - close - 1)) + "'") + ", ";
    if (call.ends_with(", ")) call.resize(call.size() - 2);
    call += ")";
    const Tokens words(call);
    const Declared one = declare_statement(words, {0, words.size() - 1}, indent);
    if (one.text.empty()) return;
    certain = certain && one.certain;
    edits.push_back(out.edit(from, from + line.size(), one.text));
    from = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
  }
  if (!edits.empty()) out.add(std::move(edits), certain);
}

// A dimension of the rubric, and behind which token its weight belongs.
struct Dimension {
  std::string_view name;
  std::size_t behind;
  bool weighted;
};
std::vector<Dimension> dimensions_of(const Tokens& tokens) {
  std::vector<Dimension> result;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (!tokens[k].starts || !tokens.is(k, "dimension") || tokens[k + 1].kind != Token::Kind::word) continue;
    std::size_t at = k + 2;
    while (!tokens[at].starts && !tokens.closes(at) && !tokens[at].is_text() &&
           !among(tokens[at].shown, {"=", "{", "weight", "points", "advisory"}))
      at = tokens.behind(at);
    const bool weighted = tokens.is(at, "advisory") ||
                          (among(tokens[at].shown, {"weight", "points"}) && tokens[at + 1].kind == Token::Kind::number);
    result.push_back({tokens[k + 1].shown, at - 1, weighted});
  }
  return result;
}

// Whether a token is within the block of a context, which sets weights itself.
bool in_context(const Tokens& tokens, std::size_t i) {
  const std::size_t open = tokens.brace_around(i);
  return open != kNone && tokens.is(line_first(tokens, open), "context");
}

// 5 : 3 : 2 as 50%, 30%, 20%; 2 : 1 as 2/3, 1/3; nothing where a number is none of at most two decimals.
std::vector<std::string> shares_of(const std::vector<std::string_view>& numbers) {
  std::vector<std::int64_t> hundredths;
  std::int64_t sum = 0;
  bool whole = true;
  for (const std::string_view number : numbers) {
    const std::string_view plain = number.substr(0, number.find('%'));
    const std::size_t point = std::min(plain.find('.'), plain.size());
    std::string digits(plain.substr(0, point));
    const std::string_view behind = plain.substr(std::min(point + 1, plain.size()));
    if (behind.size() > 2 || digits.size() > 6) return {};
    whole = whole && behind.empty();
    digits += std::string(behind) + std::string(2 - behind.size(), '0');
    if (digits.find_first_not_of("0123456789") != digits.npos) return {};
    hundredths.push_back(std::stoll(digits));
    sum += hundredths.back();
  }
  std::vector<std::string> result;
  for (const std::int64_t value : hundredths) {
    if (value == 0 || (100 * value % sum != 0 && !whole)) return {};
    result.push_back(100 * value % sum == 0 ? std::to_string(100 * value / sum) + "%"
                                            : std::to_string(value / 100) + "/" + std::to_string(sum / 100));
  }
  return result;
}

// 'weights: equal', 'weights must add up to 100%', 'weights taste : texture = 3 : 2', on a line of their own
void all_weights(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at), end = line_last(tokens, i) + 1;
  const std::string head = in_lower_case(tokens[i].shown);
  if (in_context(tokens, i)) return;
  if (!among(head, {"weights", "weight", "weighting", "weightings", "ratio", "shares", "points"}) ||
      tokens[i + 1].first)
    return;
  std::vector<Dimension> dimensions = dimensions_of(tokens), named;
  std::vector<std::string_view> numbers;
  std::vector<Span> lines{{i, end}};
  if (end == i + 3 || end == i + 4) {  // weight taste 60%, a line for each
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
      if (tokens[k].first && tokens.is(k, tokens[i].shown) && k != i && !in_context(tokens, k))
        lines.push_back({k, line_last(tokens, k) + 1});
    }
  }
  bool sums = false, hundred = false, equal = false, other = false;
  for (const Span& line : lines) {
    for (std::size_t k = line.begin + 1; k < line.end; ++k) {
      const std::string word = in_lower_case(tokens[k].shown);
      sums = sums || among(word, {"sum", "add", "total"});
      hundred = hundred || among(word, {"100", "100%", "1"});
      equal = equal || among(word, {"equal", "even", "evenly", "uniform", "same", "equally"});
      const auto known = std::find_if(dimensions.begin(), dimensions.end(),
                                      [&](const Dimension& one) { return one.name == tokens[k].shown; });
      if (tokens[k].kind == Token::Kind::number) numbers.push_back(tokens[k].shown);
      else if (known != dimensions.end()) named.push_back(*known);
      else
        other = other ||
                (tokens[k].kind != Token::Kind::sign &&
                 !among(word, {"are", "is", "all", "equally", "the", "equal", "even", "evenly", "uniform", "same",
                               "weighted", "distributed", "for", "and", "of", "in", "ratio", "points", "weights"}));
    }
  }
  if (sums && hundred) return out.add(tokens[i].begin, tokens[end - 1].end, "weights exact", true);
  std::erase_if(dimensions, [](const Dimension& one) { return one.weighted; });
  std::vector<std::string> weights;
  if (equal && numbers.empty()) {
    weights.assign(dimensions.size(), "1/" + std::to_string(dimensions_of(tokens).size()));
  } else if (numbers.size() > 1) {
    if (!named.empty()) dimensions = std::move(named);
    const bool percents = std::all_of(numbers.begin(), numbers.end(), [](auto one) { return one.ends_with('%'); });
    weights =
        head == "points" || percents ? std::vector<std::string>(numbers.begin(), numbers.end()) : shares_of(numbers);
  }
  if (other || weights.empty() || weights.size() != dimensions.size()) return;
  std::vector<Edit> edits;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (dimensions[k].weighted) return;
    const std::size_t at = tokens[dimensions[k].behind].end;
    edits.push_back(out.edit(at, at, (head == "points" ? " points " : " weight ") + weights[k]));
  }
  const std::string_view text = tokens.text();
  for (const Span& line : lines) {
    const std::size_t behind = std::min(text.find('\n', tokens[line.end - 1].end), text.size() - 1) + 1;
    edits.push_back(out.edit(text.rfind('\n', tokens[line.begin].begin) + 1, behind, ""));
  }
  out.add_here(std::move(edits));  // the numbers of a ratio are not those of the weights
}

}  // namespace

std::string scale_of(const Tokens& tokens, Span span) {
  std::vector<std::string> numbers;
  std::string decimals;
  for (std::size_t k = span.begin; k < span.end; ++k) {
    if (tokens.is(k, "half") || tokens.is(k, "nearest")) return {};
    if (k + 1 < span.end && among(in_lower_case(tokens[k + 1].shown), {"decimal", "decimals", "digit", "digits"})) {
      static constexpr std::string_view kWords[] = {"no", "one", "two", "three", "four"};
      const auto* word = std::find(std::begin(kWords), std::end(kWords), in_lower_case(tokens[k].shown));
      if (word != std::end(kWords)) decimals = std::to_string(word - std::begin(kWords));
    }
    if (tokens[k].kind != Token::Kind::number) continue;
    static constexpr std::string_view kDecimals[] = {"decimals", "decimal", "places",   "digits",   "digit",
                                                     "rounded",  "round",   "rounding", "precision"};
    const auto names = [&tokens](std::size_t w) {
      return std::find(std::begin(kDecimals), std::end(kDecimals), in_lower_case(without_quotes(tokens, w))) !=
             std::end(kDecimals);
    };
    bool of_decimals = k + 1 < span.end && !tokens[k + 1].first && !tokens.is(k + 2, ":") &&
                       tokens[k + 2].kind != Token::Kind::number &&
                       among(in_lower_case(tokens[k + 1].shown), {"decimals", "decimal", "places", "digits", "digit"});
    for (std::size_t w = k; w-- > span.begin && w + 4 > k && tokens[w].kind != Token::Kind::number;)
      of_decimals = of_decimals || names(w);
    const bool minus =
        k > span.begin && tokens.is(k - 1, "-") && (k < span.begin + 2 || tokens[k - 2].kind != Token::Kind::number);
    if (of_decimals && !decimals.empty() && decimals != tokens[k].shown) return {};  // which of them?
    if (of_decimals) decimals = tokens[k].shown;
    else numbers.push_back((minus ? "-" : "") + std::string(tokens[k].shown));
  }
  if (numbers.empty() || numbers.size() > 2) return {};
  if (numbers.size() == 1) numbers.insert(numbers.begin(), "0");
  if (numbers[0] == numbers[1]) return {};
  return "scale " + numbers[0] + ".." + numbers[1] + (decimals.empty() ? "" : " decimals " + decimals);
}

// 'decision = …' that nothing else names: its author wants to see it.
void shown_value(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (window.problem.code != "E0107" || !tokens[i].first || !tokens.is(i + 1, "=") ||
      !known_word(tokens[i].shown).empty() || !word_of_section(tokens[i].shown).empty())
    return;
  // 'total = …' where nothing else makes the score
  const bool total = among(in_lower_case(tokens[i].shown), {"total", "overall", "result", "final", "sum"});
  bool unscaled = true, made = false;
  for (std::size_t k = 0; total && k + 1 < tokens.size(); ++k) {
    if (tokens[k].starts)
      unscaled = unscaled && !tokens.is(k, "scale"), made = made || among(tokens[k].shown, {"dimension", "composite"});
  }
  std::size_t uses = 0;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) uses += tokens[k].shown == tokens[i].shown ? 1 : 0;
  const bool number = tokens[i + 2].kind == Token::Kind::number && line_last(tokens, i) == i + 2;  // no score
  if (total && !unscaled && !made && !number && uses == 1) {
    out.add(tokens[i].begin, tokens[i].end, "composite", true);
    return;
  }
  if (uses == 1) out.add(tokens[i].begin, tokens[i].begin, "output ", true);
}

// input host.name: text, input host.years: whole: the fields of one input
void dotted_inputs(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto dotted = [&tokens](std::size_t i) {
    return tokens[i].first && tokens.is(i, "input") && tokens.is(i + 2, ".") &&
           tokens[i + 3].kind == Token::Kind::word && tokens.is(i + 4, ":");
  };
  std::size_t first = line_first(tokens, window.at);
  const std::string_view name = tokens[first + 1].shown;
  if (!dotted(first)) return;
  while (first > 0 && dotted(line_first(tokens, first - 1)) && tokens.is(line_first(tokens, first - 1) + 1, name))
    first = line_first(tokens, first - 1);
  std::string fields;
  std::size_t last = first;
  for (std::size_t i = first; dotted(i) && tokens.is(i + 1, name); i = last + 1) {
    last = line_last(tokens, i);
    fields += (fields.empty() ? "" : ", ") + raw(tokens, {i + 3, last + 1});
  }
  out.add(tokens[first].begin, tokens[last].end, "input " + std::string(name) + ": { " + fields + " }", true);
}

// return { a: x, b: y }: an output for each
void records_of_outputs(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  shown_value(window, out);
  dotted_inputs(window, out);
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at);
  if (!among(in_lower_case(tokens[i].shown), {"return", "output", "outputs", "returns", "emit", "yield"})) return;
  const std::size_t open = tokens.is(i + 1, "{") ? i + 1 : i + 2;
  if (!tokens.is(open, "{") || tokens[open].partner == kNone) return;
  std::string text;
  for (const BlockItem& item : read_block(tokens, {open + 1, tokens[open].partner})) {
    const std::string value = item.inside.empty() ? raw(tokens, item.value) : raw(tokens, item.all);
    if (item.key.empty() ? item.value.end != item.value.begin + 1 : !item.inside.empty()) return;
    text += (text.empty() ? "" : "\n" + indent_before(tokens, i)) + "output " +
            (item.key.empty() || item.key == value ? value : as_name(item.key) + " = " + value);
  }
  if (!text.empty()) out.add(tokens[i].begin, tokens[tokens[open].partner].end, text, true);
}

void lines_of_others(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const Tokens& tokens = window.tokens;
  const std::size_t here = line_first(tokens, window.at);
  if (tokens.is(here, "<")) elements(window, here, out);
  if (window.problem.code == "E0101" || window.problem.code == "E0107" || window.problem.code == "E0206")
    all_weights(window, out);
  std::size_t line = here;
  for (int back = 0; back < 6; ++back) {
    ranking(window, line, out);
    if (back < 2) scale(window, line, out), history(window, line, out), version(window, line, out);
    if (back == 0) cohort_of_groups(window, line, out);
    if (line == 0) break;
    line = line_first(tokens, line - 1);
  }
  without_word(window, here, out);
}

}  // namespace assay::mending
