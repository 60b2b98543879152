// The fuzzer of structure as a program; see structure.hpp.
//   assay-structure [PART…]                 each series whose name begins with a PART, in four sizes, by bytes allocated
//     --by time|bytes                       by the processor's time instead: for the hand
//     --sizes COUNT                         so many doublings instead of three
//     --least N                             from this size instead of the one of the series
//     --seconds S, --megabytes M            a series ends with the first size that takes more (by time)
//   assay-structure --coverage              what no series exercises
//   assay-structure --list [PART…]          the names of the series
//   assay-structure --show NAME N           a series' rubric, record and file
//   assay-structure --once NAME N           one size, each stage's instructions dumped by callgrind
// Exit 1: a finding. Each series runs in a process of its own, so that one that crashes is a finding, too.
#include "tests/property/structure.hpp"
#include "tests/property/structure_meter.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace assay_tests;

namespace {

struct Settings {
  Stages::By by = Stages::By::bytes;
  int sizes = 4;
  std::size_t least = 0;
  double seconds = 3;
  std::size_t megabytes = 3000;
  bool verbose = false;
};

// Growth that nobody has to count: beneath these, fixed costs and the doubling of containers are what is seen.
constexpr double kExponent = 1.3;
constexpr double kLeastBytes = 256 << 10;
constexpr double kLeastNanoseconds = 20e6;

struct Run {
  std::size_t n = 0;
  bool refused = false;
  std::vector<Stage> stages;
};

const Stage* find(const Run& run, const std::string& name) {
  for (const Stage& stage : run.stages) {
    if (stage.name == name) return &stage;
  }
  return nullptr;
}

// How fast a quantity grows over the last two doublings, as an exponent; what it is at n = 0 does not matter.
double exponent(double a, double b, double c) {
  if (c <= b) return 0;
  return std::log2((c - b) / std::max(b - a, std::max(1.0, b * 0.01)));
}

std::string megabytes(std::uint64_t bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

// What is wrong with the last of the runs, seen from those before it.
void judge(const Growth& growth, const std::vector<Run>& runs, const Settings& settings,
           std::vector<std::string>& found) {
  if (runs.size() < 4 || !growth.because.empty()) return;
  const bool by_time = settings.by == Stages::By::time;
  const Run* last[4];
  for (std::size_t i = 0; i < 4; ++i) last[i] = &runs[runs.size() - 4 + i];
  for (const Stage& stage : last[3]->stages) {
    const Stage* at[4] = {find(*last[0], stage.name), find(*last[1], stage.name), find(*last[2], stage.name), &stage};
    if (at[0] == nullptr || at[1] == nullptr || at[2] == nullptr) continue;
    const auto fit = [&](auto value, int first) {
      return exponent(value(*at[first]), value(*at[first + 1]), value(*at[first + 2]));
    };
    const auto bytes = [](const Stage& s) { return static_cast<double>(s.given) + 4.0 * static_cast<double>(s.steps); };
    const auto worse = [&](auto value, const char* what, double least) {
      if (value(stage) - value(*at[0]) < least) return;
      const double allowed = std::max(1.0, std::max(fit(bytes, 0), fit(bytes, 1)));
      const double first = fit(value, 0), second = fit(value, 1);
      if (first < kExponent * allowed || second < kExponent * allowed) return;
      // Over all four sizes: of a quantity in proportion, seven times as much is added in the end as at first.
      const double added = std::max(1.0, value(*at[1]) - value(*at[0]));
      if (std::log((value(stage) - value(*at[0])) / added) / std::log(7.0) < kExponent * allowed) return;
      char text[300];
      std::snprintf(text, sizeof text,
                    "%s: %s of '%s' grows with n^%.2f (its input and steps with n^%.2f): n = %zu, %s, peak %s",
                    growth.name.c_str(), what, stage.name.c_str(), second, allowed, last[3]->n,
                    by_time ? (std::to_string(stage.work / 1'000'000) + " ms").c_str() : megabytes(stage.work).c_str(),
                    megabytes(stage.peak).c_str());
      found.emplace_back(text);
    };
    worse([](const Stage& s) { return static_cast<double>(s.work); }, by_time ? "time" : "allocation",
          by_time ? kLeastNanoseconds : kLeastBytes);
    // A peak is that of the largest phase: a phase in proportion that overtakes a constant one at most doubles it.
    const double doubled = std::exp2(std::max(1.0, fit(bytes, 1))) * static_cast<double>(at[2]->peak);
    if (allocations_are_counted() && static_cast<double>(stage.peak) > doubled)
      worse([](const Stage& s) { return static_cast<double>(s.peak); }, "memory", kLeastBytes);
  }
}

std::vector<std::string> run_series(const Growth& growth, const Settings& settings) {
  std::vector<std::string> found, doubtful;
  std::vector<Run> runs;
  std::size_t n = settings.least != 0 ? settings.least : growth.least;
  // A buffer that doubles may take its last step within the sizes of the test, which then looks like growth: what is found
  // has to be there at one more size, too, if that one is not refused.
  int sizes = settings.sizes;
  for (int i = 0; i < sizes; ++i, n *= 2) {
    Stages stages(settings.by);
    const Subject subject = growth.subject(n);
    growth.stages(subject, stages);
    Run run{n, stages.was_refused(), stages.all()};
    // What is refused from some size on is another series.
    if (!runs.empty() && runs.back().refused != run.refused) {
      if (!doubtful.empty()) return doubtful;
      runs.clear();
    }
    std::uint64_t slowest = 0, largest = 0;
    for (const Stage& stage : run.stages) {
      slowest = std::max(slowest, stage.work);
      largest = std::max(largest, stage.peak);
      if (settings.verbose) {
        std::fprintf(stderr, "%s n=%zu %s: given %llu steps %llu work %llu peak %llu%s\n", growth.name.c_str(), n,
                     stage.name.c_str(), static_cast<unsigned long long>(stage.given),
                     static_cast<unsigned long long>(stage.steps), static_cast<unsigned long long>(stage.work),
                     static_cast<unsigned long long>(stage.peak), run.refused ? " refused" : "");
      }
    }
    runs.push_back(std::move(run));
    const std::size_t before = found.size();
    judge(growth, runs, settings, found);
    if (found.size() > before) {
      if (!doubtful.empty() || settings.by != Stages::By::bytes) break;
      std::swap(found, doubtful);
      sizes = std::max(sizes, i + 2);
      continue;
    }
    doubtful.clear();
    if (settings.by == Stages::By::time &&
        (static_cast<double>(slowest) > settings.seconds * 1e9 || largest > settings.megabytes * 1'000'000)) {
      if (growth.because.empty()) {
        std::string worst;
        for (const Stage& stage : runs.back().stages)
          if (stage.work == slowest) worst = stage.name;
        found.push_back(growth.name + ": '" + worst + "' of n = " + std::to_string(n) + " takes " +
                        std::to_string(slowest / 1'000'000) + " ms and " + megabytes(largest));
      }
      break;
    }
  }
  return found;
}

// In a child, so that a crash ends one series only. False: there are findings, which have been printed.
bool run_apart(const Growth& growth, const Settings& settings) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    rlimit processor{60, 60};
    setrlimit(RLIMIT_CPU, &processor);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (allocations_are_counted()) {
      rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30};
      setrlimit(RLIMIT_AS, &memory);
    }
#endif
    const std::vector<std::string> found = run_series(growth, settings);
    for (const std::string& finding : found) std::printf("%s\n", finding.c_str());
    std::fflush(stdout);
    _exit(found.empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("%s: ended by signal %d\n", growth.name.c_str(), WTERMSIG(status));
  else if (WEXITSTATUS(status) > 1) std::printf("%s: ended with %d\n", growth.name.c_str(), WEXITSTATUS(status));
  return status == 0;
}

const Growth& named(const std::vector<Growth>& all, const std::string& name) {
  for (const Growth& growth : all) {
    if (growth.name == name) return growth;
  }
  std::fprintf(stderr, "there is no series '%s'\n", name.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> parts;
  bool listed = false;
  const std::vector<Growth> all = all_growths();
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) std::exit(2);
      return argv[++i];
    };
    if (word == "--coverage") {
      const std::vector<std::string> missing = uncovered(all);
      for (const std::string& line : missing) std::printf("%s\n", line.c_str());
      return missing.empty() ? 0 : 1;
    }
    if (word == "--show") {
      const Growth& growth = named(all, value());
      const Subject subject = growth.subject(std::strtoull(value().c_str(), nullptr, 10));
      std::printf("%s\n%s\n%s\n", subject.rubric.c_str(), subject.record.c_str(), subject.file.c_str());
      return 0;
    }
    if (word == "--once") {
      const Growth& growth = named(all, value());
      Stages stages(Stages::By::instructions);
      const Subject subject = growth.subject(std::strtoull(value().c_str(), nullptr, 10));
      growth.stages(subject, stages);
      for (const Stage& stage : stages.all())
        std::printf("%s %llu %llu\n", stage.name.c_str(), static_cast<unsigned long long>(stage.given),
                    static_cast<unsigned long long>(stage.steps));
      return 0;
    }
    if (word == "--list") listed = true;
    else if (word == "--verbose") settings.verbose = true;
    else if (word == "--by") settings.by = value() == "time" ? Stages::By::time : Stages::By::bytes;
    else if (word == "--sizes") settings.sizes = std::atoi(value().c_str());
    else if (word == "--least") settings.least = std::strtoull(value().c_str(), nullptr, 10);
    else if (word == "--seconds") settings.seconds = std::atof(value().c_str());
    else if (word == "--megabytes") settings.megabytes = std::strtoull(value().c_str(), nullptr, 10);
    else parts.push_back(word);
  }
  std::size_t count = 0, failed = 0;
  for (const Growth& growth : all) {
    if (!parts.empty() &&
        std::none_of(parts.begin(), parts.end(), [&](const std::string& p) { return growth.name.starts_with(p); }))
      continue;
    ++count;
    if (listed) std::printf("%s\n", growth.name.c_str());
    else if (!run_apart(growth, settings)) ++failed;
  }
  if (count == 0) {
    std::fputs("there is no such series\n", stderr);
    return 2;
  }
  if (!listed) std::printf("%zu series, %zu with findings\n", count, failed);
  return failed == 0 ? 0 : 1;
}
