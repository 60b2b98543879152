// The verbs that ask questions of a rubric and its records, one file each, and what they share: options in, exit code out.
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

// What all of them have.
struct QuestionOptions {
  LoadOptions load;
  std::string rubric;
  std::vector<std::string> files;  // none: standard input
  EvaluationOptions evaluation;
  std::string id;
  std::uint64_t line = 0;  // 0: not asked for
  std::string to;          // "text", "json", "markdown"; empty: text
  std::string output;
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

struct VersusOptions {
  QuestionOptions question;
  std::string versus;
};
int versus(const VersusOptions& options);
// assay explain --to json
int explain_json(const QuestionOptions& options);

struct CalibrateOptions {
  QuestionOptions question;
  std::vector<std::string> records;     // joined with the gold by id
  std::vector<std::string> fail_under;  // "kappa=0.6"
  std::size_t floor = 10;
  std::uint64_t seed = 1;
};
int calibrate_verb(const CalibrateOptions& options);

struct ReportOptions {
  QuestionOptions question;
};
int report(const ReportOptions& options);

// A rubric with its records, and the analysis that is asked. Everything that can be wrong has been said when open() gives
// nothing.
class Questioning {
 public:
  static std::optional<Questioning> open(const QuestionOptions& options, int& code);

  // Of a rubric that is there already; records come from elsewhere.
  static Questioning over(const Rubric& rubric, const EvaluatorOptions& options, Preparation preparation);

  const Rubric& rubric() const { return *rubric_; }
  Analysis& analysis() { return *analysis_; }
  Evaluator& evaluator() { return *evaluator_; }  // with the same settings, for what may become history
  const EvaluatorOptions& evaluation() const { return evaluation_; }
  RecordStream& stream() { return *stream_; }
  const Preparation& preparation() const { return *preparation_; }

  // The record that --id or --line names, or the only one. False: `code` after saying what is wrong. With `all`, every
  // other record is read and kept, too.
  bool pick(const QuestionOptions& options, std::string& record, std::string& place, int& code,
            std::vector<std::string>* all = nullptr);
  // All of them; what cannot be read has been said, and `rejected` becomes true.
  bool read_all(std::vector<std::string>& records, std::vector<std::string>& places, bool& rejected, int& code);

 private:
  Questioning() = default;
  std::unique_ptr<Loading> loading_;
  std::unique_ptr<Rubric> rubric_;  // the stream keeps its address
  std::unique_ptr<RecordStream> stream_;
  EvaluatorOptions evaluation_;
  std::unique_ptr<Analysis> analysis_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Preparation> preparation_;
};

// ---- the answers of records in memory, which the prompt shares

Document what_if_document(const WhatIf& answer);
Document reach_document(const Reach& answer, bool costs);
Document sensitivity_document(const Sensitivity& answer, const std::string& rubric);
// The exit code; with kRefused there is no document. `records`: by id, that the lines of gold are joined with; null: the
// lines are records with gold.
int calibrate_records(Questioning& q, const std::vector<std::string>& lines, const std::vector<std::string>& places,
                      const std::map<std::string, std::string>* records, const CalibrateOptions& options, bool rejected,
                      Document& document, std::string& json);
// `path`: of the page; the exit code.
int write_report(Questioning& q, const std::vector<std::string>& records, const std::vector<std::string>& places,
                 bool rejected, const std::string& path);

// A question about all records of a run. False: `code`, after saying what is wrong; a run without records is refused.
struct QuestionRun {
  std::optional<Questioning> questioning;
  std::vector<std::string> records, places;
  bool rejected = false;  // a record could not be read
};
bool open_run(const QuestionOptions& options, QuestionRun& run, int& code);

// Writes the answer where it was asked for.
int write_answer(const QuestionOptions& options, const Document& document, const std::string& json, int code);
std::string id_of_record(std::string_view record);

}  // namespace assay::cli
