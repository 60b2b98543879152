// What the declarations of a text say about its names, as far as their words tell without checking it.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace assay::mending {

enum class Shape : std::uint8_t { unknown, number, text, condition, list, records, map, record };

struct KnownNames {
  explicit KnownNames(const Tokens& tokens);
  Shape shape(std::string_view name) const;    // of an input, a field or a literal 'let'; unknown: or of several shapes
  bool is_field(std::string_view name) const;  // of the items of a list
  bool declares(std::string_view name) const { return declared.count(name) != 0; }

  bool plain = false;  // calls are those of Assay, and are not translated

  std::set<std::string_view> declared;                                  // inputs, dimensions, values
  std::set<std::string_view> bound;                                     // by loops and functions
  std::map<std::string_view, std::size_t> tables;                       // with keys: how many
  std::map<std::string_view, std::vector<std::string_view>> functions;  // and their parameters
  std::map<std::string_view, Shape> shapes;
  std::map<std::string_view, std::vector<std::string_view>> values;  // of a 'one of', in quotes, by its name
  std::map<std::string_view, std::vector<std::string_view>> fields;  // of the items of a list, by its name
};

}  // namespace assay::mending
