// Program + inputs → values. One Vm per thread, reused for every record; after warm-up a run allocates nothing. A run
// ends with results, or with one error: a problem of the record or an exceeded limit.
#pragma once

#include "lang/bytecode/program.hpp"
#include "lang/value/arena.hpp"

#include <assay/interrupt.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// Cached facts about earlier records: their verdicts, and that their rules hold. Both depend only on such a record and
// the weights, so they are computed once and kept for all evaluations that see the record. The owner of the records
// keeps the cache, for a list of records that only grows, and until the weights change.
struct ExecutionContext;

struct KeptVerdicts {
  Arena arena{1024};            // small, because many series are short
  std::vector<Value> verdicts;  // of the first records
  std::size_t checked = 0;      // how many of the first records have passed the rules
  std::size_t bytes = 0;        // size of those verdicts
  std::size_t most = SIZE_MAX;  // bytes: verdicts that do not fit are recomputed in each evaluation …
  bool full = false;            // … and this is true

  void forget() { *this = KeptVerdicts(); }
};

struct VmInputs {
  const Value* slots = nullptr;     // one per slot of the rubric, checked by the reader (fallbacks filled in)
  const Number* weights = nullptr;  // one per weight; null: the defaults
  Value history = missing_value();  // list of input records, oldest first; missing: none
  KeptVerdicts* kept = nullptr;     // for these records; null: nothing is kept
};

struct VmLimits {
  const Interrupt* interrupt = nullptr;         // not owned; null: none
  std::uint64_t steps = 50'000'000;             // instructions and loop rounds of one evaluation
  std::uint32_t depth = 200;                    // nested calls
  std::size_t memory = std::size_t{256} << 20;  // bytes of values of one evaluation
};

struct RunError {
  std::string path;  // path in the record, "components[2].weight"; empty: the record itself
  std::string code;  // "rule", "required", "hook", "limit", "cancelled", "timeout"
  std::string message;
};

// A library function in C++ (runtime/library): takes values like a built-in function, charges its work to the machine
// that runs it, and returns a value of the declared type.
struct ExecutionContext;
using NativeFunction = Value (*)(ExecutionContext& m, const Value* args);

// The VM calls hooks through this interface. Arguments and results are values of the types that the HookModel declares;
// the host checks the result. Not called if an argument is missing: the result is then missing, too. False: `error`.
class HookHost {
 public:
  virtual ~HookHost() = default;
  // Steps for passing the arguments, if the hook has no steps of its own: asked before each call.
  virtual std::uint64_t passing_work(const Model&, int /*hook*/, const Value* /*args*/) { return 0; }
  virtual bool call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) = 0;
  // The function of a hook that a library module declares; null: any other hook, which goes to `call`. The VM runs it
  // itself, between `accepts`, which checks the arguments, and `called`, for explanations.
  virtual NativeFunction native(int /*hook*/) const { return nullptr; }
  virtual bool accepts(const Model&, int /*hook*/, const Value* /*args*/, RunError&) { return true; }
  virtual void called(const Model&, int /*hook*/, const Value* /*args*/, const Value& /*result*/,
                      std::uint64_t /*steps*/) {}
};

// Receives the reports of a traced program in order. Values belong to the arena of the run.
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void begin(const TracePoint& point) = 0;
  virtual void value(const TracePoint& point, const Value& value) = 0;
};

class Vm {
 public:
  Vm();
  ~Vm();
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  // Results point into `arena`, the inputs and the program. True: results[i] is the value of root i. False: `error`.
  bool run(const Program& program, const VmInputs& inputs, Arena& arena, Value* results, RunError& error);

  VmLimits limits;
  HookHost* hooks = nullptr;  // may be null if the program calls none
  Tracer* tracer = nullptr;   // may be null; only a traced program uses it
  // Not null: broken rules do not end a run but are collected here, up to `most_refusals`.
  std::vector<RunError>* refusals = nullptr;
  std::size_t most_refusals = 0;
  std::uint64_t steps() const;  // of the last run

 private:
  void refuse(ExecutionContext& machine, std::string_view path, const char* code, std::string_view message);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
