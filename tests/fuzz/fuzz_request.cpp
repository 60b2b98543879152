// Sends arbitrary bytes as a request to a shipped rubric that the first line names. The answer must be one line, and
// the same each time.
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(bytes), size);
  assay_tests::FuzzedRubric& chosen = assay_tests::choose_rubric(input);
  const std::string answer(chosen.evaluator->eval(input));
  assay_tests::insist(!answer.empty() && answer.find('\n') == std::string::npos && assay::is_utf8(answer));
  assay_tests::insist(chosen.evaluator->eval(input) == answer);
  return 0;
}
