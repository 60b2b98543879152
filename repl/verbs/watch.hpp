// Running a verb again whenever one of its files changes.
#pragma once

#include "repl/files/record_stream.hpp"

#include <functional>
#include <string>
#include <vector>

namespace assay::cli {

// Runs `run` now and after each change of a file, or of one that these import, until Ctrl-C or --timeout. A file that is
// changed several times at once is looked at when it is quiet. The exit code is that of the last run.
int watch(const std::vector<std::string>& files, const std::function<int()>& run);

}  // namespace assay::cli
