// Fixes for missing commas, unclosed brackets and texts, and for superfluous closing brackets.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/placements.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::mending {
namespace {

std::string_view closing(std::string_view open) { return open == "(" ? ")" : open == "[" ? "]" : "}"; }

// After the last token of the line of token i, or before a text that ends the line.
std::size_t last_of_line(const Tokens& tokens, std::size_t i) {
  while (i + 1 < tokens.size() && !tokens[i + 1].first && tokens[i + 1].kind != Token::Kind::end) ++i;
  return i;
}

std::size_t end_of_line(const Tokens& tokens, std::size_t i, std::size_t last, bool before_text) {
  if (before_text && last > i && tokens[last].kind == Token::Kind::text) --last;
  return tokens[last].end;
}

// Whether the brace opens a record or an example inside a line, not a block of declarations.
bool inline_block(const Tokens& tokens, std::size_t open) { return !tokens[open + 1].first; }

// A text over several lines as one: the first quotation mark below it ends it, and those behind it are pairs.
std::vector<Edit> joined_lines(const Tokens& tokens, std::size_t end, const Proposals& out) {
  constexpr int kMost = 6;  // lines
  const std::string_view text = tokens.text();
  std::vector<Edit> edits;
  for (std::size_t line = text.find('\n', end); line != text.npos && edits.size() < kMost;
       line = text.find('\n', line + 1)) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t", line + 1), text.size());
    const std::size_t behind = std::min(text.find('\n', begin), text.size());
    const std::size_t words = text.find_last_not_of(" \t\r", line - 1) + 1;
    const std::string_view rest = text.substr(begin, behind - begin);
    const std::size_t first = tokens.at(begin);
    if (rest.empty() || rest[0] == '}' ||
        (first < tokens.size() && tokens[first].starts && tokens[first].begin == begin))
      return {};
    edits.push_back(out.edit(words, begin, " "));
    if (const std::size_t quote = rest.find('"'); quote != rest.npos)
      return std::count(rest.begin() + static_cast<std::ptrdiff_t>(quote), rest.end(), '"') % 2 == 1
                 ? edits
                 : std::vector<Edit>();
  }
  return {};
}

}  // namespace

// factor(level), of a value that is a record or a map: factor[level].
void values_as_calls(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view name = tokens[window.at].shown;
  const std::size_t declared = tokens.declaration({"let", "input"}, name);
  if (declared == kNone) return;
  const bool literal = tokens.is(declared + 2, "=") && tokens.is(declared + 3, "{");
  const Shape shape = KnownNames(tokens).shape(name);
  if (!literal && shape != Shape::map && shape != Shape::record) return;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::size_t close = tokens[i + 1].partner;
    if (!tokens.is(i, name) || !tokens.is(i + 1, "(") || close == kNone || tokens[i].end != tokens[i + 1].begin ||
        close == i + 2 || (i > 0 && tokens.is(i - 1, ".")))
      continue;
    edits.push_back(out.edit(tokens[i + 1].begin, tokens[i + 1].end, "["));
    edits.push_back(out.edit(tokens[close].begin, tokens[close].end, "]"));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// min[a, b], max{a, b}: the brackets of a call
void call_brackets(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    const bool opens = (tokens.is(i + 1, "[") || tokens.is(i + 1, "{")) && tokens[i + 1].partner != kNone &&
                       tokens[i].end == tokens[i + 1].begin;
    if (!opens ||
        !among(tokens[i].shown, {"min", "max", "sum", "mean", "round", "clamp", "abs", "any", "all", "count"}))
      continue;
    const Token& close = tokens[tokens[i + 1].partner];
    out.add({out.edit(tokens[i + 1].begin, tokens[i + 1].end, "("), out.edit(close.begin, close.end, ")")}, true);
  }
}

// Between the items of a list, a record or the arguments of a call: [1 2], { a: 1 b: 2 }
void missing_commas(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.message.str().starts_with("expected ','") || window.at == 0) return;
  std::size_t open = window.at;
  while (open-- > 0 && !(tokens.opens(open) && tokens[open].partner != kNone && tokens[open].partner >= window.at)) {
    if (open == 0) return;
  }
  const bool call = open > 0 && tokens[open - 1].kind == Token::Kind::word &&
                    (tokens[open - 1].end == tokens[open].begin || tokens.is(open - 1, "of"));
  if (tokens.is(open, "(") && !call) return;
  const KnownNames names(tokens);
  const auto begins = [&](std::size_t k) {
    const Token& t = tokens[k];
    if (tokens.opens(k)) return t.begin > tokens[k - 1].end;
    if (t.kind != Token::Kind::word) return t.value();
    return !is_reserved(t.shown) || among(t.shown, {"true", "false", "missing", "not"});
  };
  std::vector<Edit> edits;
  for (std::size_t k = tokens.behind(open + 1); k < tokens[open].partner; k = tokens.behind(k)) {
    if (!tokens.ends_value(k - 1) || !begins(k)) continue;
    const bool unit = tokens[k - 1].kind == Token::Kind::number && tokens[k].kind == Token::Kind::word &&
                      !tokens.is(k + 1, ":") && !names.declares(tokens[k].shown);
    if (unit) return;  // 5 days
    // { site 70% }: a colon is missing
    if (tokens.is(open, "{") && tokens[k - 1].kind == Token::Kind::word && (k - 2 == open || tokens.is(k - 2, ",")))
      return;
    for (const std::size_t w : {k - 1, k}) {  // 'max(lines by price)' is something else
      const bool free = tokens[w].kind == Token::Kind::word && !tokens.is(w + 1, ":") && !tokens.is(w + 1, "(") &&
                        !names.declares(tokens[w].shown) && names.bound.count(tokens[w].shown) == 0 &&
                        !is_reserved(tokens[w].shown) && !tokens.is(w - 1, ".");
      if (free) return;
    }
    edits.push_back(out.edit(tokens[k - 1].end, tokens[k - 1].end, ","));
  }
  // min(5 10 * days, 20): of any number of values one may be left over from before
  std::size_t values = edits.size() + 1;
  for (std::size_t k = tokens.behind(open); k > open + 1; --k) values += tokens.is(k - 1, ",") ? 1 : 0;
  const bool any = call && among(tokens[open - 1].shown, {"min", "max"}) && values > 2;
  if (!edits.empty()) out.add(std::move(edits), !any);
}

void close_brackets(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  // A superfluous bracket is reported far after it, a missing one before the end of its block.
  constexpr std::size_t kFar = 250;  // tokens
  // Of brackets that are as many as their partners none is missing: to add one only hides what follows.
  const auto lacks = [&tokens](std::string_view open) {
    std::ptrdiff_t depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      depth += tokens.is(i, open) ? 1 : tokens.is(i, closing(open)) ? -1 : 0;
    return depth > 0;
  };
  const bool lacking[] = {lacks("("), lacks("["), lacks("{")};
  const auto may_close = [&lacking](std::string_view open) { return lacking[open == "(" ? 0 : open == "[" ? 1 : 2]; };
  const std::size_t from = window.at > kFar ? window.at - kFar : 0, to = std::min(window.at + kFar, tokens.size() - 1);
  std::size_t last = 0;  // token of the line of i
  std::size_t line_before = window.at > 0 ? window.at - 1 : 0;
  while (line_before > 0 && !tokens[line_before].first) --line_before;
  for (std::size_t i = from; i < to; ++i) {
    const Token& token = tokens[i];
    if (i == from || i > last) last = last_of_line(tokens, i);
    // The bracket before the problem, of which the partner belongs to another one.
    const bool unpaired = (tokens[window.at].first || tokens[window.at + 1].first) && i >= line_before &&
                          i < window.at && token.partner > window.at;
    if (tokens.opens(i) && (token.partner == kNone || token.partner >= window.end || unpaired) &&
        may_close(token.shown)) {
      const std::string close(closing(token.shown));
      std::size_t stop = last + (tokens[last].kind == Token::Kind::text ? 0 : 1);
      for (std::size_t k = i + 1; k < stop; k = tokens.behind(k)) stop = tokens.is(k, "default") ? k : stop;
      const std::vector<std::size_t> places =
          close == ")" ? closing_places(tokens, i, stop) : std::vector<std::size_t>();
      const bool certain = places.empty();
      for (const std::size_t k : places) out.add_choice(tokens[k].end, tokens[k].end, close);
      // A block of lines ends before the next declaration that begins a line.
      int tries = 0;
      for (std::size_t k = i + 1; close == "}" && k < tokens.size() && tries < 8; ++k) {
        if (!tokens[k].starts || !tokens[k].first) continue;
        out.add(tokens[k - 1].end, tokens[k - 1].end, "\n  }", true);
        ++tries;
      }
      // clamp(max(a, b, 0..10): in front of a comma, from the last one on
      for (std::size_t k = last; close != "}" && k > i + 1; --k) {
        if (tokens.is(k, ",")) out.add_here({out.edit(tokens[k - 1].end, tokens[k - 1].end, close)});
      }
      // a / (b + c default 0: the whole quotient may be missing, and a sum hardly
      for (std::size_t k = i + 2; close == ")" && k <= last; k = tokens.behind(k)) {
        if (tokens.is(k, "default")) out.add(tokens[k - 1].end, tokens[k - 1].end, close, certain);
      }
      // Where the next declaration begins, at the end of the line, before a text there, and where the problem is.
      for (const bool before_text : {true, false}) {
        const std::size_t at = end_of_line(tokens, i, last, before_text);
        if (certain) out.add(at, at, (close == "}" ? " " : "") + close, true);
        else out.add_choice(at, at, close);
      }
      // A block ends with a line: a '}' inside a line would only hide what follows.
      const Token& here = tokens[window.at];
      if (window.at > i && (close != "}" || here.first || here.kind == Token::Kind::end || inline_block(tokens, i))) {
        const std::size_t before = tokens[window.at - 1].end;
        out.add(before, before, close, close != "}" && certain);
      }
      if (window.at > i && tokens[window.at + 1].first &&
          (close != "}" || inline_block(tokens, i))) {  // the problem is reported at the token that ends the line
        out.add(here.end, here.end, close == "}" ? " }" : close, certain);
        if (token.partner != kNone || close == "}") out.add(here.end, here.end, ",", true);
      }
      for (std::size_t k = i + 1; k < std::min(window.end, window.at + 4 * kFar); ++k) {
        if (certain && tokens.closes(k) && tokens[k].shown != close)
          out.add(tokens[k].begin, tokens[k].begin, close, true);
      }
    }
    if (tokens.closes(i) && token.partner == kNone) {
      const std::vector<std::size_t> places =
          tokens.is(i, ")") ? opening_places(tokens, begin_of_value(tokens, i), i) : std::vector<std::size_t>();
      for (const std::size_t k : places) out.add_choice(tokens[k].begin, tokens[k].begin, "(");
      if (places.empty()) out.add(token.begin, token.end, "", true);
      else out.add_choice(token.begin, token.end, "");
      // clamp((a + b) / 2), 0..10): one before it
      for (std::size_t k = std::min(i, window.at); k-- > 0 && !tokens[k + 1].first;) {
        if (tokens[k].shown == token.shown) out.add_here({out.edit(tokens[k].begin, tokens[k].end, "")});
      }
    }
    // A text cut off by the end of its line.
    if (token.kind == Token::Kind::text && (token.shown.size() < 2 || token.shown.back() != '"')) {
      const std::size_t end = token.end;
      if (std::vector<Edit> joined = joined_lines(tokens, end, out); !joined.empty()) out.add(std::move(joined), true);
    }
  }
  // rubric beach "Beaches" without the brace behind it, where the one that closes it is there
  std::ptrdiff_t closed = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) closed += tokens.is(i, "}") ? 1 : tokens.is(i, "{") ? -1 : 0;
  const bool behind = tokens[window.at].first || tokens.is(window.at, "|");
  if (window.problem.message.str().starts_with("expected '{'") && behind && window.at > 0 && closed > 0)
    out.add_here({out.edit(tokens[window.at - 1].end, tokens[window.at - 1].end, " {")});
  // A block cut off by the end of the text.
  const std::size_t end = tokens.text().size();
  if ((tokens[window.at].kind == Token::Kind::end || window.problem.code == "E0103") && may_close("{")) {
    const bool line = end > 0 && tokens.text()[end - 1] == '\n';
    out.add(end, end, line ? "}\n" : "\n}\n", true);
  }
}

}  // namespace assay::mending
