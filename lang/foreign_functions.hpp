// What other languages call a builtin, and how it is written here: for names that are not near enough to suggest one.
#pragma once

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
};
// clang-format on

}  // namespace assay
