// Checks that the record reader, the strict tree parser and simdjson's DOM parser accept the same JSON: random texts,
// most of them broken in one place, as values that the rubric reads and as values that it skips.
#include "runtime/json/json_tree.hpp"
#include "tests/property/random.hpp"

#include <assay/assay.hpp>

#include <simdjson.h>
#include "tests/unit/catch.hpp"

#include <string>
#include <vector>

using namespace assay;
using assay_tests::Random;

namespace {

// Spellings of each value, valid and almost valid.
const std::vector<std::string> kScalars{"0",
                                        "-0",
                                        "1",
                                        "-1.5",
                                        "12e3",
                                        "1E-2",
                                        "0.1e+2",
                                        "00",
                                        "01",
                                        "-",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "1e+",
                                        "0x1",
                                        "1_0",
                                        "NaN",
                                        "Infinity",
                                        "-Infinity",
                                        "true",
                                        "false",
                                        "null",
                                        "tru",
                                        "nul",
                                        "True",
                                        "nulll",
                                        "truee",
                                        "\"\"",
                                        "\"a\"",
                                        "\"\\n\\t\\\\\\\"\\/\\b\\f\\r\"",
                                        "\"\\u00e9\"",
                                        "\"\\ud83d\\ude00\"",
                                        "\"\\ud83d\"",
                                        "\"\\ude00\"",
                                        "\"\\ud83d\\u0041\"",
                                        "\"\\u12\"",
                                        "\"\\x\"",
                                        "\"\xC3\xA9\"",
                                        "\"\xF0\x9F\x98\x80\"",
                                        "\"\xC3\"",
                                        "\"\xFF\"",
                                        "\"\xED\xA0\x80\"",
                                        "\"\xC0\x80\"",
                                        "\"\xF4\x90\x80\x80\"",
                                        "\"\x01\"",
                                        "\"\t\"",
                                        "\"\n\"",
                                        "\"",
                                        "'a'",
                                        "a",
                                        "\"a\"b",
                                        "1 2",
                                        "\x01"};
const std::vector<std::string> kKeys{"a",       "b",        "c",    "d",   "m",       "unknown", "x\\u0079z",
                                     "\\u0061", "\xC3\xA9", "\xC3", "\\q", "\\ud800", ""};
const std::vector<std::string> kBytes{"{",    "}",    "[",    "]",
                                      ",",    ":",    "\"",   "\\",
                                      " ",    "\n",   "\r",   "\t",
                                      "0",    "1",    ".",    "-",
                                      "e",    "t",    "n",    "\x7F",
                                      "\xC3", "\xA9", "\x80", std::string(1, '\0'),
                                      "/",    "//",   "/*",   "\xEF\xBB\xBF",
                                      "\f"};

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string document() {
    std::string text = space() + (random_.one_in(20) ? value(0) : object(0)) + space();
    if (random_.one_in(2)) return text;
    for (std::uint64_t i = random_.below(2) + 1; i > 0 && !text.empty(); --i) {
      const std::size_t at = random_.below(text.size());
      switch (random_.below(4)) {
        case 0: text.erase(at, 1 + random_.below(3)); break;
        case 1: text.insert(at, random_.pick(kBytes)); break;
        case 2: text.replace(at, 1, random_.pick(kBytes)); break;
        default: text.resize(at); break;  // cut off
      }
    }
    return text;
  }

 private:
  std::string space() {
    const std::vector<std::string> spaces{"", "", "", " ", "\n", "\t \r\n"};
    return random_.pick(spaces);
  }
  std::string scalar() { return kScalars[random_.one_in(12) ? random_.below(kScalars.size()) : random_.below(7)]; }
  std::string value(int depth) {
    if (depth < 5 && random_.one_in(3)) return object(depth);
    if (depth < 5 && random_.one_in(3)) return list(depth);
    return scalar();
  }
  std::string list(int depth) {
    std::string out = "[" + space();
    for (std::uint64_t n = random_.below(4), i = 0; i < n; ++i)
      out += (i > 0 ? "," + space() : "") + value(depth + 1) + space();
    return out + "]";
  }
  std::string object(int depth) {
    std::string out = "{" + space();
    for (std::uint64_t n = random_.below(5), i = 0; i < n; ++i) {
      const std::string& key = kKeys[random_.one_in(25) ? random_.below(kKeys.size()) : random_.below(9)];
      out += (i > 0 ? "," + space() : "") + "\"" + key + "\"" + space() + ":" + space() + value(depth + 1) + space();
    }
    return out + "}";
  }

  Random& random_;
};

}  // namespace

TEST_CASE("the readers accept what simdjson accepts", "[json]") {
  const Compiled compiled =
      compile("t.rubric",
              "rubric t { version \"1\" input a: number optional input b: list of text optional input c: any optional\n"
              "input d: { a: number optional, b: bool optional } optional input m: map of any optional output x = "
              "count(keys(m)) }");
  REQUIRE(compiled.rubric);
  Evaluator evaluator(*compiled.rubric);
  simdjson::dom::parser parser;
  Random random(11);
  Writer writer(random);
  int valid = 0, invalid = 0;
  for (int i = 0; i < 60'000; ++i) {
    const std::string text = writer.document();
    simdjson::dom::element element;
    const bool expected = parser.parse(simdjson::padded_string(text)).get(element) == simdjson::SUCCESS;
    (expected ? valid : invalid) += 1;
    const Verdict& verdict = evaluator.score(text);
    const bool accepted = verdict.error() == nullptr || verdict.error()->code != "syntax";
    JsonNode node;
    JsonProblem problem;
    const bool parsed = parse_json(text, node, problem);
    if (accepted != expected || parsed != expected) {
      std::string shown;
      write_json_text(text, shown);
      INFO("text: " << shown);
      INFO("simdjson: " << expected << ", reader: " << verdict.json() << ", tree: " << problem.message);
      CHECK(accepted == expected);
      CHECK(parsed == expected);
    }
  }
  CHECK(valid > 10'000);
  CHECK(invalid > 10'000);
}
