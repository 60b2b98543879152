// Weights: in percent where they are not, and for a dimension that has none.
#include "lang/mend/mend.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {
namespace {

// A decimal in ten-thousandths; -1: it has more decimals, or is too large.
std::int64_t ten_thousandths(std::string_view number) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  std::int64_t value = 0;
  int decimals = -1;  // behind the point
  for (const char c : number) {
    if (c == '.' && decimals < 0) decimals = 0;
    else if (c >= '0' && c <= '9' && value < kMost) value = 10 * value + (c - '0'), decimals += decimals >= 0 ? 1 : 0;
    else if (c != '_') return -1;
    if (decimals > 4) return -1;
  }
  for (int i = std::max(decimals, 0); i < 4; ++i) value *= 10;
  return value;
}

std::string decimal(std::int64_t ten_thousandths_of_it) {
  std::string digits = std::to_string(ten_thousandths_of_it % 10'000 + 10'000).substr(1);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return std::to_string(ten_thousandths_of_it / 10'000) + (digits.empty() ? "" : "." + digits);
}

struct Weight {
  std::size_t begin, end;
  std::int64_t value;
  bool percent;
};

// Whole numbers in about the same proportion that add up to `rest`; empty: one of them would be 0.
std::vector<std::int64_t> shared_out(const std::vector<Weight>& weights, std::int64_t sum, std::int64_t rest) {
  std::vector<std::int64_t> shares;
  std::vector<std::size_t> order;
  const std::int64_t total = rest;
  for (const Weight& one : weights) {
    order.push_back(shares.size());
    shares.push_back(total * one.value / sum);
    rest -= shares.back();
  }
  // What rounding down left goes where most was cut off.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return total * weights[a].value % sum > total * weights[b].value % sum;
  });
  for (std::size_t i = 0; i < order.size() && rest > 0; ++i, --rest) ++shares[order[i]];
  if (std::find(shares.begin(), shares.end(), 0) != shares.end()) shares.clear();
  return shares;
}

// Weights that are no percentages, or add up to something else than 100 %: 'weight 25', 5 + 3 + 2, 0.5% + 0.3% + 0.2%.
// They are written as percentages in the same proportion, where that comes out.
void percent_signs(const Window& window, Proposals& out) {
  constexpr std::int64_t kOne = 10'000, kMost = 1'000'000'000'000;
  const Tokens& tokens = window.tokens;
  struct Group {
    std::vector<Weight> weights;
    std::int64_t whole = -1;   // the weight of what these are parts of
    std::size_t declared = 0;  // dimensions or criteria
  };
  std::map<std::size_t, Group> groups;  // by the '{' around them: parts of a dimension add up by themselves
  std::vector<std::size_t> open{0};
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens.is(i, "{")) {
      const Group& outer = groups[open.back()];
      const std::int64_t whole = outer.weights.empty() ? -1 : outer.weights.back().value;
      open.push_back(i + 1);
      groups[i + 1].whole = whole;
    }
    if (tokens[i].starts && (tokens.is(i, "dimension") || tokens.is(i, "criterion"))) {
      std::size_t k = i + 1;
      while (k + 1 < tokens.size() && !tokens[k].starts && !tokens.is(k, "advisory") && !tokens.is(k, "{")) ++k;
      groups[open.back()].declared += tokens.is(k, "advisory") ? 0 : 1;
    }
    if (tokens.is(i, "}") && open.size() > 1) open.pop_back();
    if (!tokens.is(i, "weight") || tokens[i + 1].kind != Token::Kind::number) continue;
    std::string_view number = tokens[i + 1].shown;
    const bool percent = number.ends_with('%');
    if (percent) number.remove_suffix(1);
    const std::int64_t value = ten_thousandths(number);
    if (value < 0 || value > kMost) return;
    groups[open.back()].weights.push_back({tokens[i + 1].begin, tokens[i + 1].end, value, percent});
  }
  std::vector<Edit> edits;
  bool certain = true;
  for (const auto& [at, group] : groups) {
    const std::vector<Weight>& weights = group.weights;
    std::int64_t sum = 0;
    std::size_t bare = 0;
    for (const Weight& one : weights) {
      sum += one.value;
      bare += one.percent ? 0 : 1;
    }
    if (window.problem.code == "E0202") {  // parts: of 100%, or of the weight of the whole
      const std::int64_t whole = bare == 0 ? 100 * kOne : group.whole;
      const bool mixed = bare != 0 && bare != weights.size();
      if (sum == 100 * kOne && bare == weights.size() && group.whole > 0 && group.whole != sum) {  // 75 + 25 of 60
        for (const Weight& one : weights) edits.push_back(out.edit(one.end, one.end, "%"));
        continue;
      }
      constexpr std::int64_t kSmall = 1'000'000'000;     // so that a product fits
      if (2 * sum > whole && sum < 2 * whole) continue;  // 30 + 30 of 70: one of them is wrong, and which?
      if (group.whole <= 0 || group.whole > kSmall || sum > kSmall || sum == 0 || sum == group.whole || sum == whole ||
          mixed || weights.size() < group.declared)
        continue;
      const auto share = [&](const Weight& one) { return one.value * (whole / kOne) * kOne; };  // times the sum
      const bool exact = whole % kOne == 0 && std::all_of(weights.begin(), weights.end(),
                                                          [&](const Weight& one) { return share(one) % sum == 0; });
      const std::vector<std::int64_t> shares =
          whole % kOne == 0 && !exact ? shared_out(weights, sum, whole / kOne) : std::vector<std::int64_t>();
      for (std::size_t k = 0; k < weights.size() && (exact || !shares.empty()); ++k)
        edits.push_back(
            out.edit(weights[k].begin, weights[k].end,
                     (exact ? decimal(share(weights[k]) / sum) : std::to_string(shares[k])) + (bare == 0 ? "%" : "")));
      certain = false;
      continue;
    }
    const bool complete = sum == 100 * kOne;
    if (sum == 0 || (complete && bare == 0) || (sum == kOne && bare == weights.size())) continue;
    if (bare == 0 && (sum == group.whole || weights.size() < group.declared)) continue;
    const bool proportional = !complete && (bare == 0 || bare == weights.size());
    bool comes_out = true;
    for (const Weight& one : weights) comes_out = comes_out && one.value * 100 * kOne % sum == 0;
    if (proportional && !comes_out) continue;
    certain = certain && (complete || (bare > 0 && sum == 10 * kOne));
    for (const Weight& one : weights) {
      if (proportional) edits.push_back(out.edit(one.begin, one.end, decimal(one.value * 100 * kOne / sum) + "%"));
      else if (!one.percent && (complete || one.value >= kOne)) edits.push_back(out.edit(one.end, one.end, "%"));
    }
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& x, const Edit& y) { return x.begin < y.begin; });
  if (!edits.empty()) out.add(std::move(edits), certain);
}

// What points of the block around a token add up to, in ten-thousandths: the end of the scale, or the points of the
// dimension that the block belongs to. -1: it is not written there.
std::int64_t points_in_all(const Tokens& tokens, std::size_t i, bool criteria, std::int64_t without_scale) {
  const std::size_t open = tokens.brace_around(i);
  if (open == kNone) return -1;
  if (criteria) {
    for (std::size_t k = open; k > 0 && !tokens[k].starts; --k) {
      if (tokens.is(k - 1, "points")) return ten_thousandths(tokens[k].shown);
    }
    return -1;
  }
  for (std::size_t k = open + 1; k + 3 < tokens[open].partner; k = tokens.behind(k)) {
    if (!tokens[k].starts || !tokens.is(k, "scale")) continue;
    return tokens.is(k + 1, "0") && tokens.is(k + 2, "..") ? ten_thousandths(tokens[k + 3].shown) : -1;
  }
  return without_scale;
}

// points 40, points 35%, points 25 of a scale 0..100: the percent sign goes.
void points_in_percent(const Window& window, Proposals& out) {
  constexpr std::int64_t kAll = 1'000'000;
  const Tokens& tokens = window.tokens;
  const std::string_view code = window.problem.code;
  if (code != "E0201" && code.substr(0, 3) != "E01") return;
  std::vector<Edit> edits;
  std::int64_t sum = 0;
  std::size_t first = kNone;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens.is(i, "points") || tokens[i + 1].kind != Token::Kind::number) continue;
    if (first == kNone) first = i;
    std::string_view number = tokens[i + 1].shown;
    const bool percent = number.ends_with('%'), apart = tokens.is(i + 2, "%");
    if (percent) number.remove_suffix(1);
    const std::int64_t value = ten_thousandths(number);
    if (value < 0) return;
    sum += value;
    if (percent) edits.push_back(out.edit(tokens[i + 1].end - 1, tokens[i + 1].end, ""));
    else if (apart) edits.push_back(out.edit(tokens[i + 1].end, tokens[i + 2].end, ""));
  }
  if (first != kNone && sum == points_in_all(tokens, first, false, kAll)) out.add(std::move(edits), true);
}

// The tokens of the block around a token.
std::pair<std::size_t, std::size_t> siblings(const Tokens& tokens, std::size_t i) {
  const std::size_t open = tokens.brace_around(i);
  if (open != kNone) return {open + 1, tokens[open].partner};
  return {0, tokens.size()};  // no test: a dimension stands in braces
}

// What the others leave for a dimension, or a criterion, that has no number.
struct Rest {
  std::string_view clause;  // weight or points, as the others have it
  std::string number;       // empty: another one has none either, or they leave nothing
};
Rest left_by_others(const Tokens& tokens, std::size_t name) {
  constexpr std::int64_t kOne = 10'000, kAll = 100 * kOne;  // 100%, or 100 points, in ten-thousandths
  const std::string_view word = tokens[name - 1].shown;
  const auto [inside, behind_last] = siblings(tokens, name);
  std::int64_t sum = 0;
  std::size_t percents = 0, count = 0;
  std::string_view clause;
  for (std::size_t i = inside; i + 1 < behind_last; i = tokens.is(i, "{") ? tokens.behind(i) : i + 1) {
    if (!tokens[i].starts || !tokens.is(i, word) || i + 1 == name) continue;
    std::size_t k = i + 2;
    while (k + 1 < tokens.size() && !tokens[k].starts && !among(tokens[k].shown, {"weight", "points", "advisory", "{"}))
      ++k;
    if (tokens.is(k, "advisory")) continue;
    if (!among(tokens[k].shown, {"weight", "points"}) || (!clause.empty() && clause != tokens[k].shown)) return {};
    clause = tokens[k].shown;
    std::string_view number = tokens[k + 1].shown;
    if (number.ends_with('%')) number.remove_suffix(1), ++percents;
    const std::int64_t value = tokens[k + 1].kind == Token::Kind::number ? ten_thousandths(number) : -1;
    if (value < 0) return {};
    sum += value, ++count;
  }
  if (count == 0 || (percents != 0 && percents != count)) return {};
  const bool shares = percents == 0 && clause == "weight" && sum < kOne;
  const std::int64_t all = shares               ? kOne
                           : clause == "points" ? points_in_all(tokens, name, word == "criterion", kAll)
                                                : kAll;
  if (sum >= all) return {};
  return {clause, decimal(all - sum) + (percents > 0 ? "%" : "")};
}

// A dimension without a weight: the number in its prose, 'Is it clear? (20%)', or what the others leave of 100%.
void missing_weight(const Window& window, Proposals& out) {
  constexpr std::int64_t kOne = 10'000, kAll = 100 * kOne;  // 100%, or 100 points, in ten-thousandths
  const Tokens& tokens = window.tokens;
  const std::size_t name = window.at;
  if (window.problem.code != "E0206" || name == 0 || !among(tokens[name - 1].shown, {"dimension", "criterion"})) return;
  // dimension slopes = 0.5: the number is the weight, of all that say it so
  std::vector<Edit> assigned, signs;
  std::int64_t assigned_sum = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool number = tokens[i].starts && tokens.is(i, "dimension") && tokens.is(i + 2, "=") &&
                        tokens[i + 3].kind == Token::Kind::number;
    if (!number || (!tokens[i + 4].starts && !tokens.closes(i + 4) && tokens[i + 4].kind != Token::Kind::text))
      continue;
    assigned.push_back(out.edit(tokens[i + 2].begin, tokens[i + 2].end, "weight"));
    signs.push_back(out.edit(tokens[i + 3].end, tokens[i + 3].end, "%"));
    assigned_sum += ten_thousandths(tokens[i + 3].shown);
  }
  if (assigned_sum == kAll) assigned.insert(assigned.end(), signs.begin(), signs.end());
  if (tokens.is(name + 1, "=")) out.add(std::move(assigned), true);
  std::size_t end = name + 1;
  while (end + 1 < tokens.size() && !tokens[end].starts && !tokens.closes(end)) ++end;
  // dimension skills "…"  # 50%
  const std::size_t line = std::min(tokens.text().find('\n', tokens[name].end), tokens.text().size());
  const std::string_view behind_name = tokens.text().substr(tokens[name].end, line - tokens[name].end);
  if (const std::size_t comment = behind_name.rfind('#'), percent = behind_name.rfind('%');
      comment != behind_name.npos && percent != behind_name.npos && percent > comment) {
    std::size_t from = percent;
    while (from > comment + 1 &&
           (behind_name[from - 1] == '.' || (behind_name[from - 1] >= '0' && behind_name[from - 1] <= '9')))
      --from;
    if (from < percent)
      out.add(tokens[name].end, tokens[name].end,
              " weight " + std::string(behind_name.substr(from, percent + 1 - from)), true);
  }
  for (std::size_t i = name + 1; i < end; ++i) {
    if (tokens[i].kind != Token::Kind::text) continue;
    const Tokens words(tokens[i].shown.substr(1, std::max<std::size_t>(tokens[i].shown.size(), 2) - 2));
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
      if (words[k].kind != Token::Kind::number) continue;
      const bool percent = words[k].shown.ends_with('%'),
                 points = among(words[k + 1].shown, {"points", "pts", "marks"});
      if (!percent && !points) continue;
      // The text without the number, its brackets and the signs before it.
      std::size_t first = k, last = points ? k + 1 : k;
      if (first > 0 && (words.is(first - 1, "(") || words.is(first - 1, "["))) {
        --first;
        if (words.closes(last + 1)) ++last;
      }
      while (first > 0 && among(words[first - 1].shown, {",", "-", "–", ":", "weight"})) --first;
      const std::size_t from = first > 0 ? words[first - 1].end : 0;
      std::string rest(words.text().substr(0, from));
      const std::string_view behind = words.text().substr(words[last].end);
      rest += first == 0 && !behind.empty() && behind[0] == ' ' ? behind.substr(1) : behind;
      out.add({out.edit(tokens[name].end, tokens[name].end,
                        (percent ? " weight " : " points ") + std::string(words[k].shown)),
               out.edit(tokens[i].begin, tokens[i].end, "\"" + rest + "\"")},
              true);
    }
  }
  const Rest rest = left_by_others(tokens, name);
  if (!rest.number.empty())
    out.add(tokens[name].end, tokens[name].end, " " + std::string(rest.clause) + " " + rest.number, false);
}

// What an author writes in place of a number that is still to be found.
bool stands_for_number(std::string_view shown) {
  return among(shown, {"%", "?", "??", "_", "__", "…", "..", "...", "TODO", "todo", "TBD", "tbd", "N", "n", "x", "xx",
                       "X", "XX"});
}

}  // namespace

// dimension actors weight TODO: the word without its number, where the others tell which one is missing
void absent_weights(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool syntax = window.problem.code.starts_with("E01");
  if (!syntax && !among(window.problem.code, {"E0301", "E0401"})) return;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts || !among(tokens[i].shown, {"dimension", "criterion"})) continue;
    std::size_t at = i + 2;
    while (at < window.end && !among(tokens[at].shown, {"weight", "points"}) && !tokens[at].starts &&
           !tokens[at].is_text() && !tokens.opens(at))
      ++at;
    // What has been read as the number is not one: the text behind it, or a placeholder.
    if (!among(tokens[at].shown, {"weight", "points"}) || (!syntax && window.at != at + 1)) continue;
    std::size_t end = at + 1;
    while (stands_for_number(tokens[end].shown) && !tokens[end].first) ++end;
    const bool stops = tokens[end].first || tokens[end].is_text() || tokens.opens(end) || tokens.closes(end) ||
                       among(tokens[end].shown, {"missing", "advisory"});
    if (!stops) continue;
    const Rest rest = left_by_others(tokens, i + 1);
    if (!rest.number.empty() && rest.clause == tokens[at].shown)
      out.add(tokens[at].begin, tokens[end - 1].end, std::string(rest.clause) + " " + rest.number, true);
  }
}

// weight 40% 50%, weight 40% weight 50%: an old number and a new one, of which the other weights leave only one.
void two_weights(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.code.starts_with("E01")) return;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts || !among(tokens[i].shown, {"dimension", "criterion"})) continue;
    std::size_t at = i + 2;
    while (at < window.end && !among(tokens[at].shown, {"weight", "points"}) && !tokens[at].starts) ++at;
    const Rest rest = left_by_others(tokens, i + 1);
    if (rest.number.empty() || rest.clause != tokens[at].shown) continue;
    std::size_t end = at, numbers = 0;
    bool left = false;
    while (tokens[end].kind == Token::Kind::number || tokens[end].shown == rest.clause ||
           (end > at && among(tokens[end].shown, {",", "or", "/", "->", "→", "=>", "="}))) {
      numbers += tokens[end].kind == Token::Kind::number ? 1 : 0;
      left = left || tokens[end].shown == rest.number;
      ++end;
    }
    if (numbers > 1 && left && tokens[end - 1].kind == Token::Kind::number)
      out.add_here({out.edit(tokens[at].begin, tokens[end - 1].end, std::string(rest.clause) + " " + rest.number)});
  }
}

void dimension_weights(const Window& window, Proposals& out) {
  two_weights(window, out);
  missing_weight(window, out);
  percent_signs(window, out);
  points_in_percent(window, out);
}

std::vector<Proposal> propose_weights(const std::string& name, std::string_view text, const Diagnostic& problem) {
  constexpr std::int64_t kWhole = 1'000'000;  // 100%, in ten-thousandths of a per cent
  std::vector<Proposal> proposals;
  static constexpr std::string_view kSum = "' add up to ";
  const std::string message = problem.message.str();
  const std::size_t sum = message.find(kSum), end = message.find('%', sum);
  if (problem.code != "E0201" || end == message.npos) return proposals;
  const std::int64_t all =
      ten_thousandths(std::string_view(message).substr(sum + kSum.size(), end - sum - kSum.size()));
  const Tokens tokens(text);
  std::size_t rubrics = 0;
  for (std::size_t i = 0; i + 3 < tokens.size() && all >= 0; ++i) {
    rubrics += tokens[i].first && tokens.is(i, "rubric") ? 1 : 0;
    if (!tokens[i].starts || !tokens.is(i, "dimension")) continue;
    std::size_t k = i + 1;
    while (k + 1 < tokens.size() && !tokens.is(k, "weight") && !tokens[k + 1].first) ++k;
    std::string_view number = tokens[k + 1].shown;
    if (!tokens.is(k, "weight") || !number.ends_with('%')) continue;
    number.remove_suffix(1);
    const std::int64_t one = ten_thousandths(number), changed = one + kWhole - all;
    if (one <= 0 || changed <= 0 || changed >= kWhole) continue;
    proposals.push_back({{{name, tokens[k + 1].begin, tokens[k + 1].end, decimal(changed) + "%"}}, false});
  }
  if (rubrics > 1) proposals.clear();
  return proposals;
}

}  // namespace assay::mending
