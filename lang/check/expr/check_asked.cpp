// Checker: values of one of several types, and values of any type: writing such a type, `x is number`, `x as number`,
// and the type of a value where such a test has been decided. Tests apply to names and to parts of named values
// (`r.score`, `xs[0]`), which have the same value throughout one definition.
#include "lang/check/expr/expressions.hpp"

#include <algorithm>

namespace assay {

namespace {

// After `list of number`, `or text` could be read in two ways unless the element type is closed.
bool open_ended(const ast::Kind& kind) {
  const ast::Kind* k = &kind;
  while (!k->brackets && k->element) k = k->element.get();
  return k != &kind && !kind.brackets && !k->brackets;
}

}  // namespace

TypeId AskedChecker::either_of(const ast::Kind& node, int rubric_index) {
  std::vector<TypeId> all;
  for (std::size_t i = 0; i < node.alternatives.size(); ++i) {
    const ast::Kind& one = *node.alternatives[i];
    const TypeId type = kinds_.kind(one, rubric_index);
    if (open_ended(one) && i + 1 < node.alternatives.size()) {
      const std::string list = short_text(one.span), element = short_text(one.element->span);
      const std::string other = short_text(node.alternatives[i + 1]->span);
      const std::string of = list.substr(0, list.size() - std::min(element.size(), list.size()));
      const ast::Kind& next = *node.alternatives[i + 1];
      const bool lists = next.tag == one.tag && next.element;
      const std::string inner = lists ? short_text(next.element->span) : other;
      error(Code::alternatives, one.span, "'" + list + " or " + other + "' can be read in two ways", "",
            "write " + (lists ? std::string() : "(" + list + ") or " + other + ", or ") + of + "(" + element + " or " +
                inner + ")");
      return kUnknown;
    }
    for (const TypeId part : types_.alternatives(type)) {
      const TypeKind k = types_.kind(part);
      const auto same = std::find_if(all.begin(), all.end(), [&](TypeId known) {
        const TypeKind other = types_.kind(known);
        const bool objects =
            (k == TypeKind::map || k == TypeKind::record) && (other == TypeKind::map || other == TypeKind::record);
        return k == other || objects;
      });
      if (k == TypeKind::unknown) return kUnknown;
      if (k == TypeKind::any) {
        error(Code::alternatives, one.span, "'any' holds every other type already", "", "write 'any' alone");
        return kAny;
      }
      if (same == all.end()) {
        all.push_back(part);
        continue;
      }
      std::string help = "write one of the two";
      if (k == TypeKind::record) help = "write one record, with 'optional' behind what only some have";
      if (k == TypeKind::number) help = "write one range that holds both, and a 'check' for what is between";
      if (k == TypeKind::list) help = "write one list of both: list of (… or …)";
      if (k == TypeKind::text) help = "'text' alone holds every text; a list of choices may be longer: one of (…, …)";
      error(Code::alternatives, one.span,
            "a value could not tell whether it is " + types_.say(*same) + " or " + types_.say(part), "", help);
      return *same;
    }
  }
  TypeId result = kUnknown;
  types_.either(all, result);
  return result;
}

// ---- type tests

// How to test for the kind that is needed; empty if the value never has it.
std::string AskedChecker::ask_help(const Expr* e, AskedKind needed) {
  const TypeKind k = kind_of(e);
  if ((k != TypeKind::either && k != TypeKind::any) || types_.asked(e->type, needed) == kUnknown) return {};
  const std::string value = short_text(e->span), word(word_of(needed));
  return "ask first: … when " + value + " is " + word + " else …; or write " + value + " as " + word +
         ", which is missing when it is something else";
}

Expr* AskedChecker::kind_test(const ast::Expr& e, Context& cx) {
  const AskedKind asked = asked_kind(std::string_view(e.text).substr(3));
  Expr* a = exprs_.expr(*e.args[0], cx);
  asked_of_[&e] = a->type;
  const TypeKind k = kind_of(a);
  if (k == TypeKind::unknown) return diagnostics_->has_errors() ? broken(e.span) : boolean(false, e.span);
  const TypeId found = types_.asked(a->type, asked);
  const bool several = k == TypeKind::either || k == TypeKind::any;
  if (found == kUnknown) {
    if (cx.instance < 0) never_kind(a, asked, e.span);
    return boolean(false, e.span);
  }
  const bool some = several || (asked == AskedKind::whole && !types_[a->type].whole);
  const bool answered_before = a->op == Op::as_kind || a->op == Op::retype;
  if (!some && !a->optional && !answered_before) {
    if (cx.instance < 0 && !is_constant(a)) {
      error(Code::never_kind, e.span, "this is always " + types_.say(a->type), "",
            "leave the question out, or say where the value is declared what else it may be: … or text");
    }
    return boolean(true, e.span);
  }
  Expr* r = make(Op::is_kind, kBool, e.span, {a});
  r->index = static_cast<std::uint32_t>(asked);
  return r;
}

Expr* AskedChecker::taken_as(const ast::Expr& e, Context& cx) {
  const AskedKind asked = asked_kind(e.text);
  Expr* a = exprs_.expr(*e.args[0], cx);
  if (kind_of(a) == TypeKind::unknown) return broken(e.span);
  const TypeId found = types_.asked(a->type, asked);
  if (found == kUnknown) {
    if (cx.instance < 0) never_kind(a, asked, e.span);
    return broken(e.span);
  }
  return found == a->type ? a : as_kind(a, found, asked, true, e.span);
}

void AskedChecker::never_kind(const Expr* a, AskedKind asked, Span span) {
  const TypeKind k = kind_of(a);
  std::string help, value = short_text(a->span);
  if (asked == AskedKind::text && types_.scalar(a->type)) help = "\"{" + value + "}\" makes a text of it";
  if ((asked == AskedKind::number || asked == AskedKind::whole) && k == TypeKind::text)
    help = "number(" + value + ") reads a number from a text";
  if (asked == AskedKind::map && types_.alternative(a->type, TypeKind::record) != kUnknown)
    help = "ask for a record: 'record' in place of 'map'";
  if (asked == AskedKind::record && types_.alternative(a->type, TypeKind::map) != kUnknown)
    help = "ask for a map: 'map' in place of 'record'";
  error(Code::never_kind, span, "this is never " + std::string(say(asked)) + ": it is " + types_.say(a->type), "",
        help);
}

// The value if it has that kind. `may_miss`: nothing is known about it yet, and otherwise it is missing.
Expr* AskedChecker::as_kind(Expr* value, TypeId type, AskedKind asked, bool may_miss, Span span) {
  Expr* r = make(Op::as_kind, type, span, {value});
  r->index = static_cast<std::uint32_t>(asked);
  r->optional = may_miss;
  return r;
}

// ---- consequences of decided tests

bool AskedChecker::asks(const ast::Expr& e) {
  if (e.kind == ast::ExprKind::is_kind) return true;
  const bool joins = (e.kind == ast::ExprKind::binary && (e.text == "and" || e.text == "or")) ||
                     (e.kind == ast::ExprKind::unary && e.text == "not");
  return joins && std::any_of(e.args.begin(), e.args.end(), [](const ast::ExprPtr& a) { return asks(*a); });
}

// The key of a named value, or of a part of one; empty for everything else.
std::string AskedChecker::place_of(const ast::Expr& e, const Context& cx) const {
  switch (e.kind) {
    case ast::ExprKind::name: {
      const auto local =
          std::find_if(cx.scope.rbegin(), cx.scope.rend(), [&e](const Local& l) { return l.name == e.text; });
      return local == cx.scope.rend() ? e.text : e.text + "#" + std::to_string(local->id);
    }
    case ast::ExprKind::field: {
      const std::string base = place_of(*e.args[0], cx);
      return base.empty() ? base : base + "." + e.text;
    }
    case ast::ExprKind::index: {
      const std::string base = place_of(*e.args[0], cx);
      const ast::Expr& key = *e.args[1];
      if (base.empty()) return base;
      if (key.kind == ast::ExprKind::text && key.literal.plain()) return base + "." + key.literal.str();
      const std::string at = key.kind == ast::ExprKind::number ? key.text : place_of(key, cx);
      return at.empty() ? at : base + "[" + at + "]";
    }
    default: return {};
  }
}

// Records the result of a condition: it holds, or does not, or (either way) is unknown, which a type test never is.
void AskedChecker::answered(const ast::Expr& e, bool holds, Context& cx) {
  budget_.step();
  if (e.kind == ast::ExprKind::unary && e.text == "not") return answered(*e.args[0], !holds, cx);
  if (e.kind == ast::ExprKind::binary && e.text == (holds ? "and" : "or")) {
    for (const ast::ExprPtr& part : e.args) answered(*part, holds, cx);
    return;
  }
  if (e.kind != ast::ExprKind::is_kind) return;
  const std::string place = place_of(*e.args[0], cx);
  const auto of = asked_of_.find(&e);
  if (place.empty() || of == asked_of_.end() || of->second == kUnknown) return;
  const AskedKind asked = asked_kind(std::string_view(e.text).substr(3));
  Answer answer;
  answer.place = place;
  answer.asked = asked;
  answer.type = holds ? types_.asked(of->second, asked) : types_.left(of->second, asked);
  answer.given = holds;
  if (answer.type != of->second || holds) cx.answers.push_back(std::move(answer));
}

// The value of a name or a part, with the type known here.
Expr* AskedChecker::with_answers(const ast::Expr& e, Expr* value, Context& cx) {
  if (e.kind != ast::ExprKind::name && e.kind != ast::ExprKind::field && e.kind != ast::ExprKind::index) return value;
  const TypeKind k = kind_of(value);
  if (k == TypeKind::unknown) return value;
  constexpr std::size_t kAnswersAStep = 8;
  budget_.step(1 + cx.answers.size() / kAnswersAStep);
  const std::string place = place_of(e, cx);
  if (place.empty()) return value;
  for (auto it = cx.answers.rbegin(); it != cx.answers.rend(); ++it) {
    if (it->place != place) continue;
    if (it->type == kUnknown) return broken(e.span);  // this place cannot be reached
    const bool same = it->type == value->type;
    if (same && !(it->given && value->optional)) return value;
    if (k != TypeKind::either && k != TypeKind::any && it->asked != AskedKind::whole) return value;
    if (it->given) return as_kind(value, it->type, it->asked, false, e.span);
    return retype(value, it->type);
  }
  return value;
}

AskedKind AskedChecker::word_for(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean: return AskedKind::boolean;
    case TypeKind::text: return AskedKind::text;
    case TypeKind::list: return AskedKind::list;
    case TypeKind::record: return AskedKind::record;
    default: return AskedKind::number;
  }
}

}  // namespace assay
