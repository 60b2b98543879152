// Results of checking besides the model, for questions about places in the text: the type of each expression, and the
// written record type behind a type. `check` fills this side table on request; neither the syntax tree nor the model
// refers to it.
#pragma once

#include "lang/syntax/ast.hpp"
#include "lang/text/place_map.hpp"
#include "lang/value/type.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

struct CheckNotes {
  struct Noted {
    TypeId type = kUnknown;
    bool optional = false;
  };
  // By place; for an expression that is checked several times (in a function), the last known type.
  PlaceMap<Noted> types;
  std::vector<std::pair<TypeId, const ast::Kind*>> records;  // the syntax tree owns the kinds

  static std::uint64_t key(Span at) {
    return (std::uint64_t{at.file} << 56) ^ (std::uint64_t{at.begin} << 28) ^ std::uint64_t{at.end};
  }
  void note(Span at, TypeId type, bool optional) {
    bool added = false;
    Noted& noted = types.at(key(at), added);
    if (type != kUnknown || noted.type == kUnknown) noted = {type, optional};
  }
  const Noted* find(Span at) const { return types.find(key(at)); }
};

}  // namespace assay
