// Declarations about all records of a run that stand outside of a cohort, where 'records' has no meaning.
#include "lang/mend/mend.hpp"

#include <string>

namespace assay::mending {
namespace {

// Whether a declaration from token `begin` to `end` reads the verdicts of the run.
bool reads_records(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens.is(i, "records") && !tokens.is(i - 1, ".") && tokens[i].kind == Token::Kind::word) return true;
  }
  return false;
}

// The token behind the declaration that begins at `begin`.
std::size_t end_of_declaration(const Tokens& tokens, std::size_t begin) {
  std::size_t end = begin + 1;
  while (tokens[end].kind != Token::Kind::end && !tokens.closes(end) && !(tokens[end].first && tokens[end].starts))
    end = tokens.behind(end);
  return end;
}

// The brace of the only cohort; kNone: there is none, or there are several.
std::size_t only_cohort(const Tokens& tokens) {
  std::size_t found = kNone;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, "cohort") || !tokens.is(i + 1, "{") || tokens.is(i - 1, "expect")) continue;
    if (found != kNone) return kNone;
    found = i + 1;
  }
  return found;
}

// The declaration moves into the cohort, or becomes one.
void move_into_cohort(const Tokens& tokens, std::size_t begin, Proposals& out) {
  const std::size_t end = end_of_declaration(tokens, begin), cohort = only_cohort(tokens);
  const std::string_view text = tokens.text();
  std::size_t line = tokens[begin].begin;
  while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
  std::string declaration(tokens.text(begin, end - 1));
  const std::string indent(text.substr(line, tokens[begin].begin - line));
  if (cohort == kNone) {
    if (!tokens.is(begin, "output") || !tokens[begin].first) return;
    const std::string deeper = "\n" + indent + "  ";
    return out.add(tokens[begin].begin, tokens[end - 1].end, "cohort {" + deeper + declaration + "\n" + indent + "}",
                   false);
  }
  if (begin > cohort && begin < tokens[cohort].partner) return;
  if (!tokens[begin].first || !tokens[end].first) return;
  const std::size_t first = tokens[cohort + 1].begin;
  std::size_t start = first;
  while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t')) --start;
  const bool lines = tokens[cohort + 1].first && cohort + 1 != tokens[cohort].partner;
  const std::string gap = lines ? "\n" + std::string(text.substr(start, first - start)) : " ";
  // The line goes with its comment and its end, so that the next one takes its place.
  std::size_t behind = tokens[end - 1].end;
  std::size_t next = std::min(text.find_first_not_of(" \t", behind), text.size());
  if (text.substr(next, 1) == "#" && !lines) return;
  if (text.substr(next, 1) == "#") {
    const std::size_t comment = behind;
    behind = next = std::min(text.find('\n', next), text.size());
    declaration += text.substr(comment, behind - comment);
  }
  if (text.substr(next, 1) == "\n") behind = std::min(text.find_first_not_of(" \t", next + 1), tokens[end].begin);
  out.add_here({out.edit(tokens[begin].begin, behind, ""), out.edit(first, first, declaration + gap)});
}

}  // namespace

// let scores = [r.score for r in records] above the cohort that uses it
void values_of_runs(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code != "E0301") return;
  std::size_t begin = window.at;
  if (tokens.is(window.at, "records")) {
    while (begin > 0 && !tokens[begin].starts) --begin;
  } else {  // a name that such a value has
    begin = tokens.declaration({"let"}, tokens[window.at].shown);
    if (begin == kNone || !reads_records(tokens, begin, end_of_declaration(tokens, begin))) return;
  }
  if (among(tokens[begin].shown, {"let", "output"})) move_into_cohort(tokens, begin, out);
}

}  // namespace assay::mending
