// What other languages call something, and how it is written here: for words that are not near enough to suggest one.
// For words of declarations, more of them are in lang/syntax/declarations.def, beside the declaration.
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
    {"ceiling", "write ceil(…)"}, {"FLOOR", "write floor(…)"}, {"ROUNDUP", "write ceil(…)"},
    {"log", "write ln(…) or log10(…)"}, {"upper", "compare texts with lowercase(…)"},
    {"map", "write map(key: value for x in xs), or a list: [value for x in xs]"},
    {"group", "write group(key: value for x in xs)"}, {"lower", "write lowercase(…)"},
    {"filter", "write [x for x in xs when …]"},
    {"weighted", "weights belong to dimensions: dimension … weight 25%"},
    {"range", "a loop counts: 'for i in 0..2' goes through 0, 1 and 2"},
    {"zip", "a loop gives the place, too: [x + ys[i] for i, x in xs]"},
    {"index_of", "write position(x, list)"}, {"indexOf", "write position(x, list)"},
    {"chars", "write characters(text)"}, {"substring", "characters(text) is a list of its characters"},
    {"enumerate", "a loop gives the place, too: [… for i, x in xs]"},
    {"VLOOKUP", "a table finds values: table fee(key) { | key | fee | … }, and then fee(key)"},
    {"HLOOKUP", "a table finds values: table fee(key) { | key | fee | … }, and then fee(key)"},
    {"XLOOKUP", "a table finds values: table fee(key) { | key | fee | … }, and then fee(key)"},
    {"LOOKUP", "a table finds values: table fee(key) { | key | fee | … }, and then fee(key)"},
    {"now", "there is no clock: let the record give the time, as an input"},
    {"today", "there is no clock: let the record give the date, as an input"},
    {"isnull", "write a is missing"}, {"is_null", "write a is missing"}, {"is_missing", "write a is missing"},
    {"given", "write a is given"}, {"exists", "write a is given"}, {"defined", "write a is given"},
};

// Words for declarations: that of others, that of the language.
inline constexpr std::pair<std::string_view, std::string_view> kForeignDeclarations[] = {
    {"parameter", "input"}, {"variable", "input"}, {"attribute", "input"}, {"assert", "check"}, {"validate", "check"},
    {"ensure", "check"}, {"verify", "check"}, {"requirement", "gate"}, {"require", "gate"}, {"must", "gate"},
    {"veto", "gate"}, {"constraint", "gate"}, {"knockout", "gate"}, {"aspect", "dimension"}, {"section", "dimension"},
    {"area", "dimension"}, {"component", "dimension"}, {"measure", "dimension"}, {"pillar", "dimension"},
    {"indicator", "dimension"}, {"subject", "dimension"}, {"trait", "dimension"}, {"attribute", "dimension"},
    {"kpi", "dimension"}, {"subcriterion", "criterion"}, {"subdimension", "criterion"}, {"limit", "cap"},
    {"ceiling", "cap"}, {"deduct", "deduction"}, {"subtract", "deduction"}, {"minus", "deduction"},
    {"credit", "bonus"}, {"award", "bonus"}, {"grades", "bands"}, {"grading", "bands"}, {"band", "bands"}, {"grade", "bands"},
    {"result", "output"}, {"emit", "output"}, {"warn", "flag"}, {"warning", "flag"}, {"alert", "flag"},
    {"recommend", "advice"}, {"recommendation", "advice"}, {"suggestion", "advice"}, {"hint", "advice"},
    {"tip", "advice"}, {"sort", "rank"}, {"order", "rank"}, {"profile", "context"}, {"scenario", "context"},
    {"test", "example"}, {"testcase", "example"},
};

// Words for what is missing.
inline constexpr std::string_view kNullWords[] = {"null", "Null", "NULL", "nil", "None", "undefined"};
// clang-format on

inline bool is_null_word(std::string_view word) {
  return std::find(std::begin(kNullWords), std::end(kNullWords), word) != std::end(kNullWords);
}

}  // namespace assay
