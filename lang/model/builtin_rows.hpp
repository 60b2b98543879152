// The built-in functions for the checker: a row of lang/model/builtins.def each.
#pragma once

#include "lang/model/model.hpp"

#include <string_view>

namespace assay {

struct BuiltinRow {
  std::string_view name;
  Builtin id;
  std::string_view group;
  std::string_view signature, parameters, result;
  std::string_view doc, example;
};
inline constexpr BuiltinRow kBuiltinRows[] = {
#define ASSAY_BUILTIN(id, name, group, signature, parameters, result, doc, example) \
  {name, Builtin::id, #group, signature, parameters, result, doc, example},
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

inline const BuiltinRow* find_builtin(std::string_view name) {
  for (const BuiltinRow& row : kBuiltinRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace assay
