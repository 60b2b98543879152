// How the library reads what a rubric file names: other rubric files, CSV tables, Lua hooks. The library itself opens
// no file; the host decides what is reachable.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// `path` as the rubric wrote it, `from` the name of the file that holds it. Returns the text and sets `name` to how the
// file is to be called in diagnostics (and as `from` of its own imports); nothing when there is no such file.
using Importer =
    std::function<std::optional<std::string>(std::string_view path, std::string_view from, std::string& name)>;

}  // namespace assay
