// Reads arbitrary bytes as lines for the fast path of files, with the rubric that the first byte selects, strictly or
// not. Every accepted line must be written as by the complete path, whatever lines came before.
#include "tests/fuzz/fuzz.hpp"
#include "tests/property/register_pair.hpp"

#include <algorithm>

using namespace assay;

namespace {

struct Chosen {
  assay_tests::RegisterPair pair;
  std::vector<std::string> usual;  // records that reset the learned state
};

std::vector<Chosen>& pairs() {
  static std::vector<Chosen> made = [] {
    std::vector<Chosen> all;
    for (const bool strict : {false, true}) {
      for (const assay_tests::RegisterCase& one : assay_tests::register_cases()) {
        all.push_back({assay_tests::taught(one, assay_tests::tight_limits(), strict), {}});
        for (std::uint64_t i = 0; all.back().usual.size() < 4; ++i) {
          const std::string record = one.record(i);
          if (all.back().pair.fast(record)) all.back().usual.push_back(record);
        }
      }
    }
    return all;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  Chosen& chosen = pairs()[bytes[0] % pairs().size()];
  std::string_view rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    for (int again = 0; again < 2; ++again) {
      if (const std::optional<std::string> got = chosen.pair.fast(line))
        assay_tests::insist(*got == chosen.pair.complete(line));
    }
  }
  for (const std::string& record : chosen.usual) assay_tests::insist(chosen.pair.fast(record).has_value());
  return 0;
}
