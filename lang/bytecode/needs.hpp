// What of a record the value of an item depends on.
#pragma once

#include "lang/model/model.hpp"

#include <set>

namespace assay {

struct Needs {
  std::set<int> slots;
  bool history = false;
};
// `item` of model.rubrics[rubric], with everything that it uses.
Needs needs_of(const Model& model, int rubric, int item);

}  // namespace assay
