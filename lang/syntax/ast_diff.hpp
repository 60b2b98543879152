// The differences between two rubric files, declaration by declaration. Declarations are matched by kind and name
// within their parent, parts by their role, and both are compared by the lines of the text form: layout, comments and
// the spelling of numbers do not matter. One mechanism handles all kinds; the effect of a kind is in its row of
// lang/syntax/declarations.def.
#pragma once

#include "lang/syntax/ast.hpp"

#include <string>
#include <vector>

namespace assay::ast {

struct Difference {
  enum class Kind { changed, added, removed, renamed, moved } kind = Kind::changed;
  Decides decides = Decides::scores;
  std::string what;           // "dimension correctness", "bands grade, row \"A\""
  std::string part;           // the changed part: "weight"; empty: the whole declaration, or it is obvious
  std::string before, after;  // as written, on one line; empty: absent
  Span was, is;               // begin == end == 0: absent
};

struct Compared {
  const File& file;
  const Sources& sources;
};

// In the order of the file `after`.
std::vector<Difference> differences(const Compared& before, const Compared& after, Budget& budget);

// What a declaration replaces in an extended rubric: "value score", "scale"; empty: it is added.
std::string merge_key(const Item& item);

}  // namespace assay::ast
