// Numbers as people and spreadsheets write them.
#include "lang/number/written_number.hpp"
#include "lang/proof/prose.hpp"
#include "tests/unit/catch.hpp"

#include <string>
#include <string_view>

namespace assay {

TEST_CASE("numbers with signs, units and marks between digits") {
  struct Row {
    std::string_view written, text;
    bool certain;
  };
  static constexpr Row kRows[] = {{"5", "5", true},
                                  {"007", "7", true},
                                  {"-.5", "-0.5", true},
                                  {"+3", "3", true},
                                  {"€ 1.234,50", "1234.50", true},
                                  {"1,234.5", "1234.5", true},
                                  {"1,234", "1234", false},
                                  {"0,500", "0.500", true},
                                  {"1.234.567", "1234567", true},
                                  {"12 kg", "12", true},
                                  {"62 m²", "62", true},
                                  {"−3", "-3", true},
                                  {"7 %", "7", true},
                                  {"EUR 20", "20", true},
                                  {"20CHF", "20", true},
                                  {"1'000", "1000", true},
                                  {"2e3", "2e3", true},
                                  {"5.", "5", true}};
  for (const Row& row : kRows) {
    INFO(row.written);
    const auto number = written_number(row.written);
    REQUIRE(number);
    CHECK(number->text == row.text);
    CHECK(number->certain == row.certain);
  }
  CHECK(written_number("7 %")->percent);
  CHECK(written_number("12 kg")->unit == "kg");
  for (const std::string_view none : {"", "abc", "5k", "1,2,3", "1.2,3.4", "ABC123", "-", "5-6"}) {
    INFO(none);
    CHECK(!written_number(none));
  }
  CHECK(says_unknown("N/A"));
  CHECK(says_unknown("#DIV/0!"));
  CHECK(!says_unknown("0"));
}

TEST_CASE("bounds in prose") {
  NumberPool pool;
  struct Row {
    std::string_view prose, op;
    bool demands;
  };
  static constexpr Row kRows[] = {{"At least three sources", ">=", true}, {"No more than 5 errors", "<=", true},
                                  {"5 errors or more", ">=", false},      {"Ten or more", ">=", false},
                                  {"Fewer than 2 samples", "<", false},   {"Scores below 40%", "<", false}};
  for (const Row& row : kRows) {
    INFO(row.prose);
    const auto said = bound_said(row.prose, pool);
    REQUIRE(said.has_value() == !row.op.empty());
    if (!said) continue;
    CHECK(said->op == row.op);
    CHECK(said->demands == row.demands);
  }
  for (const std::string_view none : {"Not below 5", "At least 3 of 5", "A few", "Never more than 5 errors"}) {
    INFO(none);
    CHECK(!bound_said(none, pool));
  }
  CHECK(opposite_of(">=") == "<");
  CHECK(turned(">=") == "<=");
}

}  // namespace assay
