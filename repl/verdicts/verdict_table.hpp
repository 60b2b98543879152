// The columns of verdicts that somebody names (--fields), and what is wrong with them.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// What is wrong when a run without a second pass is asked for what only that computes; empty: nothing.
std::string one_pass_message(const Rubric& rubric, const std::vector<std::string>& keys);

// What is wrong with a name that reaches into a field which is no record, or has no such part; empty: nothing.
std::string reach_message(const Rubric& rubric, const std::vector<std::string>& fields);

// What is wrong with --fields, as the library says it, with the field that was probably meant.
std::string fields_message(const Rubric& rubric, const std::vector<std::string>& keys, const InputError& error);

// Cuts "id,score, grade" at its commas.
std::vector<std::string> split_fields(std::string_view list);

}  // namespace assay::cli
