// See exactness.hpp.
#include "tests/property/exactness.hpp"

#include "runtime/evaluator.hpp"
#include "tests/property/record_generator.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay_tests {

using namespace assay;

namespace {

constexpr std::uint64_t kPerSettings = 50;  // records evaluated with the same weights

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string list_of(const std::vector<std::string>& records) {
  std::string out = "[";
  for (const std::string& record : records) out += (out.size() > 1 ? "," : "") + record;
  return out + "]";
}

std::string request_of(const std::string& record, const std::vector<std::string>& history, const Settings& settings) {
  std::string out = "{\"op\":\"score\",\"history\":" + list_of(history) + ",\"context\":[";
  for (const std::string& context : settings.contexts) out += (out.back() == '[' ? "\"" : ",\"") + context + "\"";
  out += "],\"weights\":{";
  for (const auto& [name, weight] : settings.weights) out += (out.back() == '{' ? "\"" : ",\"") + name + "\":" + weight;
  return out + "},\"input\":" + record + "}";
}

}  // namespace

std::optional<Rubric> load_rubric(const std::string& path, std::string& source) {
  CompileOptions options;
  options.importer = [](std::string_view wanted, std::string_view from, std::string& name) {
    const std::filesystem::path beside = std::filesystem::path(from).parent_path() / std::filesystem::path(wanted);
    name = beside.lexically_normal().string();
    return read_text(name);
  };
  const std::optional<std::string> text = read_text(path);
  if (!text) return std::nullopt;
  source = *text;
  return compile(path, *text, options).rubric;
}

ExactnessRun compare_evaluations(const Rubric& rubric, const std::string& source, std::uint64_t count, std::uint64_t seed) {
  ExactnessRun run;
  RecordGenerator generator(rubric, source, seed);
  Evaluator normal(rubric);
  Evaluator forced(rubric);
  Evaluator answering(rubric);
  forced_big(forced, true);
  Settings settings;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % kPerSettings == 0) {
      settings = i == 0 || generator.random().one_in(2) ? Settings() : generator.settings();
      if (normal.configure(settings)) {
        settings = Settings();
        normal.configure(settings);
      }
      forced.configure(settings);
    }
    std::vector<std::string> history;
    if (generator.random().one_in(8)) {
      const std::uint64_t earlier = generator.random().below(13);
      for (std::uint64_t k = 0; k < earlier; ++k) history.push_back(generator.record("h" + std::to_string(k)));
    }
    const std::string record = generator.record("r" + std::to_string(i));
    normal.set_history(history);
    forced.set_history(history);
    const Verdict& expected = normal.score(record);
    const Verdict& big = forced.score(record);
    const std::string request = request_of(record, history, settings);
    const std::string_view answer = answering.eval(request);
    ++run.records;
    run.scored += expected.error() == nullptr;
    run.with_history += !history.empty();
    run.with_settings += !settings.contexts.empty() || !settings.weights.empty();
    if (big.json() != expected.json() || answer != expected.json()) {
      run.difference = "request:  " + request + "\nnormal:   " + std::string(expected.json()) + "\nforced:   " +
                       std::string(big.json()) + "\nanswered: " + std::string(answer);
      break;
    }
  }
  run.exact_path = normal.statistics().exact_path;
  return run;
}

}  // namespace assay_tests
