// Parts of a dimension that its author did not write as such: criteria beside it, whose weights are its own, levels with
// words instead of numbers, and both of them in other blocks below it.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace assay::mending {
namespace {

// The number behind 'weight' or 'points' in a declaration; -1 if there is none.
double share_in(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k + 1 < end; k = tokens.behind(k)) {
    if (among(tokens[k].shown, {"weight", "points"}) && tokens[k + 1].kind == Token::Kind::number)
      return std::strtod(std::string(tokens[k + 1].shown).c_str(), nullptr);
  }
  return -1;
}

// dimension code weight 60%, and criteria of 40% and 20% below it: they are its parts.
void criteria_beside(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].first || !tokens[i].starts || !tokens.is(i, "dimension")) continue;
    const auto end_of = [&tokens](std::size_t k) {
      std::size_t end = k + 1;
      while (end + 1 < tokens.size() && !tokens[end].starts && !tokens.closes(end)) end = tokens.behind(end);
      return end;
    };
    const std::size_t behind = end_of(i);
    std::size_t last = behind;
    double sum = 0;
    while (tokens[last].starts && tokens[last].first && tokens.is(last, "criterion")) {
      const std::size_t next = end_of(last);
      sum += share_in(tokens, last, next);
      last = next;
    }
    if (last == behind) continue;
    if (tokens.is(behind - 1, "}") || std::abs(sum - share_in(tokens, i, behind)) > 1e-9) return;
    const std::string indent = indent_before(tokens, i);
    edits.push_back(out.edit(tokens[behind - 1].end, tokens[behind - 1].end, " {"));
    for (std::size_t k = behind; k < last; ++k) {
      if (tokens[k].first) edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, "  "));
    }
    edits.push_back(out.edit(tokens[last - 1].end, tokens[last - 1].end, "\n" + indent + "}"));
    i = last - 1;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// level poor "nothing works", for each number of the scale: in the order of the lines, from the lowest or the highest.
void levels_in_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  if (i == 0 || !tokens.is(i - 1, "level")) return;
  std::size_t first = i - 1, last = i - 1;
  const auto worded = [&tokens](std::size_t k) {
    return tokens.is(k, "level") && tokens[k + 1].kind == Token::Kind::word && tokens[k + 2].is_text() &&
           tokens[k + 3].kind != Token::Kind::text;
  };
  while (first >= 3 && worded(first - 3)) first -= 3;
  while (worded(last + 3)) last += 3;
  for (std::size_t k = 0; k + 3 < tokens.size(); ++k) {
    if (!tokens[k].starts || !tokens.is(k, "scale") || !tokens.is(k + 2, "..")) continue;
    const int low = std::atoi(std::string(tokens[k + 1].shown).c_str());
    const int high = std::atoi(std::string(tokens[k + 3].shown).c_str());
    const auto count = static_cast<int>((last - first) / 3 + 1);
    if (count < 2 || high - low + 1 != count) return;
    const bool falls =
        among(in_lower_case(tokens[first + 1].shown),
              {"excellent", "good", "best", "high", "outstanding", "perfect", "strong", "great", "full"});
    std::vector<Edit> edits;
    for (int n = 0; n < count; ++n) {
      const std::size_t at = first + 3 * static_cast<std::size_t>(n);
      const std::string text = without_quotes(tokens, at + 2);
      edits.push_back(out.edit(
          tokens[at + 1].begin, tokens[at + 2].end,
          std::to_string(falls ? high - n : low + n) + " \"" + std::string(tokens[at + 1].shown) + ": " + text + "\""));
    }
    return out.add(std::move(edits), false);
  }
}

// dimensions { correctness weight 50% { level … } safety weight 50% }: declarations that only lack their word, which the
// block around them says.
void without_their_word(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (const std::size_t i : lines_upwards(tokens, line_first(tokens, window.at), 60)) {
    const std::string_view many = tokens[i].shown;
    const std::string_view word = many == "criteria" ? "criterion" : many.substr(0, many.size() - 1);
    const std::size_t open = tokens.is(i + 1, ":") || tokens.is(i + 1, "=") ? i + 2 : i + 1,
                      close = tokens[open].partner;
    if (!(many.ends_with('s') || many == "criteria") || find_declaration(word) == nullptr || tokens[i].starts ||
        !tokens.is(open, "{") || close == kNone || close < window.at || !tokens[open + 1].first || !tokens[close].first)
      continue;
    // Lines without the block stand as far to the left as its head.
    const std::size_t left = column_of(tokens, i), inner = column_of(tokens, open + 1);
    const std::size_t deeper = inner > left ? inner - left : 0;
    const auto line_of = [&tokens](std::size_t k) { return tokens[k].begin - column_of(tokens, k); };
    std::vector<Edit> edits{out.edit(line_of(i), line_of(open + 1), "")};
    std::size_t next = open + 1;  // where a declaration begins
    for (std::size_t k = open + 1; k < close; ++k) {
      if (!tokens[k].first) continue;
      const std::size_t column = column_of(tokens, k);
      const bool begins = k == next || (k > next && column == inner && tokens[k].kind == Token::Kind::word);
      if (begins && tokens[k].kind != Token::Kind::word) return;
      const std::size_t cut = std::min(deeper, column);
      edits.push_back(out.edit(tokens[k].begin - cut, tokens[k].begin, begins ? std::string(word) + " " : ""));
      if (begins) next = tokens.behind(k);
    }
    edits.push_back(out.edit(line_of(close), std::min(tokens[close].end + 1, tokens.text().size()), ""));
    return out.add(std::move(edits), true);
  }
}

// '100 when mfa == "all"', line by line, '0 otherwise' as the last: one choice; empty: the lines are something else.
std::string choice_of_lines(const Tokens& tokens, Span block) {
  std::string text;
  bool rest = false;
  std::size_t lines = 0;
  for (std::size_t i = block.begin; i < block.end; ++lines) {
    std::size_t end = i + 1;
    while (end < block.end && !tokens[end].first) ++end;
    std::size_t stop = end;
    while (stop > i && (tokens.is(stop - 1, ",") || tokens.is(stop - 1, ";"))) --stop;
    std::size_t word = i;
    while (word < stop && !among(tokens[word].shown, {"when", "if", "otherwise", "else"})) word = tokens.behind(word);
    if (rest || word >= stop || word == i) return {};
    rest = among(tokens[word].shown, {"otherwise", "else"});
    if (rest != (word + 1 == stop)) return {};
    text += (text.empty() ? "" : " else ") + raw(tokens, {i, word}) +
            (rest ? "" : " when " + plain_condition(raw(tokens, {word + 1, stop})));
    i = end;
  }
  return lines > 1 ? text : std::string();
}

// Levels behind a dimension on its own line, ': 0 = None, 50 = Some', from `begin` on; `cut` is where they begin.
std::vector<BlockItem> levels_in_line(const Tokens& tokens, std::size_t begin, std::size_t last, std::size_t& cut) {
  std::vector<BlockItem> levels;
  const bool announced = std::any_of(&tokens[begin], &tokens[last], [](const Token& token) {
    return among(token.shown, {"levels", "level", "anchors", "descriptors"});
  });
  // 'levels 1 "bad", 2 "ok"' needs no sign
  const auto bare = [&](std::size_t k) { return announced && tokens[k + 1].is_text() && k + 1 <= last; };
  const auto level_at = [&](std::size_t k) {
    return tokens[k].kind == Token::Kind::number && !tokens[k].shown.ends_with('%') &&
           (bare(k) || (among(tokens[k + 1].shown, {"=", ":", "-", "–", "—", "->", "=>"}) && k + 2 <= last &&
                        (tokens[k + 2].is_text() || tokens[k + 2].kind == Token::Kind::word)));
  };
  if (tokens.is(last, ")") && tokens[last].partner != kNone && tokens[last].partner >= begin) {
    cut = begin = tokens[last].partner;
    --last, ++begin;
  }
  const bool inside = cut + 1 == begin;
  for (std::size_t k = begin; k <= last;) {
    if (!level_at(k)) {
      if (!levels.empty()) return {};
      ++k;
      continue;
    }
    if (levels.empty() && !inside) cut = k;
    BlockItem level;
    level.key = tokens[k].shown;
    const std::size_t words = bare(k) ? k + 1 : k + 2;
    std::size_t end = words;
    while (end <= last && !tokens.opens(end) && !((tokens.is(end, ",") || tokens.is(end, ";")) && level_at(end + 1)))
      ++end;
    if (end <= last && tokens.opens(end)) return {};
    level.all = level.value = {words, end};
    levels.push_back(std::move(level));
    k = end + 1;
  }
  while (cut > 0 &&
         among(tokens[cut - 1].shown, {":", "=", "-", "–", "levels", "level", "anchors", "descriptors", "scale"}))
    --cut;
  return levels.size() > 1 ? levels : std::vector<BlockItem>();
}

}  // namespace

// Levels or criteria of a dimension below it by indentation, in brackets or in a table: '10: Warm throughout'.
void parts_below(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool value = tokens.is(i, "output") || tokens.is(i, "let");
  if (!value && !tokens.is(i, "dimension") && !tokens.is(i, "criterion")) return;
  const std::size_t last = line_last(tokens, i);
  const std::string indent = indent_before(tokens, i);
  Block block;
  std::size_t cut = last + 1;
  if (tokens.is(last, "{") && tokens[last].partner != kNone) {
    block = block_behind(tokens, last, 0);
    cut = last;
  } else if (tokens[last + 1].first && column_of(tokens, last + 1) > column_of(tokens, i)) {
    block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (tokens.is(last, ":") || tokens.is(last, "=")) cut = last;
    while (cut > i + 2 && among(in_lower_case(tokens[cut - 1].shown), {"levels", "scale", "with", "descriptors", ":"}))
      --cut;
  } else {
    for (std::size_t k = i + 2; k <= last; k = tokens.behind(k)) {
      if (!among(tokens[k].shown, {"levels", "level", "scale", "anchors", "descriptors", "with", "criteria", "parts",
                                   "criterion", "subcriteria", "{", "["}))
        continue;
      cut = k;
      while (cut > i + 2 && among(tokens[cut - 1].shown, {"=", ":"})) --cut;  // crumb = { weight = 35% }
      while (k <= last && !tokens.opens(k)) ++k;
      if (k <= last) block = block_behind(tokens, k, 0);
      break;
    }
  }
  if (block.inside.empty() && !value && last >= window.at) {
    BlockItem item;
    item.inside = levels_in_line(tokens, i + 2, last, cut);
    item.key = without_quotes(tokens, i + 1);
    item.value = {i + 2, cut};
    if (item.inside.empty()) return;
    const Declared whole = declare(tokens, tokens[i].shown, item, indent);
    if (!whole.text.empty()) out.add(tokens[i].begin, tokens[last].end, whole.text, whole.certain);
    return;
  }
  if (block.inside.empty() || cut <= i + 1 || block.last < window.at) return;
  if (const std::string choice = choice_of_lines(tokens, block.inside); !choice.empty()) {
    out.add(tokens[cut].begin, tokens[block.last].end, "= " + choice, true);
    return;
  }
  if (value) return;
  BlockItem item;
  std::vector<std::vector<Span>> rows;
  if (read_bars(tokens, block.inside, rows)) {
    for (const std::vector<Span>& row : rows) {
      if (row.size() != 2 || row[0].empty()) return;
      if (&row == &rows[0] && tokens[row[0].begin].kind == Token::Kind::word) continue;  // its header
      BlockItem one;
      one.key = without_quotes(tokens, row[0].begin);
      one.all = one.value = row[1];
      item.inside.push_back(std::move(one));
    }
  } else {
    item.inside = read_block(tokens, block.inside);
  }
  if (block.bracket && item.inside.size() == 1 && item.inside[0].key.empty() && !item.inside[0].value.empty() &&
      !tokens[item.inside[0].value.begin].is_text() && tokens.is(cut, "{")) {  // its value alone
    out.add(tokens[cut].begin, tokens[block.last].end, "= " + raw(tokens, item.inside[0].value), true);
    return;
  }
  if (const std::string choice = choice_by_input(tokens, item.inside); !choice.empty()) {
    out.add(tokens[cut].begin, tokens[block.last].end, "= " + choice, true);
    return;
  }
  item.key = without_quotes(tokens, i + 1);
  item.value = {i + 2, cut};
  if (cut < i + 2 || item.inside.empty()) return;
  const Declared whole = declare(tokens, tokens[i].shown, item, indent);
  if (!whole.text.empty()) out.add(tokens[i].begin, tokens[block.last].end, whole.text, whole.certain);
}

void misplaced_parts(const Window& window, Proposals& out) {
  if (window.problem.code == "E0107") without_their_word(window, out);
  if (window.problem.code == "E0201") criteria_beside(window, out);
  if (window.problem.code == "E0301") levels_in_words(window, out);
}

}  // namespace assay::mending
