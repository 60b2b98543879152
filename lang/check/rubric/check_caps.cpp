// Checker: caps. A cap is a choice of a minimum, built where the value that it limits is built. Which caps took effect
// is computed again from the values before them, and only for a verdict that shows it.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/equality.hpp"

namespace assay {

// The value that some caps limit, before them: a number, or the row number of a band, where the best comes first.
struct CapChecker::CappedValue {
  std::string_view name;
  Expr* value = nullptr;
  TableDecl* bands = nullptr;
  const std::vector<const ast::Cap*>* caps = nullptr;
  TypeId element = kUnknown;  // an entry of the verdict's `caps` …
  TypeId limit = kUnknown;    // … and the type of its numbers or names
};

Expr* CapChecker::capped(RubricContext& rc, std::string_view target, Expr* value, Context& cx) {
  const auto caps = rc.caps.find(target);
  if (caps == rc.caps.end()) return value;
  for (const ast::Cap* cap : caps->second) {
    Expr* at = exprs_.number_expr(*cap->at, cx, "a cap");
    if (kind_of(at) != TypeKind::number) continue;
    Expr* cond = cap->when ? exprs_.condition(*cap->when, cx, "the condition after 'when'", Asked::cap) : nullptr;
    doubts_.doubt_cap(*cap, value, at, rc.index);
    value = once(value, cx, [&](Expr* v) {
      Expr* lowered = min_of(v, at, cap->at->span);
      lowered->optional = v->optional || at->optional;
      return cond ? choose(lowered, cond, v, cap->at->span) : lowered;
    });
  }
  return value;
}

// The lowest of the caps that apply to all adjustments of a kind; null if there are none.
Expr* CapChecker::group_cap(RubricContext& rc, std::string_view group, Context& cx) {
  const auto caps = rc.caps.find(group);
  if (caps == rc.caps.end()) return nullptr;
  Expr* limit = nullptr;
  for (const ast::Cap* cap : caps->second) {
    Expr* at = exprs_.number_expr(*cap->at, cx, "a cap");
    Expr* here = cap->when ? choose(at, exprs_.condition(*cap->when, cx, "the condition after 'when'", Asked::cap),
                                    constant(missing_value(), kNumber, at->span), at->span)
                           : at;
    if (!limit) {
      limit = here;
      continue;
    }
    limit = once(limit, cx, [&](Expr* x) {
      return once(here, cx, [&](Expr* y) {
        Expr* lower =
            make(Op::default_, kNumber, at->span,
                 {make(Op::builtin, kNumber, at->span, {x, y}), make(Op::default_, kNumber, at->span, {x, y})});
        lower->args[0]->index = static_cast<std::uint32_t>(Builtin::min);
        lower->args[0]->optional = lower->optional = true;
        return lower;
      });
    });
  }
  return limit;
}

// The row of the band that a cap names, or -1.
int CapChecker::capped_place(TableDecl& decl, Expr* at) {
  int place = -1;
  if (!is_constant(at) || decl.results.empty()) return place;
  const TableDecl::Column& names = decl.results[0];
  if (!at->value.missing() && kind_of(at) != types_.kind(names.type)) return place;
  for (std::size_t i = 0; i < names.values.size(); ++i) {
    if (deep_equal(types_, names.type, names.values[i], at->value)) place = static_cast<int>(i);
  }
  return place;
}

Expr* CapChecker::capped_row(RubricContext& rc, const std::string& bands, TableDecl& decl, Expr* row, Context& cx) {
  if (kind_of(row) != TypeKind::number) return row;
  for (const ast::Cap* cap : rc.caps.at(bands)) {
    std::vector<std::string_view> names;
    for (const Value& v : decl.results[0].values) {
      if (!v.missing() && types_.kind(decl.results[0].type) == TypeKind::text) names.push_back(v.text.view());
    }
    if (hints_.unquoted(*cap->at, cx, names)) continue;
    Expr* at = exprs_.expr(*cap->at, cx);
    const int place = capped_place(decl, at);
    if (place < 0) {
      if (kind_of(at) == TypeKind::unknown && diagnostics_->has_errors()) continue;  // reported
      const bool text = is_constant(at) && !at->value.missing() && kind_of(at) == TypeKind::text;
      FixIt help = hints_.near_or_quoted(text ? at->value.text.view() : "", names, "name one of its bands: ");
      if (help.empty()) help = "name one of its bands";
      error(Code::bad_cap, cap->at->span, "the bands '" + bands + "' have no such row", "", std::move(help));
      continue;
    }
    Expr* cond = cap->when ? exprs_.condition(*cap->when, cx, "the condition after 'when'", Asked::cap) : nullptr;
    if (place == 0) {
      const std::string next = names.size() > 1 ? '"' + std::string(names[1]) + '"' : std::string();
      doubt(Code::idle_cap, cap->at->span, rc.index,
            "this cap never lowers anything: it is the first row of '" + bands + "', and none is better",
            next.empty() ? FixIt("name the best band that is left to them")
                         : FixIt("name the best band that is left to them: " + next, next, false));
    }
    row = once(row, cx, [&](Expr* r) {
      Expr* lowered = max_of(r, number(whole(place), cap->at->span), cap->at->span);
      lowered->optional = r->optional;
      return cond ? choose(lowered, cond, r, cap->at->span) : lowered;
    });
  }
  return row;
}

// The caps on one value that lower it, in their order: each applies to the result of those before it.
Expr* CapChecker::caps_that_bind(const CappedValue& of, std::size_t first, Expr* value, std::vector<Expr*>& entries,
                                 Context& cx) {
  const Nesting nesting(budget_, Budget::kCheckLevels);
  const ast::Cap& cap = *(*of.caps)[first];
  const Span span = cap.at->span;
  Expr* limit = of.bands ? number(whole(capped_place(*of.bands, exprs_.expr(*cap.at, cx))), span)
                         : exprs_.number_expr(*cap.at, cx, "a cap");
  // As the verdict shows it: the name of a band; in a list with names of bands, numbers are JSON of any type.
  const auto shown = [&](Expr* v) {
    if (of.bands) {
      Expr* name = tables_.column_value(*of.bands, 0, v, cx, span);
      if (of.limit != kAny) return name;
      TableDecl::Column& names = of.bands->results[0];
      if (names.json == nullptr) {
        Value* texts = values(names.values.size());
        for (std::size_t i = 0; i < names.values.size(); ++i) {
          const Value band = texts[i] = names.values[i];
          if (band.missing()) continue;
          std::string json;
          if (types_.kind(names.type) == TypeKind::text) {
            write_json_text(band.text.view(), json);
          } else {
            write_constant(types_, names.type, band, json);
          }
          texts[i] = make_text(keep(json));
        }
        names.json = constant(make_list(texts, static_cast<std::uint32_t>(names.values.size())),
                              types_.list(kAny, false, names.optional), span);
      }
      name->args[1] = names.json;
      name->type = kAny;
      return name;
    }
    if (of.limit != kAny) return v;
    Expr* json = make(Op::join_text, kAny, span, {builtin(Builtin::round, kNumber, span, {v, number(whole(4), span)})});
    json->parts.push_back({"", 0, -1});
    json->optional = v->optional;
    return json;
  };
  return once(value, cx, [&](Expr* v) {
    return once(limit, cx, [&](Expr* at) {
      Expr* binds = make(of.bands ? Op::lt : Op::gt, kBool, span, {v, at});
      binds->optional = v->optional || at->optional;
      if (cap.when) {
        Expr* holds = exprs_.condition(*cap.when, cx, "the condition after 'when'", Asked::cap);
        binds = make(Op::and_, kBool, span, {holds, binds});
        binds->optional = holds->optional || v->optional || at->optional;
      }
      return once(binds, cx, [&](Expr* bound) {
        Expr* name = text(of.name, span);
        name->type = kText;
        Expr* reason = exprs_.text_expr(cap.prose, cx);
        Expr* entry = make(Op::make_record, of.element, span, {name, shown(v), shown(at), reason});
        const Span written{span.file, cap.target.span.begin, cap.when ? cap.when->span.end : span.end};
        Expr* listed =
            make(Op::choice, of.element, written, {entry, bound, constant(missing_value(), of.element, span)});
        listed->optional = true;
        entries.push_back(listed);
        if (first + 1 < of.caps->size()) {
          Expr* left = make(Op::choice, of.bands ? value->type : kNumber, span, {at, bound, v});
          left->optional = v->optional || at->optional;
          return caps_that_bind(of, first + 1, left, entries, cx);
        }
        const TypeId list = types_.list(of.element);
        return make(Op::compact, list, span, {make(Op::make_list, list, span, entries)});
      });
    });
  });
}

// Every cap that took effect, in pipeline order.
Expr* CapChecker::caps(RubricContext& rc, Context& cx) {
  const Span span = rc.node->name.span;
  std::vector<CappedValue> all;
  bool numbers_there = false, names_there = false;
  const auto add = [&](std::string_view name, const std::function<Expr*()>& value, TableDecl* bands = nullptr) {
    const auto found = rc.caps.find(name);
    if (found == rc.caps.end()) return;
    Expr* before = value();
    if (kind_of(before) != TypeKind::number) return;  // reported, or nothing to limit
    if (bands) {
      for (const ast::Cap* cap : found->second) {
        if (capped_place(*bands, exprs_.expr(*cap->at, cx)) < 0) return;  // reported
      }
    }
    const bool text = bands && types_.kind(bands->results[0].type) == TypeKind::text;
    (text ? names_there : numbers_there) = true;
    all.push_back({found->first, before, bands, &found->second, kUnknown, kUnknown});
  };
  const std::function<void(std::vector<DimensionItems>&)> dimensions = [&](std::vector<DimensionItems>& of) {
    for (DimensionItems& d : of) {
      dimensions(d.parts);
      add(d.node->name.text, [&] { return dimensions_.dimension_before_caps(rc, d, cx); });
    }
  };
  dimensions(rc.dimensions.all);
  add("composite", [&] { return item_ref(rc, rc.composite_before_caps, span); });
  for (const AdjustmentRow& step : kAdjustments) {
    add(step.list, [&] {
      Expr* list = pipeline_.adjustments(rc, step, false, false, cx);
      if (is_constant(list)) return number(whole(0), span);
      Expr* total = pipeline_.total_amount(list, cx, span);
      Expr* limit = group_cap(rc, step.list, cx);
      if (limit == nullptr) return total;
      // If less than the cap is left, as usual, the sum need not be computed again.
      Expr* left = item_ref(rc, rc.by_name.pipeline.find(step.total)->second, span);
      Expr* reached = make(Op::ge, kBool, span, {left, limit});
      reached->optional = left->optional || limit->optional;
      return choose(total, reached, constant(missing_value(), kNumber, span), span);
    });
  }
  if (model(rc).scale.declared) add("score", [&] { return pipeline_.score_before_caps(rc); });
  for (const BandsItems& b : rc.bands) {
    add(
        b.name, [&] { return item_ref(rc, b.row, span); }, &declared_.tables[b.table]);
  }
  const TypeId limit = !names_there ? kNumber : numbers_there ? kAny : kText;
  std::vector<Field> fields(4);
  const char* const names[] = {"name", "from", "at", "reason"};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].name = names[i];
    fields[i].type = i == 1 || i == 2 ? limit : kText;
  }
  const TypeId element = types_.record(std::move(fields));
  const TypeId list = types_.list(element);
  Expr* result = nullptr;
  for (CappedValue& of : all) {
    of.element = element;
    of.limit = limit;
    std::vector<Expr*> entries;
    Expr* some = caps_that_bind(of, 0, of.value, entries, cx);
    result = result ? make(Op::concat, list, span, {result, some}) : some;
  }
  return result ? result : constant(make_list(nullptr, 0), list, span);
}

}  // namespace assay
