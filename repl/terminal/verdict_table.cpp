// Extracts rows from verdicts, for every verb that shows tables.
#include "repl/terminal/verdict_table.hpp"

#include "repl/files/files.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

bool begins(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// Types whose values fit into a cell.
bool plain(std::string_view type) {
  for (const std::string_view start : {"number", "whole", "bool", "text", "one of"}) {
    if (begins(type, start)) return true;
  }
  return false;
}

}  // namespace

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
    if (field.role != FieldInfo::Role::key && plain(field.type)) outputs.push_back(field.name);
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
    if (plain(field.type)) add(field.name);
  }
  if (has_field(rubric, "flags")) add("flags");
  return columns;
}

std::string heading(std::string_view field) {
  constexpr std::string_view kBefore = "dimensions.";
  constexpr std::string_view kAfter = ".score";
  if (begins(field, kBefore) && field.size() > kBefore.size() + kAfter.size() &&
      field.substr(field.size() - kAfter.size()) == kAfter) {
    field.remove_prefix(kBefore.size());
    field.remove_suffix(kAfter.size());
  }
  return std::string(field);
}

std::vector<std::string> keys_of(const std::vector<std::string>& fields) {
  std::vector<std::string> keys;
  for (const std::string& field : fields) {
    std::string key = field.substr(0, field.find('.'));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

std::string reach_message(const Rubric& rubric, const std::vector<std::string>& fields) {
  for (const std::string& name : fields) {
    const std::string key = name.substr(0, name.find('.'));
    if (key == name) continue;
    std::vector<FieldInfo> all = rubric.fields();
    for (FieldInfo& field : rubric.each_fields()) all.push_back(std::move(field));
    for (const FieldInfo& field : all) {
      const bool list = begins(field.type, "list of ") || begins(field.type, "set of ");
      if (field.name != key || (!list && !plain(field.type))) continue;
      return "--fields: '" + key + "' is a " + field.type + ", and nothing of it can be chosen by name" +
             (list ? ": take '" + key + "', or an output that picks what is wanted" : "");
    }
  }
  return {};
}

std::string one_pass_message(const Rubric& rubric, const std::vector<std::string>& keys) {
  for (const FieldInfo& field : rubric.each_fields()) {
    if (std::find(keys.begin(), keys.end(), field.name) != keys.end())
      return "--fields: '" + field.name + "' is computed from the whole run, in a second pass: add --cohort";
  }
  return {};
}

std::string fields_message(const Rubric& rubric, const std::vector<std::string>& keys, const InputError& error) {
  std::vector<std::string> known;
  for (const FieldInfo& field : rubric.fields()) known.push_back(field.name);
  std::string hint;
  for (const std::string& key : keys) {
    if (std::find(known.begin(), known.end(), key) == known.end()) hint = nearest(key, known);
  }
  const bool said = error.message.find("did you mean") != std::string::npos;
  return "--fields: " + error.message + (hint.empty() || said ? "" : "; did you mean '" + hint + "'?");
}

std::vector<std::string> split_fields(std::string_view list) {
  std::vector<std::string> fields;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view field = list.substr(0, comma);
    while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    if (!field.empty()) fields.emplace_back(field);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return fields;
}

}  // namespace assay::cli
