// The little JSON that the command handles itself: quoting a text, and iterating over an object that the library wrote.
// Everything about records and verdicts is left to the library.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

std::string quoted(std::string_view text);

// {"error":{"path":…,"code":…,"message":…}}, for a record that could not be cut out of its file.
std::string error_object(const InputError& error);

// The names and JSON values of an object written by the library, in order; nothing for any other text.
std::vector<std::pair<std::string, std::string_view>> members(std::string_view object);

// The JSON values of a list written by the library, in order; nothing for any other text.
std::vector<std::string_view> items(std::string_view list);

}  // namespace assay::cli
