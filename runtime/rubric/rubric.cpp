// The public questions about a rubric: its parts, and its views as text.
#include "lang/bytecode/compile.hpp"
#include "lang/kernel/kernel.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/text/key.hpp"
#include "runtime/input/unknown_keys.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>
#include <set>

namespace assay {

const std::string& Rubric::name() const { return impl_->rubric().name; }
const std::string& Rubric::version() const { return impl_->rubric().version; }
const std::string& Rubric::prose() const { return impl_->rubric().prose; }
bool Rubric::ranked() const { return !impl_->rubric().rank.empty(); }
bool Rubric::has_cohort() const { return impl_->rubric().cohort.rubric >= 0; }
bool Rubric::serial() const { return !impl_->rubric().history.by.empty(); }
bool Rubric::scored() const {
  const std::vector<Item>& items = impl_->rubric().items;
  return impl_->rubric().scale.declared || std::any_of(items.begin(), items.end(), [](const Item& item) {
           return item.kind == ItemKind::output && item.name == "score";
         });
}

namespace {

FieldInfo::Role role_of(FieldRole role) {
  switch (role) {
    case FieldRole::key: return FieldInfo::Role::key;
    case FieldRole::band: return FieldInfo::Role::band;
    case FieldRole::band_attribute: return FieldInfo::Role::band_attribute;
    default: return FieldInfo::Role::output;
  }
}

}  // namespace

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

namespace {

void describe_fields(const Model& model, const RubricModel& rubric, std::vector<FieldInfo>& result) {
  for (const VerdictField& field : rubric.verdict.fields) {
    const TypeId type = rubric.items[static_cast<std::size_t>(field.item)].type;
    const bool number = model.types.kind(type) == TypeKind::number;
    result.push_back(
        {field.name, model.types.str(type), number ? std::max(field.decimals, -1) : -1, role_of(field.role)});
  }
}

}  // namespace

std::vector<FieldInfo> Rubric::fields() const {
  std::vector<FieldInfo> result{{"rubric", "text"}, {"version", "text"}, {"scoring_hash", "text"}};
  describe_fields(*impl_->model, impl_->rubric(), result);
  return result;
}

std::optional<std::vector<std::string>> Rubric::keys_at(std::string_view path) const {
  const TypeTable& types = impl_->model->types;
  const RubricModel& rubric = impl_->rubric();
  const std::string_view first = path.substr(0, path.find('.'));
  const auto field = std::find_if(rubric.verdict.fields.begin(), rubric.verdict.fields.end(),
                                  [first](const VerdictField& f) { return f.name == first; });
  if (field == rubric.verdict.fields.end()) return std::nullopt;
  TypeId type = rubric.items[static_cast<std::size_t>(field->item)].type;
  while (path.find('.') != path.npos) {
    path.remove_prefix(path.find('.') + 1);
    const std::string_view name = path.substr(0, path.find('.'));
    const std::vector<Field>& fields = types[type].fields;
    const auto next = std::find_if(fields.begin(), fields.end(), [name](const Field& f) { return f.name == name; });
    if (types.kind(type) != TypeKind::record || next == fields.end()) return std::nullopt;
    type = next->type;
  }
  if (types.kind(type) != TypeKind::record) return std::nullopt;
  std::vector<std::string> keys;
  for (const Field& one : types[type].fields) keys.emplace_back(one.name);
  return keys;
}

std::vector<FieldInfo> Rubric::each_fields() const {
  std::vector<FieldInfo> result;
  const int each = impl_->rubric().cohort.each;
  if (each >= 0) describe_fields(*impl_->model, impl_->model->rubrics[static_cast<std::size_t>(each)], result);
  return result;
}

namespace {

DimensionInfo describe(const DimensionModel& dimension, const RubricModel& rubric) {
  DimensionInfo info{dimension.name, dimension.prose, {}, {}};
  if (dimension.weight >= 0)
    write_shortest(rubric.weighting.weights[static_cast<std::size_t>(dimension.weight)].value, info.weight);
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
  for (const ContextModel& context : impl_->rubric().weighting.contexts)
    result.push_back({context.name, context.prose});
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
  for (const BuiltinRow& builtin : kBuiltinRows) all.insert(std::string(builtin.name));
  std::vector<std::string> result;
  for (const std::string& name : all) {
    if (is_name(name)) result.push_back(name);  // what stands in quotes is no name of an expression
  }
  return result;
}

namespace {

// Shows each field by itself, then the instructions for all those that a kernel can compute.
std::string show_kernel(const Rubric::Impl& impl, Budget& budget) {
  KernelRequest all;
  all.model = impl.model.get();
  all.rubric = impl.index();
  std::string text;
  for (const VerdictField& field : impl.rubric().verdict.fields) {
    KernelRequest one = all;
    budget.look();
    one.roots = {field.item};
    one.decimals = {field.decimals};
    std::string why;
    Span where;
    text += field.name + ": ";
    if (!compile_kernel(one, why, &where)) {
      text += "no, " + why;
      if (where.end > where.begin) {
        const Location at = impl.sources.locate(where);
        text += at.file == Printable(impl.sources.file(0).name) ? " (line " : " (" + at.file + ':';
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

std::string shown(const Rubric::Impl& impl, View view, Budget& budget) {
  switch (view) {
    case View::ast: return ast::dump(impl.file, budget);
    case View::model: return dump(*impl.model, budget);
    case View::bytecode: {
      std::vector<int> roots;
      for (const VerdictField& field : impl.rubric().verdict.fields) roots.push_back(field.item);
      for (const RankModel& key : impl.rubric().rank) roots.push_back(key.item);
      return disassemble(*compile(impl.model, impl.index(), roots), budget);
    }
    case View::kernel: return show_kernel(impl, budget);
  }
  return {};
}

}  // namespace

std::string Rubric::show(View view, const Interrupt* interrupt) const {
  Budget budget = Budget::without_limits(interrupt);
  try {
    return shown(*impl_, view, budget);
  } catch (const OutOfBudget&) { return {}; }
}

const std::string& Rubric::scoring_hash() const { return impl_->rubric().scoring_hash; }

std::vector<UnknownKey> Rubric::unknown_keys(std::string_view record, std::size_t most) const {
  return assay::unknown_keys(*impl_->model, impl_->index(), record, most);
}

std::vector<UnknownKey> Rubric::unknown_columns(const std::vector<std::string>& names, std::size_t most) const {
  return assay::unknown_columns(*impl_->model, impl_->index(), names, most);
}

}  // namespace assay
