// Clauses of a loop in another order than the language requires.
#include "lang/mend/mend.hpp"

#include <string>

namespace assay::mending {

// [x for x in xs by higher x.a, lower x.b when x.c]: the order stands behind the other clauses.
void orders_behind(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.code.starts_with("E01")) return;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens.is(i, "by") || tokens[i].starts || tokens[i - 1].starts) continue;
    // The loop that it belongs to, within the same brackets.
    std::size_t back = i;
    while (back > 0 && !tokens.is(back, "for") && !tokens.opens(back - 1) && !tokens[back].starts)
      back = tokens.closes(back - 1) && tokens[back - 1].partner != kNone ? tokens[back - 1].partner : back - 1;
    if (!tokens.is(back, "for")) continue;
    const auto ends = [&tokens](std::size_t k) {
      return tokens[k].kind == Token::Kind::end || tokens.closes(k) || tokens[k].starts || tokens.is(k, "at") ||
             (tokens[k].is_text() && tokens.ends_value(k - 1));
    };
    std::size_t clause = i + 1;
    while (!ends(clause) && !among(tokens[clause].shown, {"when", "where", "while", "for", "with"}))
      clause = tokens.behind(clause);
    std::size_t end = clause;
    while (!ends(end)) end = tokens.behind(end);
    if (ends(clause) || end == clause || clause == i + 1) continue;
    const std::string order(tokens.text(i, clause - 1)), others(tokens.text(clause, end - 1));
    out.add(tokens[i].begin, tokens[end - 1].end, others + " " + order, true);
  }
}

}  // namespace assay::mending
