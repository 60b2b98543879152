// Checker: dimensions and their criteria. Each becomes a value (the meaning of its name), a score, a weight and a
// contribution; a dimension with parts is their weighted mean, or the sum of their points.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

int levels_of(const std::vector<DimensionItems>& dims) {
  int most = 0;
  for (const DimensionItems& d : dims) {
    if (!d.parts.empty()) most = std::max(most, 1 + levels_of(d.parts));
  }
  return most;
}

}  // namespace

void DimensionChecker::declare_dimensions(RubricContext& rc) {
  std::size_t count = 0;
  for (const ast::Item* item : rc.items) count += std::holds_alternative<ast::Dimension>(item->node);
  rc.dimensions.all.resize(count);
  RubricModel& m = model(rc);
  for (const ast::Item* item : rc.items) {  // before anything refers to a weight
    if (const auto* w = std::get_if<ast::Weights>(&item->node))
      m.weighting.policy = w->rescaled ? WeightPolicy::rescaled : WeightPolicy::exact;
  }
  std::size_t i = 0;
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Dimension>(&item->node);
    if (node) declare_dimension(rc, *node, rc.dimensions.all[i++], "", nullptr, 0);
  }
  rc.dimensions.levels = levels_of(rc.dimensions.all);
  m.weighting.total = whole(0);
  for (const WeightModel& w : m.weighting.weights) {
    if (w.settable) m.weighting.total = add(m.weighting.total, w.value, numbers());
  }
}

// The sum of the weights or points of some parts, as an author would write it: "60% + 30%".
WeightSum DimensionChecker::weight_sum(const std::vector<ast::Dimension>& parts, int rubric_index) {
  WeightSum result;
  Number total = whole(0);
  std::vector<Number> all;
  for (const ast::Dimension& part : parts) {
    const ast::ExprPtr& w = part.weight ? part.weight : part.points;
    if (!w) continue;
    const Number n = kinds_.constant_number(*w, rubric_index, "a weight");
    if (n.missing()) continue;
    result.percentages = (all.empty() || result.percentages) && source_text(w->span).find('%') != std::string::npos;
    all.push_back(n);
    total = add(total, n, numbers());
  }
  const auto shown = [&](Number n) {
    std::string s;
    write_exact(result.percentages ? mul(n, whole(100), numbers()) : n, s);
    return result.percentages ? s + "%" : s;
  };
  for (const Number n : all) result.sum += (result.sum.empty() ? "" : " + ") + shown(n);
  result.total = shown(total);
  return result;
}

// The weight or the points of a dimension, missing if it has none; `scale_parts`: the factor for the weights of its
// parts, which divide it.
Number DimensionChecker::weight_of(RubricContext& rc, const ast::Dimension& node, DimensionItems& d,
                                   Number& scale_parts) {
  if (node.weight && node.points) {
    error(Code::weight_and_points, node.points->span, "'" + node.name.text + "' has a weight and points", "",
          "a weight counts a score, points count themselves: keep one of them");
  }
  if (node.advisory && (node.weight || node.points)) {
    Diagnostic& problem =
        error(Code::weight_and_points, node.name.span, "'" + node.name.text + "' is advisory and has a weight", "",
              "an advisory dimension is reported and weighs nothing");
    const ast::Expr& amount = *(node.weight ? node.weight : node.points);
    Number zero;
    if (amount.kind == ast::ExprKind::number && read_number(amount, zero) && sign(zero) == 0) {  // both say the same
      const std::string_view before =
          std::string_view(sources_.file(amount.span.file).text).substr(0, amount.span.begin);
      const std::size_t word = before.rfind(node.weight ? "weight" : "points"),
                        gap = before.find_last_not_of(" \t\n", word - 1);
      problem.suggestions.push_back(
          diagnostics_->suggestion({amount.span.file, static_cast<std::uint32_t>(gap + 1), amount.span.end}, "", true));
    }
  }
  Number weight = kMissing;
  if (node.weight) weight = kinds_.constant_number(*node.weight, rc.index, "a weight");
  if (node.points) weight = kinds_.constant_number(*node.points, rc.index, "the points");
  if (!weight.missing() && sign(weight) < 0) {
    error(Code::bad_weight, (node.points ? node.points : node.weight)->span,
          node.points ? "points are 0 or more" : "a weight is 0 or more", "",
          "a deduction takes away: deduction name = …");
    weight = node.points ? kMissing : whole(0);  // no value is in 0..0
  }
  // Parts divide the weight of the parent, in its own units or as percentages of it.
  Number part_total = whole(0);
  bool part_weights = false, part_points = false, part_below = false;
  for (const ast::Dimension& part : node.parts) {
    const ast::ExprPtr& w = part.weight ? part.weight : part.points;
    if (!w) continue;
    part_weights = part_weights || part.weight;
    part_points = part_points || part.points;
    const Number n = kinds_.constant_number(*w, rc.index, "a weight");
    if (!n.missing()) part_total = add(part_total, n, numbers());
    part_below = part_below || (!n.missing() && sign(n) < 0);  // reported where the part is declared
  }
  if (part_weights && part_points) {
    error(Code::weight_and_points, node.name.span, "the parts of '" + node.name.text + "' have weights and points", "",
          "give all of them weights, or all of them points");
  }
  if (!node.parts.empty() && !node.body.expr && !node.advisory && !part_below) {
    if (weight.missing() && (node.weight || node.points)) {
      // reported
    } else if (weight.missing()) {
      weight = part_total;
      d.points = part_points;
    } else if (part_weights && !d.points) {
      if (compare(part_total, weight) != 0) {
        if (compare(part_total, whole(1)) == 0) {
          scale_parts = weight;
        } else {
          const WeightSum parts = weight_sum(node.parts, rc.index);
          const std::string need = parts.percentages ? "100%" : source_text(node.weight->span);
          const Number all = parts.percentages ? whole(1) : weight, off = sub(all, part_total, numbers());
          const Number amount = mul(abs(off, numbers()), whole(parts.percentages ? 100 : 1), numbers());
          error(Code::parts_do_not_add_up, node.weight->span,
                "the parts of '" + node.name.text + "' weigh " + parts.total + " together, not " + need,
                "its parts: " + parts.sum,
                exact_text(amount) +
                    (parts.percentages                ? "% is "
                     : compare(amount, whole(1)) == 0 ? " is "
                                                      : " are ") +
                    (sign(off) > 0 ? "missing" : "too much") +
                    ": the weights of the parts add up to the weight of the whole, or to 100%");
        }
      }
    } else if (part_points && d.points && compare(part_total, weight) != 0) {
      const WeightSum parts = weight_sum(node.parts, rc.index);
      error(Code::parts_do_not_add_up, node.points->span,
            "the parts of '" + node.name.text + "' have " + parts.total + " points together, it has " +
                source_text(node.points->span),
            "its parts: " + parts.sum, "the points of the parts add up to those of the whole");
    }
  }
  return weight;
}

void DimensionChecker::declare_dimension(RubricContext& rc, const ast::Dimension& node, DimensionItems& d,
                                         const std::string& prefix, const Number* share, int depth) {
  RubricModel& m = model(rc);
  d.node = &node;
  d.path = prefix + node.name.text;
  d.points = static_cast<bool>(node.points);
  d.skip = node.policy.tag == ast::PolicyTag::skip;
  const std::string word = node.criterion ? "criterion" : "dimension";
  Number scale_parts = whole(1);
  const Number weight = weight_of(rc, node, d, scale_parts);
  if (weight.missing() && !node.advisory && depth == 0 && !node.weight && !node.points) {
    bool custom = false;
    for (const ast::Item* item : rc.items) custom = custom || std::holds_alternative<ast::Composite>(item->node);
    if (!custom) {
      error(Code::bad_weight, node.name.span, "the " + word + " '" + node.name.text + "' has no weight", "",
            "write 'weight 25%' or 'points 25' after its name, or 'advisory'");
    }
  }
  if (weight.missing() && node.parts.empty() && depth > 0 && !node.advisory && share && !node.weight && !node.points) {
    error(Code::bad_weight, node.name.span, "the criterion '" + node.name.text + "' has no weight", "",
          "write 'weight …' or 'points …' after its name, or 'advisory'");
  }
  if (!weight.missing()) {
    WeightModel w;
    w.name = d.path;
    w.value = share ? mul(weight, *share, numbers()) : weight;
    w.settable = depth == 0 && !d.points;
    w.span = node.weight ? node.weight->span : node.points ? node.points->span : node.name.span;
    d.weight = static_cast<int>(m.weighting.weights.size());
    m.weighting.weights.push_back(std::move(w));
  }
  const Number inner_share = share ? mul(scale_parts, *share, numbers()) : scale_parts;
  d.parts.resize(node.parts.size());
  std::set<std::string_view> names;
  for (const ast::Dimension& part : node.parts) {
    if (!names.insert(part.name.text).second)
      error(Code::duplicate_name, part.name.span,
            "'" + node.name.text + "' has a criterion '" + part.name.text + "' already", "", "keep one of them");
  }
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    declare_dimension(rc, node.parts[i], d.parts[i], d.path + ".", &inner_share, depth + 1);
  }

  if (!node.body.expr && node.parts.empty()) declare_judged(rc, d, weight, word);
  define_items(rc, d, weight, depth);
  if (depth == 0 || rc.by_name.own.find(node.name.text) == rc.by_name.own.end())
    claim(rc, rc.by_name.own, node.name, d.value, word.c_str());
  rc.dimensions.by_name[node.name.text] = &d;
}

// A judged dimension adds its own input, unless one of the same name is declared.
void DimensionChecker::declare_judged(RubricContext& rc, const DimensionItems& d, Number weight,
                                      const std::string& word) {
  RubricModel& m = model(rc);
  const ast::Dimension& node = *d.node;
  if (node.name.text == "id") {
    error(Code::reserved_name, node.name.span, "the 'id' of a record is its name, not a number that is judged", "",
          "choose another name for the " + word);
  }
  if (rc.by_name.inputs.find(node.name.text) == rc.by_name.inputs.end()) {
    Slot slot;
    slot.name = node.name.text;
    slot.prose = node.prose.str();
    slot.span = node.name.span;
    if (node.kind) {
      slot.type = kinds_.kind(*node.kind, rc.index);
    } else if (d.points) {
      slot.type = types_.number({whole(0), weight, false, false}, false);
    } else if (m.scale.declared) {
      slot.type = types_.number(m.scale.range, false);
    } else {
      error(Code::no_scale, node.name.span, "'" + node.name.text + "' is judged, but on which scale?", "",
            "declare 'scale 1..10 decimals 2', or give it a type: dimension " + node.name.text + ": number 0..1");
    }
    if (types_.kind(slot.type) != TypeKind::number && types_.kind(slot.type) != TypeKind::unknown) {
      error(Code::wrong_type, node.name.span, "a judged " + word + " is a number, this is " + types_.say(slot.type), "",
            "declare it as an input and write '= …' with a number made of it");
      slot.type = kNumber;
    }
    if (node.policy.tag != ast::PolicyTag::required) slot.presence = Presence::optional;
    const auto slot_index = static_cast<std::uint32_t>(m.slots.size());
    const TypeId type = slot.type;
    const bool optional = slot.presence == Presence::optional;
    m.slots.push_back(std::move(slot));
    const Span span = node.name.span;
    rc.by_name.inputs[node.name.text] = define(rc, ItemKind::input, node.name.text, span, {}, node.prose.str(),
                                               [this, slot_index, type, optional, span](Context&) {
                                                 Expr* e = make(Op::slot, type, span);
                                                 e->index = slot_index;
                                                 e->optional = optional;
                                                 return e;
                                               });
  }
  rc.used_inputs.insert(node.name.text);
}

// The computed values of a dimension: before its caps, whether it is backed by evidence, its value, its score, and its
// contribution to the composite.
void DimensionChecker::define_items(RubricContext& rc, DimensionItems& d, Number weight, int depth) {
  const ast::Dimension& node = *d.node;
  const int rubric_index = rc.index;
  const std::string path = d.path;
  DimensionItems* const self = &d;
  const Span source = node.body.span();
  d.raw = define(rc, ItemKind::hidden, path + " raw", node.name.span, source, "",
                 [this, rubric_index, self](Context& cx) { return dimension_raw(rubric(rubric_index), *self, cx); });
  d.given = define(rc, ItemKind::hidden, path + " given", node.name.span, {}, "", [this, rubric_index, self](Context&) {
    RubricContext& r = rubric(rubric_index);
    if (!self->node->body.expr && !self->parts.empty()) {  // a parent is backed by evidence if all its parts are
      std::vector<Expr*> all;
      for (DimensionItems& part : self->parts) {
        Expr* given = item_ref(r, part.given, part.node->name.span);
        if (!is_constant(given)) all.push_back(given);
      }
      const Span whole_span = self->node->name.span;
      return all.empty() ? boolean(true, whole_span) : chain(Op::and_, kBool, whole_span, std::move(all));
    }
    Expr* raw = item_ref(r, self->raw, self->node->name.span);
    if (!raw->optional) return boolean(true, raw->span);
    return make(Op::not_, kBool, raw->span, {make(Op::is_missing, kBool, raw->span, {raw})});
  });
  d.value =
      define(rc, depth == 0 ? ItemKind::dimension : ItemKind::part, path, node.name.span, source, node.prose.str(),
             [this, rubric_index, self](Context& cx) { return dimension_value(rubric(rubric_index), *self, cx); });
  const Number full = weight;
  d.score =
      define(rc, ItemKind::hidden, path + ".score", node.name.span, {}, "", [this, rubric_index, self, full](Context&) {
        Expr* value = item_ref(rubric(rubric_index), self->value, self->node->name.span);
        if (!self->points || full.missing() || sign(full) == 0 || kind_of(value) != TypeKind::number) return value;
        return arithmetic(Op::div, value, number(full, value->span), value->span);
      });
  d.contribution = define(
      rc, ItemKind::hidden, path + ".contribution", node.name.span, {}, "", [this, rubric_index, self](Context&) {
        RubricContext& r = rubric(rubric_index);
        Expr* value = item_ref(r, self->value, self->node->name.span);
        if (self->weight < 0) return number(whole(0), value->span);
        if (self->points || kind_of(value) != TypeKind::number) return value;
        return arithmetic(Op::mul, value, records_.weight_ref(r, self->weight, value->span), value->span);
      });
}

Expr* DimensionChecker::parts_sum(RubricContext& rc, std::vector<DimensionItems>& parts, Span span, bool& skip) {
  const RubricModel& m = model(rc);
  std::vector<Expr*> values, weights;
  Number total = whole(0);
  skip = false;
  bool points = false;
  for (DimensionItems& p : parts) {
    if (p.weight < 0) continue;
    skip = skip || p.skip;
    points = points || p.points;
    Expr* value = item_ref(rc, p.value, p.node->name.span);
    if (kind_of(value) != TypeKind::number) return broken(span);
    const Number w = m.weighting.weights[static_cast<std::size_t>(p.weight)].value;
    total = add(total, w, numbers());
    values.push_back(value);
    weights.push_back(number(w, p.node->name.span));
  }
  if (values.empty()) return broken(span);
  Expr* sum = nullptr;
  if (!skip) {
    Interval range = exactly(whole(0));
    bool optional = false, whole_points = points;
    Expr* e = make(Op::weighted_sum, kNumber, span);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Number w = weights[i]->value.number;
      const Number factor = points ? whole(1) : sign(total) == 0 ? whole(0) : div(w, total, numbers());
      weights[i] = number(factor, span);
      range = interval_add(range, interval_mul(range_of(values[i]), exactly(factor), numbers()), numbers());
      optional = optional || values[i]->optional;
      whole_points = whole_points && types_[values[i]->type].whole;
    }
    e->args = values;
    e->args.insert(e->args.end(), weights.begin(), weights.end());
    e->type = types_.number(range, whole_points);
    e->optional = optional;
    return e;
  }
  // The weighted mean of the parts that are given.
  Expr* above = number(whole(0), span);
  Expr* below = number(whole(0), span);
  Interval hull;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Expr* given = make(Op::not_, kBool, span, {make(Op::is_missing, kBool, span, {values[i]})});
    Expr* weight = weights[i];
    Expr* term = points ? values[i] : arithmetic(Op::mul, values[i], weights[i], span);
    const Interval one =
        points ? interval_div(range_of(values[i]), exactly(weights[i]->value.number), numbers()) : range_of(values[i]);
    hull = i == 0 ? one : interval_hull(hull, one);
    if (values[i]->optional) {
      Expr* zero = number(whole(0), span);
      term = make(Op::choice, kNumber, span, {term, given, zero});
      weight = make(Op::choice, kNumber, span, {weight, given, zero});
    }
    above = arithmetic(Op::add, above, term, span);
    below = arithmetic(Op::add, below, weight, span);
  }
  sum = make(Op::div, types_.number(points ? Interval{} : hull, false), span, {above, below});
  sum->optional = true;
  if (points) {  // the share reached of the points that could be judged, applied to all points
    sum = make(Op::mul, types_.number({whole(0), total, false, false}, false), span, {sum, number(total, span)});
    sum->optional = true;
  }
  return sum;
}

Expr* DimensionChecker::dimension_raw(RubricContext& rc, DimensionItems& d, Context& cx) {
  const ast::Dimension& node = *d.node;
  if (node.body.expr) {
    Expr* e = exprs_.want(exprs_.body(node.body, cx), TypeKind::number, "'" + node.name.text + "'");
    if (kind_of(e) != TypeKind::number) return e;
    narrow(*e, rc.index);
    Interval allowed;
    bool bounded = false;
    if (node.kind) {
      allowed = types_[kinds_.kind(*node.kind, rc.index)].range;
      bounded = true;
    } else if (d.points && d.weight >= 0) {
      allowed = {whole(0), model(rc).weighting.weights[static_cast<std::size_t>(d.weight)].value, false, false};
      bounded = true;
    }
    if (bounded && !inside(range_of(e), allowed)) {
      Diagnostic& out = error(
          Code::out_of_range, node.body.expr->span,
          "'" + node.name.text + "' can be " + types_.say(e->type) + ", which does not stay within " +
              str(allowed, false).substr(7),
          "", "keep it in its range: " + [&] {
            if (allowed.high.missing()) return "max(…, " + exact_text(allowed.low) + ")";
            if (allowed.low.missing()) return "min(…, " + exact_text(allowed.high) + ")";
            return "clamp(…, " + exact_text(allowed.low) + ".." + exact_text(allowed.high) + ")";
          }());
      suggest_in_range(rc, d, range_of(e), allowed, out);
      d.beyond = range_of(e);
      return clamp_to(e, allowed, e->span);
    }
    return e;
  }
  if (!d.parts.empty()) {
    bool skip = false;
    return parts_sum(rc, d.parts, node.name.span, skip);
  }
  const auto it = rc.by_name.inputs.find(node.name.text);
  if (it == rc.by_name.inputs.end()) return broken(node.name.span);
  Expr* e =
      exprs_.want(item_ref(rc, it->second, node.name.span), TypeKind::number, "the dimension '" + node.name.text + "'");
  return e;
}

Expr* DimensionChecker::dimension_value(RubricContext& rc, DimensionItems& d, Context& cx) {
  Expr* value = dimension_before_caps(rc, d, cx);
  return kind_of(value) == TypeKind::number ? caps_.capped(rc, d.node->name.text, value, cx) : value;
}

Expr* DimensionChecker::dimension_before_caps(RubricContext& rc, DimensionItems& d, Context& cx) {
  Expr* value = item_ref(rc, d.raw, d.node->name.span);
  const ast::Policy& policy = d.node->policy;
  if (kind_of(value) != TypeKind::number) return value;
  if (policy.tag == ast::PolicyTag::skip && !value->optional && d.node->body.expr && is_own(policy.span, rc.index)) {
    Diagnostic& idle = error(Code::useless_default, policy.span,
                             "'" + d.node->name.text + "' is never missing, so there is nothing to skip", "",
                             "let what it is computed from be optional, or leave 'missing skip' out");
    const Span before{policy.span.file, policy.span.begin - 1, policy.span.end};
    if (sources_.text(before).front() == ' ') offer(*diagnostics_, idle, {{{before, ""}}});
  }
  if (policy.tag == ast::PolicyTag::missing && policy.expr) {
    Expr* fallback = exprs_.number_expr(*policy.expr, cx, "the value that stands in");
    if (!value->optional) {
      error(Code::useless_default, policy.span,
            "'" + d.node->name.text + "' is never missing, so its fallback is never used");
    } else if (kind_of(fallback) == TypeKind::number) {
      if (is_constant(fallback) && !d.node->body.expr && d.parts.empty() &&
          !inside(range_of(fallback), range_of(value))) {
        error(Code::bad_default, policy.expr->span, "this fallback is not " + types_.say(value->type), "",
              "give a value in the range, or write 'missing skip'");
        return value;
      }
      doubts_.doubt_percent(*policy.expr, range_of(value), "'" + d.node->name.text + "'", rc.index);
      TypeId type = kUnknown;
      types_.unify(value->type, fallback->type, type);
      Expr* e = make(Op::default_, type, value->span, {value, fallback});
      e->optional = fallback->optional;
      value = e;
    }
  }
  return value;
}

void DimensionChecker::leaves(std::vector<DimensionItems>& dims, std::vector<DimensionItems*>& out) {
  for (DimensionItems& d : dims) {
    if (d.weight < 0) continue;
    if (d.parts.empty() || d.node->body.expr) {
      out.push_back(&d);
    } else {
      leaves(d.parts, out);
    }
  }
}

// criterion rigour weight 20%   level 1 "weak", side by side within a dimension: its levels, and nobody judges it.
void DimensionChecker::doubt_levels_of_whole(RubricContext& rc, const DimensionItems& d) {
  const auto owner = [&](const ast::Level& level) {
    const ast::Dimension* before = nullptr;
    for (const ast::Dimension& part : d.node->parts) {
      if (part.span.begin < level.span.begin) before = &part;
    }
    return before != nullptr && before->levels.empty() && before->parts.empty() && !before->body.expr ? before
                                                                                                      : nullptr;
  };
  const std::vector<ast::Level>& levels = d.node->levels;
  for (std::size_t i = 0; i < levels.size();) {
    const ast::Dimension* part = owner(levels[i]);
    std::size_t last = i;
    while (last + 1 < levels.size() && owner(levels[last + 1]) == part) ++last;
    if (part != nullptr) {
      doubt(Code::clause_above, levels[i].span, rc.index,
            "this level belongs to '" + d.node->name.text + "', which has parts and is judged by nobody",
            "give it to '" + part->name.text + "', in braces: " + part->name.text + " … { level … }");
      const auto at = [](Span span) { return Span{span.file, span.end, span.end}; };
      state_.noted.doubts.back().fixes = {{{at(part->span), " {"}, {at(levels[last].span), " }"}}};
    }
    i = last + 1;
  }
}

DimensionModel DimensionChecker::describe(RubricContext& rc, DimensionItems& d) {
  DimensionModel m;
  m.name = d.node->name.text;
  m.prose = d.node->prose.str();
  m.weight = d.weight;
  m.points = d.points;
  m.judged = !d.node->body.expr && d.parts.empty();
  m.value = d.value;
  m.score = d.score;
  m.contribution = d.contribution;
  m.span = d.node->name.span;
  std::vector<Number> seen;
  for (const ast::Level& level : d.node->levels) {
    LevelModel l;
    l.level = kinds_.constant_number(*level.number, rc.index, "a level");
    l.prose = level.prose.str();
    const Item* value = m.value >= 0 ? &model(rc).items[static_cast<std::size_t>(m.value)] : nullptr;
    if (value != nullptr && types_.kind(value->type) == TypeKind::number && !l.level.missing() &&
        !holds(types_[value->type].range, l.level))
      doubt(Code::beyond_range, level.number->span, rc.index,
            "'" + m.name + "' never has this level: it is " + types_.say(value->type),
            "describe a value that it can have, or correct its range");
    for (const Number n : seen) {
      if (!n.missing() && !l.level.missing() && compare(n, l.level) == 0) {
        error(Code::duplicate_name, level.span, "this level of '" + m.name + "' is described twice");
      }
    }
    seen.push_back(l.level);
    m.levels.push_back(std::move(l));
  }
  if (!d.parts.empty() && !d.node->body.expr) doubt_levels_of_whole(rc, d);
  for (DimensionItems& p : d.parts) m.parts.push_back(describe(rc, p));
  return m;
}

}  // namespace assay
