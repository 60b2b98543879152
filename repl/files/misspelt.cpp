// Reads the records from the kept bytes with the library's reader. For a table, the header decides whether a key is
// missing, and the cells whether their values fit.
#include "repl/files/misspelt.hpp"

#include "repl/files/first_records.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

constexpr std::size_t kKeys = 400;  // unknown keys per record: most are the same in all records
constexpr std::size_t kNotes = 5;

// "parts[2].sevrity" and "parts[7].sevrity" are one key.
std::string without_places(std::string_view path) {
  std::string key;
  bool place = false;
  for (const char c : path) {
    place = place || c == '[';
    if (!place) key += c;
    place = place && c != ']';
  }
  return key;
}

// The required inputs that a file or a record lacks.
template <class Has>
std::vector<std::string> missing_inputs(const Rubric& rubric,
                                        const std::vector<std::pair<std::string, std::string>>& sets, Has&& has) {
  std::vector<std::string> missing;
  for (const InputInfo& input : rubric.inputs()) {
    const bool set = std::any_of(sets.begin(), sets.end(), [&](const auto& one) {
      return one.first.substr(0, one.first.find('.')) == input.name;
    });
    if (input.presence == "required" && !set && !has(input.name)) missing.push_back(input.name);
  }
  return missing;
}

// Whether the record of a row has a cell in a column without a header.
bool has_unnamed_value(std::string_view json) {
  const std::size_t at = std::min(json.find(",\"\":"), json.find("{\"\":"));
  const std::string_view value = at == json.npos ? "null" : json.substr(at + 4);
  return !value.starts_with("null") && !value.starts_with("\"\"");
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string all;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    all += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + shorten(names[i], 60) + "'";
  return names.size() > kMost ? all + " …" : all;
}

}  // namespace

InputError MisspeltKeys::with_cause(const Beginning& beginning, std::uint64_t line, InputError error) {
  if (!examined_.insert(beginning.label).second) return error;
  if (tell_cause(beginning, *rubric_, line, error)) {
    explained_.insert(beginning.label);
    return error;
  }
  const std::vector<LayoutProblem> problems = layout_problems(beginning, *rubric_);
  // Those of single lines can wait until more of them are known.
  if (problems.size() == 1 && problems.front().line == 0) note_problem(beginning, problems.front());
  return error;
}

void MisspeltKeys::note_problem(const Beginning& beginning, const LayoutProblem& problem) {
  explained_.insert(beginning.label);
  const std::string line = problem.line > 0 ? ':' + std::to_string(problem.line) : "";
  cli::note(printable(beginning.label + line + ": " + problem.text));
}

void MisspeltKeys::note(const Beginning& beginning) {
  if (explained_.count(beginning.label) > 0) return;
  const std::vector<LayoutProblem> problems = layout_problems(beginning, *rubric_);
  for (const LayoutProblem& problem : problems) note_problem(beginning, problem);
  if (!problems.empty()) return;
  if (const LayoutProblem problem = control_character(beginning.text); !problem.text.empty())
    note_problem(beginning, problem);
  for (const UnknownKey& key : columns(beginning.fields)) tell(key, beginning.label, "files");
  if (!beginning.text.empty()) note_records(beginning);
}

// Those of these columns that are probably misspelled.
std::vector<UnknownKey> MisspeltKeys::columns(std::vector<std::string> names) const {
  for (const auto& [path, value] : sets_) names.push_back(path);
  std::vector<UnknownKey> keys = rubric_->unknown_columns(names);
  std::erase_if(keys, [](const UnknownKey& key) { return !key.misspelt; });
  return keys;
}

void MisspeltKeys::note_records(const Beginning& beginning) {
  FirstRecords records(beginning, *rubric_);
  const bool table = beginning.format == Format::csv || beginning.format == Format::tsv;
  std::set<std::string> suspects;  // columns of a table
  bool unnamed = false;            // a column of it has no header
  Record record;
  std::size_t keys = 0;
  for (bool first = true; keys < kKeys && told_.size() < kNotes; first = false) {
    const RecordReader::Status status = records.next(record);
    if (status == RecordReader::Status::end) return;
    if (table && first) {
      const std::vector<std::string> header = records.columns();
      const std::vector<UnknownKey> keys_meant = columns(header);
      for (const UnknownKey& key : keys_meant) suspects.insert(key.path);
      note_header(beginning.label, header, keys_meant);
      unnamed = std::find(header.begin(), header.end(), "") != header.end();
    }
    if (table && suspects.empty() && !unnamed) return;
    if (status == RecordReader::Status::error) continue;
    const std::string json = with_members(record.json, sets_);
    if (unnamed && has_unnamed_value(json)) {
      const std::string place = beginning.label + ':' + std::to_string(record.line);
      cli::note(printable(place + ": a cell stands in a column without a header, and is not read"));
      unnamed = false;
    }
    std::vector<UnknownKey> unread;
    const std::size_t told = told_.size();
    for (const UnknownKey& key : rubric_->unknown_keys(json)) {
      if (!key.misspelt) unread.push_back(key);
      ++keys;
      if (!key.misspelt) continue;
      if (!table) tell(key, beginning.label + ':' + std::to_string(record.line), "records");
      else if (suspects.count(key.path) > 0) tell(key, beginning.label, "files");
    }
    if (table || !first || told_.size() != told) continue;
    const auto has = [&](const std::string& name) { return json.find('"' + name + '"') != std::string::npos; };
    const std::string place = beginning.label + ':' + std::to_string(record.line);
    note_unread(place, missing_inputs(*rubric_, sets_, has), unread);
    const std::vector<InputInfo> inputs = rubric_->inputs();
    std::vector<std::string> names;
    bool optional = true;  // nothing else tells that the records are about something else
    for (const InputInfo& input : inputs) {
      if (input.name == "id") continue;
      optional = optional && input.presence != "required" && !has(input.name);
      names.push_back(input.name);
    }
    if (optional && !names.empty() && !unread.empty())
      cli::note(printable(place + ": the record has '" + shorten(unread.front().path, 60) +
                          "' and none of the inputs of the rubric, which reads " + listed(names)));
  }
}

// What a header lacks. `meant`: its columns that are probably misspelled, of which other notes tell.
void MisspeltKeys::note_header(const std::string& label, const std::vector<std::string>& header,
                               const std::vector<UnknownKey>& meant) {
  if (header.empty()) return;  // it could not be read
  const auto within = [](const std::string& path, const std::string& name) {
    return path == name || (path.size() > name.size() && path.starts_with(name) &&
                            (path[name.size()] == '.' || path[name.size()] == '['));
  };
  std::vector<std::string> missing = missing_inputs(*rubric_, sets_, [&](const std::string& name) {
    return std::any_of(header.begin(), header.end(), [&](const std::string& column) { return within(column, name); });
  });
  std::vector<UnknownKey> unread = rubric_->unknown_columns(header);
  std::erase_if(unread, [](const UnknownKey& key) { return key.misspelt; });
  if (!unread.empty()) return note_unread(label, missing, unread);
  std::erase_if(missing, [&](const std::string& name) {
    return std::any_of(meant.begin(), meant.end(), [&](const UnknownKey& key) { return within(key.nearest, name); });
  });
  if (!missing.empty())
    cli::note(printable(label + ": the header has no column " + listed(missing) + ", which the rubric requires"));
}

// An input that is missing may be there under another name.
void MisspeltKeys::note_unread(const std::string& place, const std::vector<std::string>& missing,
                               const std::vector<UnknownKey>& unread) {
  std::vector<std::string> names;
  for (const UnknownKey& key : unread) {
    const std::string name = key.path.substr(0, key.path.find_first_of(".["));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (missing.empty() || names.empty()) return;
  // A file that names no input is about something else, unless only capitals and separators differ.
  const auto plain = [](const std::string& name) {
    std::string letters;
    for (const char c : name) {
      if (c != '_' && c != '-' && c != ' ') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return letters;
  };
  const std::vector<InputInfo> inputs = rubric_->inputs();
  const auto required =
      std::count_if(inputs.begin(), inputs.end(), [](const InputInfo& i) { return i.presence == "required"; });
  const bool alike = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(missing.begin(), missing.end(), [&](const std::string& m) { return plain(m) == plain(name); });
  });
  if (static_cast<std::ptrdiff_t>(missing.size()) == required && !alike) return;
  cli::note(printable(place + ": the rubric reads " + listed(missing) + ", which " +
                      (missing.size() == 1 ? "is" : "are") + " missing, and not " + listed(names) +
                      ": if they mean the same, rename them"));
}

void MisspeltKeys::tell(const UnknownKey& key, const std::string& place, std::string_view rejected) {
  if (told_.size() >= kNotes || !told_.insert(without_places(key.path)).second) return;
  const std::size_t dot = key.nearest.rfind('.');
  const bool part_alone = dot != std::string::npos && key.nearest.substr(dot + 1) == key.path;
  if (part_alone && rejected == "files") {
    cli::note(printable(place + ": the column '" + key.path + "' is not read: the rubric reads '" + key.nearest +
                        "', which is missing; --strict rejects such files"));
    return;
  }
  if (key.path == key.nearest || part_alone) {  // "size.width" as one key, or "width" beside the object
    const std::string object = key.nearest.substr(0, dot), part = key.nearest.substr(dot + 1);
    cli::note(printable(place + ": the key '" + key.path + "' is not read: the rubric reads '" + part +
                        "' in the object '" + object + "', which is missing; --strict rejects such " +
                        std::string(rejected)));
    return;
  }
  cli::note(printable(place + ": the rubric does not know '" + key.path + "' and reads '" + key.nearest +
                      "', which is missing; --strict rejects such " + std::string(rejected)));
}

}  // namespace assay::cli
