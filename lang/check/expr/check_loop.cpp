// Checker: constructs that bind names within one definition: comprehensions and 'where'. One form of loop serves lists,
// maps, groups and aggregates; an aggregate over a bare loop is computed without making the list.
#include "lang/check/expr/expressions.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// Whether each item of a list is an item of a list inside the function's own argument: of that list itself, a loop's
// selection or reordering of it, a part of it, or several of these.
bool LoopChecker::holds_items_below(const Expr& e, const Context& cx) const {
  if (cx.instance < 0) return false;
  const auto below = [this, &cx](const Expr* a) { return holds_items_below(*a, cx); };
  switch (e.op) {
    case Op::as_kind:
    case Op::retype: {
      const Expr& whole = *e.args[0];  // the items of an `any` are smaller than it
      const bool part = e.op == Op::as_kind && kind_of(&whole) == TypeKind::any && whole.op == Op::local;
      return (part && (whole.index < declared_.instances[static_cast<std::size_t>(cx.instance)].params.size() ||
                       cx.items_below.count(static_cast<int>(whole.index)) != 0)) ||
             below(&whole);
    }
    case Op::field:
    case Op::any_get:
    case Op::local: {
      const Expr* base = &e;
      const auto goes_on = [](Op op) {
        return op == Op::field || op == Op::any_get || op == Op::as_kind || op == Op::retype;
      };
      while (goes_on(base->op)) base = base->args[0];
      if (base->op != Op::local) return false;
      const int id = static_cast<int>(base->index);
      const bool parameter = base->index < declared_.instances[static_cast<std::size_t>(cx.instance)].params.size();
      return (parameter && e.op != Op::local) || cx.items_below.count(id) != 0 ||
             (e.op == Op::local && cx.lists_below.count(id) != 0);
    }
    case Op::loop:
      return e.loop->collect == Collect::list && e.loop->value->op == Op::local &&
             cx.items_below.count(static_cast<int>(e.loop->value->index)) != 0;
    case Op::builtin: {
      const Builtin id = static_cast<Builtin>(e.index);
      const bool part =
          id == Builtin::first || id == Builtin::last || id == Builtin::reverse || id == Builtin::distinct;
      return part && below(e.args.back());
    }
    case Op::choice: return below(e.args[0]) && below(e.args[2]);
    case Op::default_: return below(e.args[0]) && (is_constant(e.args[1]) || below(e.args[1]));
    case Op::concat: return std::all_of(e.args.begin(), e.args.end(), below);
    default: return false;
  }
}

// For lists with literal items, and for loops over them.
std::int64_t LoopChecker::most_items(const Expr* list) const {
  if (kind_of(list) != TypeKind::list) return -1;
  if (types_[list->type].set && !types_[list->type].gaps) {
    if (const std::int64_t values = most_values(types_[list->type].element); values >= 0) return values;
  }
  if (is_constant(list)) return list->value.missing() ? -1 : static_cast<std::int64_t>(list->value.list.size);
  if (list->op == Op::make_list) return static_cast<std::int64_t>(list->args.size());
  if (list->op == Op::builtin) {
    const auto id = static_cast<Builtin>(list->index);
    if (id == Builtin::distinct && !types_[list->type].gaps) {
      const std::int64_t all = most_items(list->args[0]), values = most_values(types_[list->type].element);
      return all < 0 || values < 0 ? std::max(all, values) : std::min(all, values);
    }
    if (id == Builtin::distinct || id == Builtin::reverse) return most_items(list->args[0]);
    if ((id != Builtin::first && id != Builtin::last) || list->args.size() != 2) return -1;
    const std::int64_t all = most_items(list->args[1]);
    std::int64_t most = -1;
    const Number n = range_of(list->args[0]).high;
    if (n.missing() || !to_int64(round_to(n, 0, Rounding::floor, model_.constants.numbers()), most)) return all;
    most = std::max<std::int64_t>(most, 0);
    return all < 0 ? most : std::min(all, most);
  }
  if (list->op != Op::loop || list->loop->collect != Collect::list) return -1;
  return most_turns(*list->loop);
}

// How many different values a type has: choices, conditions, whole numbers of a finite range. -1: more than can be used.
std::int64_t LoopChecker::most_values(TypeId id) const {
  const Type& type = types_[id];
  if (type.kind == TypeKind::boolean) return 2;
  if (type.kind == TypeKind::text) return type.choices.empty() ? -1 : static_cast<std::int64_t>(type.choices.size());
  std::int64_t low = 0, high = 0;
  if (type.kind != TypeKind::number || !type.whole || !finite(type.range)) return -1;
  NumberPool& pool = model_.constants.numbers();
  if (!to_int64(round_to(type.range.low, 0, Rounding::ceil, pool), low) ||
      !to_int64(round_to(type.range.high, 0, Rounding::floor, pool), high))
    return -1;
  constexpr std::int64_t kMost = 1'000'000;
  return low < -kMost || high > kMost || high < low ? -1 : high - low + 1;
}

std::int64_t LoopChecker::most_turns(const Loop& loop) const {
  constexpr std::int64_t kMost = 1'000'000;
  std::int64_t most = 1;
  for (const LoopClause& clause : loop.clauses) {
    if (clause.kind != LoopClause::Kind::for_in) continue;
    const std::int64_t items = most_items(clause.expr);
    if (items < 0 || items > kMost) return -1;
    most *= items;
    if (most > kMost) return -1;
  }
  return most;
}

// The range of a sum of at most that many numbers, or (`all`) exactly that many.
Interval LoopChecker::sum_range(const Interval& each, std::int64_t most, bool all) {
  Interval s;
  const bool low = !each.low.missing(), high = !each.high.missing();
  if (low && (most >= 0 || sign(each.low) >= 0)) {
    s.low = all || sign(each.low) < 0 ? mul(each.low, whole(std::max<std::int64_t>(most, 0)), numbers()) : whole(0);
  }
  if (high && (most >= 0 || sign(each.high) <= 0)) {
    s.high = all || sign(each.high) > 0 ? mul(each.high, whole(std::max<std::int64_t>(most, 0)), numbers()) : whole(0);
  }
  return s;
}

// "for i in 1..n": a list of whole numbers; the same as a call with two arguments.
Expr* LoopChecker::counted(const ast::Expr& e, Context& cx) {
  std::vector<Expr*> ends;
  for (const ast::ExprPtr& end : e.args) ends.push_back(exprs_.expr(*end, cx));
  const auto known = [this](const Expr* end) {
    return kind_of(end) == TypeKind::number && is_constant(end) && !end->value.missing();
  };
  if (std::all_of(ends.begin(), ends.end(), known) && compare(ends[0]->value.number, ends[1]->value.number) > 0) {
    error(Code::empty_range, e.span, "this range is empty: its end is below its beginning", "",
          "write the smaller number first, and reverse(whole_numbers(…)) to count down");
  }
  return whole_numbers(ends, e.span);
}

Expr* LoopChecker::whole_numbers(std::vector<Expr*> ends, Span span) {
  for (Expr*& end : ends) {
    end = exprs_.want(end, TypeKind::number, "an end of the numbers to go over");
    if (kind_of(end) != TypeKind::number) return broken(span);
    if (types_[end->type].whole) continue;
    error(Code::wrong_type, end->span, "whole numbers are counted, this is " + types_.say(end->type), "",
          "round it: floor(…) and ceil(…) give whole numbers");
    return broken(span);
  }
  const Interval first = range_of(ends[0]), last = range_of(ends[1]);
  const Interval between{first.low, last.high, first.low_open, last.high_open};
  return builtin(Builtin::whole_numbers, types_.list(types_.number(between, true)), span, ends);
}

// Items are known to be given after a condition that says so: "for v in [a, b] when v is given".
void LoopChecker::given_from_here(const ast::Expr& condition, Context& cx, std::size_t first) {
  if (condition.kind == ast::ExprKind::binary && condition.text == "and") {
    for (const ast::ExprPtr& part : condition.args) given_from_here(*part, cx, first);
  }
  if (condition.kind != ast::ExprKind::is_given || condition.args[0]->kind != ast::ExprKind::name) return;
  for (std::size_t i = cx.scope.size(); i-- > first;) {
    if (cx.scope[i].name != condition.args[0]->text) continue;
    cx.scope[i].optional = false;
    return;
  }
}

// The same type without ranges and choices. Types share their parts, so each is processed once.
TypeId LoopChecker::unbounded(TypeId id) {
  std::map<TypeId, TypeId> known;
  return unbounded(id, known);
}

TypeId LoopChecker::unbounded(TypeId id, std::map<TypeId, TypeId>& known) {
  if (const auto it = known.find(id); it != known.end()) return it->second;
  const Nesting nesting(budget_);
  const Type type = types_[id];
  TypeId result = id;
  if (type.kind == TypeKind::number) result = type.whole ? kWhole : kNumber;
  if (type.kind == TypeKind::text) result = kText;
  if (type.kind == TypeKind::list) result = types_.list(unbounded(type.element, known), type.set, type.gaps);
  if (type.kind == TypeKind::map) result = types_.map(unbounded(type.element, known), type.gaps);
  if (type.kind == TypeKind::either) {
    std::vector<TypeId> all = type.alternatives;
    for (TypeId& one : all) one = unbounded(one, known);
    types_.either(all, result);
  }
  if (type.kind == TypeKind::record && type.name.empty() && type.rubric < 0) {
    std::vector<Field> fields = type.fields;
    for (Field& f : fields) f.type = unbounded(f.type, known);
    result = types_.record(std::move(fields));
  }
  return known[id] = result;
}

// Whether 'by' can sort by it: a number, a text, a condition, or a list of one of these.
bool LoopChecker::orders(TypeId type) const {
  if (types_.kind(type) == TypeKind::list) type = types_[type].element;
  return types_.scalar(type);
}

// a + b: the entries of both, where those of the right one replace.
Expr* LoopChecker::joined_maps(Expr* a, Expr* b, Context& cx, Span span) {
  a = exprs_.as_map(a, cx);
  b = exprs_.as_map(b, cx);
  if (kind_of(a) != TypeKind::map || kind_of(b) != TypeKind::map) return broken(span);
  TypeId type = kUnknown;
  if (!exprs_.alike_items(a, b, type, cx)) {
    error(Code::types_differ, span, types_.say(a->type) + " and " + types_.say(b->type) + " cannot be joined", "",
          "the values of a map have one type");
    return broken(span);
  }
  return once(a, cx, [&](Expr* x) {
    return once(b, cx, [&](Expr* y) -> Expr* {
      const auto local = [&](TypeId of, bool optional) {
        Local l;
        l.type = of;
        l.optional = optional;
        l.id = add_local(cx);
        return l;
      };
      const Local map = local(type, false), key = local(kText, false);
      const Local value = local(types_[type].element, types_[type].gaps);
      LoopClause maps, entries;
      maps.expr = list_of_exprs({x, y}, type, span);
      maps.second = map.id;
      entries.expr = local_ref(map, span);
      entries.first = key.id;
      entries.second = value.id;
      Expr* loop = make(Op::loop, type, span);
      loop->loop = std::make_unique<Loop>();
      loop->loop->collect = Collect::map;
      loop->loop->clauses = {maps, entries};
      loop->loop->key = local_ref(key, span);
      loop->loop->value = local_ref(value, span);
      if (!x->optional && !y->optional) return loop;
      Expr* none =
          make(Op::or_, kBool, span, {make(Op::is_missing, kBool, span, {x}), make(Op::is_missing, kBool, span, {y})});
      return choose(constant(missing_value(), type, span), none, loop, span);
    });
  });
}

// The list or map over which a 'for' loops.
Expr* LoopChecker::walked(const ast::Clause& clause, Context& cx) {
  Expr* iterated =
      clause.expr->kind == ast::ExprKind::range ? counted(*clause.expr, cx) : exprs_.expr(*clause.expr, cx);
  if (kind_of(iterated) == TypeKind::record && !types_[iterated->type].verdict) iterated = exprs_.as_map(iterated, cx);
  const TypeKind k = kind_of(iterated);
  if (k != TypeKind::list && k != TypeKind::map && k != TypeKind::unknown) {
    std::string help;
    if (k == TypeKind::record) help = "name one of its lists";
    if (k == TypeKind::number) help = "'for i in 1..n' counts; a list is declared 'list of number', or written [a, b]";
    if (k == TypeKind::boolean) help = "a list is declared 'list of bool', or written [a, b]";
    if (k == TypeKind::text) help = "characters(text), words(text) or split(text, separator) makes a list of a text";
    if (k == TypeKind::either || k == TypeKind::any) help = asked_.ask_help(iterated, AskedKind::list);
    if (help.empty()) help = asked_.ask_help(iterated, AskedKind::map);
    error(k == TypeKind::either || k == TypeKind::any ? Code::ask_first : Code::wrong_type, clause.expr->span,
          "'for' walks a list or a map, this is " + types_.say(iterated->type), "", help);
    return broken(clause.expr->span);
  }
  return iterated;
}

void LoopChecker::next_state(const ast::Loop& loop, Expr* start, Loop& made, Context& cx) {
  // The new state may have a wider type than the start, and then become wider still: each time another number may
  // have a fraction, or another field may be missing. Ranges would grow without end.
  constexpr int kMostPasses = 4;
  TypeId type = unbounded(start->type);
  Expr* next = nullptr;
  made.state = add_local(cx);
  made.state_name = loop.state.text;
  Local local;
  local.name = loop.state.text;
  local.optional = true;
  local.id = made.state;
  cx.scope.push_back(local);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    cx.scope.back().type = type;
    next = exprs_.expr(*loop.next, cx);
    const Expr* const began = start;
    exprs_.as_maps(start, next, cx);
    if (start != began) {  // {} may begin a map
      type = unbounded(start->type);
      continue;
    }
    TypeId both = kUnknown;
    if (!types_.unify(type, next->type, both)) {
      error(Code::types_differ, loop.next->span,
            "the state begins as " + types_.say(type) + " and becomes " + types_.say(next->type));
      break;
    }
    both = unbounded(both);
    if (both == type) break;
    type = both;
    if (pass + 1 == kMostPasses && !diagnostics_->has_errors()) {
      error(Code::types_differ, loop.next->span, "the state becomes " + types_.say(type) + ", and then yet another one",
            "", "begin with a value of the type that it keeps");
    }
  }
  made.start = start;
  made.next = next;
}

Expr* LoopChecker::key_of(const ast::Expr& node, Collect collect, Context& cx) {
  Expr* key = exprs_.expr(node, cx);
  const TypeKind k = kind_of(key);
  const bool several =
      collect == Collect::group && k == TypeKind::list && types_.kind(types_[key->type].element) == TypeKind::text;
  if (k == TypeKind::number || k == TypeKind::boolean) {
    Expr* joined = make(Op::join_text, kText, key->span, {key});
    joined->parts = {{"", 0, -1}};
    return joined;
  }
  if (k != TypeKind::text && k != TypeKind::unknown && !several)
    error(Code::wrong_type, node.span, "a key is a text, this is " + types_.say(key->type));
  return key;
}

Expr* LoopChecker::loop_expr(const ast::Loop& loop, const ast::Expr* key, const std::function<Expr*(Context&)>& value,
                             Collect collect, Context& cx, Span span, bool labels) {
  auto made = std::make_unique<Loop>();
  made->collect = collect;
  const std::size_t depth = cx.scope.size(), known = cx.answers.size();
  bool optional = false;
  Expr* start = nullptr;
  if (loop.start) start = exprs_.expr(*loop.start, cx);
  for (const ast::Clause& clause : loop.clauses) {
    LoopClause c;
    if (clause.kind == ast::ClauseKind::where) {
      c.kind = LoopClause::Kind::let;
      c.expr = exprs_.expr(*clause.expr, cx);
      Local& local = push_local(cx, clause.first.text, c.expr->type, c.expr->optional);
      c.second = local.id;
      c.second_name = clause.first.text;
      if (is_constant(c.expr)) {
        local.constant = c.expr->type == kUnknown ? broken(c.expr->span) : c.expr;
        continue;
      }
      if (holds_items_below(*c.expr, cx)) cx.lists_below.insert(local.id);
      const bool another_name = c.expr->op == Op::local && cx.items_below.count(static_cast<int>(c.expr->index)) != 0;
      if (another_name) cx.items_below.insert(local.id);
      made->clauses.push_back(c);
      continue;
    }
    if (clause.kind != ast::ClauseKind::for_in) {
      c.kind = clause.kind == ast::ClauseKind::when ? LoopClause::Kind::when : LoopClause::Kind::while_;
      c.expr = exprs_.condition(
          *clause.expr, cx,
          clause.kind == ast::ClauseKind::when ? "the condition after 'when'" : "the condition after 'while'",
          clause.kind == ast::ClauseKind::when ? Asked::filter : Asked::repeat);
      if (!labels)
        doubts_.written(clause.kind == ast::ClauseKind::when ? Asked::lossy_filter : Asked::lossy_repeat, *clause.expr,
                        c.expr, cx);
      made->clauses.push_back(c);
      given_from_here(*clause.expr, cx, depth);
      asked_.answered(*clause.expr, true, cx);
      continue;
    }
    Expr* iterated = walked(clause, cx);
    const TypeKind k = kind_of(iterated);
    c.expr = iterated;
    optional = optional || iterated->optional;
    const TypeId element = k == TypeKind::list || k == TypeKind::map ? types_[iterated->type].element : kUnknown;
    if (!clause.second.text.empty()) {
      Interval from_zero;
      from_zero.low = whole(0);
      c.first =
          push_local(cx, clause.first.text, k == TypeKind::map ? kText : types_.number(from_zero, true), false).id;
    }
    const std::string& name = clause.second.text.empty() ? clause.first.text : clause.second.text;
    Local& item = push_local(cx, name, element, element != kUnknown && types_[iterated->type].gaps);
    c.second = item.id;
    c.second_name = name;
    if (!clause.second.text.empty()) c.first_name = clause.first.text;
    if (holds_items_below(*iterated, cx)) cx.items_below.insert(item.id);
    made->clauses.push_back(c);
  }
  if (start) next_state(loop, start, *made, cx);
  if (key) made->key = key_of(*key, collect, cx);
  made->value = value(cx);
  narrow(*made->value, cx.rubric);
  for (const ast::OrderKey& order : loop.order) {
    LoopOrder o;
    o.higher = order.higher;
    o.expr = exprs_.expr(*order.expr, cx);
    const TypeKind k = kind_of(o.expr);
    if (!orders(o.expr->type) && k != TypeKind::unknown) {
      error(Code::wrong_type, order.expr->span,
            "an order needs numbers, texts or conditions, or a list of them, this is " + types_.say(o.expr->type));
    }
    made->order.push_back(o);
  }
  cx.scope.resize(depth);
  cx.answers.resize(known);

  return collected(std::move(made), optional, span);
}

// The loop, with the type of its result. `optional`: an iterated value may be missing.
Expr* LoopChecker::collected(std::unique_ptr<Loop> made, bool optional, Span span) {
  const Collect collect = made->collect;
  TypeId type = kUnknown;
  const TypeKind vk = kind_of(made->value);
  const auto need = [&](TypeKind k, const char* name) {
    if (vk == k || vk == TypeKind::unknown) return;
    const std::string help = asked_.ask_help(made->value, asked_.word_for(k));
    error(asked_.asked_or_wrong(help), made->value->span,
          std::string(name) + ", this is " + types_.say(made->value->type), "", help);
    made->value = broken(made->value->span);
  };
  bool result_optional = optional;
  Interval r = vk == TypeKind::number ? range_of(made->value) : Interval{};
  switch (collect) {
    case Collect::list: type = types_.list(made->value->type, false, made->value->optional); break;
    case Collect::map: type = types_.map(made->value->type, made->value->optional); break;
    case Collect::group: type = types_.map(types_.list(made->value->type, false, made->value->optional)); break;
    case Collect::count: {
      Interval from_zero;
      from_zero.low = whole(0);
      if (const std::int64_t most = most_turns(*made); most >= 0) from_zero.high = whole(most);
      type = types_.number(from_zero, true);
      break;
    }
    case Collect::any:
    case Collect::all:
      need(TypeKind::boolean, "'any' and 'all' need a condition");
      type = kBool;
      result_optional = optional || made->value->optional;
      break;
    case Collect::sum:
    case Collect::product: {
      need(TypeKind::number, "a number is needed here");
      Interval s;
      if (collect == Collect::sum) s = sum_range(r, most_turns(*made), false);
      else s = interval_product(r);
      type = types_.number(s, vk == TypeKind::number && types_[made->value->type].whole);
      result_optional = optional || made->value->optional;
      break;
    }
    case Collect::min:
    case Collect::max:
    case Collect::mean:
      need(TypeKind::number, "a number is needed here");
      type = types_.number(r, collect != Collect::mean && vk == TypeKind::number && types_[made->value->type].whole);
      result_optional = true;
      break;
  }
  if (vk == TypeKind::unknown && types_.kind(type) == TypeKind::number && collect != Collect::count &&
      diagnostics_->has_errors())
    type = kUnknown;  // as in arithmetic
  Expr* e = make(Op::loop, type, span);
  e->optional = result_optional;
  e->loop = std::move(made);
  return e;
}

Expr* LoopChecker::list_loop(const ast::Expr& e, Context& cx) {
  doubts_.doubt_unfiltered(e, cx);
  return loop_expr(
      *e.loop, nullptr, [&](Context& inner) { return exprs_.expr(*e.args[0], inner); }, Collect::list, cx, e.span);
}

Expr* LoopChecker::aggregate_loop(const ast::Expr& e, Context& cx, Builtin id) {
  Collect collect = Collect::list;
  switch (id) {
    case Builtin::sum: collect = Collect::sum; break;
    case Builtin::count: collect = Collect::count; break;
    case Builtin::any: collect = Collect::any; break;
    case Builtin::all: collect = Collect::all; break;
    case Builtin::min: collect = Collect::min; break;
    case Builtin::max: collect = Collect::max; break;
    case Builtin::product: collect = Collect::product; break;
    case Builtin::mean: collect = Collect::mean; break;
    default: return calls_.call_builtin(id, e, {list_loop(e, cx)}, cx);
  }
  doubts_.doubt_unfiltered(e, cx);
  return loop_expr(
      *e.loop, nullptr, [&](Context& inner) { return exprs_.expr(*e.args[0], inner); }, collect, cx, e.span);
}

Expr* LoopChecker::map_loop(const ast::Expr& e, Context& cx) {
  const Collect collect = e.text == "group" ? Collect::group : Collect::map;
  return loop_expr(
      *e.loop, e.args[0].get(), [&](Context& inner) { return exprs_.expr(*e.args[1], inner); }, collect, cx, e.span);
}

namespace {

// The names that hide others inside a part of an expression, such as a loop's own variables.
class FreeNames {
 public:
  explicit FreeNames(std::set<std::string>& out) : out_(out) {}
  void of(const ast::Expr& e) {
    if (e.kind == ast::ExprKind::name && std::find(hidden_.begin(), hidden_.end(), e.text) == hidden_.end())
      out_.insert(e.text);
    for (const ast::TextPart& p : e.literal.parts) {
      if (p.expr) of(*p.expr);
    }
    const std::size_t outside = hidden_.size();
    if (e.loop) loop(*e.loop);
    for (const ast::ExprPtr& a : e.args) {
      if (a) of(*a);
    }
    hidden_.resize(outside);
  }

 private:
  // Keeps the loop's variables hidden, for the loop's value.
  void loop(const ast::Loop& l) {
    if (l.start) of(*l.start);
    for (const ast::Clause& c : l.clauses) {
      if (c.expr) of(*c.expr);
      if (c.kind == ast::ClauseKind::when || c.kind == ast::ClauseKind::while_) continue;
      hidden_.push_back(c.first.text);
      hidden_.push_back(c.second.text);
    }
    if (l.start) hidden_.push_back(l.state.text);
    if (l.next) of(*l.next);
    for (const ast::OrderKey& k : l.order) of(*k.expr);
  }

  std::set<std::string>& out_;
  std::vector<std::string_view> hidden_;
};

}  // namespace

void names_in(const ast::Expr& e, std::set<std::string>& out) { FreeNames(out).of(e); }

// Parts of a definition may use each other in any order: they are bound in dependency order.
Expr* LoopChecker::where(const std::vector<ast::Where>& parts, Context& cx, const std::function<Expr*()>& inner) {
  if (parts.empty()) return inner();
  std::vector<std::set<std::string>> uses(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) names_in(*parts[i].expr, uses[i]);
  std::map<std::string_view, std::vector<std::size_t>> named;
  for (std::size_t i = 0; i < parts.size(); ++i) named[parts[i].name.text].push_back(i);
  std::vector<int> state(parts.size(), 0);
  std::vector<std::size_t> order, path_of;
  const std::function<bool(std::size_t)> visit = [&](std::size_t i) {
    if (state[i] == 2) return true;
    if (state[i] == 1) {
      std::string path;
      bool within = false;
      for (const std::size_t k : path_of) {
        within = within || k == i;
        if (within) path += "'" + parts[k].name.text + "' needs ";
      }
      error(Code::cycle, parts[i].name.span, path + "'" + parts[i].name.text + "'", "",
            "a value cannot be computed from itself");
      return false;
    }
    const Nesting nesting(budget_, Budget::kCheckLevels);
    state[i] = 1;
    path_of.push_back(i);
    std::vector<std::size_t> used;  // in the order of the parts
    for (const std::string& name : uses[i]) {
      const auto at = named.find(name);
      if (at != named.end()) used.insert(used.end(), at->second.begin(), at->second.end());
    }
    std::sort(used.begin(), used.end());
    for (const std::size_t j : used) {
      // A part may hide an outer value of the same name and use it: 'where code = input.code'.
      if (j != i && !visit(j)) return false;
    }
    state[i] = 2;
    path_of.pop_back();
    order.push_back(i);
    return true;
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!visit(i)) return broken(parts[i].name.span);
  }
  const std::size_t depth = cx.scope.size();
  struct Bound {
    int id;
    Expr* value;
    const std::string* name;
  };
  std::vector<Bound> bound;
  for (const std::size_t i : order) {
    Expr* value = exprs_.expr(*parts[i].expr, cx);
    Local& local = push_local(cx, parts[i].name.text, value->type, value->optional);
    if (is_constant(value)) {
      local.constant = value;
      if (value->type == kUnknown) local.constant = broken(value->span);
    } else {
      if (holds_items_below(*value, cx)) cx.lists_below.insert(local.id);
      bound.push_back({local.id, value, &parts[i].name.text});
    }
  }
  Expr* result = inner();
  cx.scope.resize(depth);
  for (auto it = bound.rbegin(); it != bound.rend(); ++it) {
    Expr* let = make(Op::let_in, result->type, result->span, {it->value, result});
    let->index = static_cast<std::uint32_t>(it->id);
    let->names = {*it->name};
    let->optional = result->optional;
    result = let;
  }
  return result;
}

}  // namespace assay
