// The second pass over one verdict: the 'each output's of its rubric's cohort. Belongs to one thread.
#pragma once

#include "runtime/cohort/frozen.hpp"
#include "runtime/output/report.hpp"

#include <string>
#include <vector>

namespace assay {

class EachRunner {
 public:
  // `fields`: the outputs to compute; empty: all.
  EachRunner(const Rubric& rubric, const std::vector<std::string>& fields, const Limits& limits,
             const Interrupt* interrupt);

  const std::vector<VerdictField>& fields() const { return fields_; }
  int rubric() const { return index_; }  // the rubric that owns the fields' items
  void use(std::shared_ptr<const FrozenCohort::Impl> frozen);
  const FrozenCohort::Impl* frozen() const { return frozen_.get(); }

  // `own`: the kept fields of the verdict; `keys`: its ranking keys. Results are valid until the arena is reset. False:
  // `error`.
  bool run(Value* own, const Value* keys, bool eligible, Arena& arena, InputError& error);
  const Value* results() const { return results_.data(); }
  const std::vector<Value>& slots() const { return slots_; }  // of the last verdict
  const VerdictWriter& writer() const { return writer_; }
  std::uint64_t steps() const { return vm_.steps(); }

  // Adds their JSON to that of the verdict, after its last key; `spans`, unless null, receives their positions. False:
  // `error`.
  bool add_to(std::string& verdict, std::size_t limit, InputError& error, std::vector<FieldSpan>* spans = nullptr);

 private:
  Rubric owner_;
  int index_;
  std::vector<VerdictField> fields_;
  std::shared_ptr<const Program> program_;
  Vm vm_;
  std::unique_ptr<HookRunner> hooks_;
  std::vector<Value> slots_, results_;
  std::shared_ptr<const FrozenCohort::Impl> frozen_;
  VerdictWriter writer_;
  std::vector<FieldSpan> spans_;
  std::string text_;
  RunError failure_;
};

}  // namespace assay
