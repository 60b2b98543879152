// Checker: warnings about lists and loops that do not read what they seem to: a text that stands twice, a name that is no
// field of the item, positions that begin at 1, exchanged arguments.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/words.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <map>

namespace assay {

namespace {

bool is_literal(const ast::Expr& e) { return e.kind == ast::ExprKind::text && e.literal.plain(); }

bool calls(const ast::Expr& e, std::string_view name, std::size_t args) {
  return e.kind == ast::ExprKind::call && !e.loop && e.text == name && e.args.size() == args;
}

// The loop of an aggregate or a list, and its meaning; null: there is none.
const Loop* loop_in(const Expr* value) {
  if (value->op == Op::loop) return value->loop.get();
  const bool inner = value->op == Op::builtin && !value->args.empty() && value->args[0]->op == Op::loop;
  return inner ? value->args[0]->loop.get() : nullptr;
}

}  // namespace

// count(x for x in [fever, cough, fever] when x); day in ["mon", "tue", "tue"]
void DoubtChecker::doubt_repeated_items(const ast::Expr& list, const Expr* compared, const Context& cx) {
  std::set<std::string> before;
  for (std::size_t i = 0; i < list.args.size(); ++i) {
    const ast::Expr& item = *list.args[i];
    const std::string text = source_text(item.span);
    budget_.step();
    if (before.insert(text).second) continue;
    std::vector<Fix> fixes;
    if (compared != nullptr) {  // the choice that follows the one before it
      const std::vector<std::string>& choices = types_[compared->type].choices;
      const std::string last = i > 0 && is_literal(*list.args[i - 1]) ? list.args[i - 1]->literal.str() : std::string();
      const auto at = std::find(choices.begin(), choices.end(), last);
      const bool next = at != choices.end() && at + 1 != choices.end() && before.count('"' + *(at + 1) + '"') == 0;
      if (next) fixes.push_back({{item.span, '"' + *(at + 1) + '"'}});
    } else if (cx.rubric >= 0) {  // the only other condition of the record
      std::vector<std::string> others;
      for (const auto& [name, at] : rubric(cx.rubric).by_name.inputs) {
        const TypeId type = model(rubric(cx.rubric)).items[static_cast<std::size_t>(at)].type;
        const std::string source(sources_.text(list.span));
        if (types_.kind(type) == TypeKind::boolean && source.find(name) == source.npos) others.push_back(name);
      }
      if (others.size() == 1) fixes.push_back({{item.span, others[0]}});
    }
    doubt(Code::same_sides, item.span, cx.rubric, short_text(item.span) + " stands twice here",
          "one of them is another value: correct it");
    if (is_own(item.span, cx.rubric)) state_.noted.doubts.back().fixes = std::move(fixes);
    return;
  }
}

// [e.name when e.points >= 90 for e in entries]: the other items are missing ones, where none was meant.
void DoubtChecker::doubt_unfiltered(const ast::Expr& loop, const Context& cx) {
  if (!loop.loop || loop.args.empty()) return;
  const ast::Expr& item = *loop.args[0];
  const bool open = item.kind == ast::ExprKind::choice && (item.args.size() < 3 || !item.args[2]);
  if (!open || item.args[0]->kind == ast::ExprKind::choice) return;
  const bool list = loop.kind == ast::ExprKind::list_loop;
  doubt(Code::missing_items, item.args[1]->span, cx.rubric,
        std::string("where this does not hold, the item is missing") +
            (list ? ", and stands in the list as such" : ", and so is '" + loop.text + "' of all of them"),
        "a condition behind the loop leaves items out: " + short_text(item.args[0]->span) + " for … when " +
            short_text(item.args[1]->span) + "; or write what they are else");
  const auto filters = [](const ast::Clause& clause) { return clause.kind == ast::ClauseKind::when; };
  const bool filtered = std::any_of(loop.loop->clauses.begin(), loop.loop->clauses.end(), filters);
  if (!is_own(item.span, cx.rubric) || filtered || !loop.loop->order.empty() || !loop.loop->state.text.empty()) return;
  const Span end{loop.span.file, loop.span.end - 1, loop.span.end - 1};
  state_.noted.doubts.back().fixes = {
      {{item.span, source_text(item.args[0]->span)}, {end, " when " + source_text(item.args[1]->span)}}};
}

// cost > 20.000, as thousands are written in some countries: where no other number of the file has such decimals
void DoubtChecker::doubt_thousands(const ast::Expr& comparison, const Expr* value, const Context& cx) {
  if (value->args.size() != 2) return;
  for (const std::size_t side : {0U, 1U}) {
    const ast::Expr& literal = *comparison.args[side];
    if (literal.kind != ast::ExprKind::number || !literal.text.ends_with(".000") || literal.text[0] == '0') continue;
    const std::string digits = literal.text.substr(0, literal.text.size() - 4);
    Number n;
    if (digits.size() > 3 || !parse_decimal(digits + "000", n, numbers(), true)) continue;
    const Interval& range = range_of(value->args[1 - side]);
    const bool fits = range.high.missing() || compare(n, range.high) <= 0;
    if (!fits || kind_of(value->args[1 - side]) != TypeKind::number) continue;
    const std::string_view text = sources_.file(literal.span.file).text;
    bool precise = false;  // 12.125 elsewhere
    for (std::size_t at = text.find('.'); at != text.npos && !precise; at = text.find('.', at + 1)) {
      const auto digit = [text](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
      const bool three = at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2) && digit(at + 3);
      precise = three && text.substr(at + 1, 3) != "000";
    }
    if (precise) continue;
    const std::string meant = digits + "_000";
    doubt(Code::thousands_point, literal.span, cx.rubric, literal.text + " is the number " + digits,
          FixIt("write " + meant + " for thousands, or " + digits, meant, false));
  }
}

// lowercase(country) in ["NL", "BE"]
void DoubtChecker::doubt_letter_case(const ast::Expr& node, const Context& cx) {
  const ast::Expr* call = node.args[0].get();
  while (calls(*call, "trim", 1)) call = call->args[0].get();
  if (!calls(*call, "lowercase", 1)) return;
  const ast::Expr& right = *node.args[1];
  std::vector<const ast::Expr*> texts = {&right};
  if (right.kind == ast::ExprKind::list) {
    texts.clear();
    for (const ast::ExprPtr& item : right.args) texts.push_back(item.get());
  }
  Fix fix;
  for (const ast::Expr* text : texts) {
    if (!is_literal(*text)) continue;
    std::string meant = source_text(text->span);
    for (char& c : meant) c = to_lower(c);
    if (meant != source_text(text->span)) fix.push_back({text->span, meant});
  }
  if (fix.empty()) return;
  doubt(Code::beyond_range, fix.front().at, cx.rubric,
        "'" + call->text + "' never gives " + source_text(fix.front().at), "write " + fix.front().text);
  if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// position(colour, allowed) > 0, which leaves out the first one, unless the words of its line say that this is meant.
void DoubtChecker::doubt_position(const ast::Expr& node, const Context& cx) {
  const ast::Expr &call = *node.args[0], &literal = *node.args[1];
  const bool from_one = (node.text == ">" && literal.text == "0") || (node.text == ">=" && literal.text == "1");
  if (!calls(call, "position", 2) || literal.kind != ast::ExprKind::number || !from_one) return;
  const std::string_view text = sources_.file(node.span.file).text;
  const std::size_t line = text.rfind('\n', node.span.begin) + 1, end = std::min(text.find('\n', line), text.size());
  const std::vector<std::string> said = words_of(text.substr(line, end - line));
  const bool denies = has_word("not no except without but beyond", said);
  if (has_word("later second behind lower rest other others", said) ||
      (denies && has_word("first front top start leading favourite preferred best head", said)))
    return;
  const std::string meant = source_text(call.span) + " is given";
  doubt(Code::beyond_range, node.span, cx.rubric,
        "positions are counted from 0, so this does not hold for the first item of the list",
        FixIt("write " + meant, meant, false));
}

// starts_with("EN ", standard)
void DoubtChecker::doubt_exchanged(const ast::Expr& node, const Context& cx) {
  const bool asks = node.text == "starts_with" || node.text == "ends_with" || node.text == "split";
  if (!asks || node.args.size() != 2 || !is_literal(*node.args[0]) || !is_path(*node.args[1])) return;
  const std::string first = source_text(node.args[0]->span), second = source_text(node.args[1]->span);
  doubt(Code::exchanged_arguments, node.args[0]->span, cx.rubric,
        "the first argument of '" + node.text + "' is the text that is looked at, and this one is always " + first,
        "write " + node.text + "(" + second + ", " + first + ")");
  if (is_own(node.span, cx.rubric))
    state_.noted.doubts.back().fixes = {{{node.args[0]->span, second}, {node.args[1]->span, first}}};
}

// count(r for r in reviews when stars >= 4), where the reviews have stars, too
void DoubtChecker::doubt_outer_name(const ast::Expr& node, const Expr* value, const Context& cx) {
  const ast::Loop* written = node.loop.get();
  const Loop* loop = loop_in(value);
  if (written == nullptr || loop == nullptr || loop->clauses.empty() || written->clauses.empty()) return;
  const ast::Clause& over = written->clauses[0];
  const std::string& item = over.second.text.empty() ? over.first.text : over.second.text;
  const Type& list = types_[loop->clauses[0].expr->type];
  if (list.kind != TypeKind::list || types_.kind(list.element) != TypeKind::record || !over.second.text.empty()) return;
  for (const ast::Clause& clause : written->clauses) {
    if (clause.kind != ast::ClauseKind::when || !clause.expr) continue;
    std::set<std::string> names;
    names_in(*clause.expr, names);
    if (names.count(item) > 0) continue;
    each_expr(budget_, *clause.expr, [&](const ast::Expr& e) {
      if (e.kind != ast::ExprKind::name || types_.field(list.element, e.text) < 0) return;
      const std::string meant = item + "." + e.text;
      doubt(Code::not_the_item, e.span, cx.rubric,
            "'" + e.text + "' is the same for every '" + item + "' here, so the condition does not look at the items",
            FixIt("write " + meant, meant, false));
    });
  }
}

// sum(stages[i].minutes for i in 1..count(stages))
void DoubtChecker::doubt_places(const ast::Expr& node, const Context& cx) {
  const ast::Loop* loop = node.loop.get();
  if (loop == nullptr || loop->clauses.empty() || !loop->clauses[0].expr || node.args.empty() || !node.args[0]) return;
  const ast::Clause& over = loop->clauses[0];
  const ast::Expr& range = *over.expr;
  if (range.kind != ast::ExprKind::range || range.args[0]->kind != ast::ExprKind::number || !over.second.text.empty())
    return;
  const ast::Expr& end = *range.args[1];
  if (!calls(end, "count", 1) || !is_path(*end.args[0])) return;
  const std::string list = source_text(end.args[0]->span);
  bool beyond = false;
  each_expr(budget_, *node.args[0], [&](const ast::Expr& e) {
    beyond = beyond || (e.kind == ast::ExprKind::index && e.args[1]->text == over.first.text &&
                        source_text(e.args[0]->span) == list);
  });
  if (!beyond) return;
  const bool from_one = range.args[0]->text == "1";
  const std::string meant = (from_one ? "0" : range.args[0]->text) + ".." + source_text(end.span) + " - 1";
  doubt(Code::always_missing, range.span, cx.rubric,
        "positions are counted from 0: there is no " + list + "[count(" + list + ")], and it is missing",
        FixIt("write " + meant, meant, false));
}

// sum(i.price * i.price for i in lines), where nothing reads i.quantity
void DoubtChecker::doubt_square_of_field(const ast::Expr& node, const Expr* value, const Context& cx) {
  const ast::Expr &left = *node.args[0], &right = *node.args[1];
  if (node.text != "*" || left.kind != ast::ExprKind::field || source_text(left.span) != source_text(right.span))
    return;
  if (value->op != Op::mul || value->args[0]->op != Op::field) return;
  constexpr int kMost = 20;
  if (++placed_ > kMost) return;
  const std::string_view file = sources_.file(node.span.file).text;
  std::vector<std::string> unread;
  for (const Field& field : types_[value->args[0]->args[0]->type].fields) {
    if (types_.kind(field.type) == TypeKind::number && file.find("." + field.name) == file.npos)
      unread.push_back(field.name);
  }
  if (unread.size() != 1) return;
  const std::string meant = source_text(right.args[0]->span) + "." + unread[0];
  doubt(Code::same_sides, node.span, cx.rubric,
        "both sides of '*' are '" + source_text(left.span) + "', and nothing reads '" + unread[0] + "'",
        "one of them is likely '" + meant + "'");
  if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().fixes = {{{right.span, meant}}};
}

namespace {

std::vector<const ast::Body*> bodies_of(const RubricContext& rc) {
  std::vector<const ast::Body*> all;
  for (const ast::Item* item : rc.items) {
    if (const auto* let = std::get_if<ast::Let>(&item->node)) all.push_back(&let->body);
    if (const auto* output = std::get_if<ast::Output>(&item->node)) all.push_back(&output->body);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node)) all.push_back(&gate->body);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node)) all.push_back(&amount->body);
    if (const auto* composite = std::get_if<ast::Composite>(&item->node)) all.push_back(&composite->body);
  }
  std::vector<const DimensionItems*> open;
  for (const DimensionItems& d : rc.dimensions.all) open.push_back(&d);
  while (!open.empty()) {
    const DimensionItems* d = open.back();
    open.pop_back();
    all.push_back(&d->node->body);
    for (const DimensionItems& part : d->parts) open.push_back(&part);
  }
  std::erase_if(all, [](const ast::Body* body) { return !body->expr; });
  return all;
}

}  // namespace

// The value in the only place that reads what it is computed from: base + limited for base + extra, where limited =
// min(extra, 50).
std::vector<Fix> DoubtChecker::in_place(const std::string& name, const ast::Expr& value,
                                        const std::vector<const ast::Expr*>& others) {
  std::vector<Fix> fixes;
  std::set<std::string> from;
  names_in(value, from);
  for (const std::string& read : from) {
    Fix fix;
    std::size_t readers = 0;
    bool shown = false;  // in a list of values, from which it would be taken out
    for (const ast::Expr* other : others) {
      const std::size_t before = fix.size();
      each_expr(budget_, *other, [&](const ast::Expr& e) {
        if (e.kind == ast::ExprKind::name && e.text == read) fix.push_back({e.span, name});
      });
      readers += fix.size() > before ? 1 : 0;
      const bool values = other->kind == ast::ExprKind::list || other->kind == ast::ExprKind::record;
      shown = shown || (values && fix.size() > before);
    }
    if (readers == 1 && !shown) fixes.push_back(std::move(fix));
  }
  if (fixes.size() > 1) fixes.clear();
  return fixes;
}

std::vector<Fix> DoubtChecker::in_place_of(const RubricContext& rc, const ast::Let& let) {
  constexpr int kMost = 20;  // a rubric in which more is unread is not finished
  if (++placed_ > kMost) return {};
  std::vector<const ast::Expr*> others;
  for (const ast::Body* body : bodies_of(rc)) {
    if (body != &let.body) others.push_back(body->expr.get());
  }
  return let.body.expr ? in_place(let.name.text, *let.body.expr, others) : std::vector<Fix>();
}

// day in 6..7, where day is a whole number 0..6
void DoubtChecker::doubt_range_end(const ast::Expr& node, const Expr* value, const Context& cx) {
  const Expr* of = value;
  while (of->op == Op::not_) of = of->args[0];
  const ast::Expr& ends = *node.args[1];
  if (of->op != Op::in_range || ends.kind != ast::ExprKind::range || !types_[of->args[0]->type].whole) return;
  const Interval is = range_of(of->args[0]);
  constexpr int kMostValues = 31;  // of few values, an end beyond them is no mere "and more"
  if (!finite(is) || compare(sub(is.high, is.low, numbers()), whole(kMostValues)) > 0) return;
  for (const std::size_t end : {0U, 1U}) {
    const ast::Expr& literal = *ends.args[end];
    Number n;
    if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, n, numbers(), true) || holds(is, n))
      continue;
    const std::string last = shortest_text(end == 0 ? is.low : is.high);
    doubt(Code::beyond_range, literal.span, cx.rubric,
          "'" + short_text(node.args[0]->span) + "' is" + range_text(is) + ", so it is never " + literal.text,
          FixIt("write " + last + ", or correct the other end as well", last, false));
    return;
  }
}

// An argument that its function does not read, where the body has what a call gives for it: fn part(x, best) =
// 100 * x / 50, and part(push_ups, 50); fn share(part, total) = part / offered, and share(answered, offered).
void DoubtChecker::doubt_fixed_argument(RubricContext& rc, const ast::Fn& fn,
                                        const std::vector<const ast::Body*>& bodies) {
  std::set<std::string> names;
  names_in(*fn.body.expr, names);
  for (const ast::Where& w : fn.body.where) names_in(*w.expr, names);
  for (std::size_t i = 0; i < fn.params.size(); ++i) {
    const ast::Name& param = fn.params[i].name;
    constexpr int kMost = 20;
    if (names.count(param.text) > 0 || ++placed_ > kMost) continue;
    std::set<std::string> given;
    for (const ast::Body* body : bodies) {
      each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
        const bool call = e.kind == ast::ExprKind::call && e.text == fn.name.text && i < e.args.size() && e.args[i];
        const bool value = call && (e.args[i]->kind == ast::ExprKind::number || e.args[i]->kind == ast::ExprKind::name);
        if (value) given.insert(e.args[i]->text);
      });
    }
    for (const ast::Param& own : fn.params) given.erase(own.name.text);
    Fix fix;
    each_expr(budget_, *fn.body.expr, [&](const ast::Expr& e) {
      const bool value = e.kind == ast::ExprKind::number || e.kind == ast::ExprKind::name;
      if (value && given.count(e.text) > 0) fix.push_back({e.span, param.text});
    });
    if (fix.size() != 1) continue;
    const std::string instead = source_text(fix.front().at);
    const std::string shown = is_digit(instead[0]) ? instead : "'" + instead + "'";
    doubt(Code::unused, param.span, rc.index,
          "the argument '" + param.text + "' is never used, and " + shown + " stands in its place",
          "write " + param.text + " instead of " + instead);
    if (is_own(param.span, rc.index)) state_.noted.doubts.back().fixes = {std::move(fix)};
  }
}

namespace {

// The default that a rubric gives an input somewhere: "(tips default 0)". Empty: none, or it asks whether it is given.
std::string default_of(std::string_view file, const std::string& name) {
  const std::string before = name + " default ";
  const std::size_t at = file.find(before);
  const bool asked = file.find(name + " is given") != file.npos || file.find(name + " is missing") != file.npos;
  if (at == file.npos || asked || (at > 0 && is_name_character(file[at - 1]))) return {};
  std::size_t end = at + before.size();
  while (end < file.size() && (is_name_character(file[end]) || file[end] == '.')) ++end;
  return "(" + std::string(file.substr(at, end - at)) + ")";
}

}  // namespace

// let total = pay + tips, where tips are optional, and count as 0 elsewhere: tips default 0.
void DoubtChecker::doubt_lost_sums(RubricContext& rc) {
  const std::string_view file = sources_.file(rc.node->span.file).text;
  std::map<std::string, std::string> meant_by;  // by input
  for (const ast::Body* body : bodies_of(rc)) {
    std::set<const ast::Expr*> replaced;  // parts of a value with a default
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::binary && e.text == "default")
        each_expr(budget_, *e.args[0], [&replaced](const ast::Expr& part) { replaced.insert(&part); });
    });
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind != ast::ExprKind::binary || e.text != "+") return;
      for (const ast::ExprPtr& side : e.args) doubt_open_choice(rc, *side, replaced);
      for (const ast::ExprPtr& side : e.args) {
        const auto input = rc.last_inputs.find(side->text);
        if (side->kind != ast::ExprKind::name || replaced.count(side.get()) > 0 || input == rc.last_inputs.end() ||
            input->second->policy.tag != ast::PolicyTag::optional)
          continue;
        const auto [at, fresh] = meant_by.emplace(side->text, std::string());
        if (fresh) at->second = default_of(file, side->text);
        const std::string& meant = at->second;
        if (meant.empty()) continue;
        doubt(
            Code::lost_sum, side->span, rc.index,
            "a record may lack '" + side->text + "', and then this sum is missing as well; elsewhere it has a default",
            "write " + meant);
        if (is_own(side->span, rc.index)) state_.noted.doubts.back().fixes = {{{side->span, meant}}};
      }
    });
  }
}

// price + extra, of let extra = 6.5 when express: without it the sum is missing.
void DoubtChecker::doubt_open_choice(RubricContext& rc, const ast::Expr& side,
                                     const std::set<const ast::Expr*>& replaced) {
  if (side.kind != ast::ExprKind::name || replaced.count(&side) > 0 || state_.noted.considered.count(side.text) > 0)
    return;
  for (const ast::Item* item : rc.items) {
    const auto* let = std::get_if<ast::Let>(&item->node);
    const ast::Expr* e = let != nullptr && let->name.text == side.text ? let->body.expr.get() : nullptr;
    const bool open = e != nullptr && e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2]) &&
                      e->args[0]->kind == ast::ExprKind::number;
    if (!open || !is_own(e->span, rc.index)) continue;
    const auto told = [e](const Doubt& d) { return d.code == Code::lost_sum && d.span.begin == e->span.begin; };
    if (std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), told)) continue;
    doubt(
        Code::lost_sum, e->span, rc.index,
        "'" + side.text + "' is missing unless " + short_text(e->args[1]->span) + ", and then so is every sum with it",
        FixIt("write " + source_text(e->span) + " else 0", source_text(e->span) + " else 0", false));
  }
}

namespace {

// A term of a sum, and whether it is subtracted.
struct SumTerm {
  const ast::Expr* e;
  bool taken;
};

// The terms of a + b - c, from the last to the first; the sums within it are noted.
std::vector<SumTerm> terms_of_sum(const ast::Expr& e, std::set<const ast::Expr*>& inner) {
  std::vector<SumTerm> terms;
  const ast::Expr* left = &e;
  for (; is_binary(*left, "+") || is_binary(*left, "-"); left = left->args[0].get()) {
    terms.push_back({left->args[1].get(), left->text == "-"});
    inner.insert(left->args[0].get());
  }
  terms.push_back({left, false});
  return terms;
}

// The only name of those that stand together which is not in a sum of all but one of them; empty: there is none.
template <typename Names>
std::string name_left_out(const Names& names, const std::set<std::string_view>& in_sum, std::size_t terms) {
  if (in_sum.size() + 1 != terms || names.size() != terms) return {};
  std::string absent;
  for (const auto& one : names) {
    if (in_sum.count(one) > 0) continue;
    if (!absent.empty()) return {};
    absent = one;
  }
  return absent;
}

// The only input that is declared beside those of a sum and not in it: passives of promoters + promoters + detractors; or
// the only field of a record: r.tax of r.gross - r.fees - r.fees.
std::string term_left_out(const RubricContext& rc, const std::vector<SumTerm>& terms) {
  const ast::Input* input = nullptr;
  std::set<std::string_view> named;
  const bool fields = terms[0].e->kind == ast::ExprKind::field;
  for (const SumTerm& term : terms) {
    const ast::Expr& path = *term.e;
    if (path.kind != (fields ? ast::ExprKind::field : ast::ExprKind::name)) return {};
    const auto at = rc.last_inputs.find(fields ? path.args[0]->text : path.text);
    if (at == rc.last_inputs.end() || (input != nullptr && at->second != input)) return {};
    if (fields && (path.args[0]->kind != ast::ExprKind::name || path.args[0]->text != terms[0].e->args[0]->text))
      return {};
    input = at->second;
    named.insert(path.text);
  }
  if (input == nullptr || (fields && (!input->kind || input->kind->tag != ast::KindTag::record))) return {};
  std::vector<std::string_view> all;
  for (const ast::Name& name : input->names) {
    if (!fields) all.push_back(name.text);
  }
  for (std::size_t i = 0; fields && i < input->kind->fields.size(); ++i)
    all.push_back(input->kind->fields[i].name.text);
  const std::string absent = name_left_out(all, named, terms.size());
  return fields && !absent.empty() ? terms[0].e->args[0]->text + "." + absent : absent;
}

// What may be meant by the second of two equal terms, by its opposite: min(xs) for max(xs), 'lowest' for 'highest'.
std::string opposite_term(const RubricContext& rc, const std::vector<SumTerm>& terms, const ast::Expr& term,
                          const std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kOpposite[] = {
      {"max", "min"}, {"min", "max"}, {"first", "last"}, {"last", "first"}};
  for (const auto& [call, other] : kOpposite) {
    if (term.kind == ast::ExprKind::call && term.text == call) return std::string(other) + text.substr(call.size());
  }
  const auto free = [&terms](std::string_view name) {
    return std::none_of(terms.begin(), terms.end(), [name](const SumTerm& t) { return t.e->text == name; });
  };
  std::string found;
  const auto look = [&](const std::string& name) {
    const auto words = only_difference(term.text, name);
    if (words && free(name) && are_opposites(words->first, words->second)) found = name;
  };
  if (term.kind != ast::ExprKind::name) return {};
  for (const auto& [name, item] : rc.by_name.own) look(std::string(name));
  for (const auto& [name, item] : rc.by_name.inputs) look(std::string(name));
  return found;
}

}  // namespace

// spring + autumn + spring; sum(marks) - highest - highest
void DoubtChecker::doubt_repeated_terms(const RubricContext& rc, const ast::Expr& e,
                                        std::set<const ast::Expr*>& inner) {
  const std::vector<SumTerm> terms = terms_of_sum(e, inner);
  constexpr std::size_t kFewest = 3;
  if (terms.size() < kFewest) return;
  const auto added = std::count_if(terms.begin(), terms.end(), [](const SumTerm& t) { return !t.taken; });
  for (auto at = terms.begin(); at != terms.end(); ++at) {
    const ast::Expr& term = *at->e;
    const std::string text = source_text(term.span);
    const bool again = std::any_of(at + 1, terms.end(), [&](const SumTerm& other) {
      return other.taken == at->taken && other.e->kind == term.kind && source_text(other.e->span) == text;
    });
    if (!again || (!is_path(term) && term.kind != ast::ExprKind::call)) continue;
    std::string meant = term_left_out(rc, terms);
    const bool beside = !meant.empty();
    if (!beside) meant = opposite_term(rc, terms, term, text);
    // Twice the margin may be taken off on purpose.
    if (meant.empty() && (at->taken || added < static_cast<std::ptrdiff_t>(kFewest) || !is_path(term))) continue;
    doubt(Code::counted_twice, term.span, rc.index,
          "'" + short_text(term.span) + (at->taken ? "' is taken off twice here" : "' stands in this sum twice"),
          meant.empty() ? FixIt("write 2 * " + short_text(term.span) + " if it counts twice, or leave one out")
          : beside
              ? FixIt("write " + meant + ", which is declared beside the others, in place of one")
              : FixIt("write " + meant + " in place of one, or 2 * " + short_text(term.span) + " if it counts twice"));
    if (!meant.empty() && is_own(e.span, rc.index)) state_.noted.doubts.back().fixes = {{{term.span, meant}}};
    return;
  }
}

// hours * rate + surcharge default 0, which is 0 without a surcharge; spring + autumn + spring.
void DoubtChecker::doubt_sums(RubricContext& rc) {
  const auto optional = [&rc](const ast::Expr& e) {
    const auto input = rc.last_inputs.find(e.text);
    return e.kind == ast::ExprKind::name && input != rc.last_inputs.end() &&
           input->second->policy.tag == ast::PolicyTag::optional;
  };
  const auto sum = [](const ast::Expr& e) {
    return e.kind == ast::ExprKind::binary && (e.text == "+" || e.text == "-");
  };
  for (const ast::Body* body : bodies_of(rc)) {
    std::set<const ast::Expr*> inner;  // sums within sums
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::binary && e.text == "default" && sum(*e.args[0]) && e.args[1]->text == "0") {
        const ast::Expr& last = *e.args[0]->args[1];
        bool others = false;
        each_expr(budget_, *e.args[0]->args[0], [&](const ast::Expr& part) { others = others || optional(part); });
        if (optional(last) && !others) {
          doubt(Code::lost_sum, e.span, rc.index,
                "without '" + last.text + "' all of this is 0: 'default' replaces the whole sum",
                "parentheses around the last two let it replace only '" + last.text + "'");
          if (is_own(e.span, rc.index))
            state_.noted.doubts.back().fixes = {
                {{last.span, "(" + last.text + " default 0)"}, {{e.span.file, last.span.end, e.span.end}, ""}}};
        }
      }
      if (!sum(e)) return;
      if (inner.count(&e) == 0) doubt_repeated_terms(rc, e, inner);
    });
  }
}

// count(voter for voter, v in votes when voter == "yes"), where "yes" is one of the values of the map.
void DoubtChecker::doubt_keys(RubricContext& rc) {
  for (const ast::Body* body : bodies_of(rc)) {
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (!e.loop || e.loop->clauses.empty() || e.loop->clauses[0].second.text.empty() || !e.loop->clauses[0].expr)
        return;
      const ast::Clause& over = e.loop->clauses[0];
      const auto input = rc.last_inputs.find(over.expr->text);
      if (over.expr->kind != ast::ExprKind::name || input == rc.last_inputs.end() || !input->second->kind) return;
      const std::string kind = source_text(input->second->kind->span);
      if (!kind.starts_with("map of one of")) return;
      for (const ast::Clause& clause : e.loop->clauses) {
        if (clause.kind != ast::ClauseKind::when || !clause.expr || clause.expr->kind != ast::ExprKind::binary)
          continue;
        const ast::Expr &key = *clause.expr->args[0], &value = *clause.expr->args[1];
        const bool asked = (clause.expr->text == "==" || clause.expr->text == "!=") &&
                           key.kind == ast::ExprKind::name && key.text == over.first.text &&
                           value.kind == ast::ExprKind::text;
        if (!asked || kind.find(source_text(value.span)) == kind.npos) continue;
        doubt(Code::exchanged_arguments, key.span, rc.index,
              "'" + key.text + "' is a key of '" + over.expr->text + "', and " + source_text(value.span) +
                  " is one of its values",
              FixIt("", over.second.text, false));
      }
    });
  }
}

// Values that nothing reads: parts of a 'where', arguments.
void DoubtChecker::doubt_unread(RubricContext& rc) {
  const std::vector<const ast::Body*> bodies = bodies_of(rc);
  for (const ast::Body* body : bodies) {
    std::map<std::string, int> readers;
    std::set<std::string> names;
    names_in(*body->expr, names);
    for (const std::string& name : names) ++readers[name];
    for (const ast::Where& w : body->where) {
      names.clear();
      names_in(*w.expr, names);
      for (const std::string& name : names) readers[name] += name == w.name.text ? 0 : 1;
    }
    for (const ast::Where& w : body->where) {
      const auto read = readers.find(w.name.text);
      if (read != readers.end() && read->second > 0) continue;
      doubt(Code::unused, w.name.span, rc.index, "the value '" + w.name.text + "' is never used",
            "use it, or leave it out");
      if (is_own(w.name.span, rc.index))
        state_.noted.doubts.back().fixes = in_place(w.name.text, *w.expr, {body->expr.get()});
    }
  }
  for (const FnDecl& fn : declared_.fns) {
    if (!fn.copy && fn.node->body.expr && fn.rubric == rc.index) doubt_fixed_argument(rc, *fn.node, bodies);
  }
}

// first(f for f in findings by higher f.severity), where a severity is one of ("low", "moderate", "high", "critical")
void DoubtChecker::doubt_text_order(const ast::Expr& node, const Expr* value, const Context& cx) {
  const Loop* loop = node.loop ? loop_in(value) : nullptr;
  for (std::size_t i = 0; loop != nullptr && i < loop->order.size() && i < node.loop->order.size(); ++i) {
    const ast::OrderKey& key = node.loop->order[i];
    const Type& type = types_[loop->order[i].expr->type];
    if (type.kind != TypeKind::text || !is_path(*key.expr) || !alphabet_misleads(type.choices)) continue;
    doubt(Code::text_order, key.span, cx.rubric,
          "'" + short_text(key.expr->span) + "' is " + types_.say(loop->order[i].expr->type) +
              ", and texts are ordered by the alphabet",
          "order by a number: a table gives one for each of the texts");
    if (const Fix fix = number_for(*key.expr, type.choices, cx.rubric); !fix.empty())
      state_.noted.doubts.back().fixes = {fix};
  }
}

// A text as the number that a table of the rubric has for each of its choices: weight_of(f.severity). Empty: there is none.
Fix DoubtChecker::number_for(const ast::Expr& text, const std::vector<std::string>& choices, int rubric_index) {
  if (rubric_index < 0) return {};
  const std::set<std::string> all(choices.begin(), choices.end());
  for (const ast::Item* item : rubric(rubric_index).items) {
    const auto* table = std::get_if<ast::Table>(&item->node);
    if (table == nullptr || table->params.size() != 1 || table->rows.columns.size() != 2) continue;
    std::set<std::string> keys;
    const bool numbers_only =
        std::all_of(table->rows.rows.begin(), table->rows.rows.end(), [&keys](const std::vector<ast::Cell>& row) {
          if (row.size() != 2 || row[0].patterns.size() != 1 || row[1].patterns.size() != 1) return false;
          const ast::Expr *key = row[0].patterns[0].expr.get(), *number = row[1].patterns[0].expr.get();
          if (key != nullptr && is_literal(*key)) keys.insert(key->literal.str());
          return number != nullptr && number->kind == ast::ExprKind::number;
        });
    if (numbers_only && keys == all) return {{text.span, table->name.text + "(" + source_text(text.span) + ")"}};
  }
  return {};
}

void DoubtChecker::note_lists(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (!is_own(node.span, cx.rubric) || kind_of(value) == TypeKind::unknown) return;
  doubt_text_order(node, value, cx);
  if (node.kind == ast::ExprKind::binary) {
    const bool in = node.text == "in" || node.text == "not in";
    doubt_letter_case(node, cx);
    doubt_position(node, cx);
    doubt_square_of_field(node, value, cx);
    const Expr* of = value;
    while (of->op == Op::not_) of = of->args[0];
    const bool list = in && node.args[1]->kind == ast::ExprKind::list && !node.args[1]->loop && !of->args.empty();
    if (list &&
        std::all_of(node.args[1]->args.begin(), node.args[1]->args.end(), [](const auto& e) { return is_literal(*e); }))
      doubt_repeated_items(*node.args[1], of->args[0], cx);
  }
  if (node.kind == ast::ExprKind::list && types_.kind(types_[value->type].element) == TypeKind::boolean &&
      std::all_of(node.args.begin(), node.args.end(), [](const auto& e) { return is_path(*e); }))
    doubt_repeated_items(node, nullptr, cx);
  if (node.kind == ast::ExprKind::call) doubt_exchanged(node, cx);
  if (node.kind == ast::ExprKind::call || node.kind == ast::ExprKind::list_loop) {
    doubt_outer_name(node, value, cx);
    doubt_places(node, cx);
  }
}

}  // namespace assay
