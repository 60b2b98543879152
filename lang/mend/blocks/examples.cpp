// Examples in other forms: lists of YAML or JSON, a table with a row for each, scenarios in sentences, calls in
// assertions. Keys that are inputs or dimensions belong to the given record, all others to the expected verdict.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace assay::mending {
namespace {

struct Sample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> given, expect;
  std::string given_text, expect_text, error;  // as written
  std::string request;                         // its other parts, a line each
  bool good() const { return !(expect.empty() && expect_text.empty() && error.empty()); }
};

std::set<std::string, std::less<>> names_given(const Tokens& tokens) {
  std::set<std::string, std::less<>> names{"id"};
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].starts || !among(tokens[i].shown, {"input", "dimension", "criterion"})) continue;
    std::size_t at = i + 1;
    while (tokens[at].kind == Token::Kind::word || tokens[at].is_text()) {
      names.insert(without_quotes(tokens, at));
      if (!tokens.is(at + 1, ",")) break;
      at += 2;
    }
  }
  return names;
}

bool is_example_head(std::string_view word) {
  return among(in_lower_case(word), {"examples", "example", "tests", "test", "cases", "testcases", "test_cases",
                                     "scenarios", "samples", "specs", "checks", "case"});
}
bool means_given(std::string_view key) {
  return among(in_lower_case(key),
               {"given", "input", "inputs", "record", "data", "in", "args", "values", "when", "with", "scores"});
}
bool means_expect(std::string_view key) {
  return among(in_lower_case(key),
               {"expect", "expected", "expects", "output", "outputs", "then", "verdict", "result", "results", "out",
                "should", "want", "returns", "outcome", "should be", "should have", "must be"});
}
bool means_name(std::string_view key) {
  return among(in_lower_case(key),
               {"name", "title", "description", "label", "case", "test", "example", "scenario", "desc"});
}

std::string value_of(const Tokens& tokens, const BlockItem& item);

// Whether it may be a text without its quotation marks, as in YAML: Anna Smith, 12:30, n/a. A sign that separates values, or
// half a pair, says that something else is wrong with it.
bool is_phrase(const Tokens& tokens, Span span) {
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const bool bracket =
        (tokens.opens(i) || tokens.closes(i)) &&
        (tokens[i].partner == kNone || tokens[i].partner < span.begin || tokens[i].partner >= span.end);
    const bool glued = i + 1 < span.end && tokens[i].end == tokens[i + 1].begin;
    if (bracket || tokens[i].kind == Token::Kind::text || among(tokens[i].shown, {",", "::", "{", "}", "[", "]"}) ||
        (tokens.is(i, ":") && !glued))
      return false;
  }
  return true;
}

std::string scalar(const Tokens& tokens, Span span) {
  if (span.empty()) return "missing";
  if (span.end == span.begin + 1) {
    const std::string_view word = tokens[span.begin].shown;
    if (tokens[span.begin].is_text()) return as_text(word);
    if (tokens[span.begin].kind == Token::Kind::number) return std::string(word);
    const std::string small = in_lower_case(word);
    if (small == "true" || small == "yes") return "true";
    if (small == "false" || small == "no") return "false";
    if (small == "null" || small == "none" || small == "missing" || small == "~") return "missing";
  }
  if (tokens.is(span.begin, "-") && span.end == span.begin + 2 && tokens[span.begin + 1].kind == Token::Kind::number)
    return raw(tokens, span);
  if (tokens.opens(span.begin) && tokens[span.begin].partner == span.end - 1 && span.end > span.begin + 2) {
    // [iso9001, { stars = 4; name = "x" }]
    const std::vector<BlockItem> inside = read_block(tokens, {span.begin + 1, span.end - 1});
    const bool record = tokens.is(span.begin, "{") && !inside.front().key.empty();  // {"a"}: a set
    std::string items;
    for (const BlockItem& one : inside) {
      if (one.key.empty() == record) return raw(tokens, span);
      const bool word = as_name(one.key) == one.key && !one.quoted;
      items += (items.empty() ? "" : ", ") +
               (record ? (word ? one.key : as_text("'" + one.key + "'")) + ": " : std::string()) +
               value_of(tokens, one);
    }
    return record ? "{ " + items + " }" : "[" + items + "]";
  }
  const bool text =
      is_phrase(tokens, span) && !(tokens.opens(span.begin) && tokens[span.begin].partner == span.end - 1);
  return text ? as_text("'" + raw(tokens, span) + "'") : raw(tokens, span);
}

std::string value_of(const Tokens& tokens, const BlockItem& item) {
  const std::size_t last = item.all.end - 1;
  if (item.inside.empty() && !item.value.empty()) return scalar(tokens, item.value);
  if (tokens.closes(last) && tokens[last].partner != kNone && tokens[last].partner >= item.all.begin &&
      !tokens.is(last, ")"))
    return scalar(tokens, {tokens[last].partner, item.all.end});
  if (item.inside.empty()) return "[]";
  const bool keyed = !item.inside.front().key.empty();
  std::string text;
  for (const BlockItem& one : item.inside) {
    const bool word = !one.key.empty() && as_name(one.key) == one.key && !one.quoted;
    text += (text.empty() ? "" : ", ") +
            (keyed ? (word ? one.key : as_text("'" + one.key + "'")) + ": " : std::string()) + value_of(tokens, one);
  }
  return (keyed ? "{ " : "[") + text + (keyed ? " }" : "]");
}

// The pairs of a block, or its text where that is a record already.
void read_pairs_of(const Tokens& tokens, const BlockItem& item, std::vector<std::pair<std::string, std::string>>& pairs,
                   std::string& text) {
  if (item.inside.empty() || item.inside.front().key.empty()) {
    text = item.inside.empty() && item.value.empty() ? "{}" : value_of(tokens, item);
    return;
  }
  for (const BlockItem& one : item.inside) pairs.emplace_back(one.key, value_of(tokens, one));
}

bool read_phrases(const Tokens& tokens, Span span, std::vector<std::pair<std::string, std::string>>& pairs);

void add_pair(std::vector<std::pair<std::string, std::string>>& pairs, std::string key, std::string value) {
  for (const std::string_view verb : {" contains", " includes", " has"}) {  // flags contains "late"
    if (!key.ends_with(verb)) continue;
    key.resize(key.size() - verb.size());
    value.insert(0, "[").append("]");
  }
  pairs.emplace_back(std::move(key), std::move(value));
}

// Whether a key has two values: of two blocks that say the same, one is left over.
bool says_twice(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::set<std::string_view> keys;
  return !std::all_of(pairs.begin(), pairs.end(), [&keys](const auto& pair) { return keys.insert(pair.first).second; });
}

bool read_sample(const Tokens& tokens, const BlockItem& item, const std::set<std::string, std::less<>>& given,
                 Sample& sample) {
  sample.name = item.key;
  // "name": { given } => { expected }
  if (item.inside.empty() && tokens.opens(item.value.begin) && tokens[item.value.begin].partner != kNone) {
    const std::size_t close = tokens[item.value.begin].partner;
    std::size_t second = close + 1;
    while (second < item.value.end && !tokens.opens(second) && !tokens[second].value()) ++second;
    if (second < item.value.end && tokens.is(item.value.begin, "{")) {
      sample.given_text = raw(tokens, {item.value.begin, close + 1});
      if (tokens.is(second, "{")) sample.expect_text = raw(tokens, {second, item.value.end});
      else sample.expect.emplace_back("score", scalar(tokens, {second, item.value.end}));
      return true;
    }
  }
  // example "a" { { given } -> { expected } }
  if (item.inside.size() == 1 && item.inside[0].key.empty() && item.inside[0].inside.empty() &&
      tokens.is(item.inside[0].value.begin, "{")) {
    BlockItem only = item.inside[0];
    only.key = item.key;
    return read_sample(tokens, only, given, sample);
  }
  for (const BlockItem& one : item.inside) {
    // given ride = 9, price = 3
    const std::string_view word = tokens[one.all.begin].shown;
    const bool given_here = means_given(word),
               bare = one.inside.empty() && tokens[one.all.begin].kind == Token::Kind::word;
    if (bare && (given_here || means_expect(word)) && one.all.end > one.all.begin + 2) {
      Span rest{one.all.begin + 1, one.all.end};
      if (tokens.is(rest.begin, ":") || tokens.is(rest.begin, "=")) ++rest.begin;
      std::vector<std::pair<std::string, std::string>> phrases;
      if (!tokens.opens(rest.begin) && !tokens[rest.begin].first && read_phrases(tokens, rest, phrases)) {
        auto& into = given_here ? sample.given : sample.expect;
        into.insert(into.end(), phrases.begin(), phrases.end());
        continue;
      }
      if (!given_here && rest.end == rest.begin + 1 &&
          tokens[rest.begin].kind == Token::Kind::number) {  // expected: 39
        sample.expect.emplace_back("score", scalar(tokens, rest));
        continue;
      }
      const std::vector<BlockItem> pairs = read_block(tokens, rest);
      if (!std::all_of(pairs.begin(), pairs.end(), [](const BlockItem& p) { return !p.key.empty(); })) return false;
      if (pairs.size() > 1 || !(pairs.front().value.end == pairs.front().value.begin)) {
        for (const BlockItem& pair : pairs)
          add_pair(given_here ? sample.given : sample.expect, pair.key, value_of(tokens, pair));
        continue;
      }
    }
    const bool block = !one.inside.empty();
    if (among(word, {"=>", "->", "→"})) {  // => score: 39, grade: "B"
      for (const BlockItem& pair : read_block(tokens, {one.all.begin + 1, one.all.end})) {
        if (pair.key.empty()) return false;
        sample.expect.emplace_back(pair.key, value_of(tokens, pair));
      }
      continue;
    }
    if (means_name(one.key) && !block) {
      sample.name = scalar(tokens, one.value);
      if (sample.name.size() >= 2 && sample.name.front() == '"')
        sample.name = sample.name.substr(1, sample.name.size() - 2);
    } else if (means_given(one.key) && (block || one.value.empty())) {
      read_pairs_of(tokens, one, sample.given, sample.given_text);
    } else if (means_expect(one.key) && (block || one.value.empty())) {
      read_pairs_of(tokens, one, sample.expect, sample.expect_text);
    } else if (one.key.empty() && tokens.is(one.value.begin + 1, "==") && one.value.end > one.value.begin + 2) {
      sample.expect.emplace_back(tokens[one.value.begin].shown, scalar(tokens, {one.value.begin + 2, one.value.end}));
    } else if (one.key.empty() && tokens.is(one.all.begin, "{") && sample.given.empty() && sample.given_text.empty()) {
      sample.given_text = raw(tokens, one.all);  // { what is given } expect { … }
    } else if (one.key.empty() && tokens.is(one.all.begin, "{") && sample.expect.empty() &&
               sample.expect_text.empty()) {
      sample.expect_text = raw(tokens, one.all);
    } else if (one.key.empty()) {
      return false;
    } else if (means_expect(one.key)) {  // "expected": 39
      sample.expect.emplace_back("score", scalar(tokens, one.value));
    } else if (among(in_lower_case(one.key), {"context", "history", "weights"})) {
      std::string value = value_of(tokens, one);
      if (one.key == "context") {  // names, which a list of values would quote
        value = raw(tokens, {one.value.begin, one.all.end});
        if (value.empty() || value.front() != '[') value = "[" + value + "]";
      }
      sample.request += in_lower_case(one.key) + " " + value + "\n";
    } else if (in_lower_case(one.key) == "error") {
      sample.error = scalar(tokens, one.value);
    } else {
      std::string key = one.key;
      for (const std::string_view start : {"expected_", "expect_", "expected ", "expect "}) {
        if (in_lower_case(key.substr(0, start.size())) == start) key = key.substr(start.size());
      }
      const bool of_given = key == one.key && given.count(key) != 0;
      add_pair(of_given ? sample.given : sample.expect, key, value_of(tokens, one));
    }
  }
  return sample.good() && !says_twice(sample.given) && !says_twice(sample.expect);
}

std::string braces(const std::vector<std::pair<std::string, std::string>>& pairs, const std::string& text) {
  if (pairs.empty()) return text.empty() ? "{}" : text;
  std::string all;
  for (const auto& [key, value] : pairs) {
    const bool word = as_name(key) == key && !is_reserved(key);
    all += (all.empty() ? "{ " : ", ") + (word ? key : as_text("'" + key + "'")) + ": " + value;
  }
  return all + " }";
}

std::string write_samples(std::vector<Sample>& samples, const std::string& indent) {
  std::string all;
  std::size_t number = 0;
  const auto lines = [&indent](const std::string& parts) {
    std::string result;
    for (const char c : parts) result += c == '\n' ? "\n" + indent + "  " : std::string(1, c);
    return result;
  };
  for (Sample& sample : samples) {
    ++number;
    if (sample.name.empty()) sample.name = samples.size() == 1 ? "example" : "example " + std::to_string(number);
    all += (all.empty() ? "" : "\n" + indent) + ("example " + as_text("'" + sample.name + "'")) + " {\n" + indent +
           "  given " + braces(sample.given, sample.given_text) + "\n" + indent + "  " + lines(sample.request) +
           (sample.error.empty() ? "expect " + braces(sample.expect, sample.expect_text) : "error at " + sample.error) +
           "\n" + indent + "}";
  }
  return all;
}

// examples: a list, an array, or a table
void listed(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!is_example_head(tokens[i].shown)) return;
  std::size_t at = i + 1;
  std::string name;
  if (tokens[at].is_text() ||
      (tokens[at].kind == Token::Kind::word && !tokens[at].first && in_lower_case(tokens[at].shown) != "cases"))
    name = without_quotes(tokens, at++);
  else if (in_lower_case(tokens[at].shown) == "cases" && !tokens[at].first) ++at;
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  if (at == i + 1 && !tokens.opens(at) && !tokens[at].first) return;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (block.inside.empty() || block.last < window.at) return;
  const auto given = names_given(tokens);
  std::vector<Sample> samples;
  if (tokens.is(block.inside.begin, "|")) {
    std::vector<std::string> header;
    std::vector<std::vector<Span>> rows;
    for (std::size_t k = block.inside.begin; k < block.inside.end;) {
      std::vector<Span> cells;
      std::size_t from = ++k;
      for (; k < block.inside.end && !tokens[k].first; ++k) {
        if (!tokens.is(k, "|")) continue;
        cells.push_back({from, k});
        from = k + 1;
      }
      rows.push_back(std::move(cells));
    }
    for (const Span& cell : rows[0])
      header.push_back(cell.end == cell.begin + 1 ? without_quotes(tokens, cell.begin) : raw(tokens, cell));
    for (std::size_t r = 1; r < rows.size(); ++r) {
      if (rows[r].size() != header.size()) return;
      const auto arrow = [&](std::size_t c) {
        return !rows[0][c].empty() && tokens[rows[0][c].begin].kind == Token::Kind::sign;
      };
      if (!rows[r].empty() && !rows[r][0].empty() && tokens[rows[r][0].begin].kind == Token::Kind::sign &&
          rows[r][0].end > rows[r][0].begin + 1 && tokens.is(rows[r][0].begin + 1, "-"))
        continue;  // |---|
      BlockItem item;
      for (std::size_t c = 0; c < header.size(); ++c) {
        if (rows[r][c].empty() || arrow(c)) continue;
        BlockItem cell;
        cell.key = header[c];
        cell.all = cell.value = rows[r][c];
        item.inside.push_back(std::move(cell));
      }
      Sample sample;
      if (!read_sample(tokens, item, given, sample)) return;
      samples.push_back(std::move(sample));
    }
  } else {
    const std::vector<BlockItem> items = read_block(tokens, block.inside);
    const bool single = among(in_lower_case(tokens[i].shown), {"example", "test", "case"}) && !name.empty();
    const bool one = single || std::any_of(items.begin(), items.end(), [](const BlockItem& x) {
                       return means_given(x.key) || means_expect(x.key);
                     });
    if (one) {
      BlockItem whole;
      whole.key = name;
      whole.inside = items;
      Sample sample;
      if (!read_sample(tokens, whole, given, sample)) return;
      sample.name = sample.name.empty() ? name : sample.name;
      samples.push_back(std::move(sample));
    } else {
      const std::string text = examples_of(tokens, items, indent_before(tokens, i));
      if (!text.empty()) out.add(tokens[i].begin, tokens[block.last].end, text, true);
      return;
    }
  }
  const std::string text = write_samples(samples, indent_before(tokens, i));
  if (!text.empty()) out.add(tokens[i].begin, tokens[block.last].end, text, true);
}

// 'NAME is VALUE', several with 'and' or commas between
bool read_phrases(const Tokens& tokens, Span span, std::vector<std::pair<std::string, std::string>>& pairs) {
  std::size_t from = span.begin;
  for (std::size_t k = span.begin; k <= span.end; k = k < span.end ? std::min(tokens.behind(k), span.end) : k + 1) {
    if (k < span.end && !(tokens.is(k, ",") || tokens.is(k, "and") || tokens.is(k, "&"))) continue;
    std::size_t key = from;
    while (key < k && among(tokens[key].shown, {"the", "a", "an", "that", "with", "input", "record", ":"})) ++key;
    std::size_t value = key + 1;
    while (value < k && among(tokens[value].shown, {"is", "=", "==", ":", "should", "be", "of", "equals", "equal", "to",
                                                    "must", "has", "value", "will"}))
      ++value;
    if (key >= k || tokens[key].kind != Token::Kind::word || value >= k) return false;
    // 'clarity 8'
    if (value == key + 1 && !(tokens[value].kind == Token::Kind::number || tokens[value].is_text() ||
                              tokens.opens(value) || among(tokens[value].shown, {"true", "false", "yes", "no"})))
      return false;
    pairs.emplace_back(tokens[key].shown, scalar(tokens, {value, k}));
    from = k + 1;
  }
  return true;
}

// The same, or that a list is empty: there are no flags.
bool read_step(const Tokens& tokens, Span span, std::vector<std::pair<std::string, std::string>>& pairs) {
  const bool none = span.end == span.begin + 4 && tokens.is(span.begin, "there") &&
                    among(tokens[span.begin + 1].shown, {"are", "is"}) && tokens.is(span.begin + 2, "no");
  if (none) pairs.emplace_back(tokens[span.end - 1].shown, "[]");
  return none || read_phrases(tokens, span, pairs);
}

// Scenario: … Given … Then …, line by line
void scenario(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto step = [&tokens](std::size_t k) {
    return among(in_lower_case(tokens[k].shown), {"given", "when", "then", "and", "but", "expect", "*"});
  };
  std::size_t at = i;
  Sample sample;
  bool block = false;
  if (among(in_lower_case(tokens[i].shown), {"scenario", "example", "test", "case"})) {
    const std::size_t last = line_last(tokens, i);
    std::size_t name = i + 1;
    if (tokens.is(name, ":")) ++name;
    std::size_t end = last;
    if (tokens.is(end, "{") || tokens.is(end, ":")) block = tokens.is(end, "{"), --end;
    if (end >= name) sample.name = end == name ? without_quotes(tokens, name) : raw(tokens, {name, end + 1});
    at = last + 1;
  }
  bool expects = false;
  std::size_t behind = at > i ? at - 1 : i, steps = 0, unknown = 0;
  std::vector<Edit> edits;  // the first one becomes the example
  const auto names = names_given(tokens);
  while (at + 1 < tokens.size() && tokens[at].first && step(at)) {
    const std::size_t last = line_last(tokens, at);
    const std::string word = in_lower_case(tokens[at].shown);
    if (among(word, {"then", "expect"})) expects = true;
    std::vector<std::pair<std::string, std::string>> pairs;
    bool known = read_step(tokens, {at + 1, last + 1}, pairs);
    for (const auto& pair : pairs) known = known && (expects || names.count(pair.first) != 0);
    for (auto& pair : pairs) {
      if (known) (expects ? sample.expect : sample.given).push_back(std::move(pair));
    }
    // A step that says something else stays, and is told by itself.
    if (!known && (++unknown > 1 || at == i)) return;
    if (!known && edits.empty()) edits.push_back(out.edit(tokens[i].begin, tokens[behind].end, ""));
    if (known && !edits.empty()) {  // its line goes
      const std::string_view text = tokens.text();
      edits.push_back(out.edit(text.rfind('\n', tokens[at].begin) + 1,
                               std::min(text.find('\n', tokens[last].end), text.size() - 1) + 1, ""));
    }
    if (known) behind = last, ++steps;
    at = last + 1;
  }
  if (steps < 2 || !sample.good() || at <= window.at) return;
  if (block && tokens.is(at, "}")) {
    if (!edits.empty()) return;
    behind = at;
  }
  if (edits.empty()) edits.push_back(out.edit(tokens[i].begin, tokens[behind].end, ""));
  std::vector<Sample> samples{std::move(sample)};
  edits[0].text = write_samples(samples, indent_before(tokens, i));
  out.add(std::move(edits), true);
}

// One side of an example: a record, or phrases.
bool read_side(const Tokens& tokens, Span span, std::vector<std::pair<std::string, std::string>>& pairs,
               std::string& text) {
  if (!tokens.is(span.begin, "{") || tokens[span.begin].partner != span.end - 1)
    return read_phrases(tokens, span, pairs);
  text = scalar(tokens, span);
  return true;
}

// example "fine": clarity 8 and depth 6 gives score 7; example "fine" { clarity: 8, depth: 6 } expects { score: 7 };
// assert score == 7 for { clarity: 8, depth: 6 }
void sentence(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t last = line_last(tokens, i);
  const bool asserts = among(in_lower_case(tokens[i].shown), {"assert", "ensure", "expect"});
  if (!is_example_head(tokens[i].shown) && !asserts) return;
  std::size_t from = i + 1;
  Sample sample;
  const auto begins = [&tokens](std::size_t k) {
    return among(tokens[k].shown, {":", "=", "-", "–", "given", "with", "where", "if", "for", "when"});
  };
  if (tokens[from].is_text()) sample.name = without_quotes(tokens, from++);
  else if (!asserts && tokens[from].kind == Token::Kind::word && !begins(from) && begins(from + 1))
    sample.name = std::string(tokens[from++].shown);
  while (from <= last && begins(from)) ++from;
  const auto leads = [&tokens, asserts, &begins](std::size_t k) {
    if (asserts) return tokens[k].kind == Token::Kind::word && begins(k);
    return among(in_lower_case(tokens[k].shown), {"gives", "give", "=>", "->", "then", "yields", "expect", "should",
                                                  "→", "results", "expects", "scores", "makes", "returns", "must"});
  };
  std::size_t cut = from;
  while (cut <= last && !leads(cut)) cut = tokens.behind(cut);
  if (cut > last && tokens.is(from, "{") && tokens[from].partner < last) cut = tokens[from].partner + 1;
  std::size_t to = cut, end = last + 1;
  while (to <= last && (leads(to) || among(tokens[to].shown, {"in", "a", "an", "be", "have", "get", ":", "the"}))) ++to;
  // A bracket around all of it, of which only the end is on this side.
  const auto loose = [&tokens](std::size_t k, std::size_t begin) {
    return tokens.closes(k) && (tokens[k].partner == kNone || tokens[k].partner < begin);
  };
  while (end > to && (loose(end - 1, to) || tokens.is(end - 1, "."))) --end;
  std::size_t given = cut;
  while (given > from && (loose(given - 1, from) || tokens.is(given - 1, ","))) --given;
  if (cut > last || to >= end || given <= from) return;
  Span record{from, given}, verdict{to, end};
  if (asserts) std::swap(record, verdict);
  if (!read_side(tokens, record, sample.given, sample.given_text)) return;
  if (verdict.end == verdict.begin + 1 && tokens[verdict.begin].kind == Token::Kind::number)
    sample.expect.emplace_back("score", tokens[verdict.begin].shown);
  else if (!read_side(tokens, verdict, sample.expect, sample.expect_text)) return;
  if (sample.name.empty()) sample.name = raw(tokens, {from, given});
  std::vector<Sample> samples{std::move(sample)};
  out.add(tokens[i].begin, tokens[last].end, write_samples(samples, indent_before(tokens, i)), true);
}

// assert talk(clarity: 5).score == 5; expect(talk({ clarity: 5 }).score).toBe(5)
void asserted(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t last = line_last(tokens, i);
  if (!among(in_lower_case(tokens[i].shown),
             {"assert", "expect", "test", "check", "example", "verify", "assert_equal", "assertequal", "should"}))
    return;
  if (tokens[i + 1].is_text() && tokens.is(i + 2, "{")) return;  // an example with its record
  std::string name;
  std::size_t call = i + 1;
  if (tokens[call].is_text()) name = without_quotes(tokens, call++);
  while (call <= last &&
         !(tokens[call].kind == Token::Kind::word && tokens.is(call + 1, "(") && tokens[call + 1].partner != kNone))
    ++call;
  if (call > last) return;
  const std::size_t open = call + 1, close = tokens[open].partner;
  Span inside{open + 1, close};
  if (tokens.is(inside.begin, "{") && tokens[inside.begin].partner == close - 1) inside = {inside.begin + 1, close - 1};
  Sample sample;
  sample.name = name;
  for (const BlockItem& one : read_block(tokens, inside)) {
    if (one.key.empty()) return;
    sample.given.emplace_back(one.key, value_of(tokens, one));
  }
  std::string key = "score";
  std::size_t at = close + 1;
  if (tokens.is(at, ".") && tokens[at + 1].kind == Token::Kind::word) key = tokens[at + 1].shown, at += 2;
  else if (tokens.is(at, "[") && tokens[at + 1].is_text()) key = without_quotes(tokens, at + 1), at += 3;
  while (at <= last &&
         (tokens.is(at, ")") || tokens.is(at, "==") || tokens.is(at, "=") || tokens.is(at, ".") || tokens.is(at, ",") ||
          tokens.is(at, "(") || tokens.is(at, "->") || tokens.is(at, "=>") || tokens.is(at, ":") ||
          among(tokens[at].shown, {"toBe", "toEqual", "is", "equals", "should", "be", "equal", "to"})))
    ++at;
  std::size_t end = last + 1;
  while (end > at && (tokens.is(end - 1, ")") || tokens.is(end - 1, ";"))) --end;
  if (at >= end || sample.given.empty()) return;
  if (tokens.is(at, "{")) sample.expect_text = raw(tokens, {at, end});
  else sample.expect.emplace_back(key, scalar(tokens, {at, end}));
  // 'def test_plain():' or 'it("…", () => {' around it
  std::size_t begin = i, end_token = last;
  if (i > 0) {
    const std::size_t before = line_first(tokens, i - 1);
    if (among(tokens[before].shown, {"def", "it", "test", "function", "fn", "describe"}) && !tokens[before].starts) {
      begin = before;
      if (sample.name.empty() && tokens[before + 1].kind == Token::Kind::word) sample.name = tokens[before + 1].shown;
      if (tokens.is(before + 1, "(") && tokens[before + 2].is_text()) sample.name = without_quotes(tokens, before + 2);
      const bool braces_around = tokens.is(line_last(tokens, before), "{");
      if (braces_around && tokens[last + 1].first && tokens.is(last + 1, "}")) end_token = line_last(tokens, last + 1);
    }
  }
  std::vector<Sample> samples{std::move(sample)};
  out.add(tokens[begin].begin, tokens[end_token].end, write_samples(samples, indent_before(tokens, begin)), true);
}

}  // namespace

std::string examples_of(const Tokens& tokens, const std::vector<BlockItem>& items, const std::string& indent) {
  const auto given = names_given(tokens);
  std::vector<Sample> samples;
  for (const BlockItem& item : items) {
    Sample sample;
    if (!read_sample(tokens, item, given, sample)) return {};
    samples.push_back(std::move(sample));
  }
  return write_samples(samples, indent);
}

void examples_of_others(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const Tokens& tokens = window.tokens;
  const std::size_t here = line_first(tokens, window.at);
  std::size_t lines = 0;
  for (const std::size_t i : lines_upwards(tokens, here, 60)) {
    ++lines;
    // test "fine" { given { … } expect { … } }: only its word is another
    if (among(in_lower_case(tokens[i].shown), {"test", "case", "scenario", "sample", "spec", "testcase"}) &&
        tokens[i + 1].is_text() && tokens.is(i + 2, "{") && tokens.is(i + 3, "given"))
      out.add(tokens[i].begin, tokens[i + 1].end, "example " + as_text(tokens[i + 1].shown), true);
    listed(window, i, out);
    if (lines < 15) scenario(window, i, out);
  }
  sentence(window, here, out);
  asserted(window, here, out);
  if (here > 0 && here < tokens.size() - 2) asserted(window, line_last(tokens, here) + 1, out);
}

}  // namespace assay::mending
