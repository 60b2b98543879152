// The verbs of analysis, one file each, and their shared parts: options in, exit code out.
#pragma once

#include "repl/analysis/document.hpp"
#include "repl/files/output.hpp"
#include "repl/files/record_stream.hpp"

#include <assay/analysis.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct ExplainOptions;

// What all of them have.
struct QuestionOptions {
  LoadOptions load;
  std::string rubric;
  std::vector<std::string> files;  // empty: standard input
  EvaluationOptions evaluation;
  std::string id;
  std::uint64_t line = 0;  // 0: not given
  std::string to;          // "text", "json", "markdown"; empty: text
  std::string output;
  std::string* answer = nullptr;  // where the text goes without a file; null: standard output
};

struct WhatIfOptions {
  QuestionOptions question;
  std::vector<std::string> sets;
};
int what_if(const WhatIfOptions& options);

struct ReachOptions {
  QuestionOptions question;
  std::vector<std::string> to;  // targets and formats
  std::string target;
  std::vector<std::string> costs, keep;
  std::string grid;
  std::size_t nodes = 4000;
};
int reach(const ReachOptions& options);

struct SensitivityVerbOptions {
  QuestionOptions question;
  std::string noise;
  std::uint32_t samples = 9604;
  std::uint64_t seed = 1;
};
int sensitivity(const SensitivityVerbOptions& options);

struct CalibrateOptions {
  QuestionOptions question;
  std::vector<std::string> records;     // to join with the gold by id
  std::vector<std::string> fail_under;  // "kappa=0.6"
  std::size_t floor = 10;
  std::uint64_t seed = 1;
};
int calibrate_verb(const CalibrateOptions& options);

struct ReportOptions {
  QuestionOptions question;
};
int report(const ReportOptions& options);

// A rubric with its records and its analysis. If open() returns nothing, the error has been reported.
class Questioning {
 public:
  static std::optional<Questioning> open(const QuestionOptions& options, int& code);

  // Of a rubric and records that are there already. The one at `here` is meant where no id names another.
  static Questioning over(const Rubric& rubric, const EvaluatorOptions& options, Preparation preparation,
                          std::vector<std::string> records, std::size_t here);

  const Rubric& rubric() const { return *rubric_; }
  Analysis& analysis() { return *analysis_; }
  Evaluator& evaluator() { return *evaluator_; }  // with the same settings, for records that may become history
  const EvaluatorOptions& evaluation() const { return evaluation_; }
  const Preparation& preparation() const { return *preparation_; }

  // The record that --id or --line names, or the only one. False: `code` is set, and the error reported. With `all`,
  // reads and keeps all other records, too.
  bool pick(const QuestionOptions& options, std::string& record, std::string& place, int& code,
            std::vector<std::string>* all = nullptr);
  // Reads all of them; reports records that cannot be read, and sets `rejected`.
  bool read_all(std::vector<std::string>& records, std::vector<std::string>& places, bool& rejected, int& code);

 private:
  Questioning() = default;
  bool pick_in_memory(const QuestionOptions& options, std::string& record, std::string& place, int& code,
                      std::vector<std::string>* all);
  bool scores(const std::string& record, const std::string& place, int& code);

  std::unique_ptr<Loading> loading_;
  std::unique_ptr<Rubric> rubric_;  // the stream refers to it
  std::unique_ptr<RecordStream> stream_;
  EvaluatorOptions evaluation_;
  std::unique_ptr<Analysis> analysis_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Preparation> preparation_;
  std::vector<std::string> records_;  // in memory, without a stream
  std::size_t here_ = 0;
};

// ---- the questions themselves, which the verbs and the prompt share; the exit code

int what_if(Questioning& q, const WhatIfOptions& options);
int reach(Questioning& q, ReachOptions options);
// `rejected`: a record could not be read
int sensitivity(Questioning& q, const std::vector<std::string>& records, bool rejected,
                const SensitivityVerbOptions& options);
// Whether the options fit together; otherwise what is wrong has been said.
bool explain_options_fit(const ExplainOptions& options);
// With --versus, or as JSON: questions of the analysis.
bool asks_analysis(const ExplainOptions& options);
QuestionOptions question_of(const ExplainOptions& options);
int explain(Questioning& q, const ExplainOptions& options);
// Without: of an evaluator that has seen the earlier records of the series. `whole` has scored all records where --cohort is
// asked for; null: it is not.
int explain(const Rubric& rubric, Evaluator& evaluator, Evaluator* whole, const std::string& record,
            const ExplainOptions& options);
// Records by their ids.
using RecordsById = std::map<std::string, std::string>;
// False (and an error has been told): another record has this id, so that nobody can say which one is meant.
bool keep_by_id(RecordsById& records, std::string_view record, const std::string& place);
// The exit code; with kRefused there is no document. `records`: by id, that the lines of gold are joined with; null: the
// lines are records with gold.
int calibrate_records(Questioning& q, const std::vector<std::string>& lines, const std::vector<std::string>& places,
                      const RecordsById* records, const CalibrateOptions& options, bool rejected, Document& document,
                      std::string& json);
// `path`: of the page.
int write_report(Questioning& q, const std::vector<std::string>& records, const std::vector<std::string>& places,
                 bool rejected, const std::string& path);

// A question about all records of a run. False: `code` is set, and the error reported; a run without records is
// refused.
struct QuestionRun {
  std::optional<Questioning> questioning;
  std::vector<std::string> records, places;
  bool rejected = false;  // some record could not be read
};
bool open_run(const QuestionOptions& options, QuestionRun& run, int& code);

int write_text(const std::string& path, std::string* answer, std::string_view text, int code);
// Writes the answer where it was asked for.
int write_answer(const QuestionOptions& options, const Document& document, const std::string& json, int code);
std::string id_of_record(std::string_view record);
// For a question by an id that two records have.
// What is said when no record has the id, or begins in the line, that was asked for: with the nearest id, and the lines
// around it, of the records that it has seen.
class NoSuchRecord {
 public:
  NoSuchRecord(std::string id, std::uint64_t line) : id_(std::move(id)), line_(line) {}
  void see(const std::string& id, std::uint64_t line);
  std::string message(const std::string& label) const;  // `label`: of the file; empty: the records are in memory

 private:
  std::string id_;  // empty: a line was asked for
  std::uint64_t line_;
  std::string near_;
  std::uint64_t before_ = 0, behind_ = 0;  // lines; 0: none
};

std::string two_of_one_id(const std::string& id, const std::string& first, const std::string& second);

}  // namespace assay::cli
