// The modules of the standard library, embedded at build time (stdlib/embed.cmake generates the implementation),
// because the library opens no file. A module is named like its file: "agreement.rubric".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The text of a module; empty if there is no such module.
std::string_view stdlib_module(std::string_view name);

// The names of all modules, sorted.
std::vector<std::string_view> stdlib_names();

// Paths of modules ("std/agreement.rubric") that a path may stand for which names no file: nearest first.
std::vector<std::string> stdlib_paths_like(std::string_view path);

}  // namespace assay
