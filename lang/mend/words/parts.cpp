// Parts of examples, texts and declarations that are there but joined in another way: an arrow before what an example
// expects, a record without its braces, the decimals of a value in a text, the index of a list in round brackets.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"

#include <string>
#include <string_view>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

bool is_example(const Tokens& tokens, std::size_t i) { return tokens.is(tokens.head(i), "example"); }

// given { … } => { score: 8 }, given { … } -> 8
void arrows(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.at > 0 ? window.at - 1 : 0; i <= window.at; ++i) {
    std::size_t next = i + 1;
    const bool apart = tokens.is(i, "-") && tokens.is(next, ">") && tokens[next].begin == tokens[i].end;
    if (apart) ++next;
    if (i == 0 || !tokens.is(i - 1, "}") || !(apart || among(tokens[i].shown, {"=>", "->", "→", "="}))) continue;
    if (!is_example(tokens, i)) continue;
    if (tokens.is(next, "{")) return out.add(tokens[i].begin, tokens[next].begin, "expect ", true);
    if (tokens[next].kind == Kind::number)
      return out.add(tokens[i].begin, tokens[next].end, "expect { score: " + std::string(tokens[next].shown) + " }",
                     true);
  }
}

// given taste: 8, colour: 7 expect score: 8
void lost_braces(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t open = tokens.head(window.at);
  if (!tokens.is(open, "example") || !tokens.is(open + 2, "{") || tokens[open + 2].partner == kNone) return;
  std::vector<Edit> edits;
  for (std::size_t i = open + 3; i < tokens[open + 2].partner; i = tokens.behind(i)) {
    if (!among(tokens[i].shown, {"given", "expect"}) || tokens[i + 1].kind != Kind::word || !tokens.is(i + 2, ":"))
      continue;
    std::size_t end = i + 1;
    while (end < tokens[open + 2].partner &&
           !(among(tokens[end].shown, {"given", "expect"}) && !tokens.is(end + 1, ":")))
      end = tokens.behind(end);
    edits.push_back(out.edit(tokens[i + 1].begin, tokens[i + 1].begin, "{ "));
    edits.push_back(out.edit(tokens[end - 1].end, tokens[end - 1].end, " }"));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// error n, expect { error n }, expect { error: n }
void errors_of_examples(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.at > 1 ? window.at - 2 : 0; i <= window.at + 1; ++i) {
    if (!tokens.is(i, "error") || i == 0 || !is_example(tokens, i)) continue;
    const std::size_t path = i + (among(tokens[i + 1].shown, {"at", ":", "in", "on", "="}) ? 2 : 1);
    if (!tokens[path].value() || tokens[path].first) continue;
    const std::size_t end = tokens.operand(path);
    const std::string path_text = tokens[path].is_text()
                                      ? std::string(tokens[path].shown.substr(1, tokens[path].shown.size() - 2))
                                      : std::string(tokens.text(path, end - 1));
    const bool braces = tokens.is(i - 1, "{") && i > 1 && tokens.is(i - 2, "expect") && tokens.is(end, "}");
    const std::size_t from = braces ? tokens[i - 2].begin : tokens[i].begin;
    const std::size_t to = braces ? tokens[end].end : tokens[end - 1].end;
    if (tokens.text().substr(from, to - from) != "error at " + path_text)
      return out.add(from, to, "error at " + path_text, true);
  }
}

// "{n:2}", "{n, 2}", "{n decimals: 2}", n.decimals(2)
void decimals_of_values(const Window& window, Proposals& out) {
  const std::string_view text = window.tokens.text();
  const std::size_t at = window.problem.at.offset;
  const std::string_view message = window.problem.message.str();
  if (at < text.size() && (text[at] == ':' || text[at] == ',') && message.starts_with("expected ")) {
    const std::size_t digits = text.find_first_not_of(' ', at + 1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
    const std::size_t before = at == 0 ? at : text.find_last_not_of(' ', at - 1);
    constexpr std::string_view kWord = "decimals";
    const bool said = before != text.npos && before + 1 >= kWord.size() &&
                      text.substr(before + 1 - kWord.size(), kWord.size()) == kWord;
    if (digits != text.npos && end > digits && end - digits <= 2 && end < text.size() && text[end] == '}')
      return out.add(at, end, (said ? " " : " decimals ") + std::string(text.substr(digits, end - digits)), true);
  }
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.at > 2 ? window.at - 3 : 0; i <= window.at; ++i) {
    const bool call = tokens.is(i, ".") && tokens.is(i + 1, "decimals") && tokens.is(i + 2, "(") &&
                      tokens[i + 3].kind == Kind::number && tokens.is(i + 4, ")");
    if (call) out.add(tokens[i].begin, tokens[i + 4].end, " decimals " + std::string(tokens[i + 3].shown), true);
  }
}

// xs(0), of a list; xs[0][price], of its fields
void indices(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  const std::size_t i = window.at;
  if (window.problem.code == "E0302" && tokens.is(i + 1, "(") && tokens[i + 1].partner != kNone &&
      (known.shape(tokens[i].shown) == Shape::list || known.shape(tokens[i].shown) == Shape::records)) {
    const std::size_t close = tokens[i + 1].partner;
    if (close == i + 3)
      out.add({out.edit(tokens[i + 1].begin, tokens[i + 1].end, "["),
               out.edit(tokens[close].begin, tokens[close].end, "]")},
              true);
  }
  if (window.problem.code == "E0301" && i > 1 && tokens.is(i - 1, "[") && tokens.is(i + 1, "]") &&
      tokens.is(i - 2, "]") && known.is_field(tokens[i].shown))
    out.add(tokens[i - 1].begin, tokens[i + 1].end, "." + std::string(tokens[i].shown), true);
}

// for x, i in xs, where x has fields: the place comes first.
void place_first(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 4 < window.end; ++i) {
    if (!tokens.is(i, "for") || !tokens.is(i + 2, ",") || !tokens.is(i + 4, "in")) continue;
    const std::string_view item = tokens[i + 1].shown;
    bool fields = false;
    for (std::size_t k = window.begin; k + 1 < window.end; ++k)
      fields = fields || (tokens.is(k, item) && tokens.is(k + 1, "."));
    if (fields)
      out.add(tokens[i + 1].begin, tokens[i + 3].end, std::string(tokens[i + 3].shown) + ", " + std::string(item),
              true);
  }
}

// input q, r: number, text
void types_in_a_row(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = tokens.head(window.at);
  if (!tokens.is(i, "input")) return;
  std::vector<std::string_view> names, types;
  std::size_t k = i + 1;
  for (; tokens[k].kind == Kind::word; k += 2) {
    names.push_back(tokens[k].shown);
    if (!tokens.is(k + 1, ",")) break;
  }
  if (!tokens.is(k + 1, ":")) return;
  for (k += 2; tokens[k].kind == Kind::word; k += 2) {
    types.push_back(tokens[k].shown);
    if (!tokens.is(k + 1, ",")) break;
  }
  if (names.size() < 2 || names.size() != types.size() || !tokens[k + 1].first) return;
  const std::string_view text = tokens.text();
  const std::size_t line = tokens[i].begin == 0 ? 0 : text.rfind('\n', tokens[i].begin - 1) + 1;
  const std::string indent(text.substr(line, tokens[i].begin - line));
  std::string lines;
  for (std::size_t n = 0; n < names.size(); ++n)
    lines += (n == 0 ? "" : "\n" + indent) + "input " + std::string(names[n]) + ": " + std::string(types[n]);
  out.add(tokens[i].begin, tokens[k].end, std::move(lines), true);
}

// context exam { taste weight 50%, look: 40% }: each weight behind its word.
void weights_of_contexts(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t open = tokens.brace_around(window.at);
  if (open == kNone || tokens[open].partner == kNone) return;
  const std::size_t head = tokens.head(open);
  if (!tokens.is(head, "context") || open > head + 3) return;
  std::vector<Edit> edits;
  for (std::size_t i = open + 1; i < tokens[open].partner;) {
    const std::size_t first = i;
    if (tokens.is(i, "weight")) ++i;
    std::size_t end = i;
    while (tokens[end].kind == Kind::word && tokens.is(end + 1, ".")) end += 2;
    if (tokens[end].kind != Kind::word) return;
    const std::string name(tokens.text(i, end));
    i = end + 1;
    while (among(tokens[i].shown, {"weight", ":", "=", "to", "at", "is"})) ++i;
    if (tokens[i].kind != Kind::number) return;
    edits.push_back(out.edit(tokens[first].begin, tokens[i].begin, "weight " + name + " "));
    if (tokens.is(++i, "%")) ++i;
    for (; among(tokens[i].shown, {",", ";"}); ++i) edits.push_back(out.edit(tokens[i].begin, tokens[i].end, ""));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// o isn't missing, n isn't 3
void negations(const Window& window, Proposals& out) {
  const std::string_view text = window.tokens.text(),
                         rest = text.substr(std::min(window.problem.at.offset, text.size()));
  for (const std::string_view word : {"isn't", "isn’t", "isnt", "aren't", "wasn't"}) {
    if (!rest.starts_with(word)) continue;
    const std::size_t next = rest.find_first_not_of(' ', word.size());
    if (next == rest.npos || next == word.size()) return;
    const std::size_t begin = window.problem.at.offset;
    const auto test = [&](std::string_view asked, std::string_view meant) {
      if (!rest.substr(next).starts_with(asked)) return false;
      out.add(begin, begin + next + asked.size(), "is " + std::string(meant), true);
      return true;
    };
    const bool truth = rest.substr(next).starts_with("true") || rest.substr(next).starts_with("false");
    if (!test("missing", "given") && !test("given", "missing") && !truth)
      out.add(begin, begin + word.size(), "!=", true);
  }
}

// advice: "text", advice late "text"; where a = x where b = y
void clauses(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (i > 0 && tokens.is(i - 1, "advice") && tokens[i - 1].first) {
    if (tokens.is(i, ":") && tokens[i + 1].is_text()) out.add(tokens[i].begin, tokens[i].end, "", true);
    const KnownNames known(tokens);
    const bool condition = tokens[i].kind == Kind::word && known.shape(tokens[i].shown) == Shape::condition;
    if (condition && tokens[i + 1].is_text())
      out.add(tokens[i].begin, tokens[i + 1].end,
              std::string(tokens[i + 1].shown) + " when " + std::string(tokens[i].shown), true);
  }
  if (!tokens.is(i, "where") || i == 0) return;
  for (std::size_t k = i; k > 0 && !tokens[k].starts; --k) {
    if (tokens.is(k - 1, "where")) return out.add(tokens[i - 1].end, tokens[i].end, ",", true);
  }
}

// "a" in xs, of a list of records: of their only field that is a text
void text_in_records(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  for (std::size_t i = window.at; i < window.at + 2; ++i) {
    if (!tokens[i].is_text()) continue;
    const std::size_t in = tokens.is(i + 1, "not") ? i + 2 : i + 1, list = in + 1;
    const auto fields = known.fields.find(tokens[list].shown);
    if (!tokens.is(in, "in") || fields == known.fields.end() || tokens.is(list + 1, ".")) continue;
    std::string_view only;
    std::size_t texts = 0;
    for (const std::string_view field : fields->second) {
      if (known.shape(field) == Shape::text) only = field, ++texts;
    }
    if (texts != 1) continue;
    out.add(tokens[i].begin, tokens[list].end,
            (in > i + 1 ? "not any(x." : "any(x.") + std::string(only) + " == " + std::string(tokens[i].shown) +
                " for x in " + std::string(tokens[list].shown) + ")",
            true);
  }
}

// context exam { weight taste 60% }, where nothing says how the others make room: the author decides
void policies_of_weights(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].starts || !tokens.is(i, "context")) continue;
    const std::string_view text = tokens.text();
    const std::size_t line = tokens[i].begin == 0 ? 0 : text.rfind('\n', tokens[i].begin - 1) + 1;
    const std::string indent(text.substr(line, tokens[i].begin - line));
    for (const std::string_view policy : {"rescaled", "exact"})
      out.add(tokens[i].begin, tokens[i].begin, "weights " + std::string(policy) + "\n" + indent, false);
    return;
  }
}

}  // namespace

void joined_parts(const Window& window, Proposals& out) {
  const std::string& code = window.problem.code;
  if (code.starts_with("E01")) {
    arrows(window, out);
    lost_braces(window, out);
    errors_of_examples(window, out);
    decimals_of_values(window, out);
    types_in_a_row(window, out);
    weights_of_contexts(window, out);
    negations(window, out);
    clauses(window, out);
  }
  if (code == "E0310") errors_of_examples(window, out);
  if (code == "E0301" || code == "E0302") indices(window, out);
  if (code == "E0401" || code == "E0402") place_first(window, out), text_in_records(window, out);
  if (code == "E0213") policies_of_weights(window, out);
}

}  // namespace assay::mending
