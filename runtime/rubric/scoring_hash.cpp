// The hash over everything that decides numbers.
#include "runtime/rubric/scoring_hash.hpp"

#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"
#include "runtime/output/report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace assay {

namespace {

// Walks everything that can decide a number and hashes its text with FNV-1a. Names that appear in records or verdicts
// are hashed as names; names that only the rubric uses, by their definition and the order of first use, never by
// position. So adding prose, flags or advice changes nothing. Neither addresses nor the order of hash tables affect the
// result.
class Hasher {
 public:
  Hasher(const Model& model, Budget& budget) : model_(model), budget_(budget) {}

  void rubric(int index) {
    if (!first(rubrics_, index)) return;
    const Nesting nesting(budget_);
    const RubricModel& r = model_.rubrics[static_cast<std::size_t>(index)];
    word("rubric");
    for (const std::size_t i : by_name(r.slots)) {
      const Slot& slot = r.slots[i];
      text(slot.name);
      type(slot.type);
      number(static_cast<std::uint64_t>(slot.presence));
      value(slot.type, slot.fallback);
    }
    for (const std::size_t i : by_name(r.weighting.weights)) {
      const WeightModel& weight = r.weighting.weights[i];
      text(weight.name);
      value(kNumber, make_number(weight.value));
      number(weight.settable);
    }
    word("policy");
    number(static_cast<std::uint64_t>(r.weighting.policy));
    for (const std::size_t i : by_name(r.weighting.contexts)) {
      const ContextModel& context = r.weighting.contexts[i];
      text(context.name);
      for (const auto& [weight, amount] : context.weights) {
        text(r.weighting.weights[static_cast<std::size_t>(weight)].name);
        value(kNumber, make_number(amount));
      }
    }
    text(r.history.by);
    for (const RequiredWhen& rule : r.required_when) {
      text(r.slots[static_cast<std::size_t>(rule.slot)].name);
      expr(rule.condition, r);
    }
    for (const Embedded& rule : r.embedded) {
      rubric(rule.rubric);
      expr(rule.body, r);
    }
    prose_ = "message";
    for (const Check& rule : r.checks) expr(rule.body, r);
    prose_ = {};
    std::set<std::string> bands;
    for (const VerdictField& field : r.verdict.fields) {
      const Item& item = r.items[static_cast<std::size_t>(field.item)];
      if (item.kind == ItemKind::pipeline && is_told(field.name)) continue;
      // A text column of a band is prose, a number column is not.
      if (item.kind == ItemKind::band && model_.types.kind(item.type) == TypeKind::text &&
          std::any_of(bands.begin(), bands.end(),
                      [&](const std::string& b) { return field.name.starts_with(b + '_'); }))
        continue;
      if (item.kind == ItemKind::band) bands.insert(field.name);
      text(field.name);
      number(static_cast<std::uint64_t>(field.decimals + 2));
      this->item(field.item, r);
    }
    for (const RankModel& key : r.rank) {
      number(key.higher);
      item(key.item, r);
    }
    if (r.cohort.rubric >= 0) rubric(r.cohort.rubric);
    if (r.cohort.each < 0) return;
    for (const int i : r.cohort.handed) item(i, model_.rubrics[static_cast<std::size_t>(r.cohort.rubric)]);
    for (const int i : r.verdict.items) item(i, r);
    rubric(r.cohort.each);
  }

  std::string str() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  // Fields of the verdict that describe, as texts, what is hashed elsewhere.
  static bool is_told(std::string_view field) {
    for (const VerdictKey& row : kVerdictKeys) {
      if (row.key == field) return row.told;
    }
    return false;
  }

  template <class Named>
  static std::vector<std::size_t> by_name(const std::vector<Named>& all) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].name < all[b].name; });
    return order;
  }

  // Whether it is new; its number goes into the hash.
  template <class Key>
  bool first(std::map<Key, std::uint64_t>& met, Key key) {
    const auto [at, fresh] = met.emplace(key, met.size());
    number(at->second);
    return fresh;
  }

  void byte(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3u; }
  void number(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(n >> (8 * i)));
  }
  void text(std::string_view s) {
    number(s.size());
    for (const char c : s) byte(static_cast<unsigned char>(c));
  }
  void word(const char* s) { text(s); }

  void type(TypeId id) {
    const Type& t = model_.types[id];
    const Nesting nesting(budget_);
    number(static_cast<std::uint64_t>(t.kind));
    if (t.kind == TypeKind::number || t.kind == TypeKind::text) return text(model_.types.str(id));
    if (t.kind == TypeKind::list || t.kind == TypeKind::map) {
      number(t.set + (t.gaps ? 2u : 0u));
      return type(t.element);
    }
    for (const TypeId one : t.alternatives) type(one);
    if (t.kind != TypeKind::record || !first(records_, id)) return;
    for (const Field& field : t.fields) {
      text(field.name);
      number(static_cast<std::uint64_t>(field.presence));
      type(field.type);
      value(field.type, field.fallback);
    }
  }

  void value(TypeId id, const Value& v) {
    std::string shown;
    if (model_.types.kind(id) == TypeKind::number && !v.missing()) {
      write_exact(v.number, shown);
    } else {
      writer_.write(id, v, kAsGiven, shown);
    }
    constexpr std::size_t kBytesAStep = 16;
    budget_.step(shown.size() / kBytesAStep);
    text(shown);
  }

  void item(int index, const RubricModel& r) {
    const Item& it = r.items[static_cast<std::size_t>(index)];
    if (!first(items_, &it) || it.body == nullptr) return;
    const std::string_view around = std::exchange(prose_, {});
    expr(it.body, r);
    prose_ = around;
  }

  // Operations that were added later have numbers after all others, so that the hashes of older rubrics do not change.
  static std::uint64_t number_of(Op op) {
    constexpr std::uint64_t kLater = 1000;
    switch (op) {
      case Op::is_kind: return kLater;
      case Op::as_kind: return kLater + 1;
      case Op::retype: return kLater + 2;
      case Op::any_get: return kLater + 3;
      default: return static_cast<std::uint64_t>(op) + 1 - (op > Op::retype ? 3 : 0) - (op > Op::any_get ? 1 : 0);
    }
  }

  void expr(const Expr* e, const RubricModel& r) {
    if (e == nullptr) return number(0);
    const Nesting nesting(budget_);
    number(number_of(e->op));
    switch (e->op) {
      case Op::constant: value(e->type, e->value); break;
      case Op::is_kind:
      case Op::as_kind: number(e->index); break;
      case Op::slot:
        text(e->index < r.slots.size() ? std::string_view(r.slots[e->index].name) : std::string_view());
        break;
      case Op::weight:
        text(e->index < r.weighting.weights.size() ? std::string_view(r.weighting.weights[e->index].name)
                                                   : std::string_view());
        break;
      case Op::item: item(static_cast<int>(e->index), r); break;
      case Op::call: function(static_cast<int>(e->index)); break;
      case Op::apply: rubric(static_cast<int>(e->index)); break;
      case Op::lookup: table(static_cast<int>(e->index)); break;
      case Op::builtin: text(kBuiltinRows[e->index].name); break;
      case Op::hook: {
        const HookModel& hook = model_.hooks[e->index];
        text(hook.source.empty() ? hook.path : hook.source);  // a hook of the host has no text
        break;
      }
      case Op::adjust: number(0); break;
      case Op::make_record:
        for (const Field& field : model_.types[e->type].fields) text(field.name);
        break;
      case Op::field: {
        const TypeId record = e->args[0]->type;
        const auto& fields = model_.types[record].fields;
        text(e->index < fields.size() ? std::string_view(fields[e->index].name) : std::string_view());
        break;
      }
      default: number(e->index);
    }
    if (e->op != Op::let_in) {  // its names are only for explanations
      for (const std::string& name : e->names) text(name);
    }
    for (const TextSegment& part : e->parts) {
      text(part.literal);
      number(static_cast<std::uint64_t>(part.arg + 1));
      number(static_cast<std::uint64_t>(part.decimals + 1));
    }
    const std::string_view around = prose_;
    if (e->op == Op::adjust) prose_ = "reason";
    if (e->op == Op::pick) {
      expr(e->args[0], r);
      const Value& column = e->args[1]->value;
      for (std::uint32_t i = 0; i < column.list.size; ++i) {
        number(static_cast<std::uint64_t>(Op::constant) + 1);
        value(e->type, column.list.items[i]);
      }
      return;
    }
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      const bool prose = e->op == Op::make_record && !prose_.empty() && i < model_.types[e->type].fields.size() &&
                         model_.types[e->type].fields[i].name == prose_;
      if (!prose) expr(e->args[i], r);
    }
    if (e->loop) loop(*e->loop, r);
    prose_ = around;
  }

  void loop(const Loop& l, const RubricModel& r) {
    for (const LoopClause& clause : l.clauses) {
      number(static_cast<std::uint64_t>(clause.kind));
      expr(clause.expr, r);
    }
    number(static_cast<std::uint64_t>(l.collect));
    for (const Expr* part : {l.start, l.next, l.key, l.value}) expr(part, r);
    for (const LoopOrder& order : l.order) {
      number(order.higher);
      expr(order.expr, r);
    }
  }

  void function(int index) {
    const Function& f = model_.functions[static_cast<std::size_t>(index)];
    if (!first(functions_, index)) return;
    const std::string_view around = std::exchange(prose_, {});
    expr(f.body, f.rubric >= 0 ? model_.rubrics[static_cast<std::size_t>(f.rubric)] : none_);
    prose_ = around;
  }

  void table(int index) {
    const LookupTable& t = model_.tables[static_cast<std::size_t>(index)];
    if (!first(tables_, index)) return;
    for (const TableRow& row : t.rows) {
      for (std::size_t k = 0; k < row.cells.size(); ++k) {
        number(row.cells[k].size());
        for (const CellTest& cell : row.cells[k]) {
          number(static_cast<std::uint64_t>(cell.kind));
          if (cell.kind == CellTest::Kind::value) value(t.keys[k].type, cell.value);
          if (cell.kind != CellTest::Kind::range) continue;
          value(kNumber, make_number(cell.range.low));
          value(kNumber, make_number(cell.range.high));
          number(cell.range.low_open * 2u + cell.range.high_open);
        }
      }
    }
  }

  const Model& model_;
  Budget& budget_;
  const RubricModel none_;
  ValueWriter writer_{model_.types};
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::string_view prose_;  // for the record under construction: the field that holds its prose
  std::map<int, std::uint64_t> rubrics_, functions_, tables_;
  std::map<TypeId, std::uint64_t> records_;
  std::map<const Item*, std::uint64_t> items_;
};

}  // namespace

std::string scoring_hash(const Model& model, int rubric, Budget& budget) {
  Hasher hasher(model, budget);
  hasher.rubric(rubric);
  return hasher.str();
}

}  // namespace assay
