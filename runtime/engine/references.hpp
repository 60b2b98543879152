// What an expression of a rubric reads: inputs, named values and weights, including through functions and hidden items
// that the checker made.
#pragma once

#include "lang/model/model.hpp"

#include <functional>
#include <vector>

namespace assay {

struct References {
  std::vector<int> slots, items, weights;  // each once, in the order of the text
};

// For the expression `body` in that rubric; `self`: an item to leave out; -1: none.
References references_of(const Model& model, int rubric, const Expr* body, int self = -1);

// Only what an evaluation used. `reached(item, e, side)`: whether the choice `e` in that item took its first (1) or
// second side (0); whether a round of the loop `e` passed its conditions (1).
using Reached = std::function<bool(int item, const Expr& e, int side)>;
References references_asked(const Model& model, int rubric, const Expr* body, int self, const Reached& reached);

}  // namespace assay
