// Runs the cases of the command as seen from a shell: tests/cli/*.case. Usage: assay-cli-runner ASSAY FILE…
// [--update]
//
//   === check names the line of an error
//   --- command
//   assay check wrong.rubric
//   --- file wrong.rubric          any number of files, in the case's empty directory
//   rubric wrong { …
//   --- stdin                      default: empty
//   --- stdout                     default: empty
//   --- stderr                     default: empty
//   --- exit                       default: 0
//   1
//
// The command is a script for bash, with the built `assay` first in PATH and RUBRICS set to the shipped rubrics.
// --update replaces stdout, stderr and exit by the actual results: read the diff before you commit it.
#include "tests/case_file.hpp"
#include "tests/child_process.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

constexpr std::string_view kFile = "file ";

struct Result {
  std::string out, err, exit;
};

Result run(const Case& test) {
  const TemporaryDirectory scratch;
  const fs::path directory = scratch.path() / "case";
  fs::create_directory(directory);
  for (const auto& section : test.sections) {
    if (!section.name.starts_with(kFile)) continue;
    const fs::path file = directory / section.name.substr(kFile.size());
    fs::create_directories(file.parent_path());
    write_file(file, section.text);
  }
  const Streams streams{scratch.path() / "in", scratch.path() / "out", scratch.path() / "err", directory};
  write_file(streams.in, test.text("stdin"));
  const int code = run_child({"bash", "-c", test.text("command")}, streams);
  return {read_file(streams.out), read_file(streams.err), code == 0 ? "" : std::to_string(code) + "\n"};
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
    const Result result = run(test);
    const std::string exit = test.text("exit") == "0\n" ? "" : test.text("exit");
    if (update) {
      test.set("stdout", result.out);
      test.set("stderr", result.err);
      if (result.exit != exit) test.set("exit", result.exit.empty() ? "0\n" : result.exit);
    } else if (result.out != test.text("stdout") || result.err != test.text("stderr") || result.exit != exit) {
      ++failures;
      std::printf("%s:%d: %s\n", path.c_str(), test.line, test.title.c_str());
      print_difference("stdout", test.text("stdout"), result.out);
      print_difference("stderr", test.text("stderr"), result.err);
      print_difference("exit", exit, result.exit);
    }
  }
  if (update) write_cases(path, file);
  std::printf("%s: %zu cases, %d failed\n", path.filename().c_str(), file.cases.size(), failures);
  return failures;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<fs::path> paths;
  const bool update = take_arguments(argc, argv, paths);
  if (paths.size() < 2) {
    std::fputs("usage: assay-cli-runner ASSAY FILE… [--update]\n", stderr);
    return 2;
  }
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin";
  setenv("PATH", (fs::absolute(paths[0]).parent_path().string() + ":" + path).c_str(), 1);
  setenv("RUBRICS", ASSAY_SOURCE_DIR "/rubrics", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("COLUMNS", "80", 1);
  unsetenv("CDPATH");

  int failures = 0;
  for (std::size_t i = 1; i < paths.size(); ++i) failures += run_file(paths[i], update);
  return failures == 0 ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 2;
}
