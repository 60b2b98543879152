// Classes and cases of characters, from utf8proc.
#include "lang/text/characters.hpp"

#include <assay/text.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace assay {

namespace {

CharacterClass from_unicode(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return CharacterClass::letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return CharacterClass::digit;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO: return CharacterClass::punctuation;
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO: return CharacterClass::symbol;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return CharacterClass::space;
    default:
      return c >= 9 && c <= 13 ? CharacterClass::space : c == 0x85 ? CharacterClass::space : CharacterClass::other;
  }
}

const std::array<CharacterClass, 128>& ascii() {
  static const std::array<CharacterClass, 128> table = [] {
    std::array<CharacterClass, 128> t{};
    for (std::size_t c = 0; c < t.size(); ++c) t[c] = from_unicode(static_cast<char32_t>(c));
    return t;
  }();
  return table;
}

// Vowels beyond ASCII, without their accents.
constexpr char32_t kVowels[] = U"аеиоуыэюяіїєαειουηωæœøåıə";

}  // namespace

CharacterClass character_class(char32_t c) { return c < 128 ? ascii()[c] : from_unicode(c); }

char32_t lower_case(char32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

bool is_ideograph(char32_t c) {
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3134F);
}

bool is_vowel(char32_t c) {
  c = lower_case(c);
  if (c >= 128) {
    utf8proc_int32_t parts[4];
    const auto size = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 4,
                                              static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), nullptr);
    if (size > 0) c = static_cast<char32_t>(parts[0]);
  }
  if (c < 128) return std::string_view("aeiouy").find(static_cast<char>(c)) != std::string_view::npos;
  return std::find(std::begin(kVowels), std::end(kVowels) - 1, c) != std::end(kVowels) - 1;
}

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 128) {
    ++at;
    return byte;
  }
  char32_t c = 0xFFFD;
  at += decode(text.substr(at), c);
  return c;
}

void append_character(char32_t c, std::string& out) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(std::max<utf8proc_ssize_t>(size, 0)));
}

std::string in_plain_letters(std::string_view word) {
  struct Spelling {
    char32_t letter;
    std::string_view plain;
  };
  static constexpr Spelling kSpellings[] = {{U'ä', "ae"}, {U'ö', "oe"}, {U'ü', "ue"}, {U'ß', "ss"}, {U'æ', "ae"},
                                            {U'œ', "oe"}, {U'ø', "oe"}, {U'å', "aa"}, {U'ł', "l"},  {U'đ', "d"},
                                            {U'ð', "d"},  {U'þ', "th"}, {U'ı', "i"}};
  std::string plain;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_character(word, at), lower = lower_case(c);
    const auto* known = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                     [lower](const Spelling& s) { return s.letter == lower; });
    std::string one;
    if (known != std::end(kSpellings)) {
      one = known->plain;
      if (c != lower) one[0] = static_cast<char>(one[0] - 'a' + 'A');
    } else {
      std::array<utf8proc_int32_t, 8> parts{};
      const utf8proc_ssize_t size =
          utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
                                  static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK), nullptr);
      for (utf8proc_ssize_t k = 0; k < size && k < static_cast<utf8proc_ssize_t>(parts.size()); ++k) {
        if (parts[static_cast<std::size_t>(k)] >= 128) return {};
        one += static_cast<char>(parts[static_cast<std::size_t>(k)]);
      }
    }
    plain += one;
  }
  return plain;
}

}  // namespace assay
