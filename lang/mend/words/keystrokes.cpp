// One keystroke that was made twice, or not at all: a doubled sign, quotation mark or line; a lost colon, bracket, word
// or line end. The nearest reading of a text that nothing can read is the one with a single key less or more, so
// these come before whatever else the signs may mean.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kMostTries = 10;  // of one kind: each is compiled

// The bytes of the line of a byte, without its end.
std::string_view line_of(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

// The line of a problem and, where its first token is at fault, also the one before it.
std::string_view lines_of(const Window& window) {
  const std::string_view text = window.tokens.text();
  const std::size_t at = std::min(window.problem.at.offset, text.size());
  const std::string_view line = line_of(text, at);
  if (!window.tokens[window.at].first && window.tokens[window.at].kind != Kind::end) return line;
  const std::size_t before = window.at == 0 ? 0 : window.tokens[window.at - 1].begin;
  const std::size_t begin = static_cast<std::size_t>(line_of(text, before).data() - text.data());
  const std::size_t end = static_cast<std::size_t>(line.data() - text.data()) + line.size();
  return text.substr(begin, end - begin);
}

// How many more brackets of this kind open than close.
std::ptrdiff_t depth_of(const Tokens& tokens, std::string_view open, std::string_view close) {
  std::ptrdiff_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) depth += tokens.is(i, open) ? 1 : tokens.is(i, close) ? -1 : 0;
  return depth;
}

// The bracket that is open at the end of a text; a blank: none.
char bracket_around(std::string_view text) {
  std::size_t closed = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (std::string_view(")]}").find(text[i]) != std::string_view::npos) ++closed;
    else if (std::string_view("([{").find(text[i]) != std::string_view::npos && closed-- == 0) return text[i];
  }
  return ' ';
}

// "late"", 16,, 4: the same sign again. A bracket only where one is too many, wherever the rest of the text made this
// known.
void doubled_signs(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text(), lines = lines_of(window);
  const std::size_t begin = static_cast<std::size_t>(lines.data() - text.data());
  std::size_t tries = 0;
  for (std::size_t at = begin; at + 1 < begin + lines.size() && tries < kMostTries; ++at) {
    if (text[at] != text[at + 1] || std::string_view("\",:%><=|").find(text[at]) == std::string_view::npos) continue;
    // x >> 1 and xs[::2] say something in other languages.
    const std::string_view before = text.substr(begin, at - begin);
    const bool asks = before.find("when ") != before.npos || before.find("gate ") != before.npos ||
                      before.find("check ") != before.npos;
    const bool shifts = (text[at] == '<' || text[at] == '>') && !asks;
    const bool steps = text[at] == ':' && bracket_around(before) == '[';
    if (shifts || steps) out.add(at, at + 1, "", false);
    else out.add_here({out.edit(at, at + 1, "")});
    ++tries;
  }
  for (const std::string_view pair : {"{}", "[]", "()"}) {
    const std::ptrdiff_t depth = depth_of(tokens, pair.substr(0, 1), pair.substr(1));
    if (depth == 0) continue;
    const std::string_view sign = pair.substr(depth > 0 ? 0 : 1, 1);
    tries = 0;
    for (std::size_t i = std::min(window.at + 1, tokens.size() - 1); i-- > 0 && tries < kMostTries;) {
      const bool doubled = tokens.is(i, sign) && tokens.is(i + 1, sign) && tokens[i].end == tokens[i + 1].begin;
      if (!doubled) continue;
      // ((a + b)) / 2): the inner pair says nothing; (a + b)) / 2 may lack its first one as well
      const std::size_t one = tokens[i].partner, other = tokens[i + 1].partner;
      const bool needless = one != kNone && other != kNone && one == other + 1;
      if ((sign == ")" && !needless) || tokens.is(i + 3, sign)) continue;
      out.add_here({out.edit(tokens[i].begin, tokens[i].end, "")});
      ++tries;
    }
  }
}

// A line twice.
void doubled_lines(const Window& window, Proposals& out) {
  const std::string_view text = window.tokens.text();
  std::size_t tries = 0;
  for (std::size_t at = 0; at < text.size() && tries < kMostTries;) {
    const std::string_view line = line_of(text, at);
    const std::size_t next = at + line.size() + 1;
    if (next >= text.size()) break;
    const bool says = std::any_of(line.begin(), line.end(), [](char c) { return is_name_character(c); });
    if (says && line == line_of(text, next)) {
      out.add_here({out.edit(next - 1, next + line.size(), "")});
      ++tries;
    }
    at = next;
  }
}

// { taste 8, fresh true }: all colons of a record that are missing.
void lost_colons(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t open = tokens.brace_around(window.at);
  if (open == kNone || open == 0 || tokens[open - 1].starts || tokens[open + 1].starts) return;
  std::vector<Edit> edits;
  for (std::size_t k = open + 1; k + 1 < tokens[open].partner; k = tokens.behind(k)) {
    const bool key =
        (k == open + 1 || tokens.is(k - 1, ",")) && tokens[k].kind == Kind::word && !is_reserved(tokens[k].shown);
    const Token& next = tokens[k + 1];
    const bool value = next.kind == Kind::number || next.kind == Kind::text || tokens.is(k + 1, "{") ||
                       tokens.is(k + 1, "[") || among(next.shown, {"true", "false", "missing"}) ||
                       (tokens.is(k + 1, "-") && tokens[k + 2].kind == Kind::number);
    if (key && value && next.begin > tokens[k].end) edits.push_back(out.edit(tokens[k].end, tokens[k].end, ":"));
  }
  if (!edits.empty()) out.add_here(std::move(edits));
}

// fruit: "apple", "pear"], legs: [ km: 8 }: a bracket without the one that opens it.
void lost_opening(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t last = std::min(window.at + 1, tokens.size() - 1);
  std::size_t first = last;
  while (first > 0 && !(tokens[first].first && first <= window.at)) --first;
  for (const std::string_view pair : {"{}", "[]"}) {
    if (depth_of(tokens, pair.substr(0, 1), pair.substr(1)) >= 0) continue;
    std::size_t tries = 0;
    for (std::size_t k = last + 1; k-- > first && tries < kMostTries;) {
      const bool record = tokens[k].kind == Kind::word && tokens.is(k + 1, ":") && k > 0;
      const bool begins = pair == "{}" ? record && among(tokens[k - 1].shown, {"given", "expect", ":", "[", ","})
                                       : k > 0 && (tokens[k].value() || tokens.is(k, "{") || tokens.is(k, "[")) &&
                                             among(tokens[k - 1].shown, {":", "[", "in", "=", "given", "(", "history"});
      if (!begins) continue;
      out.add_here({out.edit(tokens[k].begin, tokens[k].begin, pair == "{}" ? "{ " : "[")});
      ++tries;
    }
  }
  // list of one of "a", "b")
  const std::size_t i = window.at;
  if (i > 1 && tokens.is(i - 1, "of") && tokens[i].kind == Kind::text && depth_of(tokens, "(", ")") < 0)
    out.add_here({out.edit(tokens[i].begin, tokens[i].begin, "(")});
}

// maxr.score for r in records), minhours), bands gradeshare): a bracket inside of a word.
void lost_inside_word(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (depth_of(tokens, "(", ")") >= 0) return;
  const KnownNames known(tokens);
  std::size_t first = window.at;
  while (first > 0 && !tokens[first].first) --first;
  for (std::size_t i = first; i <= window.at || (i < tokens.size() && !tokens[i].first); ++i) {
    if (tokens[i].kind != Kind::word || known.declares(tokens[i].shown)) continue;
    const std::string_view word = tokens[i].shown;
    const bool bands = i > 0 && tokens[i - 1].starts && among(tokens[i - 1].shown, {"bands", "table", "fn"});
    for (std::size_t cut = 1; cut < word.size(); ++cut) {
      const std::string_view head = word.substr(0, cut), rest = word.substr(cut);
      const bool calls =
          bands || find_builtin(head) != nullptr || known.functions.count(head) != 0 || known.tables.count(head) != 0;
      const bool value = known.declares(rest) || known.bound.count(rest) != 0 || find_builtin(rest) != nullptr ||
                         (bands && among(rest, {"score", "composite"}));
      if (calls && value) out.add_here({out.edit(tokens[i].begin + cut, tokens[i].begin + cut, "(")});
    }
  }
}

// Whether the word at a byte, behind something else, begins a declaration or a part of one that needs a line of its own.
bool begins_line(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_character(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at), rest = text.substr(end, text.find('\n', end) - end);
  if (rest.empty() || rest[0] != ' ' || (find_declaration(word) == nullptr && word != "level")) return false;
  const Tokens behind(rest);
  if (among(word, {"input", "hook"})) return behind[0].kind == Kind::word && among(behind[1].shown, {":", ",", "("});
  if (among(word, {"let", "gate", "deduction", "bonus", "output", "type"}))
    return behind[0].value() && (behind.is(1, "=") || (word == "output" && behind.size() == 2));
  if (among(word, {"dimension", "criterion"}))
    return behind[0].kind == Kind::word && among(behind[1].shown, {"weight", "points", "advisory", ":", "=", "{"});
  if (among(word, {"flag", "advice"})) return behind[0].value() && among(behind[1].shown, {"when", "for"});
  if (word == "cap") return behind[0].value() && behind.is(1, "at");
  if (among(word, {"bands", "table", "fn"})) return behind[0].kind == Kind::word && behind.is(1, "(");
  if (among(word, {"example", "rubric", "context", "version"})) return behind[0].is_text() || behind.is(1, "{");
  if (word == "scale") return behind[0].kind == Kind::number && behind.is(1, "..");
  return word == "rank" && behind.is(0, "by");
}

// missing 5input minutes: whole, input team: textoutput team: a line end that is lost.
void joined_lines(const Window& window, Proposals& out) {
  const std::string_view text = window.tokens.text();
  const std::string_view line = line_of(text, std::min(window.problem.at.offset, text.size()));
  const std::size_t begin = static_cast<std::size_t>(line.data() - text.data());
  const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  bool quoted = false;
  for (std::size_t k = indent + 1; k < line.size(); ++k) {
    if (line[k - 1] == '"' && (k < 2 || line[k - 2] != '\\')) quoted = !quoted;
    if (line[k - 1] == '#' && !quoted) break;
    const bool glued =
        line[k - 1] != ' ' && line[k - 1] != '_' && std::isalpha(static_cast<unsigned char>(line[k])) != 0;
    if (glued && !quoted && begins_line(text, begin + k))
      out.add_here({out.edit(begin + k, begin + k, "\n" + std::string(line.substr(0, indent)))});
  }
}

// The bytes of the blanks that a line begins with; npos: there is nothing else in it.
std::size_t indent_of(std::string_view line) { return line.find_first_not_of(" \t\r"); }

// A block without its end, where the lines behind it begin as far left as its head.
void lost_end(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  if (depth_of(tokens, "{", "}") <= 0) return;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, "{") || !tokens[i + 1].first) continue;
    const std::string_view head = line_of(text, tokens[i].begin);
    for (std::size_t k = i + 1; k + 1 < tokens.size(); ++k) {
      const std::string_view line = line_of(text, tokens[k].begin);
      if (!tokens[k].first || indent_of(line) > indent_of(head)) continue;
      if (!tokens.is(k, "}") && indent_of(line) == indent_of(head) && k > i + 1)
        return out.add_here({out.edit(tokens[k - 1].end, tokens[k - 1].end,
                                      "\n" + std::string(head.substr(0, indent_of(head))) + "}")});
      break;
    }
  }
}

// Whether a declaration has a 'when' before token `at`, and no 'else' behind it; `word` receives what begins it.
bool has_when(const Tokens& tokens, std::size_t at, std::string_view& word) {
  std::size_t k = at;
  bool when = false, other = false;
  while (k > 0 && !tokens[k].starts && !tokens[k].first) {
    --k;
    other = other || tokens.is(k, "else");
    when = when || (!other && tokens.is(k, "when"));
  }
  word = tokens[k].shown;
  return when;
}

// min(t.mm t in tyres), 3 late else 5, cap care at 3 not late, first(x for x in xs higher x.p), an example with { … } only.
void lost_word(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (i < 2) return;
  const auto insert = [&](std::size_t k, std::string_view word) {
    out.add_here({out.edit(tokens[k].begin, tokens[k].begin, std::string(word) + " ")});
  };
  if (tokens.is(i, "{") && window.problem.message.str().starts_with("expected 'given'"))
    return insert(i, tokens.is(i - 1, "{") ? "given" : "expect");
  if (tokens[i].first || tokens[i].kind != Kind::word) return;
  std::string_view word;
  const bool when = has_when(tokens, i, word);
  const std::size_t negated = tokens.is(i - 1, "not") ? i - 1 : i;
  if (!when && tokens.is(negated, "not") && among(word, {"cap", "deduction", "bonus"}) &&
      tokens.ends_value(negated - 1))
    return insert(negated, "when");
  if (!tokens.ends_value(i - 1)) return;
  std::size_t open = i;
  while (open > 0 && !tokens[open].starts &&
         !(tokens.opens(open) && tokens[open].partner != kNone && tokens[open].partner > i))
    --open;
  const bool inside = tokens.is(open, "(") || tokens.is(open, "[");
  bool named = false, loop = false;
  for (std::size_t k = open + 1; inside && k < i; ++k) {
    named = named || (tokens.is(k, tokens[i].shown) && !tokens.is(k - 1, "."));
    loop = loop || tokens.is(k, "for");
  }
  if (named && tokens.is(i + 1, "in")) return insert(i, "for");
  if (loop && among(tokens[i].shown, {"higher", "lower"})) return insert(i, "by");
  if (when) return;
  for (std::size_t k = i + 1; k + 1 < tokens.size() && !tokens[k].first && !tokens.closes(k); k = tokens.behind(k)) {
    if (among(tokens[k].shown, {"when", "for"})) return;
    if (tokens.is(k, "else")) return insert(i, "when");
  }
}

// let points won + drawn: the '=' before a value.
void lost_equals(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (i < 2 || window.problem.message.str().find("'='") == std::string::npos || tokens[i].first) return;
  const KnownNames known(tokens);
  const bool name =
      tokens[i].kind == Kind::word && (known.declares(tokens[i].shown) || tokens.is(i, "not") ||
                                       (tokens.is(i + 1, "(") && find_builtin(tokens[i].shown) != nullptr));
  const bool value = name || tokens[i].kind == Kind::number || tokens.is(i, "[");
  const bool head = (tokens[i - 1].kind == Kind::word && among(tokens[i - 2].shown, {"let", "output"})) ||
                    (tokens.is(i - 1, ")") && tokens[i - 1].partner > 1 && tokens[i - 1].partner != kNone &&
                     tokens.is(tokens[i - 1].partner - 2, "fn"));
  if (head && value) out.add_here({out.edit(tokens[i].begin, tokens[i].begin, "= ")});
}

// number = 0 default 0, | = 85 |: a bound that has lost the first half of its sign.
void lost_half(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (!tokens.is(i, "=") || i == 0 || tokens[i + 1].kind != Kind::number) return;
  const auto write = [&](std::string_view sign) {
    out.add_here({out.edit(tokens[i].begin, tokens[i].end, std::string(sign))});
  };
  if (among(tokens[i - 1].shown, {"number", "whole"}) && among(tokens[i + 2].shown, {"default", "missing", "optional"}))
    return write(">=");
  std::size_t begin = i, column = 0;
  while (begin > 0 && !tokens[begin].first) column += tokens.is(begin, "|") ? 1 : 0, --begin;
  if (!tokens.is(begin, "|") || !tokens.is(i - 1, "|")) return;
  const std::size_t table = tokens.brace_around(i);
  std::string_view sign;
  for (std::size_t k = table == kNone ? begin : table + 1, at = 0; k + 1 < tokens.size() && !tokens.closes(k); ++k) {
    if (tokens[k].first) at = 0;
    else at += tokens.is(k, "|") ? 1 : 0;
    if (k == i - 1 || at != column || !tokens.is(k, "|") || !among(tokens[k + 1].shown, {">=", "<=", ">", "<"}))
      continue;
    if (!sign.empty() && sign != tokens[k + 1].shown) return;  // bounds of both kinds
    sign = tokens[k + 1].shown;
  }
  if (sign == ">=" || sign == "<=") write(sign);
}

// Where a text has this word, and nothing that continues it.
std::vector<std::size_t> places_of(std::string_view text, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_name_character(text[at + word.size()]);
    if (begins && ends) places.push_back(at);
  }
  return places;
}

// A declaration that nothing uses, beside several uses of another spelling: it is the one that is misspelt.
void misspelt_declaration(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text(), used = tokens[window.at].shown;
  if (tokens[window.at].kind != Kind::word) return;
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const bool declares = tokens[k].starts && find_declaration(tokens[k].shown) != nullptr;
    const bool item = k > 0 && tokens.is(k + 1, ":") && among(tokens[k - 1].shown, {"{", ","});  // of a type
    if (declares && tokens[k + 1].kind == Kind::word) names.push_back(tokens[k + 1].shown);
    for (std::size_t n = k + 2; declares && tokens.is(n, ",") && tokens[n + 1].kind == Kind::word; n += 2)
      names.push_back(tokens[n + 1].shown);
    if (item && window.problem.code == "E0303") names.push_back(tokens[k].shown);
  }
  const std::string_view near = nearest(used, names);
  if (near.empty() || near == used || places_of(text, used).size() < 2) return;
  const std::vector<std::size_t> declared = places_of(text, near);
  if (declared.size() == 1) out.add_here({out.edit(declared[0], declared[0] + near.size(), std::string(used))});
}

// expect { outcome_days: 7 }, of bands 'outcome' with another column beside their results: the only one it can be.
void column_of_bands(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view used = tokens[window.at].shown;
  std::string key;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const std::string_view name = tokens[i + 1].shown;
    if (!tokens[i].starts || !tokens.is(i, "bands") || !used.starts_with(std::string(name) + "_")) continue;
    std::size_t k = i + 2;
    while (k + 1 < tokens.size() && !tokens.is(k, "|")) ++k;
    for (++k; k + 1 < tokens.size() && tokens.is(k + 1, "|") && !tokens[k].first; k += 2) {
      const std::string_view column = tokens[k].shown;
      if (column == name || among(column, {"score", "composite"}) || tokens.is(i + 3, column)) continue;
      if (!key.empty()) return;
      key = std::string(name) + "_" + std::string(column);
    }
  }
  if (!key.empty() && key != used) out.add_here({out.edit(tokens[window.at].begin, tokens[window.at].end, key)});
}

// bands grade(scoer), where the header says 'score': the key, if only the header names a value.
void misspelt_key(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t open = tokens.head(window.at);
  if (!tokens.is(open, "bands") || !tokens.is(open + 2, "(") || tokens[open + 2].partner == kNone) return;
  const KnownNames known(tokens);
  const auto value = [&known](std::string_view name) {
    return known.declares(name) || among(name, {"score", "composite"});
  };
  std::size_t column = tokens[open + 2].partner + 2;  // the first bar of the header
  for (std::size_t key = open + 3; key < tokens[open + 2].partner; key += 2, column += 2) {
    const std::string_view name = tokens[key].shown, header = tokens[column + 1].shown;
    if (tokens.is(column, "|") && !value(name) && value(header) && !nearest(name, {header}).empty())
      out.add_here({out.edit(tokens[key].begin, tokens[key].end, std::string(header))});
  }
}

// hair: tru
void misspelt_literal(const Window& window, Proposals& out) {
  const Token& token = window.tokens[window.at];
  const std::size_t i = window.at;
  if (token.kind != Kind::word || i == 0 || !(window.tokens.is(i - 1, ":") || window.tokens.is(i - 1, "default")))
    return;
  const std::string_view near = nearest(token.shown, {"true", "false", "missing"});
  if (!near.empty()) out.add_here({out.edit(token.begin, token.end, std::string(near))});
}

}  // namespace

void keystrokes(const Window& window, Proposals& out) {
  const std::string& code = window.problem.code;
  const bool syntax = code.starts_with("E01");
  if (syntax) {
    joined_lines(window, out);
    doubled_signs(window, out);
    lost_colons(window, out);
    lost_opening(window, out);
    lost_inside_word(window, out);
    lost_equals(window, out);
    lost_half(window, out);
    lost_word(window, out);
    lost_end(window, out);
  }
  if (syntax || code == "E0306") doubled_lines(window, out);
  if (code == "E0401" && window.tokens.is(window.at + 1, ".."))  // x..price, of items
    out.add_here({out.edit(window.tokens[window.at + 1].begin, window.tokens[window.at + 1].end, ".")});
  if (code == "E0502" || code == "E0301") misspelt_key(window, out);
  if (code == "E0310") column_of_bands(window, out);
  if (code == "E0301" || code == "E0406") misspelt_literal(window, out);
  if (among(code, {"E0301", "E0303", "E0310", "E0211"})) misspelt_declaration(window, out);
}

std::optional<Edit> line_again(const std::string& name, std::string_view text, const Diagnostic& problem) {
  const std::size_t at = problem.at.offset;
  const bool twice = among(problem.code, {"E0210", "W0728", "W0741"});
  if (!(twice || problem.code == "E0301") || at >= text.size()) return std::nullopt;
  const std::string_view line = line_of(text, at);
  const std::size_t begin = static_cast<std::size_t>(line.data() - text.data());
  const bool row = line.find_first_not_of(" \t") != line.npos && line[line.find_first_not_of(" \t")] == '|';
  if (begin == 0 || line_of(text, begin - 1) != line || !(twice || row)) return std::nullopt;
  return Edit{name, begin - 1, begin + line.size(), {}};
}

// 2 ** 3: a power, of most languages, unless an example tells that the key was hit twice.
void repeated_operators(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text(), line = lines_of(window);
  bool example = false;
  for (std::size_t i = 0; i < tokens.size() && !example; ++i) example = tokens[i].starts && tokens.is(i, "example");
  if (!window.problem.code.starts_with("E01") || !example) return;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    if (line[k] != line[k + 1] || std::string_view("*/+-").find(line[k]) == std::string_view::npos) continue;
    const auto blank = [line](std::size_t at) { return at < line.size() && line[at] == ' '; };
    if (k == 0 || blank(k - 1) != blank(k + 2) || line.find_first_not_of(' ') >= k) continue;
    const std::size_t at = static_cast<std::size_t>(line.data() - text.data()) + k;
    out.add_here({out.edit(at, at + 1, "")});
  }
}

}  // namespace assay::mending
