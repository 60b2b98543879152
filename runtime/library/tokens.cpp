// From texts to tokens, and the common tokens of two sequences.
#include "runtime/library/tokens.hpp"

#include "lang/text/characters.hpp"

#include <algorithm>
#include <bit>

namespace assay {

namespace {

constexpr std::size_t kEntryBytes = 64;  // of a hash table, approximately

}  // namespace

std::uint32_t Vocabulary::number_of(std::string_view word) {
  if (kEntryBytes * next_ > m_.room()) m_.out_of_memory();
  const auto [entry, fresh] = words_.try_emplace(std::string(word), next_);
  if (fresh) ++next_;
  return entry->second;
}

Tokens Vocabulary::longer_runs(const Tokens& runs, const Tokens& single, std::uint32_t length) {
  if (length_ != length) runs_.clear();
  length_ = length;
  const std::size_t size = runs.size() > 1 ? runs.size() - 1 : 0;
  Tokens longer = scratch<std::uint32_t>(m_, size);
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 64 == 0) m_.charge(64);
    if (kEntryBytes * runs_.size() > m_.room()) m_.out_of_memory();
    const std::uint64_t pair = (std::uint64_t{runs[i]} << 32) | single[i + length];
    const auto [entry, fresh] = runs_.try_emplace(pair, next_);
    if (fresh) ++next_;
    longer[i] = entry->second;
  }
  return longer;
}

WordReader::WordReader(ExecutionContext& m, std::string_view text) : text_(text) { m.charge(text.size() / 4); }

bool WordReader::next() {
  word_.clear();
  while (at_ < text_.size()) {
    std::size_t behind = at_;
    const char32_t c = next_character(text_, behind);
    if (!is_word_character(c)) {
      at_ = behind;
      if (!word_.empty()) return true;
      continue;
    }
    const bool alone = is_ideograph(c);
    if (alone && !word_.empty()) return true;
    at_ = behind;
    if (c < 128) {
      word_ += static_cast<char>(lower_case(c));
    } else {
      append_character(lower_case(c), word_);
    }
    if (alone) return true;
  }
  return !word_.empty();
}

Tokens words_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary) {
  Tokens tokens;
  WordReader reader(m, text);
  while (reader.next()) {
    if (tokens.size() > m.room() / sizeof(std::uint32_t)) m.out_of_memory();
    m.charge(2);
    tokens.push_back(vocabulary.number_of(reader.word()));
  }
  return tokens;
}

Tokens pieces_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary) {
  m.charge(text.size() / 8);
  Tokens tokens;
  std::size_t begin = 0, at = 0;
  const auto end_piece = [&](std::size_t end) {
    if (end == begin) return;
    if (tokens.size() > m.room() / sizeof(std::uint32_t)) m.out_of_memory();
    m.charge(2);
    tokens.push_back(vocabulary.number_of(text.substr(begin, end - begin)));
  };
  while (at < text.size()) {
    const std::size_t before = at;
    if (character_class(next_character(text, at)) != CharacterClass::space) continue;
    end_piece(before);
    begin = at;
  }
  end_piece(text.size());
  return tokens;
}

std::vector<char32_t> characters_of(ExecutionContext& m, std::string_view text) {
  m.charge(text.size() / 8);
  std::vector<char32_t> characters = scratch<char32_t>(m, text.size());
  std::size_t size = 0;
  for (std::size_t at = 0; at < text.size();) characters[size++] = next_character(text, at);
  characters.resize(size);
  return characters;
}

std::uint64_t common_count(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size) {
  m.charge((a.size() + b.size() + size) / 8);
  Tokens left = scratch<std::uint32_t>(m, size);
  for (const std::uint32_t token : a) ++left[token];
  std::uint64_t common = 0;
  for (const std::uint32_t token : b) {
    if (left[token] == 0) continue;
    --left[token];
    ++common;
  }
  return common;
}

std::uint64_t longest_common(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size) {
  if (a.empty() || b.empty()) return 0;
  const std::size_t words = (a.size() + 63) / 64;
  // Only tokens of `a` have a row of bits; the last row stands for all others.
  Tokens row = scratch<std::uint32_t>(m, size, UINT32_MAX);
  std::uint32_t rows = 0;
  for (const std::uint32_t token : a) {
    if (row[token] == UINT32_MAX) row[token] = rows++;
  }
  if (rows > m.room() / sizeof(std::uint64_t) / words) m.out_of_memory();
  m.charge(rows * words / 16 + a.size() / 4 + size / 16);
  std::vector<std::uint64_t> places = scratch<std::uint64_t>(m, std::size_t{rows} * words);
  for (std::size_t i = 0; i < a.size(); ++i) places[row[a[i]] * words + i / 64] |= std::uint64_t{1} << (i % 64);
  std::vector<std::uint64_t> state = scratch<std::uint64_t>(m, words, ~std::uint64_t{0});
  for (const std::uint32_t token : b) {
    if (row[token] == UINT32_MAX) continue;
    m.charge(1 + words / 4);
    const std::uint64_t* matches = &places[row[token] * words];
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t u = state[w] & matches[w];
      const std::uint64_t sum = state[w] + u + carry;
      carry = sum < state[w] || (carry != 0 && sum == state[w]) ? 1 : 0;
      state[w] = sum | (state[w] - u);
    }
  }
  std::uint64_t zeros = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t found = ~state[w];
    if (w + 1 == words && a.size() % 64 != 0) found &= (std::uint64_t{1} << (a.size() % 64)) - 1;
    zeros += static_cast<std::uint64_t>(std::popcount(found));
  }
  return zeros;
}

Tokens runs_of(const Tokens& single, std::int64_t n, Vocabulary& vocabulary) {
  if (n < 1) return {};
  Tokens runs = single;
  for (std::int64_t length = 1; length < n && !runs.empty(); ++length)
    runs = vocabulary.longer_runs(runs, single, static_cast<std::uint32_t>(length));
  return runs;
}

}  // namespace assay
