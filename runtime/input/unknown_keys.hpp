// Keys of a record that its rubric does not name. By default they are ignored, because records serve other programs,
// too; but that also hides a misspelled key, so that the input silently takes its default. This file describes such
// keys, for strict reading (runtime/input/inputs.hpp, runtime/input/csv.hpp), which rejects them, and for
// Rubric::unknown_keys and unknown_columns, which report them.
#pragma once

#include "lang/model/model.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct RecordPlan;

// The error of a key in the object at the path `object` (empty: the record itself). `near`: the key there that was
// probably meant; empty: none.
InputError unknown_key(const std::string& object, std::string_view key, std::string_view near);

// What to say of a record that holds nothing that its rubric names, but `stranger`, where several inputs are required.
// Empty: the one that is required says enough.
std::string none_named(const RecordPlan& plan, std::string_view stranger);

// See Rubric::unknown_keys and Rubric::unknown_columns. Returns at most `most`.
std::vector<UnknownKey> unknown_keys(const Model& model, int rubric, std::string_view record, std::size_t most);
std::vector<UnknownKey> unknown_columns(const Model& model, int rubric, const std::vector<std::string>& names,
                                        std::size_t most);

}  // namespace assay
