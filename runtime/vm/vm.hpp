// Program + inputs → values. One Vm per thread, reused for record after record; after warm-up a run allocates nothing.
// A run ends with results, or with the one thing that was wrong with the record or went past a limit.
#pragma once

#include "lang/bytecode/program.hpp"
#include "lang/value/arena.hpp"

#include <assay/interrupt.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// What is known of earlier records: verdicts, and that rules hold. Both are matters of such a record and the weights
// alone, so they are found once and kept for all evaluations that see it, by whoever keeps the records: for a list of
// records to which some are only ever added, and until the weights change.
struct ExecutionContext;

struct KeptVerdicts {
  Arena arena{1024};            // many series are short
  std::vector<Value> verdicts;  // of the first records
  std::size_t checked = 0;      // so many of the first records have passed the rules
  std::size_t bytes = 0;        // of those verdicts
  std::size_t most = SIZE_MAX;  // bytes: what does not fit is found anew in each evaluation …
  bool full = false;            // … and this says so

  void forget() { *this = KeptVerdicts(); }
};

struct VmInputs {
  const Value* slots = nullptr;     // one per slot of the rubric, checked by the reader (fallbacks filled in)
  const Number* weights = nullptr;  // one per weight; null: the defaults
  Value history = missing_value();  // list of input records, oldest first; missing: none
  KeptVerdicts* kept = nullptr;     // of these records; null: nothing is kept
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

// A function of the library in C++ (runtime/library): takes values as a built-in function does, pays for its work through the
// machine that runs it, and gives a value of the declared type.
struct ExecutionContext;
using NativeFunction = Value (*)(ExecutionContext& m, const Value* args);

// Calls of hooks leave the VM here. Arguments and results are values of the types that the HookModel declares; the
// host checks the result. Not called when an argument is missing: the result is then missing, too. False: `error`.
class HookHost {
 public:
  virtual ~HookHost() = default;
  // Steps that passing the arguments costs, when the hook has no steps of its own: asked before each call.
  virtual std::uint64_t passing_work(const Model&, int /*hook*/, const Value* /*args*/) { return 0; }
  virtual bool call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) = 0;
  // The function behind a hook that a module of the library declares; null: the hook is another one, and goes to `call`.
  // The VM runs it itself, between `accepts`, which checks the arguments, and `called`, for explanations.
  virtual NativeFunction native(int /*hook*/) const { return nullptr; }
  virtual bool accepts(const Model&, int /*hook*/, const Value* /*args*/, RunError&) { return true; }
  virtual void called(const Model&, int /*hook*/, const Value* /*args*/, const Value& /*result*/,
                      std::uint64_t /*steps*/) {}
};

// Is told what a traced program does, in the order in which it does it. Values belong to the arena of the run.
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
  HookHost* hooks = nullptr;  // may stay null when the program calls none
  Tracer* tracer = nullptr;   // may stay null; of use with a traced program only
  // Not null: rules that are broken do not end a run but are collected here; `most_refusals` of them do.
  std::vector<RunError>* refusals = nullptr;
  std::size_t most_refusals = 0;
  std::uint64_t steps() const;  // of the last run

 private:
  void refuse(ExecutionContext& machine, std::string_view path, const char* code, std::string_view message);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
