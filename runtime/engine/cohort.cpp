// The cohort block: what it needs of each verdict is copied as records are scored; its outputs are computed at the end
// by an ordinary program whose only slot is the list of those verdicts.
#include "lang/bytecode/compile.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

#include <algorithm>

namespace assay {

bool Evaluator::Impl::collect() {
  const auto count = static_cast<std::uint32_t>(cohort.roots.size());
  Value* fields = cohort.arena.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const TypeId type = rubric.items[static_cast<std::size_t>(rubric.verdict_items[i])].type;
    const Value& value = score_plan.results[static_cast<std::size_t>(cohort.roots[i])];
    const std::size_t most = options.limits.memory_bytes;
    if (deep_size(model.types, type, value, most) > most) {  // the parts of a value may be shared: its copy is larger
      state.error = {"", "limit",
                     limit_message("what the cohort keeps of the verdict takes", most, "bytes", "memory_bytes")};
      fail_verdict();
      return false;
    }
    fields[i] = deep_copy(model.types, type, value, cohort.arena);
  }
  cohort.records.push_back(make_record(fields, count));
  return true;
}

void Evaluator::start_cohort() {
  Impl& impl = *impl_;
  impl.cohort.records.clear();
  impl.cohort.arena.reset();
  if (impl.rubric.cohort < 0 || impl.cohort.collecting) return;
  impl.cohort.collecting = true;
  impl.plan_score();  // the verdict's fields that the cohort uses become roots, too
  const RubricModel& outputs = impl.model.rubrics[static_cast<std::size_t>(impl.rubric.cohort)];
  for (const VerdictField& field : outputs.verdict) impl.cohort.plan.roots.push_back(field.item);
  impl.cohort.plan.build(impl.owner.impl().model, impl.rubric.cohort);
  impl.cohort.writer =
      std::make_unique<VerdictWriter>(impl.model, impl.rubric.cohort, outputs.verdict, false, false, false);
}

std::string_view Evaluator::cohort() {
  Impl& impl = *impl_;
  if (!impl.cohort.collecting) return "{}";
  impl.arena.reset();
  impl.answer.clear();
  Value records = make_list(impl.cohort.records.data(), static_cast<std::uint32_t>(impl.cohort.records.size()));
  VmInputs inputs;
  inputs.slots = &records;
  RunError failure;
  std::vector<FieldSpan> spans;
  impl.cohort.writer->watch(impl.options.interrupt);
  impl.cohort.error.reset();
  // A statistic over all records takes more steps the more of them there are.
  const std::uint64_t steps = impl.vm.limits.steps;
  const std::uint64_t records_there = std::max<std::uint64_t>(1, impl.cohort.records.size());
  impl.vm.limits.steps = steps > UINT64_MAX / records_there ? UINT64_MAX : steps * records_there;
  const bool ok = impl.vm.run(*impl.cohort.plan.program, inputs, impl.arena, impl.cohort.plan.results.data(), failure);
  impl.vm.limits.steps = steps;
  impl.statistics.steps += impl.vm.steps();
  InputError error;
  if (!ok) {
    error = {failure.path, failure.code, failure.message};
    impl.cohort.error = error;
  } else if (!impl.cohort.writer->write(impl.cohort.plan.results.data(), impl.answer, spans,
                                        impl.options.limits.output_bytes, error)) {
    impl.cohort.error = error;
  }
  if (impl.cohort.error) impl.answer_error(*impl.cohort.error);
  return impl.answer;
}

const InputError* Evaluator::cohort_error() const { return impl_->cohort.error ? &*impl_->cohort.error : nullptr; }

}  // namespace assay
