// JSON with numbers as exact decimals, and the comparison of verdicts that the contract specifies
// (tests/conformance/README.md, "How a verdict is compared"). No number is converted to a double.
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
  std::string text;  // a text's characters, or a number's digits as written
  std::vector<Json> items;
  std::vector<Member> members;

  const Json* find(std::string_view key) const;  // null if this is not an object or has no such member
};

struct Member {
  std::string name;
  Json value;
};

// Returns nothing unless `text` is exactly one JSON value; `problem` then says why.
std::optional<Json> parse_json(std::string_view text, std::string& problem);

// Compact JSON text; numbers as they were written.
std::string to_text(const Json& value);

// The normal form of a decimal: "8.50", "85e-1" and "8.5" all become "85e-1"; zeros become "0".
std::string normalised_decimal(std::string_view number);

// Returns an empty text if everything in `expected` is in `actual` with an equal value, otherwise one sentence with the
// path.
std::string difference(const Json& expected, const Json& actual, const std::string& path = {});

}  // namespace assay_tests
