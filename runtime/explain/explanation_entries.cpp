// Deductions, bonuses, caps, flags and advice: those that apply, each with its formula, and those that do not, with the
// reason.
#include "runtime/explain/explanation.hpp"

#include "lang/syntax/declarations.hpp"

#include <map>

namespace assay {

namespace {

bool texts(const EntryList& list) { return list.key == "flags" || list.key == "advice"; }

}  // namespace

std::string ExplanationText::adjustment(const Value* fields) {  // name, amount, reason
  std::string text = std::string(fields[0].text.view()) + ": " + shown(kNumber, fields[1], {});
  if (!fields[1].missing() && sign(fields[1].number) == 0) text += " (nothing is left under the cap)";
  if (!fields[2].missing()) text += prose(std::string(fields[2].text.view()));
  return text;
}

// How an entry is declared, what it read, and its result. `name`: only instances with that name; empty: all.
void ExplanationText::formula(const EntryList& list, const Entry& entry, std::string_view name, int depth) {
  const bool cap = list.key == "caps";
  if (cap) {
    bool bound = false;
    for (const std::uint32_t at : instances_.of(list, entry)) bound = bound || !what_.trace[at].value.missing();
    line(depth, entry.declared + (bound ? ": it took effect" : ": it lowered nothing"));
    if (const std::string text = with(item(list.item).body, list.item); !text.empty()) line(depth + 1, "with: " + text);
    return;
  }
  line(depth, "as: " + entry.declared);
  if (const std::string text = with(deciding(entry), list.item); !text.empty()) line(depth, "with: " + text);
  const Trace& trace = what_.trace;
  const std::vector<std::uint32_t>& made = instances_.of(list, entry);
  std::size_t told = 0;
  for (const std::uint32_t at : made) {
    if (full()) return;
    const Value& v = trace[at].value;
    const std::string_view its = instance_name(list, v);
    // A text has no name if its condition was not met.
    if (!name.empty() && !its.empty() && its != name) continue;
    if (entry.loop != nullptr && trace[trace[at].parent].point->kind == TracePoint::Kind::round && ++told > 0)
      round(trace[at].parent, depth);
    else step(at, depth, opens(name) || opens(list.key));
    if (texts(list) || v.missing()) continue;
    const Value& amount = v.record.fields[1];
    bool not_met = false;
    for (std::uint32_t i = trace[at].first; i != 0; i = trace[i].next) not_met = not_met || trace[i].side == 0;
    if (amount.missing()) {
      if (!not_met) line(depth, "its amount is missing, so it does not count");
    } else if (sign(amount.number) <= 0) {
      line(depth, "its amount is " + shown(kNumber, amount, {}) + ", and only what is above 0 counts");
    }
  }
  if (entry.loop != nullptr && told == 0 && trace.item(list.item) != 0) {
    for (std::uint32_t at = trace.item(list.item), end = at; at != 0;) {  // the loop tells why it made nothing
      const TraceNode& n = trace[at];
      if (n.point->expr == entry.loop && n.point->kind == TracePoint::Kind::expr) {
        loop(at, depth, true);
        break;
      }
      if (n.first != 0) {
        at = n.first;
        continue;
      }
      while (at != end && trace[at].next == 0) at = trace[at].parent;
      at = at == end ? 0 : trace[at].next;
    }
  }
}

// Lists the names of entries without any instance.
void ExplanationText::did_not_come(const EntryList& list) {
  std::string names;
  std::set<std::string_view> listed;  // that the verdict lists
  const ListValue all = value(list.item).missing() || list.key == "caps" ? ListValue{} : value(list.item).list;
  for (std::uint32_t i = 0; i < all.size; ++i) listed.insert(instance_name(list, all.items[i]));
  for (const Entry& entry : list.entries) {
    bool came = entry.label->op == Op::constant && listed.count(entry.name) > 0;
    for (const std::uint32_t at : instances_.of(list, entry)) {
      const Value& v = what_.trace[at].value;
      came = came || (!v.missing() && (texts(list) || list.key == "caps" ||
                                       (!v.record.fields[1].missing() && sign(v.record.fields[1].number) > 0)));
    }
    if (entry.loop != nullptr && what_.trace.reached(list.item, *entry.loop, 1) && texts(list)) came = true;
    if (!came)
      names += (names.empty()        ? ""
                : list.key == "caps" ? "; "
                                     : ", ") +
               (list.key == "caps" ? entry.declared.substr(4) : entry.name);
  }
  if (names.empty()) return;
  const char* const said = list.key == "caps"    ? "caps that lowered nothing: "
                           : list.key == "flags" ? "not raised: "
                                                 : "did not come: ";
  line(list.key == "caps" ? 1 : 0, said + names);
}

void ExplanationText::adjustments(const AdjustmentRow& step) {
  const int items = find_step(step.list), sum = find_step(step.total);
  if (items < 0 || value(items).missing()) return;
  const EntryList* declared = nullptr;
  for (const EntryList& list : entries_) {
    if (list.item == items) declared = &list;
  }
  if (declared == nullptr) return;
  const ListValue entries = value(items).list;
  title(std::string(step.heading));
  std::map<std::string_view, const Entry*> by_name;  // of entries with one name, the first
  for (const Entry& entry : declared->entries) {
    if (entry.label->op == Op::constant) {
      by_name.emplace(entry.name, &entry);
      continue;
    }
    for (const std::uint32_t at : instances_.of(*declared, entry))
      by_name.emplace(instance_name(*declared, what_.trace[at].value), &entry);
  }
  for (std::uint32_t i = 0; i < entries.size && !full(); ++i) {
    const Value* const fields = entries.items[i].record.fields;
    line(0, adjustment(fields));
    const auto of = by_name.find(fields[0].text.view());
    if (of == by_name.end()) continue;
    line(1, "as: " + of->second->declared);
    if (const std::string text = with(deciding(*of->second), items); !text.empty()) line(1, "with: " + text);
  }
  if (sum >= 0 && entries.size > 0) line(0, "together " + shown(sum) + " " + std::string(step.done));
  caps_on(step.list, 1);
  did_not_come(*declared);
}

// Each with its prose, which is not in the verdict.
bool ExplanationText::flags(const ExplainedList& as) {
  int prose_item = -1;
  for (std::size_t i = 0; i < rubric_.items.size(); ++i) {
    if (rubric_.items[i].kind == ItemKind::hidden && rubric_.items[i].name == kFlagProse)
      prose_item = static_cast<int>(i);
  }
  const EntryList* declared = nullptr;
  for (const EntryList& list : entries_) {
    if (list.key == "flags") declared = &list;
  }
  if (declared == nullptr) return true;  // the rubric declares none
  title(std::string(as.heading));
  std::set<std::string_view> seen;
  const int from = prose_item >= 0 ? prose_item : declared->item;
  const ListValue list = value(from).missing() ? ListValue{} : value(from).list;
  for (std::uint32_t i = 0; i < list.size && !full(); ++i) {
    const Value& one = list.items[i];
    const std::string_view name = prose_item >= 0 ? one.record.fields[0].text.view() : one.text.view();
    if (!seen.insert(name).second) continue;
    const bool told = prose_item >= 0 && !one.record.fields[1].missing();
    line(0, std::string(name) + (told ? prose(std::string(one.record.fields[1].text.view())) : ""));
  }
  did_not_come(*declared);
  return true;
}

// An entry that applies, or that could have applied.
bool ExplanationText::entry(std::string_view name) {
  const bool cap = name.starts_with("cap ");
  for (const EntryList& list : entries_) {
    if (value(list.item).missing() || (cap && list.key != "caps")) continue;
    const ListValue came = value(list.item).list;
    std::string heading;
    for (std::uint32_t i = 0; i < came.size && heading.empty() && list.key != "caps"; ++i) {
      if (instance_name(list, came.items[i]) != name) continue;
      heading = texts(list)
                    ? std::string(name) + ": " + (list.key == "flags" ? "a flag that is raised" : "given as advice")
                    : adjustment(came.items[i].record.fields) + ", among the " + std::string(list.key);
    }
    bool found = !heading.empty();
    for (const Entry& entry : list.entries) {
      bool of = cap ? entry.declared == name || entry.name == name.substr(4)
                    : list.key != "caps" && may_be_named(entry, name);
      for (const std::uint32_t at : instances_.of(list, entry))
        of = of || (list.key != "caps" && instance_name(list, what_.trace[at].value) == name);
      of = of || (list.key != "caps" && entry.label->op != Op::constant && entry.name == name);
      if (!of) continue;
      if (heading.empty())
        heading = cap ? std::string()
                      : std::string(name) + ": a " + std::string(list.word) +
                            (list.key == "flags" ? " that is not raised" : " that did not come");
      if (list.key == "advice" && !found) heading = std::string(name) + ": advice that is not given";
      if (!heading.empty()) line(0, heading);
      formula(list, entry, cap ? std::string_view() : name, cap ? 0 : 1);
      heading.clear();
      found = true;
      if (!cap) return true;
    }
    if (!heading.empty()) line(0, heading);
    if (found) return true;
  }
  return false;
}

}  // namespace assay
