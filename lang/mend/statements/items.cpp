// Blocks are divided at the lines with the least indentation, and at commas and semicolons before another key.
#include "lang/mend/statements/items.hpp"
#include "lang/mend/foreign/known_names.hpp"

#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <set>

namespace assay::mending {
namespace {

constexpr int kDeepest = 6;
constexpr std::size_t kMostItems = 2000;

bool is_bullet(const Tokens& tokens, std::size_t i) {
  if (!tokens[i].first || tokens[i + 1].first) return false;
  return tokens.is(i, "-") || tokens.is(i, "*") || tokens.is(i, "•") || tokens.is(i, "+");
}
// '1.' and '2)' before an item
bool is_ordinal(const Tokens& tokens, std::size_t i) {
  return tokens[i].first && tokens[i].kind == Token::Kind::number && !tokens[i + 1].first &&
         (tokens.is(i + 1, ")") || (tokens.is(i + 1, ".") && tokens[i + 2].begin > tokens[i + 1].end));
}
bool separates(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, ":") || tokens.is(i, "=") || tokens.is(i, "=>") || tokens.is(i, "->") || tokens.is(i, ":=");
}

// Whether a new item begins here: a key with its separator, an amount or a bracket behind it.
bool begins_item(const Tokens& tokens, std::size_t i) {
  if (tokens[i].kind != Token::Kind::word && !tokens[i].is_text() && tokens[i].kind != Token::Kind::number)
    return tokens.is(i, "{");
  std::size_t at = i + 1;
  while (at < i + 5 && tokens[at].kind == Token::Kind::word && !tokens[at].first) ++at;
  if (among(tokens[i].shown, {"at", "up", "capped", "never", "not", "no"}) && !separates(tokens, i + 1))
    return false;  // late: 5 each, at most 20
  // A clause of the item before: 'style: number 0..1, weight 20'
  if (among(tokens[i].shown, {"weight", "points", "worth", "default", "min", "max"}) &&
      tokens[i + 1].kind == Token::Kind::number)
    return false;
  const bool said = tokens[i].kind == Token::Kind::word && at == i + 1 && tokens[at].is_text() && !tokens[at].first;
  return said || separates(tokens, at) || tokens.is(at, "(") || tokens.is(at, "[") ||
         (tokens[at].kind == Token::Kind::number && tokens[i].kind != Token::Kind::number &&
          !is_reserved(tokens[i].shown));
}

// Whether a bracket holds the arguments of a call, 'max(a, b)', and no amount, 'style(40%)'.
bool calls(const Tokens& tokens, std::size_t open) {
  const bool amount = tokens[open + 1].kind == Token::Kind::number && tokens[open].partner <= open + 3;
  return tokens.is(open, "(") && open > 0 && tokens[open - 1].end == tokens[open].begin && !amount;
}

// A key in the bold letters of Markdown, '**Thesis:**'; behind it `i` goes on.
bool read_bold(const Tokens& tokens, std::size_t& i, std::size_t end, std::string& key) {
  if (!tokens.is(i, "**")) return false;
  std::size_t close = i + 1;
  while (close < end && !tokens.is(close, "**")) ++close;
  const std::size_t last = separates(tokens, close - 1) ? close - 1 : close;
  if (close >= end || last <= i + 1) return false;
  key = last == i + 2 ? without_quotes(tokens, i + 1) : raw(tokens, {i + 1, last});
  i = close + 1;
  if (separates(tokens, i) || tokens.is(i, "-") || tokens.is(i, "–") || tokens.is(i, "—")) ++i;
  return true;
}

BlockItem read_item(const Tokens& tokens, Span span, int deep) {
  BlockItem item;
  item.all = span;
  std::size_t i = span.begin;
  if (is_ordinal(tokens, i)) i += 2;
  else if (is_bullet(tokens, i)) ++i;
  const bool bold = read_bold(tokens, i, span.end, item.key);
  // A key: words, a text or a number, up to its separator.
  std::size_t at = i;
  while (!bold && at < span.end && at < i + 6 &&
         (tokens[at].kind == Token::Kind::word || (at == i && tokens[at].value())) && !(at > i && tokens[at].first) &&
         !(at > i && tokens[at - 1].is_text()))
    ++at;
  if (at < span.end && at == i + 1 && tokens[i].kind == Token::Kind::word && tokens[at].first &&
      column_of(tokens, at) > column_of(tokens, i)) {  // 'given' on a line of its own
    item.key = tokens[i].shown;
    i = at;
  } else if (at < span.end && at > i && separates(tokens, at)) {
    item.quoted = tokens[i].is_text();
    item.key = at == i + 1 ? without_quotes(tokens, i) : raw(tokens, {i, at});
    i = at + 1;
  } else if (at < span.end && at > i && tokens[i].value() && tokens[i].kind != Token::Kind::number &&
             ((tokens.opens(at) && !calls(tokens, at)) || tokens[at].kind == Token::Kind::number ||
              tokens[at].is_text() || tokens.is(at, "-") || tokens.is(at, "–") || tokens.is(at, "—"))) {
    // 'crust (40%)', 'crust 40%', 'crust – 40%'; 'crust weight 40%' keeps its clause
    std::size_t name = at;
    static constexpr std::string_view kClauses[] = {"weight", "points", "is",       "worth", "counts",
                                                    "max",    "at",     "decimals", "digits"};
    while (name > i + 1 &&
           std::find(std::begin(kClauses), std::end(kClauses), tokens[name - 1].shown) != std::end(kClauses))
      --name;
    item.quoted = tokens[i].is_text();
    item.key = name == i + 1 ? without_quotes(tokens, i) : raw(tokens, {i, name});
    i = name;
    if (i < span.end && (tokens.is(i, "-") || tokens.is(i, "–") || tokens.is(i, "—"))) ++i;
  }
  item.value = {i, span.end};
  if (deep >= kDeepest || item.value.empty()) return item;
  const bool block = (tokens.is(i, "{") || tokens.is(i, "[")) && tokens[i].partner != kNone;
  if (block && tokens[i].partner + 1 == span.end) {
    item.inside = read_block(tokens, {i + 1, tokens[i].partner}, deep + 1);
    item.value = {i, i};
    return item;
  }
  // Lines below it that stand deeper: behind 'key:' on a line of its own, or behind what its line says.
  std::size_t below = i;
  while (below < span.end && !(below > span.begin && tokens[below].first)) below = tokens.behind(below);
  if (below >= span.end) return item;
  const std::size_t key = span.begin;
  const bool bullet = is_bullet(tokens, key) || is_ordinal(tokens, key);
  if (bullet && below > i) {  // '- name: x' and the other keys of the same item below
    BlockItem first = read_item(tokens, {bullet ? key + (is_ordinal(tokens, key) ? 2 : 1) : key, below}, deep + 1);
    const std::size_t column = column_of(tokens, first.all.begin);
    if (!first.key.empty() && column_of(tokens, below) == column) {
      std::vector<BlockItem> rest = read_block(tokens, {below, span.end}, deep + 1);
      BlockItem whole;
      whole.all = span;
      whole.value = {span.begin, span.begin};
      whole.inside.push_back(std::move(first));
      for (BlockItem& one : rest) whole.inside.push_back(std::move(one));
      return whole;
    }
  }
  item.inside = read_block(tokens, {below, span.end}, deep + 1);
  item.value = {i, below};
  return item;
}

}  // namespace

std::size_t column_of(const Tokens& tokens, std::size_t i) {
  const std::string_view text = tokens.text();
  std::size_t begin = tokens[i].begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  return tokens[i].begin - begin;
}
std::string indent_before(const Tokens& tokens, std::size_t i) {
  const std::size_t column = column_of(tokens, i), begin = tokens[i].begin - column;
  const std::string_view line = tokens.text().substr(begin, column);
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}
std::size_t line_first(const Tokens& tokens, std::size_t i) {
  while (i > 0 && !tokens[i].first) --i;
  return i;
}
std::size_t line_last(const Tokens& tokens, std::size_t i) {
  while (i + 2 < tokens.size() && !tokens[i + 1].first) ++i;
  return i;
}
std::vector<std::size_t> lines_upwards(const Tokens& tokens, std::size_t i, std::size_t most) {
  std::vector<std::size_t> lines;
  for (std::size_t k = line_first(tokens, i) + 1; k-- > 0 && lines.size() < most;) {
    if (tokens[k].first) lines.push_back(k);
  }
  return lines;
}
std::string declared_like(const Tokens& tokens, std::string_view word) {
  return declared_like(tokens, std::vector<std::string_view>{word});
}

static std::string stem(std::string_view word) {
  std::string one = in_lower_case(word);
  if (one.size() > 4 && one.ends_with("ies")) one.replace(one.size() - 3, 3, "y");
  else if (one.size() > 3 && one.back() == 's') one.pop_back();
  return one;
}

bool is_part_of_name(std::string_view word, std::string_view name) {
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('_', from), name.size());
    if (stem(name.substr(from, end - from)) == stem(word)) return true;
    from = end + 1;
  }
  return false;
}

std::string declared_like(const Tokens& tokens, const std::vector<std::string_view>& words) {
  std::vector<std::string> stems;
  for (const std::string_view word : words) stems.push_back(stem(word));
  std::string found;
  std::size_t most = 0, least = 0, count = 0;  // parts of a name that are said, that are not; names like the best
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].starts || !among(tokens[i].shown, {"input", "let", "dimension"})) continue;
    for (std::size_t at = i + 1; tokens[at].kind == Token::Kind::word; at += 2) {
      const std::string_view name = tokens[at].shown;
      if (words.size() == 1 && (name == words[0] || stem(name) == stem(words[0]))) return std::string(name);
      std::size_t said = 0, unsaid = 0;
      for (std::size_t from = 0; from <= name.size();) {
        const std::size_t end = std::min(name.find('_', from), name.size());
        const bool part = std::find(stems.begin(), stems.end(), stem(name.substr(from, end - from))) != stems.end();
        ++(part ? said : unsaid);
        from = end + 1;
      }
      if (said > 0 && (said > most || (said == most && unsaid < least))) {
        found = name;
        most = said, least = unsaid, count = 0;
      }
      if (said > 0 && said == most && unsaid == least) ++count;
      if (!tokens.is(at + 1, ",")) break;
    }
  }
  return count == 1 ? found : std::string();
}

std::string_view declared_kind(const Tokens& tokens, std::string_view name) {
  if (tokens.declaration({"dimension", "criterion"}, name) != kNone) return "number";
  std::size_t at = tokens.declaration({"input"}, name);
  if (at == kNone) return {};
  constexpr std::size_t kMostNames = 40;  // of one declaration, and the signs between them
  for (const std::size_t end = at + kMostNames; at < end && !tokens.is(at, ":");) ++at;
  return tokens.is(at, ":") ? tokens[at + 1].shown : std::string_view();
}

std::string raw(const Tokens& tokens, Span span) {
  return span.empty() ? std::string() : std::string(tokens.text(span.begin, span.end - 1));
}
std::string without_quotes(const Tokens& tokens, std::size_t i) {
  if (!tokens[i].is_text()) return std::string(tokens[i].shown);
  const std::string text = as_text(tokens[i].shown);
  return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

std::vector<BlockItem> read_block(const Tokens& tokens, Span block, int deep) {
  std::vector<BlockItem> items;
  std::size_t least = kNone;  // the indentation of the items
  bool lines = false;
  // Bullets that stand no deeper than the key above them belong to it.
  const bool bullets = is_bullet(tokens, block.begin);
  const auto continues = [&](std::size_t i) { return !bullets && is_bullet(tokens, i); };
  for (std::size_t i = block.begin; i < block.end; i = tokens.behind(i)) {
    if (!tokens[i].first) continue;
    lines = lines || i > block.begin;
    least = std::min(least, column_of(tokens, i));
  }
  bool keyed = false;  // commas divide items only where keys stand behind them, or nothing has keys
  for (std::size_t i = block.begin; i < block.end && !keyed; i = tokens.behind(i))
    keyed = (i == block.begin || tokens.is(i - 1, ",") || tokens[i].first) && begins_item(tokens, i);
  std::size_t from = block.begin;
  const bool braces = block.begin > 0 && tokens.is(block.begin - 1, "{");
  const auto close = [&](std::size_t at) {
    if (at > from && items.size() < kMostItems) items.push_back(read_item(tokens, {from, at}, deep));
    from = at;
  };
  for (std::size_t i = block.begin; i < block.end;) {
    if (i > from && tokens[i].first && column_of(tokens, i) <= least && !continues(i)) close(i);
    const bool comma = tokens.is(i, ",") || tokens.is(i, ";");
    const bool ends = comma && (i + 1 >= block.end || tokens[i + 1].first || tokens.is(i, ";") ||
                                (keyed ? begins_item(tokens, i + 1) : !lines) ||
                                (braces && tokens[i + 1].is_text() && i + 2 == block.end && !tokens[i - 1].is_text()));
    if (ends) {
      close(i);
      from = ++i;
      continue;
    }
    // { a: 1 b: 2 }: between two pairs of a record only the comma is missing
    const bool pair = i > from + 2 && braces && tokens[i].kind == Token::Kind::word && tokens.is(i + 1, ":") &&
                      tokens.is(from + 1, ":") && tokens[i - 1].value() && !tokens[i].first;
    // { weight 60% level 0 "bad" level 10 "good" }
    const bool level = i > from && braces && tokens.is(i, "level") && tokens[i + 1].kind == Token::Kind::number;
    if (pair || level) close(i);
    i = std::min(tokens.behind(i), block.end);
  }
  close(block.end);
  return items;
}

Block block_behind(const Tokens& tokens, std::size_t at, std::size_t indent) {
  Block block;
  const bool opens = tokens.opens(at) && tokens[at].partner != kNone;
  if (opens) {
    block.inside = {at + 1, tokens[at].partner};
    block.last = tokens[at].partner;
    block.bracket = true;
    return block;
  }
  if (!tokens[at].first) {  // on the line of its head
    const std::size_t last = line_last(tokens, at);
    block.inside = {at, last + 1};
    block.last = last;
    return block;
  }
  std::size_t end = at;
  while (end + 1 < tokens.size()) {
    const bool bullet =
        column_of(tokens, end) == indent && (is_bullet(tokens, end) || is_ordinal(tokens, end) || tokens.is(end, "|"));
    if (tokens[end].first && column_of(tokens, end) <= indent && !bullet) break;
    if (tokens.closes(end)) break;  // of a block around it
    end = tokens.behind(end);
  }
  if (end <= at) return block;
  block.inside = {at, std::min(end, tokens.size() - 1)};
  block.last = block.inside.end - 1;
  return block;
}

bool lists(const Tokens& tokens, const BlockItem& list, std::string_view name) {
  return std::any_of(list.inside.begin(), list.inside.end(), [&](const BlockItem& one) {
    return one.value.end == one.value.begin + 1 && without_quotes(tokens, one.value.begin) == name;
  });
}

std::string form_of_part(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::size_t k = begin;
  while (k < end && among(tokens[k].shown, {"-", "*", "•"})) ++k;
  if (k >= end || (!tokens[k].is_text() && (tokens[k].kind != Token::Kind::word || is_reserved(tokens[k].shown))))
    return {};
  if (const std::string_view word = word_of_statement(tokens[k].shown); !word.empty() && word != tokens[k].shown)
    return {};  // plus 1 when early
  const std::string name = tokens[k].is_text() ? "text " : "word ";
  static constexpr std::string_view kClauses[] = {"weight", "points", "worth", "is", "at", "counts", "if", "where"};
  while (++k < end && tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) &&
         std::find(std::begin(kClauses), std::end(kClauses), tokens[k].shown) == std::end(kClauses)) {}
  if (k >= end || tokens.is(k, ",") || tokens.is(k, ";")) return name;
  return name + (tokens[k].kind == Token::Kind::number ? "number"
                 : tokens[k].is_text()                 ? "text"
                                                       : std::string(tokens[k].shown));
}

bool loses_name(const Tokens& tokens, Span span, const std::string& made) {
  const KnownNames names(tokens);
  const Tokens kept(made);
  std::set<std::string_view> own;  // names that it declares itself
  for (std::size_t i = span.begin; i < span.end; ++i) {
    if (among(tokens[i - 1].shown, {"let", "const", "var"})) own.insert(tokens[i].shown);
    if (tokens[i].kind != Token::Kind::word || names.values_of_record.count(tokens[i].shown) == 0 ||
        own.count(tokens[i].shown) != 0 || tokens.is(i - 1, ".") || tokens.is(i + 1, ":"))
      continue;
    bool found = made.find("{" + std::string(tokens[i].shown)) != std::string::npos;  // in a text
    for (std::size_t k = 0; !found && k < kept.size(); ++k) found = kept.is(k, tokens[i].shown);
    if (!found) return true;
  }
  return false;
}

bool is_open(const Tokens& tokens, Span span) {
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const std::string_view shown = tokens[i].shown;
    const bool bracket = tokens.opens(i) && (tokens[i].partner == kNone || tokens[i].partner >= span.end);
    const bool text = tokens[i].kind == Token::Kind::text && (shown.size() < 2 || shown.back() != '"');
    if (bracket || text) return true;
  }
  return false;
}

}  // namespace assay::mending
