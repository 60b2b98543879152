// Texts as sequences of small integers: characters, words, and runs of several of them (n-grams). Two texts to compare
// share one Vocabulary, so equal tokens have equal numbers; the numbers are identities, not hashes, so different runs
// are never confused.
#pragma once

#include "runtime/library/library.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

using Tokens = std::vector<std::uint32_t>;

class Vocabulary {
 public:
  explicit Vocabulary(ExecutionContext& m) : m_(m) {}
  std::uint32_t number_of(std::string_view word);
  // The runs of `length` + 1 tokens, from those of `length` (`runs`) and the single tokens: one fewer than `runs`, in
  // order. `length` is part of a run's identity, so runs of different lengths never share a number.
  Tokens longer_runs(const Tokens& runs, const Tokens& single, std::uint32_t length);
  std::size_t size() const { return next_; }  // all numbers are below size()

 private:
  ExecutionContext& m_;
  std::uint32_t next_ = 0;
  std::unordered_map<std::string, std::uint32_t> words_;
  std::unordered_map<std::uint64_t, std::uint32_t> runs_;
  std::uint32_t length_ = 0;  // of the runs in runs_
};

// Reads lower-case words: runs of letters and digits of any script; each Chinese character and kana is its own word.
class WordReader {
 public:
  WordReader(ExecutionContext& m, std::string_view text);
  bool next();                                       // false at the end
  const std::string& word() const { return word_; }  // valid until the next call

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
};

Tokens words_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary);
// The pieces between white space, unchanged.
Tokens pieces_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary);
// Code points.
std::vector<char32_t> characters_of(ExecutionContext& m, std::string_view text);

// The size of the multiset intersection of both. All tokens are below `size`.
std::uint64_t common_count(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size);

// The length of the longest common subsequence, by bit vectors (Hyyrö 2004).
std::uint64_t longest_common(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size);

// The n-grams of `n` tokens.
Tokens runs_of(const Tokens& single, std::int64_t n, Vocabulary& vocabulary);

}  // namespace assay
