// Words of other languages and their form in this one, for words that are not similar enough to suggest one. The words
// of declarations are in lang/syntax/declarations.def.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace assay {

// clang-format off
inline constexpr std::pair<std::string_view, const char*> kForeignFunctions[] = {
    {"average", "write mean(…)"}, {"avg", "write mean(…)"}, {"len", "write count(…)"}, {"length", "write count(…)"},
    {"size", "write count(…)"}, {"pow", "a power is written x ^ y"}, {"power", "a power is written x ^ y"},
    {"if", "a choice is written: v when c else w"}, {"iif", "a choice is written: v when c else w"},
    {"coalesce", "write: a default b"}, {"concat", "lists and texts are joined with '+'"},
    {"str", "a value stands in a text in braces: \"{x}\""}, {"float", "number(…) reads a number from a text"},
    {"int", "floor(…) or round(…) make whole numbers"}, {"sort", "write [x for x in xs by lower x]"},
    {"sorted", "write [x for x in xs by lower x]"}, {"unique", "write distinct(…)"}, {"std", "write stdev(…)"},
    {"ceiling", "write ceil(…)"}, {"log", "write ln(…) or log10(…)"}, {"upper", "compare texts with lowercase(…)"},
    {"map", "write map(key: value for x in xs), or a list: [value for x in xs]"},
    {"group", "write group(key: value for x in xs)"}, {"lower", "write lowercase(…)"},
    {"filter", "write [x for x in xs when …]"},
    {"weighted", "weights belong to dimensions: dimension … weight 25%"},
    {"range", "a loop counts: 'for i in 0..2' goes through 0, 1 and 2"},
    {"zip", "a loop gives the place, too: [x + ys[i] for i, x in xs]"},
    {"index_of", "write position(x, list)"}, {"indexOf", "write position(x, list)"},
    {"chars", "write characters(text)"}, {"substring", "characters(text) is a list of its characters"},
    {"enumerate", "a loop gives the place, too: [… for i, x in xs]"},
    {"now", "there is no clock: let the record give the time, as an input"},
    {"today", "there is no clock: let the record give the date, as an input"},
    {"isnull", "write a is missing"}, {"is_null", "write a is missing"}, {"is_missing", "write a is missing"},
    {"given", "write a is given"}, {"exists", "write a is given"}, {"defined", "write a is given"},
};

// Words of other languages for missing.
inline constexpr std::string_view kNullWords[] = {"null", "Null", "NULL", "nil", "None", "undefined"};
// clang-format on

inline bool is_null_word(std::string_view word) {
  return std::find(std::begin(kNullWords), std::end(kNullWords), word) != std::end(kNullWords);
}

}  // namespace assay
