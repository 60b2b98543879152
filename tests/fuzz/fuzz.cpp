// See fuzz.hpp.
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay_tests {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<FuzzedRubric> compile_shipped() {
  assay::CompileOptions options;
  options.limits = tight_limits();
  options.importer = [](std::string_view wanted, std::string_view from, std::string& name) {
    name = (fs::path(from).parent_path() / fs::path(wanted)).lexically_normal().string();
    return read_text(name);
  };
  std::vector<fs::path> paths;
  for (const auto& folder : fs::directory_iterator(ASSAY_SOURCE_DIR "/rubrics")) {
    const fs::path path = folder.path() / (folder.path().filename().string() + ".rubric");
    if (fs::exists(path)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  std::vector<FuzzedRubric> rubrics;
  for (const fs::path& path : paths) {
    assay::Compiled compiled = assay::compile(path.string(), read_text(path).value_or(""), options);
    insist(compiled.rubric.has_value());
    rubrics.push_back({compiled.rubric->name(), *compiled.rubric, nullptr, nullptr});
    assay::EvaluatorOptions evaluation;
    evaluation.limits = tight_limits();
    rubrics.back().evaluator = std::make_unique<assay::Evaluator>(*compiled.rubric, evaluation);
    evaluation.strict = true;
    rubrics.back().strict = std::make_unique<assay::Evaluator>(*compiled.rubric, evaluation);
  }
  insist(!rubrics.empty());
  return rubrics;
}

}  // namespace

void insist(bool holds) {
  if (!holds) std::abort();
}

assay::Limits tight_limits() {
  assay::Limits limits;
  limits.record_bytes = 1 << 20;
  limits.list_items = 1000;
  limits.text_bytes = 1 << 16;
  limits.nesting = 60;
  limits.steps = 200'000;
  limits.memory_bytes = 8 << 20;
  limits.output_bytes = 1 << 20;
  limits.source_bytes = 1 << 16;
  return limits;
}

std::vector<FuzzedRubric>& shipped_rubrics() {
  static std::vector<FuzzedRubric> rubrics = compile_shipped();
  return rubrics;
}

FuzzedRubric& choose_rubric(std::string_view& input) {
  std::vector<FuzzedRubric>& rubrics = shipped_rubrics();
  const std::string_view name = input.substr(0, input.find('\n'));
  for (FuzzedRubric& rubric : rubrics) {
    if (rubric.name != name) continue;
    input.remove_prefix(std::min(name.size() + 1, input.size()));
    return rubric;
  }
  return rubrics.front();
}

}  // namespace assay_tests
