// Texts as sequences of small whole numbers: characters, words, and runs of several of them (n-grams). Two texts that are
// compared share one Vocabulary, so that equal tokens have equal numbers; numbers are exact names, not hashes, so that no two
// different runs are ever taken for the same.
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
  // The runs of `length` + 1 tokens, from those of `length` (`runs`) and the single ones: one fewer than `runs`, in order.
  // `length` is part of a run's name, so that runs of different lengths never share a number.
  Tokens longer_runs(const Tokens& runs, const Tokens& single, std::uint32_t length);
  std::size_t size() const { return next_; }  // all numbers are below it

 private:
  ExecutionContext& m_;
  std::uint32_t next_ = 0;
  std::unordered_map<std::string, std::uint32_t> words_;
  std::unordered_map<std::uint64_t, std::uint32_t> runs_;
  std::uint32_t length_ = 0;  // of the runs in runs_
};

// Lower-case words: runs of letters and digits of any script; each Chinese character and kana is a word of its own.
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
// The pieces between white space, as they stand.
Tokens pieces_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary);
// Code points.
std::vector<char32_t> characters_of(ExecutionContext& m, std::string_view text);

// How many tokens both have, each as often as in the one that has it less often. All are below `size`.
std::uint64_t common_count(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size);

// The length of the longest common subsequence, by words of bits (Hyyrö 2004).
std::uint64_t longest_common(ExecutionContext& m, const Tokens& a, const Tokens& b, std::size_t size);

// The n-grams of `n` tokens.
Tokens runs_of(const Tokens& single, std::int64_t n, Vocabulary& vocabulary);

}  // namespace assay
