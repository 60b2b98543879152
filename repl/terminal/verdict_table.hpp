// Which parts of a verdict make a readable row: who, how it stands, the score and its bands, each dimension, the flags.
// A rubric without a score shows its plain outputs instead. Dots reach into the verdict: "dimensions.safety.score".
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// The columns of a table of verdicts, of a run with a second pass or of one without.
std::vector<std::string> verdict_columns(const Rubric& rubric, bool second_pass = false);

// The rubric's own values that fit into a cell: bands and outputs.
std::vector<std::string> plain_outputs(const Rubric& rubric);
// The bands among the fields: "grade", without "grade_label" and its like.
std::vector<std::string> band_fields(const Rubric& rubric);
bool has_field(const Rubric& rubric, std::string_view name);

// "dimensions.safety.score" is headed "safety".
std::string heading(std::string_view field);
// The keys of a verdict that hold these columns, each once.
std::vector<std::string> keys_of(const std::vector<std::string>& fields);

// What is wrong when a run without a second pass is asked for what only that computes; empty: nothing.
std::string one_pass_message(const Rubric& rubric, const std::vector<std::string>& keys);

// What is wrong with a name that reaches into a field which is no record; empty: nothing.
std::string reach_message(const Rubric& rubric, const std::vector<std::string>& fields);

// What is wrong with --fields, as the library says it, with the field that was probably meant.
std::string fields_message(const Rubric& rubric, const std::vector<std::string>& keys, const InputError& error);

// Cuts "id,score, grade" at its commas.
std::vector<std::string> split_fields(std::string_view list);

}  // namespace assay::cli
