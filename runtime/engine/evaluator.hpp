// The implementation of an Evaluator: one thread's readers, machine, arenas and settings. engine.cpp (one record),
// rank.cpp, requests.cpp, cohort.cpp, explain.cpp each implement a part of the public class.
#pragma once

#include "lang/bytecode/needs.hpp"
#include "runtime/cohort/each_runner.hpp"
#include "runtime/engine/history.hpp"
#include "runtime/engine/input_setters.hpp"
#include "runtime/engine/settings.hpp"
#include "runtime/hooks/hooks.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/output/report.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "runtime/vm/vm.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Whether the options ask for this field of the verdict; the rubric's name and version are fields, too.
bool asks_for(const EvaluatorOptions& options, std::string_view field);

// A program for a set of items, and room for its results.
struct Plan {
  std::shared_ptr<const Program> program;
  std::vector<int> roots;  // items
  std::vector<Value> results;

  int add(int item);  // returns its position among the roots; call before build()
  void build(const std::shared_ptr<const Model>& model, int rubric, bool checks = true, bool traced = false);
};

// The error of an interrupted evaluation.
InputError interrupt_error(Interrupt::State state);

// An id as a text: for a number, its digits. Returns a view of the value, or of `digits`.
std::string_view id_text(const TypeTable& types, TypeId type, const Value& id, std::string& digits);

// {"error":{"path":…,"code":…,"message":…}}
void write_error(const InputError& error, std::string& out);

// "inputs[3]" before "correctness": "inputs[3].correctness".
void put_before(const std::string& prefix, Printable& path);

struct Verdict::State {
  bool failed = false;
  InputError error;
  std::string json;
  std::vector<FieldSpan> spans;
  const Value* values = nullptr;
  const VerdictWriter* writer = nullptr;
  const RubricModel* rubric = nullptr;
  std::string_view id;
  std::string id_digits;  // if the id is a number
  bool eligible = true;
  bool rendered = true;  // json and spans correspond to these values
  VerdictWriter* renderer = nullptr;
  EachRunner* each = nullptr;  // its fields follow those of the writer; null: none
  std::size_t limit = 0;       // bytes of json
  std::string shown;           // text of a number while it is read by handle

  void begin() {
    failed = false;
    rendered = true;
    id = {};
    eligible = true;
  }
  bool render();  // false: the limit was exceeded, and the verdict has failed
  bool ready();   // renders if necessary
  // Finds a field by name: first the writer's, then those of the second pass. -1: none.
  int find(std::string_view field) const;
  std::size_t count() const;
  const VerdictField& field(std::size_t at) const;
  TypeKind kind(std::size_t at) const;
  const Value& value(std::size_t at) const;
};

// While on, all arithmetic of this evaluator uses big rationals, so that tests can compare the two paths. Hosts should
// not use it, because it is only slower.
void forced_big(Evaluator& evaluator, bool on);

// The verdicts of all records since start_cohort(), and the second pass of a frozen cohort.
struct CohortState {
  bool collecting = false;
  std::uint64_t next = 0;  // the position of the next record
  std::unique_ptr<CohortStore> store;
  std::shared_ptr<const FrozenCohort::Impl> frozen;  // after the last outputs …
  std::optional<InputError> error;                   // … or why they could not be computed
  std::unique_ptr<EachRunner> each;                  // null: no second pass
  std::vector<int> roots, keys;                      // positions among the roots of the score plan
  std::vector<Value> own, ranked;                    // of the record just scored

  std::uint64_t take_position() { return next == Cohort::kUnordered ? next : next++; }
};

// Whether a verdict with this status has a place.
inline bool ranked_status(const Value& status) {
  return status.text.view() == "eligible" || status.text.view() == "indeterminate";
}

// An expression that was compiled for evaluate(). Checking one costs as much as checking its rubric, and hosts ask one
// expression about many records.
struct CompiledExpression {
  std::string text;
  std::shared_ptr<const Model> model;
  int item = -1;  // of the main rubric; its value
  Needs needs;
  Plan plan;
  std::vector<Diagnostic> diagnostics;  // warnings
};

// The state of one request.
struct RequestState {
  NumberPool numbers;
  std::vector<Number> weights;
  History history;
};

struct Evaluator::Impl {
  Impl(const Rubric& the_rubric, EvaluatorOptions the_options);

  Rubric owner;  // keeps everything below alive
  const Model& model;
  const RubricModel& rubric;
  EvaluatorOptions options;
  std::optional<InputError> problem;  // with the options

  InputReader reader;
  Vm vm;
  std::unique_ptr<HookRunner> hooks;  // null: the rubric has none
  Arena arena;                        // of the record being scored
  std::vector<Value> slots;
  struct Weights {
    NumberPool numbers;
    std::vector<Number> values;  // empty: the defaults
  };
  Weights weights;
  HistoryStore history;

  struct Plans {
    Plan score, rank;
    Plan rules;       // computes no results, only the rules
    int status = -1;  // position among the roots of `score`
  };
  Plans plans;
  struct Result {
    std::unique_ptr<VerdictWriter> writer;
    Verdict::State state;
    Verdict verdict;
  };
  Result result;
  Statistics statistics;

  std::unique_ptr<Inputs> bound;  // made when asked for
  RunError failure;

  static constexpr std::size_t kMostExpressions = 4;
  std::vector<CompiledExpression> expressions;  // the last ones that evaluate() was asked

  RequestState request;
  CohortState cohort;
  std::string answer;  // the answer to a request, or a cohort's outputs

  // ---- one record (engine.cpp)
  void plan_score();
  bool interrupted(InputError& error) const;  // true: `error` is set
  bool read(std::string_view json, InputError& error) { return reader.read(json, slots.data(), arena, false, error); }
  // Evaluator::score. `padded` as in runtime/input/inputs.hpp.
  void score_next(std::string_view json, bool padded);
  bool run(Plan& plan, const std::vector<Number>& with, const Earlier& earlier, InputError& error);
  bool evaluate_slots(const std::vector<Number>& with, const Earlier& earlier);  // puts the values into the state
  void score_one(std::string_view json, const std::vector<Number>& with, const Earlier& earlier, bool padded = false);
  void score_alone(std::string_view json, const std::vector<Number>& with, const Earlier& earlier, bool padded);
  void fail_verdict();
  // Nothing (and the diagnostics) if the expression cannot be evaluated. Valid until the next call.
  CompiledExpression* compiled_expression(std::string_view text, std::vector<Diagnostic>& diagnostics);
  // ---- further problems of a rejected record (faults.cpp)
  // rejected by the reader
  void tell_unread(InputError& error, std::string_view json);
  // rejected after reading
  void tell_refused(InputError& error, const std::vector<Number>& with, const Earlier& earlier);
  // Adds the record just scored, whose history is `given`, to the history of later ones in its series.
  void add_to_series(const Earlier& given) {
    if (!result.state.failed && given.records.missing()) history.add_to_series(slots.data());
  }

  // ---- many (rank.cpp, cohort.cpp)
  struct Placed {
    std::size_t input = 0;
    std::string id;
    bool eligible = true;
    std::vector<Value> keys;
  };
  bool place(std::size_t i, std::string_view json, const std::vector<Number>& with, Arena& keep, Placed& placed,
             InputError& error);
  Ranking order(std::vector<Placed>& placed);
  std::optional<InputError> rank_all(const std::vector<std::string_view>& records, const std::vector<Number>& with,
                                     Ranking& ranking);
  std::optional<InputError> cannot_rank();
  void plan_cohort();
  void take_cohort_values();
  void collect();
  void reject(const InputError& error);
  bool second_pass() const { return cohort.each != nullptr; }
  bool add_second_pass(InputError& error);
  bool complete(const KeptVerdict& kept, std::string& json, InputError& error);
  std::string id_json(const Value& id) const;
  void use(std::shared_ptr<const FrozenCohort::Impl> frozen);
  bool freeze_cohort();

  // ---- requests (requests.cpp)
  void answer_request(std::string_view request);
  void answer_cohort(const std::vector<std::string_view>& inputs, const std::vector<Number>& with);
  void answer_error(const InputError& error) {
    answer.clear();
    write_error(error, answer);
  }
};

// For later rooms, which need more of an evaluation than its verdict.
struct EvaluatorAccess {
  using Inside = Evaluator::Impl;
  static Inside& of(Evaluator& evaluator) { return *evaluator.impl_; }
};

}  // namespace assay
