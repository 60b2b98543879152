// A table of a rubric as tests that choose a row. Its columns are no part of it: they are choices by row number.
#pragma once

#include "lang/text/source.hpp"
#include "lang/value/type.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct CellTest {
  enum class Kind : std::uint8_t { value, range, missing } kind = Kind::value;
  Value value = missing_value();  // value: a constant of the key's type
  RangeData range;                // range: number within
};
struct TableKey {
  TypeId type = kUnknown;
};
struct TableRow {
  std::vector<std::vector<CellTest>> cells;  // one list of alternatives per key; an empty list matches anything
  Span span;
};
struct LookupTable {
  std::string name;
  std::vector<TableKey> keys;
  std::vector<TableRow> rows;
};

}  // namespace assay
