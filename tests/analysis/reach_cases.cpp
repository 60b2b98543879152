// `reach` on the records of the conformance cases: which share of its answers is proved the smallest, and how long they
// take. Usage: assay-reach-cases DIRECTORY-OF-RUBRICS DIRECTORY-OF-CASES EVERY SHARE BOXES; every EVERY-th record; fails
// when less than SHARE percent of all, or with EVERY 1 of any rubric, are proved within so many boxes each. Boxes are counted, not timed, so that a busy
// machine changes nothing; a thousand of them take about 20 ms of processor time.
//
// The goal is the next better band; where a rubric has none in an order, a score that is higher by a twentieth of the
// scale, and before that to be eligible. Records at the top of all that do not count.
#include <assay/analysis.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

assay::Settings settings_of(const Json& request) {
  assay::Settings settings;
  if (request.contains("context") && request["context"].is_array()) {
    for (const Json& context : request["context"]) settings.contexts.push_back(context.get<std::string>());
  }
  if (request.contains("weights") && request["weights"].is_object()) {
    for (const auto& [name, weight] : request["weights"].items()) settings.weights.emplace_back(name, weight.dump());
  }
  return settings;
}

struct Count {
  std::size_t asked = 0, top = 0, fewest = 0, least = 0, none = 0, slow = 0;
  double longest = 0, total = 0;
};

// What to ask for; empty: nothing.
bool next_target(const assay::Rubric& rubric, const Json& verdict, bool bands, std::string& target) {
  target.clear();
  if (bands) return true;
  if (verdict.value("status", "") != "eligible") return target = "eligible", true;
  if (!verdict.contains("score") || !verdict["score"].is_number()) return false;
  const double top = rubric.name() == "patch" ? 100 : 5, low = rubric.name() == "patch" ? 0 : 1;
  const double score = verdict["score"].get<double>();
  if (score >= top) return false;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", std::min(top, score + (top - low) / 20));
  target = text;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const fs::path rubrics = argv[1], cases = argv[2];
  const auto every = static_cast<std::size_t>(std::atoi(argv[3]));
  const double share = std::atof(argv[4]), limit = std::atof(argv[5]);
  Count all;
  bool below = false;
  std::vector<fs::path> directories(fs::directory_iterator(cases), fs::directory_iterator{});
  std::sort(directories.begin(), directories.end());
  for (const fs::path& directory : directories) {
    const std::string name = directory.filename();
    const fs::path file = rubrics / name / (name + ".rubric");
    if (!fs::exists(file) || !fs::exists(directory / "cases.ndjson")) continue;
    assay::CompileOptions options;
    options.importer = [&](std::string_view path, std::string_view from,
                           std::string& at_name) -> std::optional<std::string> {
      const fs::path at = fs::weakly_canonical(fs::path(std::string(from)).parent_path() / std::string(path));
      if (!fs::exists(at)) return std::nullopt;
      at_name = at.string();
      return read(at);
    };
    const assay::Compiled compiled = assay::compile(file.string(), read(file), options);
    if (!compiled.rubric) return std::fprintf(stderr, "%s does not compile\n", name.c_str()), 1;
    std::ifstream lines(directory / "cases.ndjson");
    Count count;
    std::size_t index = 0;
    for (std::string line; std::getline(lines, line);) {
      const Json request = Json::parse(line);
      if (request.value("op", "") != "score" || request.contains("expect_error") || index++ % every != 0) continue;
      assay::Analysis analysis(*compiled.rubric);
      assay::Evaluator evaluator(*compiled.rubric);
      const assay::Settings settings = settings_of(request);
      if (analysis.configure(settings) || evaluator.configure(settings)) continue;
      const std::string record = request["input"].dump();
      const assay::Verdict& verdict = evaluator.score(record);
      if (verdict.error() != nullptr || !compiled.rubric->scored()) continue;
      assay::Reach reach;
      std::string target;
      const bool bands = name == "judge" || name == "skill";
      if (!next_target(*compiled.rubric, Json::parse(verdict.json()), bands, target)) {
        ++count.top;
        continue;
      }
      const std::clock_t begin = std::clock();  // of the processor: others may be at work, too
      assay::ReachQuestion question;
      question.target = target;
      if (const auto error = analysis.reach(record, question, reach)) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), std::string(error->message).c_str());
        return 1;
      }
      const double took = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (reach.already) {
        ++count.top;
        continue;
      }
      ++count.asked;
      const bool quick = static_cast<double>(reach.boxes) <= limit;
      count.fewest += reach.fewest.proved && quick ? 1 : 0;
      count.least += reach.least.proved && quick ? 1 : 0;
      count.none += reach.fewest.found ? 0 : 1;
      count.slow += quick ? 0 : 1;
      count.longest = std::max(count.longest, took);
      count.total += took;
      if (std::getenv("ASSAY_REACH_TELL") != nullptr && !(reach.fewest.proved && reach.least.proved && quick))
        std::printf("%s %s %d%d %.0f ms: %s\n", name.c_str(), reach.target.c_str(), reach.fewest.proved,
                    reach.least.proved, took, record.c_str());
    }
    if (count.asked == 0) continue;
    const auto percent = [&](std::size_t n) {
      return 100.0 * static_cast<double>(n) / static_cast<double>(count.asked);
    };
    std::printf(
        "%-8s %4zu records, %zu at the top: fewest proved %.1f%%, least proved %.1f%%, nothing found %zu; "
        "mean %.1f ms, longest %.1f ms, over the limit %zu\n",
        name.c_str(), count.asked, count.top, percent(count.fewest), percent(count.least), count.none,
        count.total / static_cast<double>(count.asked), count.longest, count.slow);
    below = below || (every == 1 && std::min(percent(count.fewest), percent(count.least)) < share);
    all.asked += count.asked;
    all.fewest += count.fewest;
    all.least += count.least;
  }
  const double fewest = 100.0 * static_cast<double>(all.fewest) / static_cast<double>(all.asked);
  const double least = 100.0 * static_cast<double>(all.least) / static_cast<double>(all.asked);
  std::printf("all %zu: fewest proved %.1f%%, least proved %.1f%%\n", all.asked, fewest, least);
  return !below && all.asked > 0 && fewest >= share && least >= share ? 0 : 1;
}
