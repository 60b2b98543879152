// The fast path of files against the complete one: every accepted record has exactly the same output, and almost all
// ordinary records are accepted, so that the comparison is meaningful.
#include "tests/property/random.hpp"
#include "tests/property/record_generator.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/catch.hpp"

#include <filesystem>

using namespace assay;
using namespace assay_tests;

namespace {

// True if the fast path accepted the line, with the same output.
bool same(RegisterPair& pair, const std::string& line) {
  const std::optional<std::string> got = pair.fast(line);
  if (!got) return false;
  const std::string expected = pair.complete(line);
  if (*got == expected) return true;
  INFO(line);
  CHECK(*got == expected);
  return false;
}

// The share of these records that is accepted, in percent.
template <class Record>
std::uint64_t share(RegisterPair& pair, std::uint64_t count, Record&& record) {
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < count; ++i) taken += same(pair, record(i));
  return 100 * taken / count;
}

std::string with(const std::string& record, std::string_view from, std::string_view to) {
  std::string out = record;
  const std::size_t at = out.find(from);
  REQUIRE(at != std::string::npos);
  return out.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("ordinary records are taken, and their verdicts are those of the complete path") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one);
    CHECK(share(pair, 3000, one.record) == 100);
  }
}

TEST_CASE("records are taken with their keys in any order and with any white space") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one);
    CHECK(share(pair, 2000, [&](std::uint64_t i) { return shuffled(one.record(i), i); }) == 100);
    CHECK(share(pair, 2000, [&](std::uint64_t i) { return spaced(one.record(i)); }) == 100);
    CHECK(share(pair, 2000, [&](std::uint64_t i) { return spread(shuffled(one.record(i), i), i); }) == 100);
    CHECK(share(pair, 2000, [&](std::uint64_t i) { return i % 3 == 0 ? spaced(one.record(i)) : one.record(i); }) ==
          100);
    const auto turned = [&](std::uint64_t i) { return shuffled(one.record(i), i / 50); };  // an order for a while
    CHECK(share(pair, 2000, turned) == 100);
  }
}

TEST_CASE("damaged records are left to the complete path, or mean the same to both") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one);
    std::uint64_t taken = 0, refused = 0;
    for (std::uint64_t i = 0; i < 40'000; ++i) {
      std::string record = one.record(i % 500);
      if (i % 4 == 1) record = shuffled(record, i);
      if (i % 4 == 2) record = spread(record, i);
      if (same(pair, damaged(record, i))) ++taken;
      else ++refused;
    }
    CHECK(taken > 1'000);  // enough records stay undamaged for a meaningful test
    CHECK(refused > 1'000);
  }
}

TEST_CASE("read strictly, a key that the rubric does not name is left to the complete path, which refuses it") {
  for (const RegisterCase& one : register_cases()) {
    INFO(one.path);
    RegisterPair pair = taught(one, {}, true), lenient = taught(one);
    std::uint64_t taken = 0, refused = 0;
    for (std::uint64_t i = 0; i < 6'000; ++i) {
      std::string record = one.record(i % 500);
      if (i % 4 == 1) record = shuffled(record, i);
      if (i % 4 == 2) record = spread(record, i);
      const bool known = record.find("unknown to the rubric") == std::string::npos;
      CHECK(same(pair, record) == known);
      record = with_stranger(record, i);
      if (i % 3 == 0) record = damaged(record, i);
      if (same(pair, record)) ++taken;  // where it is damaged, or in what may be anything
      else refused += pair.complete(record).find(R"("code":"unknown")") != std::string::npos;
      if (i % 3 != 0) CHECK(same(lenient, record));
    }
    CHECK(refused > 3'000);
    CHECK(taken < 1'500);
  }
}

TEST_CASE("numbers in any spelling") {
  const RegisterCase& one = register_cases()[3];
  RegisterPair pair = taught(one);
  const std::string record = R"({"id":"r","amount":@,"points":#,"ratio":0.25})";
  const auto number = [&](const std::string& text) { return with(with(record, "@", text), "#", "3"); };
  const auto points = [&](const std::string& text) { return with(with(record, "@", "1"), "#", text); };
  for (const char* text : {"0", "-0", "-0.0", "5", "50", "-50", "-49.99", "0.10", "0.1", "1.5", "12.34", "7.250",
                           "7.2500000000", "0.00"}) {
    INFO(text);
    CHECK(same(pair, number(text)));
  }
  for (const char* text : {"0", "1000", "-5", "3.0", "7.000000", "-0"}) {
    INFO(text);
    CHECK(same(pair, points(text)));
  }
  for (const char* text : {"50.01",     "-50.01",
                           "100000",    "12345678",
                           "123456789", "00",
                           "01",        "-01",
                           ".5",        "5.",
                           "-",         "+1",
                           "1.2.3",     "1.",
                           "1e",        "0x1",
                           "1 2",       "1,",
                           "\"1\"",     "true",
                           "[1]",       "NaN",
                           "-Infinity", "00.5",
                           "1.25e",     "12345678901234567890",
                           "1e400",     "--1",
                           "9.999"}) {
    INFO(text);
    CHECK_FALSE(pair.fast(number(text)));
    CHECK_FALSE(pair.fast(points(text)));
  }
  for (const char* text : {"1e1", "1.0e0", "10E-1", "3.14159265358979", "0.12345678901234567", "1234567890123456789",
                           "0.0000000000000000000"}) {
    INFO(text);
    same(pair, number(text));
    same(pair, points(text));
  }
  CHECK_FALSE(pair.fast(points("3.5")));
  CHECK_FALSE(pair.fast(points("1001")));
  CHECK_FALSE(pair.fast(points("-6")));
}

TEST_CASE("what is no plain record is not taken") {
  const RegisterCase& one = register_cases()[3];
  RegisterPair pair = taught(one);
  const std::string record =
      R"({"id":"r","amount":1,"level":"low","names":["a","b"],"unused":{"size":1,"list":[[1]],"named":"x"},)"
      R"("remark":"é","zz":{"q":[1]}})";
  REQUIRE(same(pair, record));
  CHECK(same(pair, with(record, R"("q":[1])", R"("q":[-1.5e3,"é",{"a":null}],"æ":false)")));
  CHECK(same(pair, with(record, R"("remark":"é")", "\"remark\":\"\x7f\xf0\x9f\x8e\x89\"")));
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{R"("id":"r")", R"("id":"r","id":"r")"},
                                                        {R"("id":"r")", R"("id":"\u0072")"},
                                                        {R"("id":"r")", R"("i\u0064":"r")"},
                                                        {R"("id":"r")", R"("id":7)"},
                                                        {R"("amount":1,)", ""},
                                                        {R"("amount":1)", R"("amount":null)"},
                                                        {R"("amount":1)", R"("amount":1,"amount":null)"},
                                                        {R"("level":"low")", R"("level":"lo")"},
                                                        {R"("level":"low")", R"("level":"lowe")"},
                                                        {R"(["a","b"])", R"(["a",null])"},
                                                        {R"(["a","b"])", R"(["a","b",])"},
                                                        {R"(["a","b"])", R"(["a" "b"])"},
                                                        {R"(["a","b"])", R"(["a",1])"},
                                                        {R"(["a","b"])", R"("a")"},
                                                        {R"("size":1)", R"("size":5)"},
                                                        {R"("size":1)", R"("size":"1")"},
                                                        {R"("list":[[1]])", R"("list":[[1.5]])"},
                                                        {R"("list":[[1]])", R"("list":[1])"},
                                                        {R"("named":"x")", R"("named":"z")"},
                                                        {R"({"q":[1]})", R"({"q":[01]})"},
                                                        {R"({"q":[1]})", R"({"q":[1})"},
                                                        {R"({"q":[1]})", R"({"q":tru})"},
                                                        {R"({"q":[1]})", R"({q:1})"},
                                                        {R"("remark":"é")", "\"remark\":\"\xc3\""},
                                                        {R"("remark":"é")", "\"remark\":\"\xed\xa0\x80\""},
                                                        {R"("remark":"é")", "\"remark\":\"\xc0\xaf\""},
                                                        {R"("remark":"é")", "\"remark\":\"\t\""},
                                                        {R"("zz":)", "\"z\xffz\":"},
                                                        {R"("zz":)", R"("zz")"},
                                                        {R"("zz":)", R"(zz:)"}}) {
    INFO(to);
    CHECK_FALSE(pair.fast(with(record, from, to)));
  }
  for (const std::string& text :
       std::vector<std::string>{"", " ", "{", "}", "[]", "null", "1", record + "x", record + "}", record + record,
                                "\xef\xbb\xbf" + record, record + std::string(1, '\0')}) {
    INFO(text);
    CHECK_FALSE(pair.fast(text));
  }
  for (int i = 0; i < 10; ++i) CHECK_FALSE(pair.fast(R"({"zz":1})"));
  CHECK_FALSE(pair.fast(R"({{"id":"r","amount":1})"));
  CHECK_FALSE(pair.fast("{}"));
  CHECK(same(pair, record));
  for (std::size_t size = 0; size < record.size(); ++size) CHECK_FALSE(pair.fast(record.substr(0, size)));
}

TEST_CASE("what is wrong deep inside of a record is read once, not twice for each level around it") {
  // Trying each level anew as a value of any kind would take 2^40 steps.
  constexpr int kLevels = 40;
  std::string type = "number 0..10", value = "@";
  for (int i = 0; i < kLevels; ++i) {
    type = "{ a: " + type + (i % 3 == 0 ? " optional }" : " }");
    value = "{\"a\":" + value + "}";
  }
  const std::string text = "rubric deep \"Deep\" {\n  version \"1\"\n  input x: number 0..10\n  input part: " + type +
                           "\n  output o = x\n}\n";
  RegisterPair pair(known_rubric("deep.rubric", text), {"id", "o"});
  const std::string record = R"({"id":"r","x":1,"part":)" + value + "}";
  REQUIRE(pair.teach(std::vector<std::string>(20, with(record, "@", "1"))));
  CHECK(same(pair, with(record, "@", "2.5")));
  for (const char* broken : {"11", "\"1\"", "tru", "[1]", "{", "}", "1]", "", "01", "1,\"a\":2", "{\"a\":1}"}) {
    INFO(broken);
    const std::string line = with(record, "@", broken);
    CHECK_FALSE(pair.fast(line));
    CHECK_FALSE(pair.complete(line).empty());
  }
  // The same with unexpected spaces.
  std::string spaced_value = "@";
  for (int i = 0; i < kLevels; ++i) spaced_value = "{ \"a\" :  " + spaced_value + " }";
  CHECK_FALSE(pair.fast(with(R"({"id":"r","x":1,"part":)" + spaced_value + "}", "@", "11")));
  CHECK(same(pair, with(R"({"id":"r","x":1,"part":)" + spaced_value + "}", "@", "7")));
}

TEST_CASE("limits hold on the fast path") {
  const RegisterCase& one = register_cases()[3];
  Limits limits;
  limits.list_items = 3;
  limits.text_bytes = 12;
  limits.nesting = 4;
  limits.record_bytes = 400;
  limits.output_bytes = 700;
  RegisterPair pair = taught(one, limits);
  const auto record = [](const std::string& more) { return R"({"id":"r","amount":1,)" + more + '}'; };
  CHECK(same(pair, record(R"("names":["a","b","a"],"remark":"twelve bytes","zz":[[[1]]])")));
  CHECK(same(pair, record(R"("extra":[1,"a text in an item of any kind, and a long one"])")));
  CHECK_FALSE(pair.fast(record(R"("names":["a","b","a","b"])")));
  CHECK_FALSE(pair.fast(record(R"("words":["a","b","a","b"])")));
  CHECK_FALSE(pair.fast(record(R"("extra":[1,2,3,4])")));
  CHECK_FALSE(pair.fast(record(R"("remark":"thirteen byte")")));
  CHECK_FALSE(pair.fast(record(R"("names":["thirteen byte"])")));
  CHECK_FALSE(pair.fast(record(R"("zz":[[[[1]]]])")));
  CHECK_FALSE(pair.fast(record(R"("zz":")" + std::string(400, 'z') + '"')));
  limits.output_bytes = 60;
  RegisterPair brief = taught(one, limits);
  CHECK_FALSE(brief.fast(record(R"("names":[])")));
  limits.output_bytes = 700;
  limits.nesting = 1;
  RegisterPair flat(known_rubric(one.path, project_text(one.path)), one.fields, limits);
  REQUIRE(flat.teach(std::vector<std::string>(20, record(R"("points":1)"))));
  CHECK(same(flat, record(R"("points":2)")));
  CHECK_FALSE(flat.fast(record(R"("names":[])")));
  CHECK_FALSE(flat.fast(record(R"("part":{})")));
}

TEST_CASE("sets of any size are counted by their different texts") {
  RegisterPair pair = taught(register_cases()[3]);
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t count = random.below(200), kinds = 1 + random.below(200);
    std::string list;
    for (std::uint64_t i = 0; i < count; ++i) {
      list += (i > 0 ? ",\"" : "\"") + std::string(random.below(3) * 12, 'x') + std::to_string(random.below(kinds)) +
              std::string(random.below(2) * 20, 'y') + '"';
    }
    CHECK(same(pair, R"({"id":"r","amount":1,"names":[)" + list + "]}"));
  }
  std::string many;
  for (int i = 0; i < 5000; ++i) many += (i > 0 ? ",\"n" : "\"n") + std::to_string(i) + '"';
  CHECK_FALSE(pair.fast(R"({"id":"r","amount":1,"names":[)" + many + "]}"));  // more than the kernel counts
}

TEST_CASE("objects with more than 64 fields") {
  std::string inputs, weights, fields;
  for (int i = 0; i < 150; ++i) {
    const std::string name = (i % 2 == 0 ? "n" : "an_input_with_a_longer_name_") + std::to_string(i);
    inputs += "  input " + name + ": " +
              (i % 3 == 0   ? "number 0..10 default 1\n"
               : i % 3 == 1 ? "number 0..10\n"
                            : "bool optional\n");
    if (i % 3 != 2) weights += (weights.empty() ? "" : " + ") + name;
    fields += ", f" + std::to_string(i);
  }
  const std::string text = "rubric wide \"Wide\" {\n  version \"1\"\n" + inputs + "  input inner: { f0" +
                           fields.substr(4) + ": number 0..1 optional } optional\n  output sum = " + weights +
                           "\n  output last = inner.f149\n}\n";
  RegisterPair pair(known_rubric("wide.rubric", text), {"id", "sum", "last"});
  const auto record = [](std::uint64_t seed) {
    Random random(seed);
    std::string out = "{\"id\":\"r\"";
    for (int i = 0; i < 150; ++i) {
      const std::string name = (i % 2 == 0 ? "n" : "an_input_with_a_longer_name_") + std::to_string(i);
      if (i % 3 != 1 && random.one_in(4)) continue;
      out += ",\"" + name +
             "\":" + (i % 3 == 2 ? "true" : std::to_string(random.below(10)) + '.' + std::to_string(random.below(10)));
    }
    out += ",\"inner\":{\"f3\":0.5";
    for (int i = 60; i < 150; ++i)
      out += ",\"f" + std::to_string(i) + "\":" + (random.one_in(5) ? "null" : "0." + std::to_string(random.below(10)));
    return out + "}}";
  };
  std::vector<std::string> records;
  for (std::uint64_t i = 0; i < 40; ++i) records.push_back(record(i));
  REQUIRE(pair.teach(records));
  CHECK(share(pair, 300, record) == 100);
  CHECK(share(pair, 300, [&](std::uint64_t i) { return shuffled(record(i), i); }) == 100);
  CHECK_FALSE(pair.fast(with(record(1), "\"n4\":", "\"n40\":1,\"n4\":")));
  CHECK_FALSE(pair.fast(with(record(1), "\"an_input_with_a_longer_name_1\":", "\"zz\":")));
  for (std::uint64_t i = 0; i < 3000; ++i) same(pair, damaged(record(i), i));
}

TEST_CASE("random records of every shipped rubric that has a kernel") {
  std::uint64_t kernels = 0, taken = 0, all = 0;
  std::vector<std::string> paths = {"tests/property/kernel_inputs.rubric"};
  for (const auto& folder : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/rubrics")) {
    const std::string name = folder.path().filename().string();
    paths.push_back("rubrics/" + name + '/' + name + ".rubric");
  }
  for (const std::string& path : paths) {
    const std::string text = project_text(path);
    const Compiled compiled = compile(path, text);
    if (!compiled.rubric) continue;  // a gallery, or one that imports a neighbour
    INFO(path);
    std::vector<std::string> fields{"id"};  // those that a kernel computes
    RecordGenerator generator(*compiled.rubric, text, 11);
    std::vector<std::string> records;
    for (int i = 0; i < 40; ++i) records.push_back(generator.record("r" + std::to_string(i)));
    for (const VerdictField& field : RegisterPair(*compiled.rubric, {}).model().verdict.fields) {
      if (RegisterPair(*compiled.rubric, {field.name}).teach(records)) fields.push_back(field.name);
    }
    RegisterPair pair(*compiled.rubric, fields);
    if (fields.size() < 2 || !pair.teach(records)) continue;
    ++kernels;
    for (int i = 0; i < 600; ++i, ++all) taken += same(pair, generator.record("r" + std::to_string(i)));
  }
  CHECK(kernels > 3);
  CHECK(taken * 20 > all);  // these records seek the bounds: most have more decimals than a kernel assumes
}
