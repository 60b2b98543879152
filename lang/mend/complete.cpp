// What a declaration lacks, and what stands in the whole rubric: percent signs of weights, braces of a block.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <cstdlib>

namespace assay::mending {
namespace {

// 'weight 25' in a rubric whose weights are percentages.
void percent_signs(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, "weight") || tokens[i + 1].kind != Token::Kind::number) continue;
    const std::string number(tokens[i + 1].shown);
    const double value = std::strtod(number.c_str(), nullptr);
    if (number.back() == '%' || value < 1) continue;
    sum += value;
    edits.push_back(out.edit(tokens[i + 1].end, tokens[i + 1].end, "%"));
  }
  if (sum > 1.5) out.add(std::move(edits), true);
}

// A comment of another language: from '//' or '--' to the end of the line.
void comments(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (tokens.is(i, "//")) {
      out.add(tokens[i].begin, tokens[i].end, "#", true);
      // and all others
      std::vector<Edit> edits;
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        const std::size_t line = std::min(text.find('\n', tokens[k].begin), text.size());
        if (!tokens.is(k, "//")) continue;
        edits.push_back(out.edit(tokens[k].begin, tokens[k].end, "#"));
        while (k + 1 < tokens.size() && tokens[k + 1].begin < line) ++k;
      }
      out.add(std::move(edits), true);
    }
    if (tokens.is(i, "-") && tokens.is(i + 1, "-") && tokens[i].end == tokens[i + 1].begin)
      out.add(tokens[i].begin, tokens[i + 1].end, "#", tokens[i].first);
    if (tokens.is(i, "/*")) {
      const std::size_t end = text.find("*/", tokens[i].end);
      if (end == text.npos) continue;
      std::string lines = "#";
      for (const char c : text.substr(tokens[i].end, end - tokens[i].end)) {
        lines += c;
        if (c == '\n') lines += '#';
      }
      out.add(tokens[i].begin, end + 2, lines, true);
      if (text.substr(end + 2, 1) != "\n") out.add(tokens[i].begin, end + 2, lines + "\n", true);
    }
  }
}

// A block that holds several declarations where the language writes the word before each: 'inputs { a: number … }'.
void blocks(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"inputs", "input"},
                                                                             {"input", "input"},
                                                                             {"fields", "input"},
                                                                             {"params", "input"},
                                                                             {"record", "input"},
                                                                             {"outputs", "output"},
                                                                             {"output", "output"},
                                                                             {"gates", "gate"},
                                                                             {"gate", "gate"},
                                                                             {"flags", "flag"},
                                                                             {"flag", "flag"},
                                                                             {"let", "let"},
                                                                             {"variables", "let"},
                                                                             {"vars", "let"},
                                                                             {"define", "let"},
                                                                             {"dimensions", "dimension"},
                                                                             {"dimension", "dimension"},
                                                                             {"criteria", "criterion"},
                                                                             {"deductions", "deduction"},
                                                                             {"bonuses", "bonus"},
                                                                             {"caps", "cap"},
                                                                             {"checks", "check"},
                                                                             {"types", "type"},
                                                                             {"functions", "fn"},
                                                                             {"lets", "let"},
                                                                             {"deduction", "deduction"},
                                                                             {"bonus", "bonus"},
                                                                             {"penalties", "deduction"},
                                                                             {"advice", "advice"}};
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const bool colon = tokens.is(i + 1, ":") || tokens.is(i + 1, "=");
    const std::size_t open = colon ? i + 2 : i + 1;
    if (!tokens.is(open, "{") || tokens[open].partner == kNone) continue;
    for (const auto& [words, word] : kWords) {
      if (tokens[i].shown != words) continue;
      // Each line is a declaration; or what commas and semicolons divide.
      for (const bool commas : {false, true}) {
        std::vector<Edit> edits{out.edit(tokens[i].begin, tokens[open].end, "")};
        bool first = true;
        for (std::size_t k = open + 1; k < tokens[open].partner; k = tokens.behind(k)) {
          const bool divides = tokens.is(k, ";") || tokens.is(k, ",");
          if (divides && (commas || (k + 1 < tokens.size() && tokens[k + 1].first) || k + 1 == tokens[open].partner)) {
            edits.push_back(out.edit(tokens[k].begin, tokens[k].end, commas ? "\n" : ""));
            first = true;
            continue;
          }
          if (((tokens[k].first && !commas) || first) && tokens[k].shown != word)
            edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, std::string(word) + " "));
          first = false;
        }
        const Token& close = tokens[tokens[open].partner];
        edits.push_back(out.edit(close.begin, close.end, ""));
        out.add(std::move(edits), true);
      }
    }
  }
}

// A name that no sign of the language may stand in, everywhere: 'code-quality' → code_quality.
void names(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (tokens[i].kind != Token::Kind::word || !tokens.is(i + 1, "-") || tokens[i].end != tokens[i + 1].begin ||
        tokens[i + 1].end != tokens[i + 2].begin || tokens[i + 2].kind != Token::Kind::word)
      continue;
    std::size_t last = i + 2;
    while (tokens.is(last + 1, "-") && tokens[last + 1].begin == tokens[last].end &&
           tokens[last + 2].kind == Token::Kind::word && tokens[last + 2].begin == tokens[last + 1].end)
      last += 2;
    const std::string_view name = tokens.text(i, last);
    std::vector<Edit> edits;
    for (std::size_t at = tokens.text().find(name); at != std::string_view::npos;
         at = tokens.text().find(name, at + 1)) {
      std::string better(name);
      for (char& c : better) c = c == '-' ? '_' : c;
      edits.push_back(out.edit(at, at + name.size(), std::move(better)));
      if (edits.size() > 500) break;
    }
    out.add(std::move(edits), true);
  }
}

// The same word in the whole text: a sign of another language stands in more than one place.
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
  if (first + 1 >= tokens.size()) return;
  const std::size_t at = tokens[first].begin, end = tokens.text().size();
  out.add({out.edit(at, at, "rubric main {\n"), out.edit(end, end, "\n}\n")}, false);
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

// A word of the language with a slip in it, at the problem or right before it.
void spelling(const Window& window, Proposals& out) {
  static const std::vector<std::string_view> kWords = {
      "and",       "or",         "not",       "when",  "else",     "default",  "missing",  "otherwise", "decimals",
      "where",     "with",       "while",     "then",  "optional", "required", "weight",   "points",    "advisory",
      "from",      "extends",    "higher",    "lower", "given",    "expect",   "error",    "number",    "whole",
      "text",      "bool",       "list",      "level", "skip",     "exact",    "rescaled", "open",      "rubric",
      "import",    "dimension",  "criterion", "input", "output",   "let",      "gate",     "flag",      "advice",
      "bands",     "table",      "deduction", "bonus", "cap",      "check",    "example",  "cohort",    "context",
      "composite", "incomplete", "version",   "scale", "weights",  "history",  "rank",     "type",      "hook"};
  if (window.problem.code.substr(0, 3) != "E01") return;  // elsewhere the words are the author's names
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.at > 1 ? window.at - 2 : 0; i <= window.at + 1 && i < window.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::word || is_reserved(token.shown) || token.shown.size() < 3) continue;
    const std::string_view near = nearest(token.shown, kWords);
    if (!near.empty() && near != token.shown && near.size() + 2 >= token.shown.size())
      out.add(token.begin, token.end, std::string(near), token.shown.size() > 3);
  }
}

// A text of UTF-16 with its mark, as UTF-8.
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

// What the code of the problem itself asks for.
void by_code(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string& code = window.problem.code;
  const std::size_t at = window.problem.at.offset, i = window.at;
  const std::string_view text = tokens.text();
  if (code == "E0105") out.add(at, at, "\\", true);  // a backslash for itself
  if (code == "E0108" && tokens[i].kind == Token::Kind::word) out.add(tokens[i].end, tokens[i].end, "_value", false);
  if (code == "E0112" && (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF")) {
    out.add(0, text.size(), from_utf16(text), true);
  } else if (code == "E0112") {  // a control character, or a byte that is not UTF-8
    const auto byte = static_cast<unsigned char>(at < text.size() ? text[at] : ' ');
    if (byte < 0x20 || byte == 0x7F) out.add(at, at + 1, "", true);
  }
  if (code == "E0114") {
    for (std::size_t k = window.begin; k < window.end; ++k) {
      if (tokens[k].kind != Token::Kind::text || tokens[k].begin > at || tokens[k].end < at) continue;
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
    if (end > i + 1) out.add(tokens[i - 1].end, tokens[end - 1].end, "", true);
  }
  if (code == "E0405" || code == "W0706") {  // 5..1; 0-5 for a range
    for (std::size_t k = window.begin; k + 2 < window.end; ++k) {
      const bool numbers = tokens[k].kind == Token::Kind::number && tokens[k + 2].kind == Token::Kind::number;
      if (!numbers || tokens[k + 2].end < at || tokens[k].begin > at + window.problem.at.bytes) continue;
      const std::string low(tokens[k].shown), high(tokens[k + 2].shown);
      if (tokens.is(k + 1, "..") && code == "E0405")
        out.add(tokens[k].begin, tokens[k + 2].end, high + ".." + low, false);
      if (tokens.is(k + 1, "-") && code == "W0706")
        out.add(tokens[k].begin, tokens[k + 2].end, low + ".." + high, false);
    }
  }
}

}  // namespace

void complete(const Window& window, Proposals& out) {
  by_code(window, out);
  quotation_marks(window, out);
  spelling(window, out);
  comments(window, out);
  blocks(window, out);
  names(window, out);
  percent_signs(window, out);
  rubric_around(window, out);
}

}  // namespace assay::mending
