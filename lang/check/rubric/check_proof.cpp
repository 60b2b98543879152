// Checker: proofs about weights and scale. All dimensions together must be able to reach exactly the scale: this one
// check finds weights of 95%, 99 points, and a criterion that does not fit.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/text/bounds.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace assay {

namespace {

std::string percent(Number n, NumberPool& pool) { return exact_text(mul(n, whole(100), pool)); }

std::string one_of(std::size_t count, const char* what, const std::string& sum) {
  if (count == 1) return "the only " + std::string(what);
  return "one of " + count_said(count) + " " + what + "s: " + sum;
}

std::string exact_range(const Interval& r) {
  return (r.low.missing() ? "-∞" : exact_text(r.low)) + ".." + (r.high.missing() ? "∞" : exact_text(r.high));
}

Span place_of_weight(const ast::Dimension& d) {
  return d.points ? d.points->span : d.weight ? d.weight->span : d.name.span;
}

}  // namespace

// Whether every value comes directly from the record: its range is then the declared one.
bool DimensionChecker::only_judged(RubricContext& rc, const DimensionItems& d) {
  for (const ast::Item* item : rc.items) {
    const auto* cap = std::get_if<ast::Cap>(&item->node);
    if (cap && cap->target.text == d.node->name.text) return false;
  }
  if (d.node->body.expr) return false;
  if (d.parts.empty()) return static_cast<bool>(d.node->kind);
  return std::all_of(d.parts.begin(), d.parts.end(), [&](const DimensionItems& p) { return only_judged(rc, p); });
}

// Converts the expression from its range to another one that begins at 0: replaces an existing factor, so that nothing
// is converted twice. Empty: impossible.
std::string DimensionChecker::converted(const ast::Expr& e, const Interval& range, const Interval& to) {
  NumberPool& pool = numbers();
  if (!finite(range) || !finite(to) || sign(to.low) != 0 || sign(range.high) <= 0 || sign(range.low) < 0) return {};
  const auto literal = [&](const ast::Expr& n, Number& value) {
    return n.kind == ast::ExprKind::number && parse_decimal(n.text, value, pool, true) && sign(value) > 0;
  };
  const auto text = [this](const ast::Expr& n) {
    const bool in_parentheses = !n.args.empty() && n.span.begin < n.args[0]->span.begin;
    const bool plain = in_parentheses || (n.kind != ast::ExprKind::choice && n.kind != ast::ExprKind::binary);
    return plain ? source_text(n.span) : "(" + source_text(n.span) + ")";
  };
  Number factor;
  if (e.kind == ast::ExprKind::binary && e.text == "*") {
    for (const std::size_t side : {0U, 1U}) {
      if (!literal(*e.args[side], factor)) continue;
      const Number high = div(range.high, factor, pool);
      if (compare(high, whole(1)) > 0) continue;
      const std::string other = text(*e.args[1 - side]);
      return side == 0 ? exact_text(to.high) + " * " + other : other + " * " + exact_text(to.high);
    }
  }
  if (e.kind == ast::ExprKind::binary && e.text == "/" && literal(*e.args[1], factor) && sign(range.low) == 0) {
    const Number divisor = div(mul(range.high, factor, pool), to.high, pool);
    const std::string whole_text = text(*e.args[0]);
    return compare(divisor, whole(1)) == 0 ? whole_text : whole_text + " / " + shortest_text(divisor);
  }
  if (sign(range.low) != 0) return {};
  if (compare(range.high, whole(1)) == 0) return exact_text(to.high) + " * " + text(e);
  return text(e) + " * " + exact_text(to.high) + " / " + exact_text(range.high);
}

// The points of a dimension with which those of all dimensions add up to the scale. Missing: it has none.
Number DimensionChecker::points_for_scale(const RubricContext& rc, const DimensionItems& d) {
  const RubricModel& m = model_.rubrics[static_cast<std::size_t>(rc.index)];
  Number rest = m.scale.range.high;
  bool found = false;
  for (const DimensionItems& other : rc.dimensions.all) {
    found = found || &other == &d;
    if (&other == &d || other.weight < 0) continue;
    if (!other.points) return {};
    rest = sub(rest, m.weighting.weights[static_cast<std::size_t>(other.weight)].value, numbers());
  }
  return found && d.points ? rest : Number();
}

// Edits that bring the value of a dimension into its range: converted if it has another unit, otherwise limited to it.
void DimensionChecker::suggest_in_range(const RubricContext& rc, const DimensionItems& d, const Interval& range,
                                        const Interval& allowed, Diagnostic& diagnostic) {
  const ast::Body& body = d.node->body;
  if (!body.expr || !finite(allowed)) return;
  const Span span = body.expr->span;
  const auto offer = [&](const std::string& text) {
    if (!text.empty()) diagnostic.suggestions.push_back(diagnostics_->suggestion(span, text, false));
  };
  const std::string other_unit = converted(*body.expr, range, allowed);
  if (const Number all = points_for_scale(rc, d);
      d.node->points && !all.missing() && !range.high.missing() && compare(all, range.high) == 0)
    diagnostic.suggestions.push_back(diagnostics_->suggestion(d.node->points->span, shortest_text(all), false));
  const bool above = range.high.missing() || compare(range.high, allowed.high) > 0;
  const bool below = range.low.missing() || compare(range.low, allowed.low) < 0;
  const bool overlaps = (range.low.missing() || compare(range.low, allowed.high) < 0) &&
                        (range.high.missing() || compare(range.high, allowed.low) > 0);
  // Slightly too large means an overflow; twice as large, or a share of it, means another unit.
  const bool runs_over =
      range.high.missing() || (compare(range.high, mul(allowed.high, whole(2), numbers())) < 0 && above);
  std::string kept;
  if (overlaps) {
    const std::string text = source_text(span);
    kept = above && below ? "clamp(" + text + ", " + exact_range(allowed) + ")"
           : above        ? "min(" + text + ", " + exact_text(allowed.high) + ")"
                          : "max(" + text + ", " + exact_text(allowed.low) + ")";
  }
  // 100 - share, where 1 - share is meant
  Number first;
  const ast::Expr& e = *body.expr;
  const bool difference = e.kind == ast::ExprKind::binary && e.text == "-" && sign(allowed.low) == 0 &&
                          e.args[0]->kind == ast::ExprKind::number && !e.args[0]->text.ends_with('%') &&
                          parse_decimal(e.args[0]->text, first, numbers(), true);
  if (difference && compare(first, allowed.high) != 0)
    offer(exact_text(allowed.high) + source_text({span.file, e.args[0]->span.end, span.end}));
  if (runs_over) offer(kept);
  offer(other_unit);
  if (!runs_over) offer(kept);
}

// Points out of reach: 'points 25 = share', where 25 * share is meant.
void DimensionChecker::doubt_points(RubricContext& rc, Number total) {
  const RubricModel& m = model(rc);
  const bool too_many = compare(total, m.scale.range.high) > 0;
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0 || !d.node->body.expr || !is_own(d.node->body.expr->span, rc.index)) continue;
    const Interval& range = types_[m.items[static_cast<std::size_t>(d.value)].type].range;
    const Number points = m.weighting.weights[static_cast<std::size_t>(d.weight)].value;
    if (range.high.missing() || sign(range.high) <= 0 || compare(range.high, points) >= 0) continue;
    if (!too_many && compare(mul(range.high, whole(2), numbers()), points) > 0) continue;
    const ast::Expr& body = *d.node->body.expr;
    const Span span = body.span;
    const std::string text = source_text(span), all = exact_text(points);
    doubt(Code::unreached_points, span, rc.index,
          "'" + d.node->name.text + "' has " + all + " points, and its value is at most " + exact_text(range.high),
          "points count themselves: bring the value to 0.." + all + ", or write points " + exact_text(range.high));
    std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
    const bool plain = body.kind != ast::ExprKind::choice && body.kind != ast::ExprKind::binary;
    if (compare(range.high, whole(1)) == 0) fixes.push_back({{span, all + " * " + (plain ? text : "(" + text + ")")}});
    // clamp(x, 0..1) as clamp(x, 0..points)
    if (body.kind == ast::ExprKind::call && !body.args.empty() && body.args.back()->kind == ast::ExprKind::range)
      fixes.push_back({{body.args.back()->args[1]->span, all}});
    if (std::string other = converted(body, range, {whole(0), points, false, false}); !other.empty())
      fixes.push_back({{span, std::move(other)}});
  }
}

// A computed value that uses a tenth of its range or less, as a share of 1 does where points are weighed.
void DimensionChecker::doubt_narrow(RubricContext& rc, const DimensionItems& d, const Interval& range,
                                    const Interval& fit) {
  NumberPool& pool = numbers();
  if (!d.node->body.expr || !inside(range, fit) || !is_own(d.node->body.expr->span, rc.index)) return;
  const Number used = sub(range.high, range.low, pool), all = sub(fit.high, fit.low, pool);
  if (sign(used) == 0 || compare(mul(used, whole(10), pool), all) > 0) return;
  const ast::Expr& body = *d.node->body.expr;
  doubt(Code::unreached_points, body.span, rc.index,
        "'" + d.node->name.text + "' is " + exact_range(range) + ", and never uses the rest of " + exact_range(fit),
        "bring the value to " + exact_range(fit));
  std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
  if (std::string other = converted(body, range, fit); !other.empty()) fixes.push_back({{body.span, std::move(other)}});
  // clamp(x, 0..1), also within a formula
  const std::function<void(const ast::Expr&)> clamps = [&](const ast::Expr& e) {
    const bool call = e.kind == ast::ExprKind::call && !e.loop && !e.args.empty();
    if (call && e.text == "clamp" && e.args.back()->kind == ast::ExprKind::range)
      fixes.push_back({{e.args.back()->args[1]->span, exact_text(fit.high)}});
    for (const ast::ExprPtr& arg : e.args) {
      if (arg) clamps(*arg);
    }
  };
  clamps(body);
  // 100 - share, where 100 - 100 * share is meant
  const bool rest = body.kind == ast::ExprKind::binary && body.text == "-" &&
                    body.args[0]->kind == ast::ExprKind::number && body.args[1]->kind == ast::ExprKind::name &&
                    body.args[0]->text == exact_text(fit.high) && compare(used, whole(1)) == 0;
  if (rest) fixes.push_back({{body.args[1]->span, body.args[0]->text + " * " + source_text(body.args[1]->span)}});
}

// A composite beside its scale: a share where the scale ends at 100, or the scale without its lowest value.
void DimensionChecker::doubt_composite(RubricContext& rc, const ast::Expr& body) {
  NumberPool& pool = numbers();
  const auto at = rc.by_name.pipeline.find("composite");
  if (at == rc.by_name.pipeline.end()) return;
  const Interval& scale = model(rc).scale.range;
  const Type& type = types_[model(rc).items[static_cast<std::size_t>(at->second)].type];
  if (type.kind != TypeKind::number || !finite(type.range) || sign(type.range.high) <= 0) return;
  const Interval& range = type.range;
  const Number moved = sub(scale.low, range.low, pool);
  const bool shifted = sign(moved) != 0 && compare(moved, sub(scale.high, range.high, pool)) == 0;
  const bool bonus = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    return amount != nullptr && amount->kind == AdjustmentKind::bonus;
  });
  const bool narrow = sign(scale.low) == 0 && sign(range.low) == 0 && !bonus &&
                      compare(mul(range.high, whole(2), pool), scale.high) <= 0;
  if (!shifted && !narrow) return;
  doubt(Code::unreached_points, body.span, rc.index,
        "the composite is " + exact_range(range) + ", and never uses all of the scale " + exact_range(scale),
        "bring it to " + exact_range(scale));
  if (!is_own(body.span, rc.index)) return;
  const bool plain = body.kind != ast::ExprKind::choice;
  const std::string text = plain ? source_text(body.span) : "(" + source_text(body.span) + ")";
  std::string other =
      shifted ? text + (sign(moved) < 0 ? " - " : " + ") + exact_text(abs(moved, pool)) : converted(body, range, scale);
  if (!other.empty()) state_.noted.doubts.back().fixes.push_back({{body.span, std::move(other)}});
}

// The weights are complete; every value must fit the scale's share of them. `ranges`: those of the weighted dimensions.
void DimensionChecker::fit_scale(RubricContext& rc, Number total, const std::vector<Interval>& ranges) {
  const Interval fit = interval_div(model(rc).scale.range, exactly(total), numbers());
  std::size_t i = 0;
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0) continue;
    const Interval& range = ranges[i++];
    // A cap limits the result, not the declared range.
    const bool declared = d.parts.empty() && d.node->kind && !d.node->body.expr;
    const Interval& judged = declared ? types_[kinds_.kind(*d.node->kind, rc.index)].range : range;
    doubt_narrow(rc, d, range, fit);
    const bool narrow =
        (declared || only_judged(rc, d)) && (compare(judged.low, fit.low) != 0 || compare(judged.high, fit.high) != 0);
    if (inside(range, fit) && !narrow) continue;
    if (inside(range, fit)) {
      error(Code::dimension_off_scale, d.node->name.span,
            "'" + d.node->name.text + "' is " + exact_range(judged) +
                ", so it never reaches the rest of the scale: with these weights each dimension is " + exact_range(fit),
            "", "judge it on the scale, or convert it: dimension " + d.node->name.text + " weight … = …");
      continue;
    }
    Diagnostic& off =
        error(Code::dimension_off_scale, d.node->name.span,
              "'" + d.node->name.text + "' is " + exact_range(range) +
                  ", which does not fit the scale: with these weights each dimension is " + exact_range(fit),
              "", "convert it, keep it in its range with clamp(…, " + exact_range(fit) + "), or change the scale");
    suggest_in_range(rc, d, range, fit, off);
  }
}

// The amount by which the total misses the scale, if only the total is wrong; empty: more is wrong.
std::string DimensionChecker::help_with_total(const RubricModel& m, const DimensionItems& odd, Number total,
                                              const Interval& reach, bool percentages) {
  NumberPool& pool = numbers();
  // A dimension that ends inside the scale needs no more weight than another: percentages add up to 100.
  const bool inner = percentages && compare(reach.high, mul(total, m.scale.range.high, pool)) < 0 &&
                     compare(reach.low, mul(total, m.scale.range.low, pool)) >= 0;
  const Number needed =
      inner || sign(reach.high) == 0 ? kMissing : div(mul(total, m.scale.range.high, pool), reach.high, pool);
  if (!needed.missing() && sign(total) > 0 &&
      compare(mul(reach.low, needed, pool), mul(m.scale.range.low, total, pool)) == 0) {
    const Number difference = sub(needed, total, pool);
    const Number off = sign(difference) > 0 ? difference : neg(difference, pool);
    std::string help = (percentages ? percent(off, pool) + "%" : exact_text(off)) +
                       (sign(difference) > 0 ? " is missing" : " is too much");
    if (!percentages) help += ": the weights add up to " + exact_text(needed);
    if (!percentages && compare(needed, whole(1)) == 0 && compare(total, whole(10)) >= 0) {
      const std::string last_weight = exact_text(m.weighting.weights[static_cast<std::size_t>(odd.weight)].value);
      help = "a weight is a share of 1: write weight " + last_weight + "%" +
             (compare(total, whole(100)) == 0 ? "" : ", and let them add up to 100%");
    }
    return help;
  }
  if (!percentages) return {};
  const Number difference = sub(whole(1), total, pool);
  if (sign(difference) > 0) return percent(difference, pool) + "% is missing";
  return sign(difference) < 0 ? percent(neg(difference, pool), pool) + "% is too much" : std::string();
}

// With weights such as 70 and 30 on a scale 0..100, each dimension is a share of 1.
bool DimensionChecker::weighs_shares(const RubricContext& rc) {
  const RubricModel& m = model(rc);
  Number weighed = whole(0);
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0) continue;
    if (d.points) return false;
    weighed = add(weighed, m.weighting.weights[static_cast<std::size_t>(d.weight)].value, numbers());
  }
  return sign(m.scale.range.low) == 0 && sign(weighed) > 0 && compare(weighed, whole(1)) != 0 &&
         compare(weighed, m.scale.range.high) == 0;
}

void DimensionChecker::refuse_unbounded(const RubricContext& rc, const DimensionItems& whole_one, bool shares) {
  const RubricModel& m = model(rc);
  // Of a dimension with parts, the part that nothing keeps in its range.
  const auto unbounded = [&](const DimensionItems& d) {
    const Type& type = types_[m.items[static_cast<std::size_t>(d.value)].type];
    return d.weight >= 0 && type.kind == TypeKind::number && !finite(type.range);
  };
  const DimensionItems* inner = &whole_one;
  while (!inner->node->body.expr) {
    const auto part = std::find_if(inner->parts.begin(), inner->parts.end(), unbounded);
    if (part == inner->parts.end()) break;
    inner = &*part;
  }
  const DimensionItems& dimension = *inner;
  const Item& item = m.items[static_cast<std::size_t>(dimension.value)];
  const std::string weight = exact_text(m.weighting.weights[static_cast<std::size_t>(dimension.weight)].value);
  const std::string within = shares ? "0..1" : exact_range(m.scale.range);
  const std::string keep = "keep it in its range: clamp(…, " + within + ")";
  const bool percentages = shares && compare(m.scale.range.high, whole(100)) == 0;
  Diagnostic& open = error(Code::unbounded_dimension, dimension.node->name.span,
                           "nothing keeps '" + dimension.node->name.text + "' within " +
                               (shares ? "0..1, as its weight needs" : "the scale " + within) + ": it can be " +
                               (item.type == kNumber ? "any number" : types_.say(item.type)),
                           "", percentages ? keep + ", or write weight " + weight + "% and clamp(…, 0..100)" : keep);
  if (!dimension.node->body.expr || !is_own(dimension.node->body.expr->span, rc.index)) return;
  const Span body = dimension.node->body.expr->span;
  const std::string text = source_text(body);
  std::vector<Fix> fixes;
  const Interval& scale = m.scale.range;
  if (!shares && is_counted_share(*dimension.node->body.expr) && sign(scale.low) == 0 &&
      compare(scale.high, whole(1)) > 0)  // passed / total, on the scale
    fixes.push_back({{body, exact_text(scale.high) + " * clamp(" + text + ", 0..1)"}});
  fixes.push_back({{body, "clamp(" + text + ", " + within + ")"}});
  offer(*diagnostics_, open, fixes);
}

// Suggests the one weight that is the mistake, where one is likelier than the others.
// points 60%, 25% and 15% of a scale 0..100. False: some are no percentages, or add up to something else.
bool DimensionChecker::offer_without_percent(const RubricContext& rc, Number total, Diagnostic& d) {
  const RubricModel& m = model(rc);
  NumberPool& pool = numbers();
  if (compare(total, whole(1)) != 0) return false;
  const bool of_hundred = compare(m.scale.range.high, whole(100)) == 0;
  Fix fix;
  for (const DimensionItems& one : rc.dimensions.all) {
    if (one.weight < 0) continue;
    const Span at = one.node->points ? one.node->points->span : Span{};
    const std::string written = one.node->points ? source_text(at) : std::string();
    if (!written.ends_with('%') || !is_own(at, rc.index)) return false;
    const Number w = m.weighting.weights[static_cast<std::size_t>(one.weight)].value;
    fix.push_back({at, exact_text(mul(w, m.scale.range.high, pool))});
  }
  d.help = "points are amounts, and no shares: write points " + fix[0].text;
  offer(*diagnostics_, d, {fix}, of_hundred);
  return true;
}

void DimensionChecker::suggest_weight(const RubricContext& rc, Number total, Diagnostic& d) {
  const RubricModel& m = model(rc);
  NumberPool& pool = numbers();
  std::vector<Fix> fixes;
  std::vector<std::string> titles;
  const auto suggested = [&](const DimensionItems& one, Number needed) {
    const std::string weight = percent(needed, pool) + "%";
    fixes.push_back({{one.node->weight->span, weight}});
    titles.push_back(d.help.str() + ": write dimension " + one.node->name.text + " weight " + weight);
  };
  const auto written = [&](const DimensionItems& one) {
    return one.weight >= 0 && one.node->weight && is_own(one.node->weight->span, rc.index);
  };
  const auto weight_of = [&](const DimensionItems& one) {
    return m.weighting.weights[static_cast<std::size_t>(one.weight)].value;
  };
  const auto needed_of = [&](const DimensionItems& one) {
    return add(weight_of(one), sub(whole(1), total, pool), pool);
  };
  // One whose point is at another place, or that lacks what is missing.
  for (const DimensionItems& one : rc.dimensions.all) {
    if (!written(one) || one.node->weight->kind != ast::ExprKind::number) continue;
    const Number w = weight_of(one), needed = needed_of(one);
    for (const std::int64_t factor : {10, 100}) {
      const bool other =
          compare(needed, mul(w, whole(factor), pool)) == 0 || compare(mul(needed, whole(factor), pool), w) == 0;
      if (other) suggested(one, needed);
    }
  }
  // Otherwise the one that becomes a round number without what is too much, or with what is missing.
  for (const std::int64_t step : {10, 5}) {
    const auto round = [&](Number share) { return is_whole(div(mul(share, whole(100), pool), whole(step), pool)); };
    for (auto one = rc.dimensions.all.rbegin(); one != rc.dimensions.all.rend() && fixes.empty(); ++one) {
      if (!written(*one)) continue;
      const Number needed = needed_of(*one);
      if (sign(needed) > 0 && !round(weight_of(*one)) && round(needed)) suggested(*one, needed);
    }
  }
  offer(*diagnostics_, d, fixes);
  if (!fixes.empty()) d.at = sources_.locate(fixes[0][0].at);
  for (std::size_t i = 0; i < titles.size() && i < d.suggestions.size(); ++i) d.suggestions[i].title = titles[i];
}

// The only one of several weights that is written in another way than all others, as 30 beside 50% and 20% is; otherwise
// the last one.
const DimensionItems& DimensionChecker::odd_one(const RubricContext& rc, const DimensionItems& last) const {
  std::map<std::pair<bool, bool>, std::vector<const DimensionItems*>> ways;  // points, percent
  for (const DimensionItems& one : rc.dimensions.all) {
    if (one.weight >= 0) ways[{one.points, sources_.text(place_of_weight(*one.node)).ends_with('%')}].push_back(&one);
  }
  if (ways.size() != 2) return last;
  const auto& [first, second] = std::pair(*ways.begin(), *std::next(ways.begin()));
  // Points are no shares, and of two weights the number is the one without its sign.
  if (first.second.size() == 1 && (second.second.size() > 1 || !first.first.first)) return *first.second[0];
  return second.second.size() == 1 ? *second.second[0] : last;
}

void DimensionChecker::prove_weights(RubricContext& rc) {
  const RubricModel& m = model(rc);
  if (!m.scale.declared || !finite(m.scale.range)) return;
  for (const ast::Item* item : rc.items) {
    const auto* composite = std::get_if<ast::Composite>(&item->node);
    if (composite == nullptr) continue;
    if (composite->body.expr && is_own(composite->body.expr->span, rc.index))
      doubt_composite(rc, *composite->body.expr);
    return;
  }
  if (rc.dimensions.all.empty() || !rc.weights_sound) return;
  bool percentages = true;
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0) continue;
    if (types_.kind(m.items[static_cast<std::size_t>(d.value)].type) != TypeKind::number) return;
    percentages =
        percentages && d.node->weight && sources_.text(d.node->weight->span).find('%') != std::string_view::npos;
  }
  NumberPool& pool = numbers();
  const bool shares = weighs_shares(rc);
  Interval reach = exactly(whole(0));
  Number total = whole(0);
  bool points = false, weights = false, bounded = true;
  std::string sum;
  const DimensionItems* last = nullptr;
  std::vector<Interval> ranges;
  std::size_t count = 0;
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.weight < 0) continue;
    last = &d;
    ++count;
    (d.points ? points : weights) = true;
    const Interval& range = types_[m.items[static_cast<std::size_t>(d.value)].type].range;
    const Number w = m.weighting.weights[static_cast<std::size_t>(d.weight)].value;
    total = add(total, w, pool);
    sum += (sum.empty() ? "" : " + ") + (percentages ? percent(w, pool) : exact_text(w));
    if (!finite(range)) {
      bounded = false;
      refuse_unbounded(rc, d, shares);
      continue;
    }
    ranges.push_back(range);
    reach = interval_add(reach, d.points ? range : interval_mul(range, exactly(w), pool), pool);
  }
  if (!bounded || !last) return;
  if (points && !weights) doubt_points(rc, total);
  if (compare(reach.low, m.scale.range.low) == 0 && compare(reach.high, m.scale.range.high) == 0) return;
  const DimensionItems& odd = odd_one(rc, *last);
  const bool from_zero = sign(m.scale.range.low) == 0;
  const bool fills_scale = from_zero && compare(total, m.scale.range.high) == 0;
  const std::string not_the_scale =
      ", so the composite reaches " + exact_range(reach) + ", not the scale " + exact_range(m.scale.range);
  if (points && !weights) {
    if (fills_scale) return;  // a criterion that does not use all its points
    Diagnostic& d = error(Code::weights_do_not_add_up, place_of_weight(*odd.node),
                          "the points of '" + m.name + "' add up to " + exact_text(total) + not_the_scale,
                          one_of(count, "dimension", sum));
    if (!from_zero) return;
    if (offer_without_percent(rc, total, d)) return;
    const Number difference = sub(m.scale.range.high, total, pool);
    const Number off = sign(difference) > 0 ? difference : neg(difference, pool);
    d.help = exact_text(off) + (compare(off, whole(1)) == 0 ? " point is " : " points are ") +
             (sign(difference) > 0 ? "missing" : "too many");
    // points 20 of a value that goes up to 30, where 10 points are missing
    for (const DimensionItems& one : rc.dimensions.all) {
      const bool own = one.node->points && is_own(one.node->points->span, rc.index);
      if (one.weight < 0 || !own || sign(difference) <= 0 || !finite(one.beyond)) continue;
      const Number w = m.weighting.weights[static_cast<std::size_t>(one.weight)].value;
      if (compare(add(w, difference, pool), one.beyond.high) != 0) continue;
      offer(*diagnostics_, d, {{{one.node->points->span, exact_text(one.beyond.high)}}});
      d.at = sources_.locate(one.node->points->span);
      diagnostics_->withdraw(Code::out_of_range, one.node->body.expr->span);
      break;
    }
    return;
  }
  if (!points && (compare(total, whole(1)) == 0 || fills_scale)) {
    fit_scale(rc, total, ranges);
    return;
  }
  if (inside(reach, m.scale.range) && points && weights) return;
  const std::string added = percentages ? percent(total, pool) + "%" : exact_text(total);
  Diagnostic& d =
      error(Code::weights_do_not_add_up, place_of_weight(*odd.node),
            "the weights of '" + m.name + "' add up to " + added + not_the_scale, one_of(count, "weight", sum));
  if (points && weights) {
    d.help = "points count themselves, and a weight multiplies a value of the scale: give all of them one or the other";
    return;
  }
  d.help = help_with_total(m, odd, total, reach, percentages);
  if (percentages) suggest_weight(rc, total, d);
}

}  // namespace assay
