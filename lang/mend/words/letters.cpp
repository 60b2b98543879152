// Names with letters that names do not have: größe. A key of the record keeps its spelling, in quotes; any other name is
// spelled in plain letters, everywhere.
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/characters.hpp"

#include <set>

namespace assay::mending {
namespace {

struct Word {
  std::size_t begin, end;   // bytes
  std::size_t first, last;  // tokens
};

bool is_letter(const Tokens& tokens, std::size_t i) {
  const std::string_view shown = tokens[i].shown;
  if (shown.empty() || static_cast<unsigned char>(shown[0]) < 0x80 || tokens[i].is_text()) return false;
  std::size_t at = 0;
  return is_word_character(next_character(shown, at));
}

// All words with such a letter, outside of texts.
std::vector<Word> words_of(const Tokens& tokens) {
  constexpr std::size_t kMost = 1000;
  const auto part = [&tokens](std::size_t i) {
    return tokens[i].kind == Token::Kind::word || tokens[i].kind == Token::Kind::number || is_letter(tokens, i);
  };
  std::vector<Word> words;
  for (std::size_t i = 0; i + 1 < tokens.size() && words.size() < kMost; ++i) {
    if (!is_letter(tokens, i)) continue;
    std::size_t first = i, last = i;
    while (first > 0 && part(first - 1) && tokens[first - 1].end == tokens[first].begin) --first;
    while (last + 2 < tokens.size() && part(last + 1) && tokens[last].end == tokens[last + 1].begin) ++last;
    words.push_back({tokens[first].begin, tokens[last].end, first, last});
    i = last;
  }
  return words;
}

}  // namespace

void letters(const Window& window, Proposals& out) {
  if (!window.problem.code.starts_with("E01")) return;
  const Tokens& tokens = window.tokens;
  const std::vector<Word> words = words_of(tokens);
  if (words.empty()) return;
  const auto shown = [&](const Word& word) { return tokens.text().substr(word.begin, word.end - word.begin); };
  // input breite, größe: …
  const auto input = [&](const Word& word) {
    std::size_t i = word.first;
    while (i > 0 && !tokens.is(i - 1, "input") &&
           (tokens[i - 1].kind == Token::Kind::word || tokens.is(i - 1, ",") || is_letter(tokens, i - 1)))
      --i;
    return i > 0 && tokens.is(i - 1, "input");
  };
  // { größe: … }
  const auto field = [&](const Word& word) {
    return tokens.is(word.last + 1, ":") && word.first > 0 && among(tokens[word.first - 1].shown, {"{", ","});
  };
  std::set<std::string_view> inputs;
  for (const Word& word : words) {
    if (input(word)) inputs.insert(shown(word));
  }
  std::vector<Edit> edits;
  for (const Word& word : words) {
    const std::string quoted = '"' + std::string(shown(word)) + '"';
    if (input(word) || field(word)) {
      edits.push_back(out.edit(word.begin, word.end, quoted));
    } else if (word.first > 0 && tokens.is(word.first - 1, ".")) {
      edits.push_back(out.edit(tokens[word.first - 1].begin, word.end, "[" + quoted + "]"));
    } else if (inputs.count(shown(word)) > 0) {
      edits.push_back(out.edit(word.begin, word.end, "input[" + quoted + "]"));
    } else {
      const std::string plain = in_plain_letters(shown(word));
      if (plain.empty()) return;
      edits.push_back(out.edit(word.begin, word.end, plain));
    }
  }
  out.add(std::move(edits), true);
}

}  // namespace assay::mending
