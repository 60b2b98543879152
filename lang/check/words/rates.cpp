// See rates.hpp.
#include "lang/check/words/rates.hpp"

#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {

namespace {

// A word, or a number: "1.2", "half"; "," divides clauses.
struct SaidWord {
  std::string word;
  std::optional<Number> number;
};
using SaidWords = std::vector<SaidWord>;

constexpr std::string_view kDivider = ",";

void add_word(SaidWords& words, std::string word, NumberPool& pool) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"\u20ac", "euros"}, {"$", "dollars"}, {"\u00a3", "pounds"}};
  std::string behind;
  for (const auto& [sign, unit] : kSigns) {
    const std::size_t at = word.find(sign);
    if (at != word.npos) word.erase(at, sign.size()), behind = unit;
  }
  // "500m"
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  if (digits > 0 && digits < word.size() && unit_of(std::string_view(word).substr(digits)) != nullptr)
    behind = word.substr(digits), word.resize(digits);
  const std::vector<SaidNumber> said = numbers_said(word, pool);
  std::optional<Number> number;
  if (said.size() == 1 && !said[0].percent) number = said[0].value;
  if (word == "half") number = div(whole(1), whole(2), pool);
  if (word == "quarter") number = div(whole(1), whole(4), pool);
  if (!word.empty()) words.push_back({std::move(word), number});
  if (!behind.empty()) words.push_back({std::move(behind), std::nullopt});
}

SaidWords said_words(std::string_view prose, NumberPool& pool) {
  SaidWords words;
  const std::string text = in_lower_case(prose);
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool inner =
        (c == '.' || c == ',') && i > 0 && is_digit(text[i - 1]) && i + 1 < text.size() && is_digit(text[i + 1]);
    if (inner || std::string_view(" ,;:.()!?\"_").find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    add_word(words, std::exchange(word, {}), pool);
    if (c != ' ' && c != '_' && c != '"') words.push_back({std::string(kDivider), std::nullopt});
  }
  return words;
}

// An amount that begins at a word: "30 cents", "a point", "half a point", "a quarter of an hour". `end` is behind it.
std::optional<SaidAmount> amount_at(const SaidWords& words, std::size_t at, std::size_t& end, NumberPool& pool) {
  const auto is = [&words](std::size_t i, std::string_view list) {
    return i < words.size() && has_word(list, words[i].word);
  };
  const bool article = is(at, "a an");
  std::size_t i = article ? at + 1 : at;
  SaidAmount found{whole(1), {}};
  if (i < words.size() && words[i].number) {
    const bool part = words[i].word == "half" || words[i].word == "quarter";
    found.value = *words[i++].number;
    if (part && is(i, "of")) ++i;
    if (part && is(i, "a an")) ++i;
    if (!part && is(i, "quarters")) {  // "three quarters of an hour"
      found.value = div(found.value, whole(4), pool), ++i;
      if (is(i, "of")) ++i;
      if (is(i, "a an")) ++i;
    }
  } else if (!article) {
    return std::nullopt;
  }
  if (i >= words.size() || words[i].word == kDivider || words[i].number) return std::nullopt;
  found.of = words[i].word;
  end = i + 1;
  return found;
}

// What an amount is for: "a kilometre", "for every 500 m", "per started hour".
std::optional<SaidAmount> each_at(const SaidWords& words, std::size_t at) {
  const auto is = [&words](std::size_t i, std::string_view list) {
    return i < words.size() && has_word(list, words[i].word);
  };
  std::size_t i = at;
  const bool behind = is(i, "for");
  if (behind) ++i;
  if (!is(i, "a an per each every")) return std::nullopt;
  const bool article = is(i, "a an");
  ++i;
  if (!article && is(i, "a an")) ++i;  // "per a …" is no English, but hardly anything else
  static constexpr std::string_view kKinds =
      "started begun full whole complete completed further additional extra more other missing full single new";
  while (is(i, kKinds)) ++i;
  SaidAmount found{whole(1), {}};
  if (i < words.size() && words[i].number && !article) {
    found.value = *words[i++].number;
    if (is(i, "a an")) ++i;  // "every half an hour"
  }
  while (is(i, kKinds)) ++i;
  // "every second kilometre"
  if (is(i, "second third fourth other last first") && i + 1 < words.size() && words[i + 1].word != kDivider)
    return std::nullopt;
  if (i >= words.size() || words[i].word == kDivider || words[i].number || sign(found.value) <= 0) return std::nullopt;
  found.of = words[i].word;
  return found;
}

bool leaves_open(const SaidWords& words) {
  return std::any_of(words.begin(), words.end(), [](const SaidWord& t) {
    return has_word(
        "instead not never except unless otherwise else reduced discount rather double doubled twice "
        "about around roughly nearly almost approximately",
        t.word);
  });
}

}  // namespace

std::vector<SaidRate> rates_said(std::string_view prose, NumberPool& pool) {
  const SaidWords words = said_words(prose, pool);
  std::vector<SaidRate> all;
  if (leaves_open(words)) return all;
  for (std::size_t i = 0, end = 0; i < words.size(); ++i) {
    if (i > 0 && has_word("up most least to than every each per for minus", words[i - 1].word)) continue;
    const std::optional<SaidAmount> amount = amount_at(words, i, end, pool);
    if (!amount) continue;
    const std::optional<SaidAmount> each = each_at(words, end);
    if (!each) continue;
    all.push_back({*amount, *each});
    i = end;
  }
  return all;
}

std::optional<SaidAmount> left_out_said(std::string_view prose, NumberPool& pool) {
  const SaidWords words = said_words(prose, pool);
  if (leaves_open(words)) return std::nullopt;
  const auto is = [&words](std::size_t i, std::string_view list) {
    return i < words.size() && has_word(list, words[i].word);
  };
  std::optional<SaidAmount> found;
  bool rate = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    rate = rate || is(i, "each every per");
    std::size_t end = 0;
    std::optional<SaidAmount> here;
    if (i > 0 && is(i, "first") && is(i - 1, "the")) {
      here = amount_at(words, i + 1, end, pool);
      if (!here && i + 1 < words.size() && words[i + 1].word != kDivider && !words[i + 1].number)
        here = SaidAmount{whole(1), words[i + 1].word}, end = i + 2;
      const bool beyond = i > 1 && is(i - 2, "beyond after above over past");
      const bool free =
          (is(end, "is are costs cost") && is(end + 1, "free nothing included")) || (i == 1 && is(end, "free"));
      if (!beyond && !free) here.reset();
    } else if (rate && is(i, "beyond above over exceeding past") && !is(i + 1, "a an")) {
      here = amount_at(words, i + 1, end, pool);
    }
    if (!here) continue;
    if (found) return std::nullopt;
    found = here;
  }
  return found;
}

}  // namespace assay
