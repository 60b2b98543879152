// The table of native functions, and the comparison of a module's declared types with a row of it.
#include "runtime/library/library.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace library {
#define ASSAY_LIBRARY(name, signature) Value name(ExecutionContext& m, const Value* args);
#include "runtime/library/library.def"
#undef ASSAY_LIBRARY
}  // namespace library

namespace {

constexpr LibraryRow kRows[] = {
#define ASSAY_LIBRARY(name, signature) {#name, signature, library::name},
#include "runtime/library/library.def"
#undef ASSAY_LIBRARY
};

// The depth of the deepest row: no row has a deeper type.
constexpr int kMostShapeDepth = 4;

void write_shape(const TypeTable& types, TypeId id, bool optional, int depth, std::string& out) {
  const Type& type = types[id];
  if (depth > kMostShapeDepth) {
    out += "…";
    return;
  }
  switch (type.kind) {
    case TypeKind::number: out += "number"; break;
    case TypeKind::boolean: out += "bool"; break;
    case TypeKind::text: out += "text"; break;
    case TypeKind::any: out += "any"; break;
    case TypeKind::list:
      out += "[";
      write_shape(types, type.element, false, depth + 1, out);
      out += "]";
      break;
    case TypeKind::record:
      out += "{";
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        out += (i ? ", " : "") + type.fields[i].name + " ";
        write_shape(types, type.fields[i].type, type.fields[i].presence == Presence::optional, depth + 1, out);
      }
      out += "}";
      break;
    default: out += "…"; break;
  }
  if (optional) out += "?";
}

}  // namespace

const LibraryRow* find_library_function(std::string_view name) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const LibraryRow& r) { return r.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

std::string library_signature(const TypeTable& types, const HookModel& hook) {
  std::string out;
  for (const Field& param : hook.params) {
    write_shape(types, param.type, param.presence == Presence::optional, 0, out);
    out += " ";
  }
  out += "-> ";
  write_shape(types, hook.result, hook.result_optional, 0, out);
  return out;
}

}  // namespace assay
