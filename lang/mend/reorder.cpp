// Declarations whose parts are in another order than the language requires: the prose, the clauses after it.
#include "lang/mend/mend.hpp"
#include "lang/syntax/declarations.hpp"

#include <algorithm>

namespace assay::mending {

// output s = b decimals 2 "Interval" where b = t: the names stand behind the expression, before its clauses and its text.
// Where no names can stand, as behind a cap or advice, each becomes a value of its own.
void names_behind(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.code.starts_with("E01")) return;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts) continue;
    const auto names_at = [&tokens](std::size_t k) {
      return tokens.is(k, "where") && tokens[k + 1].kind == Token::Kind::word && tokens.is(k + 2, "=");
    };
    std::size_t at = i + 1;
    while (at < tokens.size() - 1 && !tokens[at].starts && !tokens.closes(at) && !names_at(at)) at = tokens.behind(at);
    if (!names_at(at)) continue;
    // The names, each with its expression.
    std::vector<std::pair<std::size_t, std::size_t>> names;  // the first token, and the one behind the last
    std::size_t end = at;
    while (end == at || tokens.is(end, ",")) {
      const std::size_t name = end + 1;
      if (tokens[name].kind != Token::Kind::word || !tokens.is(name + 1, "=")) break;
      end = name + 2;
      while (end < tokens.size() - 1 && !tokens[end].starts && !tokens.closes(end) && !tokens[end].is_text() &&
             !among(tokens[end].shown, {",", "decimals", "digits", "when", "where"}))
        end = tokens.behind(end);
      names.emplace_back(name, end);
    }
    if (names.empty()) continue;
    const Edit gone = out.edit(tokens[at - 1].end, tokens[end - 1].end, "");
    const bool body = among(
        tokens[i].shown, {"output", "let", "dimension", "criterion", "gate", "deduction", "bonus", "composite", "fn"});
    if (!body) {
      const std::size_t line = tokens.text().rfind('\n', tokens[i].begin) + 1;  // npos + 1 is 0
      const std::string indent(tokens.text().substr(line, tokens[i].begin - line));
      std::string lets;
      for (const auto& [first, last] : names) {
        lets += "let " + std::string(tokens.text(first, last - 1)) +
                (indent.find_first_not_of(" \t") == indent.npos ? "\n" + indent : " ");
        if (tokens.declaration({"let", "input", "dimension", "output"}, tokens[first].shown) != kNone) return;
      }
      out.add({out.edit(tokens[i].begin, tokens[i].begin, std::move(lets)), gone}, true);
      continue;
    }
    // The first clause or text behind the '=', with nothing else behind it.
    std::size_t clause = i + 1;
    while (clause < at && !tokens.is(clause, "=")) clause = tokens.behind(clause);
    const std::size_t value = clause + 1;
    while (clause < at) {
      const bool amount = among(tokens[clause].shown, {"decimals", "digits"}) && clause > value;
      const bool text = tokens[clause].is_text() && tokens.ends_value(clause - 1) && clause > value;
      if (amount || text) break;
      clause = tokens.behind(clause);
    }
    // fn f(a, b) where s = a + b = a / s: no '=' before the names, so the value stands behind the last of them.
    std::string value_behind;
    if (clause >= at) {
      auto& [name, last] = names.back();
      std::size_t second = name + 2;
      while (second < last && !tokens.is(second, "=")) second = tokens.behind(second);
      if (second + 1 >= last) continue;
      value_behind = " " + std::string(tokens.text(second, last - 1));
      last = second;
      clause = at;
    }
    std::string all = value_behind + " where ";
    for (const auto& [first, last] : names)
      all += (first == names.front().first ? "" : ", ") + std::string(tokens.text(first, last - 1));
    const std::size_t gap = tokens[clause - 1].end;
    out.add({out.edit(gap, gap, std::move(all)), gone}, true);
  }
}

void reorder(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts) continue;
    std::size_t end = i + 1;
    // A line that stands no deeper is another declaration, which cannot be read yet.
    const auto column_of_token = [&tokens](std::size_t k) {
      const std::string_view before = tokens.text().substr(0, tokens[k].begin);
      return before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
    };
    const std::size_t column = column_of_token(i);
    const auto beside = [&](std::size_t k) {
      return tokens[k].first && tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) &&
             column_of_token(k) <= column;
    };
    while (end < tokens.size() - 1 && !tokens[end].starts && !beside(end) &&
           !(tokens[end].first && find_declaration(tokens[end].shown) != nullptr) &&
           !(tokens.closes(end) && tokens[end].partner < i))
      end = tokens.behind(end);
    if (end > tokens.size() - 1) end = tokens.size() - 1;
    // An import inside a rubric moves to the top of the file.
    if (tokens[i].shown == "import" && tokens[i + 1].kind == Token::Kind::text) {
      const std::string_view text = tokens.text();
      const std::size_t next = text.find_first_not_of(" \t\r", tokens[i + 1].end);
      const bool line = tokens[i].first && next != text.npos && text[next] == '\n';  // which goes with its end
      const std::size_t from = line && i > 0 ? text.rfind('\n', tokens[i].begin) + 1 : tokens[i].begin;
      const std::size_t to = line ? next + 1 : tokens[i + 1].end;
      out.add({out.edit(0, 0, std::string(tokens.text(i, i + 1)) + "\n"), out.edit(from, to, "")}, true);
    }
    // A text in the middle moves to the end, one at the end after the name. That of an example is its name, advice begins
    // with it, and a level has nothing else.
    const bool begins = tokens.is(i, "example") || tokens.is(i, "advice") || tokens.is(i, "level");
    const bool keyed = tokens.is(i, "input") || tokens.is(i, "output");  // which may be a text
    for (std::size_t k = keyed ? i + 2 : i + 1; k < end && !begins; k = tokens.behind(k)) {
      if (tokens[k].kind != Token::Kind::text) continue;
      if (among(tokens[k - 1].shown, {"else", "when", "==", "!=", "in", "+", "default", "and", "or", "not", "as"}))
        continue;  // an operand
      if (k == i + 1 && among(tokens[i].shown, {"deduction", "bonus", "flag"}) &&
          among(tokens[k + 1].shown, {"=", "when", "for"}))
        continue;  // its name
      const std::string text(tokens[k].shown);
      if (text.starts_with("\" ") || text.ends_with(" \"")) continue;  // a part of a text
      const std::size_t gap = tokens[k - 1].end;
      bool other_line = false;  // another text there: that line is not of this declaration
      for (std::size_t o = i + 1; o < end; o = tokens.behind(o)) {
        const std::string_view between = tokens.text(std::min(o, k), std::max(o, k));
        other_line = other_line || (o != k && tokens[o].is_text() && between.find('\n') != between.npos);
      }
      if (other_line) continue;
      // Exchanging two texts has no effect, and a scale has none.
      if (tokens[k - 1].kind == Token::Kind::text || tokens[k + 1].kind == Token::Kind::text || tokens.is(i, "scale"))
        continue;
      if (k + 1 < end) {
        const std::size_t last = tokens[end - 1].end;
        out.add({out.edit(gap, tokens[k].end, ""), out.edit(last, last, " " + text)}, true);
      } else if (k > i + 2 && !tokens.is(k - 1, "=")) {  // a text alone behind '=' is the value
        const std::size_t name = tokens[i + 1].end;
        out.add({out.edit(name, name, " " + text), out.edit(gap, tokens[k].end, "")}, true);
      }
    }
    // A clause after the '=' moves before it.
    for (std::size_t k = i + 2; k + 1 < end; k = tokens.behind(k)) {
      if (!tokens.is(k, "=")) continue;
      for (std::size_t c = k + 1; c < end; c = tokens.behind(c)) {
        const bool clause = tokens.is(c, "weight") || tokens.is(c, "points") || tokens.is(c, "advisory");
        if (!clause || (tokens[c + 1].kind != Token::Kind::number && !tokens.is(c, "advisory"))) continue;
        const std::size_t last = tokens.is(c, "advisory") ? c : c + 1;
        const std::size_t before = tokens[k].begin;
        out.add({out.edit(before, before, std::string(tokens.text(c, last)) + " "),
                 out.edit(tokens[c - 1].end, tokens[last].end, "")},
                true);
      }
      break;
    }
  }
}

}  // namespace assay::mending
