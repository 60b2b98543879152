// The names that a text declares, and their rough types, found without checking the text.
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
  Shape shape(std::string_view name)
      const;  // of an input, a field or a literal 'let'; `unknown` also for a name with several shapes
  bool is_field(std::string_view name) const;                          // of the items of a list
  bool has_field(std::string_view list, std::string_view name) const;  // of the items of this list
  static bool singular(std::string_view one, std::string_view many);   // score of scores, entry of entries
  bool is_item(std::string_view name) const;                           // the singular of a declared name
  bool declares(std::string_view name) const { return declared.count(name) != 0; }

  // Whether an order by 'fewest x' counts what is in it: a list, a set or a map.
  bool has_items(std::string_view name) const {
    return shape(name) == Shape::list || shape(name) == Shape::records || shape(name) == Shape::map;
  }

  // Whether a value may be missing: an input, a field, or the items of a list of this name.
  bool may_be_missing(std::string_view name) const { return optional.count(name) != 0; }

  bool plain = false;  // calls are Assay's own and are not translated

  std::set<std::string_view> declared;                                  // inputs, dimensions, values
  std::set<std::string_view> values_of_record;                          // the same without deductions, tables …
  std::set<std::string_view> bound;                                     // by loops and functions
  std::set<std::string_view> rubrics;                                   // by their names
  std::set<std::string_view> whole;                                     // whose type is whole
  std::set<std::string_view> never_negative;                            // by their limits
  std::set<std::string_view> optional;                                  // names whose type says so
  std::map<std::string_view, std::size_t> tables;                       // each with its number of keys
  std::map<std::string_view, std::vector<std::string_view>> columns;    // of tables, as their first row names them
  std::map<std::string_view, std::vector<std::string_view>> functions;  // and their parameters
  std::map<std::string_view, Shape> shapes;
  std::map<std::string_view, Shape> items;                           // of lists, by their names
  std::map<std::string_view, std::vector<std::string_view>> values;  // the texts of a 'one of', in quotes, by its name
  std::map<std::string_view, std::vector<std::string_view>> fields;  // the fields of a list's items, by its name
};

// Whether a word stands right before an opening parenthesis.
bool begins_call(const Tokens& tokens, std::size_t i);
// Whether '//' at a token begins a remark about a name of the value before it, as in 'rate * hours // hours'.
bool remark_behind(const Tokens& tokens, std::size_t i);

}  // namespace assay::mending
