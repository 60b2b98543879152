// Shared parts of the verbs that read records: loading a rubric, the options of an evaluation (contexts, weights,
// history, fields set from the command line), and one stream over the records of all named files, each with its place.
#pragma once

#include "repl/files/imports.hpp"
#include "repl/files/misspelt.hpp"
#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::cli {

// How to load rubrics, as given by the options of every verb.
struct LoadOptions {
  std::vector<std::string> limits;  // "steps=1000"
  std::vector<std::string> roots;   // directories; empty: rubrics may name any file
  bool no_lua = false;
};

// The same, parsed.
struct Loading {
  CompileOptions compile;
  Roots roots;
  const Limits& limits() const { return compile.limits; }
  // Of evaluators that Ctrl-C ends. `strict`: keys that the rubric does not name are errors.
  EvaluatorOptions evaluator(bool strict = false) const;
};

// Returns nothing after reporting an error.
std::optional<Loading> read_loading(const LoadOptions& options);

// The rubric, or nothing after printing its diagnostics to standard error. `reads_records`: see records_instead().
std::optional<Rubric> load_rubric(const std::string& path, const Loading& loading, bool reads_records = true);

// What to say of a file of records that stands where a rubric belongs. Empty: it is a rubric, or meant to be one.
// `reads_records`: so does the verb, behind its rubric.
std::string records_instead(const std::string& path, const std::vector<Diagnostic>& diagnostics, bool reads_records);

// Compiles a file. Nothing (and `problem`) if it cannot be read.
std::optional<Compiled> compile_file(const std::string& path, std::string& problem, const Loading& loading);

// Options as given; each verb sets those that it has.
struct EvaluationOptions {
  std::vector<std::string> contexts;
  std::vector<std::string> weights;  // "name=25%"
  std::vector<std::string> sets;     // "field=value"
  std::string history;               // a file of records
  std::string from;                  // "ndjson", "json", "csv", "npy"; empty: by the file's name
  bool strict = false;               // unknown keys are errors
};

using Assignment = std::pair<std::string, std::string>;
// Splits "name=value"; nothing (and `problem`) if '=' or the name is absent.
std::optional<Assignment> assignment(const std::string& text, std::string_view option, std::string& problem);

// The fields of --set. Nothing (and `problem`) if one is malformed, or if no rubric knows it: a user who names a field
// wants it to have an effect.
std::optional<std::vector<Assignment>> assignments(const std::vector<std::string>& sets,
                                                   const std::vector<const Rubric*>& rubrics, std::string& problem);
// The message about a field, or a member of its value, that no rubric knows; empty: all are known.
std::string unknown_field(const Assignment& set, const std::vector<const Rubric*>& rubrics);
// Uses standard input if there are none. False (and `problem`) if one does not exist.
bool find_files(std::vector<std::string>& files, std::string& problem);
void note_no_records(const std::string& label);

// Contexts, weights and history, read once and applied to as many evaluators as a verb needs.
// What is wrong with contexts or weights, by the flag that gave them.
std::string settings_text(const InputError& error);

struct Preparation {
  Settings settings;
  std::vector<std::string> history;

  // False after reporting an error.
  bool apply(Evaluator& evaluator) const;
};
std::optional<Preparation> prepare(const Rubric& rubric, const EvaluationOptions& options, const Limits& limits = {});

// The records of several files, in order; without files, of standard input.
class RecordStream {
 public:
  enum class Status : std::uint8_t {
    record,
    malformed,  // a record could not be read: see problem()
    end,
    failed,  // the file could not be read, see problem(); or the run is interrupted
  };

  RecordStream(const Rubric& rubric, std::vector<std::string> files, const EvaluationOptions& options,
               const Limits& limits = {});
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  // False (and `problem`) if a file does not exist, or an option is malformed.
  bool check(std::string& problem);
  Status next();
  std::string_view json() const { return json_; }
  const InputError& problem() const { return problem_; }
  std::string place() const;  // "records.ndjson:3"
  // Examines the beginnings of the files read so far, with the changes of --set.
  void note_misspelt();
  // The same for values that can hardly be meant, for verbs that use all records.
  void note_odd_values() const;
  std::uint64_t line() const { return record_.line; }

 private:
  const Rubric* rubric_;
  std::vector<std::string> files_;
  std::vector<std::string> set_texts_;
  std::vector<Assignment> sets_;
  bool strict_;
  std::string from_;
  Limits limits_;
  std::size_t opened_ = 0;
  std::string label_;
  std::unique_ptr<RecordFile> file_;
  std::unique_ptr<RecordReader> reader_;
  std::vector<Beginning> beginnings_;     // of the files before the open one
  std::optional<MisspeltKeys> misspelt_;  // since check()
  std::uint64_t seen_ = 0;                // records read from the open file
  Record record_;
  std::string_view json_;
  std::string changed_;
  InputError problem_;
};

// All records of one file, and their places. Returns nothing after reporting an error.
std::optional<std::vector<std::string>> read_records(const Rubric& rubric, const std::string& path,
                                                     const Limits& limits = {}, bool strict = false,
                                                     std::vector<std::string>* places = nullptr);
// The same for a history, whose records must have the rubric's types: its error is not one of the records scored.
std::optional<std::vector<std::string>> read_history(const Rubric& rubric, const std::string& path,
                                                     const Limits& limits = {}, bool strict = false);

}  // namespace assay::cli
