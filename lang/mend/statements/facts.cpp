// Reads the parts of a declaration: amounts, conditions, texts and types, with any signs and words between them.
// Remaining tokens become prose if the declaration may have prose; otherwise reading fails.
#include "lang/mend/statements/facts.hpp"
#include "lang/mend/foreign/reader.hpp"

#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {

bool is_condition_word(std::string_view word) {
  return among(in_lower_case(word), {"when", "if", "unless", "where", "whenever", "provided", "once"});
}

bool says_when(const Tokens& tokens, Span part) {
  while (part.begin < part.end && !is_condition_word(tokens[part.begin].shown)) ++part.begin;
  return part.begin < part.end;
}

bool is_points(std::string_view word) {
  return among(in_lower_case(word), {"points", "point", "pts", "pt", "marks", "mark"});
}

namespace {
bool is_rate(std::string_view number) { return !number.empty() && number.back() == '%'; }

}  // namespace

std::string text_of(const std::string& words) {
  if (words.empty()) return {};
  const bool marked =
      words.size() >= 2 && (words.front() == '"' || words.front() == '\'') && words.back() == words.front();
  return marked ? as_text(words) : as_text("'" + words + "'");
}

std::string joined_text(const Tokens& tokens, Span span) {
  std::string words;
  bool texts = false;
  for (std::size_t i = span.begin; i < span.end; ++i) texts = texts || tokens[i].is_text();
  if (!texts) return text_of(raw(tokens, span));
  for (std::size_t i = span.begin; i < span.end; ++i) {
    if (among(tokens[i].shown, {":", "-", "–", "—", ",", ";", "="})) continue;
    const bool text = tokens[i].is_text();
    if (!words.empty()) words += text || (i > span.begin && tokens[i - 1].is_text()) ? ": " : " ";
    words += text ? without_quotes(tokens, i) : std::string(tokens[i].shown);
  }
  return "\"" + words + "\"";
}

// Separators at both ends of a span.
Span stripped(const Tokens& tokens, Span span) {
  const auto sign = [&tokens](std::size_t i) {
    return tokens.is(i, ",") || tokens.is(i, ":") || tokens.is(i, "=") || tokens.is(i, ";") || tokens.is(i, "=>") ||
           tokens.is(i, "->") || tokens.is(i, ":=") || tokens.is(i, "–") || tokens.is(i, "—");
  };
  while (!span.empty() && sign(span.begin)) ++span.begin;
  while (!span.empty() && sign(span.end - 1)) --span.end;
  return span;
}

// Whether all of the span is in one pair of brackets.
bool bracketed(const Tokens& tokens, Span span, std::string_view open) {
  return !span.empty() && tokens.is(span.begin, open) && tokens[span.begin].partner == span.end - 1;
}

// Takes the text out of a span that says something else as well: at its end or at its beginning, not as an operand.
std::string take_text(const Tokens& tokens, Span& span) {
  span = stripped(tokens, span);
  if (span.empty()) return {};
  const std::size_t last = span.end - 1;
  if (tokens.is(last, ")") && tokens[last].partner == last - 2 && tokens[last - 1].is_text() && last > span.begin + 2 &&
      tokens[last - 2].begin > tokens[last - 3].end) {  // (reason)
    const std::string text = as_text(tokens[last - 1].shown);
    span.end = last - 2;
    span = stripped(tokens, span);
    return text;
  }
  // (minutes): words in parentheses behind a value
  if (tokens.is(last, ")") && tokens[last].partner != kNone && tokens[last].partner > span.begin + 1) {
    const std::size_t open = tokens[last].partner;
    bool words = last > open + 1 && tokens[open].begin > tokens[open - 1].end && tokens.ends_value(open - 1);
    for (std::size_t k = open + 1; k < last; ++k)
      words = words && tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown);
    if (words) {
      const std::string text = text_of(raw(tokens, {open + 1, last}));
      span.end = open;
      span = stripped(tokens, span);
      return text;
    }
  }
  // when score < 60: Ask for a guarantor
  for (std::size_t k = span.begin + 1; k + 2 < span.end; k = tokens.behind(k)) {
    bool words = (tokens.is(k, ":") || tokens.is(k, "–") || tokens.is(k, "—")) && tokens.ends_value(k - 1);
    for (std::size_t w = k + 1; words && w < span.end; ++w)
      words = tokens[w].kind == Token::Kind::word && (w > k + 1 || !tokens.is(w + 1, "when"));
    if (!words) continue;
    const std::string text = text_of(raw(tokens, {k + 1, span.end}));
    span.end = k;
    return text;
  }
  if (tokens[last].is_text()) {
    const std::size_t before = last - 1;
    const bool alone = last == span.begin;
    const bool comma =
        !alone && (tokens.is(before, ",") || tokens.is(before, ":") || tokens.is(before, ";") ||
                   tokens.is(before, "->") || tokens.is(before, "=>") || tokens.is(before, "-") ||
                   tokens.is(before, "–") || tokens.is(before, "because") || tokens.is(before, "reason"));
    const bool two = comma && before > span.begin && tokens.is(before, ":") &&
                     tokens[before - 1].kind == Token::Kind::word &&
                     among(tokens[before - 1].shown, {"reason", "message", "text", "note", "description"});
    if (alone || comma || tokens.ends_value(before) || tokens.is(before, "+")) {
      const std::string text = as_text(tokens[last].shown);
      span.end = comma ? (two ? before - 1 : before) : last;
      span = stripped(tokens, span);
      return text;
    }
  }
  if (tokens[span.begin].is_text() && span.end > span.begin + 1) {
    const std::size_t next = span.begin + 1;
    const bool operand = among(tokens[next].shown, {"==", "!=", "in", "not", "+", "<", ">", "<=", ">=", "is"});
    if (!operand) {
      const std::string text = as_text(tokens[span.begin].shown);
      ++span.begin;
      span = stripped(tokens, span);
      return text;
    }
  }
  return {};
}

namespace {

// 'it is late', 'any defaults', 'no sources': words about one declared value; empty: they are something else.
std::string condition_of_words(const Tokens& tokens, Span span) {
  static constexpr std::string_view kIdle[] = {"is",   "are",  "was",  "were", "it",   "the",   "a",
                                               "an",   "this", "that", "any",  "some", "there", "has",
                                               "have", "been", "they", "were", "with", "still", "already"};
  std::vector<std::string_view> words;
  bool denied = false;
  bool sentence = false;       // it has a verb
  std::string_view predicate;  // the word behind it
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const std::string word = in_lower_case(tokens[i].shown);
    const std::size_t verb = i > span.begin + 1 && tokens.is(i - 1, "not") ? i - 2 : i > span.begin ? i - 1 : i;
    if (verb < i && among(tokens[verb].shown, {"is", "are", "was", "were", "be"})) predicate = tokens[i].shown;
    sentence = sentence || among(word, {"is", "are", "was", "were", "has", "have", "been"});
    if (tokens[i].kind != Token::Kind::word || among(word, {"and", "or", "when", "else", "in"})) return {};
    if (among(word, {"no", "not", "without", "never", "isn", "isnt", "aint", "lacks", "lacking", "lack"}))
      denied = !denied;
    else if (std::find(std::begin(kIdle), std::end(kIdle), word) == std::end(kIdle)) words.push_back(tokens[i].shown);
  }
  if (among(tokens[span.end - 1].shown, {"is", "are", "was", "were", "has", "not"})) return {};  // not finished
  std::string name = words.empty() ? std::string() : declared_like(tokens, words);
  // 'missing cost', 'cost is missing', unless the name itself says so
  const auto state = std::find_if(words.begin(), words.end(), [](std::string_view word) {
    return among(in_lower_case(word), {"missing", "absent", "unknown", "unset", "none", "null", "nil", "given",
                                       "present", "provided", "known"});
  });
  if (state != words.end() && name.find(in_lower_case(*state)) == std::string::npos) {
    const bool given = among(in_lower_case(*state), {"given", "present", "provided", "known"});
    words.erase(state);
    name = words.empty() ? std::string() : declared_like(tokens, words);
    if (name.empty() || declared_kind(tokens, name).empty()) return {};
    if (!among(declared_kind(tokens, name), {"list", "set", "map", "bool"}))
      return name + (given == denied ? " is missing" : " is given");
    denied = denied == given;
  }
  const std::string_view kind = declared_kind(tokens, name);
  // What stands before the value is the subject, 'the essay is late'; what stands behind it says something of the value.
  bool behind = false;
  for (const std::string_view word : words) {
    const std::string small = in_lower_case(word);
    if (is_part_of_name(word, name)) behind = true;
    else if (among(small, {"almost", "nearly", "partly", "half", "hardly", "barely", "rarely", "seldom"})) return {};
    else if (behind && kind == "bool" && among(small, {"false", "untrue", "off"})) denied = !denied;
    else if (behind && kind == "bool" && among(small, {"true", "yes", "on"})) {
      if (denied && KnownNames(tokens).may_be_missing(name)) return {};  // it may be missing as well
    } else if (behind && word == predicate) return {};
    else if (!behind && !sentence && kind == "bool") return {};  // nto late: it may deny the value
  }
  if (kind == "bool") return (denied ? "not " : "") + name;
  if (among(kind, {"number", "whole"})) return name + (denied ? " == 0" : " > 0");
  // Of a list all words have to name it: others say which of its items.
  const bool named = std::all_of(words.begin(), words.end(),
                                 [&](std::string_view word) { return declared_like(tokens, word) == name; });
  if (among(kind, {"list", "set", "map"}) && named) return "count(" + name + (denied ? ") == 0" : ") > 0");
  return {};
}

// 'references >= 3' of a list: how many there are. Of a value that is called so in its declaration.
std::string about_declared(const Tokens& tokens, std::string condition) {
  const Tokens words(condition);
  const bool compares = words[0].kind == Token::Kind::word &&
                        among(words[1].shown, {">=", "<=", ">", "<", "==", "!="}) &&
                        words[2].kind == Token::Kind::number;
  const std::string name = compares ? declared_like(tokens, words[0].shown) : std::string();
  if (name.empty()) return condition;
  const bool counted = among(declared_kind(tokens, name), {"list", "set", "map"});
  return (counted ? "count(" + name + ")" : name) + condition.substr(words[0].end);
}

// 'genre is drama or comedy': words that nothing declares are texts; empty: it is something else.
std::string texts_of_value(const Tokens& tokens, Span span) {
  const bool of = span.end > span.begin + 2 && tokens[span.begin].kind == Token::Kind::word &&
                  among(declared_kind(tokens, tokens[span.begin].shown), {"text", "one"});
  std::size_t i = span.begin + 1;
  if (!of || !among(tokens[i].shown, {"is", "=", "==", "in", "must", "isn"})) return {};
  bool denied = false;
  for (; i < span.end &&
         among(tokens[i].shown, {"is", "=", "==", "in", "must", "be", "either", "one", "of", "not", "(", "["});
       ++i)
    denied = denied || tokens.is(i, "not");
  std::string list;
  std::size_t count = 0;
  for (bool value = true; i < span.end; ++i) {
    const bool divides = among(tokens[i].shown, {",", "or", "/", "|", ")", "]"});
    if (divides) {
      value = true;
      continue;
    }
    const bool free = tokens[i].kind == Token::Kind::word && declared_kind(tokens, tokens[i].shown).empty() &&
                      !is_reserved(tokens[i].shown) &&
                      !among(in_lower_case(tokens[i].shown), {"given", "missing", "known", "present", "absent", "null",
                                                              "none", "nil", "unknown", "unset", "empty", "blank"});
    if (!value || (!free && !tokens[i].is_text())) return {};
    list += (count++ == 0 ? "" : ", ") +
            as_text(tokens[i].is_text() ? std::string(tokens[i].shown) : "'" + std::string(tokens[i].shown) + "'");
    value = false;
  }
  if (count == 0) return {};
  const std::string name(tokens[span.begin].shown);
  return count == 1 ? name + (denied ? " != " : " == ") + list : name + (denied ? " not in [" : " in [") + list + "]";
}

// 'the bidder shall have at least 2 references': read as a sentence; empty: it says of nobody what has to be, or cannot
// be read to its end.
std::string obligation(const Tokens& tokens, Span span) {
  while (!span.empty() && tokens.is(span.end - 1, ".")) --span.end;
  bool says = false;
  for (std::size_t i = span.begin; i < span.end; ++i)
    says = says || among(tokens[i].shown, {"shall", "must", "should", "has", "have", "needs", "need"});
  if (!says) return {};
  const KnownNames names(tokens);
  Reader reader(tokens, names, span.begin, span.end);
  const Expr e = reader.condition();
  return reader.failed() || reader.doubtful() || reader.at() != span.end || !is_condition(e, names) ? std::string()
                                                                                                    : write(e);
}

}  // namespace

// A condition without the words that announce it.
std::string condition_in(const Tokens& tokens, Span span) {
  span = stripped(tokens, span);
  bool negated = false;
  while (!span.empty()) {
    const std::string_view word = tokens[span.begin].shown;
    if (word == "unless") negated = true;
    else if (!is_condition_word(word) && !among(word, {"requires", "require", "must", "should", "that", "check",
                                                       "condition", "then", "needs", "means", "only"}))
      break;
    ++span.begin;
    span = stripped(tokens, span);
  }
  while (!span.empty() && among(tokens[span.end - 1].shown, {"then", ",", ":"})) --span.end;
  if (bracketed(tokens, span, "{")) span = stripped(tokens, {span.begin + 1, span.end - 1});
  if (bracketed(tokens, span, "(")) span = stripped(tokens, {span.begin + 1, span.end - 1});
  // 'the essay is late', where nothing is called essay: late
  Span words = span;
  if (among(tokens[words.begin].shown, {"the", "a", "an", "their", "its", "your"})) ++words.begin;
  const bool denied = words.end == words.begin + 4 && tokens.is(words.begin + 2, "not");
  const std::size_t state = words.begin + (denied ? 3 : 2);
  if (state + 1 == words.end && among(tokens[words.begin + 1].shown, {"is", "was", "are", "were"}) &&
      tokens[words.begin].kind == Token::Kind::word && declared_kind(tokens, tokens[words.begin].shown).empty() &&
      tokens[state].kind == Token::Kind::word && !is_reserved(tokens[state].shown) &&
      tokens.declaration({"let", "dimension", "gate"}, tokens[words.begin].shown) == kNone)
    return (denied ? "not " : "") + std::string(tokens[state].shown);
  const std::string written = raw(tokens, span);
  std::string condition = texts_of_value(tokens, span);
  if (condition.empty()) condition = obligation(tokens, span);
  if (condition.empty()) condition = plain_condition(written);
  if (condition != written) condition = about_declared(tokens, std::move(condition));
  else if (std::string said = span.end > span.begin + 1 ? condition_of_words(tokens, span) : ""; !said.empty())
    condition = std::move(said);
  return negated ? negated_text(condition) : condition;
}

// 'AMOUNT when CONDITION', 'if CONDITION: AMOUNT', or AMOUNT alone.
void split_condition(const Tokens& tokens, Span span, Facts& facts, Span& amount) {
  span = stripped(tokens, span);
  if (bracketed(tokens, span, "{") || bracketed(tokens, span, "("))
    span = stripped(tokens, {span.begin + 1, span.end - 1});
  std::size_t word = span.begin;
  while (word < span.end && !is_condition_word(tokens[word].shown)) word = tokens.behind(word);
  if (word >= span.end) {
    amount = span;
    return;
  }
  if (word > span.begin) {
    amount = stripped(tokens, {span.begin, word});
    facts.when = condition_in(tokens, {word, span.end});
    return;
  }
  std::size_t cut = word;
  while (cut < span.end && !tokens.is(cut, ":") && !tokens.is(cut, "then") && !tokens.is(cut, ",") &&
         !tokens.is(cut, "=>") && !tokens.is(cut, "->") && !tokens.is(cut, "="))
    cut = tokens.behind(cut);
  facts.when = condition_in(tokens, {word, std::min(cut, span.end)});
  amount = stripped(tokens, {std::min(cut + 1, span.end), span.end});
}

namespace {

// 'score at 40 when …', '40 for score if …', 'score <= 40'
bool read_cap(const Tokens& tokens, Span span, Facts& facts) {
  if (const std::string text = take_text(tokens, span); !text.empty()) facts.text = text;
  Span rest;
  split_condition(tokens, span, facts, rest);
  std::vector<std::size_t> names;
  std::string value;
  for (std::size_t i = rest.begin; i < rest.end; ++i) {
    const Token& token = tokens[i];
    static constexpr std::string_view kFill[] = {
        "at",    "to",    "is",       "be",         "<=",    "=",       "the",   "maximum", "max",
        ":",     "of",    "cannot",   "must",       "not",   "exceed",  "more",  "than",    "most",
        "limit", "total", "limited",  "capped",     "final", "overall", "on",    "for",     "never",
        "above", "by",    "no",       "points",     "an",    "a",       "under", "can",     "may",
        "in",    "ever",  "together", "altogether", "sum",   "amount",  "up",    "add"};
    // A dimension may have the name of such a word: a, total.
    const bool fills = token.shown != "score" &&
                       std::find(std::begin(kFill), std::end(kFill), token.shown) != std::end(kFill) &&
                       tokens.declaration({"dimension", "criterion"}, token.shown) == kNone;
    const bool most = token.shown == "or" && among(tokens[i + 1].shown, {"less", "fewer", "lower", "below"});
    if (most && !value.empty()) {  // 5 or less
      ++i;
      continue;
    }
    facts.guessed = facts.guessed || (fills && token.shown == "by");  // lowered by 2, or limited to 2
    const bool number = token.kind == Token::Kind::number || token.is_text();
    if (number && value.empty()) value = raw(tokens, {i, i + 1});
    else if (token.kind == Token::Kind::word && !fills && !among(token.shown, {"and", "or"})) names.push_back(i);
    else if (!fills || number) return false;  // 6 or 4, 6 and flag late
  }
  if (value.empty()) return false;
  // 'burnt bread gets 2 for crust': what is limited, and words that say when
  if (names.size() > 1 && facts.when.empty()) {
    std::vector<std::size_t> limited;
    for (const std::size_t i : names) {
      if (tokens.is(i, "score") || tokens.declaration({"dimension", "criterion"}, tokens[i].shown) != kNone)
        limited.push_back(i);
    }
    if (limited.size() > 1) return false;
    for (const std::size_t i : names) {
      if (limited.empty() || i != limited[0])
        facts.when += (facts.when.empty() ? "" : " ") + std::string(tokens[i].shown);
    }
    std::vector<std::string_view> words;
    for (const std::size_t i : names) {
      if (limited.empty() || i != limited[0]) words.push_back(tokens[i].shown);
    }
    facts.when = declared_like(tokens, words);
    if (declared_kind(tokens, facts.when) != "bool") return false;
    names = limited;
  }
  if (names.size() > 1) return false;
  if (!names.empty()) facts.name = tokens[names[0]].shown;
  if (facts.name.empty()) facts.name = "score";
  facts.value = value;
  return true;
}

// Its value, up to a clause that belongs before it; behind it `i` goes on.
bool read_value(const Tokens& tokens, Span span, std::size_t& i, Facts& facts) {
  const std::size_t first = tokens.is(i, "=") || tokens.is(i, ":") ? i + 1 : i;
  Span value{first, first};
  while (value.end < span.end &&
         !(among(tokens[value.end].shown, {"weight", "points", "weighs", "missing"}) && value.end + 1 < span.end &&
           (tokens[value.end + 1].kind == Token::Kind::number || tokens[value.end + 1].kind == Token::Kind::sign ||
            tokens.is(value.end + 1, "skip")) &&
           tokens.ends_value(tokens.is(value.end - 1, ",") ? value.end - 2 : value.end - 1)))
    value.end = std::min(tokens.behind(value.end), span.end);
  i = value.end;
  if (const std::string text = take_text(tokens, value); !text.empty()) facts.text = text;
  value = stripped(tokens, value);
  const bool weighed = value.end > value.begin + 3 && tokens.is(value.end - 1, ")") && tokens.is(value.end - 3, "(") &&
                       tokens[value.end - 2].kind == Token::Kind::number && facts.weight.empty() &&
                       tokens[value.end - 3].begin > tokens[value.end - 4].end;
  if (weighed) {
    facts.weight = tokens[value.end - 2].shown;
    value.end -= 3;
  }
  facts.value = raw(tokens, value);
  return !facts.value.empty();
}

// '40%', '8 points', '0-20', '1..5': a weight, points or a range; behind it `i` goes on.
bool read_number(const Tokens& tokens, Span span, std::size_t& i, Facts& facts) {
  const bool range = i + 2 < span.end && among(tokens[i + 1].shown, {"-", "–", "..", "to"}) &&
                     tokens[i + 2].kind == Token::Kind::number;
  const bool percent = i + 1 < span.end && among(tokens[i + 1].shown, {"%", "percent", "pct"});
  if (range && tokens[i].shown == "0" && facts.weight.empty() && facts.points.empty())
    facts.points = tokens[i + 2].shown;
  else if (range) facts.type = "number " + std::string(tokens[i].shown) + ".." + std::string(tokens[i + 2].shown);
  else if (i + 1 < span.end && is_points(tokens[i + 1].shown)) facts.points = tokens[i].shown;
  else if (facts.weight.empty())
    facts.weight = std::string(tokens[i].shown) + (percent && !is_rate(tokens[i].shown) ? "%" : "");
  else return false;
  i += range ? 3 : 1;
  while (i < span.end && (is_points(tokens[i].shown) || (percent && among(tokens[i].shown, {"%", "percent", "pct"}))))
    ++i;
  return true;
}

// "60%", "20 points", as JSON and TOML have them
bool quoted_amount(const Tokens& tokens, std::size_t i, Facts& facts) {
  const std::string said = without_quotes(tokens, i);
  const Tokens inner(said);
  const bool rate = inner.size() == 2 && is_rate(inner[0].shown);
  const bool unit = inner.size() == 3 && (is_points(inner[1].shown) || among(inner[1].shown, {"%", "percent", "pct"}));
  std::size_t at = 0;
  return inner[0].kind == Token::Kind::number && (rate || unit) && read_number(inner, {0, inner.size() - 1}, at, facts);
}

// Whether words are a formula rather than prose: 'csat * 20', 'pages'.
bool computes(const Tokens& tokens, Span span) {
  if (tokens[span.begin].kind != Token::Kind::word || !KnownNames(tokens).declares(tokens[span.begin].shown))
    return false;
  const std::size_t behind = span.begin + 1;
  return behind == span.end || tokens[behind].is_text() || among(tokens[behind].shown, {"+", "-", "*", "/", "."});
}

// ': 100 - 10 * late', where '100 - 10' is no range.
bool computes_from_number(const Tokens& tokens, Span span, std::size_t i) {
  if (i == span.begin || i + 2 >= span.end || !among(tokens[i - 1].shown, {":", "="})) return false;
  static constexpr std::array<std::string_view, 4> kSigns = {"+", "-", "*", "/"};
  const bool number = tokens[i + 2].kind == Token::Kind::number;
  return among(tokens[i + 1].shown, kSigns) && (!number || (i + 3 < span.end && among(tokens[i + 3].shown, kSigns)));
}

// Whether words say under which condition something holds, of a number or a value that is declared: no prose.
bool states_rule(const Tokens& tokens, Span words) {
  const KnownNames known(tokens);
  bool condition = false, value = false;
  for (std::size_t i = words.begin; i < words.end; ++i) {
    condition = condition || among(tokens[i].shown, {"when", "unless", "if"});
    value = value || tokens[i].kind == Token::Kind::number || known.declares(tokens[i].shown);
  }
  return condition && value;
}

bool announces_range(const Tokens& tokens, Span span, std::size_t i) {
  static constexpr std::array<std::string_view, 6> kWords = {"range", "ranges", "between", "within", "rated", "scored"};
  return among(tokens[i].shown, kWords) && tokens[i + 1].kind == Token::Kind::number && i + 2 < span.end;
}

// What stands behind the name of a dimension: its weight or points, its type, its value, and what it means.
bool read_dimension(const Tokens& tokens, Span span, Facts& facts, int deep = 0) {
  bool value_next = false;
  for (std::size_t i = span.begin; i < span.end;) {
    const Token& token = tokens[i];
    const bool weighs = among(in_lower_case(token.shown), {"weight", "weighs", "weighted", "w", "worth", "counts",
                                                           "share", "counting", "weighting", "percent", "%"});
    std::size_t number = i + 1;
    while (number < span.end && among(tokens[number].shown, {":", "=", ".", "of", "is", "by", "for"})) ++number;
    const bool amount = number < span.end && tokens[number].kind == Token::Kind::number;
    const bool announced =
        (tokens.is(i + 1, ":") || tokens.is(i + 1, "=")) && i + 2 < span.end && tokens[i + 2].is_text() &&
        among(in_lower_case(token.shown),
              {"text", "description", "label", "question", "prose", "meaning", "note", "desc", "title", "prompt"});
    const bool value_key =
        among(in_lower_case(token.shown), {"value", "formula", "score", "expr", "expression", "calc"}) &&
        (tokens.is(i + 1, ":") || tokens.is(i + 1, "="));
    const bool idle = token.shown == "=" && i + 1 < span.end && among(tokens[i + 1].shown, {"points", "weight"});
    const bool sign = among(token.shown, {":", "="});
    if (const std::string type = sign && facts.type.empty() ? Type::in_quotes(tokens, i + 1) : std::string();
        !type.empty() && i + 1 < span.end) {  // scent = "number 0..1"
      facts.type = type;
      i += 2;
    } else if (token.is_text() && facts.weight.empty() && facts.points.empty() && quoted_amount(tokens, i, facts)) {
      ++i;
    } else if (announced) {
      i += 2;
    } else if (value_key || idle) {
      ++i;
      value_next = value_key;
      if (value_key && tokens.is(i, ":")) ++i;
    } else if (token.is_text() && facts.text.empty() && !value_next) {
      facts.text = as_text(token.shown);
      ++i;
    } else if (weighs && amount && !value_next && facts.weight.empty()) {
      i = number;
      if (tokens.is(i + 1, "-") || tokens.is(i + 1, "..")) facts.weight = tokens[i++].shown;
      else if (!read_number(tokens, span, i, facts)) return false;
    } else if ((tokens.is(i, "up") && tokens.is(i + 1, "to")) ||
               (among(token.shown, {"is", "are", "has"}) && i + 2 < span.end &&
                among(tokens[i + 1].shown, {"worth", "weighted", "weight", "counted"}))) {
      ++i;
    } else if ((is_points(token.shown) || among(token.shown, {"max", "maximum", "out", "/", "to"})) && amount) {
      facts.points = tokens[number].shown;
      i = number + 1;
      if (i < span.end && is_points(tokens[i].shown)) ++i;
    } else if (computes_from_number(tokens, span, i)) {
      if (!read_value(tokens, span, i, facts)) return false;
    } else if (token.kind == Token::Kind::number && !value_next) {
      if (!read_number(tokens, span, i, facts)) return false;
    } else if (value_next || token.shown == "=" ||
               (token.shown == ":" && i + 1 < span.end && !facts.weight.empty() && tokens.is(i + 1, "="))) {
      value_next = false;
      if (!read_value(tokens, span, i, facts)) return false;
    } else if (const bool kind = among(token.shown, {"number", "whole"});
               kind || (facts.type.empty() && announces_range(tokens, span, i))) {
      std::size_t end = i + 1;
      while (end < span.end && (tokens[end].kind == Token::Kind::number ||
                                among(tokens[end].shown, {"..", "-", ">=", "<=", ">", "<", "between", "to", "and"})))
        ++end;
      const bool worded = end == i + 4 && among(tokens[i + 2].shown, {"to", "and", "-"});
      const std::string range = worded ? std::string(tokens[i + 1].shown) + ".." + std::string(tokens[i + 3].shown)
                                       : raw(tokens, {i + 1, end});
      facts.type = (kind ? std::string(token.shown) : "number") + (range.empty() ? "" : " " + range);
      i = end;
    } else if (among(in_lower_case(token.shown), {"advisory", "optional", "informational", "unweighted"})) {
      facts.advisory = true;
      facts.guessed = facts.guessed || (token.shown == "optional" && !facts.weight.empty());  // or its value is
      ++i;
    } else if (token.shown == "default" && amount) {  // 'default 5 if missing'
      facts.missing = tokens[number].shown;
      i = number + 1;
      while (i < span.end && among(tokens[i].shown, {"if", "when", "missing", "absent", "not", "given", "unknown"}))
        ++i;
    } else if (among(token.shown, {"skip", "ignore", "skipped", "ignored"}) && i + 2 < span.end &&
               is_condition_word(tokens[i + 1].shown)) {  // skip if missing
      facts.missing = "skip";
      i += 3;
    } else if (token.shown == "missing" && i + 1 < span.end) {
      if (i + 2 < span.end && among(tokens[i + 1].shown, {":", "="})) ++i;  // missing: skip
      facts.missing = tokens[i + 1].shown;
      i += 2;
    } else if (tokens.opens(i) && token.partner != kNone && token.partner < span.end) {
      if (token.shown == "(" && (deep > 2 || !read_dimension(tokens, {i + 1, token.partner}, facts, deep + 1)))
        return false;
      if (token.shown != "(") {  // levels
        for (const BlockItem& level : read_block(tokens, {i + 1, token.partner})) {
          if (level.key.empty() || level.key.find_first_not_of("0123456789.") != level.key.npos) return false;
          facts.levels.emplace_back(level.key, text_of(raw(tokens, level.value)));
        }
      }
      i = token.partner + 1;
    } else if (token.kind == Token::Kind::sign) {
      if (!among(token.shown, {",", ":", "-", "–", "—", ";", "|", "@", "*"})) return false;
      ++i;
    } else if (among(in_lower_case(token.shown), {"levels", "level", "weight", "of", "points", "each", "for"}) &&
               !(i + 1 < span.end && tokens[i + 1].kind == Token::Kind::word)) {
      ++i;
    } else if (among(token.shown, {"from", "of", "using", "via", "by", "measures"}) && facts.value.empty() &&
               i + 1 < span.end && computes(tokens, {i + 1, span.end})) {
      ++i;
    } else if (facts.value.empty() && computes(tokens, {i, span.end})) {
      // The input of its own name is what a dimension has without a value.
      if (i + 1 == span.end && token.shown == facts.name) ++i;
      else if (!read_value(tokens, span, i, facts)) return false;
    } else if (facts.text.empty()) {  // words: what it means
      Span rest = stripped(tokens, {i, span.end});
      std::size_t end = i;
      while (end < rest.end && !(tokens.is(end, "(") && tokens[end + 1].kind == Token::Kind::number)) ++end;
      if (states_rule(tokens, {i, end})) return false;
      facts.text = joined_text(tokens, stripped(tokens, {i, end}));
      const bool announced_words = i > span.begin && tokens[i - 1].kind == Token::Kind::sign && !tokens.is(i - 1, ")");
      facts.guessed = facts.guessed || !announced_words;
      i = end;
    } else {
      return false;
    }
  }
  return true;
}

// The expression in a text: with an operator, or of declared names alone; empty: its words are prose.
std::string quoted_expression(const Tokens& tokens, std::size_t i) {
  const std::string quoted = without_quotes(tokens, i);
  const Tokens inner(quoted);
  if (quoted.find('\\') != quoted.npos || !inner[0].value()) return {};
  const KnownNames known(tokens);
  const auto free = [&inner](std::size_t k) {
    return inner[k].kind == Token::Kind::word && !is_reserved(inner[k].shown);
  };
  bool signs = false, names = true;
  for (std::size_t k = 0; k + 1 < inner.size(); ++k) {
    const bool call = k > 0 && inner.is(k, "(") && inner[k].begin == inner[k - 1].end;
    signs = signs || call || among(inner[k].shown, {">=", "<=", ">", "<", "==", "!=", "*", "+", "/"});
    names = names && (!free(k) || known.declares(inner[k].shown));
    if (free(k) && free(k + 1)) return {};
  }
  return signs || (names && inner[0].kind == Token::Kind::word) ? quoted : std::string();
}

// Type, policy and prose of an input.
bool read_input(const Tokens& tokens, Span span, Facts& facts) {
  if (bracketed(tokens, span, "(")) span = stripped(tokens, {span.begin + 1, span.end - 1});
  if (span.end == span.begin + 1 && tokens[span.begin].is_text()) {  // "rent": "number > 0"
    facts.type = without_quotes(tokens, span.begin);
    return true;
  }
  if (const std::string text = take_text(tokens, span); !text.empty() && !span.empty()) facts.text = text;
  else if (!text.empty()) return false;
  std::string type;
  for (std::size_t i = span.begin; i < span.end;) {
    const std::string_view word = tokens[i].shown;
    const std::size_t end = std::min(tokens.behind(i), span.end);
    const bool clause = i > span.begin && (tokens.is(i, ",") || tokens.is(i, ";"));
    if (clause && i + 1 < span.end &&
        among(tokens[i + 1].shown,
              {"default", "optional", "required", "min", "max", "missing", "judged", "measured"})) {
      i = end;
      continue;
    }
    // 'text, the breed of the dog': words behind the type are what it means
    bool prose = clause && i + 2 < span.end && facts.text.empty() && !says_rule(tokens, i + 1, span.end);
    for (std::size_t w = i + 1; prose && w < span.end; ++w) prose = tokens[w].kind == Token::Kind::word;
    if (prose) {
      facts.text = text_of(raw(tokens, {i + 1, span.end}));
      break;
    }
    const bool space = i > span.begin && tokens[i].begin > tokens[i - 1].end;
    type += (space && !type.empty() ? " " : "") + (word == "=" ? "default" : raw(tokens, {i, end}));
    i = end;
  }
  facts.type = type;
  return !type.empty();
}

}  // namespace

bool read_rest(const Tokens& tokens, std::string_view word, Span span, Facts& facts) {
  if (word == "dimension" || word == "criterion") {
    const bool read = read_dimension(tokens, span, facts);
    facts.guessed = facts.guessed || (!facts.weight.empty() && !facts.points.empty());  // one of them is its range
    return read;
  }
  if (word == "input") return read_input(tokens, span, facts);
  if (word == "deduction" || word == "bonus") {
    read_adjustment(tokens, span, facts);
    return true;
  }
  if (word == "cap") return read_cap(tokens, span, facts);
  // "score >= 5": an expression in quotation marks, as YAML and TOML have it
  if (span.end == span.begin + 1 && tokens[span.begin].is_text() && word != "advice") {
    facts.value = quoted_expression(tokens, span.begin);
    if (!facts.value.empty()) return true;
  }
  if (const std::string text = take_text(tokens, span); !text.empty()) facts.text = text;
  if (word == "check") {
    std::size_t at = span.begin;
    while (at < span.end && !tokens.is(at, "at")) at = tokens.behind(at);
    if (at + 1 < span.end) facts.path = raw(tokens, {at + 1, span.end});
    facts.value = condition_in(tokens, {span.begin, std::min(at, span.end)});
    const Tokens words(facts.value);
    for (std::size_t k = 0; k + 1 < words.size() && facts.path.empty() && !words.is(k, "for"); ++k) {
      if (tokens.declaration({"input"}, words[k].shown) != kNone) facts.path = words[k].shown;
    }
    return true;
  }
  if (word == "gate" || word == "flag" || word == "advice") {
    const bool when = word == "gate" && !span.empty() && among(in_lower_case(tokens[span.begin].shown), {"when", "if"});
    (when ? facts.when : facts.value) = condition_in(tokens, span);
    return true;
  }
  facts.value =
      word == "let" ? plain_condition(raw(tokens, stripped(tokens, span))) : raw(tokens, stripped(tokens, span));
  if (const std::string choice = choice_by_input(tokens, read_block(tokens, stripped(tokens, span))); !choice.empty())
    facts.value = choice;
  return word == "output" || word == "let" || word == "check";
}

}  // namespace assay::mending
