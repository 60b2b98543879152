// JSON whose numbers are the decimals that their text spells, and the comparison of verdicts that the contract asks for
// (tests/conformance/README.md, "How a verdict is compared"). No number passes through a double.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

struct Member;

struct Json {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  // of a text its characters, of a number its digits as written
  std::vector<Json> items;
  std::vector<Member> members;

  const Json* find(std::string_view key) const;  // null when this is no object or has no such member
};

struct Member {
  std::string name;
  Json value;
};

// Nothing when `text` is not exactly one JSON value; `problem` then says why.
std::optional<Json> parse_json(std::string_view text, std::string& problem);

// Compact JSON text; numbers as they were written.
std::string to_text(const Json& value);

// One text for one decimal: "8.50", "85e-1" and "8.5" are all "85e-1"; zeros are "0".
std::string normalised_decimal(std::string_view number);

// Empty when everything in `expected` is in `actual` with an equal value; otherwise one sentence with the path.
std::string difference(const Json& expected, const Json& actual, const std::string& path = {});

}  // namespace assay_tests
