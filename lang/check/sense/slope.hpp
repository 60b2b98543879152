// How a value moves with the inputs that it is computed from: clamp(100 - 5 * errors, 0..100) falls with errors. Sound:
// a value that is said to rise never falls when that input rises and all others stay the same.
#pragma once

#include "lang/check/state/check_base.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Lean {
  enum class Direction : std::uint8_t { rises, falls, unknown } direction = Direction::unknown;
  const ast::Expr* node = nullptr;  // where the input is read first
  bool counted = false;             // only its number of items matters
  bool under = false;               // only used as a divisor
};
using Leans = std::map<std::string, Lean>;  // by the input's path: "errors", "car.accidents"

class Slope : public CheckBase {
 public:
  using CheckBase::CheckBase;

  // `absent`: a choice without 'else' counts as 0 if its condition fails, as in an amount.
  Leans of(RubricContext& rc, const ast::Body& body, bool absent);
  Leans of(RubricContext& rc, const ast::Expr& e);
  // The range of a number; an unknown end is missing.
  Interval range(RubricContext& rc, const ast::Expr& e);

 private:
  Interval range(const ast::Expr& e);
  void walk(const ast::Expr& e, int direction);  // 1: the whole rises with it, -1: falls, 0: unknown
  void walk_binary(const ast::Expr& e, int direction);
  void walk_equal(const ast::Expr& e, int direction);
  void walk_call(const ast::Expr& e, int direction);
  void walk_choice(const ast::Expr& e, int direction);
  void walk_name(const ast::Expr& e, int direction);
  void walk_function(const ast::Expr& e, int direction);
  bool walk_table(const ast::Expr& e, int direction);
  void add(const std::string& path, const ast::Expr& e, int direction, bool counted);
  std::ptrdiff_t parameter(std::string_view name) const;
  int order_of(const ast::Table& table);
  int sign_of(const ast::Expr& e);

  // How the result of a function moves with its parameters.
  struct Call {
    const std::vector<ast::Param>* params = nullptr;
    std::vector<Lean> leans;       // one for each parameter; without a node if the parameter is not read
    std::vector<Interval> ranges;  // of the arguments
  };

  RubricContext* rc_ = nullptr;
  Call* call_ = nullptr;  // whose body is walked
  const std::vector<ast::Where>* where_ = nullptr;
  bool absent_ = false, under_ = false;
  int steps_ = 0;  // the steps that may still be taken
  Leans leans_;
};

}  // namespace assay
