// Which columns of verdicts may be asked for.
#include "repl/verdicts/verdict_table.hpp"

#include "repl/terminal/messages.hpp"

#include <assay/verdicts.hpp>

#include <algorithm>

namespace assay::cli {

std::string reach_message(const Rubric& rubric, const std::vector<std::string>& fields) {
  for (const std::string& name : fields) {
    const std::string key = name.substr(0, name.find('.'));
    if (key == name) continue;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
      const std::optional<std::vector<std::string>> known = rubric.keys_at(std::string_view(name).substr(0, dot));
      const std::string next = name.substr(dot + 1, name.find('.', dot + 1) - dot - 1);
      const auto leads = [&](const std::string& one) {  // a key may hold a dot itself
        const std::string_view rest = std::string_view(name).substr(dot + 1);
        return rest.starts_with(one) && (rest.size() == one.size() || rest[one.size()] == '.');
      };
      if (!known || std::any_of(known->begin(), known->end(), leads)) continue;
      const std::string meant = nearest(next, *known);
      std::string names;
      for (const std::string& one : *known) names += (names.empty() ? "" : ", ") + one;
      return "--fields: '" + name.substr(0, dot) + "' has no '" + next + "'" +
             (names.empty()   ? ": it is empty"
              : meant.empty() ? "; it has " + names
                              : "; did you mean '" + meant + "'?");
    }
    std::vector<FieldInfo> all = rubric.fields();
    for (FieldInfo& field : rubric.each_fields()) all.push_back(std::move(field));
    for (const FieldInfo& field : all) {
      const bool list = field.type.starts_with("list of ") || field.type.starts_with("set of ");
      if (field.name != key || (!list && !fits_cell(field.type))) continue;
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
  if (!hint.empty() || said) return "--fields: " + error.message + (said ? "" : "; did you mean '" + hint + "'?");
  const std::vector<InputInfo> inputs = rubric.inputs();
  for (const std::string& key : keys) {
    const bool input = std::any_of(inputs.begin(), inputs.end(), [&](const InputInfo& i) { return i.name == key; });
    if (input && error.message.find("'" + key + "'") != std::string::npos)
      return "--fields: " + error.message + "; it is an input, which 'output " + key +
             "' in the rubric puts into the verdict";
  }
  constexpr std::size_t kMostNamed = 24;
  std::string names;
  for (std::size_t i = 0; i < known.size() && i < kMostNamed; ++i) names += (i == 0 ? "" : ", ") + known[i];
  return "--fields: " + error.message + "; it has " + names + (known.size() > kMostNamed ? " …" : "");
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
