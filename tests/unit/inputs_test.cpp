// Reading records: types, ranges, paths, policies, limits, and invalid JSON. The types are built by hand, so that the
// reader is tested without a rubric.
#include "runtime/input/inputs.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/output/report.hpp"

#include "tests/unit/catch.hpp"

using namespace assay;

namespace {

struct Fixture {
  Model model;
  RubricModel* rubric = nullptr;
  Limits limits;
  Arena arena;

  Fixture() {
    rubric = &model.rubrics.emplace_back();
    rubric->name = "test";
    model.main = 0;
    slot("id", kText, Presence::optional);
  }
  void slot(std::string name, TypeId type, Presence presence = Presence::required, Value fallback = missing_value()) {
    Slot s;
    s.name = std::move(name);
    s.type = type;
    s.presence = presence;
    s.fallback = fallback;
    rubric->slots.push_back(s);
  }
  TypeId score() {
    Interval range;
    range.low = whole(1);
    range.high = whole(10);
    return model.types.number(range, false);
  }
  // The slots as JSON, or "path: code".
  std::string read(std::string_view json, bool keep = false) {
    InputReader reader(model, 0, limits);
    return read_with(reader, json, keep);
  }
  std::string read_with(InputReader& reader, std::string_view json, bool keep = false) {
    arena.reset();
    std::vector<Value> slots(rubric->slots.size(), missing_value());
    error = InputError();
    if (!reader.read(json, slots.data(), arena, keep, error)) return error.path + ": " + error.code;
    std::string out;
    ValueWriter writer(model.types);
    for (std::size_t i = 1; i < slots.size(); ++i) {
      if (i > 1) out += ' ';
      writer.write(rubric->slots[i].type, slots[i], kAsGiven, out);
    }
    return out;
  }
  InputError error;
};

}  // namespace

TEST_CASE("numbers are read exactly and kept within their range", "[inputs]") {
  Fixture f;
  f.slot("x", f.score());
  CHECK(f.read(R"({"x": 9.50})") == "9.5");
  CHECK(f.read(R"({"x": 75e-1})") == "7.5");
  CHECK(f.read(R"({"x": 1.0000000000000000000000000001})") == "1.0000000000000000000000000001");
  CHECK(f.read(R"({"x": 11})") == "x: range");
  CHECK(f.error.message == "x is 11, expected a number 1..10");
  CHECK(f.read(R"({"x": 0.9999999999999999999999999999})") == "x: range");
  CHECK(f.read(R"({"x": 1e999})") == "x: range");
  CHECK(f.read(R"({"x": "9"})") == "x: type");
  CHECK(f.read(R"({"x": true})") == "x: type");
  CHECK(f.read(R"({"x": [9]})") == "x: type");
  CHECK(f.read(R"({"x": {}})") == "x: type");
  CHECK(f.read(R"({})") == "x: required");
  CHECK(f.read(R"({"x": null})") == "x: required");
  CHECK(f.read(R"({"x": 9, "x": 9})") == "x: duplicate");
  for (const char* json :
       {R"({"x": NaN})", R"({"x": 01})", R"({"x": 1.})", R"({"x": .5})", R"({"x": +1})", R"({"x": 1a})", R"({"x": -})",
        R"({"x": 1e})", R"({"x": Infinity})", R"({"x": -Infinity})", R"({"x": 1 2})", R"({"x": 0x1})"}) {
    INFO(json);
    CHECK(f.read(json) == ": syntax");
  }
}

TEST_CASE("open bounds, whole numbers and minus zero", "[inputs]") {
  Fixture f;
  Interval above;
  above.low = whole(0);
  above.low_open = true;
  Interval from;
  from.low = whole(0);
  f.slot("p", f.model.types.number(above, false), Presence::optional);
  f.slot("w", f.model.types.number(from, true), Presence::optional);
  CHECK(f.read(R"({"p": 0})") == "p: range");
  CHECK(f.read(R"({"p": 1e-300})").substr(0, 2) == "0.");
  CHECK(f.read(R"({"w": 3.0})") == "null 3");
  CHECK(f.read(R"({"w": -0})") == "null 0");
  CHECK(f.read(R"({"w": -0.0e5})") == "null 0");
  CHECK(f.read(R"({"w": 2.5})") == "w: type");
  CHECK(f.error.message == "w is 2.5, expected a whole number >= 0");
  CHECK(f.read(R"({"w": -1})") == "w: range");
}

TEST_CASE("texts: escapes, choices, limits", "[inputs]") {
  Fixture f;
  f.slot("t", kText);
  f.slot("c", f.model.types.text({"minor", "major"}), Presence::optional);
  for (const bool keep : {false, true}) {
    CHECK(f.read(R"({"t": "a\"b\u00e9\ud83d\ude00\n", "c": "minor"})", keep) == R"("a\"bé😀\n" "minor")");
    CHECK(f.read(R"({"t": "plain"})", keep) == R"("plain" null)");
    CHECK(f.read(R"({"\u0074": ""})", keep) == R"("" null)");
  }
  CHECK(f.read(R"({"t": "", "c": "Minor"})") == "c: choice");
  CHECK(f.error.message == R"(c is the text "Minor", expected one of ("minor", "major"); did you mean "minor"?)");
  CHECK(f.read(R"({"t": "\ud83d"})") == ": syntax");
  CHECK(f.read(R"({"t": "\ude00\ud83d"})") == ": syntax");
  CHECK(f.read(R"({"t": "\x"})") == ": syntax");
  CHECK(f.read("{\"t\": \"\xff\"}") == ": syntax");
  CHECK(f.error.message == "this is not valid UTF-8, at byte 7");
  CHECK(f.read("{\"t\": \"a\nb\"}") == ": syntax");
  CHECK(f.read(R"({"t": "open)") == ": syntax");
  f.limits.text_bytes = 3;
  CHECK(f.read(R"({"t": "abc"})") == R"("abc" null)");
  CHECK(f.read(R"({"t": "abcd"})") == "t: limit");
}

TEST_CASE("lists, sets, records and maps have exact paths", "[inputs]") {
  Fixture f;
  std::vector<Field> fields(2);
  fields[0].name = "severity";
  fields[0].type = f.model.types.text({"minor", "major"});
  fields[1].name = "on";
  fields[1].type = kBool;
  fields[1].presence = Presence::defaulted;
  fields[1].fallback = make_bool(false);
  f.slot("items", f.model.types.list(f.model.types.record(fields)), Presence::optional);
  f.slot("names", f.model.types.list(kText, true), Presence::optional);
  f.slot("m", f.model.types.map(f.score()), Presence::optional);
  f.slot("a", f.model.types.list(kAny), Presence::optional);
  CHECK(f.read(R"({"items": [{"severity": "minor"}, {"on": true, "severity": "major"}]})") ==
        R"([{"severity":"minor","on":false},{"severity":"major","on":true}] null null null)");
  CHECK(f.read(R"({"items": [{"severity": "minor"}, {"on": true}]})") == "items[1].severity: required");
  CHECK(f.read(R"({"items": [{"severity": "minor"}, {"severity": "x"}]})") == "items[1].severity: choice");
  CHECK(f.read(R"({"items": [{"severity": "minor", "on": 1}]})") == "items[0].on: type");
  CHECK(f.read(R"({"items": [null]})") == "items[0]: type");
  CHECK(f.read(R"({"items": {}})") == "items: type");
  CHECK(f.read(R"({"items": [{"severity": "minor", "severity": "minor"}]})") == "items[0].severity: duplicate");
  CHECK(f.read(R"({"names": ["b", "a", "b", "a", "c"]})") == R"(null ["b","a","c"] null null)");
  CHECK(f.read(R"({"names": ["b", 1]})") == "names[1]: type");
  std::string many = R"({"names": ["k0")", expected = R"(null ["k0")";
  for (int i = 1; i < 40; ++i) {
    many += ",\"k" + std::to_string(i % 20) + "\"";
    if (i < 20) expected += ",\"k" + std::to_string(i) + "\"";
  }
  CHECK(f.read(many + "]}") == expected + "] null null");
  CHECK(f.read(R"({"m": {"x": 2, "y": null, "z": 3}})") == R"(null null {"x":2,"z":3} null)");
  CHECK(f.read(R"({"m": {"x": 0}})") == "m.x: range");
  CHECK(f.read(R"({"m": {"x": 2, "x": 3}})") == "m.x: duplicate");
  CHECK(f.read(R"({"a": [null, {"b" : [1, 2 ]}, "t", 1.50 ]})") == R"(null null null [null,{"b":[1,2]},"t",1.50])");
  f.limits.list_items = 2;
  CHECK(f.read(R"({"a": [1, 2]})") == "null null null [1,2]");
  CHECK(f.read(R"({"a": [1, 2, 3]})") == "a: limit");
}

TEST_CASE("keys come in any order, other fields are skipped but must be JSON", "[inputs]") {
  Fixture f;
  for (int i = 0; i < 100; ++i)
    f.slot("s" + std::to_string(i), kNumber, i % 2 == 0 ? Presence::required : Presence::optional);
  std::string forward = "{", backward = "{";
  for (int i = 0; i < 100; ++i) {
    forward += "\"s" + std::to_string(i) + "\":" + std::to_string(i) + ",\"other\":{\"s1\":[true]},";
    backward += "\"s" + std::to_string(99 - i) + "\":" + std::to_string(99 - i) + ",";
  }
  forward += "\"z\":null}";
  backward += "\"id\":null}";
  CHECK(f.read(forward) == f.read(backward));
  CHECK(f.read(forward).substr(0, 8) == "0 1 2 3 ");
  Fixture g;
  g.slot("x", kNumber, Presence::optional);
  CHECK(g.read(R"({"y": 1e999, "x": 1})") == "1");
  for (const char* bad : {R"({"y": 01})",
                          R"({"y": tru})",
                          R"({"y": nul})",
                          R"({"y": [1,]})",
                          R"({"y": {"a":}})",
                          R"({"y": {"a" 1}})",
                          R"({"y": "\q"})",
                          R"({"y": ["a":1]})",
                          R"({"y": [1 2]})",
                          R"({"y": {"a":1,}})",
                          R"({"\q": 1})",
                          R"({"y":})",
                          R"({"y":1]})",
                          R"({"y":[1}})",
                          R"({"y":1}})",
                          R"({"y":1} x)",
                          R"({"y":1}{})",
                          R"({"y":1,})",
                          R"({"y":1)",
                          R"({y:1})",
                          R"({'y':1})",
                          R"({"y":[1,2)",
                          "",
                          "   ",
                          "{",
                          "}",
                          R"({"y":truefalse})",
                          R"({"y":"a""b"})",
                          R"({"x":1,"y":)",
                          R"([1,2)",
                          R"({"y":{"a":1 "b":2}})",
                          R"({"y"})",
                          R"({,})",
                          R"({"x":"a":1})",
                          R"("a)"}) {
    INFO(bad);
    CHECK(g.read(bad) == ": syntax");
    JsonNode node;
    JsonProblem problem;
    CHECK_FALSE(parse_json(bad, node, problem));
  }
  CHECK(g.read("[]") == ": type");
  CHECK(g.read("7") == ": type");
  CHECK(g.read("null") == ": type");
  CHECK(g.read("\"a\"") == ": type");
  CHECK(g.error.message == "the record is the text \"a\", expected an object");
}

TEST_CASE("limits of size and nesting", "[inputs]") {
  Fixture f;
  f.slot("x", kAny, Presence::optional);
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
  };
  f.limits.nesting = 10;
  CHECK(f.read("{\"x\":" + nested(9) + "}") == nested(9));
  CHECK(f.read("{\"x\":" + nested(10) + "}") == "x: limit");
  CHECK(f.read("{\"y\":" + nested(9) + "}") == "null");
  CHECK(f.read("{\"y\":" + nested(10) + "}") == ": limit");
  f.limits.nesting = 100;
  CHECK(f.read("{\"y\":" + nested(1'000'000) + "}") == ": limit");
  CHECK(f.read("{\"y\":" + std::string(1'000'000, '[')).substr(0, 2) == ": ");
  CHECK(f.read(nested(1'000'000)).substr(0, 2) == ": ");
  f.limits.record_bytes = 10;
  CHECK(f.read(R"({"x":1234})") == "1234");
  CHECK(f.read(R"({"x":12345})") == ": limit");
}

TEST_CASE("a reader is used again and again", "[inputs]") {
  Fixture f;
  f.slot("x", f.score());
  f.slot("t", f.model.types.list(kText), Presence::optional);
  InputReader reader(f.model, 0, f.limits);
  for (int i = 0; i < 100; ++i) {
    CHECK(f.read_with(reader, R"({"x": 2, "t": ["a", "b"]})") == R"(2 ["a","b"])");
    CHECK(f.read_with(reader, R"({"x": 2, "t": ["a", 1]})") == "t[1]: type");
    CHECK(f.read_with(reader, R"({"x": )") == ": syntax");
    CHECK(f.read_with(reader, "{\"x\": 2, \"t\": [\"" + std::string(static_cast<std::size_t>(i) * 100, 'x') + "\"]}")
              .size() == static_cast<std::size_t>(i) * 100 + 6);
  }
}

TEST_CASE("values are copied with everything behind them", "[inputs]") {
  Fixture f;
  std::vector<Field> fields(2);
  fields[0].name = "n";
  fields[0].type = kNumber;
  fields[1].name = "m";
  fields[1].type = f.model.types.map(kText);
  const TypeId type = f.model.types.list(f.model.types.record(fields));
  f.slot("x", type);
  std::string map = "{", json;
  for (int i = 0; i < 20; ++i) map += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":\"v\"";
  json = "[{\"n\":0.123456789012345678901234567891,\"m\":" + map + "}}]";
  Arena copies;
  Value copy;
  {
    InputReader reader(f.model, 0, f.limits);
    std::vector<Value> slots(2, missing_value());
    InputError error;
    REQUIRE(reader.read("{\"x\":" + json + "}", slots.data(), f.arena, false, error));
    copy = deep_copy(f.model.types, type, slots[1], copies);
    f.arena.reset();
  }
  std::string out;
  ValueWriter(f.model.types).write(type, copy, kAsGiven, out);
  CHECK(out == json);
}
