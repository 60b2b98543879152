// Suggestions that depend on the context of a mistake: they show the author's own words in the correct order.
// Suggestions that depend on the offending token alone are rows of a table in lang/parse/parse_explain.cpp. One
// function per subject; each returns nothing for a mistake that it does not recognise.
#include "lang/parse/syntax.hpp"
#include "lang/syntax/foreign_words.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

namespace assay {
namespace {

using Tag = RoughToken::Tag;

constexpr std::size_t kLongest = 40;  // for the words that a help repeats
constexpr std::uint32_t kFar = 200;   // text further away is not examined

bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool on_one_line(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  return text.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

std::string kept(std::string_view s) { return s.empty() || s.size() > kLongest ? "…" : std::string(s); }

// The name, number or path that ends before `end`.
std::string operand_before(std::string_view text, std::uint32_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  std::uint32_t begin = end;
  if (begin > 1 && text[begin - 1] == '%') --begin;
  while (
      begin > 0 && end - begin < kFar &&
      (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_' || text[begin - 1] == '.'))
    --begin;
  return kept(text.substr(begin, end - begin));
}

// The position after the first bracket that closes from here on, on the same line; 0: none.
std::uint32_t closed(std::string_view text, std::uint32_t open) {
  int depth = 0;
  for (RoughToken t = rough_token(text, open);
       t.tag != Tag::end && t.end - open < kFar && on_one_line(text, open, t.end); t = rough_token(text, t.end)) {
    if (among(shown(text, t), {"(", "[", "{"})) ++depth;
    if (among(shown(text, t), {")", "]", "}"}) && --depth <= 0) return t.end;
  }
  return 0;
}

// The value that begins after `at`, on the same line: a literal, or a path with its calls.
std::string operand_after(std::string_view text, std::uint32_t at) {
  RoughToken first = rough_token(text, at);
  const std::uint32_t begin = first.begin;
  if (first.tag == Tag::end || !on_one_line(text, at, begin)) return "…";
  if (shown(text, first) == "-") first = rough_token(text, first.end);
  std::uint32_t end = first.end;
  if (among(shown(text, first), {"(", "[", "{"})) return kept(text.substr(begin, closed(text, first.begin) - begin));
  if (first.tag == Tag::sign || first.tag == Tag::end) return "…";
  for (bool more = first.tag == Tag::word; more && end < text.size();) {
    more = false;
    if (text[end] == '.' && rough_token(text, end + 1).begin == end + 1 &&
        rough_token(text, end + 1).tag == Tag::word) {
      end = rough_token(text, end + 1).end;
      more = true;
    } else if (text[end] == '(' || text[end] == '[') {
      const std::uint32_t behind = closed(text, end);
      if (behind == 0) return "…";
      end = behind;
      more = true;
    }
  }
  return kept(text.substr(begin, end - begin));
}

// The text after `at` up to the end of the line, a comma or the enclosing bracket.
std::string rest(std::string_view text, std::uint32_t at, bool with_texts) {
  int depth = 0;
  const std::uint32_t begin = rough_token(text, at).begin;
  std::uint32_t end = begin;
  for (RoughToken t = rough_token(text, at); t.tag != Tag::end && t.end - at < kFar && on_one_line(text, at, t.begin);
       t = rough_token(text, t.end)) {
    const std::string_view s = shown(text, t);
    if (among(s, {"(", "[", "{"})) ++depth;
    if (among(s, {")", "]", "}"}) && depth-- == 0) break;
    if ((s == "," && depth == 0) || (t.tag == Tag::text && !with_texts)) break;
    end = t.end;
  }
  return kept(text.substr(begin, end - begin));
}

// enum("a", "b") → one of ("a", "b"); the choices follow `at`, possibly separated by 'or' or '|'.
std::string choices(std::string_view text, std::uint32_t at) {
  std::string all;
  for (RoughToken t = rough_token(text, at); t.tag == Tag::text || among(shown(text, t), {",", "or", "|"});
       t = rough_token(text, t.end)) {
    if (t.tag == Tag::text) all += (all.empty() ? "" : ", ") + std::string(shown(text, t));
  }
  return "one of (" + (all.empty() || all.size() > 2 * kLongest ? "\"a\", \"b\"" : all) + ")";
}

bool compares(std::string_view sign) { return among(sign, {"<", "<=", ">", ">=", "==", "!="}); }

// a >= 3 and < 5: repeats the value on the left.
std::string both_sides(std::string_view text, const RoughToken& joint, const RoughToken& sign) {
  std::uint32_t line = joint.begin;
  while (line > 0 && text[line - 1] != '\n' && joint.begin - line < kFar) --line;
  RoughToken before{Tag::end, 0, 0};
  for (RoughToken t = rough_token(text, line); t.begin < joint.begin; t = rough_token(text, t.end)) {
    if (compares(shown(text, t))) before = t;
    if (among(shown(text, t), {"and", "or", "when", "else"})) before = {Tag::end, 0, 0};
  }
  const std::string left = before.tag == Tag::end ? "…" : operand_before(text, before.begin);
  if (left == "…") return "a value stands on both sides of each comparison: a >= 3 and a < 5";
  return "name the value again: " + left + " " + std::string(shown(text, before)) + " " +
         operand_after(text, before.end) + " " + std::string(shown(text, joint)) + " " + left + " " +
         std::string(shown(text, sign)) + " " + operand_after(text, sign.end);
}

// The token before this place, on the same line.
RoughToken token_before(std::string_view text, std::uint32_t at) {
  std::uint32_t line = at;
  while (line > 0 && text[line - 1] != '\n' && at - line < kFar) --line;
  RoughToken last{Tag::end, at, at};
  for (RoughToken t = rough_token(text, line); t.tag != Tag::end && t.end <= at; t = rough_token(text, t.end)) last = t;
  return last;
}

// The text inside the bracket that opens at `open`.
std::string inside(std::string_view text, std::uint32_t open) {
  const std::uint32_t end = closed(text, open);
  if (end < open + 2) return "…";
  const std::uint32_t begin = skip_blanks(text, open + 1);
  std::string_view all = text.substr(begin, std::max(begin, end - 1) - begin);
  while (!all.empty() && all.back() == ' ') all.remove_suffix(1);
  return kept(all);
}

// The bracket that this one closes, on the same line; the end of the text: none.
std::uint32_t opened(std::string_view text, std::uint32_t close) {
  for (RoughToken t = token_before(text, close); t.tag != Tag::end; t = token_before(text, t.begin)) {
    if (among(shown(text, t), {"(", "["}) && closed(text, t.begin) == close + 1) return t.begin;
  }
  return static_cast<std::uint32_t>(text.size());
}

// number [0, 1] → number 0..1; number [0, 1) → number >= 0 < 1
std::string limits(std::string_view text, std::string_view kind, std::uint32_t open) {
  std::string both = inside(text, open);
  const std::uint32_t end = closed(text, open);
  const bool low_open = text[open] == '(', high_open = end > open && text[end - 1] == ')';
  if (const std::size_t comma = both.find(','); comma != both.npos) {
    const std::size_t behind = std::min(both.find_first_not_of(' ', comma + 1), both.size());
    both.replace(comma, behind - comma, low_open == high_open ? ".." : high_open ? " < " : " <= ");
    if (low_open != high_open) both.insert(0, low_open ? "> " : ">= ");
  }
  return "a range is written " + std::string(kind) + " " + both;
}

// Where the grammar stopped: at `token`, in the bracket `open` (none: root) of the declaration `item`.
struct Stop {
  std::string_view text, wanted, found, last;
  Wanted what;
  RoughToken token, before;
  bool same_line;  // as the previous token
  Syn open, item;
  std::uint32_t open_at;
  bool of_kind, of_text;  // inside a kind; inside the braces of a text
  bool behind_policy, behind_loop;

  std::string after() const { return operand_after(text, token.end); }
  std::string left() const { return operand_before(text, before.end); }
  std::string_view next() const { return shown(text, rough_token(text, token.end)); }
  // before the previous token
  std::string_view earlier() const { return shown(text, token_before(text, before.begin)); }
  bool ends_value() const { return before.tag == Tag::word || before.tag == Tag::number || last == ")" || last == "]"; }
  bool declares() const { return what == Wanted::declaration || what == Wanted::part; }
};

// ---- kinds and policies

// 'optional' before a kind; after it there is the name of a field, or nothing.
std::string optional_first(const Stop& s, Problem& problem) {
  const bool within = among(s.found, {"}", ","}) && s.wanted.substr(0, 3) == "':'";
  const RoughToken word = within ? token_before(s.text, s.before.begin) : s.before;
  if (!s.same_line || !s.of_kind || (!within && s.token.tag != Tag::word)) return {};
  const std::string policy(shown(s.text, word));
  if (!among(policy, {"optional", "required"}) || !on_one_line(s.text, word.begin, s.token.begin)) return {};
  const std::string kind = within ? std::string(s.last) : rest(s.text, s.token.begin, false);
  const RoughToken of = token_before(s.text, word.begin);
  if (shown(s.text, of) != "of") return "the kind comes first: " + kind + " " + policy;
  const std::string several(shown(s.text, token_before(s.text, of.begin)));
  problem.at.begin = word.begin, problem.at.end = word.end;
  problem.message = "the items of a " + several + " cannot be '" + policy + "'";
  if (policy == "required") return "they are, where nothing says 'optional': write " + several + " of " + kind;
  if (several == "map") return "a key that may be missing is left out of the map";
  return "those of a list can be: list of optional " + kind;
}

std::string of_kinds(const Stop& s, Problem& problem) {
  if (s.found == "(" && among(s.last, {"enum", "Enum", "choice", "choices", "oneof", "one_of", "Literal"}))
    return "write " + choices(s.text, s.token.end);
  if (s.wanted == "'('")  // the message of 'one of' alone
    return "texts go in parentheses: " + choices(s.text, s.token.tag == Tag::text ? s.token.begin : s.token.end);
  if (s.wanted.substr(0, 7) == "a kind,") {
    if (s.found == "(") return "a kind stands without parentheses: " + inside(s.text, s.token.begin);
    if (s.found == "[") return "write list of " + inside(s.text, s.token.begin);
    if (s.token.tag == Tag::number || s.found == "-")
      return "a range needs its kind before it: number " + rest(s.text, s.token.begin, false);
    if (s.token.tag == Tag::text) return "write " + choices(s.text, s.token.begin);
  }
  if (s.of_kind && s.same_line && among(s.last, {"number", "whole"}) && s.found == "[")
    return limits(s.text, s.last, s.token.begin);
  if (s.item == Syn::item_input && s.same_line && among(s.found, {"judged", "measured"}))
    return "say once who fills it in: judged or measured";
  if (s.behind_policy && among(s.found, {"optional", "default", "missing", "required"})) {
    const bool first = s.found == "optional" && s.last != "required";
    if (s.found != "default" && !first) return "keep one of the two: an input is optional, required, or has a default";
    const std::string value = first ? s.left() : s.after();
    return "'optional' and 'default' exclude each other: with default " + value + " alone a missing one is " + value;
  }
  if (s.item == Syn::item_type && s.open == Syn::root && among(s.found, {"optional", "default", "missing"}))
    return "a type says nothing of what is missing: write '" + std::string(s.found) +
           "' where an input or a field has the type";
  if (s.found == "?" && s.wanted.substr(0, 3) == "':'") {
    const RoughToken colon = rough_token(s.text, s.token.end);
    const bool range = rough_token(s.text, colon.end).tag == Tag::number;
    const std::string kind = shown(s.text, colon) == ":" ? rest(s.text, colon.end, false) : std::string();
    return "write " + s.left() + ": " + (range || kind.empty() ? "number " : "") + kind + (kind.empty() ? "" : " ") +
           "optional";
  }
  if (s.found == "=" && s.of_kind && s.open != Syn::params && s.same_line) return "write default " + s.after();
  if (s.item == Syn::item_input && s.open == Syn::root && s.found == "," && s.what == Wanted::declaration)
    return "begin with the word again: input " + rest(s.text, s.token.end, false);
  return optional_first(s, problem);
}

std::string of_ranges(const Stop& s, Problem& problem) {
  const bool dots = s.wanted.substr(0, 4) == "'..'";
  if (s.found == "to" && s.same_line && dots)
    return "a range is written " + operand_before(s.text, s.token.begin) + ".." + s.after();
  auto open = static_cast<std::uint32_t>(s.text.size());  // number (0, 1), number (0..1)
  if (s.found == "," && s.open == Syn::paren) open = s.open_at;
  if (dots && s.last == ")") open = opened(s.text, s.before.begin);
  if (open >= s.text.size()) return {};
  const RoughToken kind = token_before(s.text, open);
  if (!among(shown(s.text, kind), {"number", "whole"})) return {};
  problem.at.begin = open, problem.at.end = open + 1;
  problem.message = "a range stands without brackets";
  problem.label.clear();
  return limits(s.text, shown(s.text, kind), open);
}

// ---- declarations

// A kind of declaration that other languages call by another word, and the text after that word.
std::string of_words(const Stop& s) {
  if (!s.declares() || s.token.tag != Tag::word || (s.same_line && s.last != "{" && s.last != "}")) return {};
  const RoughToken next = rough_token(s.text, s.token.end);
  const std::string words = rest(s.text, s.token.end, false);
  if (const std::string_view word = declaration_word_for(s.found); !word.empty() && next.tag == Tag::word)
    return "write " + std::string(word) + " " + words;
  if (shown(s.text, next) == "=" && among(s.found, {"score", "total", "result"}))
    return "what makes the score is written composite = " + rest(s.text, next.end, false);
  return {};
}

std::string of_declarations(const Stop& s) {
  const bool defined = s.what == Wanted::equals;
  if (defined && s.found == "(" && (s.item == Syn::item_let || s.item == Syn::item_output))
    return "a function is written fn " + rest(s.text, s.before.begin, false);
  if (s.what == Wanted::when_ && s.item == Syn::item_flag && among(s.found, {"=", ":"}) && s.before.tag != Tag::end)
    return "write flag " + std::string(s.last) + " when " + rest(s.text, s.token.end, false);
  if (s.item == Syn::item_advice && s.found == "when" && s.last == "advice") {
    const std::string condition = rest(s.text, s.token.begin, false);
    RoughToken text = rough_token(s.text, s.token.end);
    while (text.tag != Tag::text && text.tag != Tag::end && on_one_line(s.text, s.token.end, text.begin))
      text = rough_token(s.text, text.end);
    const bool there = text.tag == Tag::text && on_one_line(s.text, s.token.end, text.begin);
    return "the text comes first: advice " + (there ? kept(shown(s.text, text)) : std::string("\"…\"")) + " " +
           condition;
  }
  if (s.found == "import" && s.what == Wanted::declaration)
    return "imports stand at the top of the file, before the rubric";
  // code-quality
  const auto& words = declaration_words();
  const bool name =
      std::find(words.begin(), words.end(), s.earlier()) != words.end() || among(s.earlier(), {"rubric", "extends"});
  if (s.found == "-" && name && s.before.tag == Tag::word && s.before.end == s.token.begin) {
    std::string joined(s.last);
    for (RoughToken t = s.token; shown(s.text, t) == "-"; t = rough_token(s.text, t.end)) {
      const RoughToken part = rough_token(s.text, t.end);
      if (part.begin != t.end || (part.tag != Tag::word && part.tag != Tag::number)) break;
      joined += "_" + std::string(shown(s.text, part));
      t = part;
      if (rough_token(s.text, t.end).begin != t.end) break;
    }
    return "a name has no '-': " + joined;
  }
  return of_words(s);
}

// ---- records and texts

std::string of_records(const Stop& s) {
  if (s.open != Syn::record) return {};
  const bool key = among(s.earlier(), {"{", ","}) || token_before(s.text, s.before.begin).tag == Tag::end;
  if (among(s.found, {"=", "==", ":="}) && key && (s.before.tag == Tag::word || s.before.tag == Tag::text))
    return "the value of a field is written " + std::string(s.last) + ": " + s.after();
  if (s.found == "." && s.before.tag == Tag::word) {
    const std::string path = operand_after(s.text, s.before.begin);
    return "write " + path.substr(path.rfind('.') + 1) + ": " + path;
  }
  if (s.found == "for" && s.what == Wanted::closing) {
    const std::string loop = inside(s.text, s.open_at);
    const std::size_t colon = loop.find(':');
    if (loop == "…") return "write map(key: value for x in xs), or a list: [value for x in xs]";
    return colon == loop.npos ? "a list is written [" + loop + "]" : "write map(" + loop + ")";
  }
  return {};
}

std::string of_texts(const Stop& s, Problem& problem) {
  const bool quoted = s.token.tag == Tag::text || among(s.found, {"'", "`"});
  if (is_text_prefix(s.found) && s.wanted == "a text in double quotes") {
    const RoughToken text = rough_token(s.text, s.token.end);
    if (text.tag == Tag::text && text.begin == s.token.end) return prefix_help(shown(s.text, text));
  }
  if (quoted && s.before.end == s.token.begin && is_text_prefix(s.last)) {
    problem.at.begin = s.before.begin, problem.at.end = s.before.end;
    problem.code = Code::syntax_foreign;
    problem.message = "'" + std::string(s.last) + "' has no meaning before a text";
    if (s.token.tag == Tag::text) return prefix_help(s.found);
    const std::size_t end = std::min(s.text.find(s.found, s.token.end), s.text.find('\n', s.token.end));
    const bool ends = end < s.text.size() && s.text[end] == s.found[0];
    return prefix_help(ends ? "\"" + std::string(s.text.substr(s.token.end, end - s.token.end)) + "\"" : std::string());
  }
  if (!s.of_text) return {};
  if (s.found == "\\") {
    const std::size_t begin = s.token.end + 1, end = s.text.find('\\', begin);
    const bool text = s.text.substr(s.token.end, 1) == "\"" && end != s.text.npos &&
                      s.text.substr(end + 1, 1) == "\"" &&
                      on_one_line(s.text, s.token.end, static_cast<std::uint32_t>(end));
    return "within the braces quotation marks stand without a '\\'" +
           (text ? ": \"" + kept(s.text.substr(begin, end - begin)) + "\"" : std::string());
  }
  if (s.found == ":" && s.what == Wanted::closing && skip_blanks(s.text, s.token.end) == s.token.end) {  // {x:.2f}
    RoughToken format = rough_token(s.text, s.token.end);
    if (shown(s.text, format) == ".") format = rough_token(s.text, format.end);
    const std::string_view digits = shown(s.text, format);
    const bool point = format.begin > s.token.end && format.tag == Tag::number && digits.find('.') == digits.npos;
    return "decimals are written {" + s.left() + " decimals " + (point ? digits[0] : digits == "d" ? '0' : '2') + "}";
  }
  return {};
}

// ---- values

std::string of_tests(const Stop& s) {
  if (s.what != Wanted::after_is) return {};
  const std::uint32_t is = s.before.begin;  // of 'is'
  const bool negated = s.found == "not";
  const std::string_view what = negated ? s.next() : s.found;
  const std::string left = operand_before(s.text, is);
  if (what == "missing" || what == "given") return {};
  if (is_null_word(what)) return "write " + left + (negated ? " is given" : " is missing");
  const auto kind = [](std::string_view word) {
    return among(word, {"number", "whole", "bool", "text", "list", "map", "record"});
  };
  const bool article = among(what, {"a", "an"});
  const RoughToken noun = rough_token(s.text, negated ? rough_token(s.text, s.token.end).end : s.token.end);
  const std::string_view named = article ? shown(s.text, noun) : what;
  if (kind(named)) return "write " + std::string(negated ? "not " : "") + left + " is " + std::string(named);
  const std::string right = operand_after(s.text, negated ? s.token.end : s.token.begin);
  return right == "…" ? std::string() : "write " + left + (negated ? " != " : " == ") + right;
}

std::string of_operators(const Stop& s) {
  if (s.wanted.substr(0, 15) == "what to take it") {
    const std::string left = operand_before(s.text, s.before.begin);
    if (among(s.found, {"str", "string", "String", "Text"})) return "write " + left + " as text";
    if (among(s.found, {"int", "integer", "Integer"})) return "write " + left + " as whole";
    if (among(s.found, {"float", "double", "decimal", "numeric"})) return "write " + left + " as number";
    if (among(s.found, {"boolean", "Boolean"})) return "write " + left + " as bool";
    if (among(s.found, {"array", "Array"})) return "write " + left + " as list";
    if (among(s.found, {"object", "dict"})) return "write " + left + " as map";
  }
  if (s.wanted.substr(0, 15) == "what to take it")
    return "a value has no other form: number(…) reads a text, \"{…}\" makes one, 100 * x is a percentage";
  if (s.same_line && s.last != "|" && s.ends_value()) {
    const bool value = s.after() != "…";
    const std::string left = s.left(), both = "(" + left + ", " + s.after() + ")";
    if (s.found == "mod") return "a remainder is written mod" + both;
    if (s.found == "%" && value && s.before.tag == Tag::number)
      return "a remainder is written mod" + both + "; a share is written " + left + "%";
    if (s.found == "%" && value) return "a remainder is written mod" + both + "; a share is written 100 * x";
    if (s.found == "of" && s.before.tag == Tag::number)
      return "a share of a value is written " + left + " * " + s.after();
    if (s.found == "as")
      return "a value has no other form: number(…) reads a text, \"{…}\" makes one, 100 * x is a percentage";
    if (among(s.found, {"²", "³"})) return "write " + left + " ^ " + (s.found == "²" ? "2" : "3");
    if ((s.found == "??" && value) || (s.found == "?" && s.next() == ":"))
      return "write " + left + " default " +
             (s.found == "?" ? operand_after(s.text, rough_token(s.text, s.token.end).end) : s.after());
    if (among(s.found, {"$", "€", "£"}) && s.before.tag == Tag::number) return "write the number alone: " + left;
  }
  if (s.found == "(" && s.last == "missing" && s.same_line)
    return "write " + inside(s.text, s.token.begin) + " is missing";
  if (among(s.found, {"$", "€", "£"}) && s.after() != "…") return "write the number alone: " + s.after();
  return {};
}

// k => v, x -> x + 1
std::string of_arrows(const Stop& s) {
  if (!among(s.found, {"=>", "->"}) || !among(s.earlier(), {"(", ",", "["}) || s.before.tag != Tag::word) return {};
  if (s.open != Syn::args && s.open != Syn::list) return {};
  const bool first = s.earlier() != ",";
  const std::string loop = inside(s.text, s.open_at), value = rest(s.text, s.token.end, true), name(s.last);
  std::string maker(shown(s.text, token_before(s.text, s.open_at)));
  if (s.open == Syn::list || maker != "group") maker = s.open == Syn::list || maker == "map" ? "map" : "";
  if (first && !maker.empty()) {
    const std::size_t over = loop.find(" for "), arrow = loop.find(s.found);
    if (over == loop.npos || arrow == loop.npos)
      return "write " + maker + "(" + name + ": " + value + " for " + name + " in …)";
    return "write " + maker + "(" + name + ":" + loop.substr(arrow + 2) + ")";
  }
  return s.open == Syn::args ? "what is done with each item is a loop: [" + value + " for " + name + " in …]"
                             : std::string();
}

std::string of_joints(const Stop& s) {
  if (compares(s.found) && among(s.last, {"and", "or"})) return both_sides(s.text, s.before, s.token);
  if (among(s.found, {"elif", "elsif", "elseif"}) || (s.found == "if" && s.last == "else"))
    return "another case is written: else VALUE when CONDITION";
  if (among(s.found, {")", "]", "}"}) && s.last == ",") return "remove the ',' before '" + std::string(s.found) + "'";
  return {};
}

std::string of_loops(const Stop& s) {
  if (s.behind_loop && (s.found == "if" || (s.found == "where" && s.open != Syn::root)))
    return "the condition of a loop is written: when " + rest(s.text, s.token.end, s.open != Syn::root);
  if (s.wanted == "'higher' or 'lower'" && s.token.tag != Tag::end) {
    const bool lower = s.found == "-" || s.found == "lowest";
    const bool word = among(s.found, {"-", "lowest", "highest", "max", "min"});
    return "say what comes first: " + std::string(s.last == "by" ? "by " : "") + (lower ? "lower " : "higher ") +
           operand_after(s.text, word ? s.token.end : s.token.begin);
  }
  return {};
}

std::string of_parts(const Stop& s) {
  if (s.open == Syn::rows && s.last == "|" && among(s.found, {"else", "default", "*"}))
    return "write 'otherwise' for all other values";
  if (s.wanted.substr(0, 7) == "'given'" && s.token.tag == Tag::word && !begins_declaration(s.text, s.token)) {
    const std::string_view near = nearest(s.found, {"given", "history", "context", "weights", "expect", "error"});
    if (!near.empty()) return "did you mean '" + std::string(near) + "'?";
  }
  return {};
}

}  // namespace

bool is_text_prefix(std::string_view word) { return among(word, {"f", "F", "r", "R", "b", "u", "rf", "fr", "s"}); }

std::string prefix_help(std::string_view text) {
  return "texts hold values as they are: " +
         (text.empty() || text.size() > kLongest ? "\"… {value} …\"" : std::string(text));
}

std::string Syntax::fix_it(const Expected& expected, const RoughToken& token, const RoughToken& before,
                           Problem& problem) const {
  Stop s{};
  s.text = text_, s.wanted = expected.text, s.what = expected.wanted;
  s.token = token, s.before = before;
  s.found = shown(text_, token);
  s.last = before.tag == Tag::end ? std::string_view() : shown(text_, before);
  s.same_line = before.tag != Tag::end && on_one_line(text_, before.end, token.begin);
  s.open = s.item = Syn::root;  // the bracket and the declaration that contain this place or end directly before it
  for (std::uint32_t i = open_; i != 0 && s.item == Syn::root; i = nodes_[i].next) {
    const Node& node = nodes_[i];
    if (is_item(node.kind)) s.item = node.kind;
    const bool bracket = node.kind == Syn::args || node.kind == Syn::list || node.kind == Syn::record ||
                         node.kind == Syn::rows || node.kind == Syn::kind_record || node.kind == Syn::params ||
                         node.kind == Syn::paren || node.kind == Syn::interpolation;
    if (s.open == Syn::root && bracket) s.open = node.kind, s.open_at = node.begin;
    s.of_text = s.of_text || node.kind == Syn::interpolation;
  }
  for (std::size_t i = nodes_.size(); i-- > 0 && s.item == Syn::root;) {
    if (is_item(nodes_[i].kind)) s.item = nodes_[i].kind;
  }
  s.of_kind = s.open == Syn::kind_record || s.open == Syn::params || (s.open == Syn::root && s.item == Syn::item_input);
  for (std::size_t i = nodes_.size(); i-- > 0 && !is_item(nodes_[i].kind);) {  // inside the declaration
    const Node& node = nodes_[i];
    if (node.end != before.end) continue;
    s.behind_loop = s.behind_loop || node.kind == Syn::loop;
    s.behind_policy =
        s.behind_policy || (s.of_kind && node.kind >= Syn::policy_optional && node.kind <= Syn::policy_missing);
  }
  if (s.wanted.substr(0, 4) == "'..'" && s.found != "to") {  // 0-10 is a difference
    const Node& minus = nodes_[nodes_.size() >= 2 ? nodes_.size() - 2 : 0];
    if (minus.kind == Syn::sum_op && text_[minus.begin] == '-' && nodes_.back().kind == Syn::number) {
      problem.at = {file_, minus.begin, minus.end};
      problem.message = "expected " + std::string(s.wanted) + ", found '-'";
      problem.label.clear();
      return "a range is written " + operand_before(text_, minus.begin) + ".." + operand_after(text_, minus.end);
    }
  }
  std::string hint = of_ranges(s, problem);
  if (hint.empty()) hint = of_kinds(s, problem);
  if (hint.empty()) hint = of_texts(s, problem);
  if (hint.empty()) hint = of_records(s);
  if (hint.empty()) hint = of_tests(s);
  if (hint.empty()) hint = of_declarations(s);
  if (hint.empty()) hint = of_loops(s);
  if (hint.empty()) hint = of_operators(s);
  if (hint.empty()) hint = of_arrows(s);
  if (hint.empty()) hint = of_joints(s);
  if (hint.empty()) hint = of_parts(s);
  return hint;
}

}  // namespace assay
