// Checker: the range of quotients over one list: a part divided by the whole of it, as in count(x for x in xs when c) /
// count(xs) and sum(x.points for x in xs when c) / sum(x.points for x in xs), is 0..1; sum(xs) / count(xs) is a
// mean, and sum(x.weight * x.mark for x in xs) / sum(x.weight for x in xs) a weighted one.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/words/words.hpp"

#include <algorithm>

namespace assay {

namespace {

// What is counted or added up.
struct Total {
  const Expr* list = nullptr;   // null: not a total over one list
  const Loop* loop = nullptr;   // null: all items of the list
  bool items = false;           // its items are added up
  const Expr* added = nullptr;  // null: its items are counted
  bool filtered = false;
};

bool over_one_list(const Loop& loop) {
  const auto lists = std::count_if(loop.clauses.begin(), loop.clauses.end(),
                                   [](const LoopClause& c) { return c.kind == LoopClause::Kind::for_in; });
  return lists == 1 && loop.clauses.front().kind == LoopClause::Kind::for_in;
}

bool filters(const Loop& loop) {
  return std::any_of(loop.clauses.begin(), loop.clauses.end(), [](const LoopClause& c) {
    return c.kind == LoopClause::Kind::when || c.kind == LoopClause::Kind::while_;
  });
}

Total total_of(const Expr& e) {
  Total t;
  if (e.op == Op::loop && over_one_list(*e.loop) &&
      (e.loop->collect == Collect::count || e.loop->collect == Collect::sum)) {
    t.loop = e.loop.get();
    t.list = t.loop->clauses.front().expr;
    t.added = t.loop->collect == Collect::sum ? t.loop->value : nullptr;
    t.filtered = filters(*t.loop);
  } else if (e.op == Op::builtin && e.args.size() == 1) {
    const auto id = static_cast<Builtin>(e.index);
    if (id == Builtin::count || id == Builtin::sum) t.list = e.args[0];
    t.items = id == Builtin::sum;
  }
  return t;
}

}  // namespace

Interval ExprChecker::range_of_quotient(const Expr* part, const Expr* all, const Context& cx) {
  if (cx.rubric < 0) return {};
  const std::vector<Item>& items = model_.rubrics[static_cast<std::size_t>(cx.rubric)].items;
  bool elsewhere = false;  // in a definition of its own, whose locals are others
  const auto behind_names = [&](const Expr* e) {
    constexpr int kMostNames = 8;
    for (int level = 0; level < kMostNames && e->op == Op::item && e->index < items.size(); ++level) {
      const Item& item = items[e->index];
      if (item.body == nullptr || (item.kind != ItemKind::let && item.kind != ItemKind::output)) break;
      e = item.body;
      elsewhere = true;
    }
    return e;
  };
  Total some = total_of(*behind_names(part)), whole_list = total_of(*behind_names(all));
  if (some.list == nullptr || whole_list.list == nullptr || (whole_list.filtered && some.added == nullptr)) return {};
  const Expr* before = some.list;
  const auto same = [&](const Expr& a, const Expr& b, const Loop* of_a, const Loop* of_b, const auto& self) -> bool {
    budget_.step(1);
    const Nesting nesting(budget_);
    if (a.op != b.op || a.args.size() != b.args.size()) return false;
    if (a.op == Op::local && of_a != nullptr && of_b != nullptr) {
      const auto item = [](const Expr& e, const Loop& loop) {
        return static_cast<int>(e.index) == loop.clauses.front().second;
      };
      return item(a, *of_a) && item(b, *of_b);  // others, such as a state, differ between the loops
    }
    const bool path = a.op == Op::slot || a.op == Op::item || a.op == Op::field;
    const bool known = path || (a.op == Op::local && !elsewhere);
    const bool product = a.op == Op::mul || a.op == Op::add;
    if ((!known && !product) || a.index != b.index) return false;
    for (std::size_t i = 0; i < a.args.size(); ++i) {
      if (!self(*a.args[i], *b.args[i], of_a, of_b, self)) return false;
    }
    return true;
  };
  // The same list, or items that loops select from it; only counted, they may also be others.
  constexpr int kMostLoops = 8;
  for (int level = 0; level < kMostLoops; ++level) {
    if (same(*some.list, *whole_list.list, nullptr, nullptr, same)) break;
    const Expr* from = behind_names(some.list);
    if (from->op != Op::loop || from->loop->collect != Collect::list || !over_one_list(*from->loop)) break;
    const Expr& kept = *from->loop->value;
    const bool selects = kept.op == Op::local && static_cast<int>(kept.index) == from->loop->clauses.front().second;
    if (some.added != nullptr && !selects) break;
    if (some.items && level > 0) break;
    some.list = from->loop->clauses.front().expr;
    some.filtered = some.filtered || filters(*from->loop);
  }
  if (!same(*some.list, *whole_list.list, nullptr, nullptr, same)) return {};
  const bool counts_all = whole_list.added == nullptr && !whole_list.items;
  if (counts_all && (some.items || some.added != nullptr)) {  // a mean
    const Expr* list = whole_list.list;
    const TypeId each = some.items ? types_[list->type].element : some.added->type;
    const bool all_of_it = !some.filtered && !whole_list.filtered && some.list == before;
    return all_of_it && types_.kind(each) == TypeKind::number ? types_[each].range : Interval{};
  }
  if (whole_list.filtered) return {};
  const Interval share{whole(0), whole(1), false, false};
  if (counts_all) return share;
  if (some.items || whole_list.items || some.added == nullptr || whole_list.added == nullptr) return {};
  if (!some.filtered && some.added->op == Op::mul && some.loop != nullptr && whole_list.loop != nullptr) {
    for (const std::size_t weight : {0, 1}) {  // a weighted mean
      const Expr& by = *some.added->args[weight];
      const Number& least = range_of(&by).low;
      if (!least.missing() && sign(least) >= 0 && same(by, *whole_list.added, some.loop, whole_list.loop, same))
        return range_of(some.added->args[1 - weight]);
    }
  }
  const Interval& each = range_of(some.added);
  const bool positive = kind_of(some.added) == TypeKind::number && !each.low.missing() && sign(each.low) >= 0;
  return positive && same(*some.added, *whole_list.added, some.loop, whole_list.loop, same) ? share : Interval{};
}

// passed / total, whatever the two may be.
bool is_counted_share(const ast::Expr& e) {
  const auto path = [](const ast::Expr& part) {
    return part.kind == ast::ExprKind::name || part.kind == ast::ExprKind::field;
  };
  if (e.kind == ast::ExprKind::binary && e.text == "default") return is_counted_share(*e.args[0]);
  return e.kind == ast::ExprKind::binary && e.text == "/" && path(*e.args[0]) && path(*e.args[1]) &&
         counts_some(e.args[0]->text, e.args[1]->text);
}

// passed / total >= 80, and clamp(passed / total, 0..100).
bool DoubtChecker::doubt_counted_share(const ast::Expr& node, const Context& cx) {
  const bool clamp = node.kind == ast::ExprKind::call;
  for (const std::size_t side : {0U, 1U}) {
    if (node.args.size() != 2 || (clamp && side == 1)) return false;
    const ast::Expr& share = *node.args[side];
    const ast::Expr& other = *node.args[1 - side];
    const ast::Expr& literal = other.kind == ast::ExprKind::range && clamp ? *other.args[1] : other;
    Number n;
    if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, n, numbers(), true)) continue;
    if (!is_counted_share(share) || compare(n, whole(5)) < 0 || compare(n, whole(100)) > 0) continue;
    const std::string text = source_text(share.span), all = literal.text;
    const std::string meant = clamp ? all + " * clamp(" + text + ", 0..1)" : all + "%";
    doubt(Code::percent_of_points, clamp ? node.span : literal.span, cx.rubric,
          short_text(share.span) + " is a share of 1, and " + all + " is beyond it",
          FixIt("write " + meant, meant, false));
    return true;
  }
  return false;
}

}  // namespace assay
