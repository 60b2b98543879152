// Writing values and verdicts, and the small JSON functions of the public header.
#include "runtime/output/report.hpp"
#include "runtime/json/json_tree.hpp"

#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

using namespace assay;

namespace {

struct Numbers {
  NumberPool pool;
  std::string shown(std::string_view text, int decimals, int divide_by = 1) {
    Number n;
    REQUIRE(parse_decimal(text, n, pool));
    std::string out;
    write_number(div(n, whole(divide_by), pool), decimals, out);
    return out;
  }
};

}  // namespace

TEST_CASE("numbers are shown as the verdict asks", "[report]") {
  Numbers n;
  CHECK(n.shown("2.675", 2) == "2.68");
  CHECK(n.shown("-2.5", 0) == "-3");
  CHECK(n.shown("8.50", 2) == "8.5");
  CHECK(n.shown("9", 2) == "9");
  CHECK(n.shown("0.1", kAsGiven) == "0.1");
  CHECK(n.shown("1", kSignificant, 3) == "0.333333333333");
  CHECK(n.shown("123456789012345678", kSignificant) == "123456789012345678");
  CHECK(n.shown("0.123456789012", kSignificant) == "0.123456789012");
  CHECK(n.shown("0.1234567890125", kSignificant) == "0.123456789013");
  CHECK(n.shown("-0.001", 2) == "0");
}

TEST_CASE("values of every type", "[report]") {
  TypeTable types;
  ValueWriter writer(types);
  Arena arena;
  const auto json = [&](TypeId type, const Value& value, int decimals = kAsGiven) {
    std::string out;
    CHECK(writer.write(type, value, decimals, out));
    return out;
  };
  Value items[2] = {make_number({5, 2}), missing_value()};
  CHECK(json(types.list(kNumber), make_list(items, 2)) == "[2.5,null]");
  CHECK(json(types.list(kNumber), make_list(items, 2), 0) == "[3,null]");
  CHECK(json(types.list(kNumber), make_list(nullptr, 0)) == "[]");
  CHECK(json(kText, make_text("a\"\\\n\x01")) == R"("a\"\\\n\u0001")");
  CHECK(json(kBool, make_bool(false)) == "false");
  CHECK(json(kAny, make_text("{ \"a b\\\" \" : [1,\n 2] }")) == R"({"a b\" ":[1,2]})");
  CHECK(json(types.record({}), make_record(nullptr, 0)) == "{}");
  std::vector<Field> fields(2);
  fields[0].name = "a\"b";
  fields[0].type = kNumber;
  fields[1].name = "t";
  fields[1].type = types.map(kText);
  Value keys[1] = {make_text("k")}, values[1] = {make_text("v")};
  MapData map{keys, values, nullptr, 0};
  Value record[2] = {make_number(whole(1)), make_map(&map, 1)};
  CHECK(json(types.record(fields), make_record(record, 2)) == R"({"a\"b":1,"t":{"k":"v"}})");
  std::string out;
  CHECK_FALSE(writer.write(kText, make_text("four"), kAsGiven, out, 5));
}

TEST_CASE("a strict JSON tree keeps spellings", "[report]") {
  JsonNode node;
  JsonProblem problem;
  REQUIRE(parse_json(R"( {"a": [1.50, "x\u0041"], "b": null} )", node, problem));
  CHECK(node.find("a")->items[0].raw == "1.50");
  CHECK(node.find("a")->items[1].text == "xA");
  std::string out;
  write_json(node, out);
  CHECK(out == R"({"a":[1.50,"xA"],"b":null})");
  REQUIRE(parse_json(R"({"a": [1, {"c": 2}]})", node, problem, 1));
  CHECK(node.find("a")->raw == R"([1, {"c": 2}])");
  CHECK(node.find("a")->items.empty());
  CHECK_FALSE(parse_json("[[[1]]]", node, problem, 10, 2));
  CHECK(problem.too_deep);
  CHECK_FALSE(parse_json("{\"a\" 1}", node, problem));
  CHECK(problem.offset == 5);
  CHECK(problem.message == "expected ':' after the key");
}

TEST_CASE("cells, members and indentation", "[report]") {
  const std::string verdict =
      R"({"id":"a","score":8.50,"flags":["x","y"],"d":{"safety":{"score":9}},"n":null,"ok":true})";
  CHECK(cells(verdict, {"id", "score", "flags", "d.safety.score", "n", "ok", "zz"}) ==
        std::vector<std::string>{"a", "8.50", "x; y", "9", "", "true", ""});
  CHECK(cells(verdict, {"d"})[0] == R"({"safety":{"score":9}})");
  CHECK(with_member(R"({"a":1.10,"b":{"c":2}})", "b.c", "3") == R"({"a":1.10,"b":{"c":3}})");
  CHECK(with_member(R"({"a":1})", "b.c", "some text") == R"({"a":1,"b":{"c":"some text"}})");
  CHECK(with_member("{}", "a", "[1, 2]") == R"({"a":[1,2]})");
  CHECK_FALSE(with_member("[]", "a", "1"));
  CHECK(
      pretty(R"({"a":[1,2],"b":{},"c":{"d":[{"e":1}]}})") ==
      "{\n  \"a\": [1, 2],\n  \"b\": {},\n  \"c\": {\n    \"d\": [\n      {\n        \"e\": 1\n      }\n    ]\n  }\n}");
}
