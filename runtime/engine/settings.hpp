// Contexts and weights of a request → the weights of one evaluation, by the policy of the rubric.
#pragma once

#include "lang/model/model.hpp"
#include "runtime/json/json_tree.hpp"

#include <assay/assay.hpp>

#include <optional>
#include <vector>

namespace assay {

// `weights` receives one number per weight of the rubric, or stays empty if nothing is set.
std::optional<InputError> apply_settings(const RubricModel& rubric, const Settings& settings, NumberPool& pool,
                                         std::vector<Number>& weights);

// Reads the "context" and "weights" members of a request; either may be null.
std::optional<InputError> read_settings(const JsonNode* context, const JsonNode* weights, Settings& settings);

}  // namespace assay
