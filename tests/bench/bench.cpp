// Measures compiling and scoring against two lower bounds: the same judge computation written by hand for this one
// rubric, and simdjson parsing alone. Built with -DASSAY_BENCH=ON. Run it pinned to one core, and read the ratios at
// the end rather than the times. Records are generated with a fixed seed. docs/performance.md explains the figures.
#include "tests/bench/workload.hpp"

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = ASSAY_SOURCE_DIR;

using bench::file_text;

assay::Rubric rubric_at(const fs::path& path) { return bench::rubric_at(path.string()); }

// ---- the judge computation by hand, in hundredths

constexpr std::array<const char*, 7> kDimensions = {"correctness", "completeness", "adherence",  "actionability",
                                                    "efficiency",  "safety",       "consistency"};
constexpr std::array<int, 7> kPercent = {25, 20, 15, 15, 10, 10, 5};
constexpr std::array<std::string_view, 8> kFlags = {"secret",  "injection", "no_tests",    "broken_build",
                                                    "made_up", "ignored",   "destructive", "licence"};
constexpr std::array<const char*, 12> kGrades = {"A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "F"};
constexpr std::array<int, 11> kBounds = {950, 900, 850, 800, 750, 700, 650, 600, 550, 500, 400};

struct JudgeRecord {
  std::array<double, 7> scores{};
  std::vector<std::string_view> flags, bonuses;
};
struct JudgeResult {
  int hundredths = 0;
  int grade = 0;
};

int distinct(const std::vector<std::string_view>& names) {
  int count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    count += std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) ==
             names.begin() + static_cast<std::ptrdiff_t>(i);
  }
  return count;
}

JudgeResult judge_by_hand(const JudgeRecord& record) {
  int sum = 0;
  for (std::size_t i = 0; i < 7; ++i) sum += kPercent[i] * static_cast<int>(record.scores[i] * 100 + 0.5);
  int score = (sum + 50) / 100 - std::min(distinct(record.flags) * 50, 200);
  score = std::min(std::max(score, 100) + std::min(distinct(record.bonuses) * 25, 100), 1000);
  int grade = 0;
  for (const int bound : kBounds) grade += score < bound;
  return {score, grade};
}

// rubrics/judge rounds the score once, at the end. This code rounds the mean, with the same result here because
// deductions and bonuses are whole hundredths.
std::vector<JudgeRecord> judge_records(std::size_t count) {
  std::mt19937 random(20);
  std::vector<JudgeRecord> records(count);
  for (JudgeRecord& record : records) {
    for (double& score : record.scores) score = static_cast<double>(100 + random() % 901) / 100;
    for (auto* list : {&record.flags, &record.bonuses}) {
      const unsigned draw = random() % 100;
      const unsigned n = draw < 40 ? 0 : draw < 60 ? 1 : draw < 80 ? 2 : draw < 92 ? 3 : 5;
      for (unsigned i = 0; i < n; ++i) list->push_back(kFlags[random() % 8]);
    }
  }
  return records;
}

std::string judge_json(const JudgeRecord& record, std::size_t i) {
  std::string out = "{\"id\":\"r" + std::to_string(i) + "\",\"scores\":{";
  char text[32];
  for (std::size_t k = 0; k < 7; ++k) {
    std::snprintf(text, sizeof text, "%.2f", record.scores[k]);
    out += (k > 0 ? ",\"" : "\"") + std::string(kDimensions[k]) + "\":" + text;
  }
  const auto list = [&](const char* name, const std::vector<std::string_view>& names) {
    out += ",\"" + std::string(name) + "\":[";
    for (std::size_t k = 0; k < names.size(); ++k) out += (k > 0 ? ",\"" : "\"") + std::string(names[k]) + '"';
    out += ']';
  };
  out += '}';
  list("red_flags", record.flags);
  list("bonuses", record.bonuses);
  return out + '}';
}

// ---- compiling

void compile_rubric(benchmark::State& state, const fs::path& path) {
  const std::string text = file_text(path);
  assay::CompileOptions options;
  options.importer = [](std::string_view wanted, std::string_view from,
                        std::string& name) -> std::optional<std::string> {
    name = (fs::path(from).parent_path() / fs::path(wanted)).lexically_normal().string();
    std::string found = file_text(name);
    return found.empty() ? std::nullopt : std::optional<std::string>(std::move(found));
  };
  for (auto _ : state) {
    assay::Compiled compiled = assay::compile(path.string(), text, options);
    if (compiled.rubric) benchmark::DoNotOptimize(assay::Evaluator(*compiled.rubric).error());
  }
}

// ---- one record in memory

const char* const kJudge =
    R"({"id":"r1","correctness":8.5,"completeness":9,"adherence":7.25,"actionability":8,"efficiency":6.5,"safety":9.5,)"
    R"("consistency":8,"red_flags":["missing_tests"],"bonuses":["clear_examples","minimal_diff"]})";
const char* const kSkill =
    R"({"id":"r2","category":"research","output_type":"code","errors":[],"tool_calls":["Read","Edit","Bash"],"tokens_used":5200,)"
    R"("duration_ms":48000,"output_size":40,"files_changed":2,"requested_items":5,"delivered_items":4,"user_accepted":true,)"
    R"("user_edit_ratio":0.12,"code_quality":{"linter_passed":true,"types_valid":true,"tests_passed":true},"follow_ups":[]})";
const char* const kPatch =
    R"({"id":"r3","applies_cleanly":true,"tests_exist":true,"mandatory_tests_failed":0,"files_churned":12,"test_pass_ratio":0.98,)"
    R"("static_health":0.9,"intent_match":0.8,"blast_radius":0.75,"risky_change":0.6,"dependency_risk":1,"complexity_delta":0.5,)"
    R"("readability":0.85,"docs_tests":0.4,"runtime":0.9,"cost":0.7})";

void score_record(benchmark::State& state, const std::string& name, const char* record, bool chosen) {
  assay::EvaluatorOptions options;
  if (chosen) options.fields = {"id", "score", name == "judge" ? "grade" : name == "skill" ? "tier" : "confidence"};
  assay::Evaluator evaluator(rubric_at(kRoot / "rubrics" / name / (name + ".rubric")), options);
  if (evaluator.score(record).error() != nullptr) state.SkipWithError("the record was rejected");
  for (auto _ : state) benchmark::DoNotOptimize(evaluator.score(record).json().size());
  state.counters["bytes"] = static_cast<double>(evaluator.score(record).json().size());
}

void judge_bound(benchmark::State& state, bool doubles) {
  const std::vector<JudgeRecord> records = judge_records(4096);
  assay::Evaluator evaluator(rubric_at(kRoot / "tests/bench/workloads/judge.rubric"), {{"score", "grade"}, {}});
  assay::Inputs& inputs = evaluator.inputs();
  std::array<assay::InputHandle, 7> scores{};
  for (std::size_t i = 0; i < 7; ++i) scores[i] = *inputs.find(std::string("scores.") + kDimensions[i]);
  const assay::InputHandle flags = *inputs.find("red_flags"), bonuses = *inputs.find("bonuses");
  const assay::FieldHandle score = *evaluator.field("score"), grade = *evaluator.field("grade");
  std::size_t at = 0, wrong = 0;
  const auto one = [&](const JudgeRecord& record) -> const assay::Verdict& {
    for (std::size_t i = 0; i < 7; ++i) {
      if (doubles) {
        inputs.set_number(scores[i], record.scores[i]);
      } else {
        inputs.set_number(scores[i], static_cast<std::int64_t>(record.scores[i] * 100 + 0.5), 2);
      }
    }
    inputs.set_texts(flags, record.flags.data(), record.flags.size());
    inputs.set_texts(bonuses, record.bonuses.data(), record.bonuses.size());
    return evaluator.score_inputs();
  };
  for (const JudgeRecord& record : records) {
    const assay::Verdict& verdict = one(record);
    const JudgeResult expected = judge_by_hand(record);
    wrong += verdict.scaled(score, 2) != expected.hundredths ||
             verdict.text(grade) != kGrades[static_cast<std::size_t>(expected.grade)];
  }
  if (wrong > 0) state.SkipWithError("the verdicts differ from those by hand");
  for (auto _ : state) {
    const assay::Verdict& verdict = one(records[at++ & 4095]);
    benchmark::DoNotOptimize(verdict.scaled(score, 2));
    benchmark::DoNotOptimize(verdict.text(grade));
  }
}

void judge_hand(benchmark::State& state) {
  const std::vector<JudgeRecord> records = judge_records(4096);
  std::size_t at = 0;
  for (auto _ : state) {
    JudgeResult result = judge_by_hand(records[at++ & 4095]);
    benchmark::DoNotOptimize(result);
  }
}

// ---- a million records

const std::string& million() {
  static const std::string text = [] {
    std::string all;
    const std::vector<JudgeRecord> records = judge_records(50'000);
    for (std::size_t i = 0; i < 1'000'000; ++i) all += judge_json(records[i % records.size()], i) + '\n';
    all.reserve(all.size() + simdjson::SIMDJSON_PADDING);
    return all;
  }();
  return text;
}

void per_record(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * 1'000'000);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(million().size()));
}

template <class Visit>
void each_document(Visit&& visit) {
  const std::string& text = million();
  simdjson::ondemand::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
  parser.threaded = false;  // one thread, like the others
#endif
  simdjson::ondemand::document_stream stream;
  if (parser.iterate_many(text.data(), text.size(), 1 << 20).get(stream) != simdjson::SUCCESS) return;
  for (auto document : stream) visit(document);
}

// Visits every value of a document without using it.
std::size_t walk(simdjson::ondemand::value value) {
  using Type = simdjson::ondemand::json_type;
  std::size_t seen = 1;
  switch (Type(value.type())) {
    case Type::object:
      for (auto field : value.get_object()) {
        seen += std::string_view(field.unescaped_key()).size();
        seen += walk(field.value());
      }
      break;
    case Type::array:
      for (auto item : value.get_array()) seen += walk(item.value());
      break;
    case Type::string: seen += std::string_view(value.get_string()).size(); break;
    case Type::number: seen += double(value.get_double()) > 0; break;
    default: seen += value.raw_json_token().size(); break;
  }
  return seen;
}

void ndjson_parse(benchmark::State& state) {
  million();
  for (auto _ : state) {
    std::size_t bytes = 0;
    each_document([&](auto& document) {
      for (auto field : document.get_object()) {
        bytes += std::string_view(field.unescaped_key()).size();
        bytes += walk(field.value());
      }
    });
    benchmark::DoNotOptimize(bytes);
  }
  per_record(state);
}

void ndjson_hand(benchmark::State& state) {
  million();
  std::string out;
  JudgeRecord record;
  for (auto _ : state) {
    out.clear();
    each_document([&](auto& document) {
      const std::string_view id = document["id"].get_string();
      simdjson::ondemand::object scores = document["scores"].get_object();
      for (std::size_t i = 0; i < 7; ++i) record.scores[i] = double(scores[kDimensions[i]].get_double());
      record.flags.clear();
      record.bonuses.clear();
      for (auto flag : document["red_flags"].get_array()) record.flags.push_back(flag.get_string());
      for (auto name : document["bonuses"].get_array()) record.bonuses.push_back(name.get_string());
      const JudgeResult result = judge_by_hand(record);
      char line[128];
      const int size = std::snprintf(line, sizeof line, "{\"id\":\"%.*s\",\"score\":%g,\"grade\":\"%s\"}\n",
                                     static_cast<int>(id.size()), id.data(), result.hundredths / 100.0,
                                     kGrades[static_cast<std::size_t>(result.grade)]);
      out.append(line, static_cast<std::size_t>(size));
      if (out.size() > (1 << 20)) out.clear();
    });
    benchmark::DoNotOptimize(out.size());
  }
  per_record(state);
}

void ndjson_assay(benchmark::State& state) {
  million();
  const assay::Rubric rubric = rubric_at(kRoot / "tests/bench/workloads/judge.rubric");
  assay::Evaluator evaluator(rubric, {{"id", "score", "grade"}, {}});
  std::string out;
  for (auto _ : state) {
    out.clear();
    std::size_t at = 0;
    const std::string& text = million();
    assay::RecordReader reader(
        assay::Format::ndjson,
        [&](char* buffer, std::size_t size) {
          const std::size_t count = text.copy(buffer, size, at);
          at += count;
          return static_cast<long>(count);
        },
        rubric);
    assay::Record record;
    assay::InputError problem;
    while (reader.next(record, problem) == assay::RecordReader::Status::record) {
      out += evaluator.score(record.json).json();
      out += '\n';
      if (out.size() > (1 << 20)) out.clear();
    }
    benchmark::DoNotOptimize(out.size());
  }
  if (evaluator.statistics().rejected > 0) state.SkipWithError("a record was rejected");
  per_record(state);
}

// ---- ratios

class Reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (!run.error_occurred && run.iterations > 0)
        times[run.benchmark_name()] = run.cpu_accumulated_time / static_cast<double>(run.iterations);
    }
  }
  std::map<std::string, double> times;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> rubrics;
  for (const auto& folder : fs::directory_iterator(kRoot / "rubrics")) {
    const fs::path file = folder.path() / (folder.path().filename().string() + ".rubric");
    if (fs::exists(file)) rubrics.push_back(file);
  }
  std::sort(rubrics.begin(), rubrics.end());
  for (const fs::path& path : rubrics) {
    benchmark::RegisterBenchmark(("compile/" + path.stem().string()).c_str(), compile_rubric, path)
        ->Unit(benchmark::kMillisecond);
  }
  const std::pair<std::string, const char*> records[] = {{"judge", kJudge}, {"skill", kSkill}, {"patch", kPatch}};
  for (const auto& [name, record] : records) {
    benchmark::RegisterBenchmark(("record/" + name + "/fields").c_str(), score_record, name, record, true);
    benchmark::RegisterBenchmark(("record/" + name + "/whole").c_str(), score_record, name, record, false);
  }
  benchmark::RegisterBenchmark("bound/judge/hand", judge_hand);
  benchmark::RegisterBenchmark("bound/judge/scaled", judge_bound, false);
  benchmark::RegisterBenchmark("bound/judge/doubles", judge_bound, true);
  benchmark::RegisterBenchmark("ndjson/simdjson", ndjson_parse)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("ndjson/hand", ndjson_hand)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("ndjson/assay", ndjson_assay)->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  std::printf("\nratios\n");
  const char* const pairs[][2] = {{"bound/judge/scaled", "bound/judge/hand"},
                                  {"bound/judge/doubles", "bound/judge/hand"},
                                  {"ndjson/hand", "ndjson/simdjson"},
                                  {"ndjson/assay", "ndjson/simdjson"},
                                  {"ndjson/assay", "ndjson/hand"}};
  for (const auto& pair : pairs) {
    const auto one = reporter.times.find(pair[0]), other = reporter.times.find(pair[1]);
    if (one == reporter.times.end() || other == reporter.times.end()) continue;
    std::printf("%-24s %6.2f x %s\n", pair[0], one->second / other->second, pair[1]);
  }
  return 0;
}
