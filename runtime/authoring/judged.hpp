// Finds the inputs of a rubric that a judge supplies.
#pragma once

#include "runtime/rubric/rubric_impl.hpp"

#include <assay/authoring.hpp>

#include <string>
#include <vector>

namespace assay {

// A judged dimension or criterion, with its parent: it has no '=', or is computed from a numeric input of the same
// name.
struct Judged {
  const DimensionModel* dimension;
  const DimensionModel* around;  // null: none
  const Slot* slot;
};
std::vector<Judged> judged_dimensions(const Model& model, const RubricModel& rubric);

// The slots of `names`. Sets a problem if one of them is not an input, or is judged anyway.
std::vector<const Slot*> judged_too(const Model& model, const RubricModel& rubric, const JudgedToo& names,
                                    Printable& problem);

// Writes a number as JSON. False: it is not a decimal, and the text is rounded.
bool write_json_number(Number number, std::string& out);

}  // namespace assay
