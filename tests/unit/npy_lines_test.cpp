// Rows of .npy files as lines of NDJSON: equal numbers and texts, with nested records built from dotted fields.
#include <assay/npy.hpp>

#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace assay;

namespace {

NpyInput input(const std::string& path, NpyType kind, std::size_t offset, std::size_t size, std::size_t items = 0) {
  NpyInput result;
  result.field.path = path;
  result.field.kind = kind;
  result.field.offset = offset;
  result.field.size = size;
  result.field.items = items == 0 ? 1 : items;
  result.field.list = items > 0;
  return result;
}

template <class T>
std::string shown(NpyLines& lines, T value) {
  std::string out;
  lines.append(out, reinterpret_cast<const char*>(&value));
  REQUIRE(out.starts_with("{\"x\":"));
  REQUIRE(out.ends_with("}"));
  return out.substr(5, out.size() - 6);
}

}  // namespace

TEST_CASE("doubles are written with the shortest decimal that reads back as them") {
  NpyLines lines({input("x", NpyType::f64, 0, 8)});
  CHECK(shown(lines, 0.0) == "0");
  CHECK(shown(lines, -0.5) == "-0.5");
  CHECK(shown(lines, 9.05) == "9.05");
  CHECK(shown(lines, 9.0) == "9");
  CHECK(shown(lines, 123456.000001) == "123456.000001");
  CHECK(shown(lines, 0.1 + 0.2) == "0.30000000000000004");
  CHECK(shown(lines, 1e300) == "1e+300");
  CHECK(shown(lines, std::nan("")) == "null");
  CHECK(shown(lines, -std::numeric_limits<double>::infinity()) == "-1e999");
  assay_tests::Random random(3);
  for (int i = 0; i < 200000; ++i) {
    double value = 0;
    if (i % 2 == 0) {
      const double units[] = {1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
      value = static_cast<double>(random.within(-2'000'000, 2'000'000)) / units[random.below(std::size(units))];
    } else {
      const std::uint64_t bits = random.next();
      std::memcpy(&value, &bits, sizeof value);
      if (!std::isfinite(value)) continue;
    }
    const std::string text = shown(lines, value);
    char shortest[40];
    const auto size =
        std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::fixed).ptr - shortest;
    CAPTURE(text);
    REQUIRE(std::strtod(text.c_str(), nullptr) == value);
    REQUIRE(text.size() <= static_cast<std::size_t>(size));
  }
}

TEST_CASE("other numbers and truths as lines") {
  NpyLines f32({input("x", NpyType::f32, 0, 4)}), i8({input("x", NpyType::i8, 0, 1)}),
      i64({input("x", NpyType::i64, 0, 8)}), u64({input("x", NpyType::u64, 0, 8)}),
      truth({input("x", NpyType::truth, 0, 1)});
  CHECK(shown(f32, 9.1F) == "9.1");
  CHECK(shown(f32, std::nanf("")) == "null");
  CHECK(shown(i8, std::int8_t{-128}) == "-128");
  CHECK(shown(i64, std::int64_t{INT64_MIN}) == "null");
  CHECK(shown(i64, std::int64_t{INT64_MIN + 1}) == "-9223372036854775807");
  CHECK(shown(u64, std::uint64_t{UINT64_MAX}) == "18446744073709551615");
  CHECK(shown(truth, char{0}) == "false");
  CHECK(shown(truth, char{2}) == "true");
}

TEST_CASE("texts, lists and records as lines") {
  NpyLines lines({input("id", NpyType::bytes, 0, 4), input("s.a", NpyType::u8, 4, 1),
                  input("flags", NpyType::bytes, 5, 2, 3), input("s.t.b", NpyType::truth, 11, 1),
                  input("u", NpyType::unicode, 12, 8), input("s.c", NpyType::i8, 20, 1)});
  const auto line = [&](std::string_view row) {
    REQUIRE(row.size() == 21);
    std::string out;
    lines.append(out, row.data());
    return out;
  };
  CHECK(
      line(std::string_view("ab\0\0\7"
                            "x\0\0\0yz\1\xe9\0\0\0\0\xf6\1\0\x09",
                            21)) ==
      "{\"id\":\"ab\",\"s\":{\"a\":7,\"t\":{\"b\":true},\"c\":9},\"flags\":[\"x\",\"yz\"],\"u\":\"\u00e9\U0001f600\"}");
  CHECK(line(std::string(21, '\0')) ==
        "{\"id\":null,\"s\":{\"a\":0,\"t\":{\"b\":false},\"c\":0},\"flags\":[],\"u\":null}");
  CHECK(line(std::string_view("\"\\\n\0\7"
                              "a\0\0\0\0\0\1\0\xd8\0\0\0\0\0\0\x09",
                              21)) ==
        "{\"id\":\"\\\"\\\\\\n\",\"s\":{\"a\":7,\"t\":{\"b\":true},\"c\":9},\"flags\":[\"a\"],\"u\":\"\xff\"}");
}
