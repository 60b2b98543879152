// Blocks that hold several declarations ('dimensions: crust (40%), crumb (60%)', 'flags:' with a list below), and
// single statements in another order or with other words. Each is read part by part and rewritten.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace assay::mending {
namespace {

constexpr std::size_t kLines = 60;  // before the problem, to find the head of its block

struct Head {
  std::string_view word;  // of its declarations
  Block block;
  std::string name;
};

// A head at the beginning of a line, with its block behind it.
bool read_head(const Tokens& tokens, std::size_t i, Head& head) {
  const bool named = tokens.is(i + 2, ".") && tokens[i].partner == i + 4;  // [dimensions] of TOML, [dimension.taste]
  if (tokens.is(i, "[") && (named || tokens[i].partner == i + 2) && tokens[tokens[i].partner + 1].first) {
    head.word = section_of(tokens[i + 1]);
    if (named) head.name = without_quotes(tokens, i + 3);
    const std::size_t begin = tokens[i].partner + 1;
    std::size_t end = begin;
    while (end + 1 < tokens.size() && tokens.is(end + 1, "=") && !(tokens[end].starts && tokens[end + 1].value()))
      end = line_last(tokens, end) + 1;
    head.block.inside = {begin, end};
    head.block.last = end - 1;
    return !head.word.empty() && end > begin;
  }
  if (tokens.is(i, "|") && tokens.is(i + 2, "|") && (i == 0 || !tokens.is(line_first(tokens, i - 1), "|"))) {
    head.word = section_of(tokens[i + 1]);  // | deduction | points | when |
    std::size_t end = i;
    const auto below = [&tokens](std::size_t k) {  // in the next line
      const std::string_view between = tokens.text().substr(tokens[k - 1].end, tokens[k].begin - tokens[k - 1].end);
      return std::count(between.begin(), between.end(), '\n') == 1;
    };
    while (tokens[end].first && tokens.is(end, "|") && (end == i || below(end))) end = line_last(tokens, end) + 1;
    head.block.inside = {i, end};
    head.block.last = end - 1;
    return !head.word.empty() && !among(head.word, {"dimension", "criterion"});
  }
  head.word = section_of(tokens[i]);
  if (head.word.empty()) return false;
  std::size_t at = i + 1;
  bool sign = false;
  while (at < i + 5 && !tokens[at].first) {
    if (tokens.is(at, ":") || tokens.is(at, "=") || tokens.is(at, ":=")) sign = true;
    else if (among(tokens[at].shown, {"are", "is", "as", "follows", "of", "the", "list", "and", "weights", "weight"}))
      sign = sign || tokens.is(at, "are");
    else break;
    ++at;
  }
  if (among(tokens[at].shown, {"limited", "capped", "restricted"})) return false;  // deductions are limited to 20
  const bool opens = tokens.opens(at) && tokens[at].partner != kNone;
  if (!sign && !opens && !tokens[at].first) return false;
  if (!opens && !tokens[at].first && !sign) return false;
  head.block = block_behind(tokens, at, column_of(tokens, i));
  return !head.block.inside.empty();
}

// Rows whose cells stand in columns with the names of keys.
bool items_of_bars(const std::vector<std::vector<Span>>& rows, const Tokens& tokens, std::vector<BlockItem>& items) {
  for (std::size_t r = 1; r < rows.size(); ++r) {
    BlockItem item;
    if (rows[r].size() > rows[0].size() || rows[r].empty()) return false;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c].empty() || rows[0][c].empty()) continue;
      BlockItem cell;
      cell.key = c == 0                                   ? "name"
                 : rows[0][c].end == rows[0][c].begin + 1 ? without_quotes(tokens, rows[0][c].begin)
                                                          : raw(tokens, rows[0][c]);
      cell.all = cell.value = rows[r][c];
      item.inside.push_back(std::move(cell));
    }
    items.push_back(std::move(item));
  }
  return true;
}

// weights { a: 40%, b: 60% }, of dimensions that are declared without weights: into them.
bool weights_apart(const Window& window, std::size_t i, const Head& head, const std::vector<BlockItem>& items,
                   Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::string rest;  // of dimensions that are declared nowhere
  for (const BlockItem& item : items) {
    if (item.key.empty() || item.value.end != item.value.begin + 1 ||
        tokens[item.value.begin].kind != Token::Kind::number)
      return false;
    const std::size_t k = tokens.declaration({"dimension"}, item.key);
    const std::string clause = (in_lower_case(tokens[i].shown) == "points" ? " points " : " weight ") +
                               std::string(tokens[item.value.begin].shown);
    if (k == kNone)
      rest +=
          (rest.empty() ? "dimension " : "\n" + indent_before(tokens, i) + "dimension ") + as_name(item.key) + clause;
    else edits.push_back(out.edit(tokens[k + 1].end, tokens[k + 1].end, clause));
  }
  if (edits.empty()) return false;
  edits.push_back(out.edit(tokens[i].begin, tokens[head.block.last].end, rest));
  out.add(std::move(edits), true);
  return true;
}

// levels style { 5 "good" }, of a dimension that is declared elsewhere: into it.
void levels_apart(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!among(in_lower_case(tokens[i].shown), {"levels", "level", "anchors", "descriptors", "scale"})) return;
  std::size_t name = i + 1;
  while (among(tokens[name].shown, {"of", "for"})) ++name;
  if (tokens[name].kind != Token::Kind::word || tokens.declaration({"dimension"}, tokens[name].shown) == kNone) return;
  std::size_t at = name + 1;
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  BlockItem item;
  item.key = "x";
  item.inside = read_block(tokens, block.inside);
  for (BlockItem& level : item.inside) {  // 10 "good": a number and a text
    if (!level.key.empty() || level.value.empty() || tokens[level.value.begin].kind != Token::Kind::number) continue;
    level.key = tokens[level.value.begin++].shown;
  }
  const std::string written =
      item.inside.empty() ? std::string() : declare(tokens, "criterion", item, indent_before(tokens, i)).text;
  const std::size_t open = written.find(" {");
  if (open == std::string::npos) return;
  const std::size_t end = tokens[line_last(tokens, tokens.declaration({"dimension"}, tokens[name].shown))].end;
  if (end > tokens[i].begin) return;
  out.add({out.edit(end, end, written.substr(open)), out.edit(tokens[i].begin, tokens[block.last].end, "")}, true);
}

// 'at most 2', 'to a maximum of 2', 'unless late': what goes on with the declaration before the comma
bool continues(std::string_view words) {
  const std::string small = in_lower_case(words);
  const std::string first = small.substr(0, small.find_first_of(" _"));
  if (among(first,
            {"at",     "up",    "max",     "maximum", "but",      "no",   "not",     "limit",  "limited",  "cap",
             "capped", "never", "rounded", "round",   "decimals", "with", "without", "though", "although", "subject",
             "unless", "if",    "when",    "where",   "per",      "only", "and",     "or"}))
    return true;
  for (std::size_t blank = small.find(' '); blank != std::string::npos; blank = small.find(' ', blank + 1)) {
    const std::string_view word = std::string_view(small).substr(blank + 1, small.find(' ', blank + 1) - blank - 1);
    if (among(word, {"maximum", "minimum", "most", "least", "more", "less", "limit", "cap", "exceed", "exceeding"}))
      return true;
  }
  return false;
}

// price, fee: number: names in front of one with a type share it.
void share_types(const Tokens& tokens, std::vector<BlockItem>& items) {
  std::vector<BlockItem> result, open;
  for (BlockItem& item : items) {
    bool bare = item.key.empty() && item.inside.empty() && !item.value.empty();
    for (std::size_t k = item.value.begin; k < item.value.end && bare; ++k) {
      const bool name = tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) &&
                        !among(tokens[k].shown, {"number", "whole", "text", "bool", "list"});
      bare = (k - item.value.begin) % 2 == 0 ? name : tokens.is(k, ",");
    }
    if (bare) {
      open.push_back(std::move(item));
      continue;
    }
    // price number
    if (item.key.empty() && item.value.end > item.value.begin + 1 &&
        tokens[item.value.begin].kind == Token::Kind::word && tokens[item.value.begin + 1].kind == Token::Kind::word)
      item.key = tokens[item.value.begin++].shown;
    std::string names;
    for (const BlockItem& one : open) names += raw(tokens, one.value) + ", ";
    if (item.key.empty()) result.insert(result.end(), open.begin(), open.end());
    else item.key.insert(0, names);
    open.clear();
    result.push_back(std::move(item));
  }
  result.insert(result.end(), open.begin(), open.end());
  items = std::move(result);
}

void section(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  Head head;
  if (!read_head(tokens, i, head) || head.block.last < window.at) return;
  const bool alone = find_declaration(tokens[i].shown) != nullptr || !word_of_statement(tokens[i].shown).empty();
  if (alone && tokens.is(i + 1, "(") && tokens[i].end == tokens[i + 1].begin) return;  // bonus(early, 2): a call
  const std::string indent = indent_before(tokens, i);
  std::vector<std::vector<Span>> rows;
  std::vector<BlockItem> items;
  if (read_bars(tokens, head.block.inside, rows)) {
    if (!items_of_bars(rows, tokens, items)) return;
  } else {
    items = fields_of_schema(tokens, read_block(tokens, head.block.inside));
  }
  if (!head.name.empty()) {
    BlockItem whole;
    whole.key = head.name;
    whole.inside = std::move(items);
    items = {std::move(whole)};
  }
  // gate: name: …, condition: …: the keys of one declaration
  const auto names = [](const BlockItem& item) { return among(in_lower_case(item.key), {"name", "id"}); };
  const auto types = [](const BlockItem& item) { return among(in_lower_case(item.key), {"type", "kind"}); };
  const bool inputs = head.word == "input" && std::none_of(items.begin(), items.end(), types);  // one called 'name'
  if (items.size() > 1 && std::any_of(items.begin(), items.end(), names) && items[0].inside.empty() && !inputs) {
    BlockItem whole;
    whole.inside = std::move(items);
    items = {std::move(whole)};
  }
  if (head.word == "input") share_types(tokens, items);
  const std::string small = in_lower_case(tokens[i].shown);
  if ((small == "weights" || small == "points" || small == "weighting") && weights_apart(window, i, head, items, out))
    return;
  std::size_t last = head.block.last;
  // dimensions [a, b] weights [0.6, 0.4]
  std::size_t more = last + 1;
  while (among(tokens[more].shown, {"weights", "weight", "points", "with", "weighted", "by", ":", "="}) &&
         (!tokens[more].first || more == last + 1))
    ++more;
  if (more > last + 1 && tokens.opens(more) && tokens[more].partner != kNone) {
    const std::vector<BlockItem> amounts = read_block(tokens, {more + 1, tokens[more].partner});
    if (amounts.size() != items.size()) return;
    const std::string_view clause = tokens.is(last + 1, "points") ? "points" : "weight";
    std::string zipped;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const Declared one = declare(tokens, head.word, items[k], indent);
      if (one.text.empty() || amounts[k].value.end != amounts[k].value.begin + 1) return;
      zipped +=
          (k == 0 ? "" : "\n" + indent) + one.text + " " + std::string(clause) + " " + raw(tokens, amounts[k].value);
    }
    out.add(tokens[i].begin, tokens[tokens[more].partner].end, zipped, true);
    return;
  }
  std::string all;
  bool certain = true;
  const bool points =
      !tokens[last + 1].first && among(tokens[last + 1].shown, {"points", "pts", "marks"});  // { a: 20 } points
  if (points) ++last;
  for (const BlockItem& item : items) {
    Declared one = declare(tokens, head.word, item, indent);
    if (one.text.empty() || (items.size() > 1 && continues(item.key))) return;
    if (const std::size_t at = one.text.find(" weight "); points && at != std::string::npos)
      one.text.replace(at, 8, " points ");
    certain = certain && one.certain;
    all += (all.empty() ? "" : "\n" + indent) + one.text;
  }
  if (!all.empty()) out.add(tokens[i].begin, tokens[last].end, all, certain);
}

// dimensions clarity and depth, 50% each: names, and one amount for all of them
void alike(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view word = section_of(tokens[i]);
  if (word != "dimension" && word != "criterion") return;
  const std::size_t last = line_last(tokens, i);
  std::vector<std::string> names;
  std::string amount;
  bool same = false;
  for (std::size_t k = i + 1; k <= last; ++k) {
    const std::string small = in_lower_case(tokens[k].shown);
    const bool equal = among(small, {"each", "equal", "equally", "same", "every", "all"});
    same = same || equal;
    if (tokens[k].kind == Token::Kind::number && amount.empty()) {
      amount = tokens[k].shown;
      const bool points = among(tokens[k + 1].shown, {"points", "pts", "marks", "point"});
      const bool percent = among(tokens[k + 1].shown, {"%", "percent"});
      k += points || percent ? 1 : 0;
      amount = (points ? " points " : " weight ") + amount + (percent ? "%" : "");
    } else if (tokens[k].value() && tokens[k].kind != Token::Kind::number && !equal && amount.empty() &&
               !among(small, {"and", "are", "weight", "weights", "with", "weighted", "of", "at", "is", "points"})) {
      names.push_back(without_quotes(tokens, k));
    } else if (tokens[k].kind == Token::Kind::number ||
               (tokens[k].kind == Token::Kind::sign &&
                !among(tokens[k].shown, {",", ":", "(", ")", "[", "]", "&", "=", "-", "–", ";"}))) {
      return;
    }
  }
  if (names.size() < 2 || !same) return;
  std::string all;
  for (const std::string& name : names)
    all += (all.empty() ? "" : "\n" + indent_before(tokens, i)) + std::string(word) + " " + as_name(name) +
           (amount.empty() ? " weight 1/" + std::to_string(names.size()) : amount);
  out.add(tokens[i].begin, tokens[last].end, all, true);
}

// The end of the statement that begins at a line's first token: the next line that is not deeper, or a bracket around
// it.
std::size_t end_of_statement(const Tokens& tokens, std::size_t i) {
  const std::size_t column = column_of(tokens, i);
  std::size_t end = i + 1;
  while (end + 1 < tokens.size() && !tokens.closes(end) && !(tokens[end].first && column_of(tokens, end) <= column))
    end = std::min(tokens.behind(end), tokens.size() - 1);
  return end;
}

// Whether the percentages of all dimensions add up to 100%.
bool add_up(const Tokens& tokens) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (tokens.is(k, "weight") && tokens[k + 1].shown.ends_with('%'))
      sum += std::strtod(std::string(tokens[k + 1].shown).c_str(), nullptr);
  }
  return sum > 99.9 && sum < 100.1;
}

// Whether a line below an input says something of it, 'unit: kg', and does not stand below its name, as another one would.
bool is_attribute(const Tokens& tokens, std::size_t input, std::size_t k) {
  return tokens[k].first && !tokens.is(k - 1, ",") && column_of(tokens, k) != column_of(tokens, input + 1);
}

// Whether the value of an item is a type, as far as one word can tell: 'colour: red' is none.
bool has_type(const Tokens& tokens, const BlockItem& item) {
  if (item.value.end != item.value.begin + 1) return true;
  const std::size_t at = item.value.begin;
  if (tokens[at].kind != Token::Kind::word) return !tokens[at].is_text();
  Type type(tokens, item.key, at, item.value.end);
  const std::string_view shown = tokens[at].shown;
  return among(shown, {"number", "whole", "text", "bool", "list", "map", "any", "record"}) ||
         tokens.declaration({"type"}, shown) != kNone || (type.read() && type.written() != shown);
}

// cap style, content at 5 when late; let a, b = 1, 2: the same for each name, or a value for each
void several_names(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!among(tokens[i].shown, {"cap", "flag", "gate", "deduction", "bonus", "dimension", "criterion", "let", "output"}))
    return;
  // let { a, b } = record; let [a, b] = list
  const std::size_t open = i + 1, shut = tokens[open].partner;
  if ((tokens.is(open, "{") || tokens.is(open, "[")) && shut != kNone && tokens.is(shut + 1, "=") &&
      (tokens.is(i, "let") || tokens.is(i, "output"))) {
    const std::string of = raw(tokens, {shut + 2, line_last(tokens, shut) + 1});
    std::string each;
    std::size_t place = 0;
    for (std::size_t k = open + 1; k < shut; k += 2, ++place) {
      if (tokens[k].kind != Token::Kind::word || (k + 1 < shut && !tokens.is(k + 1, ","))) return;
      const std::string name(tokens[k].shown);
      each += (place == 0 ? "" : "\n" + indent_before(tokens, i)) + std::string(tokens[i].shown) + " " + name + " = " +
              of + (tokens.is(open, "{") ? "." + name : "[" + std::to_string(place) + "]");
    }
    if (place > 0 && !of.empty()) out.add(tokens[i].begin, tokens[line_last(tokens, shut)].end, each, true);
    return;
  }
  std::vector<std::string_view> names;
  bool listed = false;  // with commas, not only 'and'
  std::size_t at = i + 1;
  const auto is_name = [&](std::size_t k) {
    return tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) && !tokens[k].first;
  };
  while (is_name(at)) {
    names.push_back(tokens[at++].shown);
    const std::size_t sign = at;
    if (tokens.is(at, ",")) listed = true, ++at;
    if (among(tokens[at].shown, {"and", "&", "or"}) && is_name(at + 1)) ++at;
    if (at == sign) break;
  }
  const std::size_t last = line_last(tokens, i);
  const bool clause =
      among(tokens[at].shown, {"=", "at", "when", "weight", "points", "advisory"}) || tokens[at].is_text();
  if (names.size() < 2 || at > last || !clause) return;
  // dimension soil and water weight 60%: one name, unless the weights say that each has them
  const bool weighed = among(tokens[i].shown, {"dimension", "criterion"}) && !listed;
  if (weighed) {
    const std::string one = as_name(raw(tokens, {i + 1, at}));
    out.add(tokens[i + 1].begin, tokens[at - 1].end, one, add_up(tokens));
  }
  std::vector<std::string> rests;  // of each
  std::size_t from = at + 1;
  for (std::size_t k = from; tokens.is(at, "=") && k <= last + 1;
       k = k <= last ? std::min(tokens.behind(k), last + 1) : k + 1) {
    if (k <= last && !tokens.is(k, ",")) continue;
    rests.push_back("= " + raw(tokens, {from, k}));
    from = k + 1;
  }
  if (rests.size() != names.size()) rests.assign(names.size(), raw(tokens, {at, last + 1}));
  std::string all;
  for (std::size_t k = 0; k < names.size(); ++k)
    all += (k == 0 ? "" : "\n" + indent_before(tokens, i)) + std::string(tokens[i].shown) + " " +
           std::string(names[k]) + " " + rests[k];
  out.add(tokens[i].begin, tokens[last].end, all, !weighed && !tokens.is(i + 2, "or"));
}

void statement(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  several_names(window, i, out);
  const std::string indent = indent_before(tokens, i);
  const std::size_t line = line_last(tokens, i) + 1, end = end_of_statement(tokens, i);
  // Several in one, each of which is read by itself: 'input a (number), b (text)'
  const std::string_view kind = word_of_statement(tokens[i].shown);
  std::string each;
  std::vector<BlockItem> items = read_block(tokens, {i + 1, end});
  if (kind == "input") share_types(tokens, items);
  bool good = items.size() > 1;
  const std::string form = form_of_part(tokens, i + 1, end);
  std::size_t conditional = 0;  // of the items
  for (const BlockItem& item : items) {
    good = good && (kind == "input" || (!form.empty() && form_of_part(tokens, item.all.begin, item.all.end) == form));
    const Declared part = good && !kind.empty() ? declare(tokens, kind, item, indent) : Declared{};
    good = good && !part.text.empty() && !continues(item.key) &&
           (kind != "input" || item.all.end == item.all.begin + 1 || declares_value(tokens, item.all.begin)) &&
           !(kind == "input" && is_attribute(tokens, i, item.all.begin)) &&
           item.key.find_first_not_of("-.0123456789") != std::string::npos;  // not levels
    each += (each.empty() ? "" : "\n" + indent) + part.text;
    if (says_when(tokens, item.all)) ++conditional;
  }
  // 'fee number' is no text of the first input
  if (good && kind == "input") {
    const bool sure = std::all_of(items.begin(), items.end(), [&](const BlockItem& x) { return has_type(tokens, x); });
    return out.add(tokens[i].begin, tokens[end - 1].end, each, sure);
  }
  for (const std::size_t last : {line, end}) {
    if (tokens.opens(last - 1) && tokens[last - 1].partner != kNone && last != end) continue;  // its block follows
    const Declared one = declare_statement(tokens, {i, last}, indent);
    if (!one.text.empty() && !loses_name(tokens, {i + 2, last}, one.text))
      out.add(tokens[i].begin, tokens[last - 1].end, one.text, one.certain);
    if (end == line) break;
  }
  // 'flag busy when cpu > 90, mem > 90': conditions, of which none has a name
  const std::string_view word = word_of_statement(tokens[i].shown);
  if (word == "gate" || word == "flag") {
    if (std::vector<Edit> ands = conditions_with_commas(tokens, {i + 1, end}, out); !ands.empty())
      return out.add(std::move(ands), true);
  }
  // A condition of one of them may be that of all.
  const auto evenly = [](std::size_t some, std::size_t all) { return some == 0 || some == all; };
  if (good) out.add(tokens[i].begin, tokens[end - 1].end, each, evenly(conditional, items.size()));
  // Several in one: 'dimension a weight 40%; b weight 60%', with ';' or ',' between.
  if (word.empty() || !tokens[i].starts) return;
  for (const std::string_view sign : {";", ","}) {
    std::string all;
    std::size_t from = i + 1, count = 0, conditions = 0;
    for (std::size_t k = i + 1; k <= end; k = k < end ? std::min(tokens.behind(k), end) : k + 1) {
      const bool cut = k == end || (tokens.is(k, sign) && tokens[k + 1].kind == Token::Kind::word && k + 1 < end);
      if (!cut) continue;
      if (k < end && continues(raw(tokens, {k + 1, std::min(k + 4, end)}))) return;
      if (word == "input" && k > from && !declares_value(tokens, tokens.is(from, word) ? from + 1 : from))
        return;  // 'number, nonzero'
      if (k > from) {
        const bool again =
            tokens.is(from, tokens[i].shown) || word_of_statement(tokens[from].shown) == tokens[from].shown;
        if (!again && count > 0 && (form.empty() || form_of_part(tokens, from, k) != form)) return;
        all += (all.empty() ? "" : "\n" + indent) + (again ? "" : std::string(tokens[i].shown) + " ") +
               raw(tokens, {from, k});
        ++count;
        conditions += sign == ";" || says_when(tokens, {from, k}) ? 1 : 0;
      }
      from = k + 1;
    }
    if (count > 1) out.add(tokens[i].begin, tokens[end - 1].end, all, evenly(conditions, count));
  }
}

// dimension story { level … } weight 60%: what belongs in front of the block of a dimension
void clause_behind(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t close = window.at == 0 ? 0 : window.at - 1;
  while (close > 0 && tokens[close].is_text()) --close;  // } "What is it?" weight 100%
  const std::size_t open = tokens[close].partner;
  if (!tokens.is(close, "}") || open == kNone || tokens[window.at].first) return;
  const std::size_t head = line_first(tokens, open), last = line_last(tokens, window.at);
  if (!among(tokens[head].shown, {"dimension", "criterion"}) || tokens.closes(last) ||
      !(among(tokens[window.at].shown, {"weight", "points", "advisory", "missing"}) || tokens[window.at].is_text()))
    return;
  const std::size_t before = tokens[open - 1].end;
  const std::string text = close + 1 < window.at ? " " + raw(tokens, {close + 1, window.at}) : std::string();
  out.add({out.edit(before, before, " " + raw(tokens, {window.at, last + 1}) + text),
           out.edit(tokens[close].end, tokens[last].end, "")},
          true);
}

// contexts { blitz: { a: 70% } rapid { weight a 60% } }: each of them
void contexts(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t at = i + 1;
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  if (!among(in_lower_case(tokens[i].shown), {"contexts", "profiles", "modes", "scenarios"})) return;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  std::string all;
  for (const BlockItem& item : read_block(tokens, block.inside)) {
    const std::string one = context_of(tokens, item, indent_before(tokens, i));
    if (one.empty()) return;
    all += (all.empty() ? "" : "\n" + indent_before(tokens, i)) + one;
  }
  if (!all.empty()) out.add(tokens[i].begin, tokens[block.last].end, all, true);
}

// context workshop: novelty = 60%
void context(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!among(in_lower_case(tokens[i].shown), {"context", "profile", "mode", "scenario"}) || !tokens[i + 1].value())
    return;
  std::size_t at = i + 2;
  BlockItem item;
  if (tokens[at].is_text()) item.value = {at, at + 1}, ++at;
  while (tokens.is(at, ":") || tokens.is(at, "=") || tokens.is(at, "weights") || tokens.is(at, "->") ||
         tokens.is(at, "=>"))
    ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  item.key = without_quotes(tokens, i + 1);
  item.inside = read_block(tokens, block.inside);
  const std::string text = context_of(tokens, item, indent_before(tokens, i));
  if (!text.empty()) out.add(tokens[i].begin, tokens[block.last].end, text, true);
}

}  // namespace

std::string context_of(const Tokens& tokens, const BlockItem& item, const std::string& indent) {
  std::vector<BlockItem> items = item.inside;
  if (items.size() == 1 && !items[0].inside.empty()) items = std::vector<BlockItem>(item.inside[0].inside);
  std::string all;
  for (const BlockItem& one : items) {
    std::string key = one.key;
    for (const std::string_view before : {"weight ", "dimension ", "criterion "})
      if (key.starts_with(before)) key = key.substr(before.size());
    Span value = one.value;
    if (key == "weight" && value.end == value.begin + 2) key = tokens[value.begin++].shown;
    while (!value.empty() && tokens[value.begin].kind != Token::Kind::number && !tokens.is(value.begin, "+") &&
           !tokens.is(value.begin, "-"))
      ++value.begin;
    if (key.empty() || value.end != value.begin + 1) return {};
    all += "\n" + indent + "  weight " + as_name(key) + " " + raw(tokens, value);
  }
  if (all.empty() || item.key.empty()) return {};
  const std::string text = item.value.empty() ? std::string() : " " + as_text(tokens[item.value.begin].shown);
  return "context " + as_name(item.key) + text + " {" + all + "\n" + indent + "}";
}

// The rows of a table in bars as items; false: the block is none.
bool read_bars(const Tokens& tokens, Span block, std::vector<std::vector<Span>>& rows) {
  for (std::size_t i = block.begin; i < block.end;) {
    if (!tokens[i].first || !tokens.is(i, "|")) return false;
    std::vector<Span> cells;
    std::size_t from = ++i;
    while (i < block.end && !tokens[i].first) {
      if (tokens.is(i, "|")) {
        cells.push_back({from, i});
        from = i + 1;
      }
      ++i;
    }
    if (from < i) cells.push_back({from, i});
    const bool rule = std::all_of(cells.begin(), cells.end(), [&](const Span& c) {
      return !c.empty() && (tokens[c.begin].kind == Token::Kind::sign);
    });
    if (!rule) rows.push_back(std::move(cells));
  }
  return rows.size() >= 2;
}

void sections_of_items(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t here = line_first(tokens, window.at);
  if (window.problem.code.substr(0, 3) != "E01") return;
  std::size_t lines = 0;
  for (const std::size_t i : lines_upwards(tokens, here, kLines)) {
    ++lines;
    section(window, i, out);
    if (lines < 30) parts_below(window, i, out);
  }
  clause_behind(window, out);
  alike(window, here, out);
  levels_apart(window, here, out);
  contexts(window, here, out);
  context(window, here, out);
  if (here > 0) context(window, line_first(tokens, here - 1), out);  // reported at the line behind
}

void single_statements(const Window& window, Proposals& out) {
  const std::size_t here = line_first(window.tokens, window.at);
  const bool call = window.problem.code == "E0302";  // 'dimension a = b (60%)' looks like one
  if (!call && window.problem.code.substr(0, 3) != "E01") return;
  statement(window, here, out);
  if (!call && here > 0) statement(window, line_first(window.tokens, here - 1), out);  // reported at the line behind
}

}  // namespace assay::mending
