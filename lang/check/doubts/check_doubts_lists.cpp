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
  if (!let.body.expr) return {};
  std::vector<Fix> fixes = in_place(let.name.text, *let.body.expr, others);
  if (Fix fix = filtered_for(let, others); fixes.empty() && !fix.empty()) fixes.push_back(std::move(fix));
  return fixes;
}

// The only loop over a list that reads a field which the value, this list without some of its items, is filtered by:
// count(h for h in colonies when h.mites > 3), where counted = [h for h in colonies when h.mites is given].
Fix DoubtChecker::filtered_for(const ast::Let& let, const std::vector<const ast::Expr*>& others) {
  const ast::Expr& value = *let.body.expr;
  const bool filter = value.kind == ast::ExprKind::list_loop && value.loop && value.loop->clauses.size() == 2 &&
                      value.loop->clauses[1].kind == ast::ClauseKind::when && value.args.size() == 1 &&
                      value.args[0]->kind == ast::ExprKind::name &&
                      value.args[0]->text == value.loop->clauses[0].first.text && value.loop->clauses[0].expr;
  if (!filter || !let.body.where.empty()) return {};
  const std::string list = source_text(value.loop->clauses[0].expr->span);
  const auto fields_in = [this](const ast::Expr& e) {
    std::set<std::string> fields;
    each_expr(budget_, e, [&fields](const ast::Expr& part) {
      if (part.kind == ast::ExprKind::field) fields.insert(part.text);
    });
    return fields;
  };
  const std::set<std::string> asked = fields_in(*value.loop->clauses[1].expr);
  Fix fix;
  for (const ast::Expr* other : others) {
    each_expr(budget_, *other, [&](const ast::Expr& e) {
      if (!e.loop || e.loop->clauses.empty() || !e.loop->clauses[0].expr ||
          source_text(e.loop->clauses[0].expr->span) != list)
        return;
      const std::set<std::string> read = fields_in(e);
      const bool same =
          std::any_of(asked.begin(), asked.end(), [&](const std::string& f) { return read.count(f) > 0; });
      if (same) fix.push_back({e.loop->clauses[0].expr->span, let.name.text});
    });
  }
  return fix.size() == 1 ? fix : Fix();
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
