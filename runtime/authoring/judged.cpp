// Finds the inputs that a judge supplies, from the declarations of dimensions.
#include "runtime/authoring/judged.hpp"

#include "lang/number/number.hpp"

#include <algorithm>

namespace assay {
namespace {

const Slot* find_slot(const RubricModel& rubric, std::string_view name) {
  const auto found =
      std::find_if(rubric.slots.begin(), rubric.slots.end(), [name](const Slot& slot) { return slot.name == name; });
  return found == rubric.slots.end() ? nullptr : &*found;
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::vector<Judged> judged_dimensions(const Model& model, const RubricModel& rubric) {
  std::vector<Judged> all, open;
  for (auto d = rubric.dimensions.rbegin(); d != rubric.dimensions.rend(); ++d) open.push_back({&*d, nullptr, nullptr});
  while (!open.empty()) {
    Judged one = open.back();
    open.pop_back();
    one.slot = find_slot(rubric, last_name(one.dimension->name));
    // A dimension computed from the number of the same name, such as input.readability, is judged through that input.
    const bool judged =
        one.slot != nullptr && (one.dimension->judged ||
                                (one.dimension->parts.empty() && model.types.kind(one.slot->type) == TypeKind::number));
    if (judged) all.push_back(one);
    const std::vector<DimensionModel>& parts = one.dimension->parts;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) open.push_back({&*part, one.dimension, nullptr});
  }
  return all;
}

std::vector<const Slot*> judged_too(const Model& model, const RubricModel& rubric, const JudgedToo& names,
                                    Printable& problem) {
  std::vector<const Slot*> slots;
  const std::vector<Judged> judged = judged_dimensions(model, rubric);
  for (const std::string& name : names) {
    const Slot* slot = find_slot(rubric, name);
    const bool already =
        std::any_of(judged.begin(), judged.end(), [slot](const Judged& one) { return one.slot == slot; });
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

bool write_json_number(Number number, std::string& out) {
  write_shortest(number, out);
  if (!number.small()) return false;
  std::int64_t den = number.den;
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  return den == 1 || number.num % den == 0;
}

}  // namespace assay
