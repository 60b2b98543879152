// assay check: every diagnostic of every file, to standard output, for it is what was asked for.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verbs/watch.hpp"

#include <unistd.h>
#include <algorithm>

namespace assay::cli {

static int check_once(const CheckOptions& options, const std::optional<Loading>& loading) {
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  int code = kDone;
  for (const std::string& file : options.files) {
    const std::optional<Compiled> compiled = compile_file(file, problem, *loading);
    if (interrupted()) return kRefused;
    if (!compiled) {
      output->flush();
      complain(problem);
      code = kRefused;
      continue;
    }
    const std::size_t warnings = compiled->diagnostics.size();  // all of them, when there is a rubric
    const std::string label = printable(file_label(file));
    output->write(painted(render(compiled->diagnostics), STDOUT_FILENO));
    if (!compiled->rubric && !has_errors(compiled->diagnostics)) {
      output->write_lines(label + ": ok (no rubric)\n");
    } else if (!compiled->rubric) {
      code = std::max(code, kRejected);
    } else if (options.strict && warnings > 0) {
      output->write_lines(label + ": " + counted(warnings, "warning") + ", and --strict allows none\n");
      code = std::max(code, kRejected);
    } else {
      const Rubric& rubric = *compiled->rubric;
      output->write_lines(label + ": ok (" + rubric.name() + (rubric.version().empty() ? "" : " " + rubric.version()) +
                          ")" + (warnings > 0 ? ", " + counted(warnings, "warning") : "") + "\n");
    }
    if (!output->flush()) break;
  }
  return output->finish(code);
}

int check(const CheckOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const auto once = [&] { return check_once(options, loading); };
  return options.watch ? watch(options.files, once) : once();
}

}  // namespace assay::cli
