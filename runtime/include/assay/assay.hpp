// The one header of a C++ host.
//
//   auto compiled = assay::compile("judge.rubric", text);
//   if (!compiled.rubric) { std::fputs(assay::render(compiled.diagnostics).c_str(), stderr); return 1; }
//   assay::Evaluator evaluator(*compiled.rubric);               // one per thread
//   const assay::Verdict& verdict = evaluator.score(R"({"id": "a", "correctness": 9.5, …})");
//   if (verdict.error()) …                                      // what is wrong with the record, and where
//   verdict.text("grade"); verdict.number("score"); verdict.json();
//
// Errors are values: a rubric's are Diagnostics, a record's an InputError, in that record's verdict; the library throws
// nothing of its own, prints nothing, opens no file and keeps no globals. A Rubric is immutable and may be used by many
// threads at once; an Evaluator belongs to one thread.
#pragma once

#include <assay/columns.hpp>
#include <assay/diagnostic.hpp>
#include <assay/hook.hpp>
#include <assay/importer.hpp>
#include <assay/interrupt.hpp>
#include <assay/limits.hpp>
#include <assay/records.hpp>
#include <assay/text.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define ASSAY_VERSION "0.1.0"

namespace assay {

std::string_view version();

// What else is wrong with a record.
struct InputFault {
  Printable path;
  std::string code;
  Printable message;
};

// What is wrong with the data of one record or request. `path` as in the conformance of verdicts:
// "components[2].severity", "history[1].safety", "weights.security"; empty: the record as a whole.
struct InputError {
  Printable path;
  // "syntax", "type", "range", "required", "choice", "rule", "limit", "hook", "weights", "context", "duplicate",
  // "unknown", "cancelled", "timeout" …
  std::string code;
  Printable message;  // one sentence: what was found, what was expected
  // Of a record that was refused: its id as JSON ("a" with its quotes, or 7), empty where it has none, and what else is
  // wrong with it, in the order of the record; of very many faults, the first twenty.
  std::string id = {};
  std::vector<InputFault> others = {};
};

// ---- compiling

struct CompileOptions {
  Importer importer;  // empty: nothing can be imported but the standard library
  Limits limits;
  bool lua = true;  // false: a rubric with Lua hooks does not compile
  // Of the host: of a hook that is declared `from "host:name"`, or instead of a hook's Lua, by its name.
  HookFunctions hooks;
  const Interrupt* interrupt = nullptr;  // not owned; null: compiling ends by itself, within the limits
};

struct InputInfo {
  std::string name;
  std::string type;      // as a rubric writes it: "number 1..10", "list of text"
  std::string presence;  // "required", "optional", "default"
  std::string prose;
};
struct FieldInfo {  // a key of the verdict
  std::string name;
  std::string type;
  int decimals = -1;  // of a number that a rule rounds: to how many; -1: others, which are shown with 12 digits
  enum class Role : std::uint8_t {
    key,             // of every verdict: "status", "score", "flags"
    band,            // "grade", of 'bands grade(score)' …
    band_attribute,  // … and "grade_label", another column of the same rows
    output,          // the rubric's own
  } role = Role::key;
};
struct DimensionInfo {
  std::string name, prose;
  std::string weight;  // decimal; empty: advisory
  std::vector<DimensionInfo> parts;
};
struct ContextInfo {
  std::string name, prose;
};

struct ExampleResult {
  std::string name;
  bool passed = false;
  Location at;
  std::vector<Printable> differences;  // "grade: expected \"A\", got \"A-\""
  // Of one that fails: what makes it expect what it gives. Empty where that cannot be written in its place, as when the
  // record is refused and a verdict was expected.
  std::vector<Edit> update;
};

// A key that the rubric does not name.
struct UnknownKey {
  std::string path;     // "scores.clarityy", "parts[2].sevrity"
  Printable message;    // as in the InputError of EvaluatorOptions::strict
  std::string nearest;  // the path of the key beside it that was perhaps meant; empty: none is near
  bool absent = false;  // the record lacks that one, or has null there
  // It is hardly anything but a slip: but for a letter, capitals or separators it is a key that the record lacks, and
  // its value is of the kind expected there. Short names are too much alike to tell.
  bool misspelt = false;
};

// kernel: which fields of the verdict a kernel can compute, why it cannot compute the others, and its instructions.
enum class View : std::uint8_t { ast, model, bytecode, kernel };

class Rubric {
 public:
  const std::string& name() const;
  const std::string& version() const;
  const std::string& prose() const;
  std::vector<InputInfo> inputs() const;
  std::vector<FieldInfo> fields() const;
  std::vector<FieldInfo> each_fields() const;  // that a second pass adds: the 'each output's of the cohort
  std::vector<DimensionInfo> dimensions() const;
  std::vector<ContextInfo> contexts() const;
  std::vector<std::string> names() const;  // everything an expression may name, for completion
  bool ranked() const;
  bool has_cohort() const;
  bool serial() const;                      // a verdict depends on the records before it: there is a `history by`
  bool scored() const;                      // verdicts have a score: there is a scale, or an output of that name
  std::string show(View view) const;        // text made for diffing
  const std::string& scoring_hash() const;  // 16 hex digits over what decides numbers; prose does not change it
  // Runs the `example` blocks; those that are interrupted have not passed.
  std::vector<ExampleResult> test(const Interrupt* interrupt = nullptr) const;
  // The keys of a record that the rubric does not name, in their order, as strict reading refuses them. Keys of maps
  // are data. Takes its time: for a few records, to tell their author, or for the names that somebody sets. At most so
  // many; none when the text is no JSON object.
  std::vector<UnknownKey> unknown_keys(std::string_view record, std::size_t most = 100) const;
  // The same of columns, whose names are paths ("scores.clarity"), as in the headers of CSV; no value is looked at.
  std::vector<UnknownKey> unknown_columns(const std::vector<std::string>& names, std::size_t most = 100) const;

  struct Impl;
  explicit Rubric(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

struct Compiled {
  std::optional<Rubric> rubric;  // empty when there are errors
  std::vector<Diagnostic> diagnostics;
};

// `name` is used in diagnostics and as the base of imports. Any thread.
Compiled compile(std::string_view name, std::string_view text, const CompileOptions& options = {});

// ---- settings of an evaluation: contexts and weights, as exact decimals

struct Settings {
  std::vector<std::string> contexts;
  std::vector<std::pair<std::string, std::string>> weights;  // name, "0.25" or "25%"
};

// ---- verdicts

enum class InputHandle : std::uint32_t {};  // of an input, for Inputs
enum class FieldHandle : std::uint32_t {};  // of a field of the verdict

class Verdict {  // belongs to its Evaluator; valid until that evaluator's next call
 public:
  const InputError* error() const;                             // null when the record was scored
  std::optional<double> number(std::string_view field) const;  // as shown (rounded); empty: missing, or not a number
  std::string_view text(std::string_view field) const;         // empty: missing, or not a text
  std::optional<bool> boolean(std::string_view field) const;
  std::string_view json(std::string_view field) const;  // any field as JSON text
  std::string_view json() const;                        // the whole verdict, or {"error": …}; one line, no newline
  std::string_view id() const;                          // of a number: its digits
  bool eligible() const;
  // The same by handle (Evaluator::field), without a look at any name. Numbers are those that json() shows, too:
  // rounded to the decimals of the rule, or to 12 digits where no rule rounds. scaled: such a number times 10^decimals,
  // empty when that is not whole or does not fit.
  std::optional<double> number(FieldHandle field) const;
  std::optional<std::int64_t> scaled(FieldHandle field, int decimals) const;
  std::string_view text(FieldHandle field) const;
  std::optional<bool> boolean(FieldHandle field) const;

  struct State;

 private:
  friend class Evaluator;
  State* state_ = nullptr;
};

// A record without JSON, for a loop that scores what it has in memory. Handles are found once; values are set by
// handle, each checked at once, and stay until they are set again or reset(). What is wrong with one is the error of
// the next verdict. Texts are views: they have to stay where they are until the verdict has been read. After the first
// records nothing is allocated.
class Inputs {
 public:
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  // "correctness", "scores.correctness": fields of records, not of records in lists. Empty: there is no such input.
  std::optional<InputHandle> find(std::string_view path);
  void set_number(InputHandle input, double value);                       // the shortest decimal that reads back as it
  void set_number(InputHandle input, std::int64_t digits, int decimals);  // 925, 2 is 9.25
  void set_text(InputHandle input, std::string_view text);
  void set_bool(InputHandle input, bool truth);
  void set_texts(InputHandle input, const std::string_view* texts, std::size_t count);  // a list or a set
  void set_missing(InputHandle input);  // as if the record did not have it
  void reset();                         // the same for all

  struct Impl;
  struct Place;

 private:
  friend class Columns;
  friend class Evaluator;
  explicit Inputs(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct Ranking {
  std::vector<std::vector<std::string>> groups;  // ids, best group first; several in a group are equal
  std::vector<std::string> ineligible;           // in input order
  std::string json() const;
};

struct EvaluatorOptions {
  std::vector<std::string> fields;  // top-level keys of the verdict; empty: all. Only these are computed.
  Limits limits;
  // Records that a kernel takes before machine code is made of it (docs/performance.md); 0: at once. It never changes a
  // verdict. A host that must not have executable memory made says kNever.
  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t jit_threshold = 1024;
  // A key that the rubric does not name, at the top of a record or in an object of it, is an error of the record, with
  // the code "unknown"; otherwise it is passed over. So in the records of a history, of a ranking and of requests. Keys
  // of maps are data. Columns and Inputs have no unknown keys: they refuse the name.
  bool strict = false;
  const Interrupt* interrupt = nullptr;  // not owned; null: an evaluation ends by itself, within the limits
};

struct Statistics {
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  std::uint64_t exact_path = 0;  // records that needed numbers beyond 64 bits
  std::uint64_t steps = 0;       // instructions
  std::uint64_t kernel = 0;      // records that a kernel took, without the VM (docs/performance.md)
  std::uint64_t jit_rows = 0;    // those of them that its machine code took; the rest was the kernel interpreter's
  std::uint64_t vectors = 0;     // those of them that it took several at a time
  Statistics& operator+=(const Statistics& more);
  Statistics& operator-=(const Statistics& less);
};

class Cohort;        // <assay/cohort.hpp>
class FrozenCohort;  // the same

class Evaluator {
 public:
  explicit Evaluator(const Rubric& rubric, EvaluatorOptions options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  // An unknown field in the options, or nothing. Check it once after construction.
  const InputError* error() const;

  // The contexts and weights in force from now on. An error leaves them as they were.
  std::optional<InputError> configure(const Settings& settings);

  // Earlier records of the same subject, oldest first, each a JSON object; used by every later call of score().
  void set_history(std::vector<std::string> records);

  // One record, a JSON object. An error belongs to that record alone.
  const Verdict& score(std::string_view json);

  // The record without JSON that inputs() holds. Its verdict is written as JSON only when somebody asks for that.
  Inputs& inputs();
  const Verdict& score_inputs();
  std::optional<FieldHandle> field(std::string_view name) const;  // empty: the verdict has no such field

  // Places records best first, ties broken as the rubric declares. Errors have paths like "inputs[3].correctness".
  // Every record needs an id.
  std::optional<InputError> rank(const std::vector<std::string_view>& records, Ranking& ranking);
  // The same where faulty records are left out: errors[i] is filled for those, keeping the others.
  Ranking rank_valid(const std::vector<std::string_view>& records,
                     std::vector<std::pair<std::size_t, InputError>>& errors);

  // One request of the evaluation protocol (docs/protocol.md), answered by one JSON text without a newline.
  std::string_view eval(std::string_view request);

  // The cohort block's outputs over all records scored since start_cohort(), as a JSON object; {"error": …} where they
  // could not be computed, which cohort_error() says until the next cohort(). They may take as many steps as all these
  // records might have taken: Limits::steps for each.
  // `first`: the position of the next record, by which the list of verdicts is ordered; Cohort::kUnordered: by ids.
  void start_cohort(std::uint64_t first = 0);
  // A record that could not even be read is one of the cohort's `rejected`, too.
  void reject(const InputError& error);
  std::string_view cohort();
  Cohort collected() const;  // what has been kept since start_cohort(), to be merged with that of other evaluators
  // From now on verdicts have the keys of the cohort's 'each output's as well: a second pass. A record that was not in
  // the cohort gets the place that it would take. An error: the cohort belongs to another rubric.
  std::optional<InputError> set_cohort(const FrozenCohort& cohort);
  const InputError* cohort_error() const;  // null: nothing went wrong

  // Any expression over a record; diagnostics when the expression is wrong. What is wrong with the record or the history
  // is an error only of expressions that depend on the inputs concerned.
  struct Evaluated {
    std::string value;  // JSON
    std::string type;
    std::string literal;  // an expression that has exactly this value; empty: it has none, or one of over 64 KiB
    std::vector<Diagnostic> diagnostics;
    std::optional<InputError> error;
  };
  Evaluated evaluate(std::string_view expression, std::string_view record);

  // Every stage of the pipeline in order, in words, each number with where it came from. With `name`: that value alone
  // and what it was made of; `unknown` becomes true when there is no such value, which the text then says. Plain text,
  // ends with a newline.
  std::string explain(std::string_view record, std::string_view name = {}, bool* unknown = nullptr);
  // The same, with what happened inside of the values, functions and tables that `open` names; "all": inside of everything.
  std::string explain(std::string_view record, std::string_view name, const std::vector<std::string>& open,
                      bool* unknown = nullptr);

  const Statistics& statistics() const;

 private:
  friend class Columns;
  friend void forced_big(Evaluator& evaluator, bool on);  // a switch for tests: runtime/engine/evaluator.hpp
  friend std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record);  // for services
  friend class Batch;
  friend struct EvaluatorAccess;  // runtime/engine/evaluator.hpp
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay

#include <assay/batch.hpp>   // many records at once, on several threads
#include <assay/cohort.hpp>  // the verdicts of a run as a whole
