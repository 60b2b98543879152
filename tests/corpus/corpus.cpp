// Runs the corpus: rubrics with the expected output of each stage, tests/corpus/**/*.case. Usage: assay-corpus FILE…
// [--update]
//
//   === the weights add up to 95%
//   rubric …                       the source
//   --- file other.rubric          a file for an import, a CSV table or a Lua hook
//   --- limits                     NAME=N per line, for the compilation; cancelled: as if the host had cancelled it
//   --- diagnostics                as `assay check` shows them; default: none
//   --- model                      also ast, bytecode: as `assay show` shows them
//   --- inputs                     one record per line …
//   --- verdict score grade        … and the result of each: these fields, or all if none is named
//   --- explanation                the explanation of each record
//   --- requests                   one protocol request per line …
//   --- answers                    … and its answer
//   --- examples                   the differences that the `example` blocks find; default: none
//
// --update replaces the results of a case by the actual ones: read the diff before you commit it.
#include "tests/case_file.hpp"

#include <assay/assay.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

constexpr std::string_view kVerdict = "verdict";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string verdicts(const assay::Rubric& rubric, std::vector<std::string> fields, const std::string& inputs) {
  assay::EvaluatorOptions options;
  options.fields = std::move(fields);
  assay::Evaluator evaluator(rubric, options);
  if (const auto* problem = evaluator.error()) return problem->path + ": " + problem->message + "\n";
  std::string out;
  for (const auto& line : lines_of(inputs)) out.append(evaluator.score(line).json()).append("\n");
  return out;
}

std::string explanations(const assay::Rubric& rubric, const std::string& inputs) {
  assay::Evaluator evaluator(rubric);
  std::string out;
  for (const auto& line : lines_of(inputs)) out += evaluator.explain(line);
  return out;
}

std::string answers(const assay::Rubric& rubric, const std::string& requests) {
  assay::Evaluator evaluator(rubric);
  std::string out;
  for (const auto& line : lines_of(requests)) out.append(evaluator.eval(line)).append("\n");
  return out;
}

std::string examples(const assay::Rubric& rubric) {
  std::string out;
  for (const auto& example : rubric.test()) {
    if (example.passed) continue;
    out.append(example.name).append("\n");
    for (const auto& difference : example.differences) out.append("  ").append(difference).append("\n");
  }
  return out;
}

// The expected sections of a case, in its order, with diagnostics and examples even if the case has no such section.
std::vector<Section> run(const Case& test) {
  assay::CompileOptions options;
  options.importer = [&test](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    const Section* file = test.find("file " + std::string(path));
    if (!file) return std::nullopt;
    name = path;
    return file->text;
  };
  assay::Interrupt interrupt;
  options.interrupt = &interrupt;
  for (const auto& line : lines_of(test.text("limits"))) {
    const auto equals = line.find('=');
    const auto* limit = assay::find_limit(line.substr(0, equals));
    if (limit && equals != line.npos) limit->set(options.limits, std::stoull(line.substr(equals + 1)));
    if (line == "cancelled") interrupt.cancel();
  }
  const auto compiled = assay::compile("case.rubric", test.text(""), options);
  std::vector<Section> results{{"diagnostics", assay::render(compiled.diagnostics)}};
  if (compiled.rubric) results.push_back({"examples", examples(*compiled.rubric)});

  for (const auto& section : test.sections) {
    const auto words = words_of(section.name);
    if (words.empty() || words[0] == "file" || words[0] == "inputs" || words[0] == "requests" || words[0] == "limits" ||
        words[0] == "diagnostics" || words[0] == "examples") {
      continue;
    }
    std::string text = "(does not compile)\n";
    if (compiled.rubric) {
      const auto& rubric = *compiled.rubric;
      if (words[0] == "ast") {
        text = rubric.show(assay::View::ast);
      } else if (words[0] == "model") {
        text = rubric.show(assay::View::model);
      } else if (words[0] == "bytecode") {
        text = rubric.show(assay::View::bytecode);
      } else if (words[0] == kVerdict) {
        text = verdicts(rubric, {words.begin() + 1, words.end()}, test.text("inputs"));
      } else if (words[0] == "explanation") {
        text = explanations(rubric, test.text("inputs"));
      } else if (words[0] == "answers") {
        text = answers(rubric, test.text("requests"));
      } else {
        text = "(no such section: " + words[0] + ")\n";
      }
    }
    results.push_back({section.name, text});
  }
  return results;
}

// Returns the number of failed cases.
int run_file(const fs::path& path, bool update) {
  CaseFile file = read_cases(path);
  if (file.cases.empty()) {
    std::printf("%s: no cases\n", path.c_str());
    return 1;
  }
  int failures = 0;
  for (auto& test : file.cases) {
    bool failed = false;
    for (auto& result : run(test)) {
      const std::string expected = test.text(result.name);
      if (expected == result.text) continue;
      if (update) {
        test.set(result.name, std::move(result.text));
        continue;
      }
      if (!failed) std::printf("%s:%d: %s\n", path.c_str(), test.line, test.title.c_str());
      failed = true;
      print_difference(result.name, expected, result.text);
    }
    if (failed) ++failures;
  }
  if (update) write_cases(path, file);
  std::printf("%s: %zu cases, %d failed\n", path.filename().c_str(), file.cases.size(), failures);
  return failures;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<fs::path> paths;
  const bool update = take_arguments(argc, argv, paths);
  if (paths.empty()) {
    std::fputs("usage: assay-corpus FILE… [--update]\n", stderr);
    return 2;
  }
  int failures = 0;
  for (const auto& path : paths) failures += run_file(path, update);
  return failures == 0 ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 2;
}
