// The prefix with which a module of the standard library names its C++ functions, in place of a file: from
// "std:rouge_l".
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kLibraryPrefix = "std:";

inline bool is_library_path(std::string_view path) { return path.substr(0, kLibraryPrefix.size()) == kLibraryPrefix; }

}  // namespace assay
