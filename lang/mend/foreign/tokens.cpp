// Tokens, their brackets, and the beginnings and ends of operands.
#include "lang/mend/foreign/tokens.hpp"

#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <optional>

namespace assay::mending {
namespace {

constexpr std::string_view kReserved[] = {"and",  "or",  "xor",     "not",     "in",        "is",   "when",
                                          "else", "for", "default", "missing", "otherwise", "true", "false"};

struct Quotes {
  std::string_view open, close;
};
constexpr Quotes kQuotes[] = {{"'", "'"}, {"“", "”"}, {"„", "“"}, {"„", "”"},
                              {"‘", "’"}, {"«", "»"}, {"”", "”"}, {"`", "`"}};

// The position after a text in other quotation marks that begins here and ends on its line; 0: there is none.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  for (const Quotes& quotes : kQuotes) {
    if (text.substr(at, quotes.open.size()) != quotes.open) continue;
    const std::size_t begin = at + quotes.open.size(), line = std::min(text.find('\n', at), text.size());
    for (std::size_t close = text.find(quotes.close, begin); close < line; close = text.find(quotes.close, close + 1)) {
      const std::size_t end = close + quotes.close.size();
      if (text[close - 1] == '\\') continue;
      // An apostrophe inside a word closes nothing, nor does a doubled one: 'it''s'.
      const auto joins = [&](std::size_t next) {
        return quotes.close == "'" && next < text.size() && is_name_character(text[next]) &&
               is_name_character(text[close - 1]);
      };
      const bool doubled = text.substr(end, 1) == "'" && joins(end + 1);
      if (doubled) ++close;
      if (doubled || joins(end)) continue;
      return end;
    }
  }
  return 0;
}

}  // namespace

bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

namespace {

// A unit as people write it behind a number.
const Unit* unit_said(std::string_view word) {
  const std::string small = in_lower_case(word);
  return assay::unit_of(small == "d" ? "days" : small);
}

// The unit in the text of an input: "Seconds since noon", "Length in cm", "Weight (kg)"; null: none, or a quotient.
const Unit* unit_of_text(std::string_view prose) {
  for (const std::string_view other : {"²", "³", "/", "square", "Square", "cubic", "Cubic", " per "}) {
    if (prose.find(other) != prose.npos) return nullptr;
  }
  if (const Unit* unit = unit_of_prose(prose)) return unit;
  const std::vector<std::string> words = words_of(prose);
  if (words.empty()) return nullptr;
  const std::size_t last = prose.rfind(words.back());
  const bool apart = words.size() == 1 || words[words.size() - 2] == "in" ||
                     (last != prose.npos && last > 0 && (prose[last - 1] == '(' || prose[last - 1] == '['));
  return apart ? assay::unit_of(words.back()) : nullptr;
}

// The unit of the value that a name declares, from the name, the text of its input, or the values that it adds up; null:
// none is known.
const Unit* unit_of_value(const Tokens& tokens, std::string_view name, int depth = 0) {
  if (const Unit* unit = unit_of_name(name)) return unit;
  constexpr int kDeepest = 2, kMostNames = 8;
  std::size_t at = tokens.declaration({"input", "dimension", "criterion", "let"}, name);
  if (at == kNone || depth > kDeepest) return nullptr;
  const bool computed = tokens.is(at, "let");
  const Unit* found = nullptr;
  std::size_t text = kNone;
  int names = 0;
  for (++at; at + 1 < tokens.size() && !tokens[at].starts; ++at) {
    if (tokens[at].kind == Token::Kind::text && tokens.ends_value(at - 1)) text = at;
    if (!computed || tokens.is(at, name) || tokens[at].kind != Token::Kind::word) continue;
    if (among(tokens[at + 1].shown, {"*", "/", "^"}) || among(tokens[at - 1].shown, {"*", "/", "^"})) return nullptr;
    if (++names > kMostNames) return nullptr;
    const Unit* unit = unit_of_value(tokens, tokens[at].shown, depth + 1);
    if (unit != nullptr && found != nullptr && unit != found) return nullptr;
    if (unit != nullptr) found = unit;
  }
  if (found != nullptr || text == kNone) return found;
  return unit_of_text(tokens[text].shown.substr(1, tokens[text].shown.size() - 2));
}

}  // namespace

std::string in_unit_before(const Tokens& tokens, std::size_t at, const std::string& number, std::string_view unit) {
  const Unit* said = unit_said(unit);
  constexpr std::size_t kFar = 8;  // tokens
  const auto converted = [&](std::size_t k) -> std::optional<std::string> {
    if (tokens[k].kind != Token::Kind::word) return std::nullopt;
    const Unit* of = tokens.is(k, "duration") ? assay::unit_of("seconds") : unit_of_value(tokens, tokens[k].shown);
    const Unit* minutes = assay::unit_of("minutes");
    const Unit* meant = of != nullptr && unit == "m" && of->of == minutes->of ? minutes : said;
    if (of == nullptr || of->of != meant->of) return std::nullopt;
    NumberPool pool;
    Number n;
    if (!parse_decimal(number, n, pool, true)) return number;
    return shortest_text(div(mul(n, Number{meant->size, 1}, pool), Number{of->size, 1}, pool));
  };
  for (std::size_t k = at; said != nullptr && k-- > 0 && k + kFar > at && !tokens[k].starts;) {
    if (std::optional<std::string> value = converted(k)) return *value;
  }
  // 30 min < talked
  const std::size_t sign = tokens[at].shown.ends_with(unit) ? at + 1 : at + 2;
  if (said != nullptr && among(tokens[sign].shown, {"<", "<=", ">", ">="})) return converted(sign + 1).value_or(number);
  return number;
}

bool mixed_units(const Tokens& tokens, std::size_t at, std::string_view unit) {
  const Unit* said = unit_said(unit);
  if (said == nullptr || tokens.is(tokens.head(at), "input")) return false;
  const auto differs = [said](const Unit* other) {
    return other != nullptr && other->of == said->of && other->size != said->size;
  };
  constexpr std::size_t kFar = 8;  // tokens
  for (std::size_t k = at; k-- > 0 && k + kFar > at && !tokens[k].starts;) {
    const Unit* named = tokens[k].kind == Token::Kind::word ? unit_of_value(tokens, tokens[k].shown) : nullptr;
    if (named != nullptr && named->of == said->of) return false;
  }
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].starts && tokens.is(i, "input") && differs(unit_of_value(tokens, tokens[i + 1].shown))) return true;
    if (tokens[i].kind != Token::Kind::number) continue;
    const std::string_view shown = tokens[i].shown;
    const std::size_t digits = std::min(shown.find_first_not_of("0123456789."), shown.size());
    if (differs(unit_said(digits < shown.size() ? shown.substr(digits) : tokens[i + 1].shown))) return true;
  }
  return false;
}

bool is_unit_of_name(const Tokens& tokens, std::size_t at, std::string_view name) {
  if (at > 0 && tokens.is(at - 1, "|")) return true;
  if (at < 2 || !among(tokens[at - 1].shown, {"<=", "<", ">=", ">", "==", ".."})) return false;
  if (tokens.is(at - 2, "|")) return true;
  for (std::size_t k = at - 1; k-- > 0 && !tokens[k + 1].first;) {
    if (tokens.is(k, name)) return true;
  }
  return false;
}

std::size_t negative_words(const Tokens& tokens, std::size_t i) {
  const auto condition = [&tokens](std::size_t k) { return among(tokens[k].shown, {"when", "if", "where"}) ? 1U : 0U; };
  const std::string word = in_lower_case(tokens[i].shown);
  if (among(word, {"unless", "without"})) return 1 + condition(i + 1);
  if (among(word, {"except", "excepting", "excluding", "save"})) {
    const std::size_t next = tokens.is(i + 1, "for") ? i + 2 : i + 1;
    if (condition(next) == 1) return next + 1 - i;
    return word == "except" ? next - i : 0;
  }
  if (word == "but" && among(tokens[i + 1].shown, {"not", "never"})) return 2 + condition(i + 2);
  if (word == "but" && tokens.is(i + 1, "without")) return 2;
  return word == "not" && condition(i + 1) == 1 ? 2 : 0;
}

bool is_score(std::string_view word) {
  return among(in_lower_case(word),
               {"score", "total", "composite", "result", "final_score", "final", "points", "total_score"});
}

std::string_view known_word(std::string_view word) {
  const DeclarationWord* row = find_declaration(word);
  return row != nullptr ? row->word : declaration_word_for(word);
}

// Whether the 0 behind a '$' makes it the item of a closure of Swift, { $0.done }, and no amount: cost > $0, $0.50.
bool Tokens::item_of_closure(std::string_view text, std::size_t at) const {
  const auto is = [&text](std::size_t i, auto of) {
    return i < text.size() && of(static_cast<unsigned char>(text[i])) != 0;
  };
  if (text.substr(at, 1) != "0" || is(at + 1, isdigit) || (text.substr(at + 1, 1) == "." && is(at + 2, isdigit)))
    return false;
  for (std::size_t i = tokens_.size(); i-- > 0 && !tokens_[i].first;) {
    if (tokens_[i].shown == ":" || tokens_[i].shown == "}") return false;
    if (tokens_[i].shown == "{") return true;
  }
  return false;
}

Tokens::Tokens(std::string_view text) : text_(text) {
  using Tag = RoughToken::Tag;
  constexpr std::size_t kMost = 100'000;
  std::uint32_t at = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (tokens_.size() < kMost) {
    const RoughToken rough = rough_token(text, at);
    if (text.substr(rough.begin, 2) == "/*") {  // a comment of other languages
      const std::size_t end = text.find("*/", rough.begin + 2);
      if (end != text.npos) {
        at = static_cast<std::uint32_t>(end + 2);
        continue;
      }
    }
    // max. 3: the point of an abbreviation
    if (!tokens_.empty() && tokens_.back().end == rough.begin && text.substr(rough.begin, 2) == ". " &&
        among(tokens_.back().shown, {"max", "min", "Max", "Min", "incl", "excl", "approx"})) {
      at = rough.end;
      continue;
    }
    Token token{};
    token.begin = rough.begin, token.end = rough.end;
    token.kind = rough.tag == Tag::word     ? Token::Kind::word
                 : rough.tag == Tag::number ? Token::Kind::number
                 : rough.tag == Tag::text   ? Token::Kind::text
                 : rough.tag == Tag::sign   ? Token::Kind::sign
                                            : Token::Kind::end;
    if (rough.tag == Tag::sign) {
      if (const std::size_t end = behind_quotes(text, rough.begin); end != 0)
        token.kind = Token::Kind::quoted, token.end = end;
    }
    token.shown = text.substr(token.begin, token.end - token.begin);
    if (among(token.shown, {"→", "⇒", "➔"})) token.shown = "->";
    if (among(token.shown, {"│", "┃", "¦", "‖"})) token.shown = "|";
    if (token.shown == "$" && item_of_closure(text, token.end)) {
      token.kind = Token::Kind::word, token.shown = "it";
      ++token.end;
    }
    token.first = first_in_line(text, rough.begin);
    const bool may = token.first || tokens_.empty() || tokens_.back().shown == "{" || tokens_.back().shown == "}" ||
                     tokens_.back().kind == Token::Kind::text;
    token.starts = may && begins_declaration(text, rough);
    tokens_.push_back(token);
    if (token.kind == Token::Kind::end) break;
    at = static_cast<std::uint32_t>(token.end);
  }
  tokens_.back().kind = Token::Kind::end;
  pair_brackets();
}

void Tokens::pair_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (opens(i)) open.push_back(i);
    if (!closes(i)) continue;
    const char wanted = tokens_[i].shown == ")" ? '(' : tokens_[i].shown == "]" ? '[' : '{';
    // A bracket of another kind in between is unclosed.
    for (std::size_t k = open.size(); k-- > 0;) {
      if (tokens_[open[k]].shown[0] != wanted) continue;
      tokens_[open[k]].partner = i, tokens_[i].partner = open[k];
      open.resize(k);
      break;
    }
  }
}

std::string_view Tokens::text(std::size_t first, std::size_t last) const {
  const std::size_t begin = (*this)[first].begin;
  return text_.substr(begin, std::max((*this)[last].end, begin) - begin);
}

std::size_t Tokens::at(std::size_t offset) const {
  const auto found = std::partition_point(tokens_.begin(), tokens_.end(),
                                          [offset](const Token& token) { return token.end <= offset; });
  return std::min(static_cast<std::size_t>(found - tokens_.begin()), tokens_.size() - 1);
}

bool Tokens::opens(std::size_t i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }
bool Tokens::closes(std::size_t i) const { return is(i, ")") || is(i, "]") || is(i, "}"); }
bool Tokens::ends_value(std::size_t i) const {
  return i < tokens_.size() && (tokens_[i].value() || is(i, ")") || is(i, "]") || is(i, "}")) &&
         !(tokens_[i].kind == Token::Kind::word && is_reserved(tokens_[i].shown) && !is(i, "true") && !is(i, "false") &&
           !is(i, "missing"));
}
std::size_t Tokens::head(std::size_t i) const {
  while (i > 0 && !tokens_[i].starts) --i;
  return i;
}

std::size_t Tokens::behind(std::size_t i) const {
  return i < tokens_.size() && opens(i) && tokens_[i].partner != kNone ? tokens_[i].partner + 1 : i + 1;
}

std::size_t Tokens::behind_interval(std::size_t i) const {
  constexpr std::size_t kMost = 8;  // tokens
  if (!is(i, "[") && !is(i, "(") && !is(i, "]")) return kNone;
  std::size_t signs = 0, numbers = 0;
  for (std::size_t k = i + 1; k < i + kMost && k + 1 < tokens_.size(); ++k) {
    const bool sign = among(tokens_[k].shown, {",", ";", ".."});
    const bool endless = among(tokens_[k].shown, {"∞", "inf", "Inf", "infinity", "Infinity", "-", "−", "+"});
    if (signs == 1 && (is(k, ")") || is(k, "]") || is(k, "["))) return numbers > 0 && numbers < 3 ? k + 1 : kNone;
    if (!sign && !endless && tokens_[k].kind != Token::Kind::number) return kNone;
    signs += sign ? 1 : 0;
    numbers += tokens_[k].kind == Token::Kind::number ? 1 : 0;
  }
  return kNone;
}

std::size_t Tokens::operand(std::size_t i) const {
  const std::size_t begin = i;
  while (is(i, "-") && i == begin) ++i;
  if (opens(i)) {
    if (tokens_[i].partner == kNone) return begin;
  } else if (!(*this)[i].value() || ((*this)[i].kind == Token::Kind::word && is_reserved((*this)[i].shown) &&
                                     !is(i, "true") && !is(i, "false") && !is(i, "missing"))) {
    return begin;
  }
  const bool chains = (*this)[i].kind != Token::Kind::number;
  i = behind(i);
  while (chains && i < tokens_.size()) {
    if ((is(i, ".") || is(i, "?.")) && (*this)[i + 1].kind == Token::Kind::word) i += 2;
    else if ((is(i, "(") || is(i, "[")) && tokens_[i].begin == tokens_[i - 1].end && tokens_[i].partner != kNone)
      i = behind(i);
    else break;
  }
  return i;
}

std::size_t Tokens::declaration(std::initializer_list<std::string_view> words, std::string_view name) const {
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    if (!tokens_[i].starts || !among(tokens_[i].shown, words)) continue;
    for (std::size_t at = i + 1; at + 1 < tokens_.size(); at += 2) {  // input a, b: number
      if (is(at, name)) return i;
      if (!is(at + 1, ",") || tokens_[at + 2].kind != Token::Kind::word) break;
    }
  }
  return kNone;
}

std::size_t Tokens::brace_around(std::size_t i) const {
  for (std::size_t k = i + 1; k-- > 0;) {
    if (is(k, "{") && tokens_[k].partner != kNone && tokens_[k].partner > i) return k;
  }
  return kNone;
}

std::size_t Tokens::operand_before(std::size_t last) const {
  if (!ends_value(last)) return last + 1;
  std::size_t i = last;
  while (true) {
    if (closes(i)) {
      if (tokens_[i].partner == kNone) return last + 1;
      i = tokens_[i].partner;
      // A call or an index directly follows its operand.
      if (i > 0 && !is(i, "{") && tokens_[i - 1].end == tokens_[i].begin && ends_value(i - 1) &&
          tokens_[i - 1].kind != Token::Kind::number) {
        --i;
        continue;
      }
    }
    if (i >= 2 && (is(i - 1, ".") || is(i - 1, "?.")) && ends_value(i - 2)) {
      i -= 2;
      continue;
    }
    return i;
  }
}

}  // namespace assay::mending
