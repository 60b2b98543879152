// What changes if fields of a record change, or if a rubric does.
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/json/json_out.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace assay {

Analysis::Analysis(const Rubric& rubric, const EvaluatorOptions& options)
    : impl_(std::make_unique<Impl>(rubric, options)) {}
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

const std::string& Analysis::series_by() const { return impl_->first.rubric().history.by; }

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

// The order in which changes are reported.
constexpr std::string_view kStages[] = {"input",      "value",    "gate",  "dimension", "criterion", "composite",
                                        "deductions", "bonuses",  "caps",  "score",     "status",    "band",
                                        "output",     "degraded", "flags", "advice"};

// Values of the pipeline that repeat others.
bool repeats(const Item& item) {
  for (const std::string_view name : {"dimensions", "gates", "history", "id", "incomplete", "coverage"}) {
    if (item.kind == ItemKind::pipeline && item.name == name && name != "coverage") return true;
  }
  return false;
}

// The functions and tables that an expression uses, including through unnamed items.
void names_used(const Model& model, const RubricModel& rubric, const Expr* e, std::set<std::string>& names,
                int level = 0) {
  constexpr int kDeepest = 60;
  if (e == nullptr || level > kDeepest) return;
  if (e->op == Op::item && rubric.items[e->index].kind == ItemKind::hidden)
    names_used(model, rubric, rubric.items[e->index].body, names, level + 1);
  if (e->op == Op::call && names.insert(model.functions[e->index].name).second)
    names_used(model, rubric, model.functions[e->index].body, names, level + 1);
  if (e->op == Op::lookup) names.insert(model.tables[e->index].name);
  if (e->op == Op::hook) names.insert(model.hooks[e->index].name);
  for (const Expr* arg : e->args) names_used(model, rubric, arg, names, level + 1);
  if (!e->loop) return;
  for (const LoopClause& clause : e->loop->clauses) names_used(model, rubric, clause.expr, names, level + 1);
  for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value})
    names_used(model, rubric, part, names, level + 1);
}

// For example "dimension" and "clarity" from "dimension clarity, row 3".
std::pair<std::string_view, std::string_view> word_and_name(const Change& change) {
  const std::string_view what = change.what;
  const std::size_t space = what.find(' ');
  std::string_view name = space == std::string_view::npos ? std::string_view() : what.substr(space + 1);
  name = name.substr(0, std::min(name.find(','), name.find('(')));
  while (!name.empty() && (name.front() == '"' || name.front() == '\'')) name.remove_prefix(1);
  while (!name.empty() && (name.back() == '"' || name.back() == '\'')) name.remove_suffix(1);
  return {what.substr(0, space), name};
}

// The entries with this name in a list of the verdict, as JSON.
std::string entries_named(Probe& probe, std::string_view list, std::string_view name) {
  const int item = probe.find_step(list);
  std::string found;
  if (item < 0 || probe.item(item).missing()) return found;
  const TypeId element = probe.model().types[probe.rubric().items[static_cast<std::size_t>(item)].type].element;
  const ListValue all = probe.item(item).list;
  for (std::uint32_t i = 0; i < all.size; ++i) {
    const Value& one = all.items[i];
    const bool text = probe.model().types.kind(element) == TypeKind::text;
    const Value& label = text ? one : one.record.fields[0];
    if (!label.missing() && label.text.view() == name) found += probe.shown(element, one) + "\n";
  }
  return found;
}

// The row name that the bands of `table` give to the number that the bands of `key` grade; null if they are not rows
// over one number.
const std::string* band_at(const BandLadder* table, const BandLadder* key, Probe& tables, Probe& keys) {
  if (table == nullptr || key == nullptr || key->key < 0) return nullptr;
  const Number at = keys.number(key->key);
  const int row_item = table->row_item;
  const Item& item = tables.rubric().items[static_cast<std::size_t>(row_item)];
  const Expr* lookup = item.body;
  while (lookup != nullptr && lookup->op == Op::choice) lookup = lookup->args[0];
  if (at.missing() || lookup == nullptr || lookup->op != Op::lookup) return nullptr;  // for example with caps
  const LookupTable& rows = tables.model().tables[lookup->index];
  if (rows.keys.size() != 1 || tables.model().types.kind(rows.keys[0].type) != TypeKind::number ||
      rows.rows.size() != table->labels.size())
    return nullptr;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    bool fits = rows.rows[i].cells[0].empty();
    for (const CellTest& test : rows.rows[i].cells[0]) {
      const RangeData& r = test.range;
      if (test.kind == CellTest::Kind::value) fits = fits || assay::compare(test.value.number, at) == 0;
      if (test.kind != CellTest::Kind::range) continue;
      const int low = r.low.missing() ? 1 : assay::compare(at, r.low);
      const int high = r.high.missing() ? -1 : assay::compare(at, r.high);
      fits = fits || ((r.low_open ? low > 0 : low >= 0) && (r.high_open ? high < 0 : high <= 0));
    }
    if (fits) return &table->labels[i];
  }
  return nullptr;
}

// Whether a changed declaration of this value can have changed it here. Not so for a cap that has no effect before or
// after, for an equal deduction, or for bands that would have given the same row before.
bool moved(const Change& change, Probe& before, Probe& after, const Item& item) {
  const auto [word, name] = word_and_name(change);
  if (word == "cap" && before.find_step("caps") >= 0 && after.find_step("caps") >= 0)
    return !entries_named(before, "caps", name).empty() || !entries_named(after, "caps", name).empty();
  constexpr std::pair<std::string_view, std::string_view> kLists[] = {
      {"deduction", "deductions"}, {"bonus", "bonuses"}, {"flag", "flags"}, {"advice", "advice"}};
  for (const auto& [of, list] : kLists) {
    if (word == of && name.find('{') == std::string_view::npos)
      return entries_named(before, list, name) != entries_named(after, list, name);
  }
  if (word == "bands" && item.kind == ItemKind::band) {
    const std::vector<BandLadder> was = band_ladders(before.model(), before.rubric());
    const std::vector<BandLadder> is = band_ladders(after.model(), after.rubric());
    const auto named = [&](const std::vector<BandLadder>& ladders) {
      const auto found =
          std::find_if(ladders.begin(), ladders.end(), [&](const BandLadder& l) { return l.name == item.name; });
      return found == ladders.end() ? nullptr : &*found;
    };
    const std::string* const old_row = band_at(named(was), named(is), before, after);
    const std::string* const row = band_at(named(is), named(is), after, after);
    if (old_row != nullptr && row != nullptr) return *old_row != *row;
  }
  return true;
}

// Whether a changed declaration ("dimension clarity", "bands grade, row \"A\"") belongs to this item.
bool declares(const Change& change, const Model& model, const RubricModel& rubric, const Item& item) {
  const auto [word, name] = word_and_name(change);
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
  names_used(model, rubric, item.body, names);
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
    if (item.kind == ItemKind::pipeline && item.name == "deducted") because = {"deductions"};
    if (item.kind == ItemKind::pipeline && item.name == "added") because = {"bonuses"};
    for (const Change& declaration : declarations) {
      if (declaration.effect == Effect::prose || !declares(declaration, after.model(), is, item)) continue;
      if (!moved(declaration, before, after, item)) continue;
      std::string& text = found.back().second.declaration;
      text += (text.empty() ? "" : "; ") + told(declaration);
    }
  }
  for (std::size_t i = 0; i < was.items.size() && !same_rubric; ++i) {  // removed items
    const Item& item = was.items[i];
    if (item.body == nullptr || stage_of(item).empty() || repeats(item) || item.kind == ItemKind::input) continue;
    if (find(is, item) >= 0) continue;
    const auto stage = std::find(std::begin(kStages), std::end(kStages), stage_of(item));
    ValueChange change{std::string(stage_of(item)), item.name, before.shown_item(static_cast<int>(i)), "null", {}, {}};
    for (const Change& declaration : declarations) {
      if (declares(declaration, before.model(), was, item)) change.declaration = told(declaration);
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
  std::size_t set = 0;
  const std::string changed = with_members(record, members, &set);
  if (set < members.size()) {
    const std::string& path = members[set].first;
    return InputError{path, "path", "'" + path + "' cannot be set in this record"};
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
