// What people can say of a measure: a rating of another kind than the rubric's value cannot be compared with it.
#include "runtime/analysis/analysis_impl.hpp"

#include "lang/number/decimal_text.hpp"
#include "lang/text/nearest.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

// The type of a verdict's value: of a dimension its score, else of the field. kUnknown: there is no such value.
TypeId type_of_measure(const Model& model, const RubricModel& rubric, std::string_view measure) {
  const TypeTable& types = model.types;
  const auto field_of = [&](std::string_view name) {
    const auto at = std::find_if(rubric.verdict.fields.begin(), rubric.verdict.fields.end(),
                                 [name](const VerdictField& field) { return field.name == name; });
    return at == rubric.verdict.fields.end() ? kUnknown : rubric.items[static_cast<std::size_t>(at->item)].type;
  };
  const auto part_of = [&](TypeId record, std::string_view name) {
    const int at = types.kind(record) == TypeKind::record ? types.field(record, name) : -1;
    return at < 0 ? kUnknown : types[record].fields[static_cast<std::size_t>(at)].type;
  };
  const TypeId dimension = part_of(part_of(field_of("dimensions"), measure), "score");
  return dimension != kUnknown ? dimension : field_of(measure);
}

bool is_band(const RubricModel& rubric, std::string_view measure) {
  return std::any_of(rubric.verdict.fields.begin(), rubric.verdict.fields.end(), [measure](const VerdictField& field) {
    return field.name == measure && field.role == FieldRole::band;
  });
}

// What is given or shown on the scale: a provable range may be narrower than what people can say, so this asks for the
// range of the scale or of the input.
const Interval* range_of_measure(const Model& model, const RubricModel& rubric, std::string_view measure) {
  const TypeTable& types = model.types;
  const int input = types.field(rubric.input_type, measure);
  if (input >= 0) {
    const TypeId type = types[rubric.input_type].fields[static_cast<std::size_t>(input)].type;
    return types.kind(type) == TypeKind::number ? &types[type].range : nullptr;
  }
  return measure == "score" && rubric.scale.declared ? &rubric.scale.range : nullptr;
}

}  // namespace

std::string Analysis::wrong_rating(std::string_view measure, std::string_view rating) const {
  const Model& model = impl_->first.model();
  const RubricModel& rubric = impl_->first.rubric();
  const TypeId id = type_of_measure(model, rubric, measure);
  const Type& type = model.types[id];
  const auto wrong = [&](const std::string& expected) {
    return std::string(measure) + ": is '" + shorten(rating, kMostQuoted) + "', expected " + expected;
  };
  switch (type.kind) {
    case TypeKind::number: {
      const Interval* const range = range_of_measure(model, rubric, measure);
      NumberPool pool;
      Number number;
      if (!parse_decimal(rating, number, pool)) return wrong("a number");
      if (range == nullptr || holds(*range, number)) return {};
      return wrong("a " + str(*range, false));
    }
    case TypeKind::boolean: return rating == "true" || rating == "false" ? std::string() : wrong("true or false");
    case TypeKind::text: {
      if (!is_band(rubric, measure) || type.allows(rating)) return {};
      const std::string near(nearest(rating, {type.choices.begin(), type.choices.end()}));
      return wrong(model.types.say(id)) + (near.empty() ? "" : "; did you mean '" + near + "'?");
    }
    default: return {};
  }
}

}  // namespace assay
