// Checker: expressions. Types, missing values and ranges of operators; calls and loops have their own units.
#include "lang/check/expr/expressions.hpp"
#include "lang/proof/known/known.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// A value may name another, which names another: such chains are followed recursively, here and in later stages.
Expr* ExprChecker::expr(const ast::Expr& e, Context& cx) {
  const Nesting nesting(budget_, Budget::kCheckLevels);
  Expr* value = expr_inside(e, cx);
  if (!cx.answers.empty()) value = asked_.with_answers(e, value, cx);
  doubts_.note_expr(e, value, cx);
  if (state_.notes != nullptr) state_.notes->note(e.span, value->type, value->optional);
  return value;
}

Expr* ExprChecker::expr_inside(const ast::Expr& e, Context& cx) {
  switch (e.kind) {
    case ast::ExprKind::number: {
      Number n;
      if (!read_number(e, n)) {
        error(Code::bad_number, e.span, "'" + e.text + "' is not a number that can be written here");
        return broken(e.span);
      }
      return number(n, e.span);
    }
    case ast::ExprKind::text: return text_expr(e.literal, cx);
    case ast::ExprKind::boolean: return boolean(e.flag, e.span);
    case ast::ExprKind::missing: return missing(e.span);
    case ast::ExprKind::name: return name_expr(e, cx);
    case ast::ExprKind::field: return field_expr(e, cx);
    case ast::ExprKind::index: return index_expr(e, cx);
    case ast::ExprKind::call: return calls_.call_expr(e, cx);
    case ast::ExprKind::list: return list_expr(e, cx);
    case ast::ExprKind::list_loop: return loops_.list_loop(e, cx);
    case ast::ExprKind::record: return record_expr(e, cx);
    case ast::ExprKind::map_loop: return loops_.map_loop(e, cx);
    case ast::ExprKind::unary: {
      if (e.text == "not") {
        Expr* a = want(expr(*e.args[0], cx), TypeKind::boolean, "what stands after 'not'");
        if (is_constant(a) && !a->value.missing()) return boolean(!a->value.boolean.truth, e.span);
        Expr* r = make(Op::not_, kBool, e.span, {a});
        r->optional = a->optional;
        return r;
      }
      Expr* a = number_expr(*e.args[0], cx, "what stands after '-'");
      if (is_constant(a) && !a->value.missing()) return number(neg(a->value.number, numbers()), e.span);
      if (kind_of(a) != TypeKind::number) return a;
      Expr* r = make(Op::neg, types_.number(interval_neg(range_of(a), numbers()), types_[a->type].whole), e.span, {a});
      r->optional = a->optional;
      return r;
    }
    case ast::ExprKind::binary: return binary_expr(e, cx);
    case ast::ExprKind::range: {
      Expr* a = number_expr(*e.args[0], cx, "the beginning of a range");
      Expr* b = number_expr(*e.args[1], cx, "the end of a range");
      if (is_constant(a) && is_constant(b) && !a->value.missing() && !b->value.missing()) {
        if (compare(a->value.number, b->value.number) > 0) {
          error(Code::empty_range, e.span, "this range is empty: its end is below its beginning", "",
                hints_.exchanged_ends(*e.args[0], *e.args[1], false));
          return broken(e.span);
        }
        auto* data = static_cast<RangeData*>(model_.constants.allocate(sizeof(RangeData)));
        *data = {a->value.number, b->value.number, false, false};
        return constant(make_range(data), kRange, e.span);
      }
      Expr* r = make(Op::make_range, kRange, e.span, {a, b});
      r->optional = a->optional || b->optional;
      return r;
    }
    case ast::ExprKind::is_missing:
    case ast::ExprKind::is_given: {
      Expr* a = expr(*e.args[0], cx);
      Expr* r = make(Op::is_missing, kBool, e.span, {a});
      if (e.kind == ast::ExprKind::is_given) r = make(Op::not_, kBool, e.span, {r});
      return r;
    }
    case ast::ExprKind::is_kind: return asked_.kind_test(e, cx);
    case ast::ExprKind::as_kind: return asked_.taken_as(e, cx);
    case ast::ExprKind::choice: break;
  }
  return choice_expr(e, cx);
}

Expr* ExprChecker::text_expr(const ast::Text& t, Context& cx) {
  const bool signs = std::any_of(t.parts.begin(), t.parts.end(), [](const ast::TextPart& part) {
    return !part.expr && part.literal.find_first_of("%<$") != part.literal.npos;
  });
  if (signs && cx.rubric >= 0) doubts_.doubt_placeholders(t, value_names(rubric(cx.rubric), cx), cx);
  if (t.plain()) return text(t.str(), t.span);
  Expr* e = make(Op::join_text, kText, t.span);
  for (const ast::TextPart& part : t.parts) {
    TextSegment segment;
    if (!part.expr) {
      segment.literal = part.literal;
    } else {
      Expr* a = expr(*part.expr, cx);
      const TypeKind k = kind_of(a);
      if (!stands_in_text(a->type)) {
        std::string help = "name one of its fields, or build a text with join(…)";
        if (k == TypeKind::either) help = "ask first: … when " + short_text(a->span) + " is text else …";
        error(k == TypeKind::either ? Code::ask_first : Code::wrong_type, part.expr->span,
              types_.say(a->type) + " cannot stand in a text", "", help);
        a = text("", part.span);
      }
      if (part.decimals >= 0 && types_.alternative(a->type, TypeKind::number) == kUnknown && k != TypeKind::unknown) {
        error(Code::wrong_type, part.span, "'decimals' is for numbers, this is " + types_.say(a->type));
      }
      doubts_.doubt_text(t, part, a, cx);
      segment.arg = static_cast<int>(e->args.size());
      const int digits = cx.rubric >= 0 ? model(rubric(cx.rubric)).scale.digits : -1;
      segment.decimals = part.decimals == -1 && digits > 0 ? shown_digits(digits) : part.decimals;
      e->args.push_back(a);
    }
    e->parts.push_back(std::move(segment));
  }
  const bool bare =
      e->parts.size() == 1 && e->args.size() == 1 && kind_of(e->args[0]) == TypeKind::text && !e->args[0]->optional;
  return bare ? e->args[0] : e;
}

// Includes lists of numbers or texts.
bool ExprChecker::stands_in_text(TypeId type) const {
  const std::vector<TypeId> all = types_.alternatives(type);
  return std::all_of(all.begin(), all.end(), [this](TypeId one) {
    const TypeKind k = types_.kind(one);
    if (k != TypeKind::list) return k != TypeKind::map && k != TypeKind::record && k != TypeKind::range;
    const TypeId element = types_[one].element;
    return types_.scalar(element) && types_.kind(element) != TypeKind::boolean;
  });
}

int ExprChecker::find_value(RubricContext& rc, std::string_view name) {
  for (const auto* space : {&rc.by_name.own, &rc.by_name.inputs, &rc.by_name.pipeline}) {
    if (const auto it = space->find(name); it != space->end()) return it->second;
  }
  return -1;
}

std::vector<std::string_view> ExprChecker::value_names(const RubricContext& rc, const Context& cx) const {
  std::vector<std::string_view> names;
  if (diagnostics_->full()) return names;  // further suggestions are not shown
  for (const Local& l : cx.scope) names.push_back(l.name);
  for (const auto* space : {&rc.by_name.own, &rc.by_name.inputs, &rc.by_name.pipeline}) {
    const std::vector<std::string_view> more = space->names();
    names.insert(names.end(), more.begin(), more.end());
  }
  budget_.step(names.size());  // they have been sorted, and are compared next
  return names;
}

Expr* ExprChecker::name_expr(const ast::Expr& e, Context& cx) {
  constexpr std::size_t kNamesAStep = 8;
  budget_.step(cx.scope.size() / kNamesAStep);
  for (auto it = cx.scope.rbegin(); it != cx.scope.rend(); ++it) {
    if (it->name == e.text) return local_ref(*it, e.span);
  }
  if (cx.rubric >= 0) {
    RubricContext& rc = rubric(cx.rubric);
    if (const int item = find_value(rc, e.text); item >= 0) return item_ref(rc, item, e.span);
    if (e.text == "input" && rc.cohort.parent < 0) return records_.input_record(rc, e.span);
    if ((e.text == "dimensions" || e.text == "gates") && rc.cohort.parent < 0) {
      error(Code::not_constant, e.span, "what stands here must be known before a record is seen",
            "'" + e.text + "' depend on the record");
      return broken(e.span);
    }
    if (rc.cohort.parent >= 0) {
      if (Expr* around = records_.value_around(rc, e.text, e.span)) return around;
    }
  }
  if (const int t = find(e.text, &DeclaredNames::tables, cx.rubric); t >= 0) {
    const ast::Table& node = *declared_.tables[static_cast<std::size_t>(t)].node;
    if (!node.keyed) return tables_.table_value(t, e.span);
    error(Code::unknown_name, e.span, "'" + e.text + "' is a table with keys", "",
          hints_.call_of_table(node, cx.rubric));
    return broken(e.span);
  }
  if (find(e.text, &DeclaredNames::fns, cx.rubric) >= 0 || find(e.text, &DeclaredNames::hooks, cx.rubric) >= 0) {
    error(Code::unknown_name, e.span, "'" + e.text + "' is a function", "", "write " + e.text + "(…) to call it");
    return broken(e.span);
  }
  if (hints_.forgotten_loop(e, cx)) return broken(e.span);
  std::vector<std::string_view> names;
  for (const Local& l : cx.scope) names.push_back(l.name);
  if (cx.rubric >= 0) names = value_names(rubric(cx.rubric), cx);
  error(Code::unknown_name, e.span, "nothing is named '" + e.text + "'", "", hints_.unknown_help(e, names, cx));
  return broken(e.span);
}

Expr* ExprChecker::field_expr(const ast::Expr& e, Context& cx) { return field_of(*e.args[0], e, e.text, e.word, cx); }

// `e` is base.field, or base["field"].
Expr* ExprChecker::field_of(const ast::Expr& base, const ast::Expr& e, const std::string& field, Span word,
                            Context& cx) {
  if (base.kind == ast::ExprKind::name && cx.rubric >= 0) {
    const bool shadowed =
        std::any_of(cx.scope.begin(), cx.scope.end(), [&](const Local& l) { return l.name == base.text; });
    RubricContext& rc = rubric(cx.rubric);
    if (!shadowed && rc.cohort.each && base.text == "input") {
      if (Expr* own = records_.own_input(rc, field, e.span)) return own;
    }
    if (!shadowed && base.text == "input" && find_value(rc, base.text) < 0 && rc.cohort.parent < 0) {
      if (const auto it = rc.by_name.inputs.find(field); it != rc.by_name.inputs.end())
        return item_ref(rc, it->second, e.span);
      error(Code::unknown_name, word, "the record has no input '" + field + "'", "",
            did_you_mean(field, rc.by_name.inputs.names()));
      return broken(e.span);
    }
  }
  Expr* value = access(expr(base, cx), field, word, cx);
  const TypeKind k = kind_of(value);
  const bool asked = k == TypeKind::any || k == TypeKind::either;  // a type test refers to the whole path
  if (asked && (value->op == Op::any_get || value->op == Op::field || value->op == Op::map_get)) value->span = e.span;
  return value;
}

Expr* ExprChecker::access(Expr* record, const std::string& field, Span word, Context& cx) {
  if (kind_of(record) == TypeKind::unknown) return broken(word);
  const Type& type = types_[record->type];
  if (type.kind == TypeKind::map) {
    Expr* e = make(Op::map_get, type.element, word, {record, text(field, word)});
    e->optional = true;
    doubts_.doubt_map_key(record, field, word, cx.rubric);
    return e;
  }
  if (type.kind == TypeKind::any) {
    Expr* e = make(Op::any_get, kAny, word, {record, text(field, word)});
    e->optional = true;
    return e;
  }
  if (type.kind != TypeKind::record) {
    std::string help = asked_.ask_help(record, AskedKind::record);
    if (help.empty()) help = asked_.ask_help(record, AskedKind::map);
    if (help.empty()) hints_.no_record(record, field, word);
    else
      error(asked_.asked_or_wrong(help), word, "'." + field + "' needs a record, this is " + types_.say(record->type),
            "", help);
    return broken(word);
  }
  if (type.verdict) return calls_.verdict_field(record, field, word);
  const int index = types_.field(record->type, field);
  if (index < 0) {
    if (diagnostics_->full()) {              // the error is only counted, so its text is not needed
      error(Code::unknown_field, word, {});  // no test: it bounds the work for thousands of errors
      return broken(word);                   // no test: as above
    }
    FixIt fix = field_meant(field, type);
    if (fix.edits && sources_.text(word).starts_with('"')) fix.replacement = "\"" + fix.replacement + "\"";
    Diagnostic& d = error(Code::unknown_field, word, "there is no field '" + field + "' in " + types_.say(record->type),
                          "", std::move(fix));
    if (const Span twice = hints_.said_twice(word); twice.end > twice.begin)
      d.suggestions.insert(d.suggestions.begin(), diagnostics_->suggestion(twice, "", true));
    return broken(word);
  }
  const auto i = static_cast<std::size_t>(index);
  if (record->op == Op::make_record) return record->args[i];
  if (is_constant(record) && !record->value.missing()) {
    return constant(record->value.record.fields[i], type.fields[i].type, word);
  }
  Expr* e = make(Op::field, type.fields[i].type, word, {record});
  e->index = static_cast<std::uint32_t>(index);
  e->optional = record->optional || type.fields[i].presence == Presence::optional;
  return e;
}

Expr* ExprChecker::index_expr(const ast::Expr& e, Context& cx) {
  const ast::Expr& named = *e.args[0];
  const bool of_record = named.kind == ast::ExprKind::name && named.text == "input";
  if (of_record && e.args[1]->kind == ast::ExprKind::text && e.args[1]->literal.plain())
    return field_of(named, e, e.args[1]->literal.str(), e.args[1]->span, cx);
  Expr* base = expr(*e.args[0], cx);
  Expr* key = expr(*e.args[1], cx);
  const TypeKind k = kind_of(base);
  if (k == TypeKind::unknown || kind_of(key) == TypeKind::unknown) return broken(e.span);
  if (k == TypeKind::any) {
    if (kind_of(key) != TypeKind::number && kind_of(key) != TypeKind::text) {
      error(Code::wrong_type, e.args[1]->span,
            "a part is chosen by its place from 0, or by its key, not by " + types_.say(key->type));
      return broken(e.span);
    }
    Expr* r = make(Op::any_get, kAny, e.span, {base, key});
    r->optional = true;
    return r;
  }
  if (k == TypeKind::list) {
    if (kind_of(key) != TypeKind::number) {
      error(Code::wrong_type, e.args[1]->span,
            "an item of a list is chosen by its place from 0, not by " + types_.say(key->type));
      return broken(e.span);
    }
    if (is_constant(key) && !key->value.missing() && (sign(key->value.number) < 0 || !is_whole(key->value.number))) {
      error(Code::wrong_type, e.args[1]->span, "the items of a list are counted 0, 1, 2 …", "",
            sign(key->value.number) < 0 ? "last(list) is the last one, and last(2, list)[0] the one before it" : "");
      return broken(e.span);
    }
    Expr* r = make(Op::list_get, types_[base->type].element, e.span, {base, key});
    r->optional = true;
    return r;
  }
  if (k != TypeKind::map && k != TypeKind::record) {
    std::string help;
    for (const AskedKind asked : {AskedKind::list, AskedKind::map, AskedKind::record}) {
      if (help.empty()) help = asked_.ask_help(base, asked);
    }
    error(asked_.asked_or_wrong(help), e.span,
          "'[…]' needs a list, a map or a record, this is " + types_.say(base->type), "", help);
    return broken(e.span);
  }
  if (kind_of(key) != TypeKind::text) {
    error(Code::wrong_type, e.args[1]->span, "a key is a text, this is " + types_.say(key->type));
    return broken(e.span);
  }
  if (k == TypeKind::record) {
    if (is_constant(key)) return access(base, std::string(key->value.text.view()), e.args[1]->span, cx);
    doubts_.doubt_keys(e, types_[base->type], types_[key->type], cx);
    base = as_map(base, cx);
    if (kind_of(base) != TypeKind::map) return broken(e.span);
  }
  Expr* r = make(Op::map_get, types_[base->type].element, e.span, {base, key});
  r->optional = true;
  return r;
}

// Converts a record to a map over its field names. Its fields must share a type.
Expr* ExprChecker::as_map(Expr* record, Context& cx) {
  if (kind_of(record) != TypeKind::record) return record;
  return once(record, cx, [&](Expr* e) { return fields_as_map(e); });
}

void ExprChecker::as_maps(Expr*& a, Expr*& b, Context& cx) {
  Expr*& map = kind_of(a) == TypeKind::map ? a : b;
  Expr*& record = &map == &a ? b : a;
  if (kind_of(map) != TypeKind::map || kind_of(record) != TypeKind::record) return;
  TypeId element = types_[map->type].element;
  const std::vector<Field> fields = types_[record->type].fields;
  const auto fits = [&](const Field& f) { return types_.unify(element, f.type, element); };
  if (std::all_of(fields.begin(), fields.end(), fits)) record = as_map(record, cx);
}

Expr* ExprChecker::fields_as_map(Expr* e) {
  const std::vector<Field> fields = types_[e->type].fields;
  TypeId element = kUnknown;
  for (const Field& f : fields) {
    if (!types_.unify(element, f.type, element)) {
      error(Code::types_differ, e->span,
            "the fields of " + types_.say(e->type) +
                " have different types, so they cannot be looked up or walked by name");
      return broken(e->span);
    }
  }
  Expr* map = make(Op::make_map, kUnknown, e->span);
  bool gaps = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    map->names.push_back(fields[i].name);
    Expr* value = nullptr;
    if (e->op == Op::make_record) {
      value = e->args[i];
    } else {
      value = make(Op::field, fields[i].type, e->span, {e});
      value->index = static_cast<std::uint32_t>(i);
      value->optional = fields[i].presence == Presence::optional;
    }
    gaps = gaps || value->optional;
    map->args.push_back(value);
  }
  map->type = types_.map(element, gaps);
  if (e->op == Op::make_record || !e->optional) return map;
  Expr* given = make(Op::not_, kBool, e->span, {make(Op::is_missing, kBool, e->span, {e})});
  Expr* r = choose(map, given, constant(missing_value(), map->type, e->span), e->span);
  r->optional = true;
  return r;
}

Expr* ExprChecker::list_expr(const ast::Expr& e, Context& cx) {
  std::vector<Expr*> items;
  std::vector<TypeId> types;
  for (const ast::ExprPtr& a : e.args) {
    items.push_back(expr(*a, cx));
    types.push_back(items.back()->type);
  }
  TypeId element = kUnknown;
  if (const std::size_t odd = types_.unify_all(types, element, true); odd < types.size()) {
    if (common_shape(types, element)) {
      for (Expr*& item : items) item = as_shape(item, element, cx);
      return list_of_exprs(std::move(items), element, e.span);
    }
    error(Code::types_differ, e.args[odd]->span,
          "this item is " + types_.say(types[odd]) + ", the ones before are " + types_.say(element), "",
          hints_.order_help(element, types[odd], "all items of a list have one type"));
    return broken(e.span);
  }
  return list_of_exprs(std::move(items), element, e.span);
}

Expr* ExprChecker::record_expr(const ast::Expr& e, Context& cx) {
  std::vector<std::pair<std::string, Expr*>> fields;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < e.fields.size(); ++i) {
    if (!seen.insert(e.fields[i].text).second) {
      error(Code::duplicate_name, e.fields[i].span, "the field '" + e.fields[i].text + "' stands twice in this record");
      continue;
    }
    fields.emplace_back(e.fields[i].text, expr(*e.args[i], cx));
  }
  return record_of(std::move(fields), e.span);
}

Expr* ExprChecker::want(Expr* e, TypeKind kind, const std::string& what) {
  if (kind_of(e) == kind || kind_of(e) == TypeKind::unknown) return e;
  const char* name = kind == TypeKind::number    ? "a number"
                     : kind == TypeKind::boolean ? "true or false"
                     : kind == TypeKind::text    ? "a text"
                     : kind == TypeKind::list    ? "a list"
                     : kind == TypeKind::range   ? "a range (low..high)"
                                                 : "another type";
  FixIt help;
  if (kind == TypeKind::boolean && kind_of(e) == TypeKind::text) help = "compare it: write '… == \"…\"'";
  if (kind == TypeKind::range && kind_of(e) == TypeKind::number) help = "write both ends: 0..10";
  if (kind == TypeKind::number && kind_of(e) == TypeKind::record) help = "name one of its fields";
  if (kind == TypeKind::number && kind_of(e) == TypeKind::text) help = "number(…) reads a number from a text";
  if (kind == TypeKind::number && kind_of(e) == TypeKind::boolean) help = "write '1 when … else 0'";
  if (kind == TypeKind::number && kind_of(e) == TypeKind::list)
    help = "count(…), sum(…) or mean(…) make a number of a list";
  // gate long = "At least 100 words"
  const bool prose = kind_of(e) == TypeKind::text && is_constant(e) && (what == "a deduction" || what == "a bonus");
  if (prose || (kind_of(e) == TypeKind::text && is_constant(e) && what.starts_with("the gate '")))
    help = std::string(prose ? "an amount" : "a condition") + " is missing before this text";
  const bool ask = kind_of(e) == TypeKind::either || kind_of(e) == TypeKind::any;
  if (ask && kind != TypeKind::range) help = asked_.ask_help(e, asked_.word_for(kind));
  const Code code = ask && !help.empty() ? Code::ask_first : Code::wrong_type;
  Diagnostic& d = error(code, e->span, what + " must be " + name + ", this is " + types_.say(e->type), "", help);
  if (code == Code::wrong_type && (kind == TypeKind::boolean || kind == TypeKind::number))
    hints_.suggest_other_type(e, kind, d);
  return broken(e->span);
}

Expr* ExprChecker::condition(const ast::Expr& e, Context& cx, const char* what, Asked asked) {
  Expr* value = want(expr(e, cx), TypeKind::boolean, what);
  doubts_.written(asked, e, value, cx);
  return value;
}
Expr* ExprChecker::number_expr(const ast::Expr& e, Context& cx, const char* what) {
  return want(expr(e, cx), TypeKind::number, what);
}

Expr* ExprChecker::default_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx) {
  TypeId type = kUnknown;
  as_maps(a, b, cx);
  if (!alike(a, b, type, cx)) {
    error(Code::types_differ, e.args[1]->span,
          "the default is " + types_.say(b->type) + ", the value is " + types_.say(a->type), "",
          kind_of(a) == TypeKind::any ? asked_.ask_help(a, asked_.kind_word(b->type))
                                      : hints_.order_help(a->type, b->type));
    return broken(e.span);
  }
  const bool useful = a->optional || kind_of(a) == TypeKind::unknown;
  Default& seen = state_.noted.defaults[{e.word.file, e.word.begin}];
  seen = {e.word, seen.useful || useful};
  if (!useful) return a;
  Expr* r = make(Op::default_, type, e.span, {a, b});
  r->optional = b->optional;
  return r;
}

Expr* ExprChecker::in_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx) {
  Expr* r = nullptr;
  switch (kind_of(b)) {
    case TypeKind::unknown:
      if (e.args[1]->kind == ast::ExprKind::missing) {
        const std::string meant = source_text(e.args[0]->span) + (e.text == "in" ? " is missing" : " is given");
        error(Code::compare_missing, e.span, "nothing is in 'missing', which is no list", "",
              FixIt("write " + meant, meant, true));
      }
      return broken(e.span);
    case TypeKind::range:
      a = want(a, TypeKind::number, "what lies in a range");
      r = make(Op::in_range, kBool, e.span, {a, b});
      break;
    case TypeKind::list: {
      TypeId type = kUnknown;
      if (!types_.unify(a->type, types_[b->type].element, type)) {
        const std::string ask = asked_.ask_help(a, asked_.kind_word(types_[b->type].element));
        if (!ask.empty())
          error(Code::ask_first, a->span,
                "what is in " + types_.say(b->type) + " has its type, this is " + types_.say(a->type), "", ask);
        else
          error(Code::types_differ, e.span, types_.say(a->type) + " is never in " + types_.say(b->type), "",
                hints_.order_help(types_[b->type].element, a->type, hints_.in_range_help(*e.args[1])));
        return broken(e.span);
      }
      if (!is_constant(a)) hints_.never_among(*e.args[1], a->type);
      if (is_constant(a) && !a->value.missing() && kind_of(a) == TypeKind::text && !is_constant(b))
        hints_.never_item(*e.args[0], a->value.text.view(), types_[b->type].element);
      if (types_[type].mixed) {
        a = retype(a, type);
        b = retype(b, types_.list(type, false, types_[b->type].gaps));
      }
      r = make(Op::in_list, kBool, e.span, {a, b});
      if (is_constant(b) && !b->value.missing() && b->value.list.size == 0 && !a->optional)
        r = constant(make_bool(false), kBool, e.span);
      break;
    }
    case TypeKind::record:
      b = as_map(b, cx);
      if (kind_of(b) != TypeKind::map) return broken(e.span);
      [[fallthrough]];
    case TypeKind::map:
      a = want(a, TypeKind::text, "a key");
      r = make(Op::in_map, kBool, e.span, {a, b});
      break;
    default: {
      std::string help = kind_of(b) == TypeKind::text ? "contains(text, piece) looks into a text"
                                                      : asked_.ask_help(b, AskedKind::list);
      if (help.empty()) help = asked_.ask_help(b, AskedKind::map);
      const bool asked = kind_of(b) != TypeKind::text && !help.empty();
      error(asked ? Code::ask_first : Code::wrong_type, e.args[1]->span,
            "'in' needs a range, a list or a map, this is " + types_.say(b->type), "", help);
      return broken(e.span);
    }
  }
  r->optional = a->optional || b->optional;
  if (e.text == "in") return r;
  Expr* n = make(Op::not_, kBool, e.span, {r});
  n->optional = r->optional;
  return n;
}

// '+' of values other than numbers; null: it is of numbers, or of values that should have been numbers.
Expr* ExprChecker::joined_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx) {
  const TypeKind ka = kind_of(a), kb = kind_of(b);
  if (ka == TypeKind::list && kb == TypeKind::list) {
    TypeId type = kUnknown;
    if (!alike_items(a, b, type, cx)) {
      error(Code::types_differ, e.span, types_.say(a->type) + " and " + types_.say(b->type) + " cannot be joined");
      return broken(e.span);
    }
    Expr* r = make(Op::concat, types_.list(types_[type].element, false, types_[type].gaps), e.span, {a, b});
    r->optional = a->optional || b->optional;
    return r;
  }
  if (ka == TypeKind::text && kb == TypeKind::text) {
    return once(a, cx, [&](Expr* x) {
      return once(b, cx, [&](Expr* y) -> Expr* {
        Expr* r = make(Op::join_text, kText, e.span, {x, y});
        r->parts = {{"", 0, -1}, {"", 1, -1}};
        if (!x->optional && !y->optional) return r;
        Expr* known =
            make(Op::not_, kBool, e.span,
                 {make(Op::or_, kBool, e.span,
                       {make(Op::is_missing, kBool, e.span, {x}), make(Op::is_missing, kBool, e.span, {y})})});
        return choose(r, known, constant(missing_value(), kText, e.span), e.span);
      });
    });
  }
  if (ka == TypeKind::record && kb == TypeKind::record) {
    if (types_[a->type].verdict || types_[b->type].verdict) {
      error(Code::wrong_type, e.span, "a whole verdict cannot be joined with '+'", "",
            "join one of its outputs: a record");
      return broken(e.span);
    }
    return once(a, cx, [&](Expr* x) {
      return once(b, cx, [&](Expr* y) {
        std::vector<std::pair<std::string, Expr*>> fields;
        for (Expr* side : {x, y}) {
          const std::vector<Field> types = types_[side->type].fields;
          for (const Field& f : types) {
            Expr* value = access(side, f.name, e.span, cx);
            const auto it =
                std::find_if(fields.begin(), fields.end(), [&](const auto& entry) { return entry.first == f.name; });
            if (it != fields.end()) it->second = value;
            else fields.emplace_back(f.name, value);
          }
        }
        return record_of(std::move(fields), e.span);
      });
    });
  }
  if ((ka == TypeKind::map && (kb == TypeKind::map || kb == TypeKind::record)) ||
      (ka == TypeKind::record && kb == TypeKind::map))
    return loops_.joined_maps(a, b, cx, e.span);
  if (ka == TypeKind::text || kb == TypeKind::text) {
    if (ka == TypeKind::unknown || kb == TypeKind::unknown) return broken(e.span);
    std::string help = "put the value into a text: \"… {value} …\"";
    if (ka == TypeKind::list || kb == TypeKind::list) help = "put the text into a list: [text]";
    error(Code::types_differ, e.span, types_.say(a->type) + " and " + types_.say(b->type) + " cannot be added", "",
          help);
    return broken(e.span);
  }
  return nullptr;
}

Expr* ExprChecker::binary_expr(const ast::Expr& e, Context& cx) {
  const std::string_view op = e.text;
  if (op == "and" || op == "or" || op == "xor") {
    const std::string what = "each side of '" + e.text + "'";
    Expr* a = expr(*e.args[0], cx);
    const std::size_t known = cx.answers.size();
    if (op != "xor") asked_.answered(*e.args[0], op == "and", cx);
    Expr* b = expr(*e.args[1], cx);
    cx.answers.resize(known);
    if (op == "or" && hints_.or_as_default(a, b, e)) return broken(e.span);
    a = want(a, TypeKind::boolean, what);
    b = want(b, TypeKind::boolean, what);
    Expr* r = make(op == "and" ? Op::and_ : op == "or" ? Op::or_ : Op::xor_, kBool, e.span, {a, b});
    r->optional = a->optional || b->optional;
    return r;
  }
  if ((op == "==" || op == "!=") && hints_.compared_with_null(e, cx)) return broken(e.span);
  Expr* a = expr(*e.args[0], cx);
  Expr* b = expr(*e.args[1], cx);
  if (op == "==") return compare_exprs(Op::eq, a, b, e);
  if (op == "!=") return compare_exprs(Op::ne, a, b, e);
  if (op == "<") return compare_exprs(Op::lt, a, b, e);
  if (op == "<=") return compare_exprs(Op::le, a, b, e);
  if (op == ">") return compare_exprs(Op::gt, a, b, e);
  if (op == ">=") return compare_exprs(Op::ge, a, b, e);
  if (op == "default") return default_expr(e, a, b, cx);
  if (op == "in" || op == "not in") return in_expr(e, a, b, cx);
  if (op == "+") {
    if (Expr* joined = joined_expr(e, a, b, cx)) return joined;
  }
  const std::string what = "each side of '" + e.text + "'";
  a = want(a, TypeKind::number, what);
  b = want(b, TypeKind::number, what);
  if (op == "/" && is_constant(b) && !b->value.missing() && sign(b->value.number) == 0) {
    error(Code::division_by_zero, e.span, "this always divides by 0", "",
          "what is divided by 0 is missing; divide by something that can be another number");
    return broken(e.span);
  }
  const Op code = op == "+" ? Op::add : op == "-" ? Op::sub : op == "*" ? Op::mul : op == "/" ? Op::div : Op::pow;
  Expr* result = arithmetic(code, a, b, e.span);
  if (code == Op::div && result->op == Op::div) {
    Interval range = common(range_of(result), state_.ranges.quotient_of_lists(*a, *b, cx.rubric));
    for (const std::size_t side : {0U, 1U}) {  // 10 * part / all, as 10 * (part / all)
      if (a->op != Op::mul || a->args.size() != 2 || !is_constant(a->args[side])) continue;
      const Interval share = state_.ranges.quotient_of_lists(*a->args[1 - side], *b, cx.rubric);
      range = common(range, interval_mul(range_of(a->args[side]), share, numbers()));
    }
    result->type = types_.number(range, types_[result->type].whole);
  }
  return result;
}

Expr* ExprChecker::body(const ast::Body& body, Context& cx) {
  if (body.where.empty()) return expr(*body.expr, cx);  // saves the stack frame of where: values are nested
  return loops_.where(body.where, cx, [&] { return expr(*body.expr, cx); });
}

}  // namespace assay
