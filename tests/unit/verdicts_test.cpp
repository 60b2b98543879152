// Verdicts as lines, cells and tables: <assay/verdicts.hpp>. What the command writes with it is in tests/cli.
#include <assay/verdicts.hpp>

#include "tests/unit/given.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace assay;

namespace {

constexpr std::string_view kRubric = R"(
rubric essay "Essays" {
  scale 0..10 decimals 1
  dimension clarity weight 60%
  dimension depth weight 40%
  input words: whole >= 0
  input tags: list of text optional
  bands grade(score) {
    | score     | grade  |
    | >= 5      | "pass" |
    | otherwise | "fail" |
  }
  output long = words > 500
  output labels = tags
  flag "short" when words < 100
})";

constexpr std::string_view kRecords = R"({"id":"a","clarity":9,"depth":4,"words":80}
{"id":"b","clarity":"x","depth":11,"words":600}
{"id":"c","clarity":2,"depth":3,"words":600}
)";

Rubric essay() {
  Compiled compiled = compile("essay.rubric", std::string(kRubric), {});
  INFO(render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

// What a run writes in the format.
std::string written(std::string_view format, const std::vector<std::string>& columns, std::string_view cohort = {}) {
  const Rubric rubric = essay();
  std::string text;
  VerdictPrinter writer([&text](std::string_view more) { return text += more, true; }, *find_output_format(format),
                        columns);
  BatchOptions options;
  options.render = writer.render();
  Batch batch(rubric, options);
  const Batch::Result result = batch.run(
      {Format::ndjson, reader_of(kRecords), {}},
      {[&writer](std::string_view block) { return writer.add(block); }, [](std::uint64_t, const InputError&) {}});
  CHECK(result.records == 3);
  CHECK(result.rejected == 1);
  CHECK(writer.end(cohort, true));
  return text;
}

const std::vector<std::string> kColumns = {"id", "status", "score", "dimensions.depth.score", "error"};
constexpr std::string_view kErrors =
    "\"clarity is the text \"\"x\"\", expected a number 0..10; depth is 11, expected a number 0..10\"";

}  // namespace

TEST_CASE("the columns of a table of verdicts are what a reader asks first") {
  const Rubric rubric = essay();
  CHECK(verdict_columns(rubric) == std::vector<std::string>{"id", "status", "score", "grade",
                                                            "dimensions.clarity.score", "dimensions.depth.score",
                                                            "flags"});
  CHECK(band_fields(rubric) == std::vector<std::string>{"grade"});
  CHECK(plain_outputs(rubric) == std::vector<std::string>{"grade", "long"});
  CHECK(has_field(rubric, "labels"));
  CHECK(!has_field(rubric, "label"));
  CHECK(column_heading("dimensions.depth.score") == "depth");
  CHECK(column_heading("dimensions..score") == "dimensions..score");
  CHECK(verdict_keys(rubric, {"id", "dimensions.depth.score", "dimensions.clarity.score", "score"}) ==
        std::vector<std::string>{"id", "dimensions", "score"});
}

TEST_CASE("verdicts are written as rows of cells, with all that is wrong with a record") {
  CHECK(written("csv", kColumns) ==
        "id,status,score,depth,error\n"
        "a,eligible,7,4,\n"
        "b,error,,," +
            std::string(kErrors) +
            "\n"
            "c,eligible,2.4,3,\n");
  CHECK(written("tsv", {"id", "score"}) == "id\tscore\na\t7\nb\t\nc\t2.4\n");
}

TEST_CASE("verdicts are written as an array, as lines, and as tables") {
  const std::string array = written("json", {}, "{\"n\":2}");
  CHECK(array.starts_with("[\n{"));
  CHECK(array.ends_with("},\n{\"cohort\":{\"n\":2}}\n]\n"));
  const std::string lines = written("jsonl", {}, "{\"n\":2}");
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 4);
  CHECK(lines.ends_with("{\"cohort\":{\"n\":2}}\n"));
  CHECK(written("table", {"id", "status", "score", "dimensions.depth.score"}) ==
        "id  status    score  depth\n"
        "--  --------  -----  -----\n"
        "a   eligible      7      4\n"
        "b   error\n"
        "c   eligible    2.4      3\n");
  CHECK(written("md", {"id", "score"}, "{\"n\":2}") ==
        "| id | score |\n| --- | ---: |\n| a | 7 |\n| b |  |\n| c | 2.4 |\n"
        "\n```json\n{\n  \"cohort\": {\n    \"n\": 2\n  }\n}\n```\n");
}

TEST_CASE("an empty run is an empty array, a header, and an empty table") {
  const auto ended = [](std::string_view format) {
    std::string text;
    VerdictPrinter writer([&text](std::string_view more) { return text += more, true; }, *find_output_format(format),
                          {"id"});
    writer.end({}, true);
    return text;
  };
  CHECK(ended("json") == "[]\n");
  CHECK(ended("ndjson").empty());
  CHECK(ended("csv") == "id\n");
  CHECK(ended("table") == "id\n--\n");
}

TEST_CASE("a row of cells is quoted where a reader of CSV would take it apart") {
  CHECK(separated_row({"a,b", "say \"x\"", "two\nlines", ""}, ',') == "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\n");
  CHECK(separated_row({"a,b", "c\td"}, '\t') == "a,b\t\"c\td\"\n");
  CHECK(separated_row({""}, ',') == "\"\"\n");  // otherwise an empty line, which readers pass over
}

TEST_CASE("a table fits the width that it is given") {
  const TextTable table{{"name", "score", "reason"}, {{"日本", "7.5", "because it is a long text"}, {"b", "10", ""}}};
  CHECK(table.text() ==
        "name  score  reason\n----  -----  -------------------------\n日本    7.5  because it is a long text\n"
        "b        10\n");
  CHECK(table.text(24) == "name  score  reason\n----  -----  -----------\n日本    7.5  because it…\nb        10\n");
  CHECK(table.text(12) == "name  score\n----  -----\n日本    7.5\nb        10\n(too narrow for: reason)\n");
}

TEST_CASE("formats are known by their names and endings") {
  CHECK(find_output_format("md") == find_output_format("markdown"));
  CHECK(find_output_format("") == nullptr);
  CHECK(find_output_format("parquet") == nullptr);
  CHECK(output_format_names(false, false) ==
        std::vector<std::string>{"ndjson", "json", "csv", "tsv", "table", "markdown"});
  CHECK(output_format_names(true, true).back() == "npy");
}
