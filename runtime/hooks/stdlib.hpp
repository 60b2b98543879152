// The modules of the standard library, embedded when the library is built (stdlib/embed.cmake writes the
// implementation): the library opens no file. A module is called by its file name: "agreement.rubric".
#pragma once

#include <string_view>
#include <vector>

namespace assay {

// The text of a module; empty when there is none of that name.
std::string_view stdlib_module(std::string_view name);

// The names of all modules, sorted.
std::vector<std::string_view> stdlib_names();

}  // namespace assay
