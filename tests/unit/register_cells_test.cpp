// The kernel on rows of CSV tables, against the same rows as JSON: every accepted row has the same output, and almost
// all ordinary rows are accepted, so that the comparison is meaningful.
#include "tests/property/csv_rows.hpp"
#include "tests/property/random.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/catch.hpp"

#include <algorithm>

using namespace assay;
using namespace assay_tests;

namespace {

// A table of one of the rubrics.
struct Rows {
  RegisterPair& pair;
  std::vector<std::string> columns;
  CsvStyle style;
  std::string header = csv_header(columns, style);
  std::shared_ptr<const CsvTable> table =
      pair.table(style.separator == ',' ? columns : std::vector<std::string>{csv_header(columns, {';'})});

  // True if the fast path accepted the row, with the same output.
  bool same(const std::string& row) {
    const std::optional<std::string> got = pair.fast_row(table, row);
    if (!got) return false;
    const std::string expected = pair.complete_row(header, row);
    if (*got == expected) return true;
    INFO(header);
    INFO(row);
    CHECK(*got == expected);
    return false;
  }
  bool taken(const std::string& row) { return pair.fast_row(table, row).has_value(); }
};

std::vector<std::string> columns_of(const RegisterCase& one) {
  std::vector<std::string> records;
  for (std::uint64_t i = 0; i < 200; ++i) records.push_back(one.record(i));
  std::vector<std::string> columns = csv_columns(records);
  // An object there is one of many values that the input may have.
  std::erase_if(columns, [](const std::string& column) { return column.starts_with("free."); });
  return columns;
}

// The share of these rows that is accepted, in percent.
std::uint64_t share(Rows& rows, const RegisterCase& one, std::uint64_t count) {
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(i);
    taken += rows.same(csv_row(one.record(i), rows.columns, rows.style, random));
  }
  return 100 * taken / count;
}

// Damage to cells, in addition to damage to JSON.
std::string torn(std::string row, Random& random) {
  static const std::vector<std::string> kPieces = {";", ",", "\"\"", "\"", "\";\"", "\",\"", "\r",
                                                   " ", "[", "[]",   "{}", "null",  "\"x\""};
  for (std::uint64_t changes = 1 + random.below(2); changes > 0; --changes) {
    const std::size_t at = random.below(row.size() + 1);
    random.one_in(2) ? row.insert(at, random.pick(kPieces)) : row.replace(at, 1, random.pick(kPieces));
  }
  return row;
}

}  // namespace

TEST_CASE("ordinary rows are taken, and their verdicts are those of the same records as JSON") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one);
    for (const CsvStyle& style :
         {CsvStyle{}, CsvStyle{',', 3}, CsvStyle{',', 1, true}, CsvStyle{',', 0, false, true}}) {
      Rows rows{pair, columns_of(one), style};
      CHECK(share(rows, one, 1500) >= 98);  // an item of a list with a space at its end is another without it
    }
  }
}

TEST_CASE("columns in any order, missing ones, unknown ones, and the other separator") {
  const std::vector<std::string> unknown = {"zz",      "zz.a", "zz.b.c", "scores.zz", "gates.zz.a",
                                            "part.zz", "id.x", "",       ".",         "ä"};
  for (std::size_t turn = 0; turn < 2 * register_cases().size(); ++turn) {
    const RegisterCase& one = register_cases()[turn / 2];
    const bool strict = turn % 2 == 1;  // then the columns are known, or their cells empty
    INFO(one.path);
    RegisterPair pair = taught(one, {}, strict);
    std::uint64_t taken = 0, all = 0;
    for (std::uint64_t seed = 0; seed < (strict ? 60 : 120); ++seed) {
      Random random(seed);
      std::vector<std::string> columns = columns_of(one);
      for (std::size_t i = columns.size(); i > 1; --i) std::swap(columns[i - 1], columns[random.below(i)]);
      for (std::uint64_t left = random.below(3); left > 0; --left)
        columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(random.below(columns.size())));
      for (std::uint64_t left = random.below(3); left > 0; --left) {
        const std::string& name = random.pick(unknown);
        if (std::find(columns.begin(), columns.end(), name) == columns.end())
          columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(random.below(columns.size())), name);
      }
      Rows rows{pair, columns, {random.one_in(3) ? ';' : ',', random.below(4), random.one_in(2), random.one_in(2)}};
      for (std::uint64_t i = 0; i < 50; ++i, ++all) {
        std::string row = csv_row(one.record(random.next()), columns, rows.style, random);
        if (random.one_in(3)) row = torn(row, random);  // a cell of an unknown column, above all
        taken += rows.same(row);
      }
    }
    CHECK(taken * (strict ? 16 : 8) > all);
  }
}

TEST_CASE("damaged rows are left to the complete path, or mean the same to both") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one);
    std::uint64_t taken = 0, refused = 0;
    for (const CsvStyle& style : {CsvStyle{}, CsvStyle{',', 2}, CsvStyle{';', 4, true, true}}) {
      Rows rows{pair, columns_of(one), style};
      for (std::uint64_t i = 0; i < 12'000; ++i) {
        Random random(i);
        const std::string row = csv_row(one.record(i % 500), rows.columns, style, random);
        if (rows.same(i % 2 == 0 ? damaged(row, i) : torn(row, random))) ++taken;
        else ++refused;
      }
    }
    CHECK(taken > 1'000);
    CHECK(refused > 1'000);
  }
}

TEST_CASE("cells in any spelling") {
  RegisterPair pair = taught(register_cases()[3]);
  Rows rows{pair,
            {"id", "amount", "names", "extra", "unused.list", "picks", "flag", "free", "whole_part", "remark", "zz"},
            {}};
  // That many cells, all but two of them empty.
  const auto row = [&](std::string_view column, std::string_view text) {
    std::string out;
    for (const std::string& name : rows.columns)
      out.append(name == "id" ? "" : ",").append(name == column ? text : name == "amount" ? "1" : "");
    return out;
  };
  for (const char* text : {"0", "-0", "-0.0", "\"5\"", "50", "-49.99", "0.10", "7.2500000000"}) {
    INFO(text);
    CHECK(rows.same(row("amount", text)));
  }
  for (const char* text :
       {"",   "\"\"", "50.01", "00",  "01",     ".5",  "5.",   "-",    "+1",      "1e1",
        "1 ", " 1",   "\"1",   "1\"", "\"1\"2", "1;2", "true", "null", "\"1\n\"", "12345678901234567890"}) {
    INFO(text);
    CHECK_FALSE(rows.taken(row("amount", text)));
  }
  for (const char* text : {"a", "a;b;a", " a ;  b", ";", " ", ";;", "a;", "\"a;b\"", "\"a,b\"", "\"[\"\"a\"\"]\"", "[]",
                           "[ ]", "\"\"", "ä;€", "\"x\"", "a;b,", "[x;y", "null",
                           "a text of more than sixteen bytes;a text of more than sixteen bytes"}) {
    INFO(text);
    rows.same(row("names", text));
    rows.same(row("extra", text));
    rows.same(row("remark", text));
    rows.same(row("zz", text));
    rows.same(row("id", text));
  }
  CHECK(rows.same(row("names", "a;b;a")));
  CHECK(rows.same(row("names", " ")));
  CHECK(rows.same(row("remark", "\"a, b; c\"")));
  CHECK(rows.same(row("remark", "é€🎉")));
  CHECK(rows.same(row("remark", "null")));
  CHECK(rows.same(row("extra", "a;null;1")));
  CHECK(rows.same(row("extra", "\"[[1],{\"\"a\"\":null}]\"")));
  CHECK(rows.same(row("unused.list", "1;[2]")));
  CHECK(rows.same(row("unused.list", "\"[[1],[2]]\"")));
  CHECK(rows.same(row("picks", "b;a longer choice than a block")));
  CHECK(rows.same(row("flag", "true")));
  CHECK(rows.same(row("flag", "\"false\"")));
  CHECK(rows.same(row("free", "\"{\"\"a\"\":[1]}\"")));
  CHECK(rows.same(row("whole_part", "\"{\"\"kept\"\":{\"\"ratio\"\":0.5},\"\"level\"\":1}\"")));
  for (const auto& [column, text] : std::vector<std::pair<std::string, std::string>>{{"picks", "c"},
                                                                                     {"picks", "a;"},
                                                                                     {"flag", "yes"},
                                                                                     {"flag", "truer"},
                                                                                     {"free", "null"},
                                                                                     {"free", "\"\xff\""},
                                                                                     {"id", "a\tb"},
                                                                                     {"id", "a\\b"},
                                                                                     {"id", "a\"b"},
                                                                                     {"remark", "\xc3"},
                                                                                     {"remark", "a\rb"},
                                                                                     {"whole_part", "{}"},
                                                                                     {"unused.list", "x"},
                                                                                     {"zz", "\xed\xa0\x80"}}) {
    INFO(text);
    CHECK_FALSE(rows.taken(row(column, text)));
    CHECK_FALSE(pair.complete_row(rows.header, row(column, text)).empty());
  }
  for (const std::string& text :
       std::vector<std::string>{"", "\r", "r", "r,1", row("zz", "x,"), row("zz", "x") + "\r\r"})
    CHECK_FALSE(rows.taken(text));
  CHECK(rows.same(row("zz", "x") + '\r'));
}

TEST_CASE("a table of one column") {
  const Rubric rubric =
      known_rubric("one.rubric", "rubric one { input a: number optional output b = 1 when a is given else 2 }");
  RegisterPair pair(rubric, {"b"});
  REQUIRE(pair.teach(std::vector<std::string>(20, R"({"a":1.5})")));
  Rows rows{pair, {"a"}, {}};
  CHECK(rows.same("2"));
  CHECK(rows.same("\"2\"\r"));
  for (const char* text : {"", "\"\"", "\r", "\"\"\r", "x", "1,2"}) CHECK_FALSE(rows.taken(text));
}

TEST_CASE("limits hold for rows") {
  const RegisterCase& one = register_cases()[3];
  Limits limits;
  limits.list_items = 3;
  limits.text_bytes = 12;
  limits.nesting = 3;
  limits.record_bytes = 3000;
  RegisterPair pair = taught(one, limits);
  Rows rows{
      pair, {"amount", "names", "extra", "remark", "part.ratio", "unused.list", "whole_part.kept.ratio", "zz.a.b"}, {}};
  CHECK(rows.same("1,a;b;a,x;y;z,twelve bytes,0.5,,,"));
  for (const char* text :
       {"1,a;b;a;c,,,,,,", "1,,a;b;c;d,,,,,", "1,,,thirteen byte,,,,", "1,thirteen byte,,,,,,", "1,,,,,1,,"})
    CHECK_FALSE(rows.taken(text));
  CHECK_FALSE(rows.taken("1,,,,,,," + std::string(600, 'z')));
}

TEST_CASE("a table of many columns") {
  std::string inputs, sum = "0";
  std::vector<std::string> columns{"id"};
  for (int i = 0; i < 150; ++i) {
    const std::string name = "n" + std::to_string(i);
    inputs += "  input " + name + ": number 0..10 optional\n";
    if (i % 7 == 0) sum += " + (" + name + " when " + name + " is given else 1)";
    columns.push_back(name);
    if (i % 2 == 0) columns.push_back("zz.c" + std::to_string(i));
  }
  const std::string text = "rubric wide {\n" + inputs + "  output sum = " + sum + "\n}\n";
  RegisterPair pair(known_rubric("wide.rubric", text), {"id", "sum"});
  const auto row = [&](std::uint64_t seed) {
    Random random(seed);
    std::string out = "r";
    for (std::size_t i = 1; i < columns.size(); ++i)
      out += random.one_in(3) ? "," : ',' + std::to_string(random.below(10)) + '.' + std::to_string(random.below(10));
    return out;
  };
  std::string record = R"({"id":"r")";
  for (int i = 0; i < 150; ++i) record += ",\"n" + std::to_string(i) + "\":9.5";
  REQUIRE(pair.teach(std::vector<std::string>(20, record + '}')));
  Rows rows{pair, columns, {}};
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < 300; ++i) taken += rows.same(row(i));
  CHECK(taken == 300);
}
