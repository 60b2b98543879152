// What a character is, for functions that compare texts: its class, its lower case, and whether it is a vowel. By the tables
// of Unicode in utf8proc, with a table of our own for ASCII, where most characters are. Independent of locales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

enum class CharacterClass : std::uint8_t { letter, digit, punctuation, symbol, space, other };

// Letters include the marks that combine with them, digits all numerals.
CharacterClass character_class(char32_t c);
char32_t lower_case(char32_t c);  // a single character for a single one

// Written without spaces between words: Chinese characters, kana. Each counts as a word of its own.
bool is_ideograph(char32_t c);

// Of the Latin, Greek and Cyrillic alphabets, with or without accents; 'y' counts.
bool is_vowel(char32_t c);

// Letters, digits and ideographs make words; all else separates them.
inline bool is_word_character(char32_t c) {
  const CharacterClass kind = character_class(c);
  return kind == CharacterClass::letter || kind == CharacterClass::digit;
}

// The character that begins at `at`, which moves behind it. `text` is UTF-8 and `at` is within it; a byte that is none is U+FFFD.
char32_t next_character(std::string_view text, std::size_t& at);
void append_character(char32_t c, std::string& out);

}  // namespace assay
