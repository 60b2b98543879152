// assay lsp: the language server over standard input and output.
#pragma once

#include "repl/files/record_stream.hpp"

#include <nlohmann/json.hpp>

namespace assay::cli {

inline constexpr const char* kChooseExample = "assay.chooseExample";  // arguments: URI, name of an example
inline constexpr const char* kVerdict = "assay.verdict";              // arguments: URI, which record (docs/lsp.md)
inline constexpr const char* kApplyRewrite = "assay.applyRewrite";    // arguments: what actions() put there

int lsp(const LoadOptions& options);

nlohmann::json token_legend();

}  // namespace assay::cli
