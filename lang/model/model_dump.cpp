// Model → text: the output of `assay show --model`. Items with their types, expressions as S-expressions with names
// instead of indices, so that a change in a rubric changes only a few lines.
#include "lang/model/library_prefix.hpp"
#include "lang/model/model.hpp"

#include "lang/value/constant_text.hpp"

#include <iterator>

namespace assay {

namespace {

// In the order of each enumeration.
constexpr const char* kOps[] = {
    "constant", "local",   "slot",    "weight",     "raw_history",  "item",    "let",     "choice",  "and",
    "or",       "xor",     "not",     "==",         "!=",           "<",       "<=",      ">",       ">=",
    "in_range", "in_list", "in_map",  "is_missing", "is_kind",      "as_kind", "retype",  "default", "+",
    "-",        "*",       "/",       "^",          "neg",          "concat",  "range",   "record",  "field",
    "list",     "map",     "map_get", "any_get",    "list_get",     "call",    "builtin", "apply",   "hook",
    "loop",     "lookup",  "pick",    "text",       "weighted_sum", "adjust",  "compact"};
static_assert(std::size(kOps) == static_cast<std::size_t>(Op::compact) + 1);
const char* name_of(Op of) { return kOps[static_cast<std::size_t>(of)]; }

constexpr const char* kItemKinds[] = {"input", "let",    "gate", "dimension", "part", "pipeline",
                                      "band",  "output", "flag", "advice",    "rank", "hidden"};
static_assert(std::size(kItemKinds) == static_cast<std::size_t>(ItemKind::hidden) + 1);
const char* name_of(ItemKind of) { return kItemKinds[static_cast<std::size_t>(of)]; }

constexpr const char* kCollects[] = {"list", "map", "group", "sum",     "count", "any",
                                     "all",  "min", "max",   "product", "mean"};
static_assert(std::size(kCollects) == static_cast<std::size_t>(Collect::mean) + 1);
const char* name_of(Collect of) { return kCollects[static_cast<std::size_t>(of)]; }

const char* const kBuiltinNames[] = {
#define ASSAY_BUILTIN(id, name, ...) name,
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

class Dumper {
 public:
  Dumper(const Model& model, Budget& budget) : m_(model), budget_(budget) {}

  std::string run() {
    for (const HookModel& h : m_.hooks) {
      if (!h.used && is_library_path(h.path)) continue;  // declared by a module and never called
      out_ += "hook " + h.name + "(";
      for (std::size_t i = 0; i < h.params.size(); ++i)
        out_ += (i ? ", " : "") + h.params[i].name + ": " + m_.types.str(h.params[i].type) +
                (h.params[i].presence == Presence::optional ? " optional" : "");
      out_ += "): " + m_.types.str(h.result) + (h.result_optional ? " optional\n" : "\n");
    }
    for (const LookupTable& t : m_.tables) table(t);
    for (const Function& f : m_.functions) function(f);
    for (const RubricModel& r : m_.rubrics) rubric(r);
    return std::move(out_);
  }

 private:
  void function(const Function& f) {
    rubric_ = f.rubric >= 0 ? &m_.rubrics[static_cast<std::size_t>(f.rubric)] : nullptr;
    out_ += "fn " + f.name + "(";
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      out_ += i ? ", " : "";
      out_ += (i < f.param_names.size() ? f.param_names[i] : "?") + ": " + m_.types.str(f.params[i]);
    }
    out_ += "): " + m_.types.str(f.result) + " =\n  ";
    expr(f.body);
    out_ += '\n';
  }

  void table(const LookupTable& t) {
    out_ += "table " + t.name + "\n";
    for (const TableRow& r : t.rows) {
      budget_.step(1 + r.cells.size());
      out_ += "  |";
      for (std::size_t k = 0; k < r.cells.size(); ++k) {
        out_ += r.cells[k].empty() ? " otherwise" : " ";
        for (std::size_t i = 0; i < r.cells[k].size(); ++i) {
          const CellTest& test = r.cells[k][i];
          if (i) out_ += ", ";
          if (test.kind == CellTest::Kind::value) write_constant(m_.types, t.keys[k].type, test.value, out_);
          if (test.kind == CellTest::Kind::range) write_range(test.range, out_);
          if (test.kind == CellTest::Kind::missing) out_ += "missing";
        }
        out_ += " |";
      }
      out_ += '\n';
    }
  }

  void rubric(const RubricModel& r) {
    rubric_ = &r;
    out_ += "rubric " + r.name;
    if (!r.version.empty()) {
      out_ += " version ";
      write_json_text(r.version, out_);
    }
    out_ += '\n';
    if (r.scale.declared) {
      out_ += "  scale " + str(r.scale.range, false);
      if (r.scale.decimals >= 0) out_ += " decimals " + std::to_string(r.scale.decimals);
      out_ += '\n';
    }
    for (const Slot& s : r.slots) {
      out_ += "  slot " + s.name + ": " + m_.types.str(s.type);
      if (s.presence == Presence::optional) out_ += " optional";
      if (s.presence == Presence::defaulted) {
        out_ += " default ";
        write_constant(m_.types, s.type, s.fallback, out_);
      }
      out_ += '\n';
    }
    for (const WeightModel& w : r.weighting.weights) {
      out_ += "  weight " + w.name + " = ";
      write_exact(w.value, out_);
      out_ += w.settable ? " settable\n" : "\n";
    }
    for (const RequiredWhen& rule : r.required_when) {
      out_ += "  required " + r.slots[static_cast<std::size_t>(rule.slot)].name + " when ";
      expr(rule.condition);
      out_ += '\n';
    }
    for (const Embedded& rule : r.embedded) {
      out_ += "  rules of " + m_.rubrics[static_cast<std::size_t>(rule.rubric)].name + " over ";
      expr(rule.body);
      out_ += '\n';
    }
    for (const Check& rule : r.checks) {
      out_ += "  check ";
      expr(rule.body);
      out_ += '\n';
    }
    for (const Item& item : r.items) {
      out_ += std::string("  ") + name_of(item.kind) + " " + item.name + ": " + m_.types.str(item.type);
      if (item.optional) out_ += " optional";
      out_ += " =\n    ";
      expr(item.body);
      out_ += '\n';
    }
    if (!r.verdict.fields.empty()) out_ += "  verdict";
    for (const VerdictField& f : r.verdict.fields) {
      out_ += " " + f.name + "=" + item_name(f.item);
      if (f.decimals != -1) out_ += ":" + std::to_string(f.decimals);
    }
    if (!r.verdict.fields.empty()) out_ += '\n';
    for (const RankModel& k : r.rank)
      out_ += std::string("  rank ") + (k.higher ? "higher " : "lower ") + item_name(k.item) + "\n";
  }

  std::string item_name(int item) const { return rubric_->items[static_cast<std::size_t>(item)].name; }

  void args(const Expr* e) {
    for (const Expr* arg : e->args) {
      out_ += ' ';
      expr(arg);
    }
  }

  void expr(const Expr* e) {
    budget_.step();
    const std::string n = std::to_string(e->index);
    switch (e->op) {
      case Op::constant: write_constant(m_.types, e->type, e->value, out_); return;
      case Op::local: out_ += "%" + n; return;
      case Op::raw_history: out_ += "raw_history"; return;
      case Op::slot: out_ += "input." + (rubric_ ? rubric_->slots[e->index].name : n); return;
      case Op::weight: out_ += "weight." + (rubric_ ? rubric_->weighting.weights[e->index].name : n); return;
      case Op::item: out_ += item_name(static_cast<int>(e->index)); return;
      case Op::loop: loop(e); return;
      default: break;
    }
    out_ += std::string("(") + name_of(e->op);
    switch (e->op) {
      case Op::let_in: out_ += " %" + n; break;
      case Op::field: {
        const Type& record = m_.types[e->args[0]->type];
        out_ += " " + (e->index < record.fields.size() ? record.fields[e->index].name : n);
        break;
      }
      case Op::is_kind:
      case Op::as_kind: out_ += " " + std::string(word_of(static_cast<AskedKind>(e->index))); break;
      case Op::call: out_ += " " + m_.functions[e->index].name; break;
      case Op::builtin: out_ += std::string(" ") + kBuiltinNames[e->index]; break;
      case Op::apply: out_ += (e->self ? " self " : " ") + m_.rubrics[e->index].name; break;
      case Op::hook: out_ += " " + m_.hooks[e->index].name; break;
      case Op::lookup: out_ += " " + m_.tables[e->index].name; break;
      case Op::make_range:
        if (e->index & 1) out_ += " low_open";
        if (e->index & 2) out_ += " high_open";
        break;
      case Op::make_map:
        for (std::size_t i = 0; i < e->args.size(); ++i) {
          out_ += ' ';
          write_json_text(i < e->names.size() ? e->names[i] : "?", out_);
          out_ += ' ';
          expr(e->args[i]);
        }
        out_ += ')';
        return;
      case Op::join_text:
        for (const TextSegment& s : e->parts) {
          out_ += ' ';
          if (s.arg < 0) {
            write_json_text(s.literal, out_);
          } else {
            expr(e->args[static_cast<std::size_t>(s.arg)]);
            if (s.decimals >= 0) out_ += " :decimals " + std::to_string(s.decimals);
          }
        }
        out_ += ')';
        return;
      case Op::pick: {
        out_ += ' ';
        expr(e->args[0]);
        const Value& column = e->args[1]->value;
        for (std::uint32_t i = 0; i < column.list.size; ++i) {
          out_ += ' ';
          write_constant(m_.types, e->type, column.list.items[i], out_);
        }
        out_ += ')';
        return;
      }
      default: break;
    }
    args(e);
    out_ += ')';
  }

  void loop(const Expr* e) {
    const Loop& l = *e->loop;
    auto local = [&](int index) { out_ += index < 0 ? std::string("_") : "%" + std::to_string(index); };
    out_ += std::string("(") + name_of(l.collect);
    for (const LoopClause& c : l.clauses) {
      if (c.kind == LoopClause::Kind::for_in) {
        out_ += " (for ";
        local(c.first);
        out_ += ' ';
        local(c.second);
        out_ += ' ';
      } else if (c.kind == LoopClause::Kind::let) {
        out_ += " (let ";
        local(c.second);
        out_ += ' ';
      } else {
        out_ += c.kind == LoopClause::Kind::when ? " (when " : " (while ";
      }
      expr(c.expr);
      out_ += ')';
    }
    if (l.start) {
      out_ += " (with ";
      local(l.state);
      out_ += ' ';
      expr(l.start);
      out_ += ' ';
      expr(l.next);
      out_ += ')';
    }
    for (const LoopOrder& o : l.order) {
      out_ += o.higher ? " (higher " : " (lower ";
      expr(o.expr);
      out_ += ')';
    }
    if (l.key) {
      out_ += " (key ";
      expr(l.key);
      out_ += ')';
    }
    out_ += ' ';
    expr(l.value);
    out_ += ')';
  }

  const Model& m_;
  Budget& budget_;
  const RubricModel* rubric_ = nullptr;
  std::string out_;
};

}  // namespace

std::string dump(const Model& model, Budget budget) { return Dumper(model, budget).run(); }

}  // namespace assay
