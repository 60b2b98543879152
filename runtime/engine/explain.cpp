// Writing explanations. Nothing here computes a score: the values come from a run of all items, the reasons from the
// model (prose, the text of the defining expression, the names it refers to).
#include "runtime/engine/explain.hpp"

#include "lang/syntax/declarations.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/output/report.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

// A piece of source on one line.
std::string one_line(std::string_view source) {
  std::string line;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '#' && line.find('"') == std::string::npos) {  // a comment
      i = std::min(source.find('\n', i), source.size() - 1);
    }
    const bool space = source[i] == ' ' || source[i] == '\n' || source[i] == '\r' || source[i] == '\t';
    if (!space) {
      line += source[i];
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return shorten(line, 200);
}

class Explanation {
 public:
  explicit Explanation(const Explained& what)
      : what_(what), model_(*what.rubric.model), rubric_(what.rubric.rubric()), writer_(model_.types) {}

  std::string whole() {
    out_ = rubric_.name + (rubric_.version.empty() ? "" : " " + rubric_.version) +
           (rubric_.prose.empty() ? "" : ": " + rubric_.prose) + "\n";
    inputs();
    gates();
    dimensions();
    stage("Composite", {"composite"});
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
    out_ += "\nVerdict\n  ";
    out_ += what_.verdict;
    out_ += '\n';
    return printable_lines(out_);
  }

  std::string single(std::string_view name, bool& unknown) {
    while (name.starts_with("dimensions.") || name.starts_with("gates.")) name.remove_prefix(name.find('.') + 1);
    if (name.starts_with("input.")) {
      if (const int slot = find_slot(name.substr(6)); slot >= 0) return slot_text(slot, 0), printable_lines(out_);
    }
    int item = find_item(name);
    if (second_pass(name)) return printable_lines(out_);
    if (item < 0 && find_slot(name) < 0) item = find_criterion(name);
    if (item >= 0) {
      made_of(item, 0);
    } else if (const int slot = find_slot(name); slot >= 0) {
      slot_text(slot, 0);
    } else if (!entry(name)) {
      unknown = true;
      std::vector<std::string_view> known;
      for (const Slot& s : rubric_.slots) known.push_back(s.name);
      for (const Item& i : rubric_.items) {
        if (i.kind != ItemKind::hidden) known.push_back(i.name);
      }
      if (what_.each != nullptr) {
        for (const VerdictField& field : what_.each->fields()) known.push_back(field.name);
      }
      const std::string_view near = nearest(name, known);
      out_ = "there is no '" + printable(shorten(name, kMostQuoted)) + "' in " + rubric_.name +
             (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?") + "\n";
    }
    return printable_lines(out_);
  }

 private:
  // ---- looking things up
  int find_slot(std::string_view name) const {
    for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
      if (rubric_.slots[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }
  int find_item(std::string_view name) const {  // what the rubric declares before what the pipeline brings
    int found = -1;
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      const Item& item = rubric_.items[i];
      if (item.name != name || item.kind == ItemKind::hidden || item.kind == ItemKind::rank) continue;
      if (found < 0 || item.kind != ItemKind::input) found = static_cast<int>(i);
    }
    if (found >= 0) return found;
    for (const VerdictField& field : rubric_.verdict) {
      if (field.name == name) return field.item;
    }
    return -1;
  }
  // Of the pipeline, although an output may have the same name.
  int find_step(std::string_view name) const {
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      if (rubric_.items[i].kind == ItemKind::pipeline && rubric_.items[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }
  // "temperature" of "physiology.temperature", when only one ends so.
  int find_criterion(std::string_view name) const {
    int found = -1;
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      const Item& item = rubric_.items[i];
      if (item.kind == ItemKind::hidden || !std::string_view(item.name).ends_with("." + std::string(name))) continue;
      if (found >= 0 && rubric_.items[static_cast<std::size_t>(found)].name != item.name) return -1;
      found = static_cast<int>(i);
    }
    return found;
  }
  const Item& item(int index) const { return rubric_.items[static_cast<std::size_t>(index)]; }
  const Value& value(int index) const { return what_.items[index]; }

  std::string shown(TypeId type, const Value& v, std::size_t limit = 100) {
    if (v.missing()) return "missing";
    // A value whose parts are shared may be far larger when it is written than it is.
    constexpr std::size_t kBytesACharacter = 16;
    std::string json;
    const bool all = writer_.write(type, v, kSignificant, json, kBytesACharacter * limit);
    std::string text = shorten(json, limit);
    return all || text != json ? text : text + "…";
  }
  std::string shown(int index, std::size_t limit = 100) { return shown(item(index).type, value(index), limit); }
  std::string shown(Number n) { return shown(kNumber, make_number(n)); }

  References references(int index) const {
    return references_of(model_, what_.rubric.index(), item(index).body, index);
  }

  // The text of the expression that defines an item; empty when none was written.
  std::string source(int index) const {
    const Span span = item(index).source;
    return span.begin == span.end ? std::string() : one_line(what_.rubric.sources.text(span));
  }

  // ---- lines
  void title(const std::string& text) { out_ += "\n" + text + "\n"; }
  void line(int depth, const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(2 * depth + 2), ' ') + printable(text) + "\n";
  }
  static std::string pad(std::string text, std::size_t to) {
    const std::size_t now = display_width(text);
    return now < to ? text + std::string(to - now, ' ') : text;
  }
  static std::string prose(const std::string& text) { return text.empty() ? "" : "  (" + text + ")"; }

  std::string origin(int slot) const {
    const auto i = static_cast<std::size_t>(slot);
    if (what_.given[i]) return "given";
    switch (rubric_.slots[i].presence) {
      case Presence::defaulted: return "not given, the default";
      default: return "not given";
    }
  }
  void slot_text(int slot, int depth) {
    const auto i = static_cast<std::size_t>(slot);
    line(depth, rubric_.slots[i].name + " = " + shown(rubric_.slots[i].type, what_.slots[i]) + ", " + origin(slot) +
                    prose(rubric_.slots[i].prose));
  }

  // "a = 9 (given), b = 2 (computed)": what an item was made of, on lines of their own.
  void parts(int index, int depth) {
    const References refs = references(index);
    if (const std::string text = source(index); !text.empty()) line(depth, "as: " + text);
    std::string with;
    for (const int slot : refs.slots) {
      const auto i = static_cast<std::size_t>(slot);
      with += (with.empty() ? "" : ", ") + rubric_.slots[i].name + " = " +
              shown(rubric_.slots[i].type, what_.slots[i], 60) + " (" + origin(slot) + ")";
    }
    for (const int other : refs.items) with += (with.empty() ? "" : ", ") + item(other).name + " = " + shown(other, 60);
    for (const int weight : refs.weights)
      with += (with.empty() ? "weight of " : ", weight of ") + rubric_.weights[static_cast<std::size_t>(weight)].name +
              " = " + shown(weight_of(weight));
    if (!with.empty()) line(depth, "with: " + shorten(with, 400));
  }

  Number weight_of(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return what_.weights != nullptr ? what_.weights[i] : rubric_.weights[i].value;
  }

  void made_of(int index, int depth) {
    const Item& it = item(index);
    line(depth, it.name + " = " + shown(index, 300) + prose(it.prose));
    if (!explained_.insert(index).second) return;
    if (const std::string text = source(index); !text.empty()) line(depth + 1, "as: " + text);
    if (it.kind == ItemKind::band) band_row(index, depth + 1);
    caps_on(std::string_view(it.name).substr(it.name.rfind('.') + 1), depth + 1);
    const References refs = references(index);
    for (const int slot : refs.slots) slot_text(slot, depth + 1);
    for (const int weight : refs.weights)
      line(depth + 1,
           "weight of " + rubric_.weights[static_cast<std::size_t>(weight)].name + " = " + shown(weight_of(weight)));
    for (const int other : refs.items) {
      if (depth < 12) made_of(other, depth + 1);
    }
  }

  // ---- the stages
  void inputs() {
    title("Inputs");
    std::size_t name_width = 0, value_width = 0;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
      values.push_back(shown(rubric_.slots[i].type, what_.slots[i], 40));
      name_width = std::max(name_width, display_width(rubric_.slots[i].name));
      value_width = std::max(value_width, display_width(values.back()));
    }
    for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
      line(0, pad(rubric_.slots[i].name, name_width) + "  " + pad(values[i], value_width) + "  " +
                  origin(static_cast<int>(i)) + prose(rubric_.slots[i].prose));
    }
  }

  void gates() {
    bool first = true;
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      const Item& it = rubric_.items[i];
      if (it.kind != ItemKind::gate) continue;
      if (first) title("Gates (a gate that fails makes the record ineligible and never moves the score)");
      first = false;
      const Value& v = what_.items[i];
      line(0, it.name + ": " +
                  (v.missing()            ? "unknown"
                   : v.boolean.truth != 0 ? "passed"
                                          : "FAILED") +
                  prose(it.prose));
      parts(static_cast<int>(i), 1);
    }
  }

  void dimension(const DimensionModel& d, int depth) {
    std::string text = d.name + ": ";
    const bool has_score = d.score >= 0;
    if (d.points && d.contribution >= 0 && d.weight >= 0) {
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

  // A score between two levels belongs to the lower one.
  void level(const DimensionModel& d, int depth) {
    const int of = d.score >= 0 ? d.score : d.value;
    if (d.levels.empty() || of < 0 || value(of).missing() || model_.types.kind(item(of).type) != TypeKind::number)
      return;
    const LevelModel* best = nullptr;
    for (const LevelModel& l : d.levels) {
      if (compare(l.level, value(of).number) <= 0 && (best == nullptr || compare(l.level, best->level) > 0)) best = &l;
    }
    if (best != nullptr) line(depth, "level " + shown(best->level) + ": " + best->prose);
  }

  // The caps on a value that took effect, each with what it found and what it left.
  void caps_on(std::string_view of, int depth) {
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      const Item& it = rubric_.items[i];
      if (it.kind != ItemKind::pipeline || it.name != "caps" || it.body == nullptr || what_.items[i].missing())
        continue;
      const TypeId entry = model_.types[it.type].element;
      const ListValue bound = what_.items[i].list;
      for (std::uint32_t k = 0; k < bound.size; ++k) {
        const Value* fields = bound.items[k].record.fields;  // name, from, at, reason
        if (fields[0].text.view() != of) continue;
        const TypeId type = model_.types[entry].fields[1].type;
        line(depth, "capped: " + shown(type, fields[1]) + " → " + shown(type, fields[2]) +
                        (fields[3].missing() ? "" : prose(std::string(fields[3].text.view()))));
      }
    }
  }

  void dimensions() {
    if (rubric_.dimensions.empty()) return;
    title("Dimensions");
    for (const DimensionModel& d : rubric_.dimensions) dimension(d, 0);
  }

  void stage(const std::string& heading, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const int index = find_item(name);
      if (index < 0) continue;
      const std::string sum = sum_of_dimensions(!value(index).missing());
      const bool written = !source(index).empty();
      if (!written && sum.empty() && value(index).missing()) continue;  // there is none
      title(heading);
      line(0, name + " = " + (sum.empty() || written ? "" : sum + " = ") + shown(index));
      if (written) parts(index, 1);
      caps_on(name, 1);
    }
  }

  // The fields of the verdict that an expression of the second pass names: by their positions in what is kept of it.
  void own_fields(const Expr* e, std::set<std::size_t>& found) const {
    if (e == nullptr) return;
    if (e->op == Op::field && e->args[0]->op == Op::slot && e->args[0]->index == 0) found.insert(e->index);
    for (const Expr* arg : e->args) own_fields(arg, found);
    if (!e->loop) return;
    for (const LoopClause& clause : e->loop->clauses) own_fields(clause.expr, found);
    for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value}) own_fields(part, found);
    for (const LoopOrder& order : e->loop->order) own_fields(order.expr, found);
  }

  // What the whole run says of the record: all of it, or the value `only`. False: there is no such value.
  bool second_pass(std::string_view only) {
    if (what_.each == nullptr) return false;
    const RubricModel& each = model_.rubrics[static_cast<std::size_t>(what_.each->rubric())];
    bool any = false;
    for (std::size_t i = 0; i < what_.each->fields().size(); ++i) {
      const VerdictField& field = what_.each->fields()[i];
      if (!only.empty() && field.name != only) continue;
      if (!any && only.empty())
        title("Of the whole run, " + std::to_string(what_.each->frozen()->verdicts) + " verdicts");
      any = true;
      const Item& it = each.items[static_cast<std::size_t>(field.item)];
      line(0, field.name + " = " + shown(it.type, what_.each->results()[i], 300) + prose(it.prose));
      if (it.source.begin != it.source.end) line(1, "as: " + one_line(what_.rubric.sources.text(it.source)));
      std::string with;
      const auto add = [&with](const std::string& text) { with += (with.empty() ? "" : ", ") + text; };
      std::set<std::size_t> own;
      own_fields(it.body, own);
      for (const std::size_t at : own) {
        const int of = rubric_.verdict_items[at];
        add(model_.types[rubric_.verdict_type].fields[at].name + " = " + shown(of, 60));
      }
      const References refs = references_of(model_, what_.each->rubric(), it.body, field.item);
      for (const int slot : refs.slots) {
        const auto s = static_cast<std::size_t>(slot);
        if (slot == 0) continue;
        add(each.slots[s].name + " = " + shown(each.slots[s].type, what_.each->slots()[s], 60) +
            (slot == 1 ? "" : " (of the cohort)"));
      }
      for (const int other : refs.items) {
        for (std::size_t k = 0; k < what_.each->fields().size(); ++k) {
          const Item& named = each.items[static_cast<std::size_t>(other)];
          if (what_.each->fields()[k].item == other)
            add(named.name + " = " + shown(named.type, what_.each->results()[k], 60));
        }
      }
      if (!with.empty()) line(1, "with: " + shorten(with, 400));
    }
    return any;
  }

  // A deduction, bonus or flag of that name, of those that the verdict has.
  bool entry(std::string_view name) {
    for (const AdjustmentRow& step : kAdjustments) {
      const int index = find_step(step.list);
      if (index < 0 || value(index).missing()) continue;
      const ListValue entries = value(index).list;
      for (std::uint32_t i = 0; i < entries.size; ++i) {
        const Value* const fields = entries.items[i].record.fields;
        if (fields[0].text.view() == name)
          return line(0, adjustment(fields) + ", among the " + std::string(step.list)), true;
      }
    }
    const int flags = find_step("flags");
    if (flags < 0 || value(flags).missing()) return false;
    const ListValue raised = value(flags).list;
    for (std::uint32_t i = 0; i < raised.size; ++i) {
      if (raised.items[i].text.view() == name) return line(0, std::string(name) + ": a flag that is raised"), true;
    }
    return false;
  }

  std::string adjustment(const Value* fields) {  // name, amount, reason
    std::string text = std::string(fields[0].text.view()) + ": " + shown(kNumber, fields[1]);
    if (!fields[1].missing() && sign(fields[1].number) == 0) text += " (nothing is left under the cap)";
    if (!fields[2].missing()) text += prose(std::string(fields[2].text.view()));
    return text;
  }

  // `skipped`: what is missing is left out, and its weight goes to the others in proportion.
  std::string sum_of_dimensions(bool skipped) {
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

  void adjustments(const AdjustmentRow& step) {
    const int items = find_item(step.list), sum = find_item(step.total);
    if (items < 0 || value(items).missing() || model_.types.kind(item(items).type) != TypeKind::list) return;
    const ListValue entries = value(items).list;
    if (entries.size == 0) return;
    title(std::string(step.heading));
    for (std::uint32_t i = 0; i < entries.size; ++i) line(0, adjustment(entries.items[i].record.fields));
    if (sum >= 0) line(0, "together " + shown(sum) + " " + std::string(step.done));
    caps_on(step.list, 1);
  }

  void score() {
    const int index = find_item("score");
    if (index < 0 || !rubric_.has_scale) return;
    title("Score");
    constexpr std::size_t kNumberWord = 6;  // str() says "number 0..10", or "number" when it is open
    std::string text = "score = " + shown(index);
    const std::string scale = str(rubric_.scale, false).substr(kNumberWord);
    text += scale.empty() ? ", on an open scale" : ", on the scale" + scale;
    if (rubric_.decimals >= 0)
      text += ", rounded to " + std::to_string(rubric_.decimals) + (rubric_.decimals == 1 ? " decimal" : " decimals");
    line(0, text);
    References refs = references(index);
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
      const bool referred = std::erase(refs.items, found) > 0;  // constants are not
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
    for (const char* name : {"status", "reason", "coverage"}) {
      const int found = find_item(name);
      if (found >= 0 && !value(found).missing()) line(0, std::string(name) + " = " + shown(found));
    }
  }

  // Keeps a score on the scale, and says so when that changes it.
  std::string kept_on_scale(Number& sum, const std::string& before) {
    if (sum.missing()) return {};
    const Number was = sum;
    const Interval& scale = rubric_.scale;
    if (!scale.low.missing() && compare(sum, scale.low) < 0) sum = scale.low;
    if (!scale.high.missing() && compare(sum, scale.high) > 0) sum = scale.high;
    return compare(was, sum) == 0 ? std::string() : before + ", kept on the scale: " + shown(sum);
  }

  const Expr* find_op(const Expr* e, Op op, int depth = 0) const {
    if (e == nullptr || depth > 8) return nullptr;
    if (e->op == op) return e;
    for (const Expr* arg : e->args) {
      if (const Expr* found = find_op(arg, op, depth + 1)) return found;
    }
    return nullptr;
  }

  // Which row of its table a band comes from: a pick over an item that holds the row number.
  void band_row(int index, int depth) {
    const Expr* pick = find_op(item(index).body, Op::pick);
    if (pick == nullptr || pick->args.empty() || pick->args[0]->op != Op::item) return;
    const int row_item = static_cast<int>(pick->args[0]->index);
    const Expr* lookup = find_op(item(row_item).body, Op::lookup);
    bool first = true;  // that fits
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
    const std::string text = one_line(what_.rubric.sources.text(table.rows[static_cast<std::size_t>(row)].span));
    line(depth, "row " + std::to_string(row + 1) + " of " + std::to_string(table.rows.size()) +
                    (first ? ", the first that fits: " : ", after its caps: ") + text);
  }

  void bands() {
    bool first = true;
    std::string table;
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      const Item& it = rubric_.items[i];
      if (it.kind != ItemKind::band) continue;
      if (first) title("Bands");
      first = false;
      const bool attribute = !table.empty() && it.name.compare(0, table.size() + 1, table + "_") == 0;
      line(attribute ? 1 : 0, it.name + " = " + shown(static_cast<int>(i)));
      if (attribute) continue;
      table = it.name;
      band_row(static_cast<int>(i), 1);
      caps_on(it.name, 1);
    }
  }

  void hooks() {
    if (what_.hooks.empty()) return;
    title("Hooks (what each call cost, in steps)");
    constexpr std::size_t kShown = 50;
    for (std::size_t i = 0; i < what_.hooks.size() && i < kShown; ++i) {
      const HookCall& call = what_.hooks[i];
      const std::string cost = call.steps > 0 ? ", " + std::to_string(call.steps) + " steps" : "";
      line(0, model_.hooks[static_cast<std::size_t>(call.hook)].name + "(" + shorten(call.arguments, 200) +
                  ") = " + shorten(call.result, 100) + cost);
    }
    if (what_.hooks.size() > kShown) line(0, "and " + std::to_string(what_.hooks.size() - kShown) + " more calls");
  }

  void kinds(const std::string& heading, ItemKind kind) {
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

  // Each with its prose, which the verdict does without.
  bool flags(const ExplainedList& as) {
    int texts = -1;
    for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
      if (rubric_.items[i].kind == ItemKind::hidden && rubric_.items[i].name == kFlagProse) texts = static_cast<int>(i);
    }
    if (texts < 0 || value(texts).missing()) return false;
    std::set<std::string_view> seen;
    const ListValue list = value(texts).list;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const Value* const fields = list.items[i].record.fields;
      if (!seen.insert(fields[0].text.view()).second) continue;
      if (seen.size() == 1) title(std::string(as.heading));
      const std::string why = fields[1].missing() ? std::string() : std::string(fields[1].text.view());
      line(0, std::string(fields[0].text.view()) + (why.empty() ? "" : prose(why)));
    }
    return true;
  }

  void listed(const ExplainedList& as) {
    const int index = find_item(as.key);
    if (index < 0 || value(index).missing() || model_.types.kind(item(index).type) != TypeKind::list) return;
    const ListValue list = value(index).list;
    if (list.size == 0) return;
    title(std::string(as.heading));
    const TypeId element = model_.types[item(index).type].element;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const bool text = model_.types.kind(element) == TypeKind::text && !list.items[i].missing();
      line(0, text ? std::string(list.items[i].text.view()) : shown(element, list.items[i]));
    }
  }

  const Explained& what_;
  const Model& model_;
  const RubricModel& rubric_;
  ValueWriter writer_;
  std::string out_;
  std::set<int> explained_;
};

}  // namespace

std::string explain_text(const Explained& what, std::string_view name, bool* unknown) {
  Explanation explanation(what);
  if (name.empty()) return explanation.whole();
  bool none = false;
  std::string text = explanation.single(name, none);
  if (none && unknown != nullptr) *unknown = true;
  return text;
}

}  // namespace assay
