// Checker: choices and comparisons, whose sides must have compatible types.
#include "lang/check/expr/expressions.hpp"

#include <string>
#include <utility>
#include <vector>

namespace assay {

namespace {

struct ComparedSide {
  TypeKind kind;
  std::string text;  // as it is written
};

bool only_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

// Sides of two types as they were meant: rate < "50", grade == 1, date > 2026-01-31, tags == "x".
FixIt meant_comparison(const std::string& sign, const ComparedSide& left, const ComparedSide& right,
                       const FixIt& otherwise) {
  const bool equal = sign == "==" || sign == "!=";
  const auto other_notation = [&](const ComparedSide& side, TypeKind wanted) {
    const std::string& text = side.text;
    const bool quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
    if (wanted == TypeKind::number && quoted && only_of(text.substr(1, text.size() - 2), "0123456789."))
      return text.substr(1, text.size() - 2);
    const bool date = text.size() == 10 && text[4] == '-' && text[7] == '-' && only_of(text, "0123456789-");
    if (wanted == TypeKind::text && (date || (equal && only_of(text, "0123456789.")))) return '"' + text + '"';
    return std::string();
  };
  const auto rewritten = [&](const std::string& words, const std::string& l, const std::string& r) {
    return FixIt(words, l + " " + sign + " " + r, false);
  };
  for (const bool first : {true, false}) {
    const ComparedSide &side = first ? left : right, &other = first ? right : left;
    const bool literal = (side.kind == TypeKind::number && other.kind == TypeKind::text) ||
                         (side.kind == TypeKind::text && other.kind == TypeKind::number);
    const std::string meant = literal ? other_notation(side, other.kind) : std::string();
    if (!meant.empty())
      return rewritten(other.kind == TypeKind::text ? "a text stands in double quotes: " + meant
                                                    : "a number stands without quotes: " + meant,
                       first ? meant : other.text, first ? other.text : meant);
    if (equal && side.kind == TypeKind::list && other.kind != TypeKind::list) {
      const std::string asked = other.text + (sign == "==" ? " in " : " not in ") + side.text;
      return FixIt("to ask whether a list holds a value, write " + asked, asked, false);
    }
  }
  return otherwise;
}

}  // namespace

Expr* ExprChecker::choice_expr(const ast::Expr& e, Context& cx) {
  const auto ask = [&] { return condition(*e.args[1], cx, "the condition after 'when'", Asked::choice); };
  const std::size_t known = cx.answers.size();
  Expr* cond = nullptr;
  if (asked_.asks(*e.args[1])) {
    cond = ask();
    asked_.answered(*e.args[1], true, cx);
  }
  Expr* then = expr(*e.args[0], cx);
  cx.answers.resize(known);
  if (cond == nullptr) cond = ask();
  asked_.answered(*e.args[1], false, cx);
  Expr* otherwise = e.args.size() > 2 ? expr(*e.args[2], cx) : constant(missing_value(), then->type, e.span);
  cx.answers.resize(known);
  TypeId type = kUnknown;
  as_maps(then, otherwise, cx);
  if (!alike(then, otherwise, type, cx)) {
    Diagnostic& d =
        error(Code::types_differ, e.args[2]->span,
              "this case is " + types_.say(otherwise->type) + ", the one before 'when' is " + types_.say(then->type));
    d.label = "both must have one type";
    d.help = hints_.order_help(then->type, otherwise->type);
    return broken(e.span);
  }
  return choose(then, cond, otherwise, e.span);
}

// The common type of values that only differ in the fields of their records: all fields, where those that one of them
// lacks are optional.
bool ExprChecker::common_shape(const std::vector<TypeId>& all, TypeId& type) {
  const Nesting nesting(budget_);
  if (types_.unify_all(all, type, true) == all.size()) return true;
  const TypeKind kind = types_.kind(all.front());
  if (kind == TypeKind::record) return common_record(all, type);
  if (kind != TypeKind::list && kind != TypeKind::map) return false;
  std::vector<TypeId> elements;
  bool gaps = false;
  for (const TypeId one : all) {
    if (types_.kind(one) != kind) return false;
    elements.push_back(types_[one].element);
    gaps = gaps || types_[one].gaps;
  }
  TypeId element = kUnknown;
  if (!common_shape(elements, element)) return false;
  type = kind == TypeKind::list ? types_.list(element, false, gaps) : types_.map(element, gaps);
  return true;
}

bool ExprChecker::common_record(const std::vector<TypeId>& all, TypeId& type) {
  std::vector<Field> fields;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Type& one = types_[all[i]];
    if (one.kind != TypeKind::record || !one.name.empty() || one.rubric >= 0) return false;
    std::vector<Field> own = one.fields;
    budget_.step(1 + fields.size() * own.size());
    for (Field& f : own) f.fallback = missing_value();
    for (Field& known : fields) {
      const auto same = [&known](const Field& f) { return f.name == known.name; };
      if (std::none_of(own.begin(), own.end(), same)) known.presence = Presence::optional;
    }
    for (Field& f : own) {
      const auto known =
          std::find_if(fields.begin(), fields.end(), [&f](const Field& other) { return other.name == f.name; });
      if (known == fields.end()) {
        if (i > 0) f.presence = Presence::optional;
        fields.push_back(std::move(f));
        continue;
      }
      if (f.presence == Presence::optional) known->presence = Presence::optional;
      if (!common_shape({known->type, f.type}, known->type)) return false;
    }
  }
  if (fields.empty()) return false;
  type = types_.record(std::move(fields));
  return true;
}

// Brings both to their common shape. False: they have none.
bool ExprChecker::alike(Expr*& a, Expr*& b, TypeId& type, Context& cx) {
  if (types_.join(a->type, b->type, type)) return true;
  if (!common_shape({a->type, b->type}, type)) return false;
  a = as_shape(a, type, cx);
  b = as_shape(b, type, cx);
  return types_.join(a->type, b->type, type);
}

// The same for lists or maps that are joined, whose items have one type: no choice between several.
bool ExprChecker::alike_items(Expr*& a, Expr*& b, TypeId& type, Context& cx) {
  if (types_.unify(a->type, b->type, type)) return true;
  return !types_.join(a->type, b->type, type) && alike(a, b, type, cx);
}

// Whether the records in both have the same fields in the same order.
bool ExprChecker::same_shape(TypeId a, TypeId b) const {
  const Nesting nesting(budget_);
  const Type &x = types_[a], &y = types_[b];
  if (a == b || x.kind != y.kind) return true;
  if (x.kind == TypeKind::list || x.kind == TypeKind::map) return same_shape(x.element, y.element);
  return x.kind != TypeKind::record ||
         std::equal(x.fields.begin(), x.fields.end(), y.fields.begin(), y.fields.end(),
                    [this](const Field& f, const Field& g) { return f.name == g.name && same_shape(f.type, g.type); });
}

// The same value with all fields of the type.
Expr* ExprChecker::as_shape(Expr* e, TypeId type, Context& cx) {
  const Nesting nesting(budget_);
  const TypeKind kind = types_.kind(type);
  if (e->type == type || kind_of(e) != kind) return e;
  if (kind == TypeKind::record) return as_record(e, type, cx);
  if (same_shape(e->type, type)) return e;
  return once(e, cx, [&](Expr* all) -> Expr* {
    const bool map = kind == TypeKind::map;
    Local item, key;
    item.type = types_[all->type].element;
    item.optional = types_[all->type].gaps;
    item.id = add_local(cx);
    key.type = kText;
    LoopClause clause;
    clause.expr = all;
    clause.second = item.id;
    if (map) clause.first = key.id = add_local(cx);
    Expr* loop = make(Op::loop, type, e->span);
    loop->loop = std::make_unique<Loop>();
    loop->loop->collect = map ? Collect::map : Collect::list;
    loop->loop->clauses.push_back(clause);
    if (map) loop->loop->key = local_ref(key, e->span);
    loop->loop->value = as_shape(local_ref(item, e->span), types_[type].element, cx);
    if (!all->optional) return loop;
    Expr* none = make(Op::is_missing, kBool, e->span, {all});
    return choose(constant(missing_value(), type, e->span), none, loop, e->span);
  });
}

// The same record with all fields of the type, in order.
Expr* ExprChecker::as_record(Expr* e, TypeId type, Context& cx) {
  return once(e, cx, [&](Expr* record) -> Expr* {
    const std::vector<Field> wanted = types_[type].fields;
    std::vector<std::pair<std::string, Expr*>> fields;
    for (const Field& f : wanted) {
      Expr* value = constant(missing_value(), f.type, e->span);
      if (types_.field(record->type, f.name) >= 0) value = as_shape(access(record, f.name, e->span, cx), f.type, cx);
      fields.emplace_back(f.name, value);
    }
    Expr* made = record_of(std::move(fields), e->span);
    made->type = type;
    if (record->op == Op::make_record || !record->optional) return made;
    Expr* given = make(Op::not_, kBool, e->span, {make(Op::is_missing, kBool, e->span, {record})});
    return choose(made, given, constant(missing_value(), type, e->span), e->span);
  });
}

// x == 11 of one of ("n/a") or number 0..10
void ExprChecker::never_one_of(const Expr* of, const Expr* value, Span span) {
  const TypeKind kind = kind_of(value);
  if (kind_of(of) != TypeKind::either || !is_constant(value) || value->value.missing() ||
      (kind != TypeKind::number && kind != TypeKind::text))
    return;
  for (const TypeId one : types_.alternatives(of->type)) {
    const Type& type = types_[one];
    if (type.kind != kind) continue;
    const bool may = kind == TypeKind::number
                         ? holds(type.range, value->value.number) && (!type.whole || is_whole(value->value.number))
                         : type.allows(std::string(value->value.text.view()));
    if (may) return;
  }
  error(Code::never_equal, span, "this is " + types_.say(of->type) + ", and never " + source_text(value->span), "",
        "correct the value, or leave the comparison out");
}

Expr* ExprChecker::compare_exprs(Op op, Expr* a, Expr* b, const ast::Expr& e) {
  const TypeKind ka = kind_of(a), kb = kind_of(b);
  const bool ordered = op != Op::eq && op != Op::ne;
  const bool known = ka != TypeKind::unknown && kb != TypeKind::unknown;
  TypeId type = kUnknown;
  const bool several = ka == TypeKind::either || kb == TypeKind::either;
  const bool any = (ka == TypeKind::any) != (kb == TypeKind::any);
  if (known && (any || (several && ordered))) {
    const Expr* asked = ka == TypeKind::either || ka == TypeKind::any ? a : b;
    const TypeId other = asked == a ? b->type : a->type;
    const std::string help = asked_.ask_help(asked, asked_.kind_word(types_.alternatives(other).front()));
    if (!help.empty()) {
      error(Code::ask_first, e.span, "'" + e.text + "' compares values of one type, this is " + types_.say(asked->type),
            "", help);
      return broken(e.span);
    }
  }
  if (known && several && !ordered) never_one_of(a, b, b->span), never_one_of(b, a, a->span);
  if (known && ((ka != kb && !several) || !types_.unify(a->type, b->type, type))) {
    std::string help = hints_.order_help(a->type, b->type, hints_.truth_help(a, b, e));
    std::vector<std::string> unlike;  // texts of which none is a number
    if ((ka == TypeKind::text && kb == TypeKind::number) || (ka == TypeKind::number && kb == TypeKind::text)) {
      const Expr* text = ka == TypeKind::text ? a : b;
      unlike = types_[text->type].choices;
      if (is_constant(text)) unlike = {std::string(text->value.text.view())};
      if (std::any_of(unlike.begin(), unlike.end(), [](const std::string& t) { return only_of(t, "0123456789.-%"); }))
        unlike.clear();
      help = unlike.empty()      ? "number(…) reads a number from a text"
             : is_constant(text) ? "compare it with a number"
                                 : hints_.near_or_quoted({}, {unlike.begin(), unlike.end()}, "compare with ").words;
    }
    if (kb == TypeKind::range) help = "write 'in' to ask whether a number lies in a range";
    if (kb == TypeKind::list) help = "write 'in' to ask whether a list holds a value";
    FixIt fix(std::move(help));
    for (const std::size_t side : {0U, 1U}) {  // judges >= 3
      const bool list = (side == 0 ? ka : kb) == TypeKind::list && (side == 0 ? kb : ka) == TypeKind::number;
      if (!list || e.kind != ast::ExprKind::binary) continue;
      const std::string left = source_text(e.args[0]->span), right = source_text(e.args[1]->span);
      const std::string counted =
          side == 0 ? "count(" + left + ") " + e.text + ' ' + right : left + ' ' + e.text + " count(" + right + ')';
      fix = FixIt("write " + counted + " for how many there are", counted, false);
    }
    for (const std::size_t side : {0U, 1U}) {  // years == "", of an optional number
      const Expr *empty = side == 0 ? a : b, *of = side == 0 ? b : a;
      const bool nothing = kind_of(empty) == TypeKind::text && is_constant(empty) && empty->value.text.view().empty();
      if (!nothing || ordered || !of->optional || e.kind != ast::ExprKind::binary) continue;
      const std::string asked = source_text(e.args[1 - side]->span) + (op == Op::eq ? " is missing" : " is given");
      fix = FixIt("write " + asked, asked, true);
    }
    if (e.kind == ast::ExprKind::binary && unlike.empty())
      fix = meant_comparison(e.text, {ka, source_text(e.args[0]->span)}, {kb, source_text(e.args[1]->span)}, fix);
    error(Code::types_differ, e.span, types_.say(a->type) + " cannot be compared with " + types_.say(b->type), "",
          std::move(fix));
    return broken(e.span);
  }
  if (known && ordered && ka != TypeKind::number && ka != TypeKind::text) {
    error(Code::wrong_type, e.span, "'" + e.text + "' compares numbers or texts, this is " + types_.say(a->type));
    return broken(e.span);
  }
  if ((is_constant(a) && a->value.missing()) || (is_constant(b) && b->value.missing())) {
    if (a->op == Op::constant && b->op == Op::constant && (a->type != kUnknown || b->type != kUnknown))
      return broken(e.span);
    const bool written =
        e.args.size() == 2 && (e.args[0]->kind == ast::ExprKind::missing || e.args[1]->kind == ast::ExprKind::missing);
    if (written) {
      error(Code::compare_missing, e.span, "a comparison with missing is never true", "",
            "write 'is missing' or 'is given'");
    }
    return broken(e.span);
  }
  if (known && !ordered && ka == TypeKind::text) {  // a text that is not among the choices is never equal
    for (const auto& [literal, other] : {std::pair{a, b}, std::pair{b, a}}) {
      // A status that is always the same is a constant, of the type of all of them.
      const bool status = is_constant(other) && e.args.size() == 2 &&
                          e.args[literal == a ? 1 : 0]->kind == ast::ExprKind::name &&
                          e.args[literal == a ? 1 : 0]->text == "status";
      const std::vector<std::string>& choices = types_[other->type].choices;
      if (!is_constant(literal) || (is_constant(other) && !status) || choices.empty()) continue;
      const std::string value(literal->value.text.view());
      if (types_[other->type].allows(value)) continue;
      std::vector<std::string_view> names(choices.begin(), choices.end());
      const std::string written = e.args.size() == 2 ? short_text(e.args[literal == a ? 1 : 0]->span) : "…";
      const std::string compared = written == "…" ? "what this is compared with" : "'" + written + "'";
      error(Code::never_equal, literal->span,
            compared + " is never \"" + value + "\": it is " + types_.say(other->type), "",
            hints_.near_or_quoted(value, names, "compare with "));
      return broken(e.span);
    }
  }
  if (is_constant(a) && is_constant(b) && ka == TypeKind::number && kb == TypeKind::number) {
    const int c = compare(a->value.number, b->value.number);
    const bool r = op == Op::eq   ? c == 0
                   : op == Op::ne ? c != 0
                   : op == Op::lt ? c < 0
                   : op == Op::le ? c <= 0
                   : op == Op::gt ? c > 0
                                  : c >= 0;
    return boolean(r, e.span);
  }
  if (known && types_[type].mixed) {
    a = retype(a, type);
    b = retype(b, type);
  }
  Expr* r = make(op, kBool, e.span, {a, b});
  r->optional = a->optional || b->optional;
  return r;
}

}  // namespace assay
