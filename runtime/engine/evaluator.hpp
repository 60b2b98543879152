// The inside of an Evaluator: one thread's readers, machine, arenas and settings. The files engine.cpp (one record),
// rank.cpp, requests.cpp, cohort.cpp, explain.cpp each implement a part of the public class on it.
#pragma once

#include "runtime/engine/bound.hpp"
#include "runtime/engine/settings.hpp"
#include "runtime/hooks/hooks.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/kernel/fast_path.hpp"
#include "runtime/kernel/lane_path.hpp"
#include "runtime/output/report.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "runtime/vm/vm.hpp"

#include <assay/assay.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// A program for a set of items, and room for its results.
struct Plan {
  std::shared_ptr<const Program> program;
  std::vector<int> roots;  // items
  std::vector<Value> results;

  int add(int item);  // its position among the roots; before build()
  void build(const std::shared_ptr<const Model>& model, int rubric, bool checks = true);
};

// The error of an evaluation that is stopped.
InputError interrupt_error(Interrupt::State state);

// An id as a text: a number by its digits. Views of the value, or of `digits`.
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
  std::string id_digits;  // where the id is a number
  bool eligible = true;
  bool rendered = true;  // json and spans are of these values
  VerdictWriter* renderer = nullptr;
  std::size_t limit = 0;  // bytes of json
  std::string shown;      // a number, while it is read by handle

  void begin() {
    failed = false;
    rendered = true;
    id = {};
    eligible = true;
  }
  bool render();  // false: the limit was passed, and the verdict has failed
  bool ready();   // rendered, at last
};

// While on, all arithmetic of this evaluator goes through big rationals: for tests that compare the two ways. Nothing a
// host should do, as it only takes longer.
void forced_big(Evaluator& evaluator, bool on);

// Earlier records as an evaluation sees them, and what is known of them.
struct Earlier {
  Value records = missing_value();  // the list; missing: there is none
  KeptVerdicts* kept = nullptr;
};

// Earlier records of one subject, read and kept.
struct History {
  Arena arena{1024};           // many series are short
  std::vector<Value> records;  // records of the slots, oldest first
  std::optional<InputError> error;
  std::vector<std::string> unread;  // texts whose reading was interrupted: it begins anew with the next record
  KeptVerdicts kept;
  std::uint64_t weights = 0;  // what is kept holds for: see Evaluator::Impl::weights_in_force

  Value value();  // the list, or missing when there is none
  void clear();
};

struct Evaluator::Impl {
  Impl(const Rubric& the_rubric, EvaluatorOptions the_options);

  Rubric owner;  // keeps everything below alive
  const Model& model;
  const RubricModel& rubric;
  EvaluatorOptions options;
  std::optional<InputError> problem;  // of the options

  InputReader reader;
  Vm vm;
  std::unique_ptr<HookRunner> hooks;  // null: the rubric has none
  Arena arena;                        // of the record being scored
  std::vector<Value> slots;
  NumberPool weight_numbers;
  std::vector<Number> weights;         // in force; empty: the defaults
  std::uint64_t weights_in_force = 0;  // counts their changes
  History history;
  std::map<std::string, History> series;  // by the value of the rubric's history slot
  std::size_t kept_bytes = 0;             // of the verdicts of earlier records, of `history` and all series

  Plan score_plan;
  int status = -1;  // position among the roots
  std::unique_ptr<VerdictWriter> writer;
  Verdict::State state;
  Verdict verdict;
  Statistics statistics;

  std::unique_ptr<Inputs> bound;  // made when asked for
  RunError failure;

  // Lines of NDJSON without the VM, where that can be: see runtime/kernel/lane_path.hpp.
  std::optional<FastPath> fast;
  std::unique_ptr<LanePath> lanes;
  std::uint64_t generation = 0;      // of the kernel that `lanes` is made for
  LanePath* lane_path();             // null: there is no kernel, or records depend on more than themselves
  void took(std::uint64_t records);  // so many went through it

  Plan rank_plan;

  // of one request
  NumberPool request_numbers;
  std::vector<Number> request_weights;
  History request_history;
  std::string answer;

  // of the cohort: the verdicts of all records since start_cohort()
  bool collecting = false;
  Plan cohort_plan;
  std::vector<int> cohort_roots;  // positions among the roots of the score plan
  Arena cohort_arena;
  std::vector<Value> cohort_records;
  std::unique_ptr<VerdictWriter> cohort_writer;

  // ---- one record (engine.cpp)
  void plan_score();
  bool interrupted(InputError& error) const;  // true: `error` says so
  bool read(std::string_view json, InputError& error) { return reader.read(json, slots.data(), arena, false, error); }
  // Evaluator::score. `padded` as in runtime/input/inputs.hpp.
  void score_next(std::string_view json, bool padded);
  // The same for a batch: appends the verdict, or {"error": …}, and tells whether it is a verdict. `json` is padded.
  bool score_into(std::string_view json, std::string& out);
  bool run(Plan& plan, const std::vector<Number>& with, const Earlier& earlier, InputError& error);
  bool evaluate_slots(const std::vector<Number>& with, const Earlier& earlier);  // values into the state
  void score_one(std::string_view json, const std::vector<Number>& with, const Earlier& earlier, bool padded = false);
  void fail_verdict();
  // The records of a history and what is kept of them, for the weights in force.
  Earlier seen(History& past);
  Earlier earlier() { return seen(history); }
  // The same, or, when there are none and the rubric says so, those of the series of the record in the slots.
  Earlier or_series(const Earlier& given);
  void account(KeptVerdicts& kept, std::size_t before);
  void add_to_series(const Earlier& given);
  bool read_history(const std::vector<std::string_view>& records, History& into);
  std::string series_key() const;

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
  bool collect();  // false: the verdict has failed

  // ---- requests (requests.cpp)
  void answer_request(std::string_view request);
  void answer_error(const InputError& error) {
    answer.clear();
    write_error(error, answer);
  }
};

}  // namespace assay
