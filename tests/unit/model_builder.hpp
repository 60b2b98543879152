// Models built by hand, without syntax, for tests of the stages after `check`: one rubric with a few slots, and short
// functions that create expressions. `run` returns the text of a value (as bytecode listings write constants), or the
// error.
#pragma once

#include "lang/bytecode/compile.hpp"
#include "lang/value/constant_text.hpp"
#include "runtime/vm/vm.hpp"

#include "tests/unit/catch.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::test {

class ModelBuilder {
 public:
  ModelBuilder() : model(std::make_shared<Model>()) {
    model->rubrics.emplace_back();
    model->rubrics[0].name = "test";
    model->main = 0;
  }

  std::shared_ptr<Model> model;
  RubricModel& rubric(std::size_t i = 0) { return model->rubrics[i]; }
  TypeTable& types() { return model->types; }

  // ---- constants
  Value decimal(const std::string& text) {
    Number n;
    REQUIRE(parse_decimal(text, n, model->constants.numbers()));
    return make_number(n);
  }
  Value chars(const std::string& text) { return make_text(model->constants.copy(text)); }
  Expr* make(Op op, TypeId type, std::vector<Expr*> args = {}, std::uint32_t index = 0) {
    Expr& e = model->expressions.emplace_back();
    e.op = op;
    e.type = type;
    e.args = std::move(args);
    e.index = index;
    return &e;
  }
  Expr* constant(TypeId type, Value v) {
    Expr* e = make(Op::constant, type);
    e->value = v;
    return e;
  }
  Expr* n(const std::string& text) { return constant(kNumber, decimal(text)); }
  Expr* n(int value) { return constant(kNumber, make_number(whole(value))); }
  Expr* t(const std::string& text) { return constant(kText, chars(text)); }
  Expr* b(bool value) { return constant(kBool, make_bool(value)); }
  Expr* missing(TypeId type = kNumber) { return constant(type, missing_value()); }
  // A value that the compiler cannot evaluate.
  Expr* hide(Expr* e) { return make(Op::choice, e->type, {e, b(true), missing(e->type)}); }

  // ---- structure
  Expr* list(TypeId element, std::vector<Expr*> items) {
    return make(Op::make_list, types().list(element), std::move(items));
  }
  Expr* numbers(std::vector<int> values) {
    std::vector<Expr*> items;
    for (int v : values) items.push_back(hide(n(v)));
    return list(kNumber, std::move(items));
  }
  Expr* texts(std::vector<std::string> values) {
    std::vector<Expr*> items;
    for (const std::string& v : values) items.push_back(hide(t(v)));
    return list(kText, std::move(items));
  }
  TypeId record_type(std::vector<std::pair<std::string, TypeId>> fields) {
    std::vector<Field> made;
    for (auto& [name, type] : fields) {
      Field f;
      f.name = name;
      f.type = type;
      f.presence = Presence::optional;
      made.push_back(f);
    }
    return types().record(std::move(made));
  }
  Expr* map(TypeId element, std::vector<std::pair<std::string, Expr*>> entries) {
    Expr* e = make(Op::make_map, types().map(element));
    for (auto& [key, value] : entries) {
      e->names.push_back(key);
      e->args.push_back(value);
    }
    return e;
  }
  Expr* range(Expr* low, Expr* high, std::uint32_t open = 0) { return make(Op::make_range, kRange, {low, high}, open); }
  Expr* local(std::uint32_t i, TypeId type) { return make(Op::local, type, {}, i); }
  Expr* builtin(Builtin which, TypeId type, std::vector<Expr*> args) {
    return make(Op::builtin, type, std::move(args), static_cast<std::uint32_t>(which));
  }
  Expr* slot(const std::string& name, TypeId type) {
    Slot s;
    s.name = name;
    s.type = type;
    rubric().slots.push_back(s);
    return make(Op::slot, type, {}, static_cast<std::uint32_t>(rubric().slots.size() - 1));
  }
  int item(Expr* body, std::size_t of = 0) {
    Item i;
    i.name = "item" + std::to_string(rubric(of).items.size());
    i.body = body;
    i.type = body->type;
    i.locals = 16;
    rubric(of).items.push_back(std::move(i));
    return static_cast<int>(rubric(of).items.size() - 1);
  }
  Expr* use(int item, std::size_t of = 0) {
    return make(Op::item, rubric(of).items[static_cast<std::size_t>(item)].type, {}, static_cast<std::uint32_t>(item));
  }
  int function(std::vector<TypeId> params, TypeId result, int rubric = 0) {
    Function f;
    f.name = "f" + std::to_string(model->functions.size());
    f.rubric = rubric;
    f.params = std::move(params);
    f.locals = 16;
    f.result = result;
    model->functions.push_back(std::move(f));
    return static_cast<int>(model->functions.size() - 1);
  }
  Expr* call(int f, std::vector<Expr*> args) {
    return make(Op::call, model->functions[static_cast<std::size_t>(f)].result, std::move(args),
                static_cast<std::uint32_t>(f));
  }
  // for item (local 1, its index or key in local 0) in source: value
  Expr* loop(Collect collect, TypeId type, Expr* source, Expr* value) {
    Expr* e = make(Op::loop, type);
    e->loop = std::make_unique<Loop>();
    e->loop->collect = collect;
    e->loop->value = value;
    LoopClause c;
    c.expr = source;
    c.first = 0;
    c.second = 1;
    e->loop->clauses.push_back(c);
    return e;
  }
  static void clause(Expr* loop, LoopClause::Kind kind, Expr* expr, int first = -1, int second = -1) {
    LoopClause c;
    c.kind = kind;
    c.expr = expr;
    c.first = first;
    c.second = second;
    loop->loop->clauses.push_back(c);
  }

  // ---- evaluation
  std::shared_ptr<const Program> program(int root, bool checks = true) {
    auto p = compile(model, 0, {root}, checks);
    std::string why;
    INFO(disassemble(*p));
    bool fine = verify(*p, why);
    INFO(why);
    REQUIRE(fine);
    return p;
  }
  std::string run(int root, const std::vector<Value>& slots = {}, const std::vector<Number>& weights = {}) {
    auto p = program(root);
    VmInputs inputs;
    inputs.slots = slots.data();
    inputs.history = history;
    if (!weights.empty()) inputs.weights = weights.data();
    Value result;
    if (!vm.run(*p, inputs, arena, &result, error)) return error.code + " at '" + error.path + "': " + error.message;
    std::string out;
    write_constant(model->types, rubric().items[static_cast<std::size_t>(root)].type, result, out);
    return out;
  }
  std::string run(Expr* e, const std::vector<Value>& slots = {}) { return run(item(e), slots); }

  Vm vm;
  Arena arena;
  RunError error;
  Value history = missing_value();
};

}  // namespace assay::test
