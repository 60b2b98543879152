// The records of a session: the current one, the changes made to them, and their verdicts. A change remains until it is
// taken back, is marked wherever the record is shown, and counts in every answer about the records.
#include "repl/session/session.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verdicts/ranking.hpp"

#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <set>

namespace assay::cli {

namespace {

// The JSON value at a path; empty: absent.
std::string value_at(std::string_view record, const std::string& path) {
  // In the library's compact form, so that its members can be separated.
  const std::optional<std::string> compact = with_member(record, "\x01", "null");
  if (!compact) return {};
  std::string_view at = *compact;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find_first_of(".[", begin), path.size());
    const std::size_t quote = path.compare(begin, 2, "[\"") == 0 ? path.find("\"]", begin + 2) : std::string::npos;
    if (path[begin] == '[' && quote == std::string::npos) {
      const std::size_t close = path.find(']', begin);
      std::size_t index = 0;
      if (close == std::string::npos) return {};
      std::from_chars(path.data() + begin + 1, path.data() + close, index);
      const std::vector<std::string_view> all = items(at);
      if (index >= all.size()) return {};
      at = all[index];
      begin = close + 1;
    } else {
      const bool quoted = quote != std::string::npos;  // a key that holds a dot
      const std::string key = quoted ? path.substr(begin + 2, quote - begin - 2) : path.substr(begin, end - begin);
      bool found = false;
      for (const auto& [name, value] : members(at)) {
        if (name != key) continue;
        at = value;
        found = true;
        break;
      }
      if (!found) return {};
      begin = quoted ? quote + 2 : end;
    }
    if (begin < path.size() && path[begin] == '.') ++begin;
  }
  return at == "null" ? std::string() : std::string(at);
}

std::string root_of(std::string_view path) {
  const bool quoted = path.starts_with("[\"");
  return std::string(quoted ? path.substr(2, path.find("\"]") - 2) : path.substr(0, path.find_first_of(".[")));
}

}  // namespace

const std::string& Session::record() const {
  const auto edited = records_.edited.find(here());
  if (edited != records_.edited.end()) return edited->second.json;
  return records_.texts.empty() ? records_.scratch : records_.texts[records_.current];
}

std::vector<std::string> Session::all_records() const {
  std::vector<std::string> all = records_.texts;
  for (const auto& entry : records_.edited) {
    if (entry.first < all.size()) all[entry.first] = entry.second.json;
  }
  return all;
}

std::string Session::edited_note() const {
  std::string names;
  std::size_t count = 0;
  for (const auto& entry : records_.edited) {
    if (entry.first >= records_.texts.size()) continue;
    ++count;
    const std::string id = entry.first < records_.ids.size() ? records_.ids[entry.first] : std::string();
    names += (names.empty() ? "" : ", ") + (id.empty() ? "record " + std::to_string(entry.first + 1) : id);
  }
  if (count == 0) return {};
  return "(with what was changed here: " + printable(shorten(names, 200)) + ")\n";
}

std::string Session::records_command(std::string_view file) {
  if (file.empty()) {
    if (records_.file.empty()) return failure(":records takes a file");
    return "'" + printable(records_.file) + "': " + counted(records_.texts.size(), "record") + "\n";
  }
  std::string problem;
  if (file == "-") return failure("the records of a REPL come from a file");
  EvaluationOptions read_options;
  RecordStream stream(*rubric_, {std::string(file)}, read_options, loading_.limits());
  if (!stream.check(problem)) return failure(problem);
  std::vector<std::string> read;
  std::string text;
  for (bool more = true; more;) {
    switch (stream.next()) {
      case RecordStream::Status::record: read.emplace_back(stream.json()); break;
      case RecordStream::Status::malformed:
        code_ = std::max(code_, kRejected);
        text += place_message(stream.place(), stream.problem());
        break;
      case RecordStream::Status::end: more = false; break;
      case RecordStream::Status::failed: return text + failure(stream.problem().message);
    }
  }
  stream.note_misspelt();
  const bool lost = !records_.edited.empty();
  records_.file = file;
  records_.texts = std::move(read);
  records_.ids.clear();
  for (const std::string& one : records_.texts) records_.ids.push_back(id_of_record(one));
  records_.edited.clear();
  for (State& state : undo_) state.edited.clear();  // they belonged to other records
  records_.current = 0;
  text += counted(records_.texts.size(), "record") + (lost ? "; what was changed in the records before is gone" : "") +
          "\n";
  return records_.texts.empty() ? text : text + go(0);
}

std::string Session::whereabouts() const {
  std::string text = "record " + std::to_string(records_.current + 1) + " of " + std::to_string(records_.texts.size());
  if (!records_.ids[records_.current].empty()) text += ": " + printable(records_.ids[records_.current]);
  return text + "\n" + edits_text();
}

std::string Session::edits_text() const {
  const auto edited = records_.edited.find(here());
  if (edited == records_.edited.end()) return {};
  std::string text;
  for (const FieldEdit& one : edited->second.edits) {
    text += "  changed: " + printable(one.path) + ": " + printable(shorten(bare(one.before), 60)) + " → " +
            (one.after.empty() ? "taken out" : printable(shorten(bare(one.after), 60))) + "\n";
  }
  return text;
}

std::string Session::go(std::size_t index) {
  records_.current = index;
  return whereabouts();
}

std::string Session::forward(std::string_view) {
  if (records_.current + 1 >= records_.texts.size())
    return failure(records_.texts.empty() ? "there are no records" : "this is the last record");
  return go(records_.current + 1);
}

std::string Session::back(std::string_view) {
  if (records_.current == 0)
    return failure(records_.texts.empty() ? "there are no records" : "this is the first record");
  return go(records_.current - 1);
}

std::string Session::go_to(std::string_view text) {
  if (text.empty()) return failure(":goto takes the number or the id of a record");
  for (std::size_t i = 0; i < records_.texts.size(); ++i) {
    if (records_.ids[i] == text) return go(i);
  }
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  if (whole && number >= 1 && number <= records_.texts.size()) return go(number - 1);
  return failure("there is no record '" + printable(text) + "' among " + counted(records_.texts.size(), "record"));
}

// Sets the field, or removes it.
std::string Session::change(const std::string& path, std::optional<std::string_view> value) {
  const std::optional<std::string> changed = with_member(record(), path, value ? *value : "null");
  if (!changed) return failure("the record has no place '" + printable(path) + "'");
  if (drafted()) {
    // Refuses an invalid value at once: one that adds faults.
    std::set<std::string> before;
    for (const UnknownKey& key : rubric_->unknown_keys(record())) before.insert(key.path);
    for (const UnknownKey& key : rubric_->unknown_keys(*changed)) {
      if (before.insert(key.path).second) return failure(key.message.str());
    }
    const auto faults = [&](const std::string& json) {
      std::vector<std::pair<std::string, std::string>> all;
      Evaluator scorer = fresh();
      if (const InputError* error = scorer.score(json).error()) {
        all.emplace_back(error->path.str(), error_text(*error));
        for (const InputFault& one : error->others)
          all.emplace_back(one.path.str(), error_text({one.path, one.code, one.message}));
      }
      return all;
    };
    std::set<std::string> known;
    for (const auto& [at, message] : faults(record())) known.insert(message);
    for (const auto& [at, message] : faults(*changed)) {
      const bool here_too = root_of(at) == root_of(path) && known.count(message) == 0;
      if (here_too && value) return failure(message);
    }
  }
  FieldEdit edit{path, value_at(record(), path), value_at(*changed, path)};
  if (edit.before == edit.after)
    return printable(path) +
           (edit.after.empty() ? " is not there\n" : " is " + printable(bare(edit.after)) + " already\n");
  remember((value ? ":set " : ":unset ") + path);
  Edited& edited = records_.edited[here()];
  std::erase_if(edited.edits, [&](const FieldEdit& one) {
    if (one.path != path) return false;
    edit.before = one.before;
    return true;
  });
  if (edit.before != edit.after) edited.edits.push_back(std::move(edit));
  edited.json = *changed;
  if (edited.edits.empty()) records_.edited.erase(here());
  return {};
}

std::string Session::set(std::string_view text) {
  const std::string edits = edits_text();
  if (text.empty()) return edits.empty() ? "nothing was changed in this record\n" : edits;
  const std::size_t equals = text.find('=');
  const std::string path(trimmed(text.substr(0, equals)));
  if (path.empty()) return failure(":set takes FIELD=VALUE, not '" + printable(text) + "'");
  if (const std::size_t blank = path.find(' '); equals == std::string_view::npos && blank != std::string::npos)
    return failure(":set takes FIELD=VALUE: write ':set " + printable(path.substr(0, blank)) + "=" +
                   printable(trimmed(std::string_view(path).substr(blank))) + "'");
  if (equals == std::string_view::npos) {
    if (drafted()) {
      const std::string unknown = unknown_field({path, "null"}, {&*rubric_});
      if (!unknown.empty()) return failure(unknown);
    }
    const std::string value = value_at(record(), path);
    return printable(path) + (value.empty() ? " is not there" : " = " + printable(value)) + "\n";
  }
  const std::string_view value = trimmed(text.substr(equals + 1));
  if (value.empty()) return failure(":set takes FIELD=VALUE; ':unset " + path + "' takes a field out");
  // "a=1 b=2" would be one long text.
  const std::vector<std::string> parts = words(value);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t other = parts[i].find('=');
    if (other == std::string::npos || other == 0) continue;
    const std::string name = root_of(parts[i].substr(0, other));
    for (const InputInfo& input : rubric_->inputs()) {
      if (input.name == name) return failure(":set takes one field: set '" + name + "' with a ':set' of its own");
    }
  }
  return change(path, value);
}

std::string Session::unset(std::string_view text) {
  if (text.empty()) return failure(":unset takes a field");
  const std::string path(text);
  if (value_at(record(), path).empty()) return failure("the record has no field '" + printable(text) + "'");
  return change(path, std::nullopt);  // null means absent
}

std::string Session::show_record(std::string_view) { return with_newline(pretty(record())) + edits_text(); }

std::string Session::verdict(std::string_view) {
  Evaluator scorer = fresh();
  const Verdict& scored = scorer.score(record());
  if (scored.error() != nullptr) code_ = std::max(code_, kRejected);
  return with_newline(pretty(scored.json()));
}

std::string Session::context(std::string_view text) {
  if (text.empty()) {
    std::string all;
    for (const ContextInfo& one : rubric_->contexts()) all += (all.empty() ? "" : ", ") + one.name;
    std::string active;
    for (const std::string& one : settings_.contexts) active += (active.empty() ? "" : ", ") + one;
    return "in force: " + printable(active.empty() ? "no context" : active) + "; the rubric has " +
           printable(all.empty() ? "none" : all) + "\n";
  }
  Settings changed = settings_;
  changed.contexts = text == "-" ? std::vector<std::string>() : words(text);
  if (const std::optional<InputError> error = evaluator_->configure(changed)) return failure(*error);
  settings_ = std::move(changed);
  return context({});
}

std::string Session::weight(std::string_view text) {
  if (text.empty()) {
    std::string all;
    for (const DimensionInfo& one : rubric_->dimensions()) {
      if (one.weight.empty()) continue;
      std::string now = one.weight;
      for (const auto& [name, value] : settings_.weights) {
        if (name == one.name) now = value + " (set; " + one.weight + " as written)";
      }
      all += one.name + " " + now + "\n";
    }
    return all.empty() ? "the rubric has no weights\n" : printable_lines(all);
  }
  Settings changed = settings_;
  changed.weights.clear();
  std::string problem;
  for (const std::string& word : text == "-" ? std::vector<std::string>() : words(text)) {
    std::optional<Assignment> pair = assignment(word, ":weight", problem);
    if (!pair) return failure(problem);
    changed.weights.push_back(std::move(*pair));
  }
  if (const std::optional<InputError> error = evaluator_->configure(changed)) return failure(*error);
  settings_ = std::move(changed);
  return weight({});
}

std::string Session::history(std::string_view text) {
  if (text.empty()) {
    if (history_.empty()) return "no earlier records\n";
    return "'" + printable(history_file_) + "': " + counted(history_.size(), "earlier record") + "\n";
  }
  std::vector<std::string> read;
  if (text != "-") {
    std::optional<std::vector<std::string>> records = read_history(*rubric_, std::string(text), loading_.limits());
    if (!records) return with_code({}, kRefused);
    read = std::move(*records);
  }
  history_ = std::move(read);
  history_file_ = text;
  evaluator_->set_history(history_);
  return history_.empty() ? "no earlier records\n" : counted(history_.size(), "earlier record") + "\n";
}

std::string Session::rank(std::string_view) {
  if (!rubric_->ranked()) return failure("the rubric does not say how to rank; give it a 'rank by higher score'");
  if (records_.texts.empty()) return failure("there are no records; ':records FILE' reads some");
  const std::vector<std::string> all = all_records();
  const std::vector<std::string_view> records(all.begin(), all.end());
  Evaluator scorer = fresh();
  const RankedRecords ranked = rank_records(*rubric_, *evaluator_, &scorer, records);
  std::string text = ranking_text(ranked, *find_output_format("table"));
  for (const auto& [index, error] : ranked.errors) {
    code_ = std::max(code_, kRejected);
    text += place_message("record " + std::to_string(index + 1), error);
  }
  return text + edited_note();
}

}  // namespace assay::cli
