// assay test: runs the examples in rubrics and shows where a verdict differs from the expectation; lists what the
// examples do not exercise; and, if asked, updates the expectations.
#include "repl/verbs/test.hpp"

#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verbs/watch.hpp"

#include <unistd.h>
#include <algorithm>
#include <climits>
#include <map>

namespace assay::cli {

std::vector<ExampleResult> failed_examples(const Rubric& rubric, TestCount& count,
                                           const std::vector<Diagnostic>& told) {
  const std::vector<ExampleResult> all = rubric.test(interrupt());
  std::vector<ExampleResult> failed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ExampleResult& example = all[i];
    ++count.examples;
    const int end = i + 1 < all.size() && all[i + 1].at.file == example.at.file ? all[i + 1].at.line : INT_MAX;
    const bool doubted = std::any_of(told.begin(), told.end(), [&](const Diagnostic& d) {
      return d.code >= "W0724" && d.code <= "W0728" && d.at.file == example.at.file && d.at.line >= example.at.line &&
             (d.at.line < end || end == example.at.line);
    });
    if (!example.passed && !doubted) failed.push_back(example);
  }
  count.failed += failed.size();
  return failed;
}

std::string shown(const std::vector<ExampleResult>& failed, int colour_fd) {
  const bool colour = wants_colour(colour_fd);
  std::string text;
  for (const ExampleResult& example : failed) {
    text += printable(example.at.file) + ":" + std::to_string(example.at.line) + ": ";
    text += (colour ? "\033[1;31mfailed\033[0m: \"" : "failed: \"") + printable(example.name) + "\"\n";
    for (const std::string& difference : example.differences) text += "  " + printable(difference) + "\n";
  }
  return text;
}

std::string summary(const TestCount& count) {
  return counted(count.examples, "example") + ", " + std::to_string(count.failed) + " failed\n";
}

namespace {

std::string percent(std::size_t part, std::size_t whole) {  // with one decimal, rounded down: 100 means all
  const std::size_t tenths = whole == 0 ? 1000 : part * 1000 / whole;
  return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "") + "%";
}

}  // namespace

void coverage_text(const std::string& file, const Coverage& coverage, std::string& out) {
  std::size_t unmeasured = 0;
  for (const CoveragePoint& point : coverage.points) {
    unmeasured += point.measured ? 0 : 1;
    if (!point.measured || point.exercised) continue;
    out +=
        printable(point.at.file) + ":" + std::to_string(point.at.line) + ": not exercised: " + point.what.str() + "\n";
  }
  out += printable(file) + ": " + std::to_string(coverage.exercised) + " of " + std::to_string(coverage.measured) +
         " exercised (" + percent(coverage.exercised, coverage.measured) + ")" +
         (unmeasured > 0 ? ", " + std::to_string(unmeasured) + " not measured" : "") + "\n";
}

namespace {

struct Tested {
  std::string file, rubric;  // no name: the file could not be read or has errors
  std::vector<ExampleResult> examples;
  Coverage coverage;
};

std::string json(std::string_view text) {
  std::string out;
  write_json_text(text, out);
  return out;
}

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string as_json(const std::vector<Tested>& all, const TestCount& count, bool covered) {
  std::string out = "{\"examples\":" + std::to_string(count.examples) + ",\"failed\":" + std::to_string(count.failed) +
                    ",\"rubrics\":[";
  for (const Tested& one : all) {
    if (&one != all.data()) out += ',';
    out += "{\"file\":" + json(one.file) + ",\"rubric\":" + json(one.rubric) + ",\"examples\":[";
    for (const ExampleResult& example : one.examples) {
      if (&example != one.examples.data()) out += ',';
      out += "{\"name\":" + json(example.name) + ",\"line\":" + std::to_string(example.at.line) +
             ",\"passed\":" + (example.passed ? "true" : "false") + ",\"differences\":[";
      for (const Printable& difference : example.differences)
        out += (&difference != example.differences.data() ? "," : "") + json(difference);
      out += "]}";
    }
    out += ']';
    if (covered) {
      out += ",\"coverage\":{\"measured\":" + std::to_string(one.coverage.measured) +
             ",\"exercised\":" + std::to_string(one.coverage.exercised) + ",\"points\":[";
      for (const CoveragePoint& point : one.coverage.points) {
        if (&point != one.coverage.points.data()) out += ',';
        out += std::string("{\"kind\":\"") + name_of(point.kind) + "\",\"what\":" + json(point.what) +
               ",\"file\":" + json(point.at.file) + ",\"line\":" + std::to_string(point.at.line) +
               ",\"measured\":" + (point.measured ? "true" : "false") +
               ",\"exercised\":" + (point.exercised ? "true" : "false") + "}";
      }
      out += "]}";
    }
    out += '}';
  }
  return out + "]}\n";
}

std::string as_junit(const std::vector<Tested>& all, const TestCount& count) {
  const auto errors = std::count_if(all.begin(), all.end(), [](const Tested& one) { return one.rubric.empty(); });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"" +
                    std::to_string(count.examples + static_cast<std::size_t>(errors)) + "\" failures=\"" +
                    std::to_string(count.failed) + "\"" +
                    (errors > 0 ? " errors=\"" + std::to_string(errors) + "\"" : "") + ">\n";
  for (const Tested& one : all) {
    if (one.rubric.empty()) {  // readers of this format know no other place for what a test never reached
      const std::string file = xml(one.file);
      out += "  <testsuite name=\"" + file + "\" file=\"" + file +
             "\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase name=\"the rubric\" classname=\"" + file +
             "\" file=\"" + file + "\">\n      <error message=\"it cannot be read or has errors: 'assay check " + file +
             "' tells them\"/>\n    </testcase>\n  </testsuite>\n";
      continue;
    }
    const auto failed =
        std::count_if(one.examples.begin(), one.examples.end(), [](const auto& e) { return !e.passed; });
    out += "  <testsuite name=\"" + xml(one.rubric) + "\" file=\"" + xml(one.file) + "\" tests=\"" +
           std::to_string(one.examples.size()) + "\" failures=\"" + std::to_string(failed) + "\">\n";
    for (const ExampleResult& example : one.examples) {
      out += "    <testcase name=\"" + xml(example.name) + "\" classname=\"" + xml(one.rubric) + "\" file=\"" +
             xml(example.at.file) + "\" line=\"" + std::to_string(example.at.line) + "\"";
      if (example.passed) {
        out += "/>\n";
        continue;
      }
      std::string differences;
      for (const Printable& difference : example.differences)
        differences += (differences.empty() ? "" : "\n") + difference.str();
      out += ">\n      <failure message=\"" + xml(differences) + "\"/>\n    </testcase>\n";
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

// Updates the expectations of a file's examples. False (and `problem`) if it cannot be written.
bool update_file(const std::string& file, const std::vector<ExampleResult>& examples, const Loading& loading,
                 std::size_t& updated, std::string& problem) {
  std::vector<Edit> edits;
  for (const ExampleResult& example : examples) {
    if (example.update.empty()) continue;
    ++updated;
    for (const Edit& edit : example.update) {
      if (edit.file == file) edits.push_back(edit);
    }
  }
  if (edits.empty()) return true;
  std::optional<std::string> text = read_rubric(file, loading.roots, loading.limits().source_bytes, problem);
  if (!text) return false;
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  for (const Edit& edit : edits) text->replace(edit.begin, edit.end - edit.begin, edit.text);
  std::optional<Output> output = Output::open(file, problem);
  if (!output) return false;
  output->write(*text);
  return output->finish(kDone) == kDone;
}

int test_once(const TestOptions& options, const Loading& loading) {
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  bool refused = false;
  std::string below;  // what covers too little
  std::vector<std::string> unread;
  std::vector<Tested> all;
  TestCount count;
  const bool text = options.to.empty() || options.to == "text";
  const bool covered = options.coverage || options.threshold >= 0;
  for (const std::string& file : options.files) {
    output->flush();
    std::optional<Rubric> rubric = load_rubric(file, loading, false);
    if (interrupted()) return kRefused;
    if (!rubric) {
      refused = true;
      unread.push_back(file_label(file));
      continue;
    }
    if (options.update) {
      std::size_t updated = 0;
      const std::vector<ExampleResult> before = rubric->test(interrupt());
      if (interrupted()) return kRefused;
      if (file == "-") return refuse("--update: standard input cannot be updated");
      if (!update_file(file, before, loading, updated, problem)) {
        if (!problem.empty()) complain(problem);
        return kRefused;
      }
      if (updated > 0) {
        if (text) output->write_lines(file + ": updated " + counted(updated, "example") + "\n");
        rubric = load_rubric(file, loading, false);
        if (!rubric) return kRefused;
      }
    }
    Tested one{file_label(file), rubric->name(), {}, {}};
    std::string report;
    if (text) {
      report = shown(failed_examples(*rubric, count), STDOUT_FILENO);
    } else {
      one.examples = rubric->test(interrupt());
      count.examples += one.examples.size();
      for (const ExampleResult& example : one.examples) count.failed += example.passed ? 0 : 1;
    }
    if (covered) {
      one.coverage = example_coverage(*rubric, interrupt());
      if (text) coverage_text(one.file, one.coverage, report);
      if (static_cast<double>(one.coverage.exercised) * 100 <
          options.threshold * static_cast<double>(one.coverage.measured))
        below += (below.empty() ? "" : ", ") + percent(one.coverage.exercised, one.coverage.measured) + " of " +
                 printable(one.file);
    }
    if (interrupted()) return kRefused;
    output->write(report);
    all.push_back(std::move(one));
  }
  if (options.to == "json") output->write(as_json(all, count, covered));
  if (options.to == "junit") {
    for (const std::string& file : unread) all.push_back({file, {}, {}, {}});
    output->write(as_junit(all, count));
  }
  if (text && !all.empty()) output->write(summary(count));
  if (!below.empty()) {
    output->flush();
    complain("the examples exercise less than --threshold asks for: " + below);
  }
  return output->finish(refused ? kRefused : count.failed > 0 || !below.empty() ? kRejected : kDone);
}

}  // namespace

int test(const TestOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const auto once = [&] { return test_once(options, *loading); };
  return options.watch ? watch(options.files, once) : once();
}

}  // namespace assay::cli
