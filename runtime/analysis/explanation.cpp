// The pipeline of one record as a tree, with all steps inside each value. docs/analysis.md gives its schema.
#include "lang/value/limit_message.hpp"
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/explain/entries.hpp"
#include "runtime/explain/trace.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

class Tree {
 public:
  Tree(Probe& probe, const Trace& trace)
      : probe_(probe),
        trace_(trace),
        model_(probe.model()),
        rubric_(probe.rubric()),
        most_(probe.inside().options.limits.output_bytes) {}

  std::string whole() {
    out_.object().key("rubric").text(rubric_.name).key("id").text_or_null(probe_.id()).key("inputs").list();
    for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
      const Slot& slot = rubric_.slots[i];
      const int index = static_cast<int>(i);
      out_.object().key("name").text(slot.name).key("value").raw(shown(slot.type, probe_.slot(index)));
      out_.key("origin").text(probe_.given(index)                    ? "given"
                              : slot.presence == Presence::defaulted ? "default"
                                                                     : "absent");
      out_.key("prose").text_or_null(slot.prose).end_object();
    }
    out_.end_list().key("values").list();
    for (std::size_t i = 0; i < rubric_.items.size() && !full(); ++i) {
      const Item& item = rubric_.items[i];
      if (item.body != nullptr && item.kind != ItemKind::input && !stage_of(item).empty()) value(static_cast<int>(i));
    }
    out_.end_list().key("entries").list();
    const std::vector<EntryList> lists = declared_entries(probe_.source());
    for (const EntryList& list : lists) entries(list);
    out_.end_list().key("complete").truth(trace_.complete());
    out_.key("verdict").raw(probe_.verdict()).end_object();
    return out_.take();
  }
  // Whether it ends here: it is too large, or interrupted, which is looked at from time to time.
  bool full() {
    constexpr std::size_t kBetweenLooks = std::size_t{1} << 15;
    if (bytes_ >= next_look_) {
      next_look_ = bytes_ + kBetweenLooks;
      stopped_ = stopped_ || interrupted(probe_.interrupt());
    }
    return stopped_ || bytes_ > most_;
  }

 private:
  std::string shown(TypeId type, const Value& value) {
    if (full()) return "null";
    std::string json = probe_.shown(type, value);
    bytes_ += json.size();
    return json;
  }
  std::string source(Span span) {
    if (span.begin == span.end) return {};
    return counted(one_line(probe_.source().sources.text(span)));
  }
  std::string part(Span span) {
    if (span.begin == span.end) return {};
    return counted(part_of_formula(probe_.source().sources.text(span)));
  }
  std::string counted(std::string text) {
    if (text == rubric_.name) return {};  // an expression made by the checker has the place of the rubric's name
    bytes_ += text.size();
    return text;
  }

  void reads(const Expr* body, int index) {
    const auto asked = [&](int of, const Expr& e, int side) { return trace_.reached(of, e, side); };
    const References refs = references_asked(model_, probe_.rubric_index(), body, index, asked);
    const References all = references_of(model_, probe_.rubric_index(), body, index);
    out_.key("reads").list();
    for (const int slot : refs.slots) {
      const Slot& s = rubric_.slots[static_cast<std::size_t>(slot)];
      out_.object().key("input").text(s.name).key("value").raw(shown(s.type, probe_.slot(slot))).end_object();
    }
    for (const int other : refs.items) {
      const Item& item = rubric_.items[static_cast<std::size_t>(other)];
      out_.object().key("name").text(item.name).key("value").raw(shown(item.type, probe_.item(other))).end_object();
    }
    for (const int weight : refs.weights) {
      out_.object().key("weight").text(rubric_.weighting.weights[static_cast<std::size_t>(weight)].name).key("value");
      out_.exact(exact_or_short(probe_.weight(weight))).end_object();
    }
    out_.end_list().key("not_asked").list();
    const auto has = [](const std::vector<int>& list, int i) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    for (const int slot : all.slots) {
      if (!has(refs.slots, slot)) out_.text(rubric_.slots[static_cast<std::size_t>(slot)].name);
    }
    for (const int other : all.items) {
      if (!has(refs.items, other)) out_.text(rubric_.items[static_cast<std::size_t>(other)].name);
    }
    out_.end_list();
  }

  void value(int index) {
    const Item& item = rubric_.items[static_cast<std::size_t>(index)];
    out_.object().key("stage").text(stage_of(item)).key("name").text(item.name);
    out_.key("value").raw(shown(item.type, probe_.item(index)));
    out_.key("source").text_or_null(source(item.source)).key("prose").text_or_null(item.prose);
    reads(item.body, index);
    out_.key("steps").list();
    std::vector<int> items{index};
    hidden(item.body, items);
    for (const int one : items) {
      if (const std::uint32_t top = trace_.item(one)) steps_of(top);
    }
    out_.end_list().end_object();
  }

  // Unnamed items that the checker made from this one: their steps belong to it.
  void hidden(const Expr* e, std::vector<int>& found) const {
    if (e == nullptr) return;
    if (e->op == Op::item) {
      const Item& item = rubric_.items[e->index];
      const int index = static_cast<int>(e->index);
      if (!stage_of(item).empty() || std::find(found.begin(), found.end(), index) != found.end()) return;
      found.push_back(index);
      hidden(item.body, found);
    }
    for (const Expr* arg : e->args) hidden(arg, found);
  }

  void steps_of(std::uint32_t parent) {
    for (std::uint32_t at = trace_[parent].first; at != 0 && !full(); at = trace_[at].next) step(at);
  }
  void inner(std::uint32_t at) {
    out_.key("steps").list();
    steps_of(at);
    out_.end_list();
  }

  void step(std::uint32_t at) {
    constexpr std::size_t kWords = 40;  // least number of bytes for the keys of a step
    bytes_ += kWords;
    const TraceNode& n = trace_[at];
    using Kind = TracePoint::Kind;
    switch (n.point->kind) {
      case Kind::local:
        if (n.point->expr->op != Op::let_in) return;  // arguments and names of rounds appear in their own steps
        out_.object().key("step").text("let").key("name").text(n.point->name);
        out_.key("value").raw(shown(n.point->type, n.value)).end_object();
        return;
      case Kind::round: return round(at);
      case Kind::item:
        out_.object().key("step").text("value").key("name").text(n.point->name);
        out_.key("value").raw(shown(n.point->type, n.value));
        inner(at);
        out_.end_object();
        return;
      default: break;
    }
    const Expr& e = *n.point->expr;
    switch (e.op) {
      case Op::call: called("call", model_.functions[e.index].name, at); break;
      case Op::hook: called("hook", model_.hooks[e.index].name, at); break;
      case Op::apply: called("rubric", model_.rubrics[e.index].name, at); break;
      case Op::lookup: row(at); return;
      case Op::loop:
        out_.object().key("step").text("loop").key("source").text_or_null(part(e.span));
        out_.key("value").raw(shown(e.type, n.value)).key("rounds").count(n.rounds).key("passed").count(n.passed);
        break;
      case Op::choice:
        out_.object().key("step").text("choice").key("condition").text_or_null(part(e.args[1]->span));
        out_.key("met").raw(n.side < 0 ? "null" : n.side == 1 ? "true" : "false");
        out_.key("value").raw(shown(e.type, n.value));
        break;
      case Op::make_record: out_.object().key("step").text("entry").key("value").raw(shown(e.type, n.value)); break;
      default:
        out_.object().key("step").text("function").key("source").text_or_null(part(e.span));
        out_.key("value").raw(shown(e.type, n.value));
    }
    inner(at);
    out_.end_object();
  }

  void called(const char* kind, const std::string& name, std::uint32_t at) {
    const TraceNode& n = trace_[at];
    const Expr& e = *n.point->expr;
    out_.object().key("step").text(kind).key("name").text(name).key("source").text_or_null(part(e.span));
    named(at, e, "arguments");
    out_.key("value").raw(shown(e.type, n.value));
  }

  // The named values that belong to the node of `e` itself.
  void named(std::uint32_t at, const Expr& e, const char* key) {
    out_.key(key).object();
    for (std::uint32_t i = trace_[at].first; i != 0; i = trace_[i].next) {
      const TraceNode& local = trace_[i];
      const bool own = local.point->kind == TracePoint::Kind::local && local.point->expr == &e;
      if (own && !local.point->name.empty()) out_.key(local.point->name).raw(shown(local.point->type, local.value));
    }
    out_.end_object();
  }

  void round(std::uint32_t at) {
    const TraceNode& n = trace_[at];
    out_.object().key("step").text("round");
    named(at, *n.point->expr, "with");
    out_.key("passed").truth(n.passed > 0);
    for (std::uint32_t i = n.first; i != 0; i = trace_[i].next) {
      const TraceNode& local = trace_[i];
      if (local.point->kind == TracePoint::Kind::local && local.point->expr == n.point->expr &&
          local.point->name.empty())
        out_.key("value").raw(shown(local.point->type, local.value));
    }
    inner(at);
    out_.end_object();
  }

  void row(std::uint32_t at) {
    const TraceNode& n = trace_[at];
    const LookupTable& table = model_.tables[n.point->expr->index];
    std::int64_t row = 0;
    const bool fits = !n.value.missing() && to_int64(n.value.number, row) && row >= 0 &&
                      static_cast<std::size_t>(row) < table.rows.size();
    out_.object().key("step").text("table").key("name").text(table.name).key("rows").count(table.rows.size());
    out_.key("row").raw(fits ? std::to_string(row + 1) : "null");
    out_.key("source").text_or_null(fits ? part(table.rows[static_cast<std::size_t>(row)].span) : std::string());
    inner(at);
    out_.end_object();
  }

  void entries(const EntryList& list) {
    for (const Entry& entry : list.entries) {
      if (full()) return;
      out_.object().key("list").text(list.key).key("name").text(entry.name).key("source").text(entry.declared);
      bytes_ += entry.declared.size() + entry.name.size();
      const bool cap = list.key == "caps";
      const Expr* const body = rubric_.items[static_cast<std::size_t>(list.item)].body;
      reads(cap ? body : deciding(entry), list.item);
      out_.key("came").list();
      for (const std::string& name : came(list, entry)) out_.text(name);
      out_.end_list().key("steps").list();
      for (const std::uint32_t at : instances_.of(list, entry)) {
        const std::uint32_t parent = trace_[at].parent;
        const bool looped = entry.loop != nullptr && trace_[parent].point->kind == TracePoint::Kind::round;
        step(looped ? parent : at);
        if (full()) break;
      }
      out_.end_list().end_object();
    }
  }

  // The names of this entry in the verdict.
  std::vector<std::string> came(const EntryList& list, const Entry& entry) {
    std::vector<std::string> names;
    const Value& all = probe_.item(list.item);
    if (all.missing()) return names;
    if (listed_of_ != &list) {
      listed_of_ = &list;
      listed_.clear();
      for (std::uint32_t i = 0; i < all.list.size; ++i) listed_.insert(instance_name(list, all.list.items[i]));
    }
    std::set<std::string_view> seen;
    const auto add = [&](std::string_view name) {
      if (listed_.count(name) > 0 && seen.insert(name).second) names.emplace_back(name);
    };
    if (entry.label->op == Op::constant && list.key != "caps") add(entry.name);
    for (const std::uint32_t at : instances_.of(list, entry)) add(instance_name(list, trace_[at].value));
    return names;
  }

  Probe& probe_;
  const Trace& trace_;
  const Model& model_;
  const RubricModel& rubric_;
  const std::size_t most_;
  std::size_t bytes_ = 0, next_look_ = 0;
  bool stopped_ = false;
  Instances instances_{trace_};
  const EntryList* listed_of_ = nullptr;
  std::set<std::string_view> listed_;  // the names in the verdict's list of that name
  JsonOut out_;
};

}  // namespace

std::optional<InputError> Analysis::explanation(std::string_view record, std::string& json) {
  Probe& probe = impl_->first;
  if (!probe.take(record)) return probe.error();
  Trace trace(probe.rubric());
  std::vector<Value> items;
  InputError error;
  if (!run_traced(probe.inside(), trace, items, error)) return error;
  Tree tree(probe, trace);
  json = tree.whole();
  if (probe.interrupted()) return probe.error();
  const std::size_t most = probe.inside().options.limits.output_bytes;
  if (!tree.full() && json.size() <= most) return std::nullopt;
  json.clear();
  error = {};
  error.code = "limit";
  error.message = limit_message("the explanation takes", most, "bytes", "output_bytes");
  return error;
}

}  // namespace assay
