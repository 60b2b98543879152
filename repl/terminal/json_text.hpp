// The little the command does with JSON text of its own: quoting a text, and walking over the members of an object the
// library wrote. Anything about records and verdicts is the library's business.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

std::string quoted(std::string_view text);

// {"error":{"path":…,"code":…,"message":…}}, in the place of a record that could not even be cut out of its file.
std::string error_object(const InputError& error);

// Names and JSON values of an object as the library writes it, in order; nothing for any other text.
std::vector<std::pair<std::string, std::string_view>> members(std::string_view object);

// The JSON values of a list as the library writes it, in order; nothing for any other text.
std::vector<std::string_view> items(std::string_view list);

}  // namespace assay::cli
