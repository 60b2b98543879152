// Work for counting instructions: `assay-count WORKLOAD MODE ROWS` scores that many generated records of a workload,
// one by one from memory (row), in blocks (columns), or as lines of NDJSON (file). tests/bench/instructions.sh runs it
// under callgrind with two numbers of rows, and again with the records only made (no-row, no-columns, no-file), so
// that the difference of the differences is what scoring a record costs. Counts do not depend on the machine's load,
// which is why they, and no times, are checked in the tests.
#include <assay/assay.hpp>
#include <assay/batch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using assay::Column;
using assay::ColumnType;

// SplitMix64: the same records everywhere.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int in(int low, int high) {
    return low + static_cast<int>((next() >> 11) % static_cast<std::uint64_t>(high - low + 1));
  }
};

void must(const std::optional<assay::InputError>& error) {
  if (!error) return;
  std::fprintf(stderr, "%s\n", error->message.c_str());
  std::exit(2);
}

assay::Rubric load(const std::string& name) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/tests/bench/workloads/" + name + ".rubric";
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  assay::Compiled compiled = assay::compile(path, text);
  if (!compiled.rubric) {
    std::fputs(assay::render(compiled.diagnostics).c_str(), stderr);
    std::exit(2);
  }
  return *compiled.rubric;
}

constexpr std::array<const char*, 7> kScores = {"correctness", "completeness", "adherence",  "actionability",
                                                "efficiency",  "safety",       "consistency"};
constexpr std::array<std::string_view, 8> kFlags = {"hardcoded_secret", "sql_injection", "missing_tests",
                                                    "broken_build",     "made_up_api",   "ignored",
                                                    "destructive",      "licence"};
constexpr std::array<const char*, 12> kMetrics = {
    "test_pass_ratio",  "static_health", "intent_match",     "blast_radius", "risky_change", "dependency_risk",
    "complexity_delta", "readability",   "added_docs_tests", "runtime",      "token_cost",   "historical_fit"};
constexpr std::array<const char*, 5> kGates = {"applies_cleanly", "paths_allowed", "no_destructive_git",
                                               "security_clean", "functional_viable"};
constexpr std::array<const char*, 7> kAmounts = {"tokens_used",     "output_size",     "files_changed", "duration_ms",
                                                 "requested_items", "delivered_items", "tool_calls"};
constexpr std::array<const char*, 14> kTruths = {"failed",
                                                 "recovered",
                                                 "partial_completion",
                                                 "workaround_used",
                                                 "failure_explained",
                                                 "output_validated",
                                                 "code",
                                                 "linter_passed",
                                                 "types_valid",
                                                 "tests_passed",
                                                 "user_accepted",
                                                 "user_used_output",
                                                 "follow_ups_resolved",
                                                 "_"};

struct Judged {
  double scores[7];
  std::uint8_t flag_count, bonus_count;
  std::string_view flags[6], bonuses[6];
};
struct Skill {
  double amounts[7], edit_ratio;
  std::uint8_t truths[13], category;
  std::int8_t feedback, follow_ups;
};
struct Patch {
  double metrics[12];
  std::uint8_t gates[5], has_tests;
};

double out_score[1 << 16];
std::uint8_t out_grade[1 << 16];

Column member(const void* first, ColumnType type, std::size_t stride) {
  Column c;
  c.data = first;
  c.type = type;
  c.stride = static_cast<std::ptrdiff_t>(stride);
  return c;
}

void write(assay::Columns& columns) {
  assay::ResultColumn score, grade;
  score.data = out_score;
  grade.data = out_grade;
  grade.type = ColumnType::u8;
  must(columns.write("score", score));
  must(columns.write("grade", grade));
}

std::vector<Judged> judged(std::size_t rows) {
  Random random{1};
  std::vector<Judged> records(rows);
  for (Judged& r : records) {
    for (double& score : r.scores) score = random.in(100, 1000) / 100.0;
    r.flag_count = static_cast<std::uint8_t>(random.in(0, 3));
    r.bonus_count = static_cast<std::uint8_t>(random.in(0, 3));
    for (auto& flag : r.flags) flag = kFlags[static_cast<std::size_t>(random.in(0, 7))];
    for (auto& bonus : r.bonuses) bonus = kFlags[static_cast<std::size_t>(random.in(0, 7))];
  }
  return records;
}
std::vector<Skill> skills(std::size_t rows) {
  Random random{2};
  std::vector<Skill> records(rows);
  for (Skill& r : records) {
    const int most[7] = {30000, 60, 4, 200000, 12, 13, 12};
    for (std::size_t k = 0; k < 7; ++k) r.amounts[k] = random.in(1, most[k]);
    r.edit_ratio = random.in(0, 110) / 100.0;
    for (auto& truth : r.truths) truth = static_cast<std::uint8_t>(random.in(0, 1));
    r.category = static_cast<std::uint8_t>(random.in(0, 4));
    r.feedback = static_cast<std::int8_t>(random.in(-1, 3));
    r.follow_ups = static_cast<std::int8_t>(random.in(-1, 2));
  }
  return records;
}
std::vector<Patch> patches(std::size_t rows) {
  Random random{3};
  std::vector<Patch> records(rows);
  for (Patch& r : records) {
    for (double& metric : r.metrics) metric = random.in(0, 99) < 6 ? __builtin_nan("") : random.in(0, 1000) / 1000.0;
    for (auto& gate : r.gates) gate = random.in(0, 49) != 0;
    r.has_tests = random.in(0, 9) != 0;
  }
  return records;
}

void bind(assay::Columns& columns, const std::vector<Judged>& r) {
  for (std::size_t k = 0; k < 7; ++k) {
    must(columns.bind(std::string("scores.") + kScores[k], member(&r[0].scores[k], ColumnType::f64, sizeof r[0])));
  }
  assay::ListColumn list;
  list.count = member(&r[0].flag_count, ColumnType::u8, sizeof r[0]);
  list.items = member(&r[0].flags[0], ColumnType::text, sizeof r[0]);
  must(columns.bind_list("red_flags", list));
  list.count = member(&r[0].bonus_count, ColumnType::u8, sizeof r[0]);
  list.items = member(&r[0].bonuses[0], ColumnType::text, sizeof r[0]);
  must(columns.bind_list("bonuses", list));
}
void bind(assay::Columns& columns, const std::vector<Skill>& r) {
  for (std::size_t k = 0; k < 7; ++k)
    must(columns.bind(kAmounts[k], member(&r[0].amounts[k], ColumnType::f64, sizeof r[0])));
  must(columns.bind("user_edit_ratio", member(&r[0].edit_ratio, ColumnType::f64, sizeof r[0])));
  for (std::size_t k = 0; k < 13; ++k)
    must(columns.bind(kTruths[k], member(&r[0].truths[k], ColumnType::u8, sizeof r[0])));
  Column c = member(&r[0].category, ColumnType::u8, sizeof r[0]);
  c.names = {"code_generation", "analysis", "design", "research", "other"};
  must(columns.bind("skill_category", c));
  c = member(&r[0].feedback, ColumnType::i8, sizeof r[0]);
  c.names = {"none", "partially", "mostly", "accurate"};
  c.missing = -1;
  must(columns.bind("feedback", c));
  c = member(&r[0].follow_ups, ColumnType::i8, sizeof r[0]);
  c.names = {"none", "one", "more"};
  c.missing = -1;
  must(columns.bind("follow_ups", c));
}
void bind(assay::Columns& columns, const std::vector<Patch>& r) {
  for (std::size_t k = 0; k < 12; ++k) {
    must(columns.bind(std::string("metrics.") + kMetrics[k], member(&r[0].metrics[k], ColumnType::f64, sizeof r[0])));
  }
  for (std::size_t k = 0; k < 5; ++k) {
    must(columns.bind(std::string("gates.") + kGates[k], member(&r[0].gates[k], ColumnType::u8, sizeof r[0])));
  }
  must(columns.bind("has_tests", member(&r[0].has_tests, ColumnType::u8, sizeof r[0])));
}

bool only_make = false;

template <class Record>
void score(const char* rubric, const std::vector<Record>& records, bool one) {
  assay::Columns columns(load(rubric));
  bind(columns, records);
  write(columns);
  if (only_make) return;
  if (!one) return must(columns.score(0, records.size()));
  for (std::size_t i = 0; i < records.size(); ++i) must(columns.score(i, i + 1));
}

// ---- as lines

std::string lines(const std::vector<Judged>& records) {
  std::string out;
  const auto list = [&](const char* name, std::uint8_t count, const std::string_view* items) {
    out += ",\"" + std::string(name) + "\":[";
    for (std::uint8_t i = 0; i < count; ++i) out += (i > 0 ? ",\"" : "\"") + std::string(items[i]) + '"';
    out += ']';
  };
  char number[32];
  for (std::size_t i = 0; i < records.size(); ++i) {
    out += "{\"id\":\"r" + std::to_string(i) + "\",\"scores\":{";
    for (std::size_t k = 0; k < 7; ++k) {
      std::snprintf(number, sizeof number, "%g", records[i].scores[k]);
      out += std::string(k > 0 ? "," : "") + '"' + kScores[k] + "\":" + number;
    }
    out += '}';
    list("red_flags", records[i].flag_count, records[i].flags);
    list("bonuses", records[i].bonus_count, records[i].bonuses);
    out += "}\n";
  }
  return out;
}
std::string lines(const std::vector<Skill>& records) {
  static constexpr const char* categories[] = {"code_generation", "analysis", "design", "research", "other"};
  static constexpr const char* calls[] = {"\"Read\"", "\"Edit\"", "\"Bash\""};
  std::string out;
  char number[32];
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Skill& r = records[i];
    const auto truth = [&](const char* name, std::size_t k) {
      out += std::string(",\"") + name + "\":" + (r.truths[k] != 0 ? "true" : "false");
    };
    out += "{\"id\":\"r" + std::to_string(i) + "\",\"skill_category\":\"" + categories[r.category] + "\",\"errors\":[";
    out += r.truths[0] != 0 ? "\"timeout\"]" : "]";
    for (std::size_t k = 1; k < 6; ++k) truth(kTruths[k], k);
    for (const std::size_t k : {0u, 1u, 2u, 3u, 4u, 5u})
      out += std::string(",\"") + kAmounts[k] + "\":" + std::to_string(static_cast<int>(r.amounts[k]));
    out += ",\"tool_calls\":[";
    for (int k = 0; k < static_cast<int>(r.amounts[6]); ++k) out += std::string(k > 0 ? "," : "") + calls[k % 3];
    out += std::string("],\"output_type\":\"") + (r.truths[6] != 0 ? "code" : "text") + '"';
    if (r.truths[6] != 0) {
      out += std::string(",\"code_quality\":{\"linter_passed\":") + (r.truths[7] != 0 ? "true" : "false") +
             ",\"types_valid\":true,\"tests_passed\":false}";
    }
    truth("user_accepted", 10);
    truth("user_used_output", 11);
    std::snprintf(number, sizeof number, "%g", r.edit_ratio);
    out += std::string(",\"user_edit_ratio\":") + number + ",\"feedback\":";
    out += r.feedback < 0 ? "null"
                          : std::string("{\"accurate\":") + (r.feedback == 3 ? "true" : "false") +
                                ",\"mostly_accurate\":false,\"partially_accurate\":true}";
    out += r.follow_ups < 0    ? ",\"follow_ups\":null}\n"
           : r.follow_ups == 0 ? ",\"follow_ups\":[]}\n"
                               : ",\"follow_ups\":[{\"resolved\":true}]}\n";
  }
  return out;
}
std::string lines(const std::vector<Patch>& records) {
  std::string out;
  char number[32];
  for (std::size_t i = 0; i < records.size(); ++i) {
    out += "{\"id\":\"r" + std::to_string(i) + "\",\"gates\":{";
    for (std::size_t k = 0; k < 5; ++k)
      out += std::string(k > 0 ? "," : "") + '"' + kGates[k] + "\":" + (records[i].gates[k] != 0 ? "true" : "false");
    out += std::string("},\"has_tests\":") + (records[i].has_tests != 0 ? "true" : "false") + ",\"metrics\":{";
    for (std::size_t k = 0; k < 12; ++k) {
      std::snprintf(number, sizeof number, "%g", records[i].metrics[k]);
      out += std::string(k > 0 ? "," : "") + '"' + kMetrics[k] +
             "\":" + (records[i].metrics[k] == records[i].metrics[k] ? number : "null");
    }
    out += "}}\n";
  }
  return out;
}

void score_lines(const char* rubric, const std::string& text) {
  assay::BatchOptions options;
  options.evaluator.fields = {"id", "score", "grade"};
  assay::Batch batch(load(rubric), options);
  std::size_t at = 0, written = 0;
  assay::BatchInput input;
  input.read = [&](char* buffer, std::size_t size) {
    const std::size_t count = std::min(size, text.size() - at);
    text.copy(buffer, count, at);
    at += count;
    return static_cast<long>(count);
  };
  assay::BatchOutput output;
  output.write = [&](std::string_view block) {
    written += block.size();
    return true;
  };
  if (only_make) return;
  if (batch.run(input, output).faulty > 0 || written == 0) std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: assay-count judge|skill|patch [no-]row|columns|file ROWS\n", stderr);
    return 2;
  }
  const std::string_view workload = argv[1];
  std::string_view mode = argv[2];
  only_make = mode.substr(0, 3) == "no-";
  if (only_make) mode.remove_prefix(3);
  const std::size_t rows = static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10));
  if (rows == 0 || rows > (1 << 16)) return 2;
  const bool file = mode == "file", one = mode == "row";
  if (!file && !one && mode != "columns") return 2;
  if (workload == "judge") {
    if (file) score_lines("judge", lines(judged(rows)));
    else score("judge", judged(rows), one);
  } else if (workload == "skill") {
    if (file) score_lines("skill", lines(skills(rows)));
    else score("skill_counts", skills(rows), one);
  } else if (workload == "patch") {
    if (file) score_lines("patch", lines(patches(rows)));
    else score("patch", patches(rows), one);
  } else {
    return 2;
  }
  return 0;
}
