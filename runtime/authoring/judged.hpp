// Which inputs of a rubric a judge gives.
#pragma once

#include "runtime/rubric/rubric_impl.hpp"

#include <assay/authoring.hpp>

#include <string>
#include <vector>

namespace assay {

// A judged dimension or criterion, with the one around it: without '=', or computed from an input of its own name that is a
// number.
struct Judged {
  const DimensionModel* dimension;
  const DimensionModel* around;  // null: none
  const Slot* slot;
};
std::vector<Judged> judged_dimensions(const Model& model, const RubricModel& rubric);

// The slots of `names`. A problem when one of them is no input, or is judged anyway.
std::vector<const Slot*> judged_too(const Model& model, const RubricModel& rubric, const JudgedToo& names,
                                    Printable& problem);

// Writes a number as JSON. False when it is no decimal, and what is written is rounded.
bool write_json_number(Number number, std::string& out);

}  // namespace assay
