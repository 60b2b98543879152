// Comments of other languages, and the lines around and in a document that say nothing to the language.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/syntax/declarations.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

// Whether what stands behind a sign, up to the end of its line, is prose: words beside each other, or one that nothing
// declares.
bool prose_behind(const Tokens& tokens, const KnownNames& names, std::size_t i) {
  const auto word = [&tokens](std::size_t k) {
    return tokens[k].kind == Token::Kind::word && !tokens[k].first && !is_reserved(tokens[k].shown);
  };
  if (among(tokens[i + 1].shown, {"in", "for", "of", "per"}) && !tokens[i + 1].first && word(i + 2))
    return true;  // ; in euros
  if (!word(i + 1) || find_declaration(tokens[i + 1].shown) != nullptr) return false;
  if (among(tokens[i + 1].shown, {"higher", "lower", "by", "then", "desc", "asc", "weight", "points", "decimals"}))
    return false;
  if (word(i + 2)) return true;
  return (tokens[i + 2].first || tokens[i + 2].kind == Token::Kind::end) && !names.declares(tokens[i + 1].shown) &&
         names.bound.count(tokens[i + 1].shown) == 0;
}

// Whether '//' is a division of Python: between values of the rubric, and not in front of prose.
bool divides(const Tokens& tokens, const KnownNames& names, std::size_t i) {
  const Token& next = tokens[i + 1];
  if (i == 0 || tokens[i].first || next.first || !tokens.ends_value(i - 1)) return false;
  if (next.kind != Token::Kind::number && next.shown != "(" && !begins_call(tokens, i + 1) &&
      !names.declares(next.shown) && names.bound.count(next.shown) == 0)
    return false;
  if (remark_behind(tokens, i)) return false;
  const std::size_t behind = std::max(tokens.operand(i + 1), i + 2);
  const bool digits =
      among(tokens[behind].shown, {"decimals", "digits"}) && tokens[behind + 1].kind == Token::Kind::number;
  return tokens[behind].kind != Token::Kind::word || tokens[behind].first || is_reserved(tokens[behind].shown) ||
         digits;
}

// Lines of ``` and of dashes.
void fences(const Window& window, Proposals& out) {
  const std::string_view text = window.tokens.text();
  // ``` around it, as in a document
  if (text.substr(window.problem.at.offset, 3) == "```") {
    std::vector<Edit> edits;
    for (std::size_t at = text.find("```"); at != text.npos; at = text.find("```", at)) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (at == 0 || text[at - 1] == '\n') edits.push_back(out.edit(at, std::min(end + 1, text.size()), ""));
      at = end;
    }
    out.add(std::move(edits), true);
  }
  // a heading with a line of dashes below it
  const std::size_t heading = window.problem.at.offset, next = std::min(text.find('\n', heading), text.size());
  const std::size_t rule = text.find_first_not_of(" \t\r\n", next),
                    stop = std::min(text.find('\n', next + 1), text.size());
  if (window.problem.code == "E0107" && rule != text.npos && among(text.substr(rule, 3), {"---", "==="}) &&
      rule < stop && text.find_first_not_of(text.substr(rule, 1) == "-" ? "- \t\r" : "= \t\r", rule) >= stop)
    out.add({out.edit(heading, heading, "# "), out.edit(next, stop, "")}, true);
  // --- around what a document says of itself, or as a rule
  std::vector<Edit> dashes;
  for (std::size_t at = text.find("---"); at != text.npos; at = text.find("---", at)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool alone = text.find_first_not_of("- \r", at) >= end && (at == 0 || text[at - 1] == '\n');
    if (alone) dashes.push_back(out.edit(at, std::min(end + 1, text.size()), ""));
    at = end;
  }
  std::erase_if(dashes, [&](const Edit& one) {
    return window.problem.at.offset > 2 && (window.problem.at.offset < one.begin || window.problem.at.offset > one.end);
  });
  out.add(std::move(dashes), true);
}

// '--', ';' and other signs, up to the end of the line.
void signs(const Window& window, const KnownNames& names, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  const auto dashes = [&](std::size_t k) {
    return tokens.is(k, "-") && tokens.is(k + 1, "-") && tokens[k].end == tokens[k + 1].begin && !tokens.is(k + 2, "-");
  };
  if (dashes(i))
    out.add(
        tokens[i].begin, tokens[i + 1].end, "#",
        tokens[i].first || (i > 0 && tokens[i - 1].kind == Token::Kind::text) || prose_behind(tokens, names, i + 1));
  if (dashes(i) || (tokens.is(i, ";") && prose_behind(tokens, names, i))) {  // and all others, also behind ';'
    std::vector<Edit> edits;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
      const std::size_t line = std::min(text.find('\n', tokens[k].begin), text.size());
      const std::size_t sign = dashes(k) ? k + 1 : k;
      const bool comment = (dashes(k) || tokens.is(k, ";")) && (tokens[k].first || prose_behind(tokens, names, sign));
      if (!comment || dashes(k) != dashes(i)) continue;
      edits.push_back(out.edit(tokens[k].begin, tokens[sign].end, "#"));
      while (k + 1 < tokens.size() && tokens[k + 1].begin < line) ++k;
    }
    if (!edits.empty()) out.add(std::move(edits), true);
  }
  // '%' and ';' at the beginning of a line
  if (tokens[i].first && i == window.at && (tokens.is(i, "%") || tokens.is(i, ";") || tokens.is(i, "!")))
    out.add(tokens[i].begin, tokens[i].end, "#", true);
  if (i == window.at && text[tokens[i].begin] == '\'') {  // ' of BASIC: no text that ends on its line
    std::vector<Edit> edits;
    for (std::size_t from = 0; from < text.size(); from = std::min(text.find('\n', from), text.size() - 1) + 1) {
      const std::string_view line = text.substr(from, text.find('\n', from) - from);
      const std::size_t quote = line.find('\''), word = std::min(line.find_first_not_of(" \t"), line.size());
      const bool behind = quote != line.npos && quote > 0 && line[quote - 1] == ' ' &&
                          line.find('\'', quote + 1) == line.npos && line.substr(0, quote).find('#') == line.npos;
      if (quote == word || behind) edits.push_back(out.edit(from + quote, from + quote + 1, "#"));
    }
    out.add(std::move(edits), true);
  }
  if (tokens[i].first && i == window.at && (tokens.is(i, "REM") || tokens.is(i, "rem")))
    out.add(tokens[i].begin, tokens[i].end, "#", true);
}

void markup(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  // <!-- … -->, {# … #}, and a text that documents what follows
  const bool element = text.substr(tokens[i].begin, 4) == "<!--";
  if (text.substr(tokens[i].begin, 2) == "{#") {
    std::vector<Edit> edits;
    for (std::size_t from = text.find("{#"); from != text.npos; from = text.find("{#", from + 2)) {
      const std::size_t close = std::min(text.find("#}", from), text.size()), line = text.find('\n', from);
      if (close + 2 != std::min(line, text.size())) continue;  // behind it is more
      edits.push_back(out.edit(from, from + 1, ""));
      std::size_t blank = close;
      while (text[blank - 1] == ' ') --blank;
      edits.push_back(out.edit(blank, close + 2, ""));
    }
    if (!edits.empty()) out.add(std::move(edits), true);
  }
  const bool documents =
      i == window.at &&
      (window.problem.code == "E0107" || window.problem.message.str().starts_with("expected 'rubric'") ||
       (tokens[i].shown.starts_with("\"\"\"") && window.problem.code == "E0101")) &&
      tokens[i].first && tokens[i].kind == Token::Kind::text &&
      (tokens[i + 1].first || tokens[i + 1].kind == Token::Kind::end);
  if (element || documents) {
    const std::size_t from = tokens[i].begin;
    const std::size_t close = element ? text.find("-->", from) : text.npos;
    if (element && close == text.npos) return;
    const std::size_t behind = element ? close + 3 : tokens[i].end;
    std::string_view words = text.substr(from, behind - from);
    if (element) words = words.substr(4, words.size() - 7);
    else
      while (words.size() > 1 && words.front() == '"') words = words.substr(1, words.size() - 2);
    while (!words.empty() && (words.front() == ' ' || words.front() == '\n')) words.remove_prefix(1);
    std::string lines = "# ";
    for (const char c : words) {
      lines += c;
      if (c == '\n') lines += "# ";
    }
    while (lines.size() > 1 && (lines.back() == ' ' || lines.back() == '#')) lines.pop_back();
    out.add(from, behind, lines, true);
  }
}

// A sentence that goes on in the line below its comment.
void second_line(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  const std::size_t i = window.at;
  if (window.problem.code != "E0107" || !tokens[i].first || tokens[i].begin == 0) return;
  const std::size_t line = text.rfind('\n', tokens[i].begin);
  const std::size_t above = line == text.npos || line == 0 ? 0 : text.rfind('\n', line - 1) + 1;
  if (line == text.npos || text[std::min(text.find_first_not_of(" \t", above), line)] != '#') return;
  std::size_t words = 0, k = i;
  for (; k + 1 < tokens.size() && (k == i || !tokens[k].first); ++k) {
    const bool point = among(tokens[k].shown, {".", ",", ";", "-", "!", "?"});
    if (tokens[k].kind == Token::Kind::word) ++words;
    else if (!point && tokens[k].kind != Token::Kind::number && tokens[k].kind != Token::Kind::quoted) return;
  }
  if (words > 2) out.add_here({out.edit(tokens[i].begin, tokens[i].begin, "# ")});
}

}  // namespace

std::vector<std::size_t> slash_comments(std::string_view text) {
  std::vector<std::size_t> found, possible;  // possible: before one word that has a value, at the end of its line
  if (text.find("//") == text.npos) return found;
  const Tokens tokens(text);
  const KnownNames names(tokens);
  bool divided = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::size_t line = std::min(text.find('\n', tokens[i].begin), text.size());
    if (!tokens.is(i, "//")) continue;
    const bool word = tokens[i + 1].kind == Token::Kind::word && (tokens[i + 2].first || i + 2 >= tokens.size() - 1);
    const bool division = divides(tokens, names, i);
    divided = divided || (division && !word);
    if (division && !word) continue;
    const bool apart = i > 0 && tokens[i].begin > tokens[i - 1].end + 1;  // two blanks before it
    (division && !apart ? possible : found).push_back(tokens[i].begin);
    while (i + 1 < tokens.size() && tokens[i + 1].begin < line) ++i;
  }
  // A file has one use of the sign, as a rule.
  if (!found.empty() && !divided) found.insert(found.end(), possible.begin(), possible.end());
  std::sort(found.begin(), found.end());
  return found;
}

void comments(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames names(tokens);
  const std::string_view text = tokens.text();
  fences(window, out);
  for (std::size_t i = window.begin; i < window.end; ++i) signs(window, names, i, out), markup(window, i, out);
  // /* … */, which is between the tokens
  const std::size_t last = std::min(window.end, tokens.size() - 1);
  for (std::size_t at = text.find("/*", window.begin > 0 ? tokens[window.begin - 1].end : 0); at < tokens[last].begin;
       at = text.find("/*", at + 2)) {
    const std::size_t end = text.find("*/", at + 2);
    if (end == text.npos) break;
    std::string lines = "#";
    for (const char c : text.substr(at + 2, end - at - 2)) {
      lines += c;
      if (c == '\n') lines += '#';
    }
    while (lines.back() == ' ') lines.pop_back();
    const std::size_t next = text.find_first_not_of(" \t\r", end + 2);
    const bool alone = next == text.npos || text[next] == '\n';
    out.add(at, alone ? end + 2 : next, lines + (alone ? "" : "\n"), true);
  }
  second_line(window, out);
}

}  // namespace assay::mending
