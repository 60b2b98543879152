// Which inputs of a rubric a judge gives: those that are declared so, otherwise told by how dimensions are declared.
#include "runtime/authoring/judged.hpp"

#include "lang/bytecode/needs.hpp"
#include "lang/number/number.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace assay {
namespace {

const Slot* find_slot(const RubricModel& rubric, std::string_view name) {
  const auto found =
      std::find_if(rubric.slots.begin(), rubric.slots.end(), [name](const Slot& slot) { return slot.name == name; });
  return found == rubric.slots.end() ? nullptr : &*found;
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::vector<Provenance> provenances(const Rubric::Impl& impl) {
  std::unordered_map<std::uint64_t, Provenance> said;
  const auto place = [](Span at) { return (std::uint64_t{at.file} << 32) | at.begin; };
  const auto read = [&](const ast::File& file) {
    for (const ast::Rubric& rubric : file.rubrics) {
      for (const ast::Item& item : rubric.items) {
        const auto* input = std::get_if<ast::Input>(&item.node);
        if (input == nullptr || input->provenance == Provenance::unsaid) continue;
        for (const ast::Name& name : input->names) said.emplace(place(name.span), input->provenance);
      }
    }
  };
  read(impl.file);
  for (const ast::File& file : impl.imported) read(file);
  std::vector<Provenance> all;
  for (const Slot& slot : impl.rubric().slots) {
    const auto found = said.find(place(slot.span));
    all.push_back(found == said.end() || slot.name == "id" ? Provenance::unsaid : found->second);
  }
  return all;
}

const DimensionModel* dimension_of(const RubricModel& rubric, const Slot& slot) {
  std::vector<const DimensionModel*> open;
  for (const DimensionModel& one : rubric.dimensions) open.push_back(&one);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (last_name(open[i]->name) == slot.name) return open[i];
    for (const DimensionModel& part : open[i]->parts) open.push_back(&part);
  }
  return nullptr;
}

const std::string& prose_of(const RubricModel& rubric, const Slot& slot) {
  const DimensionModel* dimension = slot.prose.empty() ? dimension_of(rubric, slot) : nullptr;
  return dimension != nullptr ? dimension->prose : slot.prose;
}

const RubricModel* rubric_of(const Model& model, const Type& type) {
  if (type.kind != TypeKind::record || type.rubric < 0 || type.verdict) return nullptr;
  const RubricModel& rubric = model.rubrics[static_cast<std::size_t>(type.rubric)];
  return rubric.slots.size() == type.fields.size() ? &rubric : nullptr;
}

std::vector<Judged> judged_dimensions(const Rubric::Impl& impl) {
  const Model& model = *impl.model;
  const RubricModel& rubric = impl.rubric();
  const std::vector<Provenance> said = provenances(impl);
  std::vector<Judged> all, open;
  for (auto d = rubric.dimensions.rbegin(); d != rubric.dimensions.rend(); ++d) open.push_back({&*d, nullptr, nullptr});
  while (!open.empty()) {
    Judged one = open.back();
    open.pop_back();
    one.slot = find_slot(rubric, last_name(one.dimension->name));
    // A dimension that is computed from the number of its own name, input.readability say, is judged there.
    if (one.slot != nullptr) {
      const Provenance by = said[static_cast<std::size_t>(one.slot - rubric.slots.data())];
      const bool of_number = one.dimension->parts.empty() && model.types.kind(one.slot->type) == TypeKind::number;
      if (by == Provenance::judged || (by == Provenance::unsaid && (one.dimension->judged || of_number)))
        all.push_back(one);
    }
    const std::vector<DimensionModel>& parts = one.dimension->parts;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) open.push_back({&*part, one.dimension, nullptr});
  }
  return all;
}

std::vector<const Slot*> judged_too(const Rubric::Impl& impl, const JudgedToo& names,
                                    const std::vector<std::string>& only, Printable& problem) {
  const RubricModel& rubric = impl.rubric();
  std::vector<const Slot*> slots;
  const std::vector<Judged> judged = judged_dimensions(impl);
  const auto of_dimension = [&judged](const Slot* slot) {
    return std::any_of(judged.begin(), judged.end(), [slot](const Judged& one) { return one.slot == slot; });
  };
  const std::vector<Provenance> said = provenances(impl);
  for (std::size_t i = 0; i < rubric.slots.size(); ++i) {
    const Slot& slot = rubric.slots[i];
    if (said[i] != Provenance::judged || of_dimension(&slot)) continue;
    if (only.empty() || std::find(only.begin(), only.end(), slot.name) != only.end()) slots.push_back(&slot);
  }
  for (const std::string& name : names) {
    const Slot* slot = find_slot(rubric, name);
    const bool already = of_dimension(slot);
    if (slot == nullptr) {
      std::vector<std::string_view> known;
      for (const Slot& one : rubric.slots) known.push_back(one.name);
      const std::string_view near = nearest(name, known);
      problem = Printable("'" + rubric.name + "' has no input '" + name + "'" +
                          (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
      return {};
    }
    if (!already && std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.push_back(slot);
  }
  return slots;
}

namespace {

bool is_given(const Rubric::Impl& impl, const std::vector<const Slot*>& given, int slot) {
  return std::find(given.begin(), given.end(), &impl.rubric().slots[static_cast<std::size_t>(slot)]) != given.end();
}

}  // namespace

bool required_of_judge(const Rubric::Impl& impl, const RequiredWhen& one, const std::vector<const Slot*>& given) {
  const Needs needs = needs_of(*impl.model, impl.index(), one.condition);
  return std::any_of(needs.slots.begin(), needs.slots.end(), [&](int slot) { return !is_given(impl, given, slot); });
}

std::vector<std::string> rules_of_judge(const Rubric::Impl& impl, const std::vector<const Slot*>& given) {
  std::vector<std::string> rules;
  for (const RequiredWhen& one : impl.rubric().required_when) {
    if (is_given(impl, given, one.slot) && !required_of_judge(impl, one, given))
      rules.push_back(plain_markdown(one.message));
  }
  for (const Check& check : impl.rubric().checks) {
    const Needs needs = needs_of(*impl.model, impl.index(), check.body);
    if (std::none_of(needs.slots.begin(), needs.slots.end(), [&](int slot) { return is_given(impl, given, slot); }))
      continue;
    std::string rule = plain_markdown(check.prose);
    if (!check.plain || rule.empty()) rule += (rule.empty() ? "" : ": ") + code_span(check.condition);
    rules.push_back(std::move(rule));
  }
  return rules;
}

bool write_json_number(Number number, std::string& out) {
  write_shortest(number, out);
  if (!number.small()) return false;
  std::int64_t den = number.den;
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  return den == 1 || number.num % den == 0;
}

}  // namespace assay
