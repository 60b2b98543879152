// Scoring rows in memory: the public class, and binding. columns_plan.cpp binds a kernel to the columns,
// columns_score.cpp scores rows.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>

namespace assay {

Columns::Impl::Impl(const Rubric& the_rubric, EvaluatorOptions the_options)
    : rubric(the_rubric),
      options(std::move(the_options)),
      model(*rubric.impl().model),
      meaning(rubric.impl().rubric()) {}

// The steps of a path like "scores.correctness"; empty if there is no such input.
InputPath Columns::Impl::find(std::string_view path, TypeId& type) const {
  InputPath steps;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    int at = -1;
    if (steps.empty()) {
      for (std::size_t i = 0; i < meaning.slots.size(); ++i) {
        if (meaning.slots[i].name == name) at = static_cast<int>(i);
      }
    } else if (model.types.kind(type) == TypeKind::record) {
      at = model.types.field(type, name);
    }
    if (at < 0) return {};
    type = steps.empty() ? meaning.slots[static_cast<std::size_t>(at)].type
                         : model.types[type].fields[static_cast<std::size_t>(at)].type;
    steps.push_back(static_cast<std::uint32_t>(at));
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

std::optional<InputError> Columns::Impl::check(std::string_view path, const Column& column, TypeId type,
                                               bool item) const {
  const Type& t = model.types[type];
  if (column.data == nullptr) return wrong(path, "column", "has a column without data");
  if (column.decimals < 0 || column.decimals > 9)
    return wrong(path, "column", "has a column with decimals outside 0..9");
  const bool cut = column.bits != 0 || column.shift != 0;
  if (cut && (column.type < ColumnType::u8 || column.type > ColumnType::u32 || column.shift + column.bits > 32 ||
              column.bits == 0)) {
    return wrong(path, "column", "has bits that its column does not have");
  }
  switch (t.kind) {
    case TypeKind::number:
      if (column.type == ColumnType::text)
        return wrong(path, "type", "is a number, which a column of texts does not hold");
      return std::nullopt;
    case TypeKind::boolean:
      if (!integer(column.type)) return wrong(path, "type", "is true or false, which a column of integers holds");
      return std::nullopt;
    case TypeKind::text:
      if (column.type == ColumnType::text) return std::nullopt;
      if (!integer(column.type))
        return wrong(path, "type", "is a text, which a column of texts or of integers with names holds");
      if (column.names.empty()) return wrong(path, "type", "is a text, and its column of integers has no names");
      for (const std::string& name : column.names) {
        if (&name - column.names.data() == column.missing) continue;  // represents no text
        if (t.allows(name)) continue;
        return wrong(path, "choice",
                     "has a column with the name '" + name + "', expected " + describe_type(model.types, type));
      }
      return std::nullopt;
    default: break;
  }
  return wrong(path, "type",
               std::string(item ? "has items that" : "is a value that") +
                   " no column holds: " + describe_type(model.types, type));
}

void Columns::Impl::bind(Bound bound) {
  const auto same = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps == bound.steps; });
  if (same == bounds.end()) bounds.push_back(std::move(bound));
  else *same = std::move(bound);
  unready();
}

// ---- the evaluator for rows

std::optional<InputError> Columns::Impl::prepare() {
  if (ready) return std::nullopt;
  for (std::size_t i = 0; i < meaning.slots.size(); ++i) {
    const bool has = std::any_of(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps[0] == i; });
    if (meaning.slots[i].presence == Presence::required && !has) {
      return wrong(meaning.slots[i].name, "required", "is required, and no column is bound to it");
    }
  }
  if (!evaluator) {
    EvaluatorOptions with = options;
    with.fields.clear();
    for (const Written& w : written) with.fields.push_back(w.field);
    if (with.fields.empty()) with.fields.push_back("id");
    evaluator.emplace(rubric, with);
    if (settings) {
      if (auto error = evaluator->configure(*settings)) return error;
    }
    std::vector<VerdictField> fields;
    for (const Written& w : written) fields.push_back(meaning.verdict.fields[w.verdict]);
    fast.emplace(model, rubric.impl().index(), fields, options.limits, *rubric.impl().kernels);
    if (settings) fast->set_weights(evaluator->impl_->weights.values);
  }
  for (Bound& b : bounds) b.handle = *evaluator->inputs().find(b.path);
  for (Written& w : written) w.handle = *evaluator->field(w.field);
  ready = true;
  return std::nullopt;
}

// Another one will be made for the fields that are then written.
void Columns::Impl::forget_evaluator() {
  unready();
  if (!evaluator) return;
  statistics += evaluator->statistics();
  evaluator.reset();
}

const Columns::Impl::Bound* Columns::Impl::bound_to(const InputPath& path) const {
  const auto at = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps == path; });
  return at == bounds.end() ? nullptr : &*at;
}

KernelColumn Columns::Impl::kernel_column(const Column& c, const std::vector<std::int32_t>* map) const {
  KernelColumn out;
  out.data = static_cast<const char*>(c.data);
  out.type = c.type;
  out.stride = c.stride != 0 ? c.stride : static_cast<std::ptrdiff_t>(size_of(c.type));
  out.shift = static_cast<std::uint8_t>(c.shift);
  out.mask = c.bits == 0 ? 0 : static_cast<std::uint32_t>((std::uint64_t{1} << c.bits) - 1);
  out.missing = c.missing;
  if (map != nullptr) {
    out.map = map->data();
    out.map_size = static_cast<std::uint32_t>(map->size());
  }
  return out;
}

// ---- the public class

Columns::Columns(const Rubric& rubric) : Columns(rubric, EvaluatorOptions{}) {}
Columns::Columns(const Rubric& rubric, const EvaluatorOptions& options)
    : impl_(std::make_unique<Impl>(rubric, options)) {}
Columns::~Columns() = default;
Columns::Columns(Columns&&) noexcept = default;
Columns& Columns::operator=(Columns&&) noexcept = default;

std::optional<InputError> Columns::bind(std::string_view path, const Column& column) {
  Impl::Bound bound;
  bound.steps = impl_->find(path, bound.type);
  if (bound.steps.empty()) return wrong(path, "input", "is not an input of this rubric");
  if (auto error = impl_->check(path, column, bound.type, false)) return error;
  bound.path = path;
  bound.column = column;
  impl_->bind(std::move(bound));
  return std::nullopt;
}

std::optional<InputError> Columns::bind_list(std::string_view path, const ListColumn& column) {
  Impl::Bound bound;
  bound.steps = impl_->find(path, bound.type);
  if (bound.steps.empty()) return wrong(path, "input", "is not an input of this rubric");
  const Type& type = impl_->model.types[bound.type];
  if (type.kind != TypeKind::list || impl_->model.types.kind(type.element) != TypeKind::text) {
    return wrong(path, "type", "is not a list of texts, but " + describe_type(impl_->model.types, bound.type));
  }
  if (column.count.data == nullptr || !integer(column.count.type))
    return wrong(path, "column", "needs a column of integers for its counts");
  if (auto error = impl_->check(path, column.items, type.element, true)) return error;
  if (column.items.stride == 0)
    return wrong(path, "column", "needs a stride from the items of one row to those of the next");
  bound.path = path;
  bound.column = column.count;
  bound.items = column.items;
  bound.list = true;
  impl_->bind(std::move(bound));
  return std::nullopt;
}

std::optional<InputError> Columns::write(std::string_view field, const ResultColumn& column) {
  Impl::Written w;
  const std::vector<VerdictField>& fields = impl_->meaning.verdict.fields;
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const VerdictField& f) { return f.name == field; });
  if (at == fields.end()) return wrong(field, "field", "is not a field of the verdict");
  w.verdict = static_cast<std::size_t>(at - fields.begin());
  w.field = field;
  w.column = column;
  w.texts = texts(field);
  w.index = TextIndex(w.texts);
  if (column.data == nullptr) return wrong(field, "column", "has a column without data");
  if (column.decimals < 0 || column.decimals > 9)
    return wrong(field, "column", "has a column with decimals outside 0..9");
  const Item& item = impl_->meaning.items[static_cast<std::size_t>(at->item)];
  const TypeKind kind = impl_->model.types.kind(item.type);
  if (kind == TypeKind::number) {
    if (column.type == ColumnType::text)
      return wrong(field, "type", "is a number, which a column of texts does not hold");
    if (integer(column.type) && at->decimals > column.decimals) {
      return wrong(field, "column",
                   "is shown with " + std::to_string(at->decimals) + " decimals, more than its column has");
    }
  } else if (kind == TypeKind::boolean || (kind == TypeKind::text && !w.texts.empty())) {
    if (!integer(column.type)) return wrong(field, "type", "needs a column of integers");
  } else {
    return wrong(field, "type", "is a value that no column holds");
  }
  if (integer(column.type)) {
    if (auto error = impl_->check_result(w, item)) return error;
  }
  if (auto same = std::find_if(impl_->written.begin(), impl_->written.end(),
                               [&](const Impl::Written& o) { return o.field == field; });
      same != impl_->written.end()) {
    *same = std::move(w);
    impl_->unready();
    return std::nullopt;
  }
  impl_->written.push_back(std::move(w));
  // Evaluators return their fields in the order of the rubric, so results have the same order.
  std::sort(impl_->written.begin(), impl_->written.end(),
            [](const Impl::Written& a, const Impl::Written& b) { return a.verdict < b.verdict; });
  impl_->forget_evaluator();
  return std::nullopt;
}

std::optional<InputError> Columns::configure(const Settings& settings) {
  Evaluator trial(impl_->rubric);
  if (auto error = trial.configure(settings)) return error;
  impl_->settings = settings;
  impl_->forget_evaluator();
  return std::nullopt;
}

std::vector<std::string> Columns::texts(std::string_view field) const {
  for (const VerdictField& f : impl_->meaning.verdict.fields) {
    if (f.name != field) continue;
    const Type& type = impl_->model.types[impl_->meaning.items[static_cast<std::size_t>(f.item)].type];
    return type.kind == TypeKind::text ? type.choices : std::vector<std::string>();
  }
  return {};
}

std::optional<InputError> Columns::score(std::size_t first, std::size_t last) {
  Impl& impl = *impl_;
  if (impl.quick != nullptr && last - first == 1 && impl.faults.empty() && impl.quick->run(first)) {
    ++impl.quick_rows;
    return std::nullopt;
  }
  return impl.score_all(first, last);
}

const std::vector<std::pair<std::size_t, InputError>>& Columns::errors() const { return impl_->faults; }

const Statistics& Columns::statistics() const {
  if (impl_->fast) impl_->count_quick_rows();
  impl_->shown = impl_->statistics;
  if (impl_->evaluator) impl_->shown += impl_->evaluator->statistics();
  return impl_->shown;
}

}  // namespace assay
