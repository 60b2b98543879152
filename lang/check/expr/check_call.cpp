// Checker: calls of functions, hooks and rubrics. A function is checked for each combination of argument types with
// which it is called, so that authors need not write types.
#include "lang/check/expr/expressions.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/foreign_words.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

std::string signature(const std::string& name, const std::vector<ast::Param>& params) {
  std::string s = name + "(";
  for (const ast::Param& p : params) s += (&p == params.data() ? "" : ", ") + p.name.text;
  return s + ")";
}

}  // namespace

bool CallChecker::arity(const ast::Expr& e, std::size_t have, std::size_t least, std::size_t most,
                        std::string_view signature, const Fix& certain) {
  if (have >= least && have <= most) return true;
  const std::string wanted =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  Diagnostic& d = error(Code::argument_count, e.word,
                        "'" + e.text + "' takes " + wanted + (wanted == "1" ? " argument, " : " arguments, ") +
                            std::to_string(have) + " given",
                        "", std::string(signature));
  if (!certain.empty()) offer(*diagnostics_, d, {certain}, true);
  return false;
}

Expr* CallChecker::call_expr(const ast::Expr& e, Context& cx) {
  const BuiltinRow* row = nullptr;
  const int fn = find(e.text, &DeclaredNames::fns, cx.rubric);
  const int table = fn < 0 ? find(e.text, &DeclaredNames::tables, cx.rubric) : -1;
  const int hook = fn < 0 && table < 0 ? find(e.text, &DeclaredNames::hooks, cx.rubric) : -1;
  const int applied = fn < 0 && table < 0 && hook < 0 ? find_rubric(e.text) : -1;
  if (fn < 0 && table < 0 && hook < 0 && applied < 0) {
    row = find_builtin(e.text);
    if (!row) {
      std::vector<std::string_view> names;
      for (const BuiltinRow& r : kBuiltinRows) {
        if (e.loop || takes(r, e.args.size())) names.push_back(r.name);  // MODE(xs) is no mod(a, b)
      }
      const auto add = [&names](const DeclaredNames& n) {
        for (const auto* space : {&n.fns, &n.tables, &n.hooks}) {
          for (const auto& entry : *space) names.push_back(entry.first);
        }
      };
      add(declared_.file_names);
      if (cx.rubric >= 0) add(rubric(cx.rubric).names);
      for (const auto& entry : declared_.rubric_by_name) names.push_back(entry.first);
      FixIt help = did_you_mean(e.text, names);
      std::vector<std::string_view> foreign;
      for (const auto& row_of : kForeignFunctions) foreign.push_back(row_of.first);
      const std::string_view near = nearest(e.text, foreign);
      for (const auto& [name, fix] : kForeignFunctions) {
        if (name == e.text || (help.empty() && name == near)) help = fix;
      }
      if (help.empty()) help = "declare it: fn " + e.text + "(…) = …";
      error(Code::unknown_function, e.word, "no function, table, hook or rubric is named '" + e.text + "'", "", help);
      for (const ast::ExprPtr& a : e.args) {
        if (!e.loop) exprs_.expr(*a, cx);
      }
      return broken(e.span);
    }
  }
  if (e.loop) {
    if (row && (row->group == "aggregates" || row->id == Builtin::min || row->id == Builtin::max))
      return loops_.aggregate_loop(e, cx, row->id);
    std::vector<Expr*> args = {loops_.list_loop(e, cx)};
    if (row) return call_builtin(row->id, e, std::move(args), cx);
    if (fn >= 0) return call_fn(fn, e, std::move(args), cx);
    if (hook >= 0) return call_hook(hook, e, std::move(args));
    error(Code::wrong_type, e.span, "'" + e.text + "' does not take a list");
    return broken(e.span);
  }
  std::vector<Expr*> args;
  for (const ast::ExprPtr& a : e.args) args.push_back(exprs_.expr(*a, cx));
  if (fn >= 0) return call_fn(fn, e, std::move(args), cx);
  if (table >= 0) return tables_.table_call(table, e, std::move(args), cx);
  if (hook >= 0) return call_hook(hook, e, std::move(args));
  if (applied >= 0) return call_rubric(applied, e, std::move(args));
  return call_builtin(row->id, e, std::move(args), cx);
}

// Checks the body of a function for arguments of these types, and returns the index of the instance.
int CallChecker::check_instance(int decl, const ast::Expr& e, const std::vector<TypeId>& types,
                                const std::vector<bool>& optional) {
  FnDecl& fn = declared_.fns[static_cast<std::size_t>(decl)];
  const std::vector<ast::Param>& params = fn.node->params;
  const int made = static_cast<int>(declared_.instances.size());
  fn.instances.push_back(made);
  Instance& in = declared_.instances.emplace_back();
  in.decl = decl;
  in.params = types;
  in.optional = optional;
  in.state = 1;
  in.function = static_cast<int>(model_.functions.size());
  Function& f = model_.functions.emplace_back();
  f.name = fn.node->name.text;
  f.rubric = fn.rubric;
  f.params = types;
  for (const ast::Param& p : params) f.param_names.push_back(p.name.text);
  in.result_optional = false;
  for (int pass = 0; pass < 5; ++pass) {  // the result type of a recursive function is found by iteration
    Context inner;
    inner.rubric = fn.rubric;
    inner.instance = made;
    for (std::size_t i = 0; i < params.size(); ++i) push_local(inner, params[i].name.text, types[i], optional[i]);
    std::string called = "'" + e.text + "' is called here";
    for (std::size_t i = 0; i < params.size(); ++i) called += std::string(i ? ", " : " with ") + types_.say(types[i]);
    state_.reports.calls.emplace_back(e.span, std::move(called));
    Expr* result = exprs_.body(fn.node->body, inner);
    state_.reports.calls.pop_back();
    const bool same = result->type == f.result && result->optional == in.result_optional;
    f.body = result;
    f.locals = inner.locals;
    f.result = result->type;
    in.result_optional = result->optional;
    if (in.recursive && types_.kind(f.result) == TypeKind::number) f.result = kNumber;
    if (!in.recursive || same || (pass > 0 && f.result == kNumber)) break;
  }
  if (in.recursive) in.result_optional = true;
  in.state = 2;
  return made;
}

Expr* CallChecker::call_fn(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  constexpr int kCallLevels = 4;  // allows 200 nested combinations of types
  const Nesting nesting(budget_, kCallLevels);
  FnDecl& fn = declared_.fns[static_cast<std::size_t>(decl)];
  fn.used = true;
  const std::vector<ast::Param>& params = fn.node->params;
  if (!arity(e, args.size(), params.size(), params.size(), "fn " + signature(fn.node->name.text, params)))
    return broken(e.span);
  std::vector<TypeId> types;
  std::vector<bool> optional;
  for (std::size_t i = 0; i < args.size(); ++i) {
    TypeId type = args[i]->type;
    if (params[i].kind) {
      const TypeId declared = kinds_.kind(*params[i].kind, fn.rubric);
      const bool fits = types_.fits(type, declared);
      if (!fits && !types_.shaped(type, declared)) {
        const std::string ask = asked_.ask_help(args[i], asked_.kind_word(declared));
        // fn f(a, b: text): of both
        const bool shared =
            i + 1 < params.size() && params[i + 1].kind && params[i + 1].kind->span.begin == params[i].kind->span.begin;
        const std::string own = types_.kind(type) == TypeKind::number ? "number"
                                : types_.kind(type) == TypeKind::text ? "text"
                                                                      : "…";
        const std::string meant = shared
                                      ? "'" + params[i + 1].name.text + "' has that type, and '" + params[i].name.text +
                                            "' with it: write " + params[i].name.text + ": " + own
                                      : hints_.shape_help(type, declared);
        error(asked_.asked_or_wrong(ask), args[i]->span,
              "'" + params[i].name.text + "' of '" + e.text + "' is " + types_.say(declared) + ", this is " +
                  types_.say(type),
              "", ask.empty() ? meant : ask);
        return broken(e.span);
      }
      type = fits ? types_.with_gaps_of(declared, type) : loops_.unbounded(type);
      if (types_.kind(type) == TypeKind::number && !stays_within(*args[i], types_[type].range, cx)) {
        // The range of an argument of another function is not known here.
        if (!any_arguments(cx))
          leaves_range(*args[i], args[i]->type, "'" + params[i].name.text + "' of '" + e.text + "'", type);
        type = types_[type].whole ? kWhole : kNumber;
      } else if (fits && !keeps_ranges(args[i]->type, declared)) {
        type = args[i]->type;
      }
    } else if (types_.kind(type) == TypeKind::number) {
      type = types_[type].whole ? kWhole : kNumber;  // ranges would make an instance for every call
    } else if (types_.kind(type) == TypeKind::text) {
      type = kText;
    }
    types.push_back(type);
    optional.push_back(args[i]->optional);
  }
  int found = -1;
  for (const int i : fn.instances) {
    const Instance& in = declared_.instances[static_cast<std::size_t>(i)];
    if (in.params == types && (in.optional == optional || in.state == 1)) found = i;
  }
  if (found < 0 && fn.instances.size() >= 200) {
    error(Code::too_many_instances, e.word, "'" + e.text + "' is called with more than 200 combinations of types", "",
          "a function that hands itself an argument of another type each time never ends");
    return broken(e.span);
  }
  if (found < 0) {
    found = check_instance(decl, e, types, optional);
  } else if (declared_.instances[static_cast<std::size_t>(found)].state == 1) {
    Instance& in = declared_.instances[static_cast<std::size_t>(found)];
    in.recursive = true;
    if (cx.instance != found) {
      error(Code::recursion, e.word, "'" + e.text + "' calls itself through another function", "",
            "a function may only call itself, on the items of its argument's own list");
      return broken(e.span);
    }
    const bool ends = std::any_of(args.begin(), args.end(), [&cx](const Expr* a) {
      while (a->op == Op::as_kind || a->op == Op::retype) a = a->args[0];
      return a->op == Op::local && cx.items_below.count(static_cast<int>(a->index)) != 0;
    });
    if (!ends) {
      error(Code::recursion, e.word, "'" + e.text + "' calls itself, and nothing shows that it ends", "",
            "call it on the items of a list in its own argument: 'for p in g.parts'");
      return broken(e.span);
    }
  }
  const Instance& in = declared_.instances[static_cast<std::size_t>(found)];
  const Function& f = model_.functions[static_cast<std::size_t>(in.function)];
  if (in.state == 2 && f.body && is_constant(f.body) && f.body->type != kUnknown) {
    if (fn.node->result) keep_result(fn, in, *f.body, cx);
    return f.body;
  }
  Expr* call = make(Op::call, f.result, e.span, std::move(args));
  call->index = static_cast<std::uint32_t>(in.function);
  call->optional = in.state == 1 || in.result_optional;
  if (in.state == 2 && narrower(call->args, in.params)) narrow(*call, cx.rubric);
  if (fn.node->result && in.state == 2) keep_result(fn, in, *call, cx);
  return call;
}

// Whether the numbers inside lists, maps and records of a type stay within the ranges that another one declares.
bool CallChecker::keeps_ranges(TypeId type, TypeId declared) const {
  const Nesting nesting(budget_);
  const Type &own = types_[type], &other = types_[declared];
  if (type == declared || own.kind != other.kind) return true;
  if (own.kind == TypeKind::number) return inside(own.range, other.range);
  if (own.kind == TypeKind::list || own.kind == TypeKind::map) return keeps_ranges(own.element, other.element);
  if (own.kind != TypeKind::record || own.fields.size() != other.fields.size()) return true;
  budget_.step(own.fields.size());
  for (std::size_t i = 0; i < own.fields.size(); ++i) {
    if (!keeps_ranges(own.fields[i].type, other.fields[i].type)) return false;
  }
  return true;
}

bool CallChecker::any_arguments(const Context& cx) const {
  if (cx.instance < 0) return false;
  const std::vector<ast::Param>& params =
      declared_.fns[static_cast<std::size_t>(declared_.instances[static_cast<std::size_t>(cx.instance)].decl)]
          .node->params;
  return std::any_of(params.begin(), params.end(), [](const ast::Param& p) { return !p.kind; });
}

bool CallChecker::stays_within(Expr& value, const Interval& range, const Context& cx) {
  if (inside(range_of(&value), range) || (is_constant(&value) && value.value.missing())) return true;
  narrow(value, cx.rubric);
  return inside(range_of(&value), range);
}

void CallChecker::leaves_range(const Expr& value, TypeId type, const std::string& what, TypeId declared) {
  const Interval& range = types_[declared].range;
  const std::string text = source_text(value.span);
  const auto kept = [&](const std::string& of) {
    if (range.high.missing()) return "max(" + of + ", " + exact_text(range.low) + ")";
    if (range.low.missing()) return "min(" + of + ", " + exact_text(range.high) + ")";
    return "clamp(" + of + ", " + exact_text(range.low) + ".." + exact_text(range.high) + ")";
  };
  Diagnostic& out =
      error(Code::out_of_range, value.span, what + " is " + types_.say(declared) + ", and this is " + types_.say(type),
            "", "keep it in its range: " + kept("…"));
  if (!is_constant(&value)) out.suggestions.push_back(diagnostics_->suggestion(value.span, kept(text), false));
}

// The declared type of a result holds for each call: its range is that of the call, if the call stays within it.
void CallChecker::keep_result(const FnDecl& fn, const Instance& in, Expr& call, const Context& cx) {
  const TypeId declared = kinds_.kind(*fn.node->result, fn.rubric);
  const Expr* body = model_.functions[static_cast<std::size_t>(in.function)].body;
  const std::string what = "the result of '" + fn.node->name.text + "'";
  if (kind_of(&call) == TypeKind::unknown) return;
  if (!types_.fits(call.type, declared)) {
    error(Code::wrong_type, body->span,
          what + " is " + types_.say(declared) + ", and this is " + types_.say(call.type));
    return;
  }
  const auto unknown = [this](const Expr* arg) { return kind_of(arg) == TypeKind::unknown; };
  if (types_.kind(declared) != TypeKind::number || in.recursive) return;
  if (std::any_of(call.args.begin(), call.args.end(), unknown)) return;
  if (stays_within(call, types_[declared].range, cx) || any_arguments(cx)) return;
  leaves_range(*body, call.type, what, declared);
}

// Whether the range of some argument is one that its instance does not have: there is no instance for each range.
bool CallChecker::narrower(const std::vector<Expr*>& args, const std::vector<TypeId>& params) const {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (types_.kind(params[i]) == TypeKind::number && kind_of(args[i]) == TypeKind::number &&
        args[i]->type != params[i])
      return true;
  }
  return false;
}

void CallChecker::check_unused_fns() {
  std::set<const ast::Fn*> called;  // in the rubric, or in its cohort
  for (const FnDecl& fn : declared_.fns) {
    if (fn.used) called.insert(fn.node);
  }
  for (std::size_t i = 0; i < declared_.fns.size(); ++i) {
    FnDecl& fn = declared_.fns[i];
    if (fn.copy || called.count(fn.node) > 0) continue;
    const bool imported = fn.node->name.span.file != declared_.rubric_nodes.back()->name.span.file;
    if (imported) continue;
    Context cx;
    cx.rubric = fn.rubric;
    ast::Expr call;
    call.text = fn.node->name.text;
    call.word = fn.node->name.span;
    call.span = fn.node->name.span;
    std::vector<Expr*> args;
    for (const ast::Param& p : fn.node->params) {
      args.push_back(constant(missing_value(), p.kind ? kinds_.kind(*p.kind, fn.rubric) : kUnknown, p.name.span));
    }
    call_fn(static_cast<int>(i), call, std::move(args), cx);
    if (fn.rubric >= 0 && !diagnostics_->has_errors())
      error(Code::unused, fn.node->name.span, "the function '" + fn.node->name.text + "' is never called", "",
            "call it, or leave it out");
  }
}

void CallChecker::check_useless_defaults() {
  for (const auto& [place, one] : state_.noted.defaults) {
    if (one.useful) continue;
    state_.noted.doubts.push_back({Code::useless_default,
                                   one.word,
                                   "this 'default' is never used: what stands before it is never missing",
                                   {},
                                   nullptr});
  }
}

void CallChecker::declare_hook(const ast::Hook& node, DeclaredNames& names, int rubric_index, Span span) {
  HookModel& hook = model_.hooks.emplace_back();
  const auto id = static_cast<int>(model_.hooks.size() - 1);
  hook.name = node.name.text;
  hook.span = span;
  names.hooks[node.name.text] = id;
  for (const ast::Param& p : node.params) {
    Field f;
    f.name = p.name.text;
    f.type = p.kind ? kinds_.kind(*p.kind, rubric_index) : kUnknown;
    if (!p.kind)
      error(Code::hook_type, p.name.span, "the argument '" + p.name.text + "' of a hook needs a type", "",
            "write " + p.name.text + ": number");
    if (p.optional) f.presence = Presence::optional;
    hook.params.push_back(std::move(f));
  }
  hook.result_optional = node.optional;
  hook.result = kinds_.kind(*node.result, rubric_index);
  if (node.from.given) {
    if (!import_text(node.from, hook.path, hook.source)) return;
    budget_.take(hook.source.size());
  } else {
    hook.source = node.source;
    hook.source_span = node.source_span;
  }
}

Expr* CallChecker::call_hook(int index, const ast::Expr& e, std::vector<Expr*> args) {
  HookModel& hook = model_.hooks[static_cast<std::size_t>(index)];
  hook.used = true;
  std::string written = "hook " + hook.name + "(";
  for (const Field& f : hook.params)
    written += (&f == hook.params.data() ? "" : ", ") + f.name + ": " + types_.str(f.type) +
               (f.presence == Presence::optional ? " optional" : "");
  if (!arity(e, args.size(), hook.params.size(), hook.params.size(), written + ")")) return broken(e.span);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (types_.fits(args[i]->type, hook.params[i].type)) continue;
    const std::string ask = asked_.ask_help(args[i], asked_.kind_word(hook.params[i].type));
    error(asked_.asked_or_wrong(ask), args[i]->span,
          "'" + hook.params[i].name + "' of '" + hook.name + "' is " + types_.say(hook.params[i].type) + ", this is " +
              types_.say(args[i]->type),
          "", ask);
    return broken(e.span);
  }
  Expr* call = make(Op::hook, hook.result, e.span, std::move(args));
  call->index = static_cast<std::uint32_t>(index);
  call->optional = hook.result_optional;
  for (std::size_t i = 0; i < hook.params.size(); ++i) {  // a missing argument that is not optional prevents the call
    if (hook.params[i].presence == Presence::required && call->args[i]->optional) call->optional = true;
  }
  return call;
}

Expr* CallChecker::call_rubric(int index, const ast::Expr& e, std::vector<Expr*> args) {
  if (!arity(e, args.size(), 1, 1, e.text + "(record)")) return broken(e.span);
  RubricContext& rc = rubric(index);
  declare(rc);
  const RubricModel& m = model(rc);
  Expr* record = args[0];
  if (kind_of(record) == TypeKind::unknown) return broken(e.span);
  if (kind_of(record) != TypeKind::record || types_[record->type].verdict) {
    error(Code::wrong_type, record->span, "'" + e.text + "' scores a record, this is " + types_.say(record->type), "",
          "an input of the type '" + e.text + "' holds such records, or write them: " + e.text + "({ … })");
    return broken(e.span);
  }
  if (record->type != m.input_type) {  // a record literal: its fields are moved to the rubric's inputs
    const std::vector<Field> have = types_[record->type].fields;
    const std::vector<Field> wanted = types_[m.input_type].fields;
    Expr* converted = make(Op::make_record, m.input_type, record->span);
    Context none;
    for (const Field& f : wanted) {
      const auto it = std::find_if(have.begin(), have.end(), [&f](const Field& h) { return h.name == f.name; });
      Expr* value = it == have.end() ? constant(f.fallback, f.type, record->span)
                                     : exprs_.access(record, f.name, record->span, none);
      if (it == have.end() && f.presence == Presence::required) {
        error(Code::unknown_field, record->span,
              "'" + e.text + "' needs '" + f.name + "', which this record does not have");
        return broken(e.span);
      }
      if (it != have.end() && !types_.fits(value->type, f.type)) {
        error(Code::wrong_type, value->span,
              "'" + f.name + "' of '" + e.text + "' is " + types_.say(f.type) + ", this is " + types_.say(value->type));
        return broken(e.span);
      }
      if (f.presence == Presence::defaulted && value->optional && !is_constant(value)) {
        Expr* d = make(Op::default_, f.type, value->span, {value, constant(f.fallback, f.type, value->span)});
        value = d;
      }
      converted->args.push_back(value);
    }
    for (const Field& h : have) {
      if (types_.field(m.input_type, h.name) >= 0) continue;
      std::vector<std::string_view> names;
      for (const Field& f : wanted) names.push_back(f.name);
      error(Code::unknown_field, record->span, "'" + e.text + "' has no input '" + h.name + "'", "",
            did_you_mean(h.name, names).words);
    }
    record = converted;
  }
  Expr* apply = make(Op::apply, m.verdict.type, e.span, {record});
  apply->index = static_cast<std::uint32_t>(index);
  apply->optional = record->optional;
  return apply;
}

Expr* CallChecker::verdict_field(Expr* verdict, const std::string& field, Span word) {
  const Nesting nesting(budget_, Budget::kRubricLevels);
  const int index = types_[verdict->type].rubric;
  RubricContext& rc = rubric(index);
  declare(rc);
  RubricModel& m = model(rc);
  int at = types_.field(verdict->type, field);
  if (at < 0) {
    int item = -1;
    for (const VerdictContext::Output& output : rc.verdict.outputs) {
      if (output.name == field) item = output.item;
    }
    if (item < 0) item = exprs_.find_value(rc, field);
    if (item < 0) {
      Context none;
      error(Code::unknown_field, word, "a verdict of '" + m.name + "' has no '" + field + "'", "",
            did_you_mean(field, exprs_.value_names(rc, none)));
      return broken(word);
    }
    rc.pending[static_cast<std::size_t>(item)].used = true;
    ensure(rc, item);
    const Item& it = m.items[static_cast<std::size_t>(item)];
    Field f;
    f.name = field;
    f.type = it.type;
    f.presence = it.optional ? Presence::optional : Presence::required;
    at = types_.field(verdict->type, field);
    if (at < 0) {
      at = static_cast<int>(types_[verdict->type].fields.size());
      types_.edit(verdict->type).fields.push_back(std::move(f));
      m.verdict.items.push_back(item);
    }
  }
  const Field& f = types_[verdict->type].fields[static_cast<std::size_t>(at)];
  Expr* e = make(Op::field, f.type, word, {verdict});
  e->index = static_cast<std::uint32_t>(at);
  e->optional = verdict->optional || f.presence == Presence::optional;
  return e;
}

Expr* CallChecker::list_of(Expr* e, const std::string& what, Context& cx) {
  switch (kind_of(e)) {
    case TypeKind::list:
    case TypeKind::unknown: return e;
    case TypeKind::record: {
      Expr* map = exprs_.as_map(e, cx);
      if (kind_of(map) != TypeKind::map) return broken(e->span);
      return builtin(Builtin::values, types_.values(map->type), e->span, {map});
    }
    case TypeKind::map: return builtin(Builtin::values, types_.values(e->type), e->span, {e});
    default: {
      const std::string help = asked_.ask_help(e, AskedKind::list);
      error(asked_.asked_or_wrong(help), e->span, what + " needs a list, this is " + types_.say(e->type), "", help);
      return broken(e->span);
    }
  }
}

}  // namespace assay
