// The one header of a C++ host.
//
//   auto compiled = assay::compile("judge.rubric", text);
//   if (!compiled.rubric) { std::fputs(assay::render(compiled.diagnostics).c_str(), stderr); return 1; }
//   assay::Evaluator evaluator(*compiled.rubric);               // one per thread
//   const assay::Verdict& verdict = evaluator.score(R"({"id": "a", "correctness": 9.5, …})");
//   if (verdict.error()) …                                      // what is wrong with the record, and where
//   verdict.text("grade"); verdict.number("score"); verdict.json();
//
// Errors are values: errors in a rubric are Diagnostics; an error in a record is an InputError in that record's
// verdict. The library throws no exceptions of its own, prints nothing, opens no file and keeps no globals. A Rubric is
// immutable and may be shared between threads; an Evaluator belongs to one thread.
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

// A further problem of a rejected record.
struct InputFault {
  Printable path;
  std::string code;
  Printable message;
};

// A problem with the data of one record or request. `path` has the form "components[2].severity", "history[1].safety"
// or "weights.security"; it is empty when the problem concerns the record as a whole.
struct InputError {
  Printable path;
  // "syntax", "type", "range", "required", "choice", "rule", "limit", "hook", "weights", "context", "duplicate",
  // "unknown", "cancelled", "timeout" …
  std::string code;
  Printable message;  // one sentence: what was found, what was expected
  // For a rejected record: its id as JSON ("a" with its quotes, or 7), empty if it has none; and its other problems, in
  // the order of the record, at most twenty.
  std::string id = {};
  std::vector<InputFault> others = {};
};

// ---- compiling

struct CompileOptions {
  Importer importer;  // empty: only the standard library can be imported
  Limits limits;
  bool lua = true;  // false: a rubric with Lua hooks does not compile
  // Functions of the host, by name: each implements a hook declared `from "host:name"`, or replaces the Lua of a hook.
  HookFunctions hooks;
  const Interrupt* interrupt = nullptr;  // not owned; null: only the limits end a compilation
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
  int decimals = -1;  // digits after the point of a number that a rule rounds; -1: not rounded, shown with 12 digits
  enum class Role : std::uint8_t {
    key,             // present in every verdict: "status", "score", "flags"
    band,            // the result of a band table: "grade", from 'bands grade(score)' …
    band_attribute,  // … and "grade_label", another column of the same table
    output,          // an output that the rubric declares
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
  // For a failed example: the edits after which it expects the actual result. Empty where no edit can do that, for
  // example when the record is rejected although the example expects a verdict.
  std::vector<Edit> update;
};

// A key that the rubric does not name.
struct UnknownKey {
  std::string path;     // "scores.clarityy", "parts[2].sevrity"
  Printable message;    // as in the InputError of EvaluatorOptions::strict
  std::string nearest;  // path of the known key that was probably meant; empty: no key is similar enough
  bool absent = false;  // the record has no value at `nearest`, or null
  // The key is almost certainly a misspelling: it differs from a key that the record lacks only in a letter, capitals
  // or separators, and its value has the expected kind. Always false for short names, which are too similar to each
  // other.
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
  // The keys that the value at a path of the verdict has, such as "dimensions.safety"; nothing: it is no record there.
  std::optional<std::vector<std::string>> keys_at(std::string_view path) const;
  std::vector<FieldInfo> each_fields() const;  // the keys that a second pass adds, from the cohort's 'each output's
  std::vector<DimensionInfo> dimensions() const;
  std::vector<ContextInfo> contexts() const;
  std::vector<std::string> names() const;  // all names that an expression may use, for completion
  bool ranked() const;
  bool has_cohort() const;
  bool serial() const;  // verdicts depend on earlier records: the rubric has `history by`
  bool scored() const;  // verdicts have a score: the rubric has a scale, or an output named score
  // A text form of this stage, suitable for comparing versions. Empty if the interrupt is due before the end.
  std::string show(View view, const Interrupt* interrupt = nullptr) const;
  const std::string& scoring_hash() const;  // 16 hex digits over all that decides numbers; prose is not part of it
  // Runs the `example` blocks. Examples that the interrupt cut short count as failed.
  std::vector<ExampleResult> test(const Interrupt* interrupt = nullptr) const;
  // The keys of a record that the rubric does not name, in the record's order: those for which strict reading rejects
  // it. Keys of maps are data and never unknown. Slow: meant for a few records whose author should be told, or for
  // single names that a user sets. Returns at most `most` keys, and none if the text is not a JSON object.
  std::vector<UnknownKey> unknown_keys(std::string_view record, std::size_t most = 100) const;
  // The same for columns whose names are paths ("scores.clarity"), as in a CSV header. Values are not examined.
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

// Diagnostics and relative imports use `name`. Any thread.
Compiled compile(std::string_view name, std::string_view text, const CompileOptions& options = {});

// ---- settings of an evaluation: contexts, and weights as exact decimals

struct Settings {
  std::vector<std::string> contexts;
  std::vector<std::pair<std::string, std::string>> weights;  // name, "0.25" or "25%"
};

// ---- verdicts

enum class InputHandle : std::uint32_t {};  // an input, for Inputs
enum class FieldHandle : std::uint32_t {};  // a field of the verdict

class Verdict {  // belongs to its Evaluator; valid until that evaluator's next call
 public:
  const InputError* error() const;                             // null when the record was scored
  std::optional<double> number(std::string_view field) const;  // as shown (rounded); empty: missing, or not a number
  std::string_view text(std::string_view field) const;         // empty: missing, or not a text
  std::optional<bool> boolean(std::string_view field) const;
  std::string_view json(std::string_view field) const;  // any field as JSON text
  std::string_view json() const;                        // the whole verdict, or {"error": …}; one line, no newline
  std::string_view id() const;                          // digits, if the id is a number
  bool eligible() const;
  // The same by handle (Evaluator::field), without a search by name. number() returns the number that json() shows:
  // rounded by its rule, or to 12 digits where no rule rounds. scaled() returns that number times 10^decimals, or
  // nothing if the product is not an integer or does not fit.
  std::optional<double> number(FieldHandle field) const;
  std::optional<std::int64_t> scaled(FieldHandle field, int decimals) const;
  std::string_view text(FieldHandle field) const;
  std::optional<bool> boolean(FieldHandle field) const;

  struct State;

 private:
  friend class Evaluator;
  State* state_ = nullptr;
};

// A record given value by value instead of as JSON, for hosts that already hold the values in memory. Look the handles
// up once. Each setter checks its value at once, and values stay set until they are set again or reset(). An invalid
// value becomes the error of the next verdict. Text values are views: they must stay valid until the verdict has been
// read. After the first records nothing is allocated.
class Inputs {
 public:
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  // Paths such as "correctness" or "scores.correctness"; records inside lists cannot be reached. Empty: no such input.
  std::optional<InputHandle> find(std::string_view path);
  void set_number(InputHandle input, double value);                       // the shortest decimal that reads back as it
  void set_number(InputHandle input, std::int64_t digits, int decimals);  // 925, 2 is 9.25
  void set_text(InputHandle input, std::string_view text);
  void set_bool(InputHandle input, bool truth);
  void set_texts(InputHandle input, const std::string_view* texts, std::size_t count);  // a list or a set
  void set_missing(InputHandle input);  // as if the record had no such key
  void reset();                         // sets every input to missing

  struct Impl;
  struct Place;

 private:
  friend class Columns;
  friend class Evaluator;
  explicit Inputs(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct Ranking {
  std::vector<std::vector<std::string>> groups;  // ids, best group first; the members of a group are tied
  std::vector<std::string> ineligible;           // in input order
  std::string json() const;
};

struct EvaluatorOptions {
  std::vector<std::string> fields;  // top-level keys of the verdict to compute; empty: all
  Limits limits;
  // How many records a kernel scores before it is compiled to machine code (docs/performance.md); 0: at once. The value
  // never changes a verdict. A host that forbids executable memory sets kNever.
  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t jit_threshold = 1024;
  // true: a key that the rubric does not name, at the top level of a record or in a nested object, is an error of the
  // record with the code "unknown"; false: it is ignored. The same applies to the records of a history, of a ranking
  // and of requests. Keys of maps are data. Columns and Inputs always refuse an unknown name.
  bool strict = false;
  const Interrupt* interrupt = nullptr;  // not owned; null: only the limits end an evaluation
};

struct Statistics {
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  std::uint64_t exact_path = 0;  // records that needed numbers beyond 64 bits
  std::uint64_t steps = 0;       // instructions executed
  std::uint64_t kernel = 0;      // records scored by a kernel, without the VM (docs/performance.md)
  std::uint64_t jit_rows = 0;    // of those, records scored by machine code; the kernel interpreter scored the rest
  std::uint64_t vectors = 0;     // of those, records scored several at a time by vector instructions
  Statistics& operator+=(const Statistics& more);
  Statistics& operator-=(const Statistics& less);
};

class Cohort;        // <assay/cohort.hpp>
class FrozenCohort;  // see <assay/cohort.hpp>

class Evaluator {
 public:
  explicit Evaluator(const Rubric& rubric, EvaluatorOptions options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  // Null, or the error about an unknown field in the options. Check it once after construction.
  const InputError* error() const;

  // Sets the contexts and weights for later calls. After an error the earlier settings stay in force.
  std::optional<InputError> configure(const Settings& settings);

  // Earlier records of the same subject, oldest first, each a JSON object. Every later call of score() uses them.
  void set_history(std::vector<std::string> records);

  // Scores one record, a JSON object. An error concerns that record alone.
  const Verdict& score(std::string_view json);

  // Scores the values set in inputs(). The verdict is written as JSON only when json() is called.
  Inputs& inputs();
  const Verdict& score_inputs();
  std::optional<FieldHandle> field(std::string_view name) const;  // empty: the verdict has no such field

  // Ranks the records, best first, with ties broken as the rubric declares. Every record needs an id. Error paths have
  // the form "inputs[3].correctness".
  std::optional<InputError> rank(const std::vector<std::string_view>& records, Ranking& ranking);
  // The same, but leaves out rejected records: `errors` receives the position and the error of each.
  Ranking rank_valid(const std::vector<std::string_view>& records,
                     std::vector<std::pair<std::size_t, InputError>>& errors);

  // Answers one request of the evaluation protocol (docs/protocol.md) with one JSON text without a newline.
  std::string_view eval(std::string_view request);

  // cohort() returns the outputs of the cohort block over all records scored since start_cohort(), as a JSON object; or
  // {"error": …} if they cannot be computed, and cohort_error() returns that error until the next cohort(). The
  // computation may use Limits::steps for each of these records. `first` is the position of the next record and orders
  // the list of verdicts; Cohort::kUnordered orders it by id instead.
  void start_cohort(std::uint64_t first = 0);
  // Counts a record that could not be read among the cohort's `rejected`.
  void reject(const InputError& error);
  std::string_view cohort();
  Cohort collected() const;  // what start_cohort() began to keep, for merging with other evaluators'
  // Starts a second pass: verdicts now also have the keys of the cohort's 'each output's. A record that was not in the
  // cohort gets the place that it would take. Returns an error if the cohort belongs to another rubric.
  std::optional<InputError> set_cohort(const FrozenCohort& cohort);
  const InputError* cohort_error() const;  // null if the last cohort() succeeded

  // Evaluates any expression over a record. An invalid expression yields diagnostics. A problem with the record or the
  // history is an error only if the expression depends on the inputs concerned.
  struct Evaluated {
    std::string value;  // JSON
    std::string type;
    std::string literal;  // an expression with exactly this value; empty: there is no such expression within 64 KiB
    std::vector<Diagnostic> diagnostics;
    std::optional<InputError> error;
  };
  Evaluated evaluate(std::string_view expression, std::string_view record);

  // Explains every stage of the pipeline in order, in words, and where each number comes from. With `name`: explains
  // that value alone and what it was made of; if there is no such value, the text says so and `unknown` becomes true.
  // Plain text that ends with a newline.
  std::string explain(std::string_view record, std::string_view name = {}, bool* unknown = nullptr);
  // The same, with the steps inside the values, functions and tables that `open` names; "all" opens everything.
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
