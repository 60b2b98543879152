// The overlap of two texts, in words and in n-grams: Jaccard, token F1, ROUGE.
#include "runtime/library/tokens.hpp"

#include <algorithm>
#include <string_view>

namespace assay::library {

namespace {

// {precision, recall, f} for `common` tokens, of `have` in the candidate and `wanted` in the reference. Both empty: all
// missing.
Value overlap(ExecutionContext& m, std::uint64_t common, std::uint64_t have, std::uint64_t wanted) {
  const Number numbers[] = {share(common, have), share(common, wanted), share(2 * common, have + wanted)};
  return make_fields(m, numbers, 3);
}

std::int64_t order_of(const Value& n) {
  std::int64_t order = 0;
  return to_int64(n.number, order) ? order : 0;
}

Tokens distinct_tokens(Tokens tokens) {
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

// Marks the positions of `a` in a longest common subsequence with `b`, walking back from the ends of both: equal tokens
// belong to it; otherwise `a` is shortened if that loses no more than shortening `b`. As in rouge-score.
void mark_common(ExecutionContext& m, const Tokens& a, const Tokens& b, std::vector<char>& marks) {
  const std::size_t width = b.size() + 1;
  if (a.size() + 1 > m.room() / sizeof(std::uint32_t) / width) m.out_of_memory();
  std::vector<std::uint32_t> table = scratch<std::uint32_t>(m, (a.size() + 1) * width);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    m.charge(1 + width / 4);
    for (std::size_t j = 1; j < width; ++j) {
      table[i * width + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * width + j - 1] + 1
                                                  : std::max(table[(i - 1) * width + j], table[i * width + j - 1]);
    }
  }
  std::size_t i = a.size(), j = b.size();
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      marks[i - 1] = 1;
      --i;
      --j;
    } else if (table[i * width + j - 1] > table[(i - 1) * width + j]) {
      --j;
    } else {
      --i;
    }
  }
}

std::vector<Tokens> lines_of(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary) {
  std::vector<Tokens> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    Tokens line = words_of(m, text.substr(at, end - at), vocabulary);
    if (!line.empty()) lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace

Value jaccard(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const Tokens a = distinct_tokens(words_of(m, args[0].text.view(), vocabulary));
  const Tokens b = distinct_tokens(words_of(m, args[1].text.view(), vocabulary));
  const std::uint64_t common = common_count(m, a, b, vocabulary.size());
  return make_number(share(common, a.size() + b.size() - common));
}

// Compares the words of the normalised texts. As in the evaluation script of SQuAD, two texts without words agree.
Value token_overlap(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const Value first = normalised(m, &args[0]), second = normalised(m, &args[1]);
  const Tokens a = pieces_of(m, first.text.view(), vocabulary), b = pieces_of(m, second.text.view(), vocabulary);
  if (a.empty() && b.empty()) {
    const Number numbers[] = {kMissing, kMissing, whole(1)};
    return make_fields(m, numbers, 3);
  }
  return overlap(m, common_count(m, a, b, vocabulary.size()), a.size(), b.size());
}

Value ngram_overlap(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const std::int64_t n = order_of(args[2]);
  const Tokens a = words_of(m, args[0].text.view(), vocabulary), b = words_of(m, args[1].text.view(), vocabulary);
  Tokens x = n < 1 ? Tokens() : a, y = n < 1 ? Tokens() : b;
  for (std::int64_t length = 1; length < n && !(x.empty() && y.empty()); ++length) {
    x = vocabulary.longer_runs(x, a, static_cast<std::uint32_t>(length));
    y = vocabulary.longer_runs(y, b, static_cast<std::uint32_t>(length));
  }
  return overlap(m, common_count(m, x, y, vocabulary.size()), x.size(), y.size());
}

Value rouge_l(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const Tokens a = words_of(m, args[0].text.view(), vocabulary), b = words_of(m, args[1].text.view(), vocabulary);
  return overlap(m, longest_common(m, a, b, vocabulary.size()), a.size(), b.size());
}

// For each line of the reference, the union of its longest common subsequences with all lines of the candidate.
Value rouge_l_sum(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const std::vector<Tokens> a = lines_of(m, args[0].text.view(), vocabulary);
  const std::vector<Tokens> b = lines_of(m, args[1].text.view(), vocabulary);
  Tokens left_a = scratch<std::uint32_t>(m, vocabulary.size()), left_b = left_a;
  std::uint64_t have = 0, wanted = 0, common = 0;
  for (const Tokens& line : a) {
    have += line.size();
    for (const std::uint32_t token : line) ++left_a[token];
  }
  for (const Tokens& line : b) {
    wanted += line.size();
    for (const std::uint32_t token : line) ++left_b[token];
  }
  for (const Tokens& line : b) {
    std::vector<char> marks = scratch<char>(m, line.size());
    for (const Tokens& other : a) mark_common(m, line, other, marks);
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (marks[i] == 0 || left_a[line[i]] == 0 || left_b[line[i]] == 0) continue;
      --left_a[line[i]];
      --left_b[line[i]];
      ++common;
    }
  }
  return overlap(m, common, have, wanted);
}

Value ngram_counts(ExecutionContext& m, const Value* args) {
  Vocabulary vocabulary(m);
  const Tokens single = words_of(m, args[0].text.view(), vocabulary);
  const Tokens runs = runs_of(single, order_of(args[1]), vocabulary);
  m.charge(runs.size());
  const Number numbers[] = {whole(static_cast<std::int64_t>(runs.size())),
                            whole(static_cast<std::int64_t>(distinct_tokens(runs).size()))};
  return make_fields(m, numbers, 2);
}

}  // namespace assay::library
