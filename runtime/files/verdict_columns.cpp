// Which fields of a verdict make a readable row.
#include <assay/verdicts.hpp>

#include <algorithm>

namespace assay {

bool fits_cell(std::string_view type) {
  for (const std::string_view start : {"number", "whole", "bool", "text", "one of"}) {
    if (type.starts_with(start)) return true;
  }
  return false;
}

bool has_field(const Rubric& rubric, std::string_view name) {
  const std::vector<FieldInfo> fields = rubric.fields();
  return std::any_of(fields.begin(), fields.end(), [&](const FieldInfo& field) { return field.name == name; });
}

std::vector<std::string> band_fields(const Rubric& rubric) {
  std::vector<std::string> bands;
  for (const FieldInfo& field : rubric.fields()) {
    if (field.role == FieldInfo::Role::band) bands.push_back(field.name);
  }
  return bands;
}

std::vector<std::string> plain_outputs(const Rubric& rubric) {
  std::vector<std::string> outputs;
  for (const FieldInfo& field : rubric.fields()) {
    if (field.role != FieldInfo::Role::key && fits_cell(field.type)) outputs.push_back(field.name);
  }
  return outputs;
}

std::vector<std::string> verdict_columns(const Rubric& rubric, bool second_pass) {
  std::vector<std::string> columns = {"id", "status"};
  const auto add = [&](std::string name) {  // an output may have the name of a key
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(std::move(name));
  };
  if (rubric.scored()) {
    add("score");
    for (std::string& band : band_fields(rubric)) add(std::move(band));
    for (const DimensionInfo& dimension : rubric.dimensions()) add("dimensions." + dimension.name + ".score");
  } else {
    for (std::string& field : plain_outputs(rubric)) add(std::move(field));
  }
  for (const FieldInfo& field : second_pass ? rubric.each_fields() : std::vector<FieldInfo>()) {
    if (fits_cell(field.type)) add(field.name);
  }
  if (has_field(rubric, "flags")) add("flags");
  return columns;
}

std::string column_heading(std::string_view field) {
  constexpr std::string_view kBefore = "dimensions.";
  constexpr std::string_view kAfter = ".score";
  if (field.starts_with(kBefore) && field.size() > kBefore.size() + kAfter.size() &&
      field.substr(field.size() - kAfter.size()) == kAfter) {
    field.remove_prefix(kBefore.size());
    field.remove_suffix(kAfter.size());
  }
  return std::string(field);
}

std::vector<std::string> verdict_keys(const Rubric& rubric, const std::vector<std::string>& fields) {
  std::vector<std::string> keys;
  const std::vector<FieldInfo> each = rubric.each_fields();
  for (const std::string& field : fields) {
    const bool whole = has_field(rubric, field) || std::any_of(each.begin(), each.end(), [&](const FieldInfo& one) {
                         return one.name == field;  // a name may hold dots
                       });
    std::string key = whole ? field : field.substr(0, field.find('.'));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace assay
