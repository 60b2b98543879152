// assay-habits [COUNT [SEED]]: prints the shares of habits that are found, located and mended, by group, and the cases
// that were not mended. Fails if fewer than 97 % are mended, or fewer than 99 % found and located.
#include "tests/property/habits.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace assay_tests;
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<HabitFailure> failures;
  Share all;
  for (const auto& [group, share] : measure_habits(seed, count, failures)) {
    std::printf("%-12s %5zu tried %5zu found %5zu placed %5zu mended\n", group.c_str(), share.tried, share.found,
                share.placed, share.mended);
    all.add(share);
  }
  for (const HabitFailure& f : failures) {
    std::printf("%s %s (%s)\n  was: %s\n  now: %s\n%s\n", f.group.c_str(), f.name.c_str(), f.file.c_str(),
                f.before.c_str(), f.after.c_str(), f.message.c_str());
  }
  const auto percent = [&all](std::size_t n) {
    return 100.0 * static_cast<double>(n) / static_cast<double>(all.tried);
  };
  std::printf("seed %llu, %zu tried: %.1f %% found, %.1f %% placed, %.1f %% mended\n",
              static_cast<unsigned long long>(seed), all.tried, percent(all.found), percent(all.placed),
              percent(all.mended));
  return all.tried > 0 && percent(all.mended) >= 97 && percent(all.found) >= 99 && percent(all.placed) >= 99 ? 0 : 1;
}
