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

}  // namespace assay
