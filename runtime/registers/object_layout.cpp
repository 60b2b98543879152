// Makes layouts by walking the plan of the records and the inputs of the kernel together.
#include "runtime/registers/object_layout.hpp"

#include <algorithm>

namespace assay {

namespace {

std::uint32_t low_bits(std::size_t count) { return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1; }

std::string padded(std::string_view text) { return std::string(text) + std::string(kBlock, '\0'); }

// A name for which records need an escape cannot be found by its bytes.
bool stands_for_itself(std::string_view name) {
  return std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; });
}

}  // namespace

// ---- texts

void TextNumbers::add(std::string_view text, std::int64_t number) {
  const auto same = [&](const Entry& e) { return std::string_view(e.text).substr(0, e.size) == text; };
  if (std::none_of(entries_.begin(), entries_.end(), same)) entries_.push_back({padded(text), text.size(), number});
}

void TextNumbers::index() {
  const std::uint32_t size = map_index_size(static_cast<std::uint32_t>(entries_.size()));
  table_.assign(size, 0);
  mask_ = size - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = static_cast<std::size_t>(fingerprint(entries_[i].text.data(), entries_[i].size)) & mask_;
    while (table_[at] != 0) at = (at + 1) & mask_;
    table_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

// ---- keys

void ExpectedField::set_pattern(bool spaced) {
  const std::string text = (spaced ? ", \"" : ",\"") + name.substr(0, name_size) + (spaced ? "\": " : "\":");
  size = static_cast<std::uint32_t>(text.size());
  std::memset(pattern, 0, sizeof pattern);
  std::memcpy(pattern, text.data(), std::min(text.size(), kPattern));
  mask = low_bits(std::min(text.size(), kPattern));
  rest = text.size() > kPattern ? padded(std::string_view(text).substr(kPattern)) : std::string();
}

// Compares block by block: a name contains no control character, so the comparison stops at the end of the record.
bool ExpectedField::rest_matches(const char* p) const { return same_bytes(p, rest.data(), size - kPattern); }

// ---- layouts

ObjectLayouts::ObjectLayouts(const Model& model, int rubric, const Kernel& kernel) : plans_(model, rubric) {
  Ways ways;
  for (const KernelInput& input : kernel.inputs) {
    ways.push_back({&input, false, 0});
    usable_ = usable_ && !input.path.empty() && input.absent.size() == input.path.size();
  }
  if (!usable_) return;
  top_ = layout(plans_.top(), ways);
  fill_pending();
  for (const KernelResult& result : kernel.results) {
    if (result.kind != KernelResult::Kind::input) continue;
    FieldPlace& place = top_->fields[result.slot].place;
    if (place.kind == FieldPlace::Kind::text) place.shown = static_cast<int>(result.slot);
    else usable_ = false;
  }
  lay_out();
}

void ObjectLayouts::set_spaced(bool spaced) {
  spaced_ = spaced;
  for (const auto& layout : layouts_) {
    for (ExpectedField& field : layout->fields) field.set_pattern(spaced);
  }
}

// Registers are laid out one after another.
void ObjectLayouts::lay_out() {
  const auto at = [](Register reg) { return static_cast<std::uint32_t>(reg * sizeof(std::int64_t)); };
  const auto all = [&](std::vector<RegisterWrite>& writes) {
    for (RegisterWrite& write : writes) write.at = write.reg == kNoReg ? 0 : at(write.reg);
  };
  const auto one = [&](FieldPlace& place) {
    if (place.reg != kNoReg) place.at = at(place.reg);
    place.given_at = place.given == kNoReg ? place.at : at(place.given);
    all(place.more_given);
    all(place.folds);
  };
  for (const auto& layout : layouts_) {
    for (ExpectedField& field : layout->fields) {
      one(field.place);
      all(field.absent);
    }
  }
  for (const auto& element : elements_) one(*element);
}

ObjectLayout* ObjectLayouts::layout(const RecordPlan& plan, const Ways& ways) {
  if (ways.empty()) {
    if (const auto known = shared_.find(&plan); known != shared_.end()) return known->second;
  }
  layouts_.push_back(std::make_unique<ObjectLayout>());
  ObjectLayout& made = *layouts_.back();
  if (ways.empty()) shared_[&plan] = &made;  // registered before its parts are made: types may contain themselves
  const std::size_t count = plan.fields.size();
  made.fields.resize(count);
  made.all.assign((count + 63) / 64, 0);
  pending_.push_back({&made, &plan, ways});
  return &made;
}

// Types may contain themselves and each other in long chains, so layouts are filled iteratively, not recursively.
void ObjectLayouts::fill_pending() {
  while (!pending_.empty()) {
    const Pending next = std::move(pending_.back());
    pending_.pop_back();
    fill_layout(*next.layout, *next.plan, next.ways);
  }
}

void ObjectLayouts::fill_layout(ObjectLayout& made, const RecordPlan& plan, const Ways& ways) {
  const std::size_t count = plan.fields.size();
  const std::uint32_t size = map_index_size(static_cast<std::uint32_t>(count));
  made.table.assign(size, nullptr);
  made.mask = size - 1;
  made.end.pattern[0] = '}';
  made.end.mask = 1;
  made.end.size = 1;
  made.end.place.kind = FieldPlace::Kind::end;
  made.end.next = made.end.other = &made.end;
  ExpectedField* before = &made.end;
  for (std::size_t i = 0; i < count; ++i) {
    const FieldPlan& from = plan.fields[i];
    ExpectedField& field = made.fields[i];
    field.name = padded(from.name);
    field.name_size = from.name.size();
    usable_ = usable_ && stands_for_itself(from.name);
    field.set_pattern(false);
    field.word = static_cast<std::uint32_t>(i / 64);
    field.bit = std::uint64_t{1} << (i % 64);
    made.all[field.word] |= field.bit;
    before->next = &field;
    before = &field;
    field.next = field.other = &made.end;
    std::size_t at = static_cast<std::size_t>(fingerprint(field.name.data(), field.name_size)) & made.mask;
    while (made.table[at] != nullptr) at = (at + 1) & made.mask;
    made.table[at] = &field;

    Ways inner;
    for (const Way& way : ways) {
      if (way.path()[way.step] == i) inner.push_back(way);
    }
    absent(field, from, inner);
    for (Way& way : inner) ++way.step;
    fill(field.place, *from.value, inner);
  }
}

void ObjectLayouts::absent(ExpectedField& field, const FieldPlan& plan, const Ways& ways) {
  field.required = plan.presence == Presence::required;
  for (const Way& way : ways) {
    if (way.in_item) {
      Value value = plan.presence == Presence::defaulted ? plan.fallback : missing_value();
      for (std::size_t i = way.step + 1; i < way.path().size() && !value.missing(); ++i) {
        value = way.path()[i] < value.record.size ? value.record.fields[way.path()[i]] : missing_value();
      }
      if (value.missing()) {
        field.required = true;
      } else {
        const Take take = way.input->kind == KernelInput::Kind::all ? Take::all : Take::any;
        field.absent.push_back({way.input->reg, take, value.boolean.truth != 0});
      }
      continue;
    }
    const KernelInput::Absent& absent = way.input->absent[way.step];
    field.required = field.required || absent.required;
    if (way.input->reg != kNoReg) field.absent.push_back({way.input->reg, Take::set, absent.value});
    if (way.input->given != kNoReg) field.absent.push_back({way.input->given, Take::set, absent.given});
  }
}

void ObjectLayouts::fill(FieldPlace& place, const ValuePlan& plan, const Ways& ways) {
  place.plan = &plan;
  if (plan.kind == TypeKind::record && !plan.record->fields.empty()) {
    Ways inner;
    for (const Way& way : ways) {
      if (!way.arrived()) {
        inner.push_back(way);
      } else if (way.input->kind == KernelInput::Kind::given && !way.in_item) {
        place.more_given.push_back({way.input->given, Take::set, 1});
      } else {
        usable_ = false;
      }
    }
    place.kind = FieldPlace::Kind::record;
    place.layout = layout(*plan.record, inner);
    place.wide = place.layout->fields.size() > 64;
    return;
  }
  for (const Way& way : ways) usable_ = usable_ && way.arrived();
  if (!usable_) return;
  if (plan.kind == TypeKind::list) return fill_list(place, plan, ways);
  const KernelInput* input = nullptr;  // the input that takes the value
  for (const Way& way : ways) {
    if (way.in_item) {
      usable_ = usable_ && plan.kind == TypeKind::boolean;
      place.folds.push_back({way.input->reg, way.input->kind == KernelInput::Kind::all ? Take::all : Take::any, 0});
    } else {
      usable_ = usable_ && input == nullptr;
      input = way.input;
    }
  }
  usable_ = usable_ && (input == nullptr || place.folds.empty());
  if (input != nullptr) {
    place.reg = input->reg;
    place.given = input->given;
  }
  const auto only = [&](KernelInput::Kind kind) {
    usable_ = usable_ && (input == nullptr || input->kind == kind || input->kind == KernelInput::Kind::given);
    return input != nullptr && input->kind == kind && input->reg != kNoReg;
  };
  switch (plan.kind) {
    case TypeKind::number: {
      place.kind = FieldPlace::Kind::checked;
      if (!only(KernelInput::Kind::number)) return;
      const ValuePlan::Bounds& bounds = plan.bounds[input->decimals];
      place.kind = FieldPlace::Kind::number;
      place.decimals = static_cast<std::uint8_t>(input->decimals);
      if (place.decimals <= 3) {
        place.fraction = 8u * place.decimals;
        place.shift = static_cast<std::uint8_t>(24 - place.fraction);
      }
      place.low = std::max(input->low, bounds.low);
      const std::int64_t high = std::min(input->high, bounds.high);
      usable_ = usable_ && input->decimals <= 11 && place.low <= high && !(plan.type->whole && input->decimals != 0);
      place.span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(place.low);
      return;
    }
    case TypeKind::boolean:
      place.kind = only(KernelInput::Kind::truth) ? FieldPlace::Kind::truth : FieldPlace::Kind::checked;
      return;
    case TypeKind::text: {
      place.kind = FieldPlace::Kind::text;
      const bool symbol = only(KernelInput::Kind::symbol);
      const std::vector<std::string>& choices = plan.type->choices;
      if (!symbol && choices.empty()) return;
      static const std::vector<std::string> kNone;
      const std::vector<std::string>& names = symbol ? input->names : kNone;
      place.numbers = std::make_unique<TextNumbers>();
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (plan.allows(names[i])) place.numbers->add(names[i], static_cast<std::int64_t>(i));
      }
      const auto other = static_cast<std::int64_t>(names.size());
      for (const std::string& choice : choices) place.numbers->add(choice, other);
      place.otherwise = choices.empty() ? other : TextNumbers::kNone;
      place.numbers->index();
      return;
    }
    case TypeKind::any:
      place.kind = FieldPlace::Kind::any;
      only(KernelInput::Kind::given);
      return;
    default: place.kind = FieldPlace::Kind::unknown; return;
  }
}

void ObjectLayouts::fill_list(FieldPlace& place, const ValuePlan& plan, const Ways& ways) {
  place.kind = FieldPlace::Kind::list;
  place.set = plan.text_set;
  place.span = INT64_MAX;
  Ways items;
  for (const Way& way : ways) {
    const KernelInput& input = *way.input;
    usable_ = usable_ && !way.in_item;  // a list in an item of a list
    if (input.given != kNoReg) place.more_given.push_back({input.given, Take::set, 1});
    if (input.kind == KernelInput::Kind::count) {
      if (input.reg == kNoReg) continue;
      usable_ = usable_ && place.reg == kNoReg && input.low <= 0;
      place.reg = input.reg;
      place.span = static_cast<std::uint64_t>(input.high);
    } else if (input.kind == KernelInput::Kind::all || input.kind == KernelInput::Kind::any) {
      if (input.reg == kNoReg) continue;
      place.folds.push_back({input.reg, Take::set, input.kind == KernelInput::Kind::all});
      items.push_back({&input, true, 0});
    } else {
      usable_ = usable_ && input.kind == KernelInput::Kind::given;
    }
  }
  place.element = element(*plan.element, items);
  if (place.element->kind == FieldPlace::Kind::text) place.kind = FieldPlace::Kind::texts;
}

const FieldPlace* ObjectLayouts::element(const ValuePlan& plan, const Ways& ways) {
  if (ways.empty()) {
    if (const auto known = shared_elements_.find(&plan); known != shared_elements_.end()) return known->second;
  }
  elements_.push_back(std::make_unique<FieldPlace>());
  FieldPlace& made = *elements_.back();
  if (ways.empty()) shared_elements_[&plan] = &made;
  fill(made, plan, ways);
  return &made;
}

}  // namespace assay
