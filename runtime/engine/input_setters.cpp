// Scoring without JSON: the inputs of a record are set by handle, each checked against its type at once, and results
// are read by handle. A handle is the number of a place, which holds the address of a value, its type, and the
// enclosing record.
#include "runtime/engine/input_setters.hpp"

#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr std::uint32_t kTop = UINT32_MAX;  // a slot has no enclosing record

}  // namespace

Inputs::Impl::Impl(const Model& model, int rubric, const Limits& the_limits)
    : types(model.types), limits(the_limits), plans(model, rubric), slots(plans.top().fields.size(), missing_value()) {
  for (std::size_t i = 0; i < slots.size(); ++i) add(plans.top().fields[i], slots.data() + i, kTop);
}

std::uint32_t Inputs::Impl::add(const FieldPlan& field, Value* at, std::uint32_t parent) {
  Place& place = places.emplace_back();
  place.field = &field;
  place.at = at;
  place.parent = parent;
  place.absent = field.presence == Presence::defaulted ? field.fallback : missing_value();
  *at = place.absent;
  const auto index = static_cast<std::uint32_t>(places.size() - 1);
  if (field.presence == Presence::required) required.push_back(index);
  return index;
}

// Gives a field of a record its own place on first use, and the record room for its fields. Hosts may pass paths of any
// length, and types may contain themselves: a path that is longer than records may be deep finds nothing.
std::uint32_t Inputs::Impl::find(std::string_view path) {
  if (std::count(path.begin(), path.end(), '.') >= kMostNesting) return kTop;
  const std::int64_t top = plans.top().find(path.substr(0, path.find('.')));
  if (top < 0) return kTop;
  auto found = static_cast<std::uint32_t>(top);
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;) {
    const std::size_t end = path.find('.', dot + 1);
    const ValuePlan& plan = *places[found].field->value;
    if (plan.kind != TypeKind::record) return kTop;
    const std::int64_t at = plan.record->find(path.substr(dot + 1, end - dot - 1));
    if (at < 0) return kTop;
    if (places[found].fields == 0) {
      const std::size_t count = plan.record->fields.size();
      Value* values = room.array<Value>(count);
      const auto first = static_cast<std::uint32_t>(places.size());
      for (std::size_t i = 0; i < count; ++i) add(plan.record->fields[i], values + i, found);
      places[found].fields = first;
      places[found].record = make_record(values, static_cast<std::uint32_t>(count));
    }
    found = places[found].fields + static_cast<std::uint32_t>(at);
    dot = end;
  }
  return found;
}

std::string Inputs::Impl::path(const Place& place) const {
  const std::string name(place.field->name);
  return place.parent == kTop ? name : path(places[place.parent]) + '.' + name;
}

void Inputs::Impl::refuse(Place& place, const char* code, const std::string& found) {
  put(place, place.absent);
  if (problem) return;
  const std::string at = path(place);
  problem = InputError{at, code, at + " is " + found + ", expected " + describe_type(types, place.field->type)};
}

void Inputs::Impl::past_limit(Place& place, std::string_view verb, std::uint64_t value, std::string_view unit,
                              std::string_view limit) {
  put(place, place.absent);
  if (problem) return;
  const std::string at = path(place);
  problem = InputError{at, "limit", limit_message(at + ' ' + std::string(verb), value, unit, limit)};
}

// False for a field of an absent record.
bool Inputs::Impl::inside_what_is_given(const Place& place) const {
  for (const Place* p = &place; p->parent != kTop;) {
    p = &places[p->parent];
    if (p->at->record.fields != p->record.record.fields) return false;
  }
  return true;
}

bool Inputs::Impl::complete(InputError& error) {
  if (problem) {
    error = std::move(*problem);
    problem.reset();
    return false;
  }
  for (const std::uint32_t i : required) {
    const Place& place = places[i];
    if (!place.at->missing() || !inside_what_is_given(place)) continue;
    const std::string at = path(place);
    error = {at, "required", at + " is missing: it is required, " + describe_type(types, place.field->type)};
    return false;
  }
  return true;
}

// ---- the public class

Inputs::Inputs(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inputs::~Inputs() = default;

std::optional<InputHandle> Inputs::find(std::string_view path) {
  const std::uint32_t at = impl_->find(path);
  if (at == kTop) return std::nullopt;
  return static_cast<InputHandle>(at);
}

void Inputs::set_number(InputHandle input, double value) {
  Place& place = impl_->place(input);
  const ValuePlan* const numbers = place.field->value->alternative(TypeKind::number);
  if (numbers == nullptr) return impl_->refuse(place, "type", "a number");
  const ValuePlan& plan = *numbers;
  std::int64_t digits;
  if (decimal_of(value, place.decimals, digits) &&
      plan.allows(digits, place.decimals)) {  // usually as many decimals as last time
    return impl_->put(place, make_number({digits, kPowersOfTen[place.decimals]}));
  }
  const Number n = from_double(value, impl_->room.numbers());
  if (n.missing() || !inside(n, plan.type->range) || (plan.type->whole && !is_whole(n))) {
    if (n.missing()) return impl_->refuse(place, "type", "not finite");
    std::string shown;
    write_shortest(n, shown);
    return impl_->refuse(place, "range", shown);
  }
  for (std::uint8_t k = 0; k <= kFewDecimals; ++k) {
    if (n.den == kPowersOfTen[k]) place.decimals = k;
  }
  impl_->put(place, make_number(n));
}

void Inputs::set_number(InputHandle input, std::int64_t digits, int decimals) {
  Place& place = impl_->place(input);
  const ValuePlan* const numbers = place.field->value->alternative(TypeKind::number);
  const auto k = static_cast<std::size_t>(decimals);
  if (numbers != nullptr && k <= kPlainDigits && digits != INT64_MIN && numbers->allows(digits, k)) {
    return impl_->put(place, make_number({digits, kPowersOfTen[k]}));
  }
  std::string shown = std::to_string(digits);
  if (k > 0 && k <= kPlainDigits && digits != INT64_MIN) {
    shown.clear();
    write_shortest({digits, kPowersOfTen[k]}, shown);
  } else if (k > 0) {
    shown += " / 10^" + std::to_string(decimals);
  }
  impl_->refuse(place, numbers != nullptr ? "range" : "type", shown);
}

void Inputs::set_text(InputHandle input, std::string_view text) {
  Place& place = impl_->place(input);
  const ValuePlan* const texts = place.field->value->alternative(TypeKind::text);
  if (texts == nullptr) return impl_->refuse(place, "type", "a text");
  const ValuePlan& plan = *texts;
  if (text.size() > impl_->limits.text_bytes)
    return impl_->past_limit(place, "takes", impl_->limits.text_bytes, "bytes", "text_bytes");
  if (!plan.allows(text)) {
    std::string shown = "the text ";
    write_json_text(shorten(text, kMostQuoted), shown);
    return impl_->refuse(place, "choice", shown);
  }
  if (plan.type->choices.empty() && !is_utf8(text)) return impl_->refuse(place, "type", "not valid UTF-8");
  impl_->put(place, make_text(text));
}

void Inputs::set_bool(InputHandle input, bool truth) {
  Place& place = impl_->place(input);
  if (place.field->value->alternative(TypeKind::boolean) == nullptr)
    return impl_->refuse(place, "type", truth ? "true" : "false");
  impl_->put(place, make_bool(truth));
}

void Inputs::set_texts(InputHandle input, const std::string_view* texts, std::size_t count) {
  Place& place = impl_->place(input);
  const ValuePlan* const list = place.field->value->alternative(TypeKind::list);
  const bool fits = list != nullptr && list->element->kind == TypeKind::text;
  if (!fits) return impl_->refuse(place, "type", "a list of texts");
  const ValuePlan& plan = *list;
  if (count > impl_->limits.list_items)
    return impl_->past_limit(place, "has", impl_->limits.list_items, "items", "list_items");
  place.items.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (!plan.element->allows(texts[i])) {
      return impl_->refuse(place, "choice", "a list with \"" + shorten(texts[i], kMostQuoted) + '"');
    }
    if (plan.element->type->choices.empty() && !is_utf8(texts[i]))
      return impl_->refuse(place, "type", "a list with a text that is not valid UTF-8");
    place.items.push_back(make_text(texts[i]));
  }
  if (plan.text_set && count > 1) {
    impl_->sets.reset();
    const Value kept = make_items(place.items.data(), count, true, impl_->sets);
    std::copy_n(kept.list.items, kept.list.size, place.items.data());
    count = kept.list.size;
  }
  impl_->put(place, make_list(place.items.data(), static_cast<std::uint32_t>(count)));
}

void Inputs::set_missing(InputHandle input) {
  Place& place = impl_->place(input);
  *place.at = place.absent;
}

void Inputs::reset() {
  for (Place& place : impl_->places) *place.at = place.absent;
  impl_->room.numbers().clear();
  impl_->problem.reset();
}

// ---- on the evaluator

Inputs& Evaluator::inputs() {
  if (!impl_->bound) {
    impl_->bound.reset(
        new Inputs(std::make_unique<Inputs::Impl>(impl_->model, impl_->owner.impl().index(), impl_->options.limits)));
  }
  return *impl_->bound;
}

const Verdict& Evaluator::score_inputs() {
  Impl& impl = *impl_;
  Inputs::Impl& given = *inputs().impl_;
  ++impl.statistics.records;
  impl.result.state.begin();
  impl.arena.reset();
  impl.result.verdict.state_ = &impl.result.state;
  const Earlier earlier = impl.history.earlier();
  if (impl.history.error()) {
    impl.result.state.error = *impl.history.error();
    impl.fail_verdict();
  } else if (!given.complete(impl.result.state.error)) {
    impl.fail_verdict();
  } else {
    std::copy(given.slots.begin(), given.slots.end(), impl.slots.begin());
    if (impl.evaluate_slots(impl.weights.values, earlier)) impl.result.state.rendered = false;
    impl.add_to_series(earlier);
  }
  impl.collect();
  return impl.result.verdict;
}

std::optional<FieldHandle> Evaluator::field(std::string_view name) const {
  const int at = impl_->result.state.find(name);
  if (at < 0) return std::nullopt;
  return static_cast<FieldHandle>(at);
}

}  // namespace assay
