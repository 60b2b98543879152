// The verbs of the command, one file each: options in, exit code out (0 success, 1 something in the data is wrong, 2
// the verb could not run). Only main.cpp knows how options are spelled.
#pragma once

#include "repl/files/record_stream.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cli {

struct CheckOptions {
  LoadOptions load;
  std::vector<std::string> files;
  bool strict = false;  // warnings count as errors
  bool watch = false;   // runs again after each change, until Ctrl-C
  bool fix = false;     // applies certain suggestions to the files
  bool diff = false;    // shows what that would change instead
  std::string to;       // "text", "json", "sarif", "github"; empty: text
};
int check(const CheckOptions& options);

struct FmtOptions {
  LoadOptions load;
  std::vector<std::string> files;  // "-": standard input, to standard output
  bool check = false;              // only lists the files that are not formatted
  bool diff = false;               // only shows what would change
};
int fmt(const FmtOptions& options);

struct NewOptions {
  std::string name;
  std::string like;  // one of starter_names(); empty: the first
};
int begin_new(const NewOptions& options);
std::vector<std::string> starter_names();

struct SchemaVerbOptions {
  LoadOptions load;
  std::string rubric;
  bool verdict = false;        // schema of verdicts; otherwise of records
  bool strict_subset = false;  // the subset that vendors of language models accept
  bool judged_only = false;
  std::vector<std::string> judged;  // inputs that a judge supplies, besides dimensions
  std::string output;
};
int schema(const SchemaVerbOptions& options);

struct PromptVerbOptions {
  LoadOptions load;
  std::string rubric;
  std::string dimension;  // empty: all
  std::vector<std::string> contexts;
  std::vector<std::string> judged;
  std::string frame;  // a file; empty: the built-in sentences
  bool show_frame = false;
  std::string output;
};
int prompt(const PromptVerbOptions& options);

struct ScoreOptions {
  LoadOptions load;
  std::string rubric;
  std::vector<std::string> files;  // empty: standard input
  EvaluationOptions evaluation;
  std::string to;        // empty: by the output's name, a table for a terminal, else ndjson
  std::string output;    // empty: standard output
  std::string fields;    // "id,score"; empty: all
  unsigned threads = 0;  // number of scoring threads; 0: as many as the machine runs at once
  bool statistics = false;
  bool cohort = false;
};
int score(const ScoreOptions& options);

struct RankOptions {
  LoadOptions load;
  std::string rubric;
  std::vector<std::string> files;
  EvaluationOptions evaluation;
  std::string to;
  std::string output;
};
int rank(const RankOptions& options);

struct EvalOptions {
  LoadOptions load;
  std::string rubric;
  std::string file = "-";
  bool strict = false;
};
int eval(const EvalOptions& options);

struct TestOptions {
  LoadOptions load;
  std::vector<std::string> files;
  bool coverage = false;  // lists what the examples do not exercise
  double threshold = -1;  // percent that must be exercised, in each rubric; below 0: no threshold
  bool update = false;    // updates the expectations of the examples
  bool watch = false;     // runs again after each change, until Ctrl-C
  std::string to;         // "text", "json", "junit"; empty: text
};
int test(const TestOptions& options);

struct ExplainOptions {
  LoadOptions load;
  std::string rubric;
  std::string file;
  EvaluationOptions evaluation;
  std::string id;
  std::uint64_t line = 0;         // 0: not asked for
  std::string name;               // this value alone
  std::string versus;             // the id of a record that it is compared with; empty: none
  std::vector<std::string> open;  // what to show the inside of
  std::string to;                 // "text", "json", "markdown", "html", "svg"; empty: text
  std::string output;
  bool cohort = false;            // with what the run of all records says of this one
  std::string* answer = nullptr;  // where the text goes without a file; null: standard output
};
int explain(const ExplainOptions& options);

struct ShowOptions {
  LoadOptions load;
  std::string rubric;
  bool ast = false, model = false, bytecode = false, kernel = false;  // none: a summary
};
int show(const ShowOptions& options);

struct DiffOptions {
  LoadOptions load;
  std::string before, after;
  std::vector<std::string> on;  // files of records; empty: compares only the rubrics
  EvaluationOptions evaluation;
  std::string fields;  // that make a verdict another one; empty: status, score and bands
  std::string to;      // "text", "json", "markdown"; empty: text
  std::string output;
};
int diff(const DiffOptions& options);

struct ReplOptions {
  LoadOptions load;
  std::string rubric;   // may be empty
  std::string records;  // may be empty
};
int repl(const ReplOptions& options);

}  // namespace assay::cli
