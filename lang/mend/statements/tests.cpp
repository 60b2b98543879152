// Tests of programs as examples: functions whose statements score a record and compare what comes out. A test that holds
// anything else stays as it is.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

struct Test {
  std::string name, given;
  std::string expect;
};

std::string text_in_quotes(const std::string& words) { return as_text("'" + words + "'"); }

// A value of a test: a literal, or a list or record of them.
std::string literal(const Tokens& tokens, Span span) {
  std::string all;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const std::string_view shown = tokens[i].shown;
    std::string one(shown);
    if (tokens[i].is_text()) one = as_text(shown);
    else if (among(shown, {"True", "true", "False", "false"})) one = in_lower_case(shown);
    else if (among(shown, {"None", "null", "undefined"})) one = "missing";
    else if (tokens[i].kind == Token::Kind::word && !tokens.is(i + 1, ":")) return {};
    else if (tokens[i].kind == Token::Kind::sign && !among(shown, {"[", "]", "{", "}", ",", ":", "-"})) return {};
    all += (i > span.begin && tokens[i].begin > tokens[i - 1].end ? " " : "") + one;
  }
  return all;
}

// The record in the brackets of a call, f(a=1, b=2), f({ a: 1 }) or f(dict(a=1)); empty: something else.
std::string record_in(const Tokens& tokens, std::size_t open) {
  Span inside{open + 1, tokens[open].partner};
  if (among(tokens[inside.begin].shown, {"dict", "Record"}) && tokens.is(inside.begin + 1, "(")) ++inside.begin;
  const bool bracket = tokens.is(inside.begin, "{") || tokens.is(inside.begin, "(");
  if (bracket && tokens[inside.begin].partner == inside.end - 1) inside = {inside.begin + 1, inside.end - 1};
  std::string all;
  for (std::size_t i = inside.begin; i < inside.end;) {
    if (tokens[i].kind != Token::Kind::word && !tokens[i].is_text()) return {};
    if (!tokens.is(i + 1, "=") && !tokens.is(i + 1, ":")) return {};
    std::size_t end = i + 2;
    while (end < inside.end && !tokens.is(end, ",")) end = tokens.behind(end);
    const std::string value = literal(tokens, {i + 2, end});
    if (value.empty()) return {};
    all += (all.empty() ? "" : ", ") + without_quotes(tokens, i) + ": " + value;
    i = end + 1;
  }
  return all;
}

// Reads the statements of one test; false: one of them is something else.
class TestReader {
 public:
  TestReader(const Tokens& tokens, Span body) : tokens_(tokens), body_(body) {}

  bool read(Test& test) {
    for (at_ = body_.begin; at_ < body_.end;) {
      const std::size_t last = std::min(line_last(tokens_, at_) + 1, body_.end);
      if (!statement({at_, last})) return false;
      at_ = last;
    }
    test.given = given_;
    test.expect = expect_;
    return !given_.empty() && !expect_.empty();
  }

 private:
  bool is(std::size_t i, std::initializer_list<std::string_view> words) const {
    return i < end_ && among(tokens_[i].shown, words);
  }
  // A call that scores a record; `i`: behind it.
  bool call(std::size_t& i) {
    std::size_t open = i;
    while (open < end_ && (tokens_[open].kind == Token::Kind::word || is(open, {"."}))) ++open;
    if (open == i || !is(open, {"("}) || tokens_[open].partner == kNone || tokens_[open].partner >= end_) return false;
    const std::string record = record_in(tokens_, open);
    if (record.empty() || (!given_.empty() && given_ != record)) return false;
    given_ = record;
    i = tokens_[open].partner + 1;
    return true;
  }
  // What comes out, v or f(…), and which of its values: v["grade"], v.grade. `i`: behind it.
  bool subject(std::size_t& i, std::string& key) {
    const bool known =
        i < end_ && tokens_[i].kind == Token::Kind::word && tokens_[i].shown == variable_ && !is(i + 1, {"("});
    if (known) ++i;
    else if (!call(i)) return false;
    key = "score";
    if (is(i, {"."}) && tokens_[i + 1].kind == Token::Kind::word) key = tokens_[i + 1].shown, i += 2;
    else if (is(i, {"["}) && tokens_[i + 1].is_text() && is(i + 2, {"]"})) key = without_quotes(tokens_, i + 1), i += 3;
    return true;
  }
  bool expects(const std::string& key, const std::string& value) {
    if (value.empty()) return false;
    expect_ += (expect_.empty() ? "" : ", ") + key + ": " + value;
    return true;
  }
  bool statement(Span line) {
    end_ = line.end;
    while (end_ > line.begin && is(end_ - 1, {";"})) --end_;
    std::size_t i = line.begin;
    if (is(i, {"pass", "#"}) || i >= end_) return true;
    while (is(i, {"const", "let", "var", "await"})) ++i;
    if (tokens_[i].kind == Token::Kind::word && is(i + 1, {"="})) {  // v = f(a=1)
      variable_ = tokens_[i].shown;
      i += 2;
      return call(i) && i == end_;
    }
    std::string key;
    if (is(i, {"assert"}) && !is(i + 1, {"("})) {  // assert v["a"] == 3
      const bool denied = is(++i, {"not"});
      if (denied) ++i;
      if (!subject(i, key)) return false;
      if (i == end_) return expects(key, denied ? "false" : "true");
      return !denied && is(i, {"==", "is"}) && expects(key, literal(tokens_, {i + 1, end_}));
    }
    while (is(i, {"self", "assert", "t", "."}) && !is(i + 1, {"("})) ++i;
    if (!is(i + 1, {"("}) || tokens_[i + 1].partner == kNone || tokens_[i + 1].partner >= end_) return false;
    const std::string word = in_lower_case(tokens_[i].shown);
    const std::size_t close = tokens_[i + 1].partner, end = end_;
    i += 2;
    if (!subject(i, key)) return false;
    if (word == "expect") {  // expect(v.a).toBe(3)
      std::size_t value = close + 1;
      while (value < end && (is(value, {".", "to", "be", "toBe", "toEqual", "toStrictEqual", "equal", "eq"}))) ++value;
      return i == close && is(value, {"("}) && tokens_[value].partner == end - 1 &&
             expects(key, literal(tokens_, {value + 1, end - 1}));
    }
    const bool equal =
        among(word, {"assertequal", "assert_equal", "equal", "assertequals", "strictequal", "assert_eq"});
    return equal && close == end - 1 && is(i, {","}) && expects(key, literal(tokens_, {i + 1, close}));
  }

  const Tokens& tokens_;
  Span body_;
  std::size_t at_ = 0, end_ = 0;
  std::string_view variable_;
  std::string given_, expect_;
};

}  // namespace

void tests_of_others(const Window& window, Proposals& out) {
  if (!window.problem.code.starts_with("E01")) return;
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens[i].first || !among(tokens[i].shown, {"def", "function", "it", "test", "fn", "func"})) continue;
    const bool quoted = tokens.is(i + 1, "(") && tokens[i + 2].is_text();  // it("…", () => {
    const std::string name = quoted ? without_quotes(tokens, i + 2) : std::string(tokens[i + 1].shown);
    const std::size_t last = line_last(tokens, i);
    if (!quoted && !in_lower_case(name).starts_with("test")) continue;
    const bool braces = tokens.is(last, "{") && tokens[last].partner != kNone;
    if (!braces && !tokens.is(last, ":")) continue;
    const Block block = block_behind(tokens, braces ? last : last + 1, column_of(tokens, i));
    Test test;
    if (block.inside.empty() || !TestReader(tokens, block.inside).read(test)) continue;
    std::string title = quoted ? name : name.substr(4);
    for (char& c : title) c = c == '_' ? ' ' : c;
    while (!title.empty() && title[0] == ' ') title.erase(0, 1);
    std::size_t end = block.last;
    while (braces && (tokens.is(end + 1, ")") || tokens.is(end + 1, ";")) && !tokens[end + 1].first) ++end;
    edits.push_back(out.edit(tokens[i].begin, tokens[end].end,
                             "example " + text_in_quotes(title.empty() ? name : title) + " { given { " + test.given +
                                 " } expect { " + test.expect + " } }"));
    i = end;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

}  // namespace assay::mending
