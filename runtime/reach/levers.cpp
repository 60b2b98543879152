// Finds what may change in a record. See levers.hpp.
#include "runtime/reach/levers.hpp"

#include "lang/text/nearest.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

constexpr std::size_t kMostLevers = 60;
constexpr std::size_t kMostOptions = 24;

// Slots that items depend on, directly or through others.
std::vector<bool> slots_of(const Model& model, int rubric, const std::vector<int>& items) {
  const RubricModel& r = model.rubrics[static_cast<std::size_t>(rubric)];
  std::vector<bool> slots(r.slots.size(), false);
  std::set<int> seen;
  std::vector<int> open = items;
  while (!open.empty()) {
    const int item = open.back();
    open.pop_back();
    if (item < 0 || !seen.insert(item).second) continue;
    const References refs = references_of(model, rubric, r.items[static_cast<std::size_t>(item)].body);
    for (const int slot : refs.slots) slots[static_cast<std::size_t>(slot)] = true;
    open.insert(open.end(), refs.items.begin(), refs.items.end());
  }
  return slots;
}

// "; did you mean 'rooms'?" for a path that is none of a rubric's inputs, nor of the fields of one.
std::string input_meant(const Model& model, const RubricModel& rubric, std::string_view path) {
  std::vector<std::string> paths;
  for (const Slot& slot : rubric.slots) {
    paths.push_back(slot.name);
    const Type& type = model.types[slot.type];
    for (const Field& field : type.fields) paths.push_back(std::string(slot.name) + '.' + field.name);
  }
  const std::string_view near = nearest(path, {paths.begin(), paths.end()});
  return near.empty() ? "" : "; did you mean '" + std::string(near) + "'?";
}

bool prefix_of(std::string_view prefix, std::string_view path) {
  return path.starts_with(prefix) &&
         (path.size() == prefix.size() || path[prefix.size()] == '.' || path[prefix.size()] == '[');
}

}  // namespace

struct Levers::Finding {
  Probe& probe;
  int slot = 0;
  Number step;
  const ReachQuestion& question;
  std::set<std::string> used;  // names of the question's costs and keeps that match something
  std::map<std::string, Number> costs;
};

// What a number, a truth or a text may be set to; false: it cannot change.
bool Levers::set_choices(const Finding& f, const Type& t, const Value& value, bool optional, Lever& lever) {
  const auto offer = [&lever](std::string shown, Value choice) {
    lever.options.push_back(std::move(shown));
    lever.values.push_back(choice);
  };
  if (t.kind == TypeKind::number) {
    lever.step = t.whole ? whole(1) : f.step;
    lever.domain = t.range;
    if (!value.missing()) {
      lever.now = value.number;
      return true;
    }
    if (!optional) return false;
    lever.kind = Lever::Kind::options;  // set to either end of its range, or to its only end
    lever.was_missing = true;
    offer("null", missing_value());
    for (const bool high : {false, true}) {
      const Number end = high ? t.range.high : t.range.low;
      const bool open = high ? t.range.high_open : t.range.low_open;
      if (!end.missing() && !open) offer(shortest_text(end), make_number(end));
    }
    return lever.options.size() > 1;
  }
  lever.kind = Lever::Kind::options;
  if (t.kind == TypeKind::boolean) {
    const bool now = !value.missing() && value.boolean.truth != 0;
    offer(value.missing() ? "null" : now ? "true" : "false", value);
    for (const bool other : {true, false}) {
      if (value.missing() || other != now) offer(other ? "true" : "false", make_bool(other));
    }
    return true;
  }
  if (t.choices.empty() || t.choices.size() > kMostOptions) return false;
  offer(f.probe.shown(lever.type, value), value);
  for (const std::string& choice : t.choices) {
    if (value.missing() || value.text.view() != choice)
      offer(f.probe.shown(lever.type, make_text(choice)), make_text(choice));
  }
  return true;
}

void Levers::look(Finding& f, TypeId type, const Value& value, std::vector<Lever::Step>& steps, const std::string& path,
                  bool optional) {
  for (const std::string& keep : f.question.keep) {
    if (prefix_of(keep, path)) return void(f.used.insert(keep));
  }
  if (levers_.size() >= kMostLevers) return;
  Lever lever;
  lever.slot = f.slot;
  lever.type = type;
  lever.steps = steps;
  lever.path = path;
  lever.cost = whole(1);
  for (const auto& [name, cost] : f.costs) {
    if (!prefix_of(name, path)) continue;
    lever.cost = cost;
    f.used.insert(name);
  }
  const Type& t = model_->types[type];
  switch (t.kind) {
    case TypeKind::number:
    case TypeKind::boolean:
    case TypeKind::text:
      if (!set_choices(f, t, value, optional, lever)) return;
      by_path_[lever.path] = levers_.size();
      levers_.push_back(std::move(lever));
      return;
    case TypeKind::record:
      if (value.missing() || t.verdict) return;
      for (std::size_t i = 0; i < t.fields.size(); ++i) {
        if (t.fields[i].name == "id") continue;
        steps.push_back({t.fields[i].name, 0});
        look(f, t.fields[i].type, value.record.fields[i], steps, path + "." + t.fields[i].name,
             t.fields[i].presence != Presence::required);
        steps.pop_back();
      }
      return;
    case TypeKind::list:
      if (value.missing()) return;
      for (std::uint32_t i = 0; i < value.list.size && levers_.size() < kMostLevers; ++i) {
        Lever item = lever;
        item.kind = Lever::Kind::item;
        item.path = path + "[" + std::to_string(i) + "]";
        item.steps.push_back({{}, i});
        item.options = {f.probe.shown(t.element, value.list.items[i]), ""};
        bool kept = false;
        for (const std::string& keep : f.question.keep) kept = kept || prefix_of(keep, item.path);
        if (kept) {
          for (const std::string& keep : f.question.keep) {
            if (prefix_of(keep, item.path)) f.used.insert(keep);
          }
          continue;
        }
        items_[item.path] = levers_.size();
        levers_.push_back(item);
        if (model_->types.kind(t.element) != TypeKind::record) continue;
        steps.push_back({{}, i});
        look(f, t.element, value.list.items[i], steps, item.path, false);
        steps.pop_back();
      }
      return;
    default: return;
  }
}

std::optional<InputError> Levers::find(Probe& probe, std::string_view record, const ReachQuestion& question,
                                       const std::vector<int>& goal_items) {
  model_ = &probe.model();
  rubric_ = &probe.rubric();
  record_ = record;
  levers_.clear();
  by_path_.clear();
  items_.clear();
  arena_.reset();
  pool_.clear();
  Number step = kMissing;
  if (!question.grid.empty() && (!parse_decimal(question.grid, step, pool_) || sign(step) <= 0))
    return InputError{"grid", "question", "the grid '" + question.grid + "' is not a number above 0"};
  if (step.missing()) {
    constexpr int kDecimals = 2, kMost = 6;
    int decimals = rubric_->scale.decimals < 0 ? kDecimals : std::min(rubric_->scale.decimals, kMost);
    step = whole(1);
    for (; decimals > 0; --decimals) step = div(step, whole(10), pool_);
  }
  Finding f{probe, 0, step, question, {}, {}};
  for (const auto& [name, cost] : question.costs) {
    Number value;
    if (!parse_decimal(cost, value, pool_) || sign(value) <= 0)
      return InputError{name, "question", "the cost '" + cost + "' of " + name + " is not a number above 0"};
    f.costs[name] = value;
  }
  slots_.clear();
  for (std::size_t i = 0; i < rubric_->slots.size(); ++i)
    slots_.push_back(deep_copy(model_->types, rubric_->slots[i].type, probe.slot(static_cast<int>(i)), arena_));
  const std::vector<bool> relevant = slots_of(*model_, probe.rubric_index(), goal_items);
  for (std::size_t i = 1; i < rubric_->slots.size(); ++i) {
    const Slot& slot = rubric_->slots[i];
    std::vector<Lever::Step> steps;
    for (const std::string& keep : question.keep) {
      if (prefix_of(slot.name, keep)) f.used.insert(slot.name == keep ? keep : "");
    }
    if (!relevant[i] || slot.name == rubric_->history.by) {
      for (const std::string& keep : question.keep) {
        if (prefix_of(slot.name, keep)) f.used.insert(keep);  // it cannot change anyway
      }
      for (const auto& [name, cost] : f.costs) {
        if (prefix_of(slot.name, name)) f.used.insert(name);
      }
      continue;
    }
    f.slot = static_cast<int>(i);
    look(f, slot.type, slots_[i], steps, slot.name, slot.presence != Presence::required || slots_[i].missing());
  }
  for (const std::string& keep : question.keep) {
    if (f.used.count(keep) == 0)
      return InputError{keep, "question",
                        "there is no input '" + keep + "' that could be kept" + input_meant(*model_, *rubric_, keep)};
  }
  for (const auto& [name, cost] : f.costs) {
    const bool known = std::any_of(rubric_->slots.begin(), rubric_->slots.end(),
                                   [&, &path = name](const Slot& slot) { return prefix_of(slot.name, path); });
    if (f.used.count(name) == 0 && !known)
      return InputError{
          name, "question",
          "there is no input '" + name + "' that could have a cost" + input_meant(*model_, *rubric_, name)};
  }
  find_equal_items();
  varied_.assign(rubric_->slots.size(), false);
  for (const Lever& lever : levers_) varied_[static_cast<std::size_t>(lever.slot)] = true;
  return std::nullopt;
}

// Neighbours in a list that are the same value, at the same cost, and that nothing else can change.
void Levers::find_equal_items() {
  for (std::size_t i = 1; i < levers_.size(); ++i) {
    const Lever& before = levers_[i - 1];
    Lever& lever = levers_[i];
    if (before.kind != Lever::Kind::item || lever.kind != Lever::Kind::item) continue;
    if (before.slot != lever.slot || before.steps.size() != lever.steps.size()) continue;
    const auto same_step = [](const Lever::Step& a, const Lever::Step& b) {
      return a.field == b.field && a.index == b.index;
    };
    if (!std::equal(before.steps.begin(), before.steps.end() - 1, lever.steps.begin(), same_step)) continue;
    if (before.steps.back().index + 1 != lever.steps.back().index) continue;
    if (before.options[0] != lever.options[0] || compare(before.cost, lever.cost) != 0) continue;
    if (by_path_.lower_bound(lever.path) != by_path_.end() &&
        prefix_of(lever.path, by_path_.lower_bound(lever.path)->first))
      continue;  // a field of the item can be changed, so that it need not stay equal
    lever.after_equal = true;
  }
}

bool Levers::in_turn(std::size_t lever, Ranges& box) const {
  if (levers_[lever].kind != Lever::Kind::item) return true;
  if (box[lever].allowed == 2U) {
    for (std::size_t i = lever; levers_[i].after_equal; --i) {
      box[i - 1].allowed &= 2U;
      if (box[i - 1].allowed == 0) return false;
    }
  } else if (box[lever].allowed == 1U) {
    for (std::size_t i = lever + 1; i < levers_.size() && levers_[i].after_equal; ++i) {
      box[i].allowed &= 1U;
      if (box[i].allowed == 0) return false;
    }
  }
  return true;
}

LeverSettings Levers::as_it_stands() const {
  LeverSettings settings;
  for (const Lever& lever : levers_) settings.push_back({lever.now, 0});
  return settings;
}

Ranges Levers::fixed() const {
  Ranges ranges;
  for (const Lever& lever : levers_) ranges.push_back({exactly(lever.now), 1});
  return ranges;
}

Range Levers::full(std::size_t i) const {
  const Lever& lever = levers_[i];
  // A missing number may also get a value between the ends of its range, which is one more option.
  const auto options = static_cast<std::uint32_t>(lever.kind == Lever::Kind::item ? 2 : lever.options.size()) +
                       (lever.was_missing ? 1U : 0U);
  return {lever.domain, lever.kind == Lever::Kind::number ? 1U : (1U << options) - 1U};
}

bool Levers::moved(std::size_t i, const Setting& setting) const {
  const Lever& lever = levers_[i];
  return lever.kind == Lever::Kind::number ? compare(setting.number, lever.now) != 0 : setting.option != 0;
}

Number Levers::cost(std::size_t i, const Setting& setting, NumberPool& pool) const {
  const Lever& lever = levers_[i];
  if (!moved(i, setting)) return whole(0);
  if (lever.kind != Lever::Kind::number) return lever.cost;
  return mul(assay::abs(sub(setting.number, lever.now, pool), pool), lever.cost, pool);
}

Number Levers::cost(const LeverSettings& settings, NumberPool& pool) const {
  Number sum = whole(0);
  for (std::size_t i = 0; i < settings.size(); ++i) sum = add(sum, cost(i, settings[i], pool), pool);
  return sum;
}

Number Levers::on_grid(std::size_t i, Number n, bool up, NumberPool& pool) const {
  const Lever& lever = levers_[i];
  Number at = mul(round_to(div(n, lever.step, pool), 0, up ? Rounding::ceil : Rounding::floor, pool), lever.step, pool);
  const Interval& d = lever.domain;
  if (!d.low.missing() && compare(at, d.low) <= 0) {
    at = d.low;
    if (d.low_open)
      at = mul(add(round_to(div(d.low, lever.step, pool), 0, Rounding::floor, pool), whole(1), pool), lever.step, pool);
  }
  if (!d.high.missing() && compare(at, d.high) >= 0) {
    at = d.high;
    if (d.high_open)
      at = mul(sub(round_to(div(d.high, lever.step, pool), 0, Rounding::ceil, pool), whole(1), pool), lever.step, pool);
  }
  return at;
}

std::vector<FieldChange> Levers::changes(const LeverSettings& settings) const {
  std::vector<FieldChange> changes;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Lever& lever = levers_[i];
    if (!moved(i, settings[i])) continue;
    if (lever.kind == Lever::Kind::number) {
      changes.push_back({lever.path, shortest_text(lever.now), shortest_text(settings[i].number)});
    } else {
      changes.push_back({lever.path, lever.options[0], lever.options[static_cast<std::size_t>(settings[i].option)]});
    }
  }
  return changes;
}

std::string Levers::record(const LeverSettings& settings) const {
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(record_, root, problem)) return record_;
  std::deque<std::string> texts;
  std::deque<JsonNode> parsed;
  std::vector<std::pair<JsonNode*, std::size_t>> removed;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Lever& lever = levers_[i];
    if (!moved(i, settings[i])) continue;
    JsonNode* at = &root;
    std::vector<Lever::Step> steps{{rubric_->slots[static_cast<std::size_t>(lever.slot)].name, 0}};
    steps.insert(steps.end(), lever.steps.begin(), lever.steps.end());
    const std::size_t last = lever.kind == Lever::Kind::item ? steps.size() - 1 : steps.size();
    for (std::size_t s = 0; s < last && at != nullptr; ++s) {
      if (steps[s].field.empty()) {
        at = steps[s].index < at->items.size() ? &at->items[steps[s].index] : nullptr;
        continue;
      }
      if (!at->is(JsonNode::Kind::object)) {
        *at = JsonNode();
        at->kind = JsonNode::Kind::object;
      }
      JsonNode* next = nullptr;
      for (auto& member : at->members) {
        if (member.first == steps[s].field) next = &member.second;
      }
      if (next == nullptr) {
        at->members.push_back({steps[s].field, JsonNode()});
        next = &at->members.back().second;
      }
      at = next;
    }
    if (at == nullptr) continue;
    if (lever.kind == Lever::Kind::item) {
      removed.emplace_back(at, steps.back().index);
      continue;
    }
    texts.push_back(lever.kind == Lever::Kind::number ? shortest_text(settings[i].number)
                                                      : lever.options[static_cast<std::size_t>(settings[i].option)]);
    JsonNode value;
    if (parse_json(texts.back(), value, problem)) *at = value;
  }
  // From the back, so that earlier indices stay valid.
  std::stable_sort(removed.begin(), removed.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [list, index] : removed) {
    if (index >= list->items.size()) continue;
    list->items.erase(list->items.begin() + static_cast<std::ptrdiff_t>(index));
    if (list->items.empty()) list->raw = "[]";
  }
  std::string json;
  write_json(root, json);
  return json;
}

BoxRef Levers::box(BoxEvaluator& boxes, TypeId type, const Value& value, const std::string& path,
                   const Ranges& ranges) const {
  const Type& t = model_->types[type];
  if (const auto at = by_path_.find(path); at != by_path_.end()) {
    const Lever& lever = levers_[at->second];
    const Range& range = ranges[at->second];
    auto result = std::make_shared<Box>();
    result->type = type;
    result->kind = t.kind;
    if (lever.kind == Lever::Kind::number) {
      result->number = range.numbers;
      return result;
    }
    result->may_be = result->may_miss = result->may_true = result->may_false = result->any_text = false;
    const auto number = [&](const Interval& range_of) {
      result->number = result->may_be ? interval_hull(result->number, range_of) : range_of;
      result->may_be = true;
    };
    if (lever.was_missing && (range.allowed >> lever.values.size() & 1U) != 0) number(t.range);
    for (std::size_t i = 0; i < lever.values.size(); ++i) {
      if ((range.allowed >> i & 1U) == 0) continue;
      const Value& v = lever.values[i];
      result->may_miss = result->may_miss || v.missing();
      if (v.missing()) continue;
      if (t.kind == TypeKind::number) number(exactly(v.number));
      result->may_be = true;
      if (t.kind == TypeKind::boolean) (v.boolean.truth != 0 ? result->may_true : result->may_false) = true;
      if (t.kind == TypeKind::text) result->texts.emplace_back(v.text.view());
    }
    return result;
  }
  const auto below = by_path_.lower_bound(path + ".");
  const bool inside = (below != by_path_.end() && below->first.starts_with(path + ".")) ||
                      (t.kind == TypeKind::list && !value.missing() && value.list.size > 0);
  if (!inside || value.missing()) return boxes.of_value(type, value);
  auto result = std::make_shared<Box>();
  result->type = type;
  result->kind = t.kind;
  result->known = true;
  if (t.kind == TypeKind::record) {
    for (std::size_t i = 0; i < t.fields.size(); ++i) {
      result->items.push_back(
          {box(boxes, t.fields[i].type, value.record.fields[i], path + "." + t.fields[i].name, ranges), false, {}});
    }
    return result;
  }
  if (t.kind != TypeKind::list) return boxes.of_value(type, value);
  for (std::uint32_t i = 0; i < value.list.size; ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    const auto lever = items_.find(at);
    const std::uint32_t allowed = lever == items_.end() ? 1U : ranges[lever->second].allowed;
    if ((allowed & 1U) == 0) continue;
    result->items.push_back({box(boxes, t.element, value.list.items[i], at, ranges), (allowed & 2U) != 0, {}});
  }
  return result;
}

namespace {

bool same(Number a, Number b) { return a.num == b.num && a.den == b.den; }
bool same(const Range& a, const Range& b) {
  return a.allowed == b.allowed && same(a.numbers.low, b.numbers.low) && same(a.numbers.high, b.numbers.high) &&
         a.numbers.low_open == b.numbers.low_open && a.numbers.high_open == b.numbers.high_open;
}

}  // namespace

void Levers::set_slots(BoxEvaluator& boxes, const Ranges& ranges) const {
  const bool all = last_generation_ != boxes.generation() || last_.size() != ranges.size();
  std::vector<bool> moved = all ? varied_ : std::vector<bool>(varied_.size(), false);
  for (std::size_t i = 0; !all && i < ranges.size(); ++i) {
    if (!same(last_[i], ranges[i])) moved[static_cast<std::size_t>(levers_[i].slot)] = true;
  }
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    if (varied_[i] && moved[i])
      boxes.set_slot(static_cast<int>(i),
                     box(boxes, rubric_->slots[i].type, slots_[i], rubric_->slots[i].name, ranges));
  }
  last_ = ranges;
  last_generation_ = boxes.generation();
}

}  // namespace assay
