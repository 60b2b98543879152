// Slips of the keyboard: a blank or a line end that is missing, a point too few, a letter for a digit, a bracket of another
// kind, a word too many, and a '#' before a line that others belong to.
#include "lang/mend/mend.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

bool stands_elsewhere(const Tokens& tokens, std::string_view name, std::size_t but) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (i != but && tokens[i].kind == Token::Kind::word && tokens[i].shown == name) return true;
  }
  return false;
}

// gatelow_enough = …, inputwords: whole: what follows has to fit the word that the name begins with.
void glued_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (tokens[i].kind != Token::Kind::word || !tokens[i].first || tokens[i + 1].first) return;
  struct Row {
    std::string_view word;
    std::vector<std::string_view> next;  // what may follow the name
    bool common;                         // the words of which other names begin as well: letter, capacity
  };
  static const std::vector<Row> kRows = {
      {"dimension", {"weight", "points", "advisory"}, false},
      {"criterion", {"weight", "points", "advisory"}, false},
      {"input", {":"}, false},
      {"output", {"=", "where"}, false},
      {"gate", {"="}, false},
      {"deduction", {"="}, false},
      {"bonus", {"="}, false},
      {"let", {"="}, true},
      {"flag", {"when", "for"}, false},
      {"bands", {"("}, false},
      {"table", {"("}, true},
      {"fn", {"("}, true},
      {"type", {"="}, true},
      {"context", {"{"}, false},
  };
  const std::string_view shown = tokens[i].shown;
  if (stands_elsewhere(tokens, shown, i)) return;
  if (shown == "rankby") return out.add(tokens[i].begin, tokens[i].end, "rank by", true);
  for (const Row& row : kRows) {
    constexpr std::size_t kShort = 4;
    if (!shown.starts_with(row.word) || shown.size() < row.word.size() + 2) continue;
    std::string_view rest = shown.substr(row.word.size());
    if (std::find(row.next.begin(), row.next.end(), tokens[i + 1].shown) == row.next.end()) continue;
    const bool used = stands_elsewhere(tokens, rest, i);
    const bool joined = rest[0] == '_';  // gate_low: the blank became a sign
    if (joined) rest.remove_prefix(1);
    const bool plain = rest.find('_') != rest.npos || rest.size() >= kShort || joined;
    if (rest.empty() || (row.common && !used) || std::isdigit(static_cast<unsigned char>(rest[0])) != 0) continue;
    out.add(tokens[i].begin, tokens[i].end, std::string(row.word) + " " + std::string(rest), used || plain);
  }
}

// the input grams: number; also flag short when …
void stray_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (const std::size_t i : {window.at, window.at > 0 ? window.at - 1 : window.at}) {
    const bool before = tokens[i].kind == Token::Kind::word && tokens[i].first && !tokens[i + 1].first &&
                        tokens[i + 1].kind == Token::Kind::word && find_declaration(tokens[i + 1].shown) != nullptr;
    if (!before || find_declaration(tokens[i].shown) != nullptr || tokens[i + 2].kind != Token::Kind::word) continue;
    if (among(in_lower_case(tokens[i].shown),
              {"the",    "a",     "an",     "and",    "also",    "then",   "next", "another", "finally", "lastly",
               "please", "new",   "add",    "define", "declare", "set",    "our",  "my",      "this",    "plus",
               "with",   "first", "second", "third",  "public",  "static", "let",  "var",     "const",   "def"}))
      out.add(tokens[i].begin, tokens[i + 1].begin, "", true);
  }
}

// scale 0.10 for 0..10
void points_of_ranges(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin + 1; i < window.end; ++i) {
    const std::string_view shown = tokens[i].shown;
    const std::size_t point = shown.find('.');
    const bool decimal = tokens[i].kind == Token::Kind::number && point != shown.npos &&
                         shown.find_first_not_of("0123456789.") == shown.npos;
    if (!decimal || tokens.is(i + 1, "..") || !among(tokens[i - 1].shown, {"scale", "number", "whole"})) continue;
    const std::string_view low = shown.substr(0, point), high = shown.substr(point + 1);
    if (low.empty() || high.empty() || high[0] == '0') continue;
    // Of any other number the language has no type: number 0.12 is a range, too.
    constexpr std::size_t kDigits = 9;
    const bool rises =
        low.size() <= kDigits && high.size() <= kDigits && std::stoi(std::string(low)) < std::stoi(std::string(high));
    if (rises) out.add_here({out.edit(tokens[i].begin, tokens[i].end, std::string(low) + ".." + std::string(high))});
  }
}

// 5O, l00 and a lone O for digits
void letters_for_digits(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  std::vector<Edit> letters;  // that stand alone for digits: l when n > 3 else O
  const auto digit_of = [](char c) { return c == 'O' || c == 'o' ? '0' : c == 'l' || c == 'I' ? '1' : c; };
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::word && token.kind != Token::Kind::number) continue;
    std::size_t end = token.end;
    while (end < text.size() && (is_name_character(text[end]) || text[end] == '%')) ++end;
    if (i > 0 && tokens[i - 1].end == token.begin && tokens[i - 1].kind == Token::Kind::number) continue;
    std::string digits(text.substr(token.begin, end - token.begin));
    const bool some = digits.find_first_of("0123456789") != digits.npos;
    std::transform(digits.begin(), digits.end(), digits.begin(), digit_of);
    const bool number = digits.find_first_not_of("0123456789.%") == digits.npos;
    if (!number || digits == text.substr(token.begin, end - token.begin) || token.first) continue;
    const bool alone = token.shown == "O" || token.shown == "o";
    if (tokens.declaration({"input", "let", "output", "dimension", "criterion"}, token.shown) != kNone) continue;
    const bool operand = i > 0 && (tokens[i - 1].kind == Token::Kind::sign || alone);
    if (token.shown.size() == 1 && end == token.end && !some && i > 0 &&
        (tokens[i - 1].kind == Token::Kind::sign || tokens.is(i - 1, "else")))
      letters.push_back(out.edit(token.begin, end, digits));
    if (some || (alone && operand)) out.add(token.begin, end, std::move(digits), true);
  }
  if (letters.size() > 1) out.add(std::move(letters), true);
}

// weight 50$ for 50%: a neighbour on the keyboard, or another sign of a unit
void signs_of_shares(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    if (!tokens.is(i, "weight") || tokens[i + 1].kind != Token::Kind::number) continue;
    const std::size_t at = tokens[i + 1].end;
    for (const std::string_view sign : {"$", "€", "£", "&", "^", "§", "°", "#", "‰", "'", "*"}) {
      if (text.substr(at, sign.size()) == sign) out.add(at, at + sign.size(), "%", true);
    }
  }
}

// (x for x in marks], count(m > 25]
void brackets_of_other_kinds(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<std::size_t> open;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (tokens[i].starts) open.clear();
    if (tokens.opens(i)) open.push_back(i);
    if (!tokens.closes(i)) continue;
    if (open.empty()) continue;
    const std::size_t begin = open.back();
    open.pop_back();
    const auto kind = [&tokens](std::size_t at) { return std::string_view("()[]{}").find(tokens[at].shown[0]) / 2; };
    std::size_t word = begin;  // 'input level: number [0, 10)' has one end
    while (word > window.begin && !tokens[word].starts) --word;
    if (among(tokens[word].shown, {"input", "type"}) && tokens.behind_interval(begin) == i + 1) continue;
    // 'price in [low, high)' is a range without its end
    if (begin > 0 && among(tokens[begin - 1].shown, {"in", "between", "within"})) continue;
    if (kind(begin) == kind(i) || tokens[i].shown.size() != 1 || tokens[begin].shown.size() != 1) continue;
    static constexpr std::string_view kOpen = "([{", kClose = ")]}";
    if (!tokens.is(i, "}") || !tokens[i].first)
      out.add(tokens[i].begin, tokens[i].end, std::string(1, kClose[kind(begin)]), true);
    if (!tokens.is(begin, "{")) out.add(tokens[begin].begin, tokens[begin].end, std::string(1, kOpen[kind(i)]), true);
  }
}

// in [["a", "b"]: one bracket too many
void doubled_brackets(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    const bool twice = tokens.is(i, "[") && tokens.is(i + 1, "[") && tokens[i].end == tokens[i + 1].begin;
    if (twice && (tokens[i].partner == kNone || tokens[i].partner >= window.end))
      out.add_here({out.edit(tokens[i].begin, tokens[i].end, "")});
  }
}

// The last point of a sentence behind a declaration.
void full_stops(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 1; i + 1 < tokens.size() && edits.size() < 500; ++i) {
    const bool last = tokens[i + 1].first || tokens[i + 1].kind == Token::Kind::end;
    if (tokens.is(i, ".") && tokens[i].begin == tokens[i - 1].end && last)
      edits.push_back(out.edit(tokens[i].begin, tokens[i].end, ""));
  }
  if (!edits.empty() && edits.front().begin <= tokens[window.at].end) out.add(std::move(edits), true);
  for (const std::size_t i : {window.at, window.at + 1}) {  // … 100. "At least 100"
    if (i > 0 && tokens.is(i, ".") && tokens[i + 1].is_text() && tokens[i].begin == tokens[i - 1].end)
      out.add(tokens[i].begin, tokens[i].end, "", true);
  }
}

// output place, of a cohort, where each record has one
void outputs_of_each(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (window.problem.code == "E0301" && i > 0 && tokens.is(i - 1, "output") && tokens[i - 1].first &&
      tokens.is(i, "place"))
    out.add(tokens[i - 1].begin, tokens[i - 1].begin, "each ", true);
}

// bands score(grade): the name of the bands and what they grade
void exchanged_key(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 4 < window.end; ++i) {
    const bool swapped = tokens.is(i, "bands") && tokens[i].starts &&
                         among(tokens[i + 1].shown, {"score", "composite"}) && tokens.is(i + 2, "(") &&
                         tokens[i + 3].kind == Token::Kind::word && tokens.is(i + 4, ")");
    if (!swapped) continue;
    const std::string_view key = tokens[i + 3].shown;
    if (tokens.declaration({"input", "let", "output", "dimension", "criterion"}, key) != kNone) continue;
    out.add({out.edit(tokens[i + 1].begin, tokens[i + 1].end, std::string(key)),
             out.edit(tokens[i + 3].begin, tokens[i + 3].end, std::string(tokens[i + 1].shown))},
            true);
  }
}

// dimension dimension market, when when late, >= >=, one of one of, sum sum(x): the second one goes.
void doubled_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    const auto same = [&tokens](std::size_t a, std::size_t b) {
      return tokens[a].shown == tokens[b].shown && tokens[a].kind == tokens[b].kind && !tokens[b].first;
    };
    const bool pair = tokens.is(i, "one") && tokens.is(i + 1, "of") && same(i, i + 2) && same(i + 1, i + 3);
    if (pair) out.add(tokens[i + 1].end, tokens[i + 3].end, "", true);
    if (!same(i, i + 1) || tokens[i].kind == Token::Kind::text || tokens[i].kind == Token::Kind::number) continue;
    if (tokens[i].kind == Token::Kind::sign) {
      const bool apart = tokens[i + 1].begin > tokens[i].end;
      if (apart && among(tokens[i].shown, {"<", ">", "<=", ">=", "==", "!=", "+", "*", "/", ":", ","}))
        out.add(tokens[i].end, tokens[i + 1].end, "", true);
      continue;
    }
    const std::string_view word = tokens[i].shown;
    const bool keyword =
        (tokens[i].starts && find_declaration(word) != nullptr) || is_reserved(word) ||
        among(word, {"by", "weight", "points", "is", "of", "list", "set", "map", "decimals", "digits", "where", "at",
                     "higher", "lower", "given", "optional", "number", "whole", "text"});
    const bool called = tokens.is(i + 2, "(") && tokens[i + 2].begin == tokens[i + 1].end;
    const bool name = i > 0 && tokens[i - 1].starts && find_declaration(tokens[i - 1].shown) != nullptr;
    if (word == "not") out.add(tokens[i].end, tokens[i + 1].end, "", false);
    else if (keyword || called || name) out.add_here({out.edit(tokens[i].end, tokens[i + 1].end, "")});
  }
}

// > 0 < = 5: a blank inside a sign
void divided_signs(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    const bool parts = among(tokens[i].shown, {"<", ">", "!", "="}) && tokens.is(i + 1, "=") &&
                       tokens[i + 1].begin > tokens[i].end && !tokens[i + 1].first;
    if (parts) out.add_here({out.edit(tokens[i].end, tokens[i + 1].begin, "")});
  }
}

// 0 .5, 3 . 5, 1 . . 5: a blank inside a number or a range
void divided_numbers(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto digits = [](std::string_view shown) { return shown.find_first_not_of("0123456789") == shown.npos; };
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    std::string_view low = tokens[i].shown;
    std::string points;
    if (low.ends_with('.')) low.remove_suffix(1), points = ".";  // 0. 5
    std::size_t last = i + 1;
    while (tokens.is(last, ".")) ++last, points += '.';
    std::string_view high = tokens[last].shown;
    if (high.starts_with('.')) high.remove_prefix(1), points += '.';
    const bool number = tokens[i].kind == Token::Kind::number && tokens[last].kind == Token::Kind::number;
    bool apart = false;
    for (std::size_t k = i; k < last; ++k) {
      if (tokens[k + 1].first) last = i;
      else apart = apart || tokens[k + 1].begin > tokens[k].end;
    }
    if (!number || last == i || !apart || !digits(low) || !digits(high) || points.empty() || points.size() > 2)
      continue;
    out.add(tokens[i].begin, tokens[last].end, std::string(low) + points + std::string(high), true);
  }
}

// weight 40% -> 50%: the new value beside the old one
void changed_values(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (tokens[i].kind != Token::Kind::number || !among(tokens[i + 1].shown, {"->", "→", "=>", "-"})) continue;
    const std::size_t next = tokens.is(i + 1, "-") && tokens.is(i + 2, ">") ? i + 3 : i + 2;
    if ((tokens.is(i + 1, "-") && next == i + 2) || tokens[next].kind != Token::Kind::number) continue;
    if (i > 0 && among(tokens[i - 1].shown, {"weight", "points", "decimals", "at", "default"}))
      out.add(tokens[i].begin, tokens[next].begin, "", true);
  }
}

// "VAT is {vat, not {expected}": the brace of a value is not closed
void braces_of_values(const Window& window, Proposals& out) {
  const std::size_t at = window.problem.at.offset;
  const std::string_view text = window.tokens.text();
  if (!window.problem.message.str().starts_with("expected '}' after the value in the text") || at >= text.size())
    return;
  const std::size_t next = text.find_first_of("{}\"\n", at);
  // "VAT is {vat)"
  const std::size_t open = text.rfind('{', at);
  const std::string_view inside = open == text.npos ? std::string_view() : text.substr(open, at - open);
  if ((text[at] == ')' || text[at] == ']') && inside.find_first_of("([") == inside.npos)
    out.add_here({out.edit(at, at + 1, "}")});
  out.add(at, at, "}", next != text.npos && text[next] != '}');
}

// input stalls: default 0 whole >= 0
void default_before_kind(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin + 2; i + 2 < window.end; ++i) {
    if (!tokens.is(i, "default") || !tokens.is(i - 1, ":") || tokens[i + 2].kind != Token::Kind::word ||
        tokens[i + 2].starts)
      continue;
    std::size_t end = i + 3;
    while (end < window.end && !tokens[end].starts && !tokens[end].is_text() && !tokens.closes(end) &&
           !tokens.is(end, ","))
      end = tokens.behind(end);
    out.add({out.edit(tokens[i].begin, tokens[i + 2].begin, ""),
             out.edit(tokens[end - 1].end, tokens[end - 1].end, " " + std::string(tokens.text(i, i + 1)))},
            true);
  }
}

// given { permit: yes }, where permit is a condition
void conditions_in_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  bool here = false;
  for (std::size_t i = 2; i + 1 < tokens.size() && edits.size() < 500; ++i) {
    const std::string word = in_lower_case(tokens[i].shown);
    const bool yes = among(word, {"yes", "on", "y"}), no = among(word, {"no", "off", "n"});
    if (tokens[i].kind != Token::Kind::word || !tokens.is(i - 1, ":") || (!yes && !no)) continue;
    const std::size_t input = tokens.declaration({"input"}, tokens[i - 2].shown);
    if (input == kNone) continue;
    std::size_t type = input;
    while (type + 1 < tokens.size() && !tokens.is(type, ":")) ++type;
    if (!tokens.is(type + 1, "bool")) continue;
    here = here || i == window.at;
    edits.push_back(out.edit(tokens[i].begin, tokens[i].end, yes ? "true" : "false"));
  }
  if (here) out.add(std::move(edits), true);
}

// A comment that hides what the lines behind it belong to, '# bands water(nitrate) {', or a declaration that was joined to
// it, '# saves of any kind input saves: whole'.
void hidden_lines(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  std::size_t unpaired = 0;  // the byte of the first brace that closes nothing; 0: there is none
  for (std::size_t i = 1; i + 1 < tokens.size() && unpaired == 0; ++i) {
    if (tokens.is(i, "}") && tokens[i].partner == kNone) unpaired = tokens[i].begin;
  }
  const bool unknown = window.problem.code == "E0301";
  const std::string_view name = tokens[window.at].shown;
  for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1,
                      end = std::min(text.find('\n', at), text.size());
    std::string_view said = text.substr(at + 1, end - at - 1);
    if (text.substr(line, at - line).find_first_not_of(" \t") != text.npos || said.empty()) continue;
    const Tokens words(said);
    const std::string_view word = words[0].shown;
    const bool block =
        find_declaration(word) != nullptr || among(word, {"given", "expect", "cohort", "history", "level"});
    const bool opens = words.size() > 1 && words.is(words.size() - 2, "{") && block;
    const bool whole = among(word, {"given", "expect"}) && words.is(1, "{") && words.is(words.size() - 2, "}");
    if ((opens && at < unpaired) || (whole && window.problem.code.starts_with("E01")))
      out.add(at, at + 1 + (said[0] == ' ' ? 1 : 0), "", true);
    for (std::size_t k = 1; k + 2 < words.size(); ++k) {
      const bool declared = among(words[k].shown, {"input", "let", "output", "dimension", "criterion"}) &&
                            words[k + 1].kind == Token::Kind::word &&
                            among(words[k + 2].shown, {":", "=", "weight", "points"});
      const bool needed = unknown ? words.is(k + 1, name)
                                  : window.problem.code == "E0201" && among(words[k].shown, {"dimension", "criterion"});
      if (!declared || !needed) continue;
      std::size_t gap = at + 1 + words[k].begin;
      while (gap > at + 1 && text[gap - 1] == ' ') --gap;
      out.add(gap, at + 1 + words[k].begin, "\n" + std::string(text.substr(line, at - line)), true);
    }
  }
}

}  // namespace

void slips(const Window& window, Proposals& out) {
  const bool syntax = window.problem.code.starts_with("E01");
  if (syntax) {
    glued_words(window, out);
    stray_words(window, out);
    signs_of_shares(window, out);
    brackets_of_other_kinds(window, out);
    doubled_brackets(window, out);
    braces_of_values(window, out);
    default_before_kind(window, out);
    divided_signs(window, out);
    divided_numbers(window, out);
    doubled_words(window, out);
    changed_values(window, out);
  }
  if (syntax || window.problem.code == "E0401") full_stops(window, out);
  points_of_ranges(window, out);
  letters_for_digits(window, out);
  outputs_of_each(window, out);
  exchanged_key(window, out);
  conditions_in_words(window, out);
  hidden_lines(window, out);
}

}  // namespace assay::mending
