// What a host may ask a rubric: its parts, its views as text, and the hash over what decides numbers.
#include "lang/kernel.hpp"
#include "lang/compile.hpp"
#include "runtime/report.hpp"
#include "runtime/rubric_impl.hpp"

#include <cstdio>
#include <set>

namespace assay {

const std::string& Rubric::name() const { return impl_->rubric().name; }
const std::string& Rubric::version() const { return impl_->rubric().version; }
const std::string& Rubric::prose() const { return impl_->rubric().prose; }
bool Rubric::ranked() const { return !impl_->rubric().rank.empty(); }
bool Rubric::has_cohort() const { return impl_->rubric().cohort >= 0; }

std::vector<InputInfo> Rubric::inputs() const {
  std::vector<InputInfo> result;
  for (const Slot& slot : impl_->rubric().slots) {
    const char* presence = slot.presence == Presence::required   ? "required"
                           : slot.presence == Presence::optional ? "optional"
                                                                 : "default";
    result.push_back({slot.name, impl_->model->types.str(slot.type), presence, slot.prose});
  }
  return result;
}

std::vector<FieldInfo> Rubric::fields() const {
  std::vector<FieldInfo> result{{"rubric", "text"}, {"version", "text"}};
  for (const VerdictField& field : impl_->rubric().verdict) {
    result.push_back(
        {field.name, impl_->model->types.str(impl_->rubric().items[static_cast<std::size_t>(field.item)].type)});
  }
  return result;
}

namespace {

constexpr const char* kBuiltins[] = {
#define ASSAY_BUILTIN(id, name, group, signature, doc, example) name,
#include "lang/builtins.def"
#undef ASSAY_BUILTIN
};

DimensionInfo describe(const DimensionModel& dimension, const RubricModel& rubric) {
  DimensionInfo info{dimension.name, dimension.prose, {}, {}};
  if (dimension.weight >= 0)
    write_shortest(rubric.weights[static_cast<std::size_t>(dimension.weight)].value, info.weight);
  for (const DimensionModel& part : dimension.parts) info.parts.push_back(describe(part, rubric));
  return info;
}

}  // namespace

std::vector<DimensionInfo> Rubric::dimensions() const {
  std::vector<DimensionInfo> result;
  for (const DimensionModel& dimension : impl_->rubric().dimensions)
    result.push_back(describe(dimension, impl_->rubric()));
  return result;
}

std::vector<ContextInfo> Rubric::contexts() const {
  std::vector<ContextInfo> result;
  for (const ContextModel& context : impl_->rubric().contexts) result.push_back({context.name, context.prose});
  return result;
}

std::vector<std::string> Rubric::names() const {
  std::set<std::string> all{"input", "history"};
  for (const Slot& slot : impl_->rubric().slots) all.insert(slot.name);
  for (const Item& item : impl_->rubric().items) {
    if (item.kind != ItemKind::hidden && item.kind != ItemKind::rank && !item.name.empty()) all.insert(item.name);
  }
  for (const Function& function : impl_->model->functions) all.insert(function.name);
  for (const LookupTable& table : impl_->model->tables) all.insert(table.name);
  for (const HookModel& hook : impl_->model->hooks) all.insert(hook.name);
  for (const char* builtin : kBuiltins) all.insert(builtin);
  std::vector<std::string> result;
  for (const std::string& name : all) {
    const bool plain = !name.empty() && name.find_first_of(" .$<{") == std::string::npos;
    if (plain) result.push_back(name);
  }
  return result;
}

namespace {

// Each field by itself, then the instructions for those together that can be.
std::string show_kernel(const Rubric::Impl& impl) {
  KernelRequest all;
  all.model = impl.model.get();
  all.rubric = impl.index();
  std::string text;
  for (const VerdictField& field : impl.rubric().verdict) {
    KernelRequest one = all;
    one.roots = {field.item};
    one.decimals = {field.decimals};
    std::string why;
    Span where;
    text += field.name + ": ";
    if (!compile_kernel(one, why, &where)) {
      text += "no, " + why;
      if (where.end > where.begin) {
        const Location at = impl.sources.locate(where);
        text += at.file == impl.sources.file(0).name ? " (line " : " (" + at.file + ':';
        text += std::to_string(at.line) + ')';
      }
      text += '\n';
      continue;
    }
    text += "yes\n";
    all.roots.push_back(field.item);
    all.decimals.push_back(field.decimals);
  }
  std::string why;
  if (const auto kernel = all.roots.empty() ? nullptr : compile_kernel(all, why)) text += dump(*kernel);
  return text;
}

}  // namespace

std::string Rubric::show(View view) const {
  switch (view) {
    case View::ast: return ast::dump(impl_->file);
    case View::model: return dump(*impl_->model);
    case View::bytecode: {
      std::vector<int> roots;
      for (const VerdictField& field : impl_->rubric().verdict) roots.push_back(field.item);
      for (const RankModel& key : impl_->rubric().rank) roots.push_back(key.item);
      return disassemble(*compile(impl_->model, impl_->index(), roots));
    }
    case View::kernel: return show_kernel(*impl_);
  }
  return {};
}

// ---- the hash

namespace {

// Walks everything that can decide a number and feeds its text into FNV-1a. What is named is hashed by its name and
// its definition, never by its position, so that adding prose, flags or advice moves nothing.
class Hasher {
 public:
  explicit Hasher(const Model& model) : model_(model) {}

  void rubric(int index) {
    if (!rubrics_.insert(index).second) return;
    const RubricModel& r = model_.rubrics[static_cast<std::size_t>(index)];
    word("rubric");
    for (const Slot& slot : r.slots) {
      text(slot.name);
      type(slot.type);
      number(static_cast<std::uint64_t>(slot.presence));
      value(slot.type, slot.fallback);
    }
    for (const WeightModel& weight : r.weights) {
      text(weight.name);
      value(kNumber, make_number(weight.value));
      number(weight.settable);
    }
    word("policy");
    number(static_cast<std::uint64_t>(r.weight_policy));
    for (const ContextModel& context : r.contexts) {
      text(context.name);
      for (const auto& [weight, amount] : context.weights) {
        text(r.weights[static_cast<std::size_t>(weight)].name);
        value(kNumber, make_number(amount));
      }
    }
    text(r.history_by);
    for (const RequiredWhen& rule : r.required_when) {
      text(r.slots[static_cast<std::size_t>(rule.slot)].name);
      expr(rule.condition, r);
    }
    for (const Embedded& rule : r.embedded) {
      rubric(rule.rubric);
      expr(rule.body, r);
    }
    for (const Check& rule : r.checks) expr(rule.body, r);
    std::set<std::string> bands;
    for (const VerdictField& field : r.verdict) {
      const Item& item = r.items[static_cast<std::size_t>(field.item)];
      const std::size_t cut = field.name.find('_');
      if (item.kind == ItemKind::advice || field.name == "reason" || field.name == "advice") continue;
      if (item.kind == ItemKind::band && cut != std::string::npos && bands.count(field.name.substr(0, cut)) != 0)
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
    if (r.cohort >= 0) rubric(r.cohort);
  }

  std::string str() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
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
    number(static_cast<std::uint64_t>(t.kind));
    if (t.kind == TypeKind::number || t.kind == TypeKind::text) return text(model_.types.str(id));
    if (t.kind == TypeKind::list || t.kind == TypeKind::map) {
      number(t.set);
      return type(t.element);
    }
    if (t.kind != TypeKind::record || !records_.insert(id).second) return;
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
    text(shown);
  }

  void item(int index, const RubricModel& r) {
    const Item& it = r.items[static_cast<std::size_t>(index)];
    const bool seen = !items_.insert(&it).second;
    if (seen || it.body == nullptr) return text(it.name);
    expr(it.body, r);
  }

  void expr(const Expr* e, const RubricModel& r) {
    if (e == nullptr) return number(0);
    number(static_cast<std::uint64_t>(e->op) + 1);
    switch (e->op) {
      case Op::constant: value(e->type, e->value); break;
      case Op::slot:
        text(e->index < r.slots.size() ? std::string_view(r.slots[e->index].name) : std::string_view());
        break;
      case Op::weight:
        text(e->index < r.weights.size() ? std::string_view(r.weights[e->index].name) : std::string_view());
        break;
      case Op::item: item(static_cast<int>(e->index), r); break;
      case Op::call: function(static_cast<int>(e->index)); break;
      case Op::apply: rubric(static_cast<int>(e->index)); break;
      case Op::lookup: table(static_cast<int>(e->index)); break;
      case Op::builtin: text(kBuiltins[e->index]); break;
      case Op::hook: text(model_.hooks[e->index].source); break;
      case Op::field: {
        const TypeId record = e->args[0]->type;
        const auto& fields = model_.types[record].fields;
        text(e->index < fields.size() ? std::string_view(fields[e->index].name) : std::string_view());
        break;
      }
      default: number(e->index);
    }
    for (const std::string& name : e->names) text(name);
    for (const TextSegment& part : e->parts) {
      text(part.literal);
      number(static_cast<std::uint64_t>(part.arg + 1));
      number(static_cast<std::uint64_t>(part.decimals + 1));
    }
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (e->op == Op::make_record && i < model_.types[e->type].fields.size() &&
          model_.types[e->type].fields[i].name == "reason")
        continue;
      expr(e->args[i], r);
    }
    if (e->loop) loop(*e->loop, r);
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
    text(f.name);
    if (!functions_.insert(index).second) return;
    expr(f.body, f.rubric >= 0 ? model_.rubrics[static_cast<std::size_t>(f.rubric)] : none_);
  }

  void table(int index) {
    const LookupTable& t = model_.tables[static_cast<std::size_t>(index)];
    text(t.name);
    if (!tables_.insert(index).second) return;
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
  const RubricModel none_;
  ValueWriter writer_{model_.types};
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::set<int> rubrics_, functions_, tables_;
  std::set<TypeId> records_;
  std::set<const Item*> items_;
};

}  // namespace

std::string Rubric::scoring_hash() const {
  Hasher hasher(*impl_->model);
  hasher.rubric(impl_->index());
  return hasher.str();
}

}  // namespace assay
