// Cutting documents into records, against the complete parser: every document that is cut is well-formed and cut in the
// same places, and almost every well-formed document is cut. Of malformed ones nothing is lost.
#include "runtime/json/json_cut.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"
#include "tests/property/random.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/catch.hpp"

#include <algorithm>

using namespace assay;
using namespace assay_tests;

namespace {

constexpr int kNesting = 6;

// The items, one per line: "3:{…}"; nothing if the document was not cut.
std::optional<std::string> cut(const std::string& text) {
  std::vector<char> padded(text.begin(), text.end());
  padded.resize(text.size() + 1 + kBlock, '\0');
  padded[text.size()] = '\n';
  std::vector<JsonItem> items;
  if (!cut_json({padded.data(), text.size()}, kNesting, items)) return std::nullopt;
  std::string out;
  const char* const begin = padded.data();
  const char* end = begin;  // of the items before
  for (const JsonItem& item : items) {
    CHECK(std::string_view(end, item.text.data()).find_first_not_of(" \t\r\n,[]") == std::string_view::npos);
    CHECK(item.line == 1 + static_cast<std::uint64_t>(std::count(begin, item.text.data(), '\n')));
    end = item.text.data() + item.text.size();
  }
  CHECK(std::string_view(end, begin + text.size()).find_first_not_of(" \t\r\n,[]") == std::string_view::npos);
  const auto is_faulty = [](const JsonItem& item) { return item.fault != JsonItem::Fault::none; };
  if (std::any_of(items.begin(), items.end(), is_faulty)) return std::nullopt;
  for (const JsonItem& item : items) out += std::to_string(item.line) + ':' + std::string(item.text) + '\n';
  return out;
}

std::optional<std::string> parsed(const std::string& text) {
  JsonNode document;
  JsonProblem problem;
  if (!parse_json(text, document, problem, 1, kNesting)) return std::nullopt;
  std::string out;
  const auto add = [&](const JsonNode& item) {
    const auto lines = std::count(text.data(), item.raw.data(), '\n');
    out += std::to_string(1 + lines) + ':' + std::string(item.raw) + '\n';
  };
  if (document.is(JsonNode::Kind::list)) {
    for (const JsonNode& item : document.items) add(item);
  } else {
    add(document);
  }
  return out;
}

// Without the white space outside texts.
std::string squeezed(const std::string& json) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (inside || std::string_view(" \t\r\n").find(json[i]) == std::string_view::npos) out += json[i];
    if (inside && json[i] == '\\') out += json[++i];
    else if (json[i] == '"') inside = !inside;
  }
  return out;
}

bool same(const std::string& text) {
  const std::optional<std::string> got = cut(text);
  if (!got) return false;
  INFO(text);
  CHECK(got == parsed(text));
  std::vector<char> padded(text.begin(), text.end()), out(text.size() + kBlock);
  padded.resize(text.size() + kBlock, '\0');
  const char* const end = compact_json({padded.data(), text.size()}, out.data());
  CHECK(std::string(static_cast<const char*>(out.data()), end) == squeezed(text));
  return true;
}

// With line feeds and indentation.
std::string indented(std::string_view json) {
  std::string out;
  int depth = 0;
  bool inside = false;
  for (const char c : json) {
    if (!inside && (c == '}' || c == ']')) out += '\n' + std::string(static_cast<std::size_t>(2 * --depth), ' ');
    out += c;
    if (c == '"') inside = !inside;
    if (inside) continue;
    depth += c == '{' || c == '[';
    if (c == '{' || c == '[' || c == ',') out += '\n' + std::string(static_cast<std::size_t>(2 * depth), ' ');
    if (c == ':') out += ' ';
  }
  return out;
}

}  // namespace

TEST_CASE("well-formed documents are cut as the complete parser does") {
  for (const RegisterCase& one : register_cases()) {
    for (std::uint64_t i = 0; i < 300; ++i) {
      Random random(i);
      std::string list = "[";
      for (std::uint64_t left = random.below(5), at = 0; at < left; ++at)
        list += (at > 0 ? "," : "") + one.record(random.next());
      list += ']';
      const std::string spread_out = spread(list, i);
      for (const std::string& text :
           {list, indented(list), spread_out, "\r\n\t " + indented(spread_out) + "\n\n", one.record(i)}) {
        if (parsed(text)) CHECK(same(text));  // some are nested too deeply
      }
    }
  }
  for (const char* text :
       {"[]", " [ ] ", "[1,-0,0.5e-3,10E+2,\"x\",null,true,false,[],{}]", "{}", "[{\"a\":[[[[]]]]}]",
        R"(["\"\\\/\b\f\n\r\t\u00e9\uD7ff\uE000\ud83c\udf89"])", "[\"\x7f é🎉\"]", "[\n{\"a b\":\n 1}\n,\n2]\n"}) {
    INFO(text);
    CHECK(same(text));
  }
}

TEST_CASE("objects that follow each other are cut") {
  CHECK(cut("{}{}") == "1:{}\n1:{}\n");
  CHECK(cut(" {\"a\":\n1}\n\n{\"b\": {}} {\n}\n") == "1:{\"a\":\n1}\n4:{\"b\": {}}\n4:{\n}\n");
}

TEST_CASE("documents that are not well-formed are left to the complete parser") {
  for (const std::string& text : std::vector<std::string>{"",
                                                          "1",
                                                          "\"x\"",
                                                          "null",
                                                          "[",
                                                          "]",
                                                          "{",
                                                          "[1",
                                                          "[1,",
                                                          "[1,]",
                                                          "[,1]",
                                                          "[1 2]",
                                                          "[01]",
                                                          "[1.]",
                                                          "[.5]",
                                                          "[-]",
                                                          "[+1]",
                                                          "[1e]",
                                                          "[1e+]",
                                                          "[1ee1]",
                                                          "[0x1]",
                                                          "[1-2]",
                                                          "[tru]",
                                                          "[truex]",
                                                          "[nul",
                                                          "[\"a]",
                                                          "[\"a\tb\"]",
                                                          "[\"a\nb\"]",
                                                          R"(["\x"])",
                                                          R"(["\u12g4"])",
                                                          R"(["\u123"])",
                                                          "[\"\xc3\"]",
                                                          "[\"\xed\xa0\x80\"]",
                                                          R"({"a"})",
                                                          R"({"a":})",
                                                          R"({"a":1,})",
                                                          R"({a:1})",
                                                          R"({"a":1 "b":2})",
                                                          "[] []",
                                                          "[]x",
                                                          "{}{} x",
                                                          R"(["\ud83c"])",
                                                          R"(["\udf89\ud83c"])",
                                                          R"(["\ud83c\u0041"])",
                                                          R"(["\ud83cx"])",
                                                          "[[[[[[[]]]]]]]",
                                                          std::string("[\0]", 3),
                                                          std::string("[]\0", 3),
                                                          std::string("[\"\0\"]", 5),
                                                          "[1\v]",
                                                          "\xef\xbb\xbf[]"}) {
    INFO(text);
    CHECK_FALSE(cut(text));
  }
  for (const RegisterCase& one : register_cases()) {
    std::uint64_t taken = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      const std::string list = '[' + one.record(i % 100) + (i % 3 == 0 ? ",\n " : ",") + one.record(i % 77) + ']';
      const std::string text = damaged(i % 2 == 0 ? list : spread(list, i), i);
      if (same(text)) ++taken;
      else if (parsed(text)) CHECK(text[text.find_first_not_of(" \t\r\n")] != '[');
    }
    CHECK(taken > 100);
  }
}
