// Reads arbitrary bytes as a table for the fast path of files: a header, then rows. The first byte selects the rubric
// and whether records are read strictly. Every row that the fast path accepts must be written as by the complete path.
#include "tests/fuzz/fuzz.hpp"
#include "tests/property/register_pair.hpp"

#include <algorithm>

using namespace assay;

namespace {

std::vector<assay_tests::RegisterPair>& pairs() {
  static std::vector<assay_tests::RegisterPair> made = [] {
    std::vector<assay_tests::RegisterPair> all;
    for (const bool strict : {false, true}) {
      for (const assay_tests::RegisterCase& one : assay_tests::register_cases())
        all.push_back(assay_tests::taught(one, assay_tests::tight_limits(), strict));
    }
    return all;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  assay_tests::RegisterPair& pair = pairs()[bytes[0] % pairs().size()];
  std::string_view rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto line = [&rest] {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return text;
  };
  // Names without quotes: this target does not test how a header is read.
  const std::string header(line());
  if (header.size() > 1000 || header.empty() || header.find_first_of("\"\r\xef") != std::string::npos) return 0;
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= header.size();) {
    const std::size_t end = std::min(header.find(',', at), header.size());
    names.push_back(header.substr(at, end - at));
    at = end + 1;
  }
  const std::shared_ptr<const CsvTable> table = pair.table(std::move(names));
  if (!table) return 0;
  while (!rest.empty()) {
    const std::string_view row = line();
    for (int again = 0; again < 2; ++again) {
      if (const std::optional<std::string> got = pair.fast_row(table, row))
        assay_tests::insist(*got == pair.complete_row(header, row));
    }
  }
  return 0;
}
