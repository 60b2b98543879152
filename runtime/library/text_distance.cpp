// Distances between two texts: edits, common subsequences, and the similarities of names by Jaro and Winkler.
#include "runtime/library/tokens.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace assay::library {

namespace {

// Gives the characters of two texts numbers from a common numbering.
std::size_t share_numbers(ExecutionContext& m, const std::vector<char32_t>& a, const std::vector<char32_t>& b,
                          Tokens& x, Tokens& y) {
  std::unordered_map<char32_t, std::uint32_t> numbers;
  std::uint32_t ascii[128];
  std::fill(std::begin(ascii), std::end(ascii), UINT32_MAX);
  std::uint32_t next = 0;
  const auto number = [&](char32_t c) {
    if (c < 128) {
      if (ascii[c] == UINT32_MAX) ascii[c] = next++;
      return ascii[c];
    }
    const auto [entry, fresh] = numbers.try_emplace(c, next);
    if (fresh) ++next;
    return entry->second;
  };
  m.charge((a.size() + b.size()) / 4);
  x = scratch<std::uint32_t>(m, a.size());
  y = scratch<std::uint32_t>(m, b.size());
  for (std::size_t i = 0; i < a.size(); ++i) x[i] = number(a[i]);
  for (std::size_t i = 0; i < b.size(); ++i) y[i] = number(b[i]);
  return next;
}

// Levenshtein's distance by bit vectors (Myers 1999, in the form of Hyyrö 2003 for more than one word).
std::uint64_t levenshtein(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::size_t words = (a.size() + 63) / 64;
  Tokens row = scratch<std::uint32_t>(m, size, 0);
  std::uint32_t rows = 1;  // row 0: tokens that `a` does not contain
  for (const std::uint32_t token : a) {
    if (row[token] == 0) row[token] = rows++;
  }
  if (rows > m.room() / sizeof(std::uint64_t) / words) m.out_of_memory();
  m.charge(rows * words / 16 + a.size() / 4 + size / 16);
  std::vector<std::uint64_t> places = scratch<std::uint64_t>(m, rows * words);
  for (std::size_t i = 0; i < a.size(); ++i) places[row[a[i]] * words + i / 64] |= std::uint64_t{1} << (i % 64);
  std::vector<std::uint64_t> plus = scratch<std::uint64_t>(m, words, ~std::uint64_t{0});
  std::vector<std::uint64_t> minus = scratch<std::uint64_t>(m, words);
  std::uint64_t distance = a.size();
  const std::uint64_t last = std::uint64_t{1} << ((a.size() - 1) % 64);
  for (const std::uint64_t token : b) {
    m.charge(1 + words / 2);
    const std::uint64_t* matches = &places[row[token] * words];
    std::uint64_t plus_in = 1, minus_in = 0;  // carried in from the row above the word
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t match = matches[w] | minus_in;
      const std::uint64_t diagonal = (((match & plus[w]) + plus[w]) ^ plus[w]) | match | minus[w];
      std::uint64_t horizontal_plus = minus[w] | ~(diagonal | plus[w]);
      std::uint64_t horizontal_minus = diagonal & plus[w];
      if (w + 1 == words) {
        distance += (horizontal_plus & last) != 0;
        distance -= (horizontal_minus & last) != 0;
      }
      const std::uint64_t plus_out = horizontal_plus >> 63, minus_out = horizontal_minus >> 63;
      horizontal_plus = (horizontal_plus << 1) | plus_in;
      horizontal_minus = (horizontal_minus << 1) | minus_in;
      const std::uint64_t vertical = matches[w] | minus[w];
      plus[w] = horizontal_minus | ~(vertical | horizontal_plus);
      minus[w] = horizontal_plus & vertical;
      plus_in = plus_out;
      minus_in = minus_out;
    }
  }
  return distance;
}

// Jaro's similarity; 1 for two empty texts, because equal texts have similarity 1.
Number jaro_similarity(ExecutionContext& m, const std::vector<char32_t>& a, const std::vector<char32_t>& b) {
  if (a.empty() && b.empty()) return whole(1);
  if (a.empty() || b.empty()) return whole(0);
  const std::size_t longest = std::max(a.size(), b.size());
  const std::size_t window = longest / 2 > 0 ? longest / 2 - 1 : 0;
  std::vector<char> taken_a = scratch<char>(m, a.size()), taken_b = scratch<char>(m, b.size());
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t low = i > window ? i - window : 0, high = std::min(b.size(), i + window + 1);
    if (low < high) m.charge(1 + (high - low) / 16);
    for (std::size_t j = low; j < high; ++j) {
      if (taken_b[j] != 0 || a[i] != b[j]) continue;
      taken_a[i] = taken_b[j] = 1;
      ++common;
      break;
    }
  }
  if (common == 0) return whole(0);
  std::uint64_t moved = 0;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (taken_a[i] == 0) continue;
    while (taken_b[j] == 0) ++j;
    moved += a[i] != b[j];
    ++j;
  }
  NumberPool& pool = *m.pool;
  const Number sum =
      add(add(share(common, a.size()), share(common, b.size()), pool), share(common - moved / 2, common), pool);
  return div(sum, whole(3), pool);
}

}  // namespace

Value edit_distance(ExecutionContext& m, const Value* args) {
  Tokens x, y;
  const auto a = characters_of(m, args[0].text.view()), b = characters_of(m, args[1].text.view());
  const std::size_t size = share_numbers(m, a, b, x, y);
  return make_number(whole(static_cast<std::int64_t>(levenshtein(m, x, y, size))));
}

Value word_edit_distance(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const Tokens a = words_of(m, args[0].text.view(), vocabulary);
  const Tokens b = words_of(m, args[1].text.view(), vocabulary);
  return make_number(whole(static_cast<std::int64_t>(levenshtein(m, a, b, vocabulary.size()))));
}

Value common_length(ExecutionContext& m, const Value* args) {
  Tokens x, y;
  const auto a = characters_of(m, args[0].text.view()), b = characters_of(m, args[1].text.view());
  const std::size_t size = share_numbers(m, a, b, x, y);
  return make_number(whole(static_cast<std::int64_t>(longest_common(m, x, y, size))));
}

Value jaro(ExecutionContext& m, const Value* args) {
  return make_number(jaro_similarity(m, characters_of(m, args[0].text.view()), characters_of(m, args[1].text.view())));
}

// Winkler's bonus: for each of up to four equal first characters, a tenth of the distance to 1; only above 0.7.
Value jaro_winkler(ExecutionContext& m, const Value* args) {
  const auto a = characters_of(m, args[0].text.view()), b = characters_of(m, args[1].text.view());
  const Number similarity = jaro_similarity(m, a, b);
  if (compare(similarity, {7, 10}) <= 0) return make_number(similarity);
  std::size_t prefix = 0;
  while (prefix < 4 && prefix < a.size() && prefix < b.size() && a[prefix] == b[prefix]) ++prefix;
  NumberPool& pool = *m.pool;
  const Number rest = sub(whole(1), similarity, pool);
  return make_number(add(similarity, mul(rest, {static_cast<std::int64_t>(prefix), 10}, pool), pool));
}

}  // namespace assay::library
