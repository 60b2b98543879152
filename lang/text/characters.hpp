// Properties of characters, for functions that compare texts: class, lower case, and whether it is a vowel. Uses the
// Unicode tables of utf8proc, and a table of its own for ASCII, which is the most frequent. Independent of locales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

enum class CharacterClass : std::uint8_t { letter, digit, punctuation, symbol, space, other };

// Letters include combining marks, digits all numerals.
CharacterClass character_class(char32_t c);
char32_t lower_case(char32_t c);  // only mappings to a single character

// Characters written without spaces between words: Chinese characters, kana. Each counts as a word of its own.
bool is_ideograph(char32_t c);

// In the Latin, Greek and Cyrillic alphabets, with or without accents; 'y' counts.
bool is_vowel(char32_t c);

// Letters, digits and ideographs form words; everything else separates them.
inline bool is_word_character(char32_t c) {
  const CharacterClass kind = character_class(c);
  return kind == CharacterClass::letter || kind == CharacterClass::digit;
}

// Decodes the character at `at` and moves `at` past it. `text` is UTF-8, `at` is inside it; an invalid byte is U+FFFD.
char32_t next_character(std::string_view text, std::size_t& at);
void append_character(char32_t c, std::string& out);

// A word in the letters a to z, as it is spelled where others are not at hand: größe → groesse, café → cafe. Empty if a
// character has no such spelling.
std::string in_plain_letters(std::string_view word);

}  // namespace assay
