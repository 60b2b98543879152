// Checks that the rows of lang/syntax/declarations.def are consistent, and that each word, key and role has the effect
// that its row states.
#include "lang/syntax/declarations.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/ast.hpp"
#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>

using namespace assay;

namespace {

// The words of a column, separated by blanks.
std::vector<std::string> words(std::string_view column) {
  std::vector<std::string> all;
  while (!column.empty()) {
    const std::size_t end = std::min(column.find(' '), column.size());
    all.emplace_back(column.substr(0, end));
    column.remove_prefix(std::min(end + 1, column.size()));
  }
  return all;
}

bool begins(const std::string& text) { return begins_declaration(text, rough_token(text, 0)); }

}  // namespace

TEST_CASE("a row for each node, and each word once") {
  CHECK(std::size(kItemRows) == std::variant_size_v<ast::AnyItem>);
  std::set<std::string> all;
  for (const DeclarationWord& row : kDeclarationWords) {
    INFO(row.word);
    CHECK(all.insert(std::string(row.word)).second);
    CHECK(find_declaration(row.word) == &row);
  }
  for (const DeclarationWord& row : kDeclarationWords) {
    for (const std::string& foreign : words(row.foreign)) {
      INFO(foreign);
      CHECK(all.insert(foreign).second);  // neither a word of the language nor of another row
      CHECK(declaration_word_for(foreign) == row.word);
    }
  }
  CHECK(declaration_word_for("nothing").empty());
}

TEST_CASE("a word begins a declaration by what follows it") {
  for (const DeclarationWord& row : kDeclarationWords) {
    const std::string word(row.word);
    INFO(word);
    CHECK_FALSE(begins(word + " ;"));
    CHECK_FALSE(begins(word));
    for (const std::string& what : words(row.follows)) {
      INFO(what);
      const std::string next = what == "TEXT"                                          ? "\"text\""
                               : what == "NUMBER"                                      ? "12"
                               : what == "WORD" || what == "NAME" || what == "DEFINED" ? "name"
                                                                                       : what;
      CHECK(begins(word + " " + next));
      if (what == "NAME") CHECK_FALSE(begins(word + " when"));
      if (what == "WORD") CHECK(begins(word + " when"));
      if (what == "DEFINED") {
        CHECK_FALSE(begins(word + " when x"));
        CHECK(begins(word + " when = 1"));
      }
    }
  }
}

TEST_CASE("a verdict has the keys of the rows, with their roles") {
  const Compiled compiled = compile("r.rubric", R"rubric(
rubric r {
  scale 0..10 decimals 1
  dimension a weight 100%
  cap score at 9
  bands grade(score) {
    | score | label | grade |
    | >= 5  | "ok"  | "A"   |
    | >= 0  | "bad" | "B"   |
  }
  output coverage = 2
  output twice = 2 * a
}
)rubric");
  REQUIRE(compiled.rubric);
  using Role = FieldInfo::Role;
  std::string bands, attributes, outputs;
  std::set<std::string> keys;
  for (const FieldInfo& field : compiled.rubric->fields()) {
    if (field.role == Role::key) CHECK(keys.insert(field.name).second);
    if (field.role == Role::band) bands += field.name + " ";
    if (field.role == Role::band_attribute) attributes += field.name + " ";
    if (field.role == Role::output) outputs += field.name + " ";
  }
  CHECK(bands == "grade ");
  CHECK(attributes == "grade_label ");
  CHECK(outputs == "coverage twice ");
  for (const VerdictKey& row : kVerdictKeys) {
    INFO(row.key);
    CHECK(keys.count(std::string(row.key)) == (row.key != "coverage"));
  }
  for (const AdjustmentRow& row : kAdjustments) {
    CHECK(keys.count(std::string(row.list)) == 1);
    CHECK(keys.count(std::string(row.total)) == 1);
  }
}

TEST_CASE("a key that comes with words is in the verdicts of rubrics that have one of them, and in no others") {
  const auto keys_of = [](const char* text) {
    const Compiled compiled = compile("r.rubric", text);
    REQUIRE(compiled.rubric);
    std::set<std::string> keys;
    for (const FieldInfo& field : compiled.rubric->fields()) keys.insert(field.name);
    return keys;
  };
  const std::set<std::string> scored = keys_of("rubric r { scale 0..10 dimension a weight 100% }");
  const std::set<std::string> plain = keys_of("rubric r { output x = 1 }");
  const std::set<std::string> labelled = keys_of(
      "rubric r { input n: number missing 0 gate g = n >= 0 flag f when n > 1 advice \"a\" when n > 2 output x = n }");
  const std::set<std::string> empty_alone = {"gates", "degraded", "flags", "advice"};  // without such declarations
  for (const VerdictKey& row : kVerdictKeys) {
    INFO(row.key);
    const std::string words = " " + std::string(row.only_with) + " ";
    const bool with_scale = row.only_with.empty() || words.find(" scale ") != words.npos;
    CHECK(scored.count(std::string(row.key)) == with_scale);
    CHECK(labelled.count(std::string(row.key)) == row.only_with.empty());
    CHECK(plain.count(std::string(row.key)) == (row.only_with.empty() && empty_alone.count(std::string(row.key)) == 0));
    for (std::string_view rest = row.only_with; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      CHECK(find_declaration(rest.substr(0, end)) != nullptr);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}
