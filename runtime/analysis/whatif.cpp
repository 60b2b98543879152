// What changes when fields of a record change, or a rubric does.
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/json/json_out.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace assay {

Analysis::Analysis(const Rubric& rubric, EvaluatorOptions options)
    : impl_(std::make_unique<Impl>(rubric, std::move(options))) {}
Analysis::~Analysis() = default;
Analysis::Analysis(Analysis&&) noexcept = default;
Analysis& Analysis::operator=(Analysis&&) noexcept = default;

std::optional<InputError> Analysis::configure(const Settings& settings) {
  if (auto error = impl_->first.configure(settings)) return error;
  return impl_->second.configure(settings);
}

void Analysis::set_history(std::vector<std::string> records) {
  impl_->history = records;
  impl_->first.set_history(records);
  impl_->second.set_history(std::move(records));
}

std::vector<BandOrder> Analysis::bands() const {
  std::vector<BandOrder> bands;
  for (const BandLadder& ladder : band_ladders(impl_->first.model(), impl_->first.rubric())) {
    if (!ladder.ordered) continue;
    BandOrder band{ladder.name, ladder.labels};
    if (ladder.best_first) std::reverse(band.worst_first.begin(), band.worst_first.end());
    bands.push_back(std::move(band));
  }
  return bands;
}

void Analysis::pass(std::string_view record) {
  impl_->first.score(record);
  impl_->second.score(record);
}

std::string json_at(std::string_view record, std::string_view path) {
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(record, root, problem)) return {};
  const JsonNode* at = &root;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".[", path.front() == '[' ? 1 : 0), path.size());
    if (path.front() == '[') {
      std::size_t index = 0;
      const auto read = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (read.ec != std::errc() || !at->is(JsonNode::Kind::list) || index >= at->items.size()) return {};
      at = &at->items[index];
    } else {
      at = at->is(JsonNode::Kind::object) ? at->find(path.substr(0, end)) : nullptr;
      if (at == nullptr) return {};
    }
    path.remove_prefix(end < path.size() && path[end] == '.' ? end + 1 : end);
  }
  std::string json;
  write_json(*at, json);
  return json;
}

namespace {

// The order in which changes are told.
constexpr std::string_view kStages[] = {"input",      "value",    "gate",  "dimension", "criterion", "composite",
                                        "deductions", "bonuses",  "caps",  "score",     "status",    "band",
                                        "output",     "degraded", "flags", "advice"};

// Values of the pipeline that repeat what others say.
bool repeats(const Item& item) {
  for (const std::string_view name : {"dimensions", "gates", "history", "id", "incomplete", "coverage"}) {
    if (item.kind == ItemKind::pipeline && item.name == name && name != "coverage") return true;
  }
  return false;
}

// The functions and tables that an expression uses.
void names_used(const Model& model, const Expr* e, std::set<std::string>& names, int level = 0) {
  constexpr int kDeepest = 60;
  if (e == nullptr || level > kDeepest) return;
  if (e->op == Op::call && names.insert(model.functions[e->index].name).second)
    names_used(model, model.functions[e->index].body, names, level + 1);
  if (e->op == Op::lookup) names.insert(model.tables[e->index].name);
  if (e->op == Op::hook) names.insert(model.hooks[e->index].name);
  for (const Expr* arg : e->args) names_used(model, arg, names, level + 1);
  if (!e->loop) return;
  for (const LoopClause& clause : e->loop->clauses) names_used(model, clause.expr, names, level + 1);
  for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value})
    names_used(model, part, names, level + 1);
}

// Whether a changed declaration ("dimension clarity", "bands grade, row \"A\"") is that of this item.
bool declares(const Change& change, const Model& model, const Item& item) {
  const std::string_view what = change.what;
  const std::size_t space = what.find(' ');
  const std::string_view word = what.substr(0, space);
  std::string_view name = space == std::string_view::npos ? std::string_view() : what.substr(space + 1);
  name = name.substr(0, std::min(name.find(','), name.find('(')));
  while (!name.empty() && (name.front() == '"' || name.front() == '\'')) name.remove_prefix(1);
  while (!name.empty() && (name.back() == '"' || name.back() == '\'')) name.remove_suffix(1);
  const bool dimension = word == "dimension" || word == "criterion";
  const std::string_view last = std::string_view(item.name).substr(item.name.rfind('.') + 1);
  switch (item.kind) {
    case ItemKind::input: return word == "input" && name == item.name;
    case ItemKind::let:
      if (word == "let" && name == item.name) return true;
      break;
    case ItemKind::gate:
      if (word == "gate" && name == item.name) return true;
      break;
    case ItemKind::output:
      if (word == "output" && name == item.name) return true;
      break;
    case ItemKind::dimension:
    case ItemKind::part:
      if (((dimension && change.part != "weight") || word == "cap") && name == last) return true;
      break;
    case ItemKind::band:
      if ((word == "bands" || word == "cap") && item.name.starts_with(name)) return true;
      break;
    case ItemKind::pipeline:
      if (item.name == "composite" &&
          (word == "composite" || word == "weights" || word == "context" ||
           (dimension && (change.part == "weight" || change.part == "points" || change.kind == Change::Kind::added ||
                          change.kind == Change::Kind::removed)) ||
           (word == "cap" && name == "composite")))
        return true;
      if (item.name == "score" && (word == "scale" || (word == "cap" && name == "score"))) return true;
      if (item.name == "deductions" && (word == "deduction" || (word == "cap" && name == "deductions"))) return true;
      if (item.name == "bonuses" && (word == "bonus" || (word == "cap" && name == "bonuses"))) return true;
      if (item.name == "status" && (word == "gate" || word == "incomplete")) return true;
      if (item.name == "flags" && word == "flag") return true;
      if (item.name == "advice" && word == "advice") return true;
      break;
    default: return false;
  }
  if (word != "fn" && word != "table" && word != "hook") return false;
  std::set<std::string> names;
  names_used(model, item.body, names);
  return names.count(std::string(name)) > 0;
}

std::string told(const Change& change) {
  std::string text = change.what + (change.part.empty() ? "" : ", " + change.part);
  if (!change.before.empty() && !change.after.empty()) return text + ": " + change.before + " → " + change.after;
  switch (change.kind) {
    case Change::Kind::added: return text + " is added" + (change.after.empty() ? "" : ": " + change.after);
    case Change::Kind::removed: return text + " is removed";
    default: return text;
  }
}

}  // namespace

std::string_view stage_of(const Item& item) {
  switch (item.kind) {
    case ItemKind::input: return "input";
    case ItemKind::let: return "value";
    case ItemKind::gate: return "gate";
    case ItemKind::dimension: return "dimension";
    case ItemKind::part: return "criterion";
    case ItemKind::band: return "band";
    case ItemKind::output: return "output";
    case ItemKind::pipeline: break;
    default: return {};
  }
  if (item.name == "deducted") return "deductions";
  if (item.name == "added") return "bonuses";
  if (item.name == "reason" || item.name == "coverage") return "status";
  return item.name;
}

std::vector<ValueChange> value_changes(Probe& before, Probe& after, const std::vector<Change>& declarations) {
  const RubricModel &was = before.rubric(), &is = after.rubric();
  const bool same_rubric = &was == &is;
  const auto find = [](const RubricModel& rubric, const Item& like) {
    for (std::size_t i = 0; i < rubric.items.size(); ++i) {
      if (rubric.items[i].kind == like.kind && rubric.items[i].name == like.name) return static_cast<int>(i);
    }
    return -1;
  };
  std::set<std::string> changed;  // names
  std::vector<std::pair<int, ValueChange>> found;
  for (std::size_t i = 0; i < is.slots.size(); ++i) {
    const std::string& name = is.slots[i].name;
    const std::string now = after.shown(is.slots[i].type, after.slot(static_cast<int>(i)));
    for (std::size_t k = 0; k < was.slots.size(); ++k) {
      if (was.slots[k].name != name) continue;
      const std::string then = before.shown(was.slots[k].type, before.slot(static_cast<int>(k)));
      if (then != now) changed.insert(name);
    }
  }
  for (std::size_t i = 0; i < is.items.size(); ++i) {
    const Item& item = is.items[i];
    if (item.body == nullptr || stage_of(item).empty() || repeats(item)) continue;
    if (same_rubric && item.kind == ItemKind::input) continue;
    const int other = same_rubric ? static_cast<int>(i) : find(was, item);
    const std::string now = after.shown_item(static_cast<int>(i));
    const std::string then = other < 0 ? std::string() : before.shown_item(other);
    if (then == now || (other < 0 && (now == "null" || now == "[]"))) continue;
    changed.insert(item.name);
    const auto stage = std::find(std::begin(kStages), std::end(kStages), stage_of(item));
    ValueChange change{std::string(stage_of(item)), item.name, then.empty() ? "null" : then, now, {}, {}};
    found.emplace_back(static_cast<int>(stage - std::begin(kStages)), std::move(change));
    const References refs = references_of(after.model(), after.rubric_index(), item.body, static_cast<int>(i));
    std::vector<std::string>& because = found.back().second.because;
    for (const int slot : refs.slots) because.push_back(is.slots[static_cast<std::size_t>(slot)].name);
    for (const int ref : refs.items) because.push_back(is.items[static_cast<std::size_t>(ref)].name);
    for (const Change& declaration : declarations) {
      if (declaration.effect == Effect::prose || !declares(declaration, after.model(), item)) continue;
      std::string& text = found.back().second.declaration;
      text += (text.empty() ? "" : "; ") + told(declaration);
    }
  }
  for (std::size_t i = 0; i < was.items.size() && !same_rubric; ++i) {  // what is gone
    const Item& item = was.items[i];
    if (item.body == nullptr || stage_of(item).empty() || repeats(item) || item.kind == ItemKind::input) continue;
    if (find(is, item) >= 0) continue;
    const auto stage = std::find(std::begin(kStages), std::end(kStages), stage_of(item));
    ValueChange change{std::string(stage_of(item)), item.name, before.shown_item(static_cast<int>(i)), "null", {}, {}};
    for (const Change& declaration : declarations) {
      if (declares(declaration, before.model(), item)) change.declaration = told(declaration);
    }
    changed.insert(item.name);
    found.emplace_back(static_cast<int>(stage - std::begin(kStages)), std::move(change));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ValueChange> changes;
  for (auto& at_stage : found) {
    ValueChange& change = at_stage.second;
    std::set<std::string> once;
    std::erase_if(change.because, [&](const std::string& name) {
      return name == change.name || changed.count(name) == 0 || !once.insert(name).second;
    });
    changes.push_back(std::move(change));
  }
  return changes;
}

std::optional<InputError> Analysis::what_if(std::string_view record,
                                            const std::vector<std::pair<std::string, std::string>>& members,
                                            WhatIf& answer) {
  answer = WhatIf();
  Probe &before = impl_->first, &after = impl_->second;
  if (!before.take(record)) return before.error();
  std::string changed(record);
  for (const auto& [path, value] : members) {
    std::optional<std::string> next = with_member(changed, path, value);
    if (!next) return InputError{path, "path", "'" + path + "' cannot be set in this record"};
    changed = std::move(*next);
  }
  if (!after.take(changed)) return after.error();
  answer.id = before.id();
  for (const auto& member : members) {
    const std::string& path = member.first;
    std::string was = json_at(record, path);
    std::string now = json_at(changed, path);
    const bool told = std::any_of(answer.set.begin(), answer.set.end(),
                                  [&](const FieldChange& change) { return change.path == path; });
    if (!told && was != now) answer.set.push_back({path, was.empty() ? "null" : std::move(was), std::move(now)});
  }
  answer.before = before.verdict();
  answer.after = after.verdict();
  answer.changes = value_changes(before, after, {});
  return std::nullopt;
}

std::optional<InputError> Analysis::compare(std::string_view record, Analysis& after, std::string_view after_record,
                                            const std::vector<Change>& declarations,
                                            std::vector<ValueChange>& changes) {
  Probe &was = impl_->first, &is = after.impl_->second;
  if (!was.take(record)) return was.error();
  if (!is.take(after_record)) return is.error();
  changes = value_changes(was, is, declarations);
  return std::nullopt;
}

namespace {

void write_changes(JsonOut& out, const std::vector<ValueChange>& changes) {
  out.list();
  for (const ValueChange& change : changes) {
    out.object().key("stage").text(change.stage).key("name").text(change.name);
    out.key("before").raw(change.before).key("after").raw(change.after).key("because").list();
    for (const std::string& name : change.because) out.text(name);
    out.end_list();
    if (!change.declaration.empty()) out.key("declaration").text(change.declaration);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

std::string WhatIf::json() const {
  JsonOut out;
  out.object().key("id").text_or_null(id).key("set").list();
  for (const FieldChange& change : set) {
    out.object().key("path").text(change.path).key("before").raw(change.before).key("after").raw(change.after);
    out.end_object();
  }
  out.end_list().key("changes");
  write_changes(out, changes);
  out.key("before").raw(before).key("after").raw(after).end_object();
  return out.take();
}

}  // namespace assay
