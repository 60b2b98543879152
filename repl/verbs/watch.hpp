// Runs a verb again whenever one of its files changes.
#pragma once

#include "repl/files/record_stream.hpp"

#include <functional>
#include <string>
#include <vector>

namespace assay::cli {

// Calls `run` now and after each change of a file or its imports, until Ctrl-C or --timeout. Waits until a file that
// changes several times is quiet. Returns the exit code of the last run.
int watch(const std::vector<std::string>& files, const std::function<int()>& run);

}  // namespace assay::cli
