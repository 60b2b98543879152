// The stages of an explanation. This unit computes no score: the values come from a run of all items, the reasons from
// the model (prose, the text of the defining expression, the names it refers to) and from the trace.
#include "runtime/explain/explanation.hpp"

#include "lang/syntax/declarations.hpp"
#include "lang/value/limit_message.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kShort = 100;  // characters of a value that is not opened

std::string pad(const std::string& text, std::size_t to) {
  const std::size_t now = display_width(text);
  return now < to ? text + std::string(to - now, ' ') : text;
}

}  // namespace

ExplanationText::ExplanationText(const Explained& what)
    : what_(what),
      model_(*what.rubric.model),
      rubric_(what.rubric.rubric()),
      writer_(model_.types),
      entries_(declared_entries(what.rubric)),
      instances_(what.trace),
      all_(what.open.count("all") > 0) {
  writer_.watch(what.interrupt);
}

std::string ExplanationText::whole() {
  out_ = rubric_.name + (rubric_.version.empty() ? "" : " " + rubric_.version) +
         (rubric_.prose.empty() ? "" : ": " + rubric_.prose) + "\n";
  inputs();
  gates();
  dimensions();
  composite();
  for (const AdjustmentRow& step : kAdjustments) adjustments(step);
  score();
  bands();
  hooks();
  kinds("Values in between", ItemKind::let);
  kinds("Outputs", ItemKind::output);
  for (const ExplainedList& list : kExplainedLists) {
    if (list.key != "flags" || !flags(list)) listed(list);
  }
  second_pass({});
  title("Verdict");
  out_ += "  ";
  out_ += what_.verdict;
  out_ += '\n';
  return finished();
}

std::string ExplanationText::single(std::string_view name, bool& unknown) {
  while (name.starts_with("dimensions.") || name.starts_with("gates.")) name.remove_prefix(name.find('.') + 1);
  if (name.starts_with("input.")) {
    if (const int slot = find_slot(name.substr(6)); slot >= 0) return slot_text(slot, 0), finished();
  }
  int index = find_item(name);
  if (second_pass(name)) return finished();
  if (index < 0 && find_slot(name) < 0) index = find_criterion(name);
  if (index >= 0) {
    made_of(index, 0);
    for (const EntryList& list : entries_) {  // for one of the lists itself: every possible entry
      if (list.item != index) continue;
      for (const Entry& entry : list.entries) formula(list, entry, {}, 1);
    }
  } else if (const int slot = find_slot(name); slot >= 0) {
    slot_text(slot, 0);
  } else if (!entry(name)) {
    unknown = true;
    std::vector<std::string_view> known;
    for (const Slot& s : rubric_.slots) known.push_back(s.name);
    for (const Item& i : rubric_.items) {
      if (i.kind != ItemKind::hidden) known.push_back(i.name);
    }
    for (const EntryList& list : entries_) {
      for (const Entry& e : list.entries) known.push_back(e.name);
    }
    if (what_.each != nullptr) {
      for (const VerdictField& field : what_.each->fields()) known.push_back(field.name);
    }
    out_ = "there is no '" + printable(shorten(name, kMostQuoted)) + "' in " + rubric_.name;
    const std::string of_run = of_whole_run(name);
    const std::string_view near = nearest(name, known);
    out_ += !of_run.empty() ? of_run : near.empty() ? "" : "; did you mean '" + std::string(near) + "'?";
    out_ += "\n";
  }
  return finished();
}

// What to write for a name that only the whole run knows; empty: it does not know the name either.
std::string ExplanationText::of_whole_run(std::string_view name) const {
  const auto shows = [&](int rubric) {
    if (rubric < 0) return false;
    const RubricModel& r = model_.rubrics[static_cast<std::size_t>(rubric)];
    return std::any_of(r.items.begin(), r.items.end(),
                       [&](const Item& it) { return it.name == name && it.kind != ItemKind::hidden; });
  };
  if (what_.each == nullptr && shows(rubric_.cohort.each)) return ": it depends on the whole run, add --cohort";
  if (shows(rubric_.cohort.rubric)) return ": it is a value of the whole run, not of one record";
  return {};
}

std::string ExplanationText::nothing_to_open() const {
  std::vector<std::string_view> known{"all"};
  for (const Slot& s : rubric_.slots) known.push_back(s.name);
  for (const Item& i : rubric_.items) known.push_back(i.name);
  for (const Function& f : model_.functions) known.push_back(f.name);
  for (const HookModel& h : model_.hooks) known.push_back(h.name);
  for (const RubricModel& r : model_.rubrics) known.push_back(r.name);
  for (const EntryList& list : entries_) {
    for (const Entry& e : list.entries) known.push_back(e.name);
  }
  for (const TracePoint& point : what_.trace.points()) known.push_back(point.name);
  if (what_.each != nullptr) {
    for (const Slot& s : each_rubric().slots) known.push_back(s.name);
    for (const VerdictField& field : what_.each->fields()) known.push_back(field.name);
  }
  for (const std::string& name : what_.open) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string_view near = nearest(name, known);
    return "there is nothing to open by the name '" + printable(shorten(name, kMostQuoted)) + "' in " + rubric_.name +
           (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?") + "\n";
  }
  return {};
}

// ---- values and lines

std::string ExplanationText::shown(TypeId type, const Value& v, std::string_view whose) {
  if (v.missing()) return "missing";
  const bool open = opens(whose);
  // A value with shared parts may be far larger as a text than in memory.
  constexpr std::size_t kBytesACharacter = 16;
  std::string json;
  const int digits = rubric_.scale.digits > 0 ? kDigits - rubric_.scale.digits : kSignificant;
  const bool all = writer_.write(type, v, digits, json, open ? what_.most_bytes : kBytesACharacter * kShort);
  if (open) return all ? json : json + "…";
  std::string text = shorten(json, kShort);
  if (!all && text == json) text += "…";
  if (text != json && !whose.empty()) folded_.insert(std::string(whose));
  return text;
}

std::string ExplanationText::text_of(Span span) const {
  if (span.begin == span.end) return {};
  std::string text = one_line(what_.rubric.sources.text(span));
  // an expression made by the checker has the place of the rubric's name
  return text == rubric_.name ? std::string() : text;
}

std::string ExplanationText::part_of(Span span) const {
  if (span.begin == span.end) return {};
  std::string text = part_of_formula(what_.rubric.sources.text(span));
  return text == rubric_.name ? std::string() : text;
}

void ExplanationText::title(const std::string& text) { out_ += "\n" + text + "\n"; }

void ExplanationText::line(int depth, const std::string& text) {
  if (full()) return;
  work(text.size());
  out_ += std::string(static_cast<std::size_t>(2 * depth + 2), ' ') + printable(text) + "\n";
}

void ExplanationText::work(std::size_t bytes) {
  constexpr std::size_t kBetweenLooks = std::size_t{1} << 16, kLine = 64;  // a line costs as much as some bytes
  work_ += bytes + kLine;
  if (work_ < next_look_) return;
  next_look_ = work_ + kBetweenLooks;
  stopped_ = stopped_ || interrupted(what_.interrupt);
}

std::string ExplanationText::finished() {
  if (!folded_.empty()) {
    std::string names;
    for (const std::string& name : folded_) names += (names.empty() ? "" : ", ") + name;
    out_ += "\n";
    line(-1, "Folded: " + names + ". --open NAME unfolds one of them, --open all everything.");
  }
  if (!what_.trace.complete() && !what_.open.empty()) line(-1, "More happened than is kept here: open less at once.");
  if (out_.size() > what_.most_bytes) {
    out_.resize(what_.most_bytes);
    out_ += "\nThe explanation ends here: it is larger than " + std::to_string(what_.most_bytes) +
            " bytes, the limit output_bytes.\n";
  }
  return printable_lines(out_);
}

void ExplanationText::slot_text(int slot, int depth) {
  const Slot& s = rubric_.slots[static_cast<std::size_t>(slot)];
  line(depth, s.name + " = " + shown(s.type, what_.slots[slot], s.name) + ", " + origin(slot) + prose(s.prose));
}

References ExplanationText::asked(const Expr* body, int index) const {
  const Trace& trace = what_.trace;
  return references_asked(model_, what_.rubric.index(), body, index,
                          [&](int of, const Expr& e, int side) { return trace.reached(of, e, side); });
}

// "a = 9 (given), b = 2": the values that an expression was made of, and those that it did not need.
std::string ExplanationText::with(const Expr* body, int index) {
  const References refs = asked(body, index), all = references_of(model_, what_.rubric.index(), body, index);
  std::string text, others;
  const auto add = [](std::string& to, const std::string& part) { to += (to.empty() ? "" : ", ") + part; };
  const auto has = [](const std::vector<int>& list, int i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  };
  for (const int slot : refs.slots) {
    const Slot& s = rubric_.slots[static_cast<std::size_t>(slot)];
    add(text, s.name + " = " + shown(s.type, what_.slots[slot], s.name) + " (" + origin(slot) + ")");
  }
  for (const int other : refs.items) add(text, item(other).name + " = " + shown(other));
  for (const int weight : refs.weights)
    add(text, "weight of " + rubric_.weighting.weights[static_cast<std::size_t>(weight)].name + " = " +
                  shown(weight_of(weight)));
  for (const int slot : all.slots) {
    if (!has(refs.slots, slot)) add(others, rubric_.slots[static_cast<std::size_t>(slot)].name);
  }
  for (const int other : all.items) {
    if (!has(refs.items, other)) add(others, item(other).name);
  }
  if (!others.empty()) text += (text.empty() ? "not asked for: " : "; not asked for: ") + others;
  return text;
}

void ExplanationText::parts(int index, int depth) {
  if (const std::string text = source(index); !text.empty()) line(depth, "as: " + text);
  if (const std::string text = with(item(index).body, index); !text.empty()) line(depth, "with: " + text);
  steps(index, depth);
}

void ExplanationText::made_of(int index, int depth) {
  const Item& it = item(index);
  line(depth, it.name + " = " + shown(index) + prose(it.prose));
  if (!explained_.insert(index).second) return;
  if (const std::string text = source(index); !text.empty()) line(depth + 1, "as: " + text);
  if (it.kind == ItemKind::band) band_row(index, depth + 1);
  caps_on(std::string_view(it.name).substr(it.name.rfind('.') + 1), depth + 1);
  if (it.kind != ItemKind::pipeline && it.kind != ItemKind::band) steps(index, depth + 1);
  const References refs = asked(it.body, index), all = references_of(model_, what_.rubric.index(), it.body, index);
  for (const int slot : refs.slots) slot_text(slot, depth + 1);
  for (const int weight : refs.weights)
    line(depth + 1, "weight of " + rubric_.weighting.weights[static_cast<std::size_t>(weight)].name + " = " +
                        shown(weight_of(weight)));
  constexpr int kDeepest = 12;
  for (const int other : refs.items) {
    if (depth < kDeepest) {
      made_of(other, depth + 1);
    } else {
      line(depth + 1, item(other).name + " = " + shown(other) + ", explained by --why " + item(other).name);
    }
  }
  std::string others;
  for (const int slot : all.slots) {
    if (std::find(refs.slots.begin(), refs.slots.end(), slot) == refs.slots.end())
      others += (others.empty() ? "" : ", ") + rubric_.slots[static_cast<std::size_t>(slot)].name;
  }
  for (const int other : all.items) {
    if (std::find(refs.items.begin(), refs.items.end(), other) == refs.items.end())
      others += (others.empty() ? "" : ", ") + item(other).name;
  }
  if (!others.empty()) line(depth + 1, "not asked for: " + others);
}

// ---- the stages

void ExplanationText::inputs() {
  title("Inputs");
  std::size_t name_width = 0, value_width = 0;
  std::vector<std::string> values;
  constexpr std::size_t kColumn = 40;
  for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
    values.push_back(shown(rubric_.slots[i].type, what_.slots[i], rubric_.slots[i].name));
    if (const std::size_t width = display_width(rubric_.slots[i].name); width <= kColumn)
      name_width = std::max(name_width, width);
    if (const std::size_t width = display_width(values.back()); width <= kColumn)
      value_width = std::max(value_width, width);
  }
  for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
    line(0, pad(rubric_.slots[i].name, name_width) + "  " + pad(values[i], value_width) + "  " +
                origin(static_cast<int>(i)) + prose(rubric_.slots[i].prose));
  }
}

void ExplanationText::gates() {
  bool first = true;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& it = rubric_.items[i];
    if (it.kind != ItemKind::gate) continue;
    if (first) title("Gates (a gate that fails makes the record ineligible and never moves the score)");
    first = false;
    const Value& v = what_.items[i];
    line(0, it.name + ": " + (v.missing() ? "unknown" : v.boolean.truth != 0 ? "passed" : "FAILED") + prose(it.prose));
    parts(static_cast<int>(i), 1);
  }
}

void ExplanationText::dimension(const DimensionModel& d, int depth) {
  std::string text = d.name + ": ";
  const bool has_score = d.score >= 0;
  const int of = has_score ? d.score : d.value;
  const bool none = of >= 0 && value(of).missing();
  if (none) {
    text += "missing" + (d.weight < 0 ? std::string(", advisory")
                                      : (d.points ? ", points " : ", weight ") + shown(weight_of(d.weight)));
  } else if (d.points && d.contribution >= 0 && d.weight >= 0) {
    text += shown(d.contribution) + " of " + shown(weight_of(d.weight)) + " points";
  } else {
    if (has_score) text += "score " + shown(d.score);
    if (!has_score && d.value >= 0) text += shown(d.value);
    if (d.weight >= 0) text += (d.points ? " × points " : " × weight ") + shown(weight_of(d.weight));
    if (d.weight < 0) text += ", advisory";
    if (d.contribution >= 0 && d.weight >= 0) text += " = " + shown(d.contribution);
  }
  line(depth, text + prose(d.prose));
  if (d.value >= 0 && d.parts.empty()) parts(d.value, depth + 1);
  caps_on(d.name, depth + 1);
  level(d, depth + 1);
  for (const DimensionModel& part : d.parts) dimension(part, depth + 1);
}

void ExplanationText::dimensions() {
  if (rubric_.dimensions.empty()) return;
  title("Dimensions");
  for (const DimensionModel& d : rubric_.dimensions) dimension(d, 0);
}

void ExplanationText::composite() {
  const int index = find_item("composite");
  if (index < 0) return;
  const bool none = value(index).missing();
  const std::string sum = sum_of_dimensions(!none);
  const bool written = !source(index).empty();
  if (!written && sum.empty() && none) return;  // nothing to show
  title("Composite");
  line(0, "composite = " + (sum.empty() || written || none ? "" : sum + " = ") + shown(index));
  if (written) parts(index, 1);
  std::string missing;
  for (const DimensionModel& d : rubric_.dimensions) {
    if (d.weight >= 0 && d.contribution >= 0 && value(d.contribution).missing())
      missing += (missing.empty() ? "" : ", ") + d.name;
  }
  if (!written && !missing.empty())
    line(1, "missing: " + missing + (none ? "" : "; the others have the weight between them"));
  caps_on("composite", 1);
}

// `skipped`: missing dimensions are left out, and their weight is given to the others in proportion.
std::string ExplanationText::sum_of_dimensions(bool skipped) {
  std::string sum;
  Number given = assay::whole(0), all = given;
  NumberPool pool;
  for (const DimensionModel& d : rubric_.dimensions) {
    if (d.weight < 0 || d.contribution < 0) continue;
    all = add(all, weight_of(d.weight), pool);
    if (skipped && value(d.contribution).missing()) continue;
    given = add(given, weight_of(d.weight), pool);
    sum += (sum.empty() ? "" : " + ");
    const bool weighted = d.score >= 0 && !d.points;
    sum += weighted ? shown(d.score) + " × " + shown(weight_of(d.weight)) : shown(d.contribution);
  }
  if (compare(given, all) == 0 || sign(given) == 0) return sum;
  return "(" + sum + ") / " + shown(given) + (compare(all, assay::whole(1)) == 0 ? "" : " × " + shown(all));
}

void ExplanationText::score() {
  const int index = find_item("score");
  if (index < 0 || !rubric_.scale.declared) return;
  title("Score");
  constexpr std::size_t kNumberWord = 6;  // str() writes "number 0..10", or "number" without bounds
  std::string text = "score = " + shown(index);
  const std::string scale = str(rubric_.scale.range, false).substr(kNumberWord);
  text += scale.empty() ? ", on an open scale" : ", on the scale" + scale;
  if (rubric_.scale.decimals >= 0)
    text += ", rounded to " + std::to_string(rubric_.scale.decimals) +
            (rubric_.scale.decimals == 1 ? " decimal" : " decimals");
  line(0, text);
  References refs = asked(item(index).body, index);
  NumberPool pool;
  Number sum = kMissing;
  if (const int composite = find_step("composite"); composite >= 0) {
    std::erase(refs.items, composite);
    sum = value(composite).missing() ? kMissing : value(composite).number;
    line(1, "composite = " + shown(composite) + kept_on_scale(sum, ""));
  }
  for (const AdjustmentRow& step : kAdjustments) {
    const int found = find_step(step.total);
    if (found < 0) continue;
    const Value& v = value(found);
    const bool referred = std::erase(refs.items, found) > 0;  // constants are not references
    if (!referred && (v.missing() || sign(v.number) == 0)) continue;
    std::string kept;
    if (!v.missing() && !sum.missing()) {
      sum = step.apply == ApplyTotal::sub ? sub(sum, v.number, pool) : add(sum, v.number, pool);
      kept = kept_on_scale(sum, ": " + shown(sum));
    }
    line(1, std::string(step.total) + " = " + shown(found) + kept);
  }
  for (const int other : refs.items) line(1, item(other).name + " = " + shown(other));
  caps_on("score", 1);
  for (const EntryList& list : entries_) {
    if (list.key == "caps") did_not_come(list);
  }
  for (const char* name : {"status", "reason", "coverage"}) {
    const int found = find_item(name);
    if (found >= 0 && !value(found).missing()) line(0, std::string(name) + " = " + shown(found));
  }
}

// The table row of a band: a pick over an item that holds the row number.
void ExplanationText::band_row(int index, int depth) {
  const Expr* pick = find_op(item(index).body, Op::pick);
  if (pick == nullptr || pick->args.empty() || pick->args[0]->op != Op::item) return;
  const int row_item = static_cast<int>(pick->args[0]->index);
  const Expr* lookup = find_op(item(row_item).body, Op::lookup);
  bool first = true;  // first match
  if (const Expr* before = lookup == nullptr ? find_op(item(row_item).body, Op::item) : nullptr; before != nullptr) {
    const int uncapped = static_cast<int>(before->index);
    lookup = find_op(item(uncapped).body, Op::lookup);
    first = !value(uncapped).missing() && !value(row_item).missing() &&
            compare(value(uncapped).number, value(row_item).number) == 0;
  }
  std::int64_t row = 0;
  if (lookup == nullptr || value(row_item).missing() || !to_int64(value(row_item).number, row)) return;
  const LookupTable& table = model_.tables[lookup->index];
  if (row < 0 || static_cast<std::size_t>(row) >= table.rows.size()) return;
  line(depth, "row " + std::to_string(row + 1) + " of " + std::to_string(table.rows.size()) +
                  (first ? ", the first that fits: " : ", after its caps: ") +
                  text_of(table.rows[static_cast<std::size_t>(row)].span));
}

void ExplanationText::bands() {
  bool first = true;
  std::string table;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& it = rubric_.items[i];
    if (it.kind != ItemKind::band) continue;
    if (first) title("Bands");
    first = false;
    const bool attribute = !table.empty() && it.name.compare(0, table.size() + 1, table + "_") == 0;
    line(attribute ? 1 : 0, it.name + " = " + shown(static_cast<int>(i)));
    if (it.name == table + "_could_be") line(2, "with: " + with(it.body, static_cast<int>(i)));
    if (attribute) continue;
    table = it.name;
    band_row(static_cast<int>(i), 1);
    caps_on(it.name, 1);
  }
}

void ExplanationText::kinds(const std::string& heading, ItemKind kind) {
  bool first = true;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& it = rubric_.items[i];
    if (it.kind != kind || it.name.empty()) continue;
    if (first) title(heading);
    first = false;
    line(0, it.name + " = " + shown(static_cast<int>(i)) + prose(it.prose));
    parts(static_cast<int>(i), 1);
  }
}

void ExplanationText::listed(const ExplainedList& as) {
  const int index = find_item(as.key);
  if (index < 0 || value(index).missing() || model_.types.kind(item(index).type) != TypeKind::list) return;
  const ListValue list = value(index).list;
  if (list.size == 0) return;
  title(std::string(as.heading));
  const TypeId element = model_.types[item(index).type].element;
  for (std::uint32_t i = 0; i < list.size && !full(); ++i) {
    const bool text = model_.types.kind(element) == TypeKind::text && !list.items[i].missing();
    line(0, text ? std::string(list.items[i].text.view()) : shown(element, list.items[i], item(index).name));
  }
}

// ---- lookups

int ExplanationText::find_slot(std::string_view name) const {
  for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
    if (rubric_.slots[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int ExplanationText::find_item(std::string_view name) const {
  int found = -1;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& item = rubric_.items[i];
    if (item.name != name || item.kind == ItemKind::hidden || item.kind == ItemKind::rank) continue;
    if (found < 0 || item.kind != ItemKind::input) found = static_cast<int>(i);
  }
  if (found >= 0) return found;
  for (const VerdictField& field : rubric_.verdict.fields) {
    if (field.name == name) return field.item;
  }
  return -1;
}

int ExplanationText::find_step(std::string_view name) const {
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    if (rubric_.items[i].kind == ItemKind::pipeline && rubric_.items[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int ExplanationText::find_criterion(std::string_view name) const {
  int found = -1;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& item = rubric_.items[i];
    if (item.kind == ItemKind::hidden || !std::string_view(item.name).ends_with("." + std::string(name))) continue;
    if (found >= 0 && rubric_.items[static_cast<std::size_t>(found)].name != item.name) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

Number ExplanationText::weight_of(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return what_.weights != nullptr ? what_.weights[i] : rubric_.weighting.weights[i].value;
}

std::string ExplanationText::origin(int slot) const {
  const auto i = static_cast<std::size_t>(slot);
  if (what_.given[i]) return "given";
  switch (rubric_.slots[i].presence) {
    case Presence::defaulted: return "not given, the default";
    default: return "not given";
  }
}

void ExplanationText::level(const DimensionModel& d, int depth) {
  const int of = d.score >= 0 ? d.score : d.value;
  if (d.levels.empty() || of < 0 || value(of).missing() || model_.types.kind(item(of).type) != TypeKind::number) return;
  const LevelModel* best = nullptr;
  for (const LevelModel& l : d.levels) {
    if (compare(l.level, value(of).number) <= 0 && (best == nullptr || compare(l.level, best->level) > 0)) best = &l;
  }
  if (best != nullptr) line(depth, "level " + shown(best->level) + ": " + best->prose);
}

void ExplanationText::caps_on(std::string_view of, int depth) {
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    const Item& it = rubric_.items[i];
    if (it.kind != ItemKind::pipeline || it.name != "caps" || it.body == nullptr || what_.items[i].missing()) continue;
    const TypeId entry = model_.types[it.type].element;
    const ListValue bound = what_.items[i].list;
    for (std::uint32_t k = 0; k < bound.size; ++k) {
      const Value* fields = bound.items[k].record.fields;  // name, from, at, reason
      if (fields[0].text.view() != of) continue;
      const TypeId type = model_.types[entry].fields[1].type;
      line(depth, "capped: " + shown(type, fields[1], "caps") + " → " + shown(type, fields[2], "caps") +
                      (fields[3].missing() ? "" : prose(std::string(fields[3].text.view()))));
    }
  }
}

std::string ExplanationText::kept_on_scale(Number& sum, const std::string& before) {
  if (sum.missing()) return {};
  const Number was = sum;
  const Interval& scale = rubric_.scale.range;
  if (!scale.low.missing() && compare(sum, scale.low) < 0) sum = scale.low;
  if (!scale.high.missing() && compare(sum, scale.high) > 0) sum = scale.high;
  return compare(was, sum) == 0 ? std::string() : before + ", kept on the scale: " + shown(sum);
}

void ExplanationText::hooks() {
  if (what_.hooks.empty()) return;
  title("Hooks (what each call cost, in steps)");
  const std::size_t most = all_ ? SIZE_MAX : 50;
  for (std::size_t i = 0; i < what_.hooks.size() && i < most; ++i) {
    const HookCall& call = what_.hooks[i];
    const std::string cost = call.steps > 0 ? ", " + std::to_string(call.steps) + " steps" : "";
    const std::string& name = model_.hooks[static_cast<std::size_t>(call.hook)].name;
    const auto cut = [&](const std::string& text) {
      if (opens(name)) return text;
      const std::string less = shorten(text, kShort);
      if (less != text) folded_.insert(name);
      return less;
    };
    line(0, name + "(" + cut(call.arguments) + ") = " + cut(call.result) + cost);
  }
  if (what_.hooks.size() > most)
    line(0, "and " + std::to_string(what_.hooks.size() - most) + " more calls, with --open all");
}

}  // namespace assay
