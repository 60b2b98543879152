// Checks a rubric against its conformance cases. Usage: assay-conformance RUBRIC CASES [ASSAY]
// Without ASSAY the requests go through the C++ API, otherwise to a child process `ASSAY eval RUBRIC`, which reads one
// request per line and answers each with one line. Prints every failed case with the first difference and its path.
#include "tests/child_process.hpp"
#include "tests/conformance/exact_json.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

struct ConformanceCase {
  std::string name;
  std::string request;
  Json expect;
  std::optional<std::string> error_path;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

ConformanceCase read_case(const std::string& line) {
  std::string problem;
  auto json = parse_json(line, problem);
  if (!json) throw std::runtime_error("a case is no JSON: " + problem);
  ConformanceCase result;
  Json request;
  request.kind = Json::Kind::object;
  for (auto& [name, value] : json->members) {
    if (name == "expect") {
      result.expect = std::move(value);
    } else if (name == "expect_error") {
      const Json* path = value.find("path");
      if (!path) throw std::runtime_error("a case expects an error without a path: " + line);
      result.error_path = path->text;
    } else {
      if (name == "name") result.name = value.text;
      request.members.push_back({name, std::move(value)});
    }
  }
  if (!result.error_path && result.expect.kind != Json::Kind::object) {
    throw std::runtime_error("a case expects nothing: " + line);
  }
  result.request = to_text(request);
  return result;
}

// Returns an empty text if the answer is as the case expects.
std::string judge(const ConformanceCase& expected, std::string_view answer) {
  std::string problem;
  const auto verdict = parse_json(answer, problem);
  if (!verdict) return "the answer is no JSON: " + problem + ": " + std::string(answer.substr(0, 300));
  const Json* error = verdict->find("error");
  if (!expected.error_path) {
    if (error && !expected.expect.find("error")) return "refused: " + to_text(*error);
    return difference(expected.expect, *verdict);
  }
  if (!error) return "expected an error at '" + *expected.error_path + "', got " + std::string(answer.substr(0, 300));
  const Json* path = error->find("path");
  if (path && path->kind == Json::Kind::text && path->text == *expected.error_path) return {};
  return "expected an error at '" + *expected.error_path + "', got " + to_text(*error);
}

std::optional<std::string> import_file(std::string_view path, std::string_view from, std::string& name) {
  const fs::path file = (fs::path(from).parent_path() / path).lexically_normal();
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  name = file.string();
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

std::vector<std::string> answers_of_api(const fs::path& rubric, const std::vector<ConformanceCase>& cases) {
  assay::CompileOptions options;
  options.importer = import_file;
  const auto compiled = assay::compile(rubric.string(), read_file(rubric), options);
  std::fputs(assay::render(compiled.diagnostics).c_str(), stdout);
  if (!compiled.rubric) throw std::runtime_error(rubric.string() + " does not compile");
  assay::Evaluator evaluator(*compiled.rubric);
  std::vector<std::string> answers;
  for (const auto& each : cases) answers.emplace_back(evaluator.eval(each.request));
  return answers;
}

std::vector<std::string> answers_of_command(const std::string& assay, const fs::path& rubric,
                                            const std::vector<ConformanceCase>& cases) {
  const TemporaryDirectory scratch;
  const Streams streams{scratch.path() / "in", scratch.path() / "out", scratch.path() / "err", {}};
  {
    std::ofstream requests(streams.in, std::ios::binary);
    for (const auto& each : cases) requests << each.request << '\n';
  }
  // Any exit code is accepted, as some requests are rejected. The tests of the command check exit codes.
  const int code = run_child({assay, "eval", rubric.string()}, streams);
  auto answers = lines_of(read_file(streams.out));
  if (answers.size() != cases.size() || code >= 126) {
    throw std::runtime_error("assay eval exited with " + std::to_string(code) + " after " +
                             std::to_string(answers.size()) + " answers to " + std::to_string(cases.size()) +
                             " requests:\n" + read_file(streams.err));
  }
  return answers;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3 && argc != 4) {
    std::fputs("usage: assay-conformance RUBRIC CASES [ASSAY]\n", stderr);
    return 2;
  }
  const fs::path rubric = argv[1];
  std::vector<ConformanceCase> cases;
  for (const auto& line : lines_of(read_file(argv[2]))) {
    if (!line.empty()) cases.push_back(read_case(line));
  }
  if (!fs::exists(rubric)) throw std::runtime_error("there are cases, but no rubric " + rubric.string());
  const auto answers = argc == 4 ? answers_of_command(argv[3], rubric, cases) : answers_of_api(rubric, cases);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string problem = judge(cases[i], answers[i]);
    if (problem.empty()) continue;
    ++failures;
    std::printf("%s: %s\n  %s\n", rubric.stem().c_str(), cases[i].name.c_str(), problem.c_str());
  }
  std::printf("%s: %zu cases, %zu failed\n", rubric.stem().c_str(), cases.size(), failures);
  return failures == 0 && !cases.empty() ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
