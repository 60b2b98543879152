// Ways out that depend on what stands around a mistake: they show the author's own words in the order in which they
// would be right. What depends on the offending token alone is a row of a table in lang/parse_explain.cpp.
#include "lang/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

namespace assay {
namespace {

using Tag = RoughToken::Tag;

constexpr std::size_t kLongest = 40;  // of the words that a help repeats
constexpr std::uint32_t kFar = 200;   // what lies further away is not looked at

std::string_view shown(std::string_view text, const RoughToken& token) {
  return text.substr(token.begin, token.end - token.begin);
}

bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool one_line(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  return text.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

std::string kept(std::string_view s) { return s.empty() || s.size() > kLongest ? "…" : std::string(s); }

// The name, number or path that ends before `end`.
std::string operand_before(std::string_view text, std::uint32_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  std::uint32_t begin = end;
  while (
      begin > 0 && end - begin < kFar &&
      (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_' || text[begin - 1] == '.'))
    --begin;
  return kept(text.substr(begin, end - begin));
}

// Behind the bracket that is closed first from here on, in the same line; 0: none.
std::uint32_t closed(std::string_view text, std::uint32_t open) {
  int depth = 0;
  for (RoughToken t = rough_token(text, open); t.tag != Tag::end && t.end - open < kFar && one_line(text, open, t.end);
       t = rough_token(text, t.end)) {
    if (among(shown(text, t), {"(", "[", "{"})) ++depth;
    if (among(shown(text, t), {")", "]", "}"}) && --depth <= 0) return t.end;
  }
  return 0;
}

// The value that begins behind `at`, in the same line: a literal, or a path with its calls.
std::string operand_after(std::string_view text, std::uint32_t at) {
  RoughToken first = rough_token(text, at);
  const std::uint32_t begin = first.begin;
  if (first.tag == Tag::end || !one_line(text, at, begin)) return "…";
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

// What stands behind `at` up to the end of the line, a comma or the bracket around it.
std::string rest(std::string_view text, std::uint32_t at, bool with_texts) {
  int depth = 0;
  const std::uint32_t begin = rough_token(text, at).begin;
  std::uint32_t end = begin;
  for (RoughToken t = rough_token(text, at); t.tag != Tag::end && t.end - at < kFar && one_line(text, at, t.begin);
       t = rough_token(text, t.end)) {
    const std::string_view s = shown(text, t);
    if (among(s, {"(", "[", "{"})) ++depth;
    if (among(s, {")", "]", "}"}) && depth-- == 0) break;
    if ((s == "," && depth == 0) || (t.tag == Tag::text && !with_texts)) break;
    end = t.end;
  }
  return kept(text.substr(begin, end - begin));
}

// enum("a", "b") → one of ("a", "b"); `open` is where its bracket stands.
std::string choices(std::string_view text, std::uint32_t open) {
  std::string all;
  for (RoughToken t = rough_token(text, open + 1); t.tag == Tag::text || shown(text, t) == ",";
       t = rough_token(text, t.end)) {
    if (t.tag == Tag::text) all += (all.empty() ? "" : ", ") + std::string(shown(text, t));
  }
  return "one of (" + (all.empty() || all.size() > 2 * kLongest ? "\"a\", \"b\"" : all) + ")";
}

bool compares(std::string_view sign) { return among(sign, {"<", "<=", ">", ">=", "==", "!="}); }

// a >= 3 and < 5: the value on the left stands once more.
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

}  // namespace

std::string Syntax::way_out(const Expected& expected, const RoughToken& token, const RoughToken& before,
                            Problem& problem) const {
  const std::string_view found = shown(text_, token), wanted = expected.text;
  const std::string_view last = before.tag == Tag::end ? std::string_view() : shown(text_, before);
  const bool same_line = before.tag != Tag::end && one_line(text_, before.end, token.begin);
  const auto after = [&] { return operand_after(text_, token.end); };
  const auto is_item = [](Syn kind) { return kind >= Syn::item_version && kind <= Syn::item_cohort; };
  Syn open = Syn::root, item = Syn::root;  // the bracket and the declaration that this stands in or right behind
  for (std::size_t i = open_.size(); i-- > 0 && item == Syn::root;) {
    const Syn kind = nodes_[open_[i]].kind;
    if (is_item(kind)) item = kind;
    const bool bracket = kind == Syn::args || kind == Syn::list || kind == Syn::record || kind == Syn::rows ||
                         kind == Syn::kind_record || kind == Syn::params || kind == Syn::paren;
    if (open == Syn::root && bracket) open = kind;
  }
  for (std::size_t i = nodes_.size(); i-- > 0 && item == Syn::root;) {
    if (is_item(nodes_[i].kind)) item = nodes_[i].kind;
  }
  const bool of_kind =
      open == Syn::kind_record || open == Syn::params || (open == Syn::root && item == Syn::item_input);

  if (wanted.substr(0, 4) == "'..'") {  // 0-10 is a sum
    if (found == "to" && same_line) return "a range is written " + operand_before(text_, token.begin) + ".." + after();
    const Node& minus = nodes_[nodes_.size() >= 2 ? nodes_.size() - 2 : 0];
    if (minus.kind == Syn::sum_op && text_[minus.begin] == '-' && nodes_.back().kind == Syn::number) {
      problem.at = {file_, minus.begin, minus.end};
      problem.message = "expected " + std::string(wanted) + ", found '-'";
      problem.label.clear();
      return "a range is written " + operand_before(text_, minus.begin) + ".." + operand_after(text_, minus.end);
    }
  }
  if (found == "(" && among(last, {"enum", "Enum", "choice", "choices", "oneof", "one_of", "Literal"}))
    return "write " + choices(text_, token.begin);
  if (found == "=" && of_kind && open != Syn::params && same_line) return "write default " + after();
  if (same_line && among(last, {"optional", "required"}) && of_kind && token.tag == Tag::word)
    return "the kind comes first: " + rest(text_, token.begin, false) + " " + std::string(last);
  if (same_line && last != "|" &&
      (before.tag == Tag::word || before.tag == Tag::number || last == ")" || last == "]")) {
    const bool value = after() != "…";
    const std::string left = operand_before(text_, before.end), both = "(" + left + ", " + after() + ")";
    if (found == "mod") return "a remainder is written mod" + both;
    if (found == "%" && value && before.tag == Tag::number)
      return "a remainder is written mod" + both + "; a share is written " + left + "%";
    if (found == "%" && value) return "a remainder is written mod" + both + "; a share is written 100 * x";
  }
  if (open == Syn::rows && last == "|" && among(found, {"else", "default", "*"}))
    return "write 'otherwise' for all other values";
  const bool behind_loop = std::any_of(
      nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.kind == Syn::loop && node.end == before.end; });
  if (behind_loop && (found == "if" || (found == "where" && open != Syn::root)))
    return "the condition of a loop is written: when " + rest(text_, token.end, open != Syn::root);
  if (wanted == "'higher' or 'lower'" && token.tag != Tag::end) {
    const bool lower = found == "-" || found == "lowest";
    const bool word = among(found, {"-", "lowest", "highest", "max", "min"});
    return "say what comes first: " + std::string(last == "by" ? "by " : "") + (lower ? "lower " : "higher ") +
           operand_after(text_, word ? token.end : token.begin);
  }
  if (compares(found) && among(last, {"and", "or"})) return both_sides(text_, before, token);
  if (among(found, {"elif", "elsif", "elseif"}) || (found == "if" && last == "else"))
    return "another case is written: else VALUE when CONDITION";
  if (among(found, {")", "]", "}"}) && last == ",") return "remove the ',' before '" + std::string(found) + "'";
  if (open == Syn::record && found == "." && before.tag == Tag::word) {
    const std::string path = operand_after(text_, before.begin);
    return "write " + path.substr(path.rfind('.') + 1) + ": " + path;
  }
  if (wanted.substr(0, 7) == "'given'" && token.tag == Tag::word && !begins_declaration(text_, token)) {
    const std::string_view near = nearest(found, {"given", "history", "context", "weights", "expect", "error"});
    if (!near.empty()) return "did you mean '" + std::string(near) + "'?";
  }
  if (found == "import" && expected.wanted == Wanted::declaration)
    return "imports stand at the top of the file, before the rubric";
  return {};
}

}  // namespace assay
