// All parts of the checker that expressions need. Code that checks a declaration refers to one of these.
#pragma once

#include "lang/check/expr/expr_parts.hpp"
#include "lang/check/expr/hints.hpp"
#include "lang/check/expr/table_parts.hpp"

namespace assay {

struct Expressions {
  explicit Expressions(CheckState& state);

  AskedChecker asked;
  CallChecker calls;
  CsvReader csv;
  DoubtChecker doubts;
  ExprChecker exprs;
  Hints hints;
  TypeReader kinds;
  LoopChecker loops;
  RecordBuilder records;
  TableReader tables;
};

}  // namespace assay
