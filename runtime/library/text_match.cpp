// Normalised texts, and searches in texts: words, pieces in order, numbers.
#include "lang/text/ascii.hpp"
#include "lang/text/characters.hpp"
#include "lang/text/utf8.hpp"
#include "runtime/library/tokens.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace assay::library {

namespace {

bool is_ascii_punctuation(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

std::string folded(ExecutionContext& m, std::string_view text) {
  m.charge(text.size() / 4);
  if (text.size() * 2 > m.room()) m.out_of_memory();
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_character(lower_case(next_character(text, at)), out);
  return out;
}

// Reads the number that begins at `at`: digits with commas between groups of three, a fraction, an exponent. Returns
// its end, and its spelling without commas.
std::size_t read_number(std::string_view text, std::size_t at, std::string& spelling) {
  spelling.clear();
  std::size_t end = at, first = 0;
  while (end < text.size() && is_digit(text[end])) spelling += text[end++], ++first;
  const auto group = [&](std::size_t p) {
    return p + 3 < text.size() && text[p] == ',' && is_digit(text[p + 1]) && is_digit(text[p + 2]) &&
           is_digit(text[p + 3]) && !(p + 4 < text.size() && is_digit(text[p + 4]));
  };
  if (first >= 1 && first <= 3) {
    while (group(end)) {
      spelling.append(text.substr(end + 1, 3));
      end += 4;
    }
  }
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    if (spelling.empty()) spelling = "0";
    spelling += '.';
    ++end;
    while (end < text.size() && is_digit(text[end])) spelling += text[end++];
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t p = end + 1;
    if (p < text.size() && (text[p] == '+' || text[p] == '-')) ++p;
    std::size_t digits = p;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    std::size_t behind = digits;
    const bool ends =
        digits > p && digits - p <= 3 && (digits == text.size() || !is_word_character(next_character(text, behind)));
    if (ends) {
      spelling.append(text.substr(end, digits - end));
      end = digits;
    }
  }
  return end;
}

// A decimal has no leading zeros, except one before its point.
std::string_view as_decimal(std::string_view spelling) {
  std::size_t zeros = std::min(spelling.find_first_not_of('0'), spelling.size() - 1);
  if (zeros > 0 && !is_digit(spelling[zeros])) --zeros;
  return spelling.substr(zeros);
}

// Whether a minus precedes the number that begins at `at`; after a word, as in "3-4" and "a-1", it is a hyphen.
bool is_negative(std::string_view text, std::size_t at) {
  constexpr std::string_view kMinus = "\u2212";
  std::size_t sign = 0;
  if (at > 0 && text[at - 1] == '-') sign = 1;
  if (at >= kMinus.size() && text.substr(at - kMinus.size(), kMinus.size()) == kMinus) sign = kMinus.size();
  if (sign == 0 || sign == at) return sign != 0;
  std::size_t front = at - sign - 1;
  while (front > 0 && continues_character(text[front])) --front;
  const char32_t c = next_character(text, front);
  return !is_word_character(c) || is_ideograph(c);
}

}  // namespace

Value fold(ExecutionContext& m, const Value* args) { return m.text(folded(m, args[0].text.view())); }

Value word_list(ExecutionContext& m, const Value* args) {
  WordReader counting(m, args[0].text.view());
  std::uint32_t size = 0;
  while (counting.next()) ++size;
  Value result = m.list(size);
  WordReader reader(m, args[0].text.view());
  for (std::uint32_t i = 0; i < size && reader.next(); ++i) result.list.items[i] = m.text(reader.word());
  return result;
}

// As in the evaluation script of SQuAD: lower case, without punctuation, without English articles, single blanks.
Value normalised(ExecutionContext& m, const Value* args) {
  const std::string lower = folded(m, args[0].text.view());
  std::string plain, out;
  plain.reserve(lower.size());
  for (std::size_t at = 0; at < lower.size();) {
    const char32_t c = next_character(lower, at);
    const CharacterClass kind = character_class(c);
    if (is_ascii_punctuation(c) || kind == CharacterClass::punctuation) continue;
    if (kind == CharacterClass::space) {
      plain += ' ';
    } else {
      append_character(c, plain);
    }
  }
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find(' ', at), plain.size());
    const std::string_view word = std::string_view(plain).substr(at, end - at);
    if (!word.empty() && word != "a" && word != "an" && word != "the") {
      if (!out.empty()) out += ' ';
      out += word;
    }
    at = end + 1;
  }
  return m.text(out);
}

Value found_in_order(ExecutionContext& m, const Value* args) {
  const std::string_view text = args[0].text.view();
  const ListValue& pieces = args[1].list;
  if (has_gaps(pieces)) return missing_value();
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < pieces.size; ++i) {
    const std::string_view piece = pieces.items[i].text.view();
    m.charge(1 + (text.size() - at) / 64 + (text.size() - at) * piece.size() / 4096);
    const std::size_t found = text.find(piece, at);
    if (found == std::string_view::npos) return make_bool(false);
    at = found + piece.size();
  }
  return make_bool(true);
}

Value numbers_in(ExecutionContext& m, const Value* args) {
  const std::string_view text = args[0].text.view();
  m.charge(text.size() / 4);
  std::vector<Number> found;
  std::string spelling;
  char32_t before = ' ';  // the previous character
  for (std::size_t at = 0; at < text.size();) {
    const bool digit = is_digit(text[at]);
    const bool point = text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]) && !is_word_character(before);
    if (!digit && !point) {
      before = next_character(text, at);
      continue;
    }
    const std::size_t begin = at;
    const bool named = is_word_character(before) && !is_ideograph(before);  // "x2" is a name
    at = read_number(text, begin, spelling);
    before = '0';
    std::size_t end = at;  // "1.2.3" is a version or a date
    while (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
      ++end;
      while (end < text.size() && is_digit(text[end])) ++end;
    }
    const bool version = end != at;
    at = end;
    Number n;
    m.charge(1 + spelling.size() / 4);
    // nor does a number with too many digits
    if (named || version || !parse_decimal(as_decimal(spelling), n, *m.pool)) continue;
    if (found.size() > m.room() / sizeof(Value)) m.out_of_memory();
    found.push_back(is_negative(text, begin) ? neg(n, *m.pool) : n);
  }
  Value result = m.list(static_cast<std::uint32_t>(found.size()));
  for (std::size_t i = 0; i < found.size(); ++i) result.list.items[i] = make_number(found[i]);
  return result;
}

}  // namespace assay::library
