// Checks that every row of lang/text/diagnostics.def appears in at least one case of tests/corpus, where its message
// can be read in context.
#include "tests/unit/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

namespace {

struct Row {
  const char* code;
  const char* name;
};
constexpr Row kRows[] = {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) {code, #name},
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
};

}  // namespace

TEST_CASE("every diagnostic has a case in the corpus") {
  std::string seen;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "tests" / "corpus")) {
    if (entry.path().extension() != ".case") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    seen.append(std::istreambuf_iterator<char>(in), {});
  }
  REQUIRE(!seen.empty());
  for (const Row& row : kRows) {
    INFO("no case of tests/corpus shows " << row.code << " (" << row.name << ")");
    CHECK(seen.find("[" + std::string(row.code) + "]:") != std::string::npos);
  }
}

TEST_CASE("no two diagnostics share a code") {
  for (const Row& row : kRows) {
    for (const Row& other : kRows) {
      INFO(row.name << " and " << other.name);
      CHECK((&row == &other || std::string(row.code) != other.code));
    }
  }
}
