// The types of inputs, fields and dimensions, where they are written as in other languages.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/syntax/declarations.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

std::string tight(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t') result += c;
  }
  return result;
}

// Whether the next declaration begins at a token in the same line: input a: number [0, 1) output b = a
bool declares_behind(const Tokens& tokens, std::size_t i) {
  return tokens[i].kind == Kind::word && find_declaration(tokens[i].shown) != nullptr &&
         tokens[i + 1].kind == Kind::word && (tokens.is(i + 2, "=") || tokens.is(i + 2, ":"));
}

// The end of the type that begins at a token: the next field or declaration, or a word that a type cannot have.
std::size_t type_end(const Tokens& tokens, std::size_t begin, bool field, bool dimension) {
  std::size_t i = begin;
  while (i + 1 < tokens.size()) {
    if (i > begin &&
        (tokens[i].starts || (field && tokens[i].first) || declares_behind(tokens, tokens.is(i, ";") ? i + 1 : i)))
      break;
    if (const std::size_t behind = tokens.behind_interval(i); behind != kNone && !dimension) {
      i = behind;
      continue;
    }
    if (tokens.closes(i) && (tokens[i].partner == kNone || tokens[i].partner < begin)) break;
    if (tokens.is(i, "#") || (among(tokens[i].shown, {"measured", "judged"}) && !tokens.is(i - 1, "not"))) break;
    if (dimension && among(tokens[i].shown, {"weight", "points", "advisory", "missing"})) break;
    if (dimension && tokens.is(i, "=") && i > begin) break;
    if (dimension && i > begin && tokens[i].kind == Kind::number && tokens[i].shown.back() == '%') break;
    if (field && tokens.is(i, ",")) break;
    if (tokens[i].kind == Kind::text && i > begin && (i + 1 >= tokens.size() - 1 || tokens[i + 1].first) &&
        !among(tokens[i - 1].shown, {"=", "default", "DEFAULT", ":", ",", "|", "or", "/", "of", ":="}))
      break;  // the prose
    // a '<' is a bracket here
    i = tokens.behind(i);
  }
  return i;
}

// Lines of texts or names with a bullet each, as YAML lists them: one of them; empty: something else. `end`: behind them.
std::string listed_choices(const Tokens& tokens, std::size_t begin, std::size_t& end) {
  std::string all;
  const std::size_t head = begin + (tokens.is(begin, "one") && tokens.is(begin + 1, "of") ? 2 : 1);
  if (tokens[begin].first && tokens.is(head, ":") &&
      among(tokens[begin].shown, {"one", "one_of", "enum", "values", "options", "choices", "oneof", "oneOf"}))
    begin = head + 1;  // one of: and a list below it
  for (end = begin; tokens[end].first && among(tokens[end].shown, {"-", "*", "•"}); ++end) {
    std::size_t last = end + 1;
    for (; !tokens[last].first && tokens[last].kind != Kind::end; ++last) {
      if (tokens[last].kind != Kind::word && !(tokens[last].is_text() && last == end + 1)) return {};
    }
    if (last == end + 1) return {};
    const std::string written(tokens.text(end + 1, last - 1));
    const std::string text = as_text(tokens[end + 1].is_text() ? written : "'" + written + "'");
    if (all.find(text) != all.npos) return {};
    all += (all.empty() ? "" : ", ") + text;
    end = last - 1;
  }
  return all.find(',') == all.npos ? std::string() : "one of (" + all + ")";
}

// Adds a type with its fields. What a field with a '?' means that is true or false, fixed?: boolean, only the examples tell:
// without it nobody knows, or it is false.
void add_record(const Tokens& tokens, std::size_t begin, std::size_t end, const std::string& text, bool certain,
                Proposals& out) {
  out.add(begin, end, text, certain);
  constexpr std::string_view kOpen = "bool optional";
  std::string closed = text;
  for (std::size_t at = closed.find(kOpen); at != closed.npos; at = closed.find(kOpen, at + 1))
    closed.replace(at, kOpen.size(), "bool default false");
  const bool asks = tokens.text().substr(begin, end - begin).find("?:") != std::string_view::npos;
  if (asks && closed != text) out.add(begin, end, closed, certain);
}

}  // namespace

void kinds(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  bool input = false, record = false, dimension = false;
  const std::size_t key = window.at > 0 && tokens.is(window.at, ":") ? window.at - 1 : window.at;
  // "words": { "type": "integer" }, of JSON
  if (tokens[key].first && tokens[key].is_text() && tokens.is(key + 1, ":")) {
    std::size_t end = key + 2;
    while (end + 1 < tokens.size() && !tokens[end].first) end = tokens.behind(end);
    const std::size_t last = tokens.is(end - 1, ",") ? end - 1 : end;
    const std::string name = as_name(tokens[key].shown.substr(1, tokens[key].shown.size() - 2));
    Type type(tokens, name, key + 2, last);
    const bool section = !known_word(name).empty() || !known_word(name.substr(0, name.size() - 1)).empty();  // "inputs"
    if (!section && type.read() && type.at() == last)
      out.add(tokens[key].begin, tokens[end - 1].end, "input " + name + ": " + type.written(), !type.doubtful());
  }
  // struct source { title: text; year: whole }, data class source(title: text, year: whole)
  std::size_t head_of = window.at;
  while (tokens.is(head_of, "data") || tokens.is(head_of, "export") || tokens.is(head_of, "public")) ++head_of;
  const bool type_of_others =
      tokens[window.at].first && among(tokens[head_of].shown, {"struct", "record", "class", "interface", "object",
                                                               "schema", "entity", "model", "dataclass"});
  if (type_of_others && tokens[head_of + 1].kind == Kind::word &&
      (tokens.is(head_of + 2, "{") || tokens.is(head_of + 2, "(")) && tokens[head_of + 2].partner != kNone) {
    const std::size_t open = head_of + 2, behind = tokens[open].partner + 1;
    Type type(tokens, tokens[head_of + 1].shown, open, behind);
    if (type.read() && type.at() == behind)
      add_record(tokens, tokens[window.at].begin, tokens[behind - 1].end,
                 "type " + std::string(tokens[head_of + 1].shown) + " = " + type.written(), !type.doubtful(), out);
  }
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (tokens[i].starts) {
      const std::string_view word = tokens[i].shown;
      input = word == "input", record = word == "type" || word == "input";
      dimension = word == "dimension" || word == "criterion";
      // type account = { bank: string; balance: number }, on one line
      const std::size_t open = i + (tokens.is(i + 2, "=") || tokens.is(i + 2, ":") ? 3 : 2),
                        close = tokens[open].partner;
      bool line = word == "type" && tokens.is(open, "{") && close != kNone;
      for (std::size_t k = open; line && k <= close; ++k) line = !tokens[k].first;
      std::size_t behind = line ? close + 1 : open + 1;
      // type person struct { name string }
      if (word == "type" && among(tokens[i + 2].shown, {"struct", "record", "class", "object", "interface"}) &&
          tokens.is(i + 3, "{") && tokens[i + 3].partner != kNone) {
        Type type(tokens, tokens[i + 1].shown, i + 3, tokens[i + 3].partner + 1);
        if (type.read() && type.at() == tokens[i + 3].partner + 1)
          out.add(tokens[i + 2].begin, tokens[tokens[i + 3].partner].end, "= " + type.written(), !type.doubtful());
      }
      if (!line && word == "type" && open == i + 3) {  // type answer = whole 0-3
        while (!tokens[behind].first && tokens[behind].kind != Kind::end) ++behind;
        line = !tokens.is(open, "{");
      }
      if (line) {
        Type type(tokens, tokens[i + 1].shown, open, behind);
        if (type.read() && type.at() == behind && tight(type.written()) != tight(tokens.text(open, behind - 1)))
          add_record(tokens, tokens[open].begin, tokens[behind - 1].end, type.written(), !type.doubtful(), out);
      }
    }
    const bool equals = tokens.is(i + 1, "=") && input && i > 0 && tokens[i - 1].starts;  // input x = 5
    const bool worded = input && i > 0 && tokens[i - 1].starts && among(tokens[i + 1].shown, {"is", "as"});
    if ((!tokens.is(i + 1, ":") && !equals && !worded) || (tokens[i].kind != Kind::word && !tokens[i].is_text()))
      continue;
    const bool head = i > 0 && tokens[i - 1].starts && (input || dimension);
    const bool more = input && i > 1 && tokens.is(i - 1, ",") && !tokens.closes(i - 2);
    const bool field = record && !head && i > 0 && (tokens.is(i - 1, "{") || tokens.is(i - 1, ",") || tokens[i].first);
    if (!head && !field && !more) continue;
    std::size_t behind = 0;  // of a list
    if (const std::string one = head && input ? listed_choices(tokens, i + 2, behind) : ""; !one.empty())
      out.add(tokens[i + 1].end, tokens[behind - 1].end, " " + one, true);
    const std::size_t begin = i + 2, end = type_end(tokens, begin, field && !more, dimension);
    if (end <= begin) continue;
    if (dimension && tokens[end].kind == Kind::number)  // number 0..10 70%
      out.add(tokens[end].begin, tokens[end].begin, "weight ", true);
    const bool sign = equals || worded;
    const bool named = !field || (tokens[i].kind == Kind::word && !among(tokens[i].shown, {"type", "kind"}));
    if (const std::string said = named && end == begin + 1 ? Type::in_quotes(tokens, begin) : ""; !said.empty()) {
      out.add(sign ? tokens[i].end : tokens[begin].begin, tokens[begin].end, (sign ? ": " : "") + said, true);
      continue;
    }
    Type type(tokens, tokens[i].shown, begin, end);
    if (!type.read()) continue;
    const std::size_t last = std::min(type.at(), end);
    const std::string written = type.written();
    if (!sign && tight(written) == tight(tokens.text(begin, last - 1))) continue;
    add_record(tokens, sign ? tokens[i].end : tokens[begin].begin, tokens[last - 1].end, (sign ? ": " : "") + written,
               !type.doubtful(), out);
  }
}

}  // namespace assay::mending
