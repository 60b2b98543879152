// Shared by the tests of columns: a rubric from its body, columns over vectors, errors as text.
#pragma once

#include <assay/assay.hpp>

#include "tests/property/register_pair.hpp"
#include "tests/unit/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace assay_tests {

using namespace assay;

inline const double kNan = std::numeric_limits<double>::quiet_NaN();

inline Rubric rubric(const std::string& body) {
  return known_rubric("columns.rubric", "rubric r {\n  version \"1\"\n" + body + "\n}\n");
}

inline std::string code(const std::optional<InputError>& error) {
  return error ? error->path + ": " + error->code : std::string();
}

inline std::string errors(const Columns& columns) {
  std::string out;
  for (const auto& [row, error] : columns.errors())
    out += std::to_string(row) + ' ' + error.path + ": " + error.code + '\n';
  return out;
}

template <class T>
Column column(const std::vector<T>& values, ColumnType type) {
  Column c;
  c.data = values.data();
  c.type = type;
  return c;
}
template <class T>
ResultColumn result(std::vector<T>& values, ColumnType type) {
  ResultColumn c;
  c.data = values.data();
  c.type = type;
  return c;
}

constexpr std::size_t kRows = 3000;  // several blocks

}  // namespace assay_tests
