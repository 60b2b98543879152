// assay fmt: formats rubrics in place, or tells which are not formatted. A file with syntax errors stays as it is.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <assay/format.hpp>
#include <assay/text.hpp>

#include <algorithm>

namespace assay::cli {
namespace {

bool is_standard_input(const std::string& file) { return file == "-"; }

// The formatted text, or nothing after reporting an error.
std::optional<std::string> formatted(const std::string& file, const std::string& text, const Loading& loading) {
  const Formatted result = format_rubric(file_label(file), text, {loading.limits(), interrupt()});
  if (const std::string records = records_instead(file, result.diagnostics, false); !records.empty() && !result.text) {
    complain(records);
    return std::nullopt;
  }
  if (!result.problem.empty()) complain(printable(file_label(file)) + ": " + result.problem.str());
  say(result.diagnostics);
  return result.text;
}

// Replaces the file. False after reporting an error.
bool replace(const std::string& file, const std::string& text) {
  std::string problem;
  std::optional<Output> output = Output::open(file, problem);
  if (!output) {
    complain(problem);
    return false;
  }
  output->write(text);
  return output->finish(kDone) == kDone;
}

}  // namespace

int fmt(const FmtOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  int code = kDone;
  for (const std::string& file : options.files) {
    const std::optional<std::string> text = read_rubric(file, loading->roots, loading->limits().source_bytes, problem);
    if (!text) {
      output->flush();
      complain(problem);
      code = kRefused;
      continue;
    }
    const std::optional<std::string> result = formatted(file, *text, *loading);
    if (interrupted()) return kRefused;
    if (!result) {
      code = kRefused;
      continue;
    }
    const bool changed = *result != *text;
    if (options.diff) output->write(shown_diff(unified_diff(file_label(file), *text, *result)));
    if (options.check && !options.diff && changed) output->write_lines(printable(file_label(file)) + "\n");
    if (options.check && changed) code = std::max(code, kRejected);
    if (!options.check && !options.diff) {
      if (is_standard_input(file)) {
        output->write(*result);
      } else if (changed && !replace(file, *result)) {
        code = kRefused;
      }
    }
    if (!output->flush()) break;
  }
  return output->finish(code);
}

}  // namespace assay::cli
