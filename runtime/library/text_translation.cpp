// Measures of machine translation: BLEU (Papineni et al. 2002) and chrF (Popović 2015), counted as in sacrebleu.
#include "lang/text/ascii.hpp"
#include "lang/text/characters.hpp"
#include "runtime/library/tokens.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace assay::library {

namespace {

constexpr std::size_t kBleuOrder = 4, kCharacterOrder = 6;
constexpr std::int64_t kMostWordOrder = 4;

bool is_point(char c) { return c == '.' || c == ','; }
// Signs that are tokens of their own; apostrophe, comma, dash and point are not among them.
bool stands_alone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(what, at), text.size());
    out.append(text, at, found - at);
    if (found < text.size()) out += by;
    at = found + what.size();
  }
  text = std::move(out);
}

// Puts blanks around pairs of bytes, like substitutions from left to right without overlaps.
template <class First, class Second>
std::string split_pairs(const std::string& text, First first, Second second, bool front, bool back) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      if (front) out += ' ';
      out += text[i];
      out += ' ';
      out += text[++i];
      if (back) out += ' ';
    } else {
      out += text[i];
    }
  }
  return out;
}

// The tokens of mteval-v13a: splits punctuation from words, except points and commas inside numbers.
std::string tokenised(ExecutionContext& m, std::string_view source) {
  m.charge(source.size());
  if (source.size() > m.room() / 16) m.out_of_memory();
  std::string text(source);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  std::string out = " ";
  for (const char c : text) {
    if (stands_alone(c)) {
      out += ' ';
      out += c;
      out += ' ';
    } else {
      out += c;
    }
  }
  out += ' ';
  const auto no_digit = [](char c) { return !is_digit(c); };
  out = split_pairs(out, no_digit, is_point, false, true);
  out = split_pairs(out, is_point, no_digit, true, false);
  return split_pairs(
      out, is_digit, [](char c) { return c == '-'; }, false, true);
}

std::vector<std::uint32_t> counts_of(ExecutionContext& m, const Tokens& tokens, std::size_t size) {
  m.charge(tokens.size() / 4 + size / 16);
  std::vector<std::uint32_t> counts = scratch<std::uint32_t>(m, size);
  for (const std::uint32_t token : tokens) ++counts[token];
  return counts;
}

// Splits the last, or else the first, punctuation mark from each word, as in chrF++.
Tokens chrf_words(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary) {
  const auto is_punctuation = [](char c) {
    return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
  };
  m.charge(text.size() / 4);
  Tokens tokens;
  const auto take = [&](std::string_view word) {
    if (tokens.size() > m.room() / sizeof(std::uint32_t)) m.out_of_memory();
    tokens.push_back(vocabulary.number_of(word));
  };
  std::size_t begin = 0;
  const auto end_word = [&](std::size_t end) {
    const std::string_view word = text.substr(begin, end - begin);
    if (word.empty()) return;
    if (word.size() > 1 && is_punctuation(word.back())) {
      take(word.substr(0, word.size() - 1));
      take(word.substr(word.size() - 1));
    } else if (word.size() > 1 && is_punctuation(word.front())) {
      take(word.substr(0, 1));
      take(word.substr(1));
    } else {
      take(word);
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    if (character_class(next_character(text, at)) != CharacterClass::space) continue;
    end_word(before);
    begin = at;
  }
  end_word(text.size());
  return tokens;
}

Tokens chrf_characters(ExecutionContext& m, std::string_view text, Vocabulary& vocabulary) {
  Tokens tokens;
  m.charge(text.size() / 4);
  if (text.size() > m.room() / sizeof(std::uint32_t)) m.out_of_memory();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    if (character_class(next_character(text, at)) == CharacterClass::space) continue;
    tokens.push_back(vocabulary.number_of(text.substr(before, at - before)));
  }
  return tokens;
}

// The n-grams of a text for chrF: of 1 to 6 characters, then of 1 to `words` words. Each order has its own vocabulary.
struct ChrfText {
  std::vector<Tokens> orders;
};

// The F2 of the mean precision and the mean recall, over the orders that both texts have.
Number chrf_score(ExecutionContext& m, const ChrfText& have, const ChrfText& wanted,
                  const std::vector<std::size_t>& sizes) {
  NumberPool& pool = *m.pool;
  Number precision = whole(0), recall = whole(0);
  bool any = false, both = false;
  std::int64_t orders = 0;
  for (std::size_t i = 0; i < have.orders.size(); ++i) {
    const Tokens &a = have.orders[i], &b = wanted.orders[i];
    any = any || !a.empty() || !b.empty();
    if (a.empty() || b.empty()) continue;
    both = true;
    const std::uint64_t common = common_count(m, a, b, sizes[i]);
    precision = add(precision, share(common, a.size()), pool);
    recall = add(recall, share(common, b.size()), pool);
    ++orders;
  }
  if (!any) return kMissing;
  if (!both || sign(add(precision, recall, pool)) == 0) return whole(0);
  const Number p = div(precision, whole(orders), pool), r = div(recall, whole(orders), pool);
  return div(mul(whole(5), mul(p, r, pool), pool), add(mul(whole(4), p, pool), r, pool), pool);
}

}  // namespace

Value bleu(ExecutionContext& m, const Value* args) {
  const ListValue& references = args[1].list;
  if (references.size == 0 || has_gaps(references)) return missing_value();
  Vocabulary vocabulary(m);
  const auto runs = [&](std::string_view text) {
    const std::string spaced = tokenised(m, text);
    return pieces_of(m, spaced, vocabulary);
  };
  const Tokens candidate = runs(args[0].text.view());
  std::vector<Tokens> others;
  std::uint64_t closest = 0;
  for (std::uint32_t i = 0; i < references.size; ++i) {
    others.push_back(runs(references.items[i].text.view()));
    const std::uint64_t size = others.back().size();
    const auto off = [&](std::uint64_t n) {
      return n > candidate.size() ? n - candidate.size() : candidate.size() - n;
    };
    if (i == 0 || off(size) < off(closest) || (off(size) == off(closest) && size < closest)) closest = size;
  }
  if (candidate.empty()) return closest == 0 ? missing_value() : make_number(whole(0));
  NumberPool& pool = *m.pool;
  Number product = whole(1);
  std::int64_t order = 0, smooth = 1;
  bool any = false;
  Tokens mine = candidate;
  std::vector<Tokens> theirs = others;
  for (std::size_t n = 1; n <= kBleuOrder && !mine.empty(); ++n) {
    if (n > 1) {
      const auto length = static_cast<std::uint32_t>(n - 1);
      mine = vocabulary.longer_runs(mine, candidate, length);
      for (std::size_t i = 0; i < theirs.size(); ++i) theirs[i] = vocabulary.longer_runs(theirs[i], others[i], length);
      if (mine.empty()) break;
    }
    std::vector<std::uint32_t> most = scratch<std::uint32_t>(m, vocabulary.size());
    for (const Tokens& reference : theirs) {
      const std::vector<std::uint32_t> counts = counts_of(m, reference, vocabulary.size());
      for (std::size_t i = 0; i < counts.size(); ++i) most[i] = std::max(most[i], counts[i]);
    }
    std::uint64_t correct = 0;
    for (const std::uint32_t token : mine) {
      if (most[token] == 0) continue;
      --most[token];
      ++correct;
    }
    any = any || correct > 0;
    if (correct == 0) smooth *= 2;
    product = mul(
        product, correct > 0 ? share(correct, mine.size()) : share(1, static_cast<std::uint64_t>(smooth) * mine.size()),
        pool);
    order = static_cast<std::int64_t>(n);
  }
  if (!any) return make_number(whole(0));
  Number score = pow(product, Number{1, order}, pool);
  if (candidate.size() < closest) {
    const Number excess = sub(whole(1), share(closest, candidate.size()), pool);
    score = mul(score, exp(excess, pool), pool);
  }
  return make_number(score);
}

Value chrf_of(ExecutionContext& m, const Value* args) {
  const ListValue& references = args[1].list;
  std::int64_t words = 0;
  if (!to_int64(args[2].number, words)) return missing_value();
  words = std::clamp<std::int64_t>(words, 0, kMostWordOrder);
  if (references.size == 0 || has_gaps(references)) return missing_value();
  Vocabulary characters(m), tokens(m);
  // All texts are processed one order at a time, because runs are numbered one length at a time.
  std::vector<Tokens> single_characters, single_words;
  for (std::uint32_t i = 0; i <= references.size; ++i) {
    const std::string_view text = i == 0 ? args[0].text.view() : references.items[i - 1].text.view();
    single_characters.push_back(chrf_characters(m, text, characters));
    single_words.push_back(words > 0 ? chrf_words(m, text, tokens) : Tokens());
  }
  std::vector<ChrfText> texts(single_characters.size());
  std::vector<std::size_t> sizes;
  const auto add_orders = [&](const std::vector<Tokens>& single, std::size_t order, Vocabulary& vocabulary) {
    for (std::size_t n = 0; n < order; ++n) {
      for (std::size_t i = 0; i < texts.size(); ++i) {
        texts[i].orders.push_back(
            n == 0 ? single[i]
                   : vocabulary.longer_runs(texts[i].orders.back(), single[i], static_cast<std::uint32_t>(n)));
      }
      sizes.push_back(vocabulary.size());
    }
  };
  add_orders(single_characters, kCharacterOrder, characters);
  add_orders(single_words, static_cast<std::size_t>(words), tokens);
  Number best = kMissing;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const Number score = chrf_score(m, texts[0], texts[i], sizes);
    if (best.missing() || (!score.missing() && compare(score, best) > 0)) best = score;
  }
  return make_number(best);
}

}  // namespace assay::library
