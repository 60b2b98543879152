// Checker: proofs about weights and scale. What all dimensions can reach together must be the scale: this one check
// finds 95% weights, 99 points and a criterion that does not fit.
#include "lang/checker.hpp"
#include "lang/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

std::string shown(Number n) {
  std::string s;
  write_exact(n, s);
  return s;
}

std::string percent(Number n, NumberPool& pool) { return shown(mul(n, whole(100), pool)); }

std::string range_text(const Interval& r) {
  return (r.low.missing() ? "-∞" : shown(r.low)) + ".." + (r.high.missing() ? "∞" : shown(r.high));
}

}  // namespace

void Checker::prove_weights(RubricContext& rc) {
  const RubricModel& m = model(rc);
  if (!m.has_scale || !finite(m.scale) || rc.dimensions.empty()) return;
  for (const ast::Item* item : rc.items) {
    if (std::holds_alternative<ast::Composite>(item->node)) return;
  }
  NumberPool& pool = numbers();
  Interval reach = exactly(whole(0));
  Number total = whole(0);
  bool points = false, weights = false, bounded = true;
  std::string sum;
  const DimensionItems* last = nullptr;
  std::vector<Interval> ranges;
  std::size_t count = 0;
  bool percentages = true;
  for (const DimensionItems& d : rc.dimensions) {
    if (d.weight < 0) continue;
    const Item& item = m.items[static_cast<std::size_t>(d.value)];
    if (types_.kind(item.type) != TypeKind::number) return;
    percentages = percentages && d.node->weight && sources_.text(d.node->weight->span).find('%') != std::string_view::npos;
  }
  for (const DimensionItems& d : rc.dimensions) {
    if (d.weight < 0) continue;
    last = &d;
    ++count;
    (d.points ? points : weights) = true;
    const Item& item = m.items[static_cast<std::size_t>(d.value)];
    const Interval& range = types_[item.type].range;
    const Number w = m.weights[static_cast<std::size_t>(d.weight)].value;
    total = add(total, w, pool);
    sum += (sum.empty() ? "" : " + ") + (percentages ? percent(w, pool) : shown(w));
    if (!finite(range)) {
      bounded = false;
      error(Code::unbounded_dimension, d.node->name.span, "'" + d.node->name.text + "' can be " + types_.str(item.type) + ", so the composite is not kept on the scale " + range_text(m.scale),
            "", "keep it in its range: clamp(…, " + range_text(m.scale) + ")");
      continue;
    }
    ranges.push_back(range);
    reach = interval_add(reach, d.points ? range : interval_mul(range, exactly(w), pool), pool);
  }
  if (!bounded || !last) return;
  const bool equal = compare(reach.low, m.scale.low) == 0 && compare(reach.high, m.scale.high) == 0;
  if (equal) return;
  const Number whole_scale = m.scale.high;
  const bool from_zero = sign(m.scale.low) == 0;
  const bool unit = compare(total, whole(1)) == 0 || (from_zero && compare(total, whole_scale) == 0);
  if (points && !weights) {
    if (from_zero && compare(total, whole_scale) == 0) return;  // a criterion that does not use all its points
    Diagnostic& d = error(Code::weights_do_not_add_up, last->node->points ? last->node->points->span : last->node->name.span,
                          "the points of '" + m.name + "' add up to " + shown(total) + ", so the composite reaches " + range_text(reach) + ", not the scale " + range_text(m.scale),
                          "one of " + std::to_string(count) + ": " + sum);
    if (from_zero) {
      const Number difference = sub(whole_scale, total, pool);
      d.help = sign(difference) > 0 ? shown(difference) + " points are missing" : shown(neg(difference, pool)) + " points are too many";
    }
    return;
  }
  if (unit && weights && !points) {
    // The weights are complete; every value must fit the scale's share of them.
    const Interval fit = interval_div(m.scale, exactly(total), pool);
    bool all = true;
    std::size_t i = 0;
    for (const DimensionItems& d : rc.dimensions) {
      if (d.weight < 0) continue;
      const Interval& range = ranges[i++];
      if (inside(range, fit)) continue;
      all = false;
      error(Code::dimension_off_scale, d.node->name.span, "'" + d.node->name.text + "' is " + range_text(range) + ", which does not fit the scale: with these weights each dimension is " + range_text(fit),
            "", "convert it, keep it in its range with clamp(…, " + range_text(fit) + "), or change the scale");
    }
    if (all) return;
    return;
  }
  if (inside(reach, m.scale) && points && weights) return;
  const std::string added = percentages ? percent(total, pool) + "%" : shown(total);
  Diagnostic& d = error(Code::weights_do_not_add_up, last->node->weight ? last->node->weight->span : last->node->name.span,
                        "the weights of '" + m.name + "' add up to " + added + ", so the composite reaches " + range_text(reach) + ", not the scale " + range_text(m.scale),
                        "one of " + std::to_string(count) + " weights: " + sum);
  if (percentages) {
    const Number difference = sub(whole(1), total, pool);
    if (sign(difference) > 0) d.help = percent(difference, pool) + "% is missing";
    if (sign(difference) < 0) d.help = percent(neg(difference, pool), pool) + "% is too much";
  }
}

}  // namespace assay
