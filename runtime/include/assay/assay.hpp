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
  void start_cohort();
  std::string_view cohort();
  const InputError* cohort_error() const;  // null: nothing went wrong

  // Any expression over a record, as JSON or as a readable text; diagnostics when the expression is wrong.
  struct Evaluated {
    std::string value;  // JSON
    std::string type;
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

// ---- reading records

enum class Format : std::uint8_t { ndjson, json, csv, tsv };

struct Record {
  std::string_view json;   // one JSON object (a CSV row is written as one); valid until the next call
  std::uint64_t line = 0;  // 1-based line where it begins
};

// Cuts a stream into records. Reads through `read`, which fills a buffer and returns the bytes read (0: end; negative:
// failure). NDJSON: a record a line, blank lines skipped. JSON: one object, or the objects of one array. CSV: a header,
// then a record a row; cells are read by the types of the rubric's inputs, dotted headers reach into objects, cells of
// a list are separated by ';', an empty cell is absent. TSV: the same with tabs between cells. Memory: one record
// (JSON: the file).
class RecordReader {
 public:
  using Read = std::function<long(char* buffer, std::size_t size)>;
  // strict: a column that the rubric does not name is an error of the header, after which nothing is read.
  // interrupt: not owned; when it asks for the end, every call is an error with its code, as long as it does.
  RecordReader(Format format, Read read, const Rubric& rubric, Limits limits = {}, bool strict = false,
               const Interrupt* interrupt = nullptr);
  ~RecordReader();
  RecordReader(RecordReader&&) noexcept;
  enum class Status : std::uint8_t { record, end, error };
  // error: `problem` says what is wrong at record.line, and the next call goes on behind it: with the next line, the
  // next row. What ends nowhere (JSON that is none, a quote never closed) has ended.
  Status next(Record& record, InputError& problem);
  std::vector<std::string> columns() const;  // CSV, TSV: the header, once next() has read it

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ---- writing verdicts

// The JSON text of `json` (a verdict or error object) with `field`s as cells, for tables: numbers as shown, texts bare,
// missing "", lists joined with "; ", objects as JSON.
std::vector<std::string> cells(std::string_view json, const std::vector<std::string>& fields);

// A record with one member replaced or added: --set and the REPL. `value` is JSON, or else taken as a text.
// Dotted paths reach into objects. Empty: the record is no object, a path of over kMostNesting steps, or not UTF-8.
std::optional<std::string> with_member(std::string_view record, std::string_view path, std::string_view value);

// The compact JSON of a value re-indented, for people.
std::string pretty(std::string_view json);

}  // namespace assay

#include <assay/batch.hpp>  // many records at once, on several threads
