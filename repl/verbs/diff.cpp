// assay diff: how two rubrics differ, and which records get different verdicts. Both rubrics score the records side by
// side, so that neither a large file nor a pipe has to be held in memory or read twice.
#include "repl/verbs/diff.hpp"
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/verdict_table.hpp"

#include <assay/analysis.hpp>
#include <assay/diff.hpp>
#include <assay/verdicts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>

namespace assay::cli {

namespace {

constexpr std::string_view kArrow = " → ";

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::prose: return "prose";
    case Effect::bands: return "bands";
    case Effect::scores: break;
  }
  return "scores";
}

std::string_view name_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::changed: return "changed";
    case Change::Kind::added: return "added";
    case Change::Kind::removed: return "removed";
    case Change::Kind::renamed: return "renamed";
    case Change::Kind::moved: break;
  }
  return "moved";
}

// One side of a comparison.
struct Side {
  std::string path;
  std::optional<Rubric> rubric;
  std::optional<Evaluator> evaluator;
  std::optional<Analysis> analysis;  // explains differing verdicts

  bool load(const Loading& loading) {
    rubric = load_rubric(path, loading, false);
    return rubric.has_value();
  }
  // The line; for a file other than the rubric's own, with its name.
  std::string place(const Location& at) const {
    if (at.line == 0) return "–";
    const std::string line = std::to_string(at.line);
    return at.file == printable(file_label(path)) ? line : printable(at.file) + ":" + line;
  }
};

std::string sentence(const Change& change) {
  constexpr std::size_t kMost = 100;  // characters of a change to show
  const std::string before = shorten(change.before, kMost), after = shorten(change.after, kMost);
  const auto given = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
  switch (change.kind) {
    case Change::Kind::added: return change.what + " added" + (after.empty() ? "" : ": " + after);
    case Change::Kind::removed: return change.what + " removed" + (before.empty() ? "" : ": " + before);
    case Change::Kind::renamed: return change.what + " renamed: " + before + std::string(kArrow) + after;
    case Change::Kind::moved: return change.what + " moved";
    case Change::Kind::changed: break;
  }
  const std::string_view effect =
      change.part == "provenance" ? " (changes the prompt and the schema of judges, not the score)" : "";
  return change.what + ": " + (change.part.empty() ? "" : change.part + " ") + given(before) + std::string(kArrow) +
         given(after) + std::string(effect);
}

std::string text_of(const std::vector<Change>& changes, const Side& before, const Side& after) {
  std::vector<std::array<std::string, 2>> places;
  std::size_t old_width = 0, new_width = 0;
  for (const Change& change : changes) {
    places.push_back({before.place(change.was), after.place(change.is)});
    old_width = std::max(old_width, display_width(places.back()[0]));
    new_width = std::max(new_width, display_width(places.back()[1]));
  }
  std::string out;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string effect(name_of(changes[i].effect));
    out += effect + std::string(8 - effect.size(), ' ') + std::string(old_width - display_width(places[i][0]), ' ') +
           places[i][0] + std::string(kArrow) + places[i][1] +
           std::string(new_width - display_width(places[i][1]) + 2, ' ') + printable(sentence(changes[i])) + "\n";
  }
  return out;
}

std::string json_of(const Change& change) {
  const auto text = [](const std::string& value) { return value.empty() ? std::string("null") : quoted(value); };
  const auto place = [](const Location& at) {
    return at.line == 0 ? std::string("null")
                        : "{\"file\":" + quoted(at.file) + ",\"line\":" + std::to_string(at.line) + "}";
  };
  return "{\"effect\":" + quoted(name_of(change.effect)) + ",\"kind\":" + quoted(name_of(change.kind)) +
         ",\"what\":" + quoted(change.what) + ",\"part\":" + text(change.part) + ",\"old\":" + text(change.before) +
         ",\"new\":" + text(change.after) + ",\"old_at\":" + place(change.was) + ",\"new_at\":" + place(change.is) +
         "}";
}

// ---- records

// Lets two readers read one file whose bytes arrive once. Of a line that is longer than a record may be, which both
// skip, the second one gets no more than it needs to see that: so a line without an end takes no memory.
class SharedFile {
 public:
  SharedFile(RecordFile& file, std::size_t record_bytes)
      : file_(&file),
        longest_(file.format() == Format::ndjson && record_bytes < SIZE_MAX - kBeyond ? record_bytes + kBeyond
                                                                                      : SIZE_MAX) {}

  long read(std::size_t reader, char* buffer, std::size_t size) {
    std::string& kept = kept_[reader];
    std::size_t& used = used_[reader];
    if (used < kept.size()) {
      const std::size_t count = kept.copy(buffer, size, used);
      used += count;
      if (used > kept.size() / 2) {  // moving the rest after each read would cost the square of a long line
        kept.erase(0, used);
        used = 0;
      }
      return static_cast<long>(count);
    }
    const long count = ended_ ? 0 : file_->read(buffer, size);
    ended_ = ended_ || count <= 0;
    if (count > 0) keep(kept_[1 - reader], {buffer, static_cast<std::size_t>(count)});
    return count;
  }

 private:
  static constexpr std::size_t kBeyond = 1024;

  void keep(std::string& kept, std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::size_t size = std::min(end, bytes.size());
      kept.append(bytes.substr(0, std::min(size, longest_ - line_)));
      line_ += std::min(size, longest_ - line_);
      bytes.remove_prefix(size);
      if (bytes.empty()) break;
      kept += '\n';
      bytes.remove_prefix(1);
      line_ = 0;
    }
  }

  RecordFile* file_;
  std::size_t longest_;   // bytes of a line that are kept
  std::size_t line_ = 0;  // those of the last one
  std::string kept_[2];   // bytes that the other reader has already read
  std::size_t used_[2] = {0, 0};
  bool ended_ = false;
};

// A difference of scores has as many decimals as the scores, a mean has a useful number of them.
std::string number_text(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

class Flips {
 public:
  Flips(Side& before, Side& after, const std::vector<Change>& changes, std::vector<std::string> fields, bool json)
      : before_(before),
        after_(after),
        changes_(changes),
        fields_(std::move(fields)),
        json_(json),
        flipped_(fields_.size(), 0) {}

  // A record as each rubric reads it, or its error.
  struct Read {
    std::string_view json;
    std::optional<InputError> problem;
  };

  // The text about the record: empty if the verdicts agree.
  std::string compare(const Read& was, const Read& is, const std::string& place) {
    ++records_;
    const One a = score(before_, was), b = score(after_, is);
    if (interrupted()) return {};
    const std::string& id = a.id.empty() ? b.id : a.id;
    if (!a.error.empty() && !b.error.empty()) {
      ++rejected_by_both_;
      say(place + ": " + printable(a.error) + "\n");
      return {};
    }
    std::string told;
    if (a.error.empty() && b.error.empty()) {
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (a.values[i] == b.values[i]) continue;
        ++flipped_[i];
        told += (told.empty() ? "" : ", ") + fields_[i] + " " + a.values[i] + std::string(kArrow) + b.values[i];
      }
      if (a.number && b.number) {
        const double change = std::abs(*b.number - *a.number);
        ++compared_;
        total_ += change;
        most_ = std::max(most_, change);
      }
    } else {
      ++rejected_by_one_;
      told = a.told() + std::string(kArrow) + b.told();
    }
    if (told.empty()) return {};
    ++differ_;
    std::vector<ValueChange> why;
    if (a.error.empty() && b.error.empty())
      (void)before_.analysis->compare(was.json, *after_.analysis, is.json, changes_, why);
    std::erase_if(why, [](const ValueChange& change) { return change.stage == "flags" || change.stage == "advice"; });
    if (!json_) {
      std::string text = printable(id.empty() ? place : id) + ": " + printable(told) + "\n";
      for (const ValueChange& change : why) text += "  " + printable(reason(change)) + "\n";
      return text;
    }
    std::string json = std::string(differ_ > 1 ? "," : "") + "{\"id\":" + (id.empty() ? "null" : quoted(id)) +
                       ",\"at\":" + quoted(place) + ",\"old\":" + a.json + ",\"new\":" + b.json + ",\"why\":[";
    for (std::size_t i = 0; i < why.size(); ++i) json += (i > 0 ? "," : "") + reason_json(why[i]);
    return json + "]}";
  }

  std::uint64_t differ() const { return differ_; }

  std::string summary() const {
    std::string parts;
    const auto add = [&](const std::string& part) { parts += (parts.empty() ? " (" : ", ") + part; };
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (flipped_[i] > 0) add(fields_[i] + " " + std::to_string(flipped_[i]));
    }
    if (rejected_by_one_ > 0) add("rejected by one " + std::to_string(rejected_by_one_));
    std::string text = std::to_string(differ_) + " of " + counted(records_, "record") +
                       (differ_ == 1 ? " differs" : " differ") + parts + (parts.empty() ? "" : ")");
    if (most_ > 0) text += "; the score changes by " + mean() + " on average, by " + most() + " at most";
    if (rejected_by_both_ > 0) text += "; " + std::to_string(rejected_by_both_) + " rejected by both";
    return text + "\n";
  }

  std::string summary_json() const {
    std::string text = "{\"records\":" + std::to_string(records_) + ",\"differ\":" + std::to_string(differ_) +
                       ",\"rejected_by_one\":" + std::to_string(rejected_by_one_) +
                       ",\"rejected_by_both\":" + std::to_string(rejected_by_both_) + ",\"flipped\":{";
    for (std::size_t i = 0; i < fields_.size(); ++i)
      text += (i > 0 ? "," : "") + quoted(fields_[i]) + ":" + std::to_string(flipped_[i]);
    return text + "},\"mean_change\":" + (compared_ > 0 ? mean() : "null") +
           ",\"max_change\":" + (compared_ > 0 ? most() : "null") + "}";
  }

 private:
  // "composite 8.2 → 7.9, because clarity; dimension clarity, weight: 30% → 20%"
  static std::string reason(const ValueChange& change) {
    constexpr std::size_t kMost = 100;  // characters of a value to show
    std::string text =
        change.name + " " + shorten(change.before, kMost) + std::string(kArrow) + shorten(change.after, kMost);
    for (std::size_t i = 0; i < change.because.size(); ++i) text += (i == 0 ? ", because " : ", ") + change.because[i];
    return text + (change.declaration.empty() ? "" : "; " + shorten(change.declaration, 2 * kMost));
  }

  static std::string reason_json(const ValueChange& change) {
    std::string json = "{\"stage\":" + quoted(change.stage) + ",\"name\":" + quoted(change.name) +
                       ",\"old\":" + change.before + ",\"new\":" + change.after + ",\"because\":[";
    for (std::size_t i = 0; i < change.because.size(); ++i) json += (i > 0 ? "," : "") + quoted(change.because[i]);
    return json + "],\"declaration\":" + (change.declaration.empty() ? "null" : quoted(change.declaration)) + "}";
  }

  struct One {
    std::string id, error, json;
    std::vector<std::string> values;  // as JSON
    std::optional<double> number;     // the score
    std::vector<std::string> names;

    std::string told() const {
      if (!error.empty()) return "rejected (" + error + ")";
      std::string text;
      for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + names[i] + " " + values[i];
      return text;
    }
  };

  One score(Side& side, const Read& record) const {
    One one;
    one.names = fields_;
    if (record.problem) {
      one.error = error_text(*record.problem);
      one.json = error_object(*record.problem);
      return one;
    }
    const Verdict& verdict = side.evaluator->score(record.json);
    one.id = verdict.id();
    one.json = verdict.json();
    if (const InputError* error = verdict.error()) {
      one.error = error_text(*error);
      return one;
    }
    for (const std::string& field : fields_) one.values.emplace_back(verdict.json(field));
    one.number = verdict.number("score");
    return one;
  }

  std::string mean() const { return number_text(total_ / static_cast<double>(compared_), 6); }
  std::string most() const { return number_text(most_, 10); }

  Side& before_;
  Side& after_;
  const std::vector<Change>& changes_;
  std::vector<std::string> fields_;
  bool json_;
  std::vector<std::uint64_t> flipped_;
  std::uint64_t records_ = 0, differ_ = 0, rejected_by_one_ = 0, rejected_by_both_ = 0, compared_ = 0;
  double total_ = 0, most_ = 0;
};

// The fields that make verdicts differ: the status, the score and its bands; for rubrics without dimensions also the
// outputs that fit a cell.
std::vector<std::string> compared_fields(const Rubric& before, const Rubric& after) {
  std::vector<std::string> fields = {"status"};
  std::set<std::string> names[2], listed{"status", "score"};
  for (const FieldInfo& field : before.fields()) names[0].insert(field.name);
  for (const FieldInfo& field : after.fields()) names[1].insert(field.name);
  const auto both = [&names](const std::string& field) {
    return names[0].count(field) > 0 && names[1].count(field) > 0;
  };
  if (both("score")) fields.emplace_back("score");
  const bool outputs = before.dimensions().empty() && after.dimensions().empty();
  for (const Rubric* rubric : {&before, &after}) {
    std::vector<std::string> more = band_fields(*rubric);
    if (outputs) {
      for (std::string& field : plain_outputs(*rubric)) more.push_back(std::move(field));
    }
    for (std::string& field : more) {
      if (both(field) && listed.insert(field).second) fields.push_back(std::move(field));
    }
  }
  return fields;
}

// Sets up both evaluators. False after reporting an error.
bool prepare_sides(Side& before, Side& after, const DiffOptions& options, const Limits& limits,
                   const std::vector<std::string>& fields) {
  for (Side* side : {&before, &after}) {
    for (const FieldInfo& field : side->rubric->each_fields()) {
      if (std::find(fields.begin(), fields.end(), field.name) == fields.end()) continue;
      complain("--fields: '" + field.name + "' is computed from the whole run, and records are compared one by one");
      return false;
    }
    side->evaluator.emplace(*side->rubric,
                            EvaluatorOptions{.fields = fields, .limits = limits, .interrupt = interrupt()});
    if (const InputError* error = side->evaluator->error()) {
      complain("--fields: in '" + printable(file_label(side->path)) + "' " + printable(error->message));
      return false;
    }
    const std::optional<Preparation> preparation = prepare(*side->rubric, options.evaluation, limits);
    if (!preparation || !preparation->apply(*side->evaluator)) return false;
    side->analysis.emplace(*side->rubric, EvaluatorOptions{.fields = {}, .limits = limits, .interrupt = interrupt()});
    side->analysis->configure(preparation->settings);
    if (!preparation->history.empty()) side->analysis->set_history(preparation->history);
  }
  return true;
}

// Lines as a list of Markdown, as deep as they are indented.
std::string as_list(std::string_view lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string_view line = lines.substr(at, end - at);
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    if (first < line.size()) out += std::string(first, ' ') + "- " + plain_markdown(line.substr(first));
    out += "\n";
    at = end + 1;
  }
  return out;
}

// One file through both rubrics. False (and `problem`) when it cannot be read.
bool compare_file(const std::string& path, const DiffOptions& options, const std::vector<Assignment>& sets,
                  const Limits& limits, Side& before, Side& after, Flips& flips, Output& output, std::string& problem) {
  std::optional<RecordFile> file = RecordFile::open(path, options.evaluation.from, *after.rubric, false, problem);
  if (!file) return false;
  SharedFile shared(*file, limits.record_bytes);
  struct Reader {
    RecordReader records;
    Record record = {};
    RecordReader::Status status = RecordReader::Status::end;
    InputError problem = {};
    std::string changed = {};
  };
  const auto reader = [&](std::size_t which, const Rubric& rubric) {
    return Reader{RecordReader(
        file->format(), [&shared, which](char* buffer, std::size_t size) { return shared.read(which, buffer, size); },
        rubric, limits, false, interrupt())};
  };
  Reader readers[2] = {reader(0, *before.rubric), reader(1, *after.rubric)};
  bool any = false;
  while (output.alive()) {
    Flips::Read read[2];
    std::uint64_t line = 0;
    bool more = false;
    for (std::size_t i = 0; i < 2; ++i) {
      Reader& r = readers[i];
      const InputError last = r.problem;  // the error of the side that ended, where the other one continues
      r.problem = {};
      r.status = r.records.next(r.record, r.problem);
      more = more || r.status != RecordReader::Status::end;
      if (r.status == RecordReader::Status::end) r.problem = last;
      line = std::max(line, r.record.line);
      if (r.status != RecordReader::Status::record) {
        read[i].problem = r.problem;
        continue;
      }
      read[i].json = r.record.json;
      if (!sets.empty()) read[i].json = r.changed = with_members(r.record.json, sets);
    }
    if (interrupted()) return false;
    if (!file->problem().empty()) {
      problem = file->problem();
      return false;
    }
    if (!more) break;
    any = true;
    const std::string told = flips.compare(read[0], read[1], file->label() + ":" + std::to_string(line));
    if (interrupted()) return false;
    output.write(options.to == "markdown" ? as_list(told) : told);
    for (std::size_t i = 0; i < 2; ++i) {
      Side& side = i == 0 ? before : after;
      if (side.rubric->serial() && !read[i].problem) side.analysis->pass(read[i].json);
    }
  }
  if (!any) note_no_records(file->label());
  return true;
}

}  // namespace

DiffAnswer diff_of(const DiffSide& was, const DiffSide& is, const std::vector<std::string>& records,
                   const Preparation& preparation, const Limits& limits) {
  Side before{was.name, *was.rubric, {}, {}}, after{is.name, *is.rubric, {}, {}};
  const std::vector<Change> changes = differences(*before.rubric, *after.rubric, interrupt());
  DiffAnswer answer;
  answer.changes = text_of(changes, before, after);
  if (records.empty()) return answer;
  const std::vector<std::string> fields = compared_fields(*before.rubric, *after.rubric);
  for (Side* side : {&before, &after}) {
    side->evaluator.emplace(*side->rubric,
                            EvaluatorOptions{.fields = fields, .limits = limits, .interrupt = interrupt()});
    side->analysis.emplace(*side->rubric, EvaluatorOptions{.fields = {}, .limits = limits, .interrupt = interrupt()});
    if (!preparation.apply(*side->evaluator)) return answer;
    side->analysis->configure(preparation.settings);
    if (!preparation.history.empty()) side->analysis->set_history(preparation.history);
  }
  Flips flips(before, after, changes, fields, false);
  for (std::size_t i = 0; i < records.size() && !interrupted(); ++i) {
    const Flips::Read read{records[i], {}};
    answer.verdicts += flips.compare(read, read, "record " + std::to_string(i + 1));
    for (Side* side : {&before, &after}) {
      if (side->rubric->serial()) side->analysis->pass(records[i]);
    }
  }
  answer.differ = flips.differ();
  answer.summary = flips.summary();
  return answer;
}

int diff(const DiffOptions& options) {
  const EvaluationOptions& evaluation = options.evaluation;
  const bool settings = !evaluation.contexts.empty() || !evaluation.weights.empty() || !evaluation.sets.empty() ||
                        !evaluation.history.empty() || !evaluation.from.empty() || !options.fields.empty();
  if (options.on.empty() && settings) return refuse("there are no records to score: name them with --on");
  std::size_t streams = (options.before == "-") + (options.after == "-");
  for (const std::string& file : options.on) streams += file == "-";
  if (streams > 1) return refuse("only one file can be standard input");
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  Side before{options.before, {}, {}, {}}, after{options.after, {}, {}, {}};
  const bool loaded = before.load(*loading);  // reports the errors of both
  if (!after.load(*loading) || !loaded) return kRefused;

  std::string problem;
  std::vector<std::string> files = options.on;
  std::optional<std::vector<Assignment>> sets =
      assignments(evaluation.sets, {&*before.rubric, &*after.rubric}, problem);
  if (!sets || (!files.empty() && !find_files(files, problem))) return refuse(problem);
  std::vector<std::string> fields = split_fields(options.fields);
  if (fields.empty()) fields = compared_fields(*before.rubric, *after.rubric);
  if (!files.empty() && !prepare_sides(before, after, options, limits, fields)) return kRefused;
  const std::vector<Change> changes = differences(*before.rubric, *after.rubric, interrupt());
  if (interrupted()) return kRefused;
  std::optional<Output> output = Output::open_answer(options.output, problem);
  if (!output) return refuse(problem);

  const bool json = options.to == "json";
  const auto write = [&](const std::string& lines) {
    output->write(options.to == "markdown" ? as_list(lines) : lines);
  };
  const std::string &was = before.rubric->scoring_hash(), &is = after.rubric->scoring_hash();
  if (json) {
    output->write(std::string("{\"same_numbers\":") + (was == is ? "true" : "false") +
                  ",\"scoring_hash\":{\"old\":" + quoted(was) + ",\"new\":" + quoted(is) + "},\"changes\":[");
    for (std::size_t i = 0; i < changes.size(); ++i) output->write((i > 0 ? "," : "") + json_of(changes[i]));
    output->write("]");
  } else {
    write(text_of(changes, before, after));
    const std::string hashes = was == is ? was : was + std::string(kArrow) + is;
    write(std::string("same numbers: ") + (was == is ? "yes" : "no") + " (scoring hash " + hashes + ")\n");
  }
  if (files.empty()) {
    if (json) output->write("}\n");
    return output->finish(was == is ? kDone : kRejected);
  }
  output->write(json ? ",\"records\":[" : "\n");
  Flips flips(before, after, changes, fields, json);
  for (const std::string& file : files) {
    if (!compare_file(file, options, *sets, limits, before, after, flips, *output, problem)) return refuse(problem);
  }
  if (json) {
    output->write("],\"summary\":" + flips.summary_json() + "}\n");
  } else {
    write(flips.summary());
  }
  return output->finish(flips.differ() == 0 ? kDone : kRejected);
}

}  // namespace assay::cli
