// Runs PEGTL's analysis of the grammar: no rule may loop without consuming input.
#include "tests/unit/catch.hpp"

#include "lang/parse/grammar.hpp"

#include <tao/pegtl/contrib/analyze.hpp>

TEST_CASE("the grammar has no rule that can loop without progress", "[parse]") {
  CHECK(tao::pegtl::analyze<assay::grammar::file>() == 0);
  CHECK(tao::pegtl::analyze<assay::grammar::lone_expr>() == 0);
}
