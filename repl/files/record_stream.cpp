// Loads rubrics and streams records. A stream holds one record at a time; the name of each file decides its format, and
// standard input is examined.
#include "repl/files/record_stream.hpp"

#include "repl/files/layout.hpp"
#include "repl/files/odd_values.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"

#include <unistd.h>
#include <algorithm>
#include <charconv>

namespace assay::cli {

std::optional<Compiled> compile_file(const std::string& path, std::string& problem, const Loading& loading) {
  const std::optional<std::string> text = read_rubric(path, loading.roots, loading.limits().source_bytes, problem);
  if (!text) return std::nullopt;
  return compile(file_label(path), *text, loading.compile);
}

namespace {

// "1GB", "64 MiB", "10k", "1_000_000": as a whole number. Empty: it is none, or more than `most`.
std::string meant_limit(std::string_view text, bool bytes, std::uint64_t most) {
  std::string digits, unit;
  for (const char c : text) {
    if (c == '_' || c == ' ' || c == ',' || c == '\'') continue;
    (c >= '0' && c <= '9' && unit.empty() ? digits : unit) +=
        c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::uint64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) return {};
  if (bytes && unit.ends_with("ib")) unit.resize(unit.size() - 2);
  else if (bytes && unit.ends_with('b')) unit.pop_back();
  const std::uint64_t step = bytes ? 1024 : 1000;
  const std::size_t power = unit.empty() ? 0 : std::string_view("kmgt").find(unit) + 1;
  if (unit.size() > 1 || (power == 0 && !unit.empty())) return {};
  for (std::size_t i = 0; i < power; ++i) {
    if (value > most / step) return {};
    value *= step;
  }
  return value > most ? "" : std::to_string(value);
}

// The limits set by options like "steps=1000". Returns nothing after reporting an error.
std::optional<Limits> read_limits(const std::vector<std::string>& texts) {
  const auto refuse = [](const std::string& message) {
    complain(printable("--limit: " + message));
    return std::nullopt;
  };
  Limits limits;
  std::vector<std::string> known;
  std::string names;
  for (const LimitInfo& limit : limit_infos()) {
    known.emplace_back(limit.name);
    names += (names.empty() ? "" : ", ") + known.back();
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string problem;
    const std::optional<Assignment> pair = assignment(texts[i], "--limit", problem);
    if (!pair) {
      complain(problem);
      return std::nullopt;
    }
    const auto& [name, text] = *pair;
    const LimitInfo* limit = find_limit(name);
    if (limit == nullptr) {
      const std::string near = nearest(name, known);
      return refuse("there is no limit '" + name + "'; " +
                    (near.empty() ? "there are " + names : "did you mean '" + near + "'?"));
    }
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || value > limit->most) {
      const std::string meant = meant_limit(text, name.ends_with("bytes"), limit->most);
      return refuse(name + " is '" + text + "', expected a whole number 0.." + std::to_string(limit->most) +
                    (meant.empty() ? "" : "; write " + meant));
    }
    limit->set(limits, value);
  }
  return limits;
}

}  // namespace

std::optional<Loading> read_loading(const LoadOptions& options) {
  const std::optional<Limits> limits = read_limits(options.limits);
  if (!limits) return std::nullopt;
  std::string problem;
  std::optional<Roots> roots = Roots::open(options.roots, problem);
  if (!roots) {
    complain(problem);
    return std::nullopt;
  }
  Loading loading{{}, std::move(*roots)};
  loading.compile.limits = *limits;
  loading.compile.interrupt = interrupt();
  loading.compile.lua = !options.no_lua;
  loading.compile.importer = file_importer(loading.roots, limits->source_bytes);
  return loading;
}

EvaluatorOptions Loading::evaluator(bool strict) const {
  EvaluatorOptions options;
  options.limits = limits();
  options.interrupt = interrupt();
  options.strict = strict;
  return options;
}

namespace {

bool named_as_records(const std::string& path) {
  std::string ending = file_ending(path);
  if (ending == ".gz" || ending == ".zst") ending = file_ending(path.substr(0, path.size() - ending.size()));
  return !ending.empty() && format_named(std::string_view(ending).substr(1)).has_value();
}

}  // namespace

std::string records_instead(const std::string& path, const std::vector<Diagnostic>& diagnostics, bool reads_records) {
  const bool wrong_begin = std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.severity == Severity::error && d.at.line == 1;
  });
  if (!wrong_begin || !named_as_records(path)) return {};
  return printable("'" + file_label(path) + "' holds records, as its name says, and a rubric is expected in its place" +
                   (reads_records ? ": the rubric comes first, and its records behind it" : ""));
}

std::optional<Rubric> load_rubric(const std::string& path, const Loading& loading, bool reads_records) {
  std::string problem;
  std::optional<Compiled> compiled = compile_file(path, problem, loading);
  if (interrupted()) return std::nullopt;
  if (!compiled) {
    complain(problem);
    return std::nullopt;
  }
  if (const std::string records = records_instead(path, compiled->diagnostics, reads_records); !records.empty()) {
    complain(records);
    return std::nullopt;
  }
  if (!compiled->rubric) {
    say(compiled->diagnostics);
    if (!has_errors(compiled->diagnostics)) complain("'" + printable(file_label(path)) + "' holds no rubric");
    return std::nullopt;
  }
  return std::move(compiled->rubric);
}

std::optional<Assignment> assignment(const std::string& text, std::string_view option, std::string& problem) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    problem = std::string(option) + " takes NAME=VALUE, not '" + printable(text) + "'";
    return std::nullopt;
  }
  return Assignment(text.substr(0, equals), text.substr(equals + 1));
}

namespace {

// " --context a --context b" for "a,b", where the option is given once for each.
std::string repeated(std::string_view option, std::string_view list) {
  std::string all;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) (((all += ' ') += option) += ' ') += printable(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return all;
}

}  // namespace

std::optional<Preparation> prepare(const Rubric& rubric, const EvaluationOptions& options, const Limits& limits) {
  std::string problem;
  Preparation result;
  result.settings.contexts = options.contexts;
  for (const std::string& context : options.contexts) {
    if (context.find(',') == std::string::npos) continue;
    complain("--context takes one name; for several write" + repeated("--context", context));
    return std::nullopt;
  }
  for (const std::string& weight : options.weights) {
    std::optional<Assignment> pair = assignment(weight, "--weight", problem);
    if (pair && pair->second.find('=') != std::string::npos && pair->second.find(',') != std::string::npos) {
      pair.reset();
      problem = "--weight takes one NAME=VALUE; for several write" + repeated("--weight", weight);
    }
    if (!pair) {
      complain(problem);
      return std::nullopt;
    }
    result.settings.weights.push_back(std::move(*pair));
  }
  if (options.history.empty()) return result;
  std::optional<std::vector<std::string>> records = read_history(rubric, options.history, limits, options.strict);
  if (!records) return std::nullopt;
  result.history = std::move(*records);
  return result;
}

std::string settings_text(const InputError& error) {
  const std::string path = error.path;
  const std::string_view flag = path.starts_with("weights")   ? "--weight: "
                                : path.starts_with("context") ? "--context: "
                                                              : "";
  if (flag.empty()) return printable(error_text(error));
  // The path is one of a request. Of weights.NAME, the name is what the flag gave.
  constexpr std::string_view kWeights = "weights.";
  std::string text = error.message;
  if (text.starts_with(kWeights)) text.erase(0, kWeights.size());
  return std::string(flag) + printable(text);
}

bool Preparation::apply(Evaluator& evaluator) const {
  if (const std::optional<InputError> error = evaluator.configure(settings)) {
    complain(settings_text(*error));
    return false;
  }
  if (!history.empty()) evaluator.set_history(history);
  return true;
}

std::string unknown_field(const Assignment& set, const std::vector<const Rubric*>& rubrics) {
  std::string path;  // with the first item of each list, because an empty record has no other
  for (std::size_t i = 0; i < set.first.size(); ++i) {
    path += set.first[i];
    const std::size_t close =
        set.first[i] == '[' ? set.first.find_first_not_of("0123456789", i + 1) : std::string::npos;
    if (close == std::string::npos || close == i + 1 || set.first[close] != ']') continue;
    path += "0]";
    i = close;
  }
  const std::optional<std::string> alone = with_member("{}", path, set.second);
  const bool deep = std::count(set.first.begin(), set.first.end(), '.') >= kMostNesting;
  if (deep)
    return "the path '" + shorten(set.first, kMostQuoted) + "' leads through more than " +
           std::to_string(kMostNesting) + " objects";
  if (!alone) return "'" + shorten(set.first, kMostQuoted) + "' is not a path in UTF-8, or its value is not UTF-8";
  std::vector<UnknownKey> unknown = rubrics.front()->unknown_keys(*alone);
  for (std::size_t i = 1; i < rubrics.size(); ++i) {
    // A key is unknown to all if each rubric reports it, or an object that contains it.
    const std::vector<UnknownKey> others = rubrics[i]->unknown_keys(*alone);
    const auto within = [](const std::vector<UnknownKey>& keys, const std::string& at) {
      return std::any_of(keys.begin(), keys.end(), [&](const UnknownKey& key) {
        return at.starts_with(key.path) && (at.size() == key.path.size() || at[key.path.size()] == '.');
      });
    };
    std::vector<UnknownKey> both;
    for (const UnknownKey& key : unknown) {
      if (within(others, key.path)) both.push_back(key);
    }
    for (const UnknownKey& key : others) {
      if (within(unknown, key.path)) both.push_back(key);
    }
    unknown = std::move(both);
  }
  return unknown.empty() ? std::string() : unknown.front().message.str();
}

namespace {

// Why no record of a rubric may hold this value there; empty: one may.
std::string refused_value(const Assignment& set, const Rubric& rubric) {
  const std::optional<std::string> alone = with_member("{}", set.first, set.second);
  if (!alone) return {};
  Evaluator evaluator(rubric);
  const InputError* error = evaluator.score(*alone).error();
  if (error == nullptr) return {};
  // Of the value itself, of a part of it, or of what its path leads through.
  const auto leads = [](const std::string& from, const std::string& to) {
    return to.starts_with(from) && (to.size() == from.size() || to[from.size()] == '[' || to[from.size()] == '.');
  };
  const auto about = [&](const std::string& path, const std::string& code) {
    return (leads(set.first, path) || leads(path, set.first)) &&
           (code == "type" || code == "range" || code == "choice");
  };
  if (about(error->path, error->code)) return error->message;
  for (const InputFault& other : error->others) {
    if (about(other.path, other.code)) return other.message;
  }
  return {};
}

}  // namespace

std::optional<std::vector<Assignment>> assignments(const std::vector<std::string>& sets,
                                                   const std::vector<const Rubric*>& rubrics, std::string& problem) {
  std::vector<Assignment> result;
  for (const std::string& text : sets) {
    std::optional<Assignment> pair = assignment(text, "--set", problem);
    if (!pair) return std::nullopt;
    const std::string unknown = unknown_field(*pair, rubrics);
    if (!unknown.empty()) {
      problem = "--set: " + printable(unknown);
      return std::nullopt;
    }
    const std::string refused = refused_value(*pair, *rubrics.front());
    const auto refused_by_all = [&](const Assignment& set) {
      return std::all_of(rubrics.begin(), rubrics.end(),
                         [&](const Rubric* rubric) { return !refused_value(set, *rubric).empty(); });
    };
    const bool by_all = !refused.empty() && refused_by_all(*pair);
    // 12 is JSON, and where the field holds a text, the text "12".
    if (Assignment as_text(pair->first, cli::quoted(pair->second)); by_all && !refused_by_all(as_text)) {
      result.push_back(std::move(as_text));
      continue;
    }
    if (by_all) {
      problem = "--set: " + printable(refused);
      return std::nullopt;
    }
    result.push_back(std::move(*pair));
  }
  return result;
}

bool find_files(std::vector<std::string>& files, std::string& problem) {
  if (files.empty()) files.emplace_back("-");
  if (std::count(files.begin(), files.end(), "-") > 1) {
    problem = "only one file can be standard input";
    return false;
  }
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) { return readable(file, problem); });
}

void note_no_records(const std::string& label) { note("'" + printable(label) + "' holds no records"); }

RecordStream::RecordStream(const Rubric& rubric, std::vector<std::string> files, const EvaluationOptions& options,
                           const Limits& limits)
    : rubric_(&rubric),
      files_(std::move(files)),
      set_texts_(options.sets),
      strict_(options.strict),
      from_(options.from),
      limits_(limits) {}

bool RecordStream::check(std::string& problem) {
  std::optional<std::vector<Assignment>> sets = assignments(set_texts_, {rubric_}, problem);
  if (!sets) return false;
  sets_ = std::move(*sets);
  misspelt_.emplace(*rubric_, sets_);
  return find_files(files_, problem);
}

RecordStream::Status RecordStream::next() {
  for (;;) {
    problem_ = {};
    if (!reader_) {
      if (opened_ == files_.size()) return Status::end;
      const std::string& path = files_[opened_++];
      label_ = file_label(path);
      seen_ = 0;
      std::string problem;
      std::optional<RecordFile> file = RecordFile::open(path, from_, *rubric_, strict_, problem);
      if (!file) {
        problem_.message = problem;
        return Status::failed;
      }
      file_ = std::make_unique<RecordFile>(std::move(*file));
      reader_ = std::make_unique<RecordReader>(
          file_->format(), [this](char* buffer, std::size_t size) { return file_->read(buffer, size); }, *rubric_,
          limits_, strict_, interrupt());
    }
    const RecordReader::Status status = reader_->next(record_, problem_);
    if (interrupted()) return Status::failed;
    if (!file_->problem().empty()) {
      problem_.message = file_->problem();
      return Status::failed;
    }
    if (status == RecordReader::Status::end) {
      if (seen_ == 0) note_no_records(label_);
      beginnings_.push_back(file_->beginning());
      reader_.reset();
      file_.reset();
      continue;
    }
    ++seen_;
    if (status == RecordReader::Status::error && problem_.code == "read") {
      problem_.message = file_->unreadable(problem_.message);
      return Status::failed;
    }
    if (status == RecordReader::Status::error) {
      problem_ = misspelt_->with_cause(file_->beginning(), record_.line, problem_);
      return Status::malformed;
    }
    json_ = record_.json;
    if (!sets_.empty()) json_ = changed_ = with_members(record_.json, sets_);
    return Status::record;
  }
}

void RecordStream::note_misspelt() {
  for (const Beginning& beginning : beginnings_) misspelt_->note(beginning);
  if (file_) misspelt_->note(file_->beginning());
}

void RecordStream::note_odd_values() const {
  for (const Beginning& beginning : beginnings_) cli::note_odd_values(beginning, *rubric_, nullptr);
  if (file_) cli::note_odd_values(file_->beginning(), *rubric_, nullptr);
}

std::string RecordStream::place() const { return label_ + ":" + std::to_string(record_.line); }

std::optional<std::vector<std::string>> read_records(const Rubric& rubric, const std::string& path,
                                                     const Limits& limits, bool strict,
                                                     std::vector<std::string>* places) {
  EvaluationOptions options;
  options.strict = strict;
  RecordStream stream(rubric, {path}, options, limits);
  std::string problem;
  if (!stream.check(problem)) {
    complain(problem);
    return std::nullopt;
  }
  std::vector<std::string> records;
  for (;;) {
    switch (stream.next()) {
      case RecordStream::Status::record:
        records.emplace_back(stream.json());
        if (places != nullptr) places->push_back(stream.place());
        break;
      case RecordStream::Status::end: return records;
      case RecordStream::Status::malformed: say(place_message(stream.place(), stream.problem())); return std::nullopt;
      case RecordStream::Status::failed:
        if (!interrupted()) complain(stream.problem().message);
        return std::nullopt;
    }
  }
}

std::optional<std::vector<std::string>> read_history(const Rubric& rubric, const std::string& path,
                                                     const Limits& limits, bool strict) {
  std::vector<std::string> places;
  std::optional<std::vector<std::string>> records = read_records(rubric, path, limits, strict, &places);
  if (!records || records->empty()) return records;
  Loading loading;
  loading.compile.limits = limits;
  Evaluator evaluator(rubric, loading.evaluator(strict));
  evaluator.set_history(*records);
  // A history that cannot be read is the error of every record, whatever it holds.
  const InputError* error = evaluator.score("{}").error();
  const std::string fault = error == nullptr ? std::string() : error->path.str();
  if (!fault.starts_with("history")) return records;
  InputError own = *error;
  own.id.clear();
  const std::size_t open = fault.find('['), close = fault.find(']');
  std::string place = file_label(path);
  if (open != std::string::npos && close != std::string::npos) {
    place = places.at(std::stoul(fault.substr(open + 1, close - open - 1)));
    const auto within = [](const std::string& whole) {
      return whole.substr(std::min(whole.find_first_not_of("].", whole.find(']')), whole.size()));
    };
    own.path = within(fault);
    for (InputFault& other : own.others) other.path = within(other.path.str());
  }
  say(place_message(place, own));
  return std::nullopt;
}

}  // namespace assay::cli
