// The parts of a record on which the value of an item depends.
#pragma once

#include "lang/model/model.hpp"

#include <set>

namespace assay {

struct Needs {
  std::set<int> slots;
  bool history = false;
};
// For `item` of model.rubrics[rubric], including everything that it uses.
Needs needs_of(const Model& model, int rubric, int item);
// The same for the body of a rule of that rubric.
Needs needs_of(const Model& model, int rubric, const Expr* body);

}  // namespace assay
