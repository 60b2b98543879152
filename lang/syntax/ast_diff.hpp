// What differs between two rubric files, declaration by declaration. Declarations are matched by kind and name within
// the one that holds them, their parts by what they are of it, and compared by the lines of the text form: layout,
// comments and how a number is written make no difference. There is one mechanism for all kinds; what a kind decides is
// in its row of lang/syntax/declarations.def.
#pragma once

#include "lang/syntax/ast.hpp"

#include <string>
#include <vector>

namespace assay::ast {

struct Difference {
  enum class Kind { changed, added, removed, renamed, moved } kind = Kind::changed;
  Decides decides = Decides::scores;
  std::string what;           // "dimension correctness", "bands grade, row \"A\""
  std::string part;           // of it: "weight"; empty: all of it, or what speaks for itself
  std::string before, after;  // as written, on one line; empty: there is none
  Span was, is;               // begin == end == 0: there is none
};

struct Compared {
  const File& file;
  const Sources& sources;
};

// In the order of the file after.
std::vector<Difference> differences(const Compared& before, const Compared& after);

// What a declaration replaces in a rubric that is extended: "value score", "scale"; empty: nothing, it is added.
std::string merge_key(const Item& item);

}  // namespace assay::ast
