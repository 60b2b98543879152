// Generates records of the three workloads, in memory and as lines of NDJSON. They are the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// SplitMix64.
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

inline constexpr std::array<const char*, 7> kScores = {"correctness", "completeness", "adherence",  "actionability",
                                                       "efficiency",  "safety",       "consistency"};
inline constexpr std::array<std::string_view, 8> kFlags = {"hardcoded_secret", "sql_injection", "missing_tests",
                                                           "broken_build",     "made_up_api",   "ignored",
                                                           "destructive",      "licence"};
inline constexpr std::array<const char*, 12> kMetrics = {
    "test_pass_ratio",  "static_health", "intent_match",     "blast_radius", "risky_change", "dependency_risk",
    "complexity_delta", "readability",   "added_docs_tests", "runtime",      "token_cost",   "historical_fit"};
inline constexpr std::array<const char*, 5> kGates = {"applies_cleanly", "paths_allowed", "no_destructive_git",
                                                      "security_clean", "functional_viable"};
inline constexpr std::array<const char*, 7> kAmounts = {
    "tokens_used", "output_size", "files_changed", "duration_ms", "requested_items", "delivered_items", "tool_calls"};
inline constexpr std::array<const char*, 14> kTruths = {"failed",
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

inline std::vector<Judged> judged(std::size_t rows) {
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
inline std::vector<Skill> skills(std::size_t rows) {
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
inline std::vector<Patch> patches(std::size_t rows) {
  Random random{3};
  std::vector<Patch> records(rows);
  for (Patch& r : records) {
    for (double& metric : r.metrics) metric = random.in(0, 99) < 6 ? __builtin_nan("") : random.in(0, 1000) / 1000.0;
    for (auto& gate : r.gates) gate = random.in(0, 49) != 0;
    r.has_tests = random.in(0, 9) != 0;
  }
  return records;
}

// ---- records as lines

inline std::string lines(const std::vector<Judged>& records) {
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
inline std::string lines(const std::vector<Skill>& records) {
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
inline std::string lines(const std::vector<Patch>& records) {
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

}  // namespace bench
