// Gates whose conditions stand in a block, one below the other: all of them have to hold. Errors that are raised.
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <string>
#include <vector>

namespace assay::mending {
namespace {

bool joins(std::string_view shown) { return among(shown, {"and", "or", "&&", "||"}); }

// The conditions between two braces: one a line, or divided by commas or semicolons. Empty: they are something else.
std::vector<Span> conditions_in(const Tokens& tokens, Span inside) {
  std::vector<Span> result;
  std::size_t begin = inside.begin;
  for (std::size_t i = inside.begin; i <= inside.end; i = tokens.behind(i)) {
    const bool divides = i == inside.end || among(tokens[i].shown, {",", ";"});
    const bool listed = among(tokens[inside.begin].shown, {"-", "*", "•"}) && tokens.is(i, tokens[inside.begin].shown);
    const bool line =
        i < inside.end && i > begin && tokens[i].first && tokens.ends_value(i - 1) &&
        (listed || ((tokens[i].value() || tokens.opens(i)) && !joins(tokens[i].shown) && !joins(tokens[i - 1].shown)));
    if (i < inside.end && (tokens[i].starts || among(tokens[i].shown, {"=", ":", "=>", "->", "|", "when", "if"})))
      return {};
    if (!divides && !line) continue;
    if (i > begin) result.push_back({begin, i});
    begin = line ? i : i + 1;
  }
  return result;
}

std::string on_one_line(const Tokens& tokens, Span span) {
  std::string line;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const bool gap = i > span.begin && tokens[i].begin > tokens[i - 1].end;
    line += (gap ? " " : "") + std::string(tokens[i].shown);
  }
  return line;
}

}  // namespace

void gates_in_blocks(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.code.starts_with("E01") && window.problem.code != "E0401") return;  // { a, b } is a record
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts || !tokens.is(i, "gate") || tokens[i + 1].kind != Token::Kind::word) continue;
    std::size_t open = i + 2;
    std::string text;
    if (tokens[open].is_text()) text = as_text(std::string(tokens[open++].shown));
    if (among(tokens[open].shown, {"=", ":"})) ++open;
    if (!tokens.is(open, "{") || tokens[open].partner == kNone) continue;
    const std::size_t close = tokens[open].partner;
    std::vector<Span> conditions = conditions_in(tokens, {open + 1, close});
    const auto lone_text = [&tokens](Span span) { return span.begin + 1 == span.end && tokens[span.begin].is_text(); };
    if (text.empty() && !conditions.empty() && lone_text(conditions.back())) {
      text = as_text(std::string(tokens[conditions.back().begin].shown));
      conditions.pop_back();
    }
    if (conditions.size() < 2) continue;
    std::size_t end = close + 1;
    if (text.empty() && tokens[end].is_text()) text = as_text(std::string(tokens[end++].shown));
    const std::string said = " " + in_lower_case(text) + " ";
    const bool one = said.find(" or ") != said.npos || said.find("either") != said.npos;  // is enough
    const std::string_view joint = one ? " or " : " and ", other = one ? " and " : " or ";
    std::string all;
    for (Span span : conditions) {
      if (among(tokens[span.begin].shown, {"-", "*", "•"}) && tokens[span.begin].first) ++span.begin;  // of a list
      if (span.empty()) continue;
      const std::string written = on_one_line(tokens, span);
      const bool choice = written.find(other) != written.npos;
      all += (all.empty() ? std::string() : std::string(joint)) + (choice ? "(" + written + ")" : written);
    }
    out.add(tokens[i].begin, tokens[end - 1].end,
            "gate " + std::string(tokens[i + 1].shown) + " = " + all + (text.empty() ? "" : " " + text), !one);
  }
}

// raise "It ends before it begins" unless ends > begins: the record is wrong, and where, its first input says.
void raised_errors(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code != "E0107") return;
  const std::size_t i = window.at;
  if (!among(in_lower_case(tokens[i].shown), {"raise", "throw", "abort"})) return;
  std::size_t text = i + 1;  // new ValueError("…")
  while (text < i + 5 && !tokens[text].is_text()) ++text;
  if (!tokens[text].is_text()) return;
  std::size_t word = text + 1;
  if (tokens.is(word, ")")) ++word;
  if (!among(tokens[word].shown, {"unless", "if", "when"}) || tokens[word].first) return;
  std::size_t end = word + 1;
  std::string path;
  while (tokens[end].kind != Token::Kind::end && !tokens[end].first && !tokens.closes(end)) {
    if (path.empty() && tokens.declaration({"input"}, tokens[end].shown) != kNone) path = tokens[end].shown;
    end = tokens.behind(end);
  }
  if (path.empty() || end == word + 1) return;
  const std::string condition(tokens.text(word + 1, end - 1));
  out.add(tokens[i].begin, tokens[end - 1].end,
          "check " + (tokens.is(word, "unless") ? condition : negated_text(condition)) + " at " + path + " " +
              as_text(tokens[text].shown),
          true);
}

}  // namespace assay::mending
