// How the library reads the files that a rubric names: other rubrics, CSV tables, Lua hooks. The library itself opens
// no file; the host decides which files can be reached.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// `path` is what the rubric wrote, `from` the name of the importing file. Returns the text and sets `name`, which
// diagnostics and the file's own imports use; returns nothing if there is no such file.
using Importer =
    std::function<std::optional<std::string>(std::string_view path, std::string_view from, std::string& name)>;

}  // namespace assay
