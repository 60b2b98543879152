// Missing parts of declarations, and fixes in the whole rubric.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/parse/begins.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

namespace {

// Texts without quotation marks in 'one of (…)'.
void choices(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (!tokens.is(i, "one") || !tokens.is(i + 1, "of") || !tokens.is(i + 2, "(") || tokens[i + 2].partner == kNone)
      continue;
    std::vector<Edit> edits;
    for (std::size_t k = i + 3; k < tokens[i + 2].partner; ++k) {
      std::size_t last = k;
      while (last + 1 < tokens[i + 2].partner && !tokens.is(last + 1, ",")) ++last;
      if (tokens[k].kind != Token::Kind::text && !tokens.is(k, ","))
        edits.push_back(out.edit(tokens[k].begin, tokens[last].end, "\"" + std::string(tokens.text(k, last)) + "\""));
      k = last + 1;
    }
    out.add(std::move(edits), true);
  }
}

// Whether a minus stands before 'score': how other languages sort downwards, and keys without one upwards.
bool turned_by_signs(const Tokens& tokens, std::size_t k, std::size_t end) {
  for (; k + 1 < end && !tokens.closes(k) && !tokens[k].starts; ++k) {
    const bool begins = tokens.is(k - 1, "by") || tokens.is(k - 1, "BY") || tokens.is(k - 1, ",");
    if (begins && tokens.is(k, "-") && (tokens.is(k + 1, "score") || tokens.is(k + 1, "composite"))) return true;
  }
  return false;
}

// The keys of a ranking without directions, or with other words for them: all at once.
void rank_keys(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  const auto among = [](std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (!tokens.is(i, "by") && !tokens.is(i, "BY")) continue;
    std::vector<Edit> edits;
    const bool orders =
        i > 0 && tokens[i - 1].first &&
        among(tokens[i - 1].shown, {"order", "ORDER", "Order", "sort", "SORT", "sorted", "ranked", "ranking", "Rank"});
    if (orders) edits.push_back(out.edit(tokens[i - 1].begin, tokens[i].end, "rank by"));
    const bool sorts = orders && !in_lower_case(tokens[i - 1].shown).starts_with("rank");  // as in SQL
    std::size_t k = i + 1;
    if (tokens.is(k, "[") && tokens[k].partner != kNone) {  // rank by [score, price]
      edits.push_back(out.edit(tokens[k].begin, tokens[k].end, ""));
      edits.push_back(out.edit(tokens[tokens[k].partner].begin, tokens[tokens[k].partner].end, ""));
      ++k;
    }
    const bool signs = turned_by_signs(tokens, k, window.end);
    bool certain = true;  // of a key without a direction it is a guess
    bool worded = false;  // a key before has its direction behind it
    while (k < window.end && !tokens.closes(k) && !tokens[k].starts) {
      std::size_t end = k;
      const auto divides = [&tokens](std::size_t at) {
        return tokens.is(at, ",") || tokens.is(at, "then") || tokens.is(at, ";") || tokens.is(at, "and");
      };
      const auto lacks_comma = [&](std::size_t at) {  // higher score lower n
        return at > k + 1 && among(tokens[at].shown, {"higher", "lower"}) &&
               among(tokens[k].shown, {"higher", "lower"}) && tokens.ends_value(at - 1) &&
               tokens[at + 1].kind == Token::Kind::word && !tokens[at + 1].starts;
      };
      while (end < window.end && !tokens.closes(end) && !tokens[end].starts && !divides(end) && !lacks_comma(end) &&
             (end == k || tokens[end].kind != Token::Kind::text))
        end = tokens.behind(end);
      if (end <= k) break;
      // 'score (high to low)'
      if (tokens.is(end - 1, ")") && tokens[end - 1].partner != kNone && tokens[end - 1].partner > k) {
        const std::size_t open = tokens[end - 1].partner;
        const bool high = among(tokens[open + 1].shown,
                                {"high", "highest", "higher", "desc", "descending", "most", "largest", "best", "big"});
        const bool small = among(tokens[open + 1].shown, {"low", "lowest", "lower", "asc", "ascending", "least",
                                                          "smallest", "fewest", "cheapest"});
        if (high || small) {
          edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, high ? "higher " : "lower "));
          edits.push_back(out.edit(tokens[open - 1].end, tokens[end - 1].end, ""));
          if (!tokens.is(end, ",")) break;
          k = end + 1;
          continue;
        }
      }
      const std::string_view first = tokens[k].shown, last = tokens[end - 1].shown;
      if (end > k + 1 && in_lower_case(tokens[end - 2].shown) == "nulls") return;  // see ranking_of
      if (!among(first, {"higher", "lower"})) {
        const bool before = end > k + 1 && among(first, {"highest", "desc", "descending", "most", "more", "largest",
                                                         "best", "max", "+"});
        const bool low = end > k + 1 && among(first, {"lowest", "asc", "ascending", "least", "less", "smallest",
                                                      "fewest", "fewer", "min", "-"});
        const bool behind = end > k + 1 && among(last, {"desc", "descending", "DESC", "highest", "higher", "first"});
        const bool behind_low = end > k + 1 && among(last, {"asc", "ascending", "ASC", "lowest", "lower", "last"});
        certain = certain && (before || low || behind || behind_low || first == "score" || (worded && sorts));
        worded = worded || behind || behind_low;
        // Where other keys say 'desc', one that says nothing is ascending, as in SQL.
        std::string word = low || behind_low || (worded && !before && !behind) ? "lower" : "higher";
        if (signs) word = first == "-" ? "higher" : "lower";
        else certain = certain && first != "-";  // turned, or only negative
        // 'fewest flags' are a number of them; 'lowest marks' may be the marks one by one
        const std::size_t key = before || low ? k + 1 : k, last_of_key = behind || behind_low ? end - 2 : end - 1;
        if (key == last_of_key && known.has_items(tokens[key].shown)) {
          certain = certain && among(first, {"most", "more", "fewest", "fewer", "least", "less"});
          edits.push_back(out.edit(tokens[k].begin, tokens[last_of_key].end,
                                   word + " count(" + std::string(tokens[key].shown) + ")"));
        } else if (before || low)
          edits.push_back(out.edit(tokens[k].begin, tokens[k].end, word + (first.size() == 1 ? " " : "")));
        else edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, word + " "));
        if (behind || behind_low) edits.push_back(out.edit(tokens[end - 2].end, tokens[end - 1].end, ""));
      }
      if (lacks_comma(end)) {
        edits.push_back(out.edit(tokens[end - 1].end, tokens[end - 1].end, ","));
        k = end;
        continue;
      }
      if (!divides(end)) break;
      k = end + 1;
      if (tokens.is(k, "then")) ++k;
      if (tokens.is(k, "by")) ++k;
      if (!tokens.is(end, ",") || k > end + 1) edits.push_back(out.edit(tokens[end - 1].end, tokens[k].begin, ", "));
    }
    out.add(std::move(edits), certain);
  }
}

// Words and signs between the condition of a check and its reason.
constexpr std::array<std::string_view, 8> kBeforeReason = {",",  ":",       "else",    "otherwise",
                                                           "or", "because", "message", "->"};

// The 'for' of a loop between two tokens, from `at` on; false: there is none.
bool loop_within(const Tokens& tokens, std::size_t& at, std::size_t last) {
  while (at <= last && !(tokens.is(at, "for") && tokens[at + 1].kind == Token::Kind::word)) at = tokens.behind(at);
  return at <= last;
}

// check t.p > 0 for t in ts "Positive": the places of the items, which the loop has to count. Where the condition reads
// several fields, each of them may be meant.
void paths_of_items(const Tokens& tokens, std::size_t first, std::size_t each, std::size_t text, std::size_t last,
                    Proposals& out) {
  const bool counted = tokens.is(each + 2, ",") && tokens.is(each + 4, "in");
  const std::size_t item = counted ? each + 3 : each + 1, list = item + 2;
  if (!tokens.is(item + 1, "in") || tokens.declaration({"input"}, tokens[list].shown) == kNone) return;
  std::string_view place = counted ? tokens[each + 1].shown : "i";
  if (!counted && tokens.is(item, "i")) place = "k";
  std::vector<std::string> paths;
  for (std::size_t k = first; k < each; ++k) {
    if (!tokens.is(k, tokens[item].shown) || tokens.is(k - 1, ".")) continue;
    const std::string field = tokens.is(k + 1, ".") ? "." + std::string(tokens[k + 2].shown) : std::string();
    if (std::find(paths.begin(), paths.end(), field) == paths.end()) paths.push_back(field);
  }
  for (const std::string& path : paths) {
    const std::string at = std::string(tokens[list].shown) + "[" + std::string(place) + "]" + path;
    std::vector<Edit> edits{out.edit(tokens[last].end, tokens[text].begin, " at " + at + " ")};
    if (!counted) edits.push_back(out.edit(tokens[item].begin, tokens[item].begin, std::string(place) + ", "));
    out.add(std::move(edits), paths.size() == 1);
  }
}

// A check without its path: proposes the names in the condition, of which a single one is meant. A comma or a colon
// before the text goes, as does a name such as gates have.
void check_paths(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (!tokens[i].first || !tokens.is(i, "check")) continue;
    std::size_t end = i + 1;
    const bool named = tokens[i + 1].kind == Token::Kind::word && (tokens.is(i + 2, "=") || tokens.is(i + 2, ":")) &&
                       !KnownNames(tokens).declares(tokens[i + 1].shown);
    if (named) out.add(tokens[i + 1].begin, tokens[i + 3].begin, "", true);
    while (end < tokens.size() - 1 && !tokens.is(end, "at") && !tokens[end].first &&
           !(tokens[end].kind == Token::Kind::text &&
             (tokens.ends_value(end - 1) || among(tokens[end - 1].shown, kBeforeReason))))
      ++end;
    if (tokens[end].first || tokens[end].kind != Token::Kind::text) continue;
    const bool sign = among(tokens[end - 1].shown, kBeforeReason);
    const std::size_t first = named ? i + 3 : i + 1, last = sign ? end - 2 : end - 1;
    std::vector<std::string_view> names;
    for (std::size_t k = first; k <= last; ++k) {
      const bool name = tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) &&
                        !tokens.is(k + 1, "(") && !tokens.is(k - 1, ".");
      const bool of_record = tokens.declaration({"input"}, tokens[k].shown) != kNone;  // or a dimension without a value
      const std::size_t dimension = tokens.declaration({"dimension", "criterion"}, tokens[k].shown);
      std::size_t behind = dimension == kNone ? kNone : dimension + 2;
      while (behind != kNone && !tokens[behind].first && !tokens.is(behind, "=") && behind + 1 < tokens.size())
        ++behind;
      if (!of_record && (behind == kNone || tokens.is(behind, "="))) continue;
      if (name && std::find(names.begin(), names.end(), tokens[k].shown) == names.end())
        names.push_back(tokens[k].shown);
    }
    if (std::size_t each = first; loop_within(tokens, each, last)) {
      paths_of_items(tokens, first, each, end, last, out);
      continue;
    }
    for (const std::string_view name : names) {
      std::vector<Edit> edits{out.edit(tokens[last].end, tokens[end].begin, " at " + std::string(name) + " ")};
      if (named) edits.push_back(out.edit(tokens[i + 1].begin, tokens[first].begin, ""));
      // Of two values that are compared, the one that the check begins with is what has to fit.
      const bool begins =
          tokens.is(first, names[0]) && among(tokens[first + 1].shown, {"<", "<=", ">", ">=", "==", "!="});
      out.add(std::move(edits), names.size() == 1 || (begins && names.size() == 2 && name == names[0]));
    }
  }
}

// match x { "a" => 1, "b" => 2, _ => 3 } → 1 when x == "a" else 2 when x == "b" else 3
void matches(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 3 < window.end; ++i) {
    if (!tokens.is(i, "match") && !tokens.is(i, "switch") && !tokens.is(i, "case") && !tokens.is(i, "when")) continue;
    std::size_t open = tokens.operand(i + 1);
    if (open == i + 1 || !tokens.is(open, "{") || tokens[open].partner == kNone) continue;
    std::string of(tokens.text(i + 1, open - 1)), choice, other;
    if (of.size() > 2 && of.front() == '(' && of.back() == ')') of = of.substr(1, of.size() - 2);
    bool good = true;
    for (std::size_t k = open + 1; good && k < tokens[open].partner;) {
      if (tokens.is(k, "case")) ++k;
      std::size_t arrow = k;
      while (arrow < tokens[open].partner && !tokens.is(arrow, "=>") && !tokens.is(arrow, "->") &&
             !tokens.is(arrow, ":"))
        arrow = tokens.behind(arrow);
      std::size_t end = arrow + 1;
      while (end < tokens[open].partner && !tokens.is(end, ",") && !tokens.is(end, ";") &&
             !(tokens[end].first && end > arrow + 1))
        end = tokens.behind(end);
      good = arrow > k && arrow < tokens[open].partner && end > arrow + 1;
      if (!good) break;
      const std::string value(tokens.text(arrow + 1, end - 1));
      const std::string_view key = tokens.text(k, arrow - 1);
      if (key == "_" || key == "default" || key == "else" || key == "otherwise") other = value;
      else {
        const bool sign = among(tokens[k].shown, {">=", "<=", ">", "<", "==", "!=", "in"});
        choice += (choice.empty() ? "" : " else ") + value + " when " + of + (sign ? " " : " == ") + std::string(key);
      }
      k = tokens.is(end, ",") || tokens.is(end, ";") ? end + 1 : end;
    }
    if (!good || choice.empty()) continue;
    out.add(tokens[i].begin, tokens[tokens[open].partner].end, choice + (other.empty() ? "" : " else " + other), true);
  }
}

// The same word in the whole text, because a sign of another language usually occurs several times.
void rubric_around(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string& code = window.problem.code;
  if (tokens.is(0, "{")) return;  // JSON
  if (code != "E0107" && code != "E0505" && code != "E0101") return;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "rubric") && tokens[i].first) return;
  }
  std::size_t first = 0;
  while (tokens.is(first, "import")) first += 2;
  if (first + 1 >= tokens.size() || !tokens[first].starts) return;
  const std::size_t at = tokens[first].begin, end = tokens.text().size();
  out.add({out.edit(at, at, "rubric main {\n"), out.edit(end, end, "\n}\n")}, false);
}

// Signs that look like those of the language, all at once: blanks of other widths, invisible signs, bars of frames,
// signs as wide as Chinese ones.
void look_alikes(const Window& window, Proposals& out) {
  struct Sign {
    std::string_view other, plain;
  };
  static constexpr Sign kSigns[] = {{"\u00A0", " "}, {"\u2002", " "}, {"\u2003", " "},  {"\u2007", " "},
                                    {"\u2009", " "}, {"\u202F", " "}, {"\u3000", " "},  {"\u200B", ""},
                                    {"\u200D", ""},  {"\uFEFF", ""},  {"\u2028", "\n"}, {"│", "|"},
                                    {"┃", "|"},      {"¦", "|"},      {"‖", "|"}};
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 1 < tokens.size() && edits.size() < 2000; ++i) {
    if (tokens[i].kind != Token::Kind::sign) continue;
    const std::string_view shown = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
    for (const Sign& sign : kSigns) {
      if (shown == sign.other) edits.push_back(out.edit(tokens[i].begin, tokens[i].end, std::string(sign.plain)));
    }
    // U+FF01 to U+FF5E are the signs '!' to '~'
    const auto byte = [shown](std::size_t k) { return static_cast<unsigned char>(shown[k]); };
    if (shown.size() == 3 && byte(0) == 0xEF && (byte(1) == 0xBC || (byte(1) == 0xBD && byte(2) <= 0x9E)))
      edits.push_back(out.edit(tokens[i].begin, tokens[i].end,
                               std::string(1, static_cast<char>((byte(1) == 0xBC ? 0x20 : 0x60) + byte(2) - 0x80))));
  }
  // || for the bars of a table
  const std::size_t line = text.rfind('\n', window.problem.at.offset) + 1;
  if (edits.empty() && text.substr(std::min(text.find_first_not_of(" \t", line), text.size()), 2) == "||") {
    for (std::size_t at = text.find("||", line); at < std::min(text.find('\n', line), text.size());
         at = text.find("||", at + 2))
      edits.push_back(out.edit(at, at + 2, "|"));
  }
  out.add(std::move(edits), true);
}

// All texts in other quotation marks at once.
void quotation_marks(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Token::Kind::quoted)
      edits.push_back(out.edit(tokens[i].begin, tokens[i].end, as_text(tokens[i].shown)));
  }
  if (edits.size() > 1) out.add(std::move(edits), true);
}

}  // namespace

static constexpr std::string_view kFillers[] = {"a",      "an",     "the",     "must",  "should", "shall",
                                                "be",     "are",    "most",    "total", "mut",    "final",
                                                "static", "public", "overall", "my",    "always", "exactly"};
bool is_filler(std::string_view word) {
  return std::find(std::begin(kFillers), std::end(kFillers), word) != std::end(kFillers);
}

namespace {

// Words that only make it a sentence: 'weights must be exact', 'cap total deductions at 2'.
void fillers(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  for (std::size_t i = window.at > 2 ? window.at - 2 : 0; i <= window.at && i + 1 < window.end; ++i) {
    // a method; each output; 'at most', 'at least'
    if (i > 0 && (tokens.is(i - 1, ".") || tokens.is(i - 1, "output") || tokens.is(i - 1, "at"))) continue;
    std::size_t end = i;
    while (end < window.end && !tokens[end].first && !tokens.is(end + 1, "(") && is_filler(tokens[end].shown) &&
           !known.declares(tokens[end].shown) && known.bound.count(tokens[end].shown) == 0) {
      ++end;
      // Behind the name of a declaration it stands for a sign.
      out.add(tokens[i].begin, tokens[end].begin, "", !(i > 1 && tokens[i - 2].starts));
    }
  }
}

// Whether it begins like a sentence or a phrase, without signs of an expression.
bool is_prose(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.empty() ? ' ' : text[0]);
  return ((first >= 'A' && first <= 'Z') || first >= 0x80) && text.find_first_of("\"{}\\|=<>()[]:") == text.npos;
}

// dimension style weight 30% Good style = marks
void prose_before_sign(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t sign = window.at;
  while (sign < window.end && tokens[sign].kind == Token::Kind::word && !tokens[sign].first) ++sign;
  if (sign == window.at || !tokens.is(sign, "=") || tokens[window.at - 1].starts) return;
  const std::string_view prose = tokens.text(window.at, sign - 1);
  if (is_prose(prose)) out.add(tokens[window.at].begin, tokens[sign - 1].end, "\"" + std::string(prose) + "\"", true);
}

// Prose without quotation marks after a declaration, up to the end of the line; or a text with quotation marks in it.
void unquoted_prose(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  const std::size_t at = window.at;
  const std::size_t end_of_line = std::min(text.find('\n', tokens[at].begin), text.size());
  std::size_t last = at;
  while (!tokens[last + 1].first && tokens[last + 1].kind != Token::Kind::end) ++last;
  const std::string_view rest = text.substr(tokens[at].begin, tokens[last].end - tokens[at].begin);
  const bool behind = at > 0 && !tokens[at].first && !tokens[at - 1].starts;
  const bool round = tokens.is(at, "(") && tokens[at].partner == last && last > at + 2;  // (At least 300 words)
  if (behind && round && is_prose(rest.substr(1, rest.size() - 2)))
    out.add(tokens[at].begin, tokens[last].end, "\"" + std::string(rest.substr(1, rest.size() - 2)) + "\"", false);
  if (behind && tokens[at].begin < end_of_line && is_prose(rest))
    out.add(tokens[at].begin, tokens[last].end, "\"" + std::string(rest) + "\"",
            window.problem.message.starts_with("expected a text"));
  // advice: Plan it again if count(late) > 3
  const bool advice =
      at > 0 && tokens[at - 1].first && tokens.is(at - 1, "advice") && among(tokens[at].shown, {":", "="});
  std::size_t words = at + 1;
  while (advice && tokens[words].kind == Token::Kind::word && !among(tokens[words].shown, {"if", "when"})) ++words;
  if (advice && words > at + 1 && among(tokens[words].shown, {"if", "when"}))
    out.add(tokens[at].begin, tokens[words].end, " \"" + std::string(tokens.text(at + 1, words - 1)) + "\" when", true);
  for (std::size_t i = at > 2 ? at - 2 : 0; i <= at; ++i) {
    const bool opens = tokens[i].kind == Token::Kind::text && tokens[i + 1].begin == tokens[i].end &&
                       tokens[i + 1].kind == Token::Kind::word && !tokens[i + 1].first;
    std::size_t close = i;
    for (std::size_t k = i + 1; opens && !tokens[k].first && tokens[k].kind != Token::Kind::end; ++k) {
      if (tokens[k].kind == Token::Kind::text) close = k;
    }
    if (close == i) continue;
    const std::string_view whole = text.substr(tokens[i].begin, tokens[close].end - tokens[i].begin);
    if (whole.size() < 3 || whole.back() != '"') continue;
    std::string escaped = "\"";
    for (const char c : whole.substr(1, whole.size() - 2)) {
      if (c == '"') escaped += '\\';
      escaped += c;
    }
    out.add(tokens[i].begin, tokens[close].end, escaped + "\"", true);
  }
}

// Converts UTF-16 with a byte order mark to UTF-8.
std::string from_utf16(std::string_view text) {
  const bool little = text[0] == '\xFF';
  std::string result;
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
    return static_cast<char32_t>(little ? a | b << 8 : a << 8 | b);
  };
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < text.size()) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    }
    append_utf8(result, c);
  }
  return result;
}

// Whether all braces of a text hold values of the rubric: "{late} days, {score}".
bool names_values(const Tokens& tokens, std::string_view text) {
  bool some = false;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    if (at > 0 && text[at - 1] == '\\') continue;
    const std::string_view word = Tokens(text.substr(at + 1))[0].shown;
    if (!is_score(word) && tokens.declaration({"input", "let", "output", "dimension"}, word) == kNone) return false;
    some = true;
  }
  return some;
}

// Proposals specific to the code of the problem.
void by_code(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string& code = window.problem.code;
  const std::size_t at = window.problem.at.offset, i = window.at;
  const std::string_view text = tokens.text();
  for (std::size_t k = window.begin; code == "E0101" && k + 1 < window.end; ++k) {  // decimals 2%
    const Token& places = tokens[k + 1];
    if (tokens.is(k, "decimals") && places.kind == Token::Kind::number && places.shown.ends_with('%'))
      out.add(places.end - 1, places.end, "", true);
  }
  if (code == "E0116" && i > 0 && tokens[i].kind == Token::Kind::word) {  // the second clause, with its number
    const bool number = tokens[i + 1].kind == Token::Kind::number;
    out.add(tokens[i - 1].end, tokens[number ? i + 1 : i].end, "", false);
  }
  if (code == "E0115" && i > 0 && tokens[i].kind == Token::Kind::text)
    out.add(tokens[i - 1].end, tokens[i].end, "", false);
  if (code == "E0101" && i > 1 && tokens.is(i - 2, "input") && tokens[i - 1].kind == Token::Kind::word) {
    for (const std::string_view kind : {"number", "bool", "text", "list of text"})  // which one fits its uses?
      out.add(tokens[i - 1].end, tokens[i - 1].end, ": " + std::string(kind), false);
  }
  if (code == "E0101" && i > 0 && tokens.is(i - 1, "example")) {  // example fine dog {
    std::size_t end = i;
    while (tokens[end].kind == Token::Kind::word && !tokens[end].first) ++end;
    if (end > i && tokens.is(end, "{"))
      out.add(tokens[i].begin, tokens[end - 1].end, "\"" + std::string(tokens.text(i, end - 1)) + "\"", true);
  }
  if (code == "E0101" && i > 0 && window.problem.message.str().substr(0, 15) == "expected a text") {  // a reason
    std::size_t word = i;
    while (word > window.begin && !tokens[word].starts) --word;
    const std::string_view condition = word + 2 <= i ? tokens.text(word + 2, i) : std::string_view();
    if (tokens.is(word, "check") &&
        window.problem.message.str().starts_with("expected a text in double quotes after")) {
      std::size_t end = word + 1;  // a check needs a reason: its condition, until the author says it better
      while (end < i && !tokens.is(end, "at")) end = tokens.behind(end);
      out.add(tokens[i].end, tokens[i].end, " " + as_text("'" + std::string(tokens.text(word + 1, end - 1)) + "'"),
              false);
    }
    if (tokens.is(word, "incomplete") && !condition.empty()) {
      const Token& limit = tokens[i];  // coverage < 60: it is a share
      const bool share = tokens.is(word + 2, "coverage") && tokens.declaration({"input", "let"}, "coverage") == kNone &&
                         limit.kind == Token::Kind::number && limit.shown.size() > 1 &&
                         limit.shown.find_first_of(".%") == std::string_view::npos;
      const std::string sign = share ? "%" : "";
      out.add(limit.end, limit.end, sign + " " + as_text("'" + std::string(condition) + sign + "'"), false);
    }
  }
  if (code == "E0101" && tokens[i].first && !tokens[i].starts) {  // - input words: …, 1. dimension style
    std::vector<Edit> edits;
    for (std::size_t k = 0; k + 3 < tokens.size() && edits.size() < 500; ++k) {
      const bool bullet = tokens[k].first && among(tokens[k].shown, {"-", "*", "•", "+"});
      std::size_t word = k + 1;
      const bool ordinal = tokens[k].first && tokens[k].kind == Token::Kind::number;
      if (ordinal && (tokens.is(word, ".") || tokens.is(word, ")"))) ++word;
      if (tokens[k].first && (tokens.is(k, "§") || tokens.is(k, "(")))  // § 4, (a)
        word = tokens.behind(k) + (tokens.is(k, "§") && tokens[k + 1].kind == Token::Kind::number ? 1 : 0);
      if ((bullet || ordinal || word != k + 1) && !tokens[word].first &&
          find_declaration(tokens[word].shown) != nullptr)
        edits.push_back(out.edit(tokens[k].begin, tokens[word].begin, ""));
      if (k == i && !edits.empty() && edits.back().begin == tokens[i].begin) out.add({edits.back()}, true);
    }
    out.add(std::move(edits), true);
  }
  if (tokens.is(i, "\\") && tokens[i + 1].first) {  // of Python: the line goes on
    std::vector<Edit> edits;
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
      if (tokens.is(k, "\\") && tokens[k + 1].first) edits.push_back(out.edit(tokens[k - 1].end, tokens[k].end, ""));
    }
    out.add(std::move(edits), true);
  }
  // "n is \\(n)", as in Swift
  if (const std::size_t close = text.substr(at, 2) == "\\(" ? text.find(')', at) : text.npos;
      code == "E0105" && close != text.npos &&
      tokens.declaration({"input", "let", "output", "dimension"}, text.substr(at + 2, close - at - 2)) != kNone)
    out.add({out.edit(at, at + 2, "{"), out.edit(close, close + 1, "}")}, true);
  if (code == "E0105") {  // a backslash for itself, or in front of a sign that needs none
    const bool needless =
        at + 1 < text.size() && among(text.substr(at + 1, 1), {"%", "$", "'", "#", "&", "!", "(", ")"});
    out.add(at, needless ? at + 1 : at, needless ? "" : "\\", true);
  }
  if (code == "E0112" && (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF")) {
    out.add(0, text.size(), from_utf16(text), true);
  } else if (code == "E0112") {  // a control character, or a byte that is not UTF-8
    const auto byte = static_cast<unsigned char>(at < text.size() ? text[at] : ' ');
    if (byte < 0x20 || byte == 0x7F) out.add(at, at + 1, "", true);
  }
  if (code == "E0111") {  // brackets that contain only another pair
    std::vector<Edit> edits;
    for (std::size_t k = 0; k + 1 < tokens.size() && edits.size() < 2000; ++k) {
      if (!tokens.is(k, "(") || !tokens.is(k + 1, "(") || tokens[k].partner == kNone) continue;
      if (tokens[k + 1].partner + 1 != tokens[k].partner) continue;
      edits.push_back(out.edit(tokens[k].begin, tokens[k].end, ""));
      const Token& close = tokens[tokens[k].partner];
      edits.push_back(out.edit(close.begin, close.end, ""));
    }
    out.add(std::move(edits), true);
  }
  for (const std::size_t k : {i, i > 0 ? i - 1 : i}) {  // output label "{x}"
    const bool shown = (code == "E0114" || code == "E0101") && k > 1 && tokens.is(k - 2, "output") &&
                       tokens[k - 2].starts && tokens[k].is_text() &&
                       tokens[k].shown.find('{') != std::string_view::npos;
    if (shown) out.add(tokens[k].begin, tokens[k].begin, "= ", true);
  }
  if (code == "E0114") {
    for (std::size_t k = window.begin; k < window.end; ++k) {
      if (tokens[k].kind != Token::Kind::text || tokens[k].begin > at || tokens[k].end < at) continue;
      if (std::size_t gate = k; names_values(tokens, tokens[k].shown)) {  // gate ok = a > 3 "{a} is not more than 3"
        while (gate > window.begin && !tokens[gate].starts) --gate;
        const std::size_t line = tokens.text().rfind('\n', tokens[gate].begin) + 1;  // npos + 1 is 0
        const std::string indent(tokens.text().substr(line, tokens[gate].begin - line));
        if (tokens.is(gate, "gate") && tokens.is(gate + 2, "=") && tokens[k + 1].first &&
            indent.find_first_not_of(" \t") == indent.npos)
          out.add(tokens[k - 1].end, tokens[k].end,
                  "\n" + indent + "advice " + std::string(tokens[k].shown) + " when not gates." +
                      std::string(tokens[gate + 1].shown),
                  false);
      }
      std::string plain;
      for (std::size_t c = 0; c < tokens[k].shown.size(); ++c) {
        const char sign = tokens[k].shown[c];
        const bool escaped = c > 0 && tokens[k].shown[c - 1] == '\\';
        if ((sign == '{' || sign == '}') && !escaped) plain += '\\';
        plain += sign;
      }
      out.add(tokens[k].begin, tokens[k].end, plain, false);
    }
  }
  if (code == "W0702" && tokens.is(i, "default") && i > 0) {
    const std::size_t end = tokens.operand(i + 1);
    bool asked = false;  // 'x is missing': it was meant to be optional
    for (std::size_t k = 0; k + 2 < tokens.size(); ++k)
      asked = asked || (tokens.is(k, tokens[i - 1].shown) && tokens.is(k + 1, "is") &&
                        (tokens.is(k + 2, "missing") || tokens.is(k + 2, "given")));
    if (end > i + 1) out.add(tokens[i - 1].end, tokens[end - 1].end, "", !asked);
  }
  if (code == "E0107" && tokens[i].kind == Token::Kind::word) {
    const std::string_view word = known_word(in_lower_case(tokens[i].shown));
    // 'result = …' is a name of the author's, and 'alert when steep' lacks one.
    const bool names = (tokens.is(i + 1, "=") && word != "composite") ||
                       (among(tokens[i + 1].shown, {"when", "if"}) && among(word, {"flag", "deduction", "bonus"}));
    const bool swapped =
        find_declaration(tokens[i + 1].shown) != nullptr && !tokens[i + 1].first;  // grade bands(score)
    if (swapped)
      out.add(tokens[i].begin, tokens[i + 1].end, std::string(tokens[i + 1].shown) + " " + std::string(tokens[i].shown),
              true);
    else if (!word.empty() && !names) out.add(tokens[i].begin, tokens[i].end, std::string(word), true);
  }
}

// { a: 1, } and { b: 2, }: all commas before a closing bracket
void last_commas(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!tokens.closes(window.at) || window.at == 0 || !tokens.is(window.at - 1, ",")) return;
  std::vector<Edit> edits;
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    if (tokens.is(i, ",") && tokens.closes(i + 1)) edits.push_back(out.edit(tokens[i].begin, tokens[i].end, ""));
  }
  if (edits.size() > 1) out.add(std::move(edits), true);
}

}  // namespace

void complete(const Window& window, Proposals& out) {
  by_code(window, out);
  problems_of_names(window, out);
  look_alikes(window, out);
  quotation_marks(window, out);
  prose_before_sign(window, out);
  spelling(window, out);
  fillers(window, out);
  unquoted_prose(window, out);
  names(window, out);
  choices(window, out);
  rank_keys(window, out);
  check_paths(window, out);
  matches(window, out);
  rubric_around(window, out);
  last_commas(window, out);
}

}  // namespace assay::mending
