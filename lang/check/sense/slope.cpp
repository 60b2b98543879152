// See slope.hpp.
#include "lang/check/sense/slope.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <array>

namespace assay {

namespace {

using ast::ExprKind;

constexpr int kMostSteps = 2'000;  // of one question

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Functions whose result never falls when their first argument, or any, rises.
constexpr std::array<std::string_view, 8> kRiseWithFirst = {"clamp", "round", "floor", "ceil",
                                                            "sqrt",  "log",   "ln",    "exp"};
constexpr std::array<std::string_view, 4> kRiseWithAll = {"min", "max", "sum", "mean"};

}  // namespace

Leans Slope::of(RubricContext& rc, const ast::Body& body, bool absent) {
  rc_ = &rc, where_ = &body.where, absent_ = absent, steps_ = kMostSteps;
  leans_.clear();
  if (body.expr) walk(*body.expr, 1);
  if (steps_ <= 0) leans_.clear();
  return std::move(leans_);
}

Leans Slope::of(RubricContext& rc, const ast::Expr& e) {
  static const std::vector<ast::Where> kNone;
  rc_ = &rc, where_ = &kNone, absent_ = false, steps_ = kMostSteps;
  leans_.clear();
  walk(e, 1);
  if (steps_ <= 0) leans_.clear();
  return std::move(leans_);
}

void Slope::add(const std::string& path, const ast::Expr& e, int direction, bool counted) {
  const Lean::Direction found = direction > 0   ? Lean::Direction::rises
                                : direction < 0 ? Lean::Direction::falls
                                                : Lean::Direction::unknown;
  const auto [at, fresh] = leans_.try_emplace(path, Lean{found, &e, counted, under_});
  if (!fresh && at->second.direction != found) at->second.direction = Lean::Direction::unknown;
  at->second.under = at->second.under && under_;
}

Interval Slope::range(RubricContext& rc, const ast::Expr& e) {
  static const std::vector<ast::Where> kNone;
  rc_ = &rc, where_ = &kNone, steps_ = kMostSteps;
  return range(e);
}

Interval Slope::range(const ast::Expr& e) {
  if (--steps_ <= 0 || !Nesting::fits(budget_, 2)) return {};
  const Nesting nesting(budget_);
  NumberPool& pool = numbers();
  Number n;
  switch (e.kind) {
    case ExprKind::number: {
      const bool percent = e.text.ends_with('%');
      if (!parse_decimal(e.text.substr(0, e.text.size() - (percent ? 1 : 0)), n, pool, true)) return {};
      return exactly(percent ? div(n, whole(100), pool) : n);
    }
    case ExprKind::name: {
      const std::ptrdiff_t of = parameter(e.text);
      const Interval given = of >= 0 ? call_->ranges[static_cast<std::size_t>(of)] : Interval();
      if (finite(given)) return given;
      const auto known = state_.noted.paths.find(&e);
      if (known != state_.noted.paths.end()) return known->second;
      if (of >= 0) return given;
      for (const NameMap* names : {&rc_->by_name.own, &rc_->by_name.inputs}) {
        const auto at = names->find(e.text);
        if (at == names->end()) continue;
        const TypeId type = model(*rc_).items[static_cast<std::size_t>(at->second)].type;
        return types_.kind(type) == TypeKind::number ? types_[type].range : Interval();
      }
      return {};
    }
    case ExprKind::field: {
      const auto known = state_.noted.paths.find(&e);
      return known == state_.noted.paths.end() ? Interval() : known->second;
    }
    case ExprKind::unary: return e.text == "-" ? interval_neg(range(*e.args[0]), pool) : Interval();
    case ExprKind::binary: {
      if (e.text == "+") return interval_add(range(*e.args[0]), range(*e.args[1]), pool);
      if (e.text == "-") return interval_add(range(*e.args[0]), interval_neg(range(*e.args[1]), pool), pool);
      if (e.text == "*") return interval_mul(range(*e.args[0]), range(*e.args[1]), pool);
      return {};
    }
    case ExprKind::choice: {
      if (e.args.size() > 2 && e.args[2]) return interval_hull(range(*e.args[0]), range(*e.args[2]));
      return absent_ ? interval_hull(range(*e.args[0]), exactly(whole(0))) : range(*e.args[0]);
    }
    case ExprKind::call:
      if (e.text == "count") return {whole(0), Number(), false, false};
      if (e.text == "clamp" && e.args.size() == 2 && e.args[1] && e.args[1]->kind == ExprKind::range)
        return interval_hull(range(*e.args[1]->args[0]), range(*e.args[1]->args[1]));
      if ((e.text == "min" || e.text == "max") && e.args.size() == 2 && !e.loop) {
        const Interval a = range(*e.args[0]), b = range(*e.args[1]);
        return e.text == "min" ? interval_min(a, b) : interval_max(a, b);
      }
      return {};
    default: return {};
  }
}

// Which parameter of the function a name in its body is. -1: none.
std::ptrdiff_t Slope::parameter(std::string_view name) const {
  if (call_ == nullptr) return -1;
  const auto at = std::find_if(call_->params->begin(), call_->params->end(),
                               [name](const ast::Param& param) { return param.name.text == name; });
  return at == call_->params->end() ? -1 : at - call_->params->begin();
}

int Slope::sign_of(const ast::Expr& e) {
  const Interval r = range(e);
  if (!r.low.missing() && sign(r.low) >= 0) return 1;
  return !r.high.missing() && sign(r.high) <= 0 ? -1 : 0;
}

void Slope::walk(const ast::Expr& e, int direction) {
  if (--steps_ <= 0 || !Nesting::fits(budget_, 2)) {
    steps_ = 0;
    return;
  }
  const Nesting nesting(budget_);
  switch (e.kind) {
    case ExprKind::number:
    case ExprKind::text:
    case ExprKind::boolean:
    case ExprKind::missing: return;
    case ExprKind::name: return walk_name(e, direction);
    case ExprKind::field: {
      const ast::Expr& base = *e.args[0];
      if (base.kind == ExprKind::name && base.text == "input") return add(e.text, e, direction, false);
      if (base.kind == ExprKind::name && rc_->by_name.inputs.count(base.text) > 0)
        return add(base.text + "." + e.text, e, direction, false);
      break;
    }
    case ExprKind::unary: return walk(*e.args[0], -direction);
    case ExprKind::binary: return walk_binary(e, direction);
    case ExprKind::call: return walk_call(e, direction);
    case ExprKind::choice: return walk_choice(e, direction);
    case ExprKind::list:
      for (const ast::ExprPtr& item : e.args) walk(*item, direction);
      return;
    default: break;
  }
  for (const ast::ExprPtr& arg : e.args) {
    if (arg) walk(*arg, 0);
  }
}

void Slope::walk_name(const ast::Expr& e, int direction) {
  for (const ast::Where& w : *where_) {
    if (w.name.text == e.text) return walk(*w.expr, direction);
  }
  if (const std::ptrdiff_t i = parameter(e.text); i >= 0) {
    const Lean::Direction found = direction > 0   ? Lean::Direction::rises
                                  : direction < 0 ? Lean::Direction::falls
                                                  : Lean::Direction::unknown;
    Lean& lean = call_->leans[static_cast<std::size_t>(i)];
    if (lean.node != nullptr && lean.direction != found) lean.direction = Lean::Direction::unknown;
    else lean = {found, &e};
    return;
  }
  // a name is itself or a value of the rubric
  if (rc_->by_name.own.find(e.text) != rc_->by_name.own.end()) {
    const Nesting nesting(budget_);
    for (const ast::Item* item : rc_->items) {
      const auto* let = std::get_if<ast::Let>(&item->node);
      if (let == nullptr || let->name.text != e.text || !let->body.expr) continue;
      const std::vector<ast::Where>* around = where_;
      const bool absent = absent_;
      Call* call = call_;
      where_ = &let->body.where, absent_ = false, call_ = nullptr;
      walk(*let->body.expr, direction);
      where_ = around, absent_ = absent, call_ = call;
      return;
    }
  }
  const auto dimension = rc_->dimensions.by_name.find(e.text);
  if (dimension != rc_->dimensions.by_name.end()) {
    const ast::Body& body = dimension->second->node->body;
    if (!body.expr) return add(e.text, e, direction, false);
    if (where_ != &body.where) {  // a dimension of the name of its own input
      const std::vector<ast::Where>* around = where_;
      where_ = &body.where;
      walk(*body.expr, direction);
      where_ = around;
      return;
    }
  }
  if (rc_->by_name.inputs.find(e.text) != rc_->by_name.inputs.end()) add(e.text, e, direction, false);
}

void Slope::walk_binary(const ast::Expr& e, int direction) {
  const ast::Expr &a = *e.args[0], &b = *e.args[1];
  const std::string_view op = e.text;
  if (op == "+" || op == "and" || op == "or") return walk(a, direction), walk(b, direction);
  if (op == "-" || op == ">" || op == ">=") return walk(a, direction), walk(b, -direction);
  if (op == "<" || op == "<=") return walk(a, -direction), walk(b, direction);
  if (op == "*") return walk(a, direction * sign_of(b)), walk(b, direction * sign_of(a));
  if (op == "/") {
    walk(a, direction * sign_of(b));
    const bool under = under_;
    under_ = true;
    walk(b, -direction * sign_of(a));
    under_ = under;
    return;
  }
  if (op == "default") return walk(a, direction), walk(b, 0);
  if (op == "==" || op == "!=") return walk_equal(e, op == "==" ? direction : -direction);
  walk(a, 0), walk(b, 0);
}

// errors == 0 falls with errors, which is never less; share == 1 rises with a share.
void Slope::walk_equal(const ast::Expr& e, int direction) {
  const bool left = e.args[0]->kind == ExprKind::number || e.args[0]->kind == ExprKind::boolean;
  const ast::Expr &value = *e.args[left ? 1 : 0], &constant = *e.args[left ? 0 : 1];
  if (constant.kind == ExprKind::boolean) return walk(value, constant.flag ? direction : -direction);
  if (constant.kind != ExprKind::number) return walk(value, 0), walk(constant, 0);
  const Interval all = range(value), at = range(constant);
  const bool lowest = !all.low.missing() && !at.low.missing() && compare(all.low, at.low) == 0;
  const bool highest = !all.high.missing() && !at.high.missing() && compare(all.high, at.high) == 0;
  walk(value, highest ? direction : lowest ? -direction : 0);
}

void Slope::walk_call(const ast::Expr& e, int direction) {
  const bool own = find(e.text, &DeclaredNames::fns, rc_->index) >= 0;
  if (!own && !e.loop && is_one_of(e.text, kRiseWithAll)) {
    for (const ast::ExprPtr& arg : e.args) walk(*arg, direction);
    return;
  }
  if (!own && !e.loop && is_one_of(e.text, kRiseWithFirst) && !e.args.empty()) {
    walk(*e.args[0], direction);
    for (std::size_t i = 1; i < e.args.size(); ++i) walk(*e.args[i], 0);
    return;
  }
  if (!own && e.text == "count" && !e.loop && e.args.size() == 1 && e.args[0]->kind == ExprKind::name)
    return add(e.args[0]->text, *e.args[0], direction, true);
  if (!e.loop && walk_table(e, direction)) return;
  if (!e.loop && own) return walk_function(e, direction);
  for (const ast::ExprPtr& arg : e.args) {
    if (arg) walk(*arg, 0);
  }
}

// As its body moves with the parameters, so the call with its arguments.
void Slope::walk_function(const ast::Expr& e, int direction) {
  const ast::Fn& fn = *declared_.fns[static_cast<std::size_t>(find(e.text, &DeclaredNames::fns, rc_->index))].node;
  Call call{&fn.params, std::vector<Lean>(fn.params.size()), {}};
  for (const ast::ExprPtr& arg : e.args) call.ranges.push_back(range(*arg));
  const std::vector<ast::Where>* around = where_;
  const bool absent = absent_;
  Call* outer = call_;
  where_ = &fn.body.where, absent_ = false, call_ = &call;
  walk(*fn.body.expr, 1);
  where_ = around, absent_ = absent, call_ = outer;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Lean& lean = call.leans[i];
    const int with = lean.direction == Lean::Direction::rises ? 1 : lean.direction == Lean::Direction::falls ? -1 : 0;
    if (lean.node != nullptr) walk(*e.args[i], direction * with);
  }
}

// A table of one key, whose results only rise or only fall with it.
bool Slope::walk_table(const ast::Expr& e, int direction) {
  if (e.args.size() != 1 || !e.args[0]) return false;
  for (const ast::Item* item : rc_->items) {
    const auto* table = std::get_if<ast::Table>(&item->node);
    if (table == nullptr || table->name.text != e.text) continue;
    walk(*e.args[0], direction * order_of(*table));
    return true;
  }
  return false;
}

// 1: the results rise with the key, -1: they fall, 0: neither, or unknown.
int Slope::order_of(const ast::Table& table) {
  if (table.params.size() != 1 || table.rows.columns.size() != 2 || table.rows.rows.size() < 2) return 0;
  Number key, result;
  int keys = 0, results = 0;
  const auto follows = [](const Number& a, const Number& b, int& order) {
    const int now = compare(b, a);
    if (now != 0 && order == -now) return false;
    if (now != 0) order = now;
    return true;
  };
  for (std::size_t i = 0; i < table.rows.rows.size(); ++i) {
    const std::vector<ast::Cell>& row = table.rows.rows[i];
    if (row.size() != 2 || row[0].patterns.size() != 1 || row[1].patterns.size() != 1 || !row[1].patterns[0].expr)
      return 0;
    const ast::CellPattern& p = row[0].patterns[0];
    const bool rest = p.tag == ast::CellPattern::Tag::otherwise && i > 0 && i + 1 == table.rows.rows.size();
    const ast::Expr* at = !p.bounds.empty() ? p.bounds[0].expr.get() : p.expr.get();
    if (at != nullptr && at->kind == ExprKind::range) at = at->args[0].get();
    if (at == nullptr && !rest) return 0;
    const Interval of = rest ? exactly(key) : range(*at), gives = range(*row[1].patterns[0].expr);
    if (!finite(of) || !finite(gives)) return 0;
    if (i > 0 && (!follows(key, of.low, keys) || !follows(result, gives.low, results))) return 0;
    key = of.low, result = gives.low;
  }
  return keys * results;
}

// With the larger value in one case, the whole rises as that case becomes likelier.
void Slope::walk_choice(const ast::Expr& e, int direction) {
  const bool other = e.args.size() > 2 && e.args[2];
  walk(*e.args[0], direction);
  if (other) walk(*e.args[2], direction);
  const Interval here = range(*e.args[0]);
  const Interval there = other ? range(*e.args[2]) : absent_ ? exactly(whole(0)) : Interval();
  const bool above = !here.low.missing() && !there.high.missing() && compare(here.low, there.high) >= 0;
  const bool below = !here.high.missing() && !there.low.missing() && compare(here.high, there.low) <= 0;
  walk(*e.args[1], above == below ? 0 : above ? direction : -direction);
}

}  // namespace assay
