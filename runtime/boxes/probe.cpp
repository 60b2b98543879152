// Evaluates records with all values accessible. See probe.hpp.
#include "runtime/boxes/probe.hpp"

#include "runtime/explain/entries.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>

namespace assay {

Probe::Probe(const Rubric& rubric, const EvaluatorOptions& options)
    : evaluator_(rubric, options), inside_(EvaluatorAccess::of(evaluator_)), writer_(inside_.model.types) {
  for (std::size_t i = 0; i < inside_.rubric.items.size(); ++i) {
    if (inside_.rubric.items[i].body == nullptr) continue;
    plan_.roots.push_back(static_cast<int>(i));
    places_.push_back(i);
  }
  plan_.build(inside_.owner.impl().model, inside_.owner.impl().index());
  items_.assign(inside_.rubric.items.size(), missing_value());
  given_.assign(inside_.rubric.slots.size(), false);
  writer_.watch(options.interrupt);
}

Number Probe::weight(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return inside_.weights.values.empty() ? inside_.rubric.weighting.weights[i].value : inside_.weights.values[i];
}

bool Probe::take(std::string_view record) {
  if (interrupted()) return false;
  inside_.history.resume();
  if (inside_.history.error()) {
    error_ = *inside_.history.error();
    return false;
  }
  inside_.score_one(record, inside_.weights.values, inside_.history.earlier());
  if (inside_.result.state.failed) {
    error_ = inside_.result.state.error;
    return false;
  }
  verdict_ = inside_.result.state.json;
  id_ = std::string(inside_.result.state.id);
  eligible_ = inside_.result.state.eligible;
  // The slots are those of the verdict: they have been read, and the reader keeps them until its next record.
  const Earlier earlier = inside_.history.or_series(inside_.history.earlier(), inside_.slots.data());
  if (!inside_.run(plan_, inside_.weights.values, earlier, error_)) return false;
  for (std::size_t i = 0; i < places_.size(); ++i) items_[places_[i]] = plan_.results[i];
  JsonNode node;
  JsonProblem problem;
  parse_json(record, node, problem, 1);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const JsonNode* const member = node.find(inside_.rubric.slots[i].name);
    given_[i] = member != nullptr && !member->is(JsonNode::Kind::null);
  }
  return true;
}

std::string Probe::shown(TypeId type, const Value& value) {
  if (value.missing()) return "null";
  std::string json;
  if (!writer_.write(type, value, kSignificant, json, inside_.options.limits.output_bytes)) return "\"…\"";
  return json;
}

int Probe::find(ItemKind kind, std::string_view name) const {
  for (std::size_t i = 0; i < rubric().items.size(); ++i) {
    const Item& item = rubric().items[i];
    if (item.kind == kind && item.name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string Probe::source_text(int item) const {
  const Span span = rubric().items[static_cast<std::size_t>(item)].source;
  if (span.begin == span.end) return {};
  return one_line(source().sources.text(span));
}

namespace {

// The lookup of an item's row number, possibly through another item (the row before its caps).
const Expr* lookup_of(const RubricModel& rubric, int row_item) {
  const Expr* body = rubric.items[static_cast<std::size_t>(row_item)].body;
  if (const Expr* lookup = find_op(body, Op::lookup)) return lookup;
  const Expr* before = find_op(body, Op::item);
  return before == nullptr ? nullptr : find_op(rubric.items[before->index].body, Op::lookup);
}

void read_thresholds(const LookupTable& table, BandLadder& ladder) {
  int direction = 0;  // 1: lower edges descend, -1: they ascend
  bool good = table.keys.size() == 1;
  for (const TableRow& row : table.rows) {
    Number low = kMissing;
    const bool one = good && row.cells[0].size() == 1 && row.cells[0][0].kind == CellTest::Kind::range;
    if (one) {
      const CellTest& test = row.cells[0][0];
      low = test.range.low;
    } else if (good && !row.cells[0].empty()) {
      good = false;
    }
    if (good && !ladder.thresholds.empty() && !ladder.thresholds.back().missing() && !low.missing()) {
      const int order = compare(ladder.thresholds.back(), low);
      if (direction == 0) direction = order;
      if (order == 0 || order != direction) good = false;
    }
    ladder.thresholds.push_back(low);
    ladder.open.push_back(!low.missing() && row.cells[0][0].range.low_open);
  }
  ladder.ordered = good && table.rows.size() > 1;
  ladder.best_first = direction >= 0;  // assuming that more is better; the caller inverts it otherwise
}

// Whether the order prefers low values of this item, the key of bands. A key that compares something else, such as the
// number of open questions, says nothing about it.
bool ranks_low_first(const RubricModel& rubric, int key) {
  for (const RankModel& rank : rubric.rank) {
    const Expr* const body = rubric.items[static_cast<std::size_t>(rank.item)].body;
    if (body->op == Op::item && static_cast<int>(body->index) == key) return !rank.higher;
  }
  return false;
}

}  // namespace

std::vector<BandLadder> band_ladders(const Model& model, const RubricModel& rubric) {
  std::vector<BandLadder> ladders;
  for (std::size_t i = 0; i < rubric.items.size(); ++i) {
    const Item& item = rubric.items[i];
    if (item.kind != ItemKind::band || item.body == nullptr) continue;
    const Expr* const pick = find_op(item.body, Op::pick);
    if (pick == nullptr || pick->args.size() < 2 || pick->args[0]->op != Op::item) continue;
    const int row_item = static_cast<int>(pick->args[0]->index);
    const bool known = std::any_of(ladders.begin(), ladders.end(),
                                   [&](const BandLadder& other) { return other.row_item == row_item; });
    if (known) continue;  // another column of the same rows
    const Expr* const lookup = lookup_of(rubric, row_item);
    if (lookup == nullptr || pick->args[1]->op != Op::constant) continue;
    BandLadder ladder;
    ladder.row_item = row_item;
    ladder.band = static_cast<int>(i);
    ladder.name = item.name;
    const Type& type = model.types[pick->args[1]->type];
    if (type.kind != TypeKind::list || model.types.kind(type.element) != TypeKind::text) continue;
    const ListValue labels = pick->args[1]->value.list;
    for (std::uint32_t k = 0; k < labels.size; ++k)
      ladder.labels.emplace_back(labels.items[k].missing() ? std::string_view() : labels.items[k].text.view());
    if (lookup->args.size() == 1 && lookup->args[0]->op == Op::item)
      ladder.key = static_cast<int>(lookup->args[0]->index);
    read_thresholds(model.tables[lookup->index], ladder);
    if (ladder.labels.size() != ladder.thresholds.size()) continue;
    if (ranks_low_first(rubric, ladder.key)) ladder.best_first = !ladder.best_first;
    ladders.push_back(std::move(ladder));
  }
  return ladders;
}

RawScore raw_score(const RubricModel& rubric) {
  RawScore raw;
  for (std::size_t i = 0; i < rubric.items.size(); ++i) {
    if (rubric.items[i].kind == ItemKind::pipeline && rubric.items[i].name == "score") raw.item = static_cast<int>(i);
  }
  if (raw.item < 0) return raw;
  const Expr* body = rubric.items[static_cast<std::size_t>(raw.item)].body;
  // An incomplete record has no score: the score it would have is in a branch of that condition.
  if (body != nullptr && body->op == Op::choice && body->args[2]->op == Op::constant && body->args[2]->value.missing())
    body = body->args[0];
  raw.exact = body;
  if (body != nullptr && body->op == Op::builtin && static_cast<Builtin>(body->index) == Builtin::round &&
      body->args.size() == 2 && body->args[1]->op == Op::constant) {
    std::int64_t decimals = 0;
    if (to_int64(body->args[1]->value.number, decimals)) {
      raw.decimals = static_cast<int>(decimals);
      raw.exact = body->args[0];
    }
  }
  return raw;
}

}  // namespace assay
