// Checker: writes the scoring pipeline out as items: composite → deductions → bonuses → cap → rounding, and related
// values. After this unit a rubric consists of named expressions only.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <cassert>

namespace assay {

Expr* PipelineChecker::kept_on_scale(RubricContext& rc, Expr* value) {
  const RubricModel& m = model(rc);
  return m.scale.declared && kind_of(value) == TypeKind::number ? clamp_to(value, m.scale.range, value->span) : value;
}

Expr* PipelineChecker::composite(RubricContext& rc, Context& cx) {
  if (rc.composite_before_caps < 0) return composite_before_caps(rc, cx);
  Expr* value = item_ref(rc, rc.composite_before_caps, rc.node->name.span);
  return kind_of(value) == TypeKind::number ? caps_.capped(rc, "composite", value, cx) : value;
}

Expr* PipelineChecker::composite_before_caps(RubricContext& rc, Context& cx) {
  const RubricModel& m = model(rc);
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Composite>(&item->node);
    if (!node) continue;
    return exprs_.want(exprs_.body(node->body, cx), TypeKind::number, "the composite");
  }
  if (rc.dimensions.all.empty()) return constant(missing_value(), kNumber, rc.node->name.span);
  const Span span = rc.node->name.span;
  bool skip = false;
  for (const DimensionItems& d : rc.dimensions.all) skip = skip || (d.skip && d.weight >= 0);
  Expr* sum = nullptr;
  const bool fixed = m.weighting.policy == WeightPolicy::fixed && m.weighting.contexts.empty();
  // Weights may change but their total may not: the composite stays within the hull of the values, times the total.
  Interval hull, fixed_range = exactly(whole(0));
  bool first = true, wholes = true;
  std::vector<Expr*> values, weights;
  const auto take = [&](DimensionItems& d) {
    Expr* value = item_ref(rc, d.value, span);
    if (kind_of(value) != TypeKind::number) return false;
    Expr* weight = d.points ? number(whole(1), span) : records_.weight_ref(rc, d.weight, span);
    values.push_back(value);
    weights.push_back(weight);
    const Number w = d.points ? whole(1) : m.weighting.weights[static_cast<std::size_t>(d.weight)].value;
    fixed_range = interval_add(fixed_range, interval_mul(range_of(value), exactly(w), numbers()), numbers());
    if (!d.points) hull = first ? range_of(value) : interval_hull(hull, range_of(value));
    wholes = wholes && types_[value->type].whole && is_whole(w) && (d.points || fixed);
    first = false;
    return true;
  };
  bool known = true;
  std::vector<DimensionItems*> taken;
  for (DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0) continue;
    bool plain = !d.parts.empty() && !d.node->body.expr && d.node->policy.tag == ast::PolicyTag::required && !d.points;
    plain = plain && rc.caps.count(d.node->name.text) == 0;
    for (const DimensionItems& p : d.parts) plain = plain && !p.skip && !p.points && p.parts.empty();
    if (plain && !skip) {
      for (DimensionItems& p : d.parts) {
        if (p.weight >= 0) known = take(p) && known;
      }
    } else {
      known = take(d) && known;
    }
    taken.push_back(&d);
  }
  if (!known || values.empty()) return broken(span);
  if (!skip) {
    sum = make(Op::weighted_sum,
               types_.number(fixed ? fixed_range : interval_mul(hull, exactly(m.weighting.total), numbers()), wholes),
               span);
    for (const Expr* v : values) sum->optional = sum->optional || v->optional;
    sum->args = values;
    sum->args.insert(sum->args.end(), weights.begin(), weights.end());
  } else {  // the weights of missing dimensions go to the others, in proportion
    Expr* above = number(whole(0), span);
    Expr* below = number(whole(0), span);
    Expr* total = number(whole(0), span);
    for (std::size_t i = 0; i < values.size(); ++i) {
      Expr* weight = records_.weight_ref(rc, taken[i]->weight, span);
      Expr* term = arithmetic(Op::mul, values[i], weights[i], span);
      total = arithmetic(Op::add, total, weight, span);
      if (taken[i]->skip && values[i]->optional) {
        Expr* given = make(Op::not_, kBool, span, {make(Op::is_missing, kBool, span, {values[i]})});
        Expr* zero = number(whole(0), span);
        term = make(Op::choice, kNumber, span, {term, given, zero});
        weight = make(Op::choice, kNumber, span, {weight, given, zero});
      }
      above = arithmetic(Op::add, above, term, span);
      below = arithmetic(Op::add, below, weight, span);
    }
    Expr* mean = arithmetic(Op::div, above, below, span);
    sum = arithmetic(Op::mul, mean, total, span);
    sum->type = types_.number(first ? fixed_range : interval_mul(hull, exactly(m.weighting.total), numbers()), false);
    if (!taken.empty() && taken[0]->points) sum->type = types_.number(fixed_range, false);
    sum->optional = true;
  }
  return sum;
}

// What tells the items of a loop apart: the item itself, or a text in it.
std::string PipelineChecker::told_apart(const ast::Loop& node, const Expr* loop) {
  const ast::Clause& over = node.clauses.back();
  const ast::Name& each = over.second.text.empty() ? over.first : over.second;
  if (each.text.empty()) return node.clauses.front().first.text;
  if (loop->op != Op::loop || loop->loop->clauses.empty()) return each.text;
  const Type& items = types_[loop->loop->clauses.back().expr->type];
  if (items.kind != TypeKind::list && items.kind != TypeKind::map) return each.text;
  const std::vector<Field>& fields = types_[items.element].fields;
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [this](const Field& f) { return types_.kind(f.type) == TypeKind::text; });
  return field == fields.end() ? each.text : each.text + "." + field->name;
}

// Without `reasons`, the same list with empty ones, because totals need no texts. Without `with_cap`, without the cap
// on all of them together.
Expr* PipelineChecker::adjustments(RubricContext& rc, const AdjustmentRow& step, bool reasons, bool with_cap,
                                   Context& cx) {
  const Span span = rc.node->name.span;
  std::vector<Field> fields(3);
  fields[0].name = "name";
  fields[0].type = kText;
  fields[1].name = "amount";
  fields[1].type = kNumber;
  fields[1].presence = Presence::optional;
  fields[2].name = "reason";
  fields[2].type = kText;
  std::vector<std::string> labels;  // all that are possible; empty: there are others
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Adjustment>(&item->node);
    if (!node || node->kind != step.kind) continue;
    if (node->loop || !node->label.plain()) {
      labels.clear();
      break;
    }
    labels.push_back(node->label.str());
  }
  if (!labels.empty()) fields[0].type = types_.text(std::move(labels));
  const TypeId element = types_.record(fields);
  const TypeId list = types_.list(element);
  std::vector<Expr*> lists, plain;
  std::set<std::string> names;
  const auto flush = [&] {
    if (plain.empty()) return;
    lists.push_back(make(Op::make_list, list, span, plain));
    plain.clear();
  };
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Adjustment>(&item->node);
    if (!node || node->kind != step.kind) continue;
    const auto one = [&](Context& inner) {
      Expr* label = exprs_.want(exprs_.text_expr(node->label, inner), TypeKind::text, "the name");
      Expr* amount = exprs_.want(exprs_.body(node->body, inner), TypeKind::number, std::string(step.a_word));
      if (kind_of(amount) == TypeKind::number && !range_of(amount).high.missing() && sign(range_of(amount).high) <= 0 &&
          is_constant(amount)) {
        error(Code::bad_amount, amount->span,
              "this " + std::string(step.word) + " is never above 0, so it is never listed", "",
              sign(range_of(amount).high) < 0 ? std::string(step.sign_help) : "write how much it is, more than 0");
      }
      doubts_.doubt_amount(step, *node->body.expr, amount, rc);
      Expr* reason = reasons ? exprs_.text_expr(node->prose, inner) : text("", item->span);
      Expr* record = make(Op::make_record, element, item->span, {label, amount, reason});
      return record;
    };
    if (node->loop) {
      flush();
      Expr* loop = loops_.loop_expr(*node->loop, nullptr, one, Collect::list, cx, item->span);
      if (node->label.plain()) {
        error(Code::counted_once, node->label.span,
              "each name counts once, and the name '" + node->label.str() + "' is the same for all of the loop", "",
              "put a value of the loop in it: \"" + node->label.str() + " {" + told_apart(*node->loop, loop) + "}\"");
      }
      loop->type = list;
      lists.push_back(loop);
    } else {
      if (node->label.plain() && !names.insert(node->label.str()).second) {
        error(Code::duplicate_name, node->label.span,
              "'" + node->label.str() + "' is declared twice; each name counts once", "",
              "keep one of them, or give one another name");
      }
      plain.push_back(one(cx));
    }
  }
  flush();
  if (lists.empty()) return constant(make_list(nullptr, 0), list, span);
  Expr* all = chain(Op::concat, list, span, std::move(lists));
  Expr* limit = with_cap ? caps_.group_cap(rc, step.list, cx) : nullptr;
  return make(Op::adjust, list, span, {all, limit ? limit : constant(missing_value(), kNumber, span)});
}

// The sum of the amounts of a list of adjustments.
Expr* PipelineChecker::total_amount(Expr* list, Context& cx, Span span) {
  Expr* loop = make(Op::loop, types_.number({whole(0), kMissing, false, false}, false), span);
  loop->loop = std::make_unique<Loop>();
  LoopClause clause;
  clause.expr = list;
  clause.second = add_local(cx);
  loop->loop->clauses.push_back(clause);
  Local entry;
  entry.type = types_[list->type].element;
  entry.id = clause.second;
  Expr* amount = make(Op::field, kNumber, span, {local_ref(entry, span)});
  amount->index = 1;
  loop->loop->value = amount;
  loop->loop->collect = Collect::sum;
  return loop;
}

// Whether a declaration begins with this word.
bool PipelineChecker::declares(const RubricContext& rc, std::string_view words) const {
  return std::any_of(rc.items.begin(), rc.items.end(), [&](const ast::Item* item) {
    const std::string_view word = sources_.text(item->word);
    for (std::string_view rest = words; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, end) == word) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  });
}

// On the scale, before caps and rounding.
Expr* PipelineChecker::score_before_caps(RubricContext& rc) {
  const Span span = rc.node->name.span;
  Expr* value = item_ref(rc, rc.by_name.pipeline.at("composite"), span);
  if (kind_of(value) != TypeKind::number) return value;
  value = kept_on_scale(rc, value);
  for (const AdjustmentRow& step : kAdjustments) {
    if (!declares(rc, step.word)) continue;
    const Op op = step.apply == ApplyTotal::sub ? Op::sub : Op::add;
    value = kept_on_scale(
        rc, arithmetic(op, value, item_ref(rc, rc.by_name.pipeline.find(step.total)->second, span), span));
  }
  return value;
}

Expr* PipelineChecker::score(RubricContext& rc, Context& cx) {
  const RubricModel& m = model(rc);
  const Span span = rc.node->name.span;
  if (!m.scale.declared) return constant(missing_value(), kNumber, span);
  Expr* value = score_before_caps(rc);
  if (kind_of(value) != TypeKind::number) return value;
  const bool incomplete = declares(rc, "incomplete");
  value = caps_.capped(rc, "score", value, cx);
  value = kept_on_scale(rc, value);
  if (m.scale.decimals >= 0) {
    const Interval range = interval_round(range_of(value), m.scale.decimals, Rounding::half_away, numbers());
    Expr* rounded = builtin(Builtin::round, types_.number(range, m.scale.decimals == 0), span,
                            {value, number(whole(m.scale.decimals), span)});
    value = rounded;
  }
  if (incomplete) {
    Expr* why = item_ref(rc, rc.by_name.pipeline.at("incomplete"), span);
    Expr* complete = make(Op::is_missing, kBool, span, {why});
    Expr* kept = choose(value, complete, constant(missing_value(), value->type, span), span);
    value = kept;
  }
  return value;
}

// Why the record is incomplete; of an indeterminate one, which band is too close to call.
Expr* PipelineChecker::reason(RubricContext& rc, Context& cx) {
  if (rc.verdict.why_incomplete < 0) return why_incomplete(rc, cx);
  const Span span = rc.node->name.span;
  Expr* result = constant(missing_value(), kText, span);
  for (auto it = rc.verdict.uncertain.rbegin(); it != rc.verdict.uncertain.rend(); ++it) {
    Expr* bands = item_ref(rc, it->second, span);
    const TypeKind kind =
        kind_of(bands) == TypeKind::list ? types_.kind(types_[bands->type].element) : TypeKind::unknown;
    const bool named = kind == TypeKind::text || kind == TypeKind::number;
    Expr* told = make(Op::join_text, kText, span, named ? std::vector<Expr*>{bands} : std::vector<Expr*>{});
    told->parts.push_back({"'" + it->first + "' is too close to call" + (named ? ": " : ""), -1, -1});
    if (named) told->parts.push_back({"", 0, -1});
    result = choose(told, several(bands, span), result, span);
  }
  Expr* status = item_ref(rc, rc.by_name.pipeline.at("status"), span);
  result = choose(result, make(Op::eq, kBool, span, {status, text("indeterminate", span)}),
                  constant(missing_value(), kText, span), span);
  Expr* why = item_ref(rc, rc.verdict.why_incomplete, span);
  if (is_constant(why)) return result;
  Expr* both = make(Op::default_, kText, span, {why, result});
  both->optional = true;
  return both;
}

Expr* PipelineChecker::several(Expr* list, Span span) {
  if (kind_of(list) != TypeKind::list) return boolean(false, span);
  Interval from_zero;
  from_zero.low = whole(0);
  Expr* count = builtin(Builtin::count, types_.number(from_zero, true), span, {list});
  Expr* more = make(Op::gt, kBool, span, {count, number(whole(1), span)});
  more->optional = count->optional;
  return more;
}

Expr* PipelineChecker::why_incomplete(RubricContext& rc, Context&) {
  const Span span = rc.node->name.span;
  Expr* why = item_ref(rc, rc.by_name.pipeline.at("incomplete"), span);
  Expr* result = why;
  if (!model(rc).scale.declared) return result;
  Expr* composite = item_ref(rc, rc.by_name.pipeline.at("composite"), span);
  if (composite->optional) {
    // The first missing dimension, otherwise the composite itself.
    Expr* text_of = text("The composite cannot be computed", span);
    text_of->type = kText;
    std::vector<DimensionItems*> dims;
    dimensions_.leaves(rc.dimensions.all, dims);
    for (auto it = dims.rbegin(); it != dims.rend(); ++it) {
      Expr* value = item_ref(rc, (*it)->value, span);
      if (!value->optional || (*it)->skip) continue;
      Expr* label = text("'" + (*it)->node->name.text + "' is missing", span);
      label->type = kText;
      text_of = choose(label, make(Op::is_missing, kBool, span, {value}), text_of, span);
    }
    Expr* missing_composite =
        choose(text_of, make(Op::is_missing, kBool, span, {composite}), constant(missing_value(), kText, span), span);
    if (is_constant(result)) return result->value.missing() ? missing_composite : result;  // always incomplete
    Expr* both = make(Op::default_, kText, span, {result, missing_composite});
    both->optional = true;
    result = both;
  }
  return result;
}

Expr* PipelineChecker::status(RubricContext& rc, Context&) {
  const Span span = rc.node->name.span;
  const auto word = [&](std::string_view w) {
    Expr* e = text(w, span);
    std::vector<std::string> words = {"eligible", "ineligible", "incomplete"};
    if (!rc.verdict.uncertain.empty()) words.emplace_back("indeterminate");
    e->type = types_.text(std::move(words));
    return e;
  };
  Expr* result = word("eligible");
  for (const auto& [name, bands] : rc.verdict.uncertain)
    result = choose(word("indeterminate"), several(item_ref(rc, bands, span), span), result, span);
  Expr* why =
      item_ref(rc, rc.verdict.why_incomplete >= 0 ? rc.verdict.why_incomplete : rc.by_name.pipeline.at("reason"), span);
  if (!is_constant(why)) result = choose(result, make(Op::is_missing, kBool, span, {why}), word("incomplete"), span);
  else if (!why->value.missing()) result = word("incomplete");
  std::vector<Expr*> pass;
  for (const ast::Item* item : rc.items) {
    const auto* gate = std::get_if<ast::Gate>(&item->node);
    if (gate) pass.push_back(item_ref(rc, rc.by_name.gates.at(gate->name.text), span));
  }
  if (!pass.empty()) result = choose(result, chain(Op::and_, kBool, span, std::move(pass)), word("ineligible"), span);
  return result;
}

Expr* PipelineChecker::coverage(RubricContext& rc, Context&) {
  const Span span = rc.node->name.span;
  std::vector<DimensionItems*> dims;
  dimensions_.leaves(rc.dimensions.all, dims);
  if (dims.empty()) return constant(missing_value(), kNumber, span);
  Expr* above = number(whole(0), span);
  Expr* below = number(whole(0), span);
  bool partial = false;
  for (DimensionItems* d : dims) {
    Expr* given = item_ref(rc, d->given, span);
    Expr* weight = d->points ? number(model(rc).weighting.weights[static_cast<std::size_t>(d->weight)].value, span)
                             : records_.weight_ref(rc, d->weight, span);
    below = arithmetic(Op::add, below, weight, span);
    if (is_constant(given)) {
      above = arithmetic(Op::add, above, weight, span);
      continue;
    }
    partial = true;
    above = arithmetic(Op::add, above, make(Op::choice, kNumber, span, {weight, given, number(whole(0), span)}), span);
  }
  if (!partial) return number(whole(1), span);
  if (is_constant(below) && sign(below->value.number) == 0) return constant(missing_value(), kNumber, span);
  Expr* share = arithmetic(Op::div, above, below, span);
  share->type = types_.number({whole(0), whole(1), false, false}, false);
  return share;
}

Expr* PipelineChecker::degraded(RubricContext& rc, Context&) {
  const Span span = rc.node->name.span;
  const RubricModel& m = model(rc);
  std::vector<Expr*> names;
  std::vector<std::string> all;
  const auto add_name = [&](const std::string& name, Expr* raw) {
    all.push_back(name);
    Expr* label = text(name, span);
    label->type = kText;
    names.push_back(
        choose(label, make(Op::is_missing, kBool, span, {raw}), constant(missing_value(), kText, span), span));
  };
  for (const ast::Item* item : rc.items) {
    if (const auto* input = std::get_if<ast::Input>(&item->node);
        input && input->policy.tag == ast::PolicyTag::missing) {
      for (const ast::Name& name : input->names) {
        for (std::size_t s = 0; s < m.slots.size(); ++s) {
          if (m.slots[s].name != name.text) continue;
          Expr* slot = make(Op::slot, m.slots[s].type, span);
          slot->index = static_cast<std::uint32_t>(s);
          slot->optional = true;
          add_name(name.text, slot);
        }
      }
    }
  }
  const std::function<void(std::vector<DimensionItems>&)> walk = [&](std::vector<DimensionItems>& dims) {
    for (DimensionItems& d : dims) {
      if (d.node->policy.tag == ast::PolicyTag::missing) {
        Expr* raw = item_ref(rc, d.raw, span);
        if (raw->optional) add_name(d.node->name.text, raw);
      }
      walk(d.parts);
    }
  };
  walk(rc.dimensions.all);
  const TypeId list = types_.list(kText);
  if (names.empty()) return constant(make_list(nullptr, 0), list, span);
  return make(Op::compact, types_.list(types_.text(std::move(all))), span, {make(Op::make_list, list, span, names)});
}

// Flags and advice: texts, each if its condition holds, with or without a loop. With prose: records of both texts.
Expr* PipelineChecker::labels(RubricContext& rc, Labels which, Context& cx) {
  const Span span = rc.node->name.span;
  TypeId element = kText;
  if (which == Labels::flags_and_prose) {
    std::vector<Field> fields(2);
    fields[0].name = "name";
    fields[1].name = "prose";
    fields[0].type = fields[1].type = kText;
    fields[1].presence = Presence::optional;
    element = types_.record(std::move(fields));
  }
  const TypeId list = types_.list(element);
  std::vector<Expr*> lists, plain;
  std::vector<std::string> names;  // all that are possible
  bool computed = false;           // there are others
  const auto flush = [&] {
    if (plain.empty()) return;
    lists.push_back(make(Op::make_list, list, span, plain));
    plain.clear();
  };
  for (const ast::Item* item : rc.items) {
    const ast::Text* label = nullptr;
    const ast::Text* prose = nullptr;
    const ast::Loop* loop = nullptr;
    const ast::Expr* when = nullptr;
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && which != Labels::advice) {
      label = &flag->label, prose = &flag->prose, loop = flag->loop.get(), when = flag->when.get();
    } else if (const auto* tip = std::get_if<ast::Advice>(&item->node); tip && which == Labels::advice) {
      label = &tip->text, loop = tip->loop.get(), when = tip->when.get();
    }
    if (!label) continue;
    computed = computed || !label->plain();
    if (label->plain()) names.push_back(label->str());
    const auto one = [&](Context& inner) {
      Expr* t = exprs_.text_expr(*label, inner);
      if (types_.kind(t->type) == TypeKind::text && is_constant(t)) { t = constant(t->value, kText, t->span); }
      if (which == Labels::flags_and_prose)
        t = make(Op::make_record, element, item->span,
                 {t, exprs_.want(exprs_.text_expr(*prose, inner), TypeKind::text, "the prose")});
      if (!when) return t;
      Expr* none = constant(missing_value(), element, span);
      Expr* cond = exprs_.condition(*when, inner, "the condition after 'when'",
                                    which == Labels::advice ? Asked::advice : Asked::flag);
      if (is_constant(cond)) return cond->value.boolean.truth ? t : none;
      Expr* e = make(Op::choice, element, item->span, {t, cond, none});
      e->optional = true;
      return e;
    };
    if (loop) {
      flush();
      Expr* l = loops_.loop_expr(*loop, nullptr, one, Collect::list, cx, item->span, true);
      l->type = list;
      lists.push_back(l);
    } else {
      plain.push_back(one(cx));
    }
  }
  flush();
  if (lists.empty()) return constant(make_list(nullptr, 0), list, span);
  Expr* all = chain(Op::concat, list, span, std::move(lists));
  const bool known = which == Labels::flags && !computed;
  return builtin(Builtin::distinct, known ? types_.list(types_.text(std::move(names))) : list, span,
                 {make(Op::compact, list, span, {all})});
}

// The sum of the amounts in an item, limited by a cap on the whole group.
Expr* PipelineChecker::total(RubricContext& rc, const AdjustmentRow& step, int amounts, Context& cx) {
  const Span span = rc.node->name.span;
  Expr* all = item_ref(rc, amounts, span);
  if (is_constant(all)) return number(whole(0), span);
  Expr* loop = total_amount(all, cx, span);
  for (const ast::Item* it : rc.items) {
    const auto* cap = std::get_if<ast::Cap>(&it->node);
    if (!cap || cap->when || cap->target.text != step.list) continue;
    Expr* at = exprs_.number_expr(*cap->at, cx, "a cap");
    if (is_constant(at) && !at->value.missing())
      loop->type = types_.number({whole(0), at->value.number, false, false}, false);
  }
  return loop;
}

// The first reason for which the rubric calls the record incomplete, or missing.
Expr* PipelineChecker::incomplete(RubricContext& rc, Context& cx) {
  const Span span = rc.node->name.span;
  Expr* result = constant(missing_value(), kText, span);
  for (auto it = rc.items.rbegin(); it != rc.items.rend(); ++it) {
    const auto* node = std::get_if<ast::Incomplete>(&(*it)->node);
    if (!node) continue;
    Expr* why = node->prose.given ? exprs_.text_expr(node->prose, cx) : text("Not enough evidence", span);
    if (is_constant(why)) why = constant(why->value, kText, why->span);
    Expr* cond = exprs_.condition(*node->when, cx, "the condition after 'when'", Asked::incomplete);
    if (kind_of(cond) == TypeKind::unknown) continue;
    result = choose(why, cond, result, (*it)->span);
  }
  return result;
}

// Earlier records, each scored by this rubric.
Expr* PipelineChecker::history(RubricContext& rc, Context& cx) {
  const Span span = rc.node->name.span;
  RubricModel& m = model(rc);
  m.history.used = true;
  Expr* loop = make(Op::loop, types_.list(m.verdict.type), span);
  loop->loop = std::make_unique<Loop>();
  LoopClause clause;
  clause.expr = make(Op::raw_history, types_.list(m.input_type), span);
  clause.second = add_local(cx);
  loop->loop->clauses.push_back(clause);
  Local record;
  record.type = m.input_type;
  record.id = clause.second;
  Expr* apply = make(Op::apply, m.verdict.type, span, {local_ref(record, span)});
  apply->index = static_cast<std::uint32_t>(rc.index);
  apply->self = true;
  loop->loop->value = apply;
  return loop;
}

void PipelineChecker::declare_pipeline(RubricContext& rc) {
  const int index = rc.index;
  const Span span = rc.node->name.span;
  const auto item = [&](const char* name, Expr* (PipelineChecker::*build)(RubricContext&, Context&)) {
    rc.by_name.pipeline[name] = define(rc, ItemKind::pipeline, name, span, {}, "",
                                       [this, index, build](Context& cx) { return (this->*build)(rubric(index), cx); });
  };
  if (rc.caps.count("composite")) {
    rc.composite_before_caps = define(rc, ItemKind::hidden, "composite before caps", span, {}, "",
                                      [this, index](Context& cx) { return composite_before_caps(rubric(index), cx); });
  }
  Span written;  // "composite = …"
  for (const ast::Item* it : rc.items) {
    if (const auto* node = std::get_if<ast::Composite>(&it->node)) written = node->body.span();
  }
  if (!rc.verdict.uncertain.empty()) {
    rc.verdict.why_incomplete = define(rc, ItemKind::hidden, "why incomplete", span, {}, "",
                                       [this, index](Context& cx) { return why_incomplete(rubric(index), cx); });
  }
  item("composite", &PipelineChecker::composite);
  model(rc).items[static_cast<std::size_t>(rc.by_name.pipeline["composite"])].source = written;
  item("score", &PipelineChecker::score);
  item("reason", &PipelineChecker::reason);
  item("status", &PipelineChecker::status);
  item("coverage", &PipelineChecker::coverage);
  item("degraded", &PipelineChecker::degraded);
  const auto lambda = [&](std::string_view name, Build build) {
    rc.by_name.pipeline[std::string(name)] =
        define(rc, ItemKind::pipeline, std::string(name), span, {}, "", std::move(build));
  };
  lambda("caps", [this, index](Context& cx) { return caps_.caps(rubric(index), cx); });
  for (const AdjustmentRow& step : kAdjustments) {
    lambda(step.list, [this, index, &step](Context& cx) { return adjustments(rubric(index), step, true, true, cx); });
  }
  lambda("flags", [this, index](Context& cx) { return labels(rubric(index), Labels::flags, cx); });
  lambda("advice", [this, index](Context& cx) { return labels(rubric(index), Labels::advice, cx); });
  const bool prose = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* it) {
    const auto* flag = std::get_if<ast::Flag>(&it->node);
    return flag != nullptr && flag->prose.given;
  });
  if (prose) {
    define(rc, ItemKind::hidden, std::string(kFlagProse), span, {}, "",
           [this, index](Context& cx) { return labels(rubric(index), Labels::flags_and_prose, cx); });
  }
  lambda("dimensions", [this, index, span](Context&) { return records_.dimensions_record(rubric(index), span); });
  lambda("gates", [this, index, span](Context&) { return records_.gates_record(rubric(index), span); });
  lambda("id", [this, index, span](Context&) {
    Expr* e = make(Op::slot, model(rubric(index)).slots[0].type, span);
    e->optional = true;
    return e;
  });
  for (const AdjustmentRow& step : kAdjustments) {
    const int amounts =
        define(rc, ItemKind::hidden, std::string(step.word) + " amounts", span, {}, "",
               [this, index, &step](Context& cx) { return adjustments(rubric(index), step, false, true, cx); });
    lambda(step.total, [this, index, &step, amounts](Context& cx) { return total(rubric(index), step, amounts, cx); });
  }
  item("incomplete", &PipelineChecker::incomplete);
  item("history", &PipelineChecker::history);
}

}  // namespace assay
