// assay check: prints all diagnostics of every file to standard output; with --fix and --diff, applies the certain
// suggestions to the files.
#include "repl/files/output.hpp"
#include "repl/terminal/diagnostic_formats.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/test.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verbs/watch.hpp"

#include <assay/mend.hpp>
#include <assay/text.hpp>

#include <unistd.h>
#include <algorithm>

namespace assay::cli {
namespace {

// One run over all the files.
class Check {
 public:
  Check(const CheckOptions& options, Loading loading, Output output)
      : options_(options), loading_(std::move(loading)), output_(std::move(output)) {
    // Remembers what the rubrics import, for the places of edits.
    loading_.compile.importer = [this, host = loading_.compile.importer](std::string_view path, std::string_view from,
                                                                         std::string& name) {
      std::optional<std::string> text = host ? host(path, from, name) : std::nullopt;
      if (text) texts_[name] = *text;
      return text;
    };
  }

  int run() {
    for (const std::string& file : options_.files) {
      if (!one(file)) break;
      if (interrupted()) return kRefused;
    }
    if (options_.to == "json") output_.write(to_json(checked_));
    if (options_.to == "sarif") output_.write(to_sarif(checked_, texts_));
    if (options_.to == "github") output_.write_lines(to_github(checked_));
    return output_.finish(code_);
  }

 private:
  bool text() const { return options_.to.empty() || options_.to == "text"; }

  void refuse(const std::string& problem) {
    output_.flush();
    complain(problem);
    code_ = kRefused;
  }

  // False if nobody reads the output any more.
  bool one(const std::string& file) {
    std::string problem;
    const std::optional<std::string> source =
        read_rubric(file, loading_.roots, loading_.limits().source_bytes, problem);
    if (!source) {
      refuse(problem);
      return true;
    }
    const std::string label = file_label(file);
    texts_[label] = *source;
    MendLimits limits;
    limits.tables = !loading_.roots.empty();  // the caller has said which files the rubric may name
    if (!options_.fix && !options_.diff) {
      return show(label, compile_with_suggestions(label, *source, loading_.compile, limits), {});
    }
    if (options_.fix && file == "-") {
      refuse("--fix changes files, and standard input is none; --diff shows what it would change");
      return true;
    }
    Mended mended = mend(label, *source, loading_.compile, limits);
    if (interrupted()) return true;
    if (options_.diff) {
      for (const MendedFile& change : mended.files) {
        output_.write(shown_diff(unified_diff(change.name, change.before, change.after)));
        code_ = std::max(code_, kRejected);
      }
      if (has_errors(mended.compiled.diagnostics)) {
        output_.flush();
        say(mended.compiled.diagnostics);
        code_ = std::max(code_, kRejected);
      }
      return output_.flush();
    }
    const Replacing all_of_them;
    for (const MendedFile& change : mended.files) {
      std::optional<Output> out = Output::open(change.name, problem);
      if (!out) {
        refuse(problem);
        return true;
      }
      out->write(change.after);
      if (out->finish(kDone) != kDone) {
        code_ = kRefused;
        return true;
      }
      texts_[change.name] = change.after;
    }
    std::string what;
    if (mended.applied > 0) {
      what = counted(mended.applied, "suggestion") + " applied";
      for (const MendedFile& change : mended.files) {
        if (change.name != label) what += ", also to " + change.name;
      }
    }
    const std::string& now = texts_[label];
    return show(label, compile_with_suggestions(label, now, loading_.compile, limits), what);
  }

  // A failed example, for programs.
  static Diagnostic as_diagnostic(const ExampleResult& example) {
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "example";
    std::string message = "the example \"" + example.name + "\" fails";
    for (const Printable& difference : example.differences)
      message += (&difference == example.differences.data() ? ": " : "; ") + difference.str();
    d.message = message;
    d.at = example.at;
    return d;
  }

  // "2 errors", "more than 100 warnings"; empty: none. Those beyond a limit are one entry, without a code.
  static std::string counted_of(const std::vector<Diagnostic>& all, Severity severity) {
    std::size_t count = 0;
    bool more = false;
    for (const Diagnostic& d : all) {
      if (d.severity != severity) continue;
      if (d.code.empty()) more = true;
      else ++count;
    }
    if (count == 0) return {};
    return (more ? "more than " : "") + counted(count, severity == Severity::error ? "error" : "warning");
  }

  // How many of the problems --fix would correct, for those who did not ask for it.
  std::string fixable(const std::string& label, const std::vector<Diagnostic>& all) const {
    const auto certain = std::count_if(all.begin(), all.end(), [](const Diagnostic& d) {
      return !d.suggestions.empty() && d.suggestions.front().certain;
    });
    if (certain == 0 || options_.fix || label == "-") return {};
    return "; --fix corrects " + std::to_string(certain);
  }

  // Prints the diagnostics and the result.
  bool show(const std::string& label, Compiled compiled, const std::string& done) {
    if (const std::string records = records_instead(label, compiled.diagnostics, false); !records.empty())
      note(records);
    const std::vector<Diagnostic>& all = compiled.diagnostics;
    const std::string problems = counted_of(all, Severity::error), warnings = counted_of(all, Severity::warning);
    const bool errors = !problems.empty();
    // An example may expect what no proof excludes: then its failure is told here.
    TestCount count;
    std::vector<ExampleResult> failed;
    if (compiled.rubric && !errors) failed = failed_examples(*compiled.rubric, count, all);
    const bool strict = options_.strict && compiled.rubric && (!warnings.empty() || count.failed > 0);
    if (errors || strict) code_ = std::max(code_, kRejected);
    CheckedFile checked{label, !errors && !strict, "", "", {}};
    if (compiled.rubric) checked.rubric = compiled.rubric->name(), checked.version = compiled.rubric->version();
    if (text()) {
      const std::string name = printable(label), also = (done.empty() ? "" : ", " + done) + fixable(label, all);
      std::string found = count.failed > 0 ? counted(count.failed, "example") + " failed" : "";
      if (!warnings.empty()) found += (found.empty() ? "" : ", ") + warnings;
      const std::string behind = found.empty() ? "" : ", " + found;
      std::string result = "ok (no rubric)" + behind;
      if (errors) result = problems + (done.empty() ? "" : " left") + behind;
      else if (strict) result = found + ", and --strict allows none";
      else if (compiled.rubric)
        result = "ok (" + checked.rubric + (checked.version.empty() ? "" : " " + checked.version) + ")" + behind;
      output_.write(painted(render(compiled.diagnostics), STDOUT_FILENO) + shown(failed, STDOUT_FILENO));
      output_.write_lines(name + ": " + result + also + "\n");
    }
    checked.diagnostics = std::move(compiled.diagnostics);
    for (const ExampleResult& example : failed) checked.diagnostics.push_back(as_diagnostic(example));
    checked_.push_back(std::move(checked));
    return output_.flush();
  }

  const CheckOptions& options_;
  Loading loading_;
  Output output_;
  FileTexts texts_;
  std::vector<CheckedFile> checked_;
  int code_ = kDone;
};

}  // namespace

static int check_once(const CheckOptions& options, const Loading& loading) {
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  return Check(options, loading, std::move(*output)).run();
}

int check(const CheckOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  if (options.diff && !(options.to.empty() || options.to == "text"))
    return refuse("--diff writes a diff, and no --to " + options.to);
  const auto once = [&] { return check_once(options, *loading); };
  return options.watch ? watch(options.files, once) : once();
}

}  // namespace assay::cli
