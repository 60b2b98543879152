// The parts of a verdict that make a readable row: the id, the status, the score and its bands, each dimension, the
// flags. A rubric without a score shows its plain outputs instead. Dots reach into the verdict:
// "dimensions.safety.score".
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// The columns of a table of verdicts, for a run with or without a second pass.
std::vector<std::string> verdict_columns(const Rubric& rubric, bool second_pass = false);

// The rubric's own values that fit a cell: bands and outputs.
std::vector<std::string> plain_outputs(const Rubric& rubric);
// The bands among the fields: "grade", but not "grade_label" and similar ones.
std::vector<std::string> band_fields(const Rubric& rubric);
bool has_field(const Rubric& rubric, std::string_view name);

// The heading of "dimensions.safety.score" is "safety".
std::string heading(std::string_view field);
// The keys of a verdict that contain these columns, each once.
std::vector<std::string> keys_of(const std::vector<std::string>& fields);

// The error of asking a run without a second pass for fields that only a second pass computes; empty: none.
std::string one_pass_message(const Rubric& rubric, const std::vector<std::string>& keys);

// The error of a name that reaches into a field that is not a record; empty: none.
std::string reach_message(const Rubric& rubric, const std::vector<std::string>& fields);

// The library's error about --fields, with the field that was probably meant.
std::string fields_message(const Rubric& rubric, const std::vector<std::string>& keys, const InputError& error);

// Splits "id,score, grade" at its commas.
std::vector<std::string> split_fields(std::string_view list);

}  // namespace assay::cli
