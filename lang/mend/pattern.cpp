// Matching: literal, with the shortest expressions first. A pattern has few elements, so the recursion is as deep as
// the longest row of rewrites.def, and the work is counted.
#include "lang/mend/pattern.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

// Tokens that no expression crosses, on either side.
constexpr std::array<std::string_view, 8> kEnds = {",", ";", "=>", "->", "|", ":=", "decimals", "where"};
// Words that end an expression at the end of a pattern, and that begin one at its beginning.
constexpr std::array<std::string_view, 6> kBehind = {"for", "with", "by", "while", "at", ":"};
constexpr std::array<std::string_view, 13> kBefore = {"=",    "when", "else",  "if", "then", "return", "for",
                                                      "with", "by",   "while", "at", ":",    "default"};
constexpr std::array<std::string_view, 3> kChoice = {"when", "else", "if"};

bool is_name(const Token& token) { return token.kind == Kind::word && !is_reserved(token.shown); }

}  // namespace

Pattern::Pattern(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    Element element{};
    element.kind = Element::Kind::words;
    if (word == "^" || word == "~") {
      element.kind = word == "^" ? Element::Kind::first : Element::Kind::touch;
    } else {
      if (word.size() > 1 && word.back() == '?' && word != "\\?" && word != "??") {
        element.optional = true;
        word.remove_suffix(1);
      }
      if (word.size() == 2 && word[0] == '$' && std::isalpha(static_cast<unsigned char>(word[1]))) {
        element.kind = Element::Kind::part;
        element.part = word[1];
      } else {
        while (!word.empty()) {
          const std::size_t bar = std::min(word.find('|'), word.size());
          const std::string_view one = word.substr(0, bar);
          element.words.push_back(one == "BAR" ? "|" : one == "BARBAR" ? "||" : one == "\\?" ? "?" : one);
          word.remove_prefix(std::min(bar + 1, word.size()));
        }
      }
    }
    elements_.push_back(std::move(element));
  }
  const auto leads = [](const Element& e) {
    return e.kind == Element::Kind::part && std::string_view("ecpok").find(e.part) != std::string_view::npos;
  };
  if (elements_.size() > 1 && leads(elements_[0]) && elements_[1].kind == Element::Kind::words) anchor_ = 1;
}

namespace {
// 'for', 'if' or 'cap' on a line that begins as far to the left as that of the match is a statement of its own.
bool another_statement(const Tokens& tokens, std::size_t begin, std::size_t i) {
  if (i <= begin || !tokens[i].first || !among(tokens[i].shown, {"for", "if", "while", "cap"})) return false;
  const auto column = [&tokens](std::size_t k) {
    const std::size_t at = tokens[k].begin;
    return at - (at == 0 ? 0 : tokens.text().rfind('\n', at - 1) + 1);
  };
  return tokens[begin].first && column(i) <= column(begin);
}
}  // namespace

struct Pattern::State {
  const Tokens& tokens;
  Match& match;
  std::size_t& work;
};

bool Pattern::may_begin(std::string_view shown) const {
  std::size_t i = anchor_;
  while (i < elements_.size() && elements_[i].kind != Element::Kind::words && elements_[i].kind != Element::Kind::part)
    ++i;
  if (i >= elements_.size() || elements_[i].kind == Element::Kind::part || elements_[i].optional) return true;
  return std::find(elements_[i].words.begin(), elements_[i].words.end(), shown) != elements_[i].words.end();
}

bool Pattern::match(const Tokens& tokens, std::size_t i, Match& result, std::size_t& work) const {
  result.parts.clear();
  State state{tokens, result, work};
  if (anchor_ > 0) {
    if (anchor_ >= elements_.size()) return false;
    return match_before(state, i);
  }
  result.begin = i;
  return match_from(state, 0, i);
}

// Matches the part before the anchor: an operand or an expression that ends there.
bool Pattern::match_before(State& state, std::size_t anchor) const {
  const Tokens& tokens = state.tokens;
  if (anchor == 0 || elements_[0].part == 'k' || !tokens.ends_value(anchor - 1)) return false;
  std::size_t begin = tokens.operand_before(anchor - 1);
  if (begin >= anchor) return false;
  const char part = elements_[0].part;
  if (part == 'e' || part == 'c') {
    begin = anchor;
    while (begin > 0 && state.work > 0) {
      --state.work;
      const std::size_t i = begin - 1;
      const Token& token = tokens[i];
      if (tokens.opens(i) || (tokens.closes(i) && token.partner == kNone)) break;
      if (among(token.shown, kEnds) || among(token.shown, kBefore)) break;
      if (begin < anchor && token.is_text() && tokens[begin].value()) break;
      if (token.starts) break;
      begin = tokens.closes(i) ? token.partner : i;
    }
    // 'flag x a > 3': the word and the name of a declaration are not part of the expression
    if (begin > 0 && tokens[begin - 1].starts && begin + 1 < anchor && tokens[begin].kind == Kind::word &&
        !tokens.is(begin + 1, ".") && tokens[begin + 1].value())
      ++begin;
    if (begin >= anchor) return false;
  }
  std::size_t line = begin;  // where it begins
  while (line > 0 && !tokens[line].first) --line;
  if (another_statement(tokens, line, anchor)) return false;
  state.match.begin = begin;
  state.match.parts.emplace_back(begin, anchor);
  return match_from(state, anchor_, anchor);
}

bool Pattern::match_from(State& state, std::size_t element, std::size_t token) const {
  if (state.work == 0) return false;
  --state.work;
  if (element == elements_.size()) {
    state.match.end = token;
    return true;
  }
  const Element& e = elements_[element];
  const Token& t = state.tokens[token];
  switch (e.kind) {
    case Element::Kind::first: {
      const bool begins =
          t.first || t.starts || (token > 0 && (state.tokens.is(token - 1, "{") || state.tokens.is(token - 1, "}")));
      return begins && match_from(state, element + 1, token);
    }
    case Element::Kind::touch:
      return token > 0 && state.tokens[token - 1].end == t.begin && match_from(state, element + 1, token);
    case Element::Kind::words: {
      const bool captures = e.words.size() > 1;
      if (another_statement(state.tokens, state.match.begin, token) &&
          elements_[element - 1].kind != Element::Kind::first)
        return e.optional && match_from(state, element + 1, token);
      if (t.kind != Kind::end && std::find(e.words.begin(), e.words.end(), t.shown) != e.words.end()) {
        const std::size_t before = state.match.parts.size();
        if (captures) state.match.parts.emplace_back(token, token + 1);
        if (match_from(state, element + 1, token + 1)) return true;
        state.match.parts.resize(before);
        return false;  // a word that is there is not given back: 'rank by score' must not become 'rank by higher by'
      }
      if (!e.optional) return false;
      if (captures) state.match.parts.emplace_back(token, token);
      if (match_from(state, element + 1, token)) return true;
      if (captures) state.match.parts.pop_back();
      return false;
    }
    case Element::Kind::part: break;
  }
  return match_part(state, element, token);
}

bool Pattern::match_part(State& state, std::size_t element, std::size_t token) const {
  const Element& e = elements_[element];
  const Tokens& tokens = state.tokens;
  const Token& t = tokens[token];
  const auto part = [&](std::size_t end) {
    state.match.parts.emplace_back(token, end);
    if (match_from(state, element + 1, end)) return true;
    state.match.parts.pop_back();
    return false;
  };
  const auto one = [&](bool fits) { return (fits && part(token + 1)) || (e.optional && part(token)); };
  if (token > state.match.begin && t.first && t.starts)  // the next declaration
    return (e.optional || e.part == 'r') && part(token);
  if (e.part == 'r' && t.first && token > state.match.begin) return part(token);  // the line ends before it
  switch (e.part) {
    case 'n': return one(is_name(t));
    case 'v': return one(is_name(t) && find_declaration(t.shown) == nullptr);
    case 'w': return one(t.kind == Kind::word);
    case 't': return one(t.is_text());
    case 'q': return one(t.kind == Kind::quoted);
    case 'l': return one(is_name(t) || t.is_text());
    case 'd':
      return (tokens.is(token, "-") && tokens[token + 1].kind == Kind::number && part(token + 2)) ||
             one(t.kind == Kind::number);
    case 'o': {
      std::size_t end = tokens.operand(token);
      while (end > token) {  // all of it, or without its last field or call
        if (part(end)) return true;
        if (end < token + 3) break;
        const std::size_t last = end - 1;
        if (tokens.closes(last) && tokens[last].partner != kNone && tokens[last].partner > token)
          end = tokens[last].partner;
        else if (tokens.is(last - 1, ".")) end = last - 1;
        else break;
      }
      return e.optional && part(token);
    }
    case 's': {  // all of them, at least two
      std::size_t end = tokens.operand(token), count = end > token ? 1 : 0;
      while (count > 0) {
        std::size_t next = end;
        while (next < end + 2 && (tokens.is(next, ",") || tokens.is(next, "or"))) ++next;
        const std::size_t behind = tokens.operand(next);
        if (next == end || behind == next) break;
        end = behind;
        ++count;
      }
      return count > 1 && part(end);
    }
    case 'p': {
      std::size_t end = tokens.operand(token);
      while (end > token && (tokens.is(end, "*") || tokens.is(end, "/") || tokens.is(end, "^"))) {
        const std::size_t next = tokens.operand(end + 1);
        if (next == end + 1) break;
        end = next;
      }
      return (end > token && part(end)) || (e.optional && part(token));
    }
    default: break;
  }
  if (e.optional && part(token)) return true;
  // As short as possible, or as long: the possible ends in that order.
  std::vector<std::size_t> ends;
  const bool anything = e.part == 'a' || e.part == 'r';
  const bool last = std::all_of(elements_.begin() + static_cast<std::ptrdiff_t>(element) + 1, elements_.end(),
                                [](const Element& other) { return other.optional; });
  for (std::size_t i = token; tokens[i].kind != Kind::end && state.work > 0;) {
    --state.work;
    const Token& next = tokens[i];
    if (tokens.closes(i) || (tokens.opens(i) && next.partner == kNone)) break;
    if (e.part == 'r' && i > token && next.first) break;
    if (!anything) {
      if (next.starts && i > token) break;
      // '===' is tokenised as '==' and '='
      const bool equals =
          i > token && (tokens.is(i - 1, "==") || tokens.is(i - 1, "!=")) && tokens[i - 1].end == next.begin;
      if (among(next.shown, kEnds) || (next.shown == "=" && i > token && !equals)) break;
      if (e.part == 'c' && among(next.shown, kChoice)) break;
      if (last && among(next.shown, kBehind)) break;
      if (i > token && next.is_text() && tokens.ends_value(i - 1)) break;
      if (e.part == 'k' &&
          (next.shown == "optional" || next.shown == "default" || next.shown == "required" || next.is_text()))
        break;
    }
    i = tokens.behind(i);
    ends.push_back(i);
    if (ends.size() > 400) break;
  }
  if (last || e.part == 'r') std::reverse(ends.begin(), ends.end());
  if ((e.part == 'a' || e.part == 'r') && ends.empty()) return part(token);
  return std::any_of(ends.begin(), ends.end(), part);
}

// ---- replacements

std::string as_name(std::string_view written) {
  std::string name;
  bool gap = false;
  for (const char c : written) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (!letter) {
      gap = !name.empty();
      continue;
    }
    if (gap) name += '_';
    gap = false;
    name += c;
  }
  const bool one_word = written.find_first_of(" -") == written.npos;
  if (!one_word) name = in_lower_case(name);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "_");
  return name;
}

std::optional<std::string> fill(std::string_view replacement, const Tokens& tokens, const Match& match) {
  std::string result;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] != '$') {
      result += replacement[i];
      continue;
    }
    char how = replacement[++i];
    if (how == '(' || how == '"' || how == '\'' || how == '~' || how == ',' || how == '!') ++i;
    else how = 0;
    const auto index = static_cast<std::size_t>(replacement[i] - '1');
    if (how == '(') ++i;  // the ')'
    if (index >= match.parts.size()) continue;
    const auto [begin, end] = match.parts[index];
    if (begin >= end) {  // empty: removes the blank before it, too
      if (!result.empty() && result.back() == ' ') result.pop_back();
      continue;
    }
    std::string text(tokens.text(begin, end - 1));
    if (how == ',') {
      text.clear();
      for (std::size_t k = begin; k < end;) {
        const std::size_t behind = std::max(tokens.operand(k), k + 1);
        if (!tokens.is(k, ",") && !tokens.is(k, "or")) {
          const std::string one(tokens.text(k, behind - 1));
          text += (text.empty() ? "" : ", ") + (tokens[k].is_text() ? as_text(one) : one);
        }
        k = behind;
      }
    }
    // A text among other words is no part of a text: the words before it mean something else.
    for (std::size_t k = begin + 1; how == '"' && k < end; ++k) {
      if (tokens[k].is_text()) return std::nullopt;
    }
    if (how == '!') result += negated_text(text);
    else if (how == '"') result += as_text(text);
    else if (how == '\'') result += as_name(text);
    else if (how == '~') result += as_text(text).substr(1, as_text(text).size() - 2);
    else if (how == '(' && tokens.operand(begin) != end) result += "(" + text + ")";
    else result += text;
  }
  return result;
}

}  // namespace assay::mending
