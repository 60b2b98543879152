// assay test: runs the examples that live in rubrics and shows where a verdict differs from what the author expected.
#include "repl/verbs/test.hpp"

#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <unistd.h>

namespace assay::cli {

void run_examples(const Rubric& rubric, int colour_fd, std::string& text, TestCount& count) {
  const bool colour = wants_colour(colour_fd);
  for (const ExampleResult& example : rubric.test(interrupt())) {
    ++count.examples;
    if (example.passed) continue;
    ++count.failed;
    text += printable(example.at.file) + ":" + std::to_string(example.at.line) + ": ";
    text += (colour ? "\033[1;31mfailed\033[0m: \"" : "failed: \"") + printable(example.name) + "\"\n";
    for (const std::string& difference : example.differences) text += "  " + printable(difference) + "\n";
  }
}

std::string summary(const TestCount& count) {
  return counted(count.examples, "example") + ", " + std::to_string(count.failed) + " failed\n";
}

int test(const TestOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  bool refused = false;
  bool any = false;
  TestCount count;
  for (const std::string& file : options.files) {
    output->flush();
    const std::optional<Rubric> rubric = load_rubric(file, *loading);
    if (interrupted()) return kRefused;
    if (!rubric) {
      refused = true;
      continue;
    }
    any = true;
    std::string text;
    run_examples(*rubric, STDOUT_FILENO, text, count);
    if (interrupted()) return kRefused;
    output->write(text);
  }
  if (any) output->write(summary(count));
  return output->finish(refused ? kRefused : count.failed > 0 ? kRejected : kDone);
}

}  // namespace assay::cli
