// Finds the inputs of a rubric that a judge supplies.
#pragma once

#include "lang/syntax/ast.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <assay/authoring.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay {

using ast::Provenance;

// A judged dimension or criterion, with the one around it: one whose input is declared 'judged'; without such a word, one
// without '=', or computed from an input of its own name that is a number.
struct Judged {
  const DimensionModel* dimension;
  const DimensionModel* around;  // null: none
  const Slot* slot;
};
std::vector<Judged> judged_dimensions(const Rubric::Impl& impl);

// What the declarations of inputs say of who fills them in, slot by slot; nothing of the id, which nobody judges.
std::vector<Provenance> provenances(const Rubric::Impl& impl);

// What is judged beside dimensions: the slots that are declared so (of them only those in `only`; empty: all), and those of
// `names`. A problem when one of these is no input.
std::vector<const Slot*> judged_too(const Rubric::Impl& impl, const JudgedToo& names,
                                    const std::vector<std::string>& only, Printable& problem);

// The dimension or criterion with the name of an input; null: none.
const DimensionModel* dimension_of(const RubricModel& rubric, const Slot& slot);
// What the rubric says of an input: its prose, or that of its dimension.
const std::string& prose_of(const RubricModel& rubric, const Slot& slot);
// The rubric whose input record a type is, field by slot; null: it is no such record.
const RubricModel* rubric_of(const Model& model, const Type& type);

// What a record without these slots does not tell: whether the condition of a 'required when' holds. Then a judge, who
// supplies only these, has to supply the value in any case.
bool required_of_judge(const Rubric::Impl& impl, const RequiredWhen& one, const std::vector<const Slot*>& given);
// The rules of the rubric that concern one of the slots, as sentences in Markdown.
std::vector<std::string> rules_of_judge(const Rubric::Impl& impl, const std::vector<const Slot*>& given);

// Writes a number as JSON. False: it is not a decimal, and the text is rounded.
bool write_json_number(Number number, std::string& out);

}  // namespace assay
