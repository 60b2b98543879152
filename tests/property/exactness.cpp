// See exactness.hpp.
#include "tests/property/exactness.hpp"

#include "runtime/engine/evaluator.hpp"
#include "tests/property/kernel_rig.hpp"
#include "tests/property/record_generator.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay_tests {

using namespace assay;

namespace {

constexpr std::uint64_t kPerSettings = 50;  // records per set of weights

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

// The largest set of fields that one kernel computes, found by adding fields one by one.
std::vector<std::string> kernel_fields(const Rubric& rubric, const std::vector<std::string>& records) {
  std::vector<std::string> fields;
  const KernelRig whole(rubric);
  for (const std::string& name : whole.fields()) {
    fields.push_back(name);
    if (!KernelRig(rubric, fields).learn(records)) fields.pop_back();
  }
  return fields;
}

// Compares kernels with the VM for those fields.
class KernelComparison {
 public:
  KernelComparison(const Rubric& rubric, std::vector<std::string> fields, const std::vector<std::string>& records)
      : rig_(rubric, fields), evaluator_(rubric, EvaluatorOptions{fields, {}}), batch_(rubric, options(fields)) {
    rig_.learn(records);
  }
  // The first difference over records with the same settings.
  std::string compare(const std::vector<std::string>& records, const Settings& settings, ExactnessRun& run) {
    if (batch_.configure(settings) || evaluator_.configure(settings)) return "settings that only one takes";
    std::string text, expected, got;
    for (const std::string& record : records) text += record + '\n';
    for (const std::string& record : records) (expected += evaluator_.score(record).json()) += '\n';
    std::size_t at = 0;
    const auto read = [&](char* buffer, std::size_t size) {
      const std::size_t n = std::min(size, text.size() - at);
      std::memcpy(buffer, text.data() + at, n);
      at += n;
      return static_cast<long>(n);
    };
    const std::uint64_t before = batch_.statistics().kernel;
    BatchOutput output;
    output.write = [&](std::string_view block) {
      got += block;
      return true;
    };
    batch_.run({Format::ndjson, read, {}}, output);
    run.in_batches += records.size();
    run.by_kernel += batch_.statistics().kernel - before;
    if (got != expected) return first_difference(got, expected, records);
    if (!settings.contexts.empty() || !settings.weights.empty()) return {};
    std::size_t taken = 0, scored = 0;
    const std::string difference = rig_.compare_lines(records, taken, scored);
    run.by_lines += taken;
    return difference;
  }

 private:
  static BatchOptions options(const std::vector<std::string>& fields) {
    BatchOptions options;
    options.evaluator.fields = fields;
    return options;
  }
  static std::string first_difference(const std::string& got, const std::string& expected,
                                      const std::vector<std::string>& records) {
    std::istringstream a(got), b(expected);
    std::string x, y;
    for (const std::string& record : records) {
      std::getline(a, x);
      std::getline(b, y);
      if (x != y) return "record: " + record + "\nbatch:  " + x + "\nalone:  " + y;
    }
    return "a batch wrote more than it was given";
  }

  KernelRig rig_;
  Evaluator evaluator_;
  Batch batch_;
};

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

ExactnessRun compare_evaluations(const Rubric& rubric, const std::string& source, std::uint64_t count,
                                 std::uint64_t seed) {
  ExactnessRun run;
  RecordGenerator generator(rubric, source, seed);
  Evaluator normal(rubric);
  Evaluator forced(rubric);
  Evaluator answering(rubric);
  forced_big(forced, true);
  std::vector<std::string> first;
  generator.set_short_numbers(true);  // as a kernel is made in practice: with room for all decimals there often is none
  for (int i = 0; i < 200; ++i) first.push_back(generator.record("r"));
  const std::vector<std::string> fields = kernel_fields(rubric, first);
  run.fields = fields.size();
  run.all_fields = KernelRig(rubric).fields().size();
  std::optional<KernelComparison> kernels;
  if (!fields.empty()) kernels.emplace(rubric, fields, first);
  Settings settings;
  std::vector<std::string> same;  // records since the settings last changed
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % kPerSettings == 0) {
      if (kernels && run.difference.empty()) run.difference = kernels->compare(same, settings, run);
      if (!run.difference.empty()) break;
      same.clear();
      generator.set_short_numbers(i / kPerSettings % 2 == 0);
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
    same.push_back(record);
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
      run.difference = "request:  " + request + "\nnormal:   " + std::string(expected.json()) +
                       "\nforced:   " + std::string(big.json()) + "\nanswered: " + std::string(answer);
      break;
    }
  }
  if (kernels && run.difference.empty()) run.difference = kernels->compare(same, settings, run);
  run.exact_path = normal.statistics().exact_path;
  return run;
}

}  // namespace assay_tests
