// Shared by the benchmarks: loading a rubric, exiting on an error, processor time, medians.
#pragma once

#include <assay/assay.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

[[noreturn]] inline void fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

inline void must(const std::optional<assay::InputError>& error) {
  if (error) fail(error->path + ": " + error->message);
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline assay::Rubric compiled(const std::string& name, std::string_view text) {
  assay::Compiled result = assay::compile(name, text);
  if (!result.rubric) fail(assay::render(result.diagnostics));
  return *result.rubric;
}

inline assay::Rubric rubric_at(const std::string& path) { return compiled(path, file_text(path)); }

// A rubric of tests/bench/workloads.
inline assay::Rubric workload(const std::string& name) {
  return rubric_at(std::string(ASSAY_SOURCE_DIR) + "/tests/bench/workloads/" + name + ".rubric");
}

inline double cpu_seconds() {  // of this process
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace bench
