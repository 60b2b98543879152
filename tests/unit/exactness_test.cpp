// Exactness as a property: random records of every shipped rubric have the same verdict in three ways of evaluation,
// and the judge rubric agrees with the same computation written by hand in integers. If kernels compute fields, they
// agree, too. The long run is assay-exactness.
#include "tests/property/exactness.hpp"
#include "tests/property/record_generator.hpp"

#include "tests/unit/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

using namespace assay;
using namespace assay_tests;

namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> paths;
  for (const auto& folder : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/rubrics")) {
    if (!folder.is_directory()) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      if (file.path().extension() == ".rubric") paths.push_back(file.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> others() {
  std::vector<std::string> paths;
  for (const char* folder : {ASSAY_SOURCE_DIR "/rubrics/gallery", ASSAY_SOURCE_DIR "/tests/bench/workloads"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.path().extension() == ".rubric") paths.push_back(file.path().string());
    }
  }
  paths.emplace_back(ASSAY_SOURCE_DIR "/tests/property/ranges.rubric");
  std::sort(paths.begin(), paths.end());
  return paths;
}

// ---- judge by hand: everything in units of 10^-14, which is exact for every product here

__extension__ typedef __int128 Wide;

constexpr int kDecimals = 12;                // of a judged number
constexpr Wide kUnit = 100'000'000'000'000;  // 10^14: 12 decimals and the percent of a weight

struct Judged {
  Wide hundredths = 0;  // the score
  const char* grade = "";
};

Judged judge_by_hand(const std::vector<std::int64_t>& scores, std::int64_t flags, std::int64_t bonuses) {
  constexpr int kPercent[] = {25, 20, 15, 15, 10, 10, 5};
  Wide total = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) total += Wide{scores[i]} * kPercent[i];
  total -= std::min<Wide>(flags * kUnit / 2, 2 * kUnit);
  total = std::clamp<Wide>(total, kUnit, 10 * kUnit);
  total += std::min<Wide>(bonuses * kUnit / 4, kUnit);
  total = std::clamp<Wide>(total, kUnit, 10 * kUnit);
  Judged result;
  result.hundredths = (total + kUnit / 200) / (kUnit / 100);  // half away from zero: all is positive
  constexpr std::pair<int, const char*> kBands[] = {{950, "A+"}, {900, "A"},  {850, "A-"}, {800, "B+"},
                                                    {750, "B"},  {700, "B-"}, {650, "C+"}, {600, "C"},
                                                    {550, "C-"}, {500, "D+"}, {400, "D"},  {100, "F"}};
  for (const auto& [from, grade] : kBands) {
    if (result.hundredths < from) continue;
    result.grade = grade;
    break;
  }
  return result;
}

std::string decimal(std::int64_t n, int decimals) {  // n > 0
  std::string digits = std::to_string(n);
  if (digits.size() <= static_cast<std::size_t>(decimals))
    digits.insert(0, static_cast<std::size_t>(decimals) + 1 - digits.size(), '0');
  return digits.insert(digits.size() - static_cast<std::size_t>(decimals), 1, '.');
}

std::string shortest(Wide hundredths) {
  std::string text = decimal(static_cast<std::int64_t>(hundredths), 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("random records of the shipped rubrics are evaluated alike in three ways", "[exactness]") {
  const std::vector<std::string> paths = shipped();
  REQUIRE(paths.size() >= 10);
  for (const std::string& path : paths) {
    INFO(path);
    std::string source;
    const std::optional<Rubric> rubric = load_rubric(path, source);
    REQUIRE(rubric);
    const std::size_t records = rounds(2000);
    const ExactnessRun run = compare_evaluations(*rubric, source, records, 20'240'601);
    CHECK(run.difference.empty());
    if (!run.difference.empty()) UNSCOPED_INFO(run.difference);
    CHECK(run.records == records);
    CHECK(run.scored > records / 10);
    CHECK(run.with_history > 0);
  }
}

TEST_CASE("kernels of the shipped rubrics, the gallery and the workloads say what the VM says", "[exactness]") {
  std::vector<std::string> paths = others();
  const std::vector<std::string> ours = shipped();
  paths.insert(paths.end(), ours.begin(), ours.end());
  std::size_t with_kernel = 0;
  for (const std::string& path : paths) {
    INFO(path);
    std::string source;
    const std::optional<Rubric> rubric = load_rubric(path, source);
    REQUIRE(rubric);
    const std::size_t records = rounds(3000);
    const ExactnessRun run = compare_evaluations(*rubric, source, records, 7);
    CHECK(run.difference == "");
    if (run.fields < 2) continue;
    ++with_kernel;
    CHECK(run.by_lines > records / 60);
  }
  CHECK(with_kernel >= 20);
}

TEST_CASE("judge agrees with integers", "[exactness]") {
  std::string source;
  const std::optional<Rubric> rubric = load_rubric(ASSAY_SOURCE_DIR "/rubrics/judge/judge.rubric", source);
  REQUIRE(rubric);
  Evaluator evaluator(*rubric);
  Random random(7);
  const std::vector<std::string> names{"correctness", "completeness", "adherence",  "actionability",
                                       "efficiency",  "safety",       "consistency"};
  std::set<std::string> grades;
  for (int round = 0; round < 20'000; ++round) {
    // Half of the records are in steps of 0.05 or 0.5, so that scores meet the halves and the bounds of bands.
    const int decimals = random.one_in(2) ? kDecimals : random.one_in(2) ? 2 : 1;
    std::int64_t unit = 1;
    for (int i = decimals; i < kDecimals; ++i) unit *= 10;
    const std::int64_t step = decimals == kDecimals ? 1 : unit * 5;
    const std::int64_t middle = random.within(1, 10);
    std::vector<std::int64_t> scores;
    std::string record = "{\"id\":\"x\"";
    for (const std::string& name : names) {
      const std::int64_t low = std::max<std::int64_t>(1, middle - 2) * 1'000'000'000'000;
      const std::int64_t high = std::min<std::int64_t>(10, middle + 2) * 1'000'000'000'000;
      scores.push_back(low + random.within(0, (high - low) / step) * step);
      record += ",\"" + name + "\":" + decimal(scores.back(), kDecimals);
    }
    const std::int64_t flags = random.one_in(2) ? 0 : random.within(0, 6);
    const std::int64_t bonuses = random.one_in(2) ? 0 : random.within(0, 6);
    const auto names_of = [](std::int64_t n) {
      std::string list = "[";
      for (std::int64_t i = 0; i < n; ++i) list += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\"";
      return list + "]";
    };
    record += ",\"red_flags\":" + names_of(flags) + ",\"bonuses\":" + names_of(bonuses) + "}";
    const Judged expected = judge_by_hand(scores, flags, bonuses);
    const Verdict& verdict = evaluator.score(record);
    if (verdict.error() != nullptr || verdict.json("score") != shortest(expected.hundredths) ||
        verdict.text("grade") != expected.grade) {
      INFO(record);
      INFO(verdict.json());
      CHECK(verdict.json("score") == shortest(expected.hundredths));
      CHECK(verdict.text("grade") == expected.grade);
      REQUIRE(verdict.error() == nullptr);
    }
    grades.insert(expected.grade);
  }
  CHECK(grades.size() == 12);  // every band occurred
}
