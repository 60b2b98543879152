// The cohort block: what it needs of each verdict is copied as records are scored; its outputs are computed at the end
// by an ordinary program whose only slot is the list of those verdicts.
#include "lang/bytecode/compile.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

namespace assay {

bool Evaluator::Impl::collect() {
  const auto count = static_cast<std::uint32_t>(cohort_roots.size());
  Value* fields = cohort_arena.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const TypeId type = rubric.items[static_cast<std::size_t>(rubric.verdict_items[i])].type;
    const Value& value = score_plan.results[static_cast<std::size_t>(cohort_roots[i])];
    const std::size_t most = options.limits.memory_bytes;
    if (deep_size(model.types, type, value, most) > most) {  // the parts of a value may be shared: its copy is larger
      state.error = {"", "limit",
                     limit_message("what the cohort keeps of the verdict takes", most, "bytes", "memory_bytes")};
      fail_verdict();
      return false;
    }
    fields[i] = deep_copy(model.types, type, value, cohort_arena);
  }
  cohort_records.push_back(make_record(fields, count));
  return true;
}

void Evaluator::start_cohort() {
  Impl& impl = *impl_;
  impl.cohort_records.clear();
  impl.cohort_arena.reset();
  if (impl.rubric.cohort < 0 || impl.collecting) return;
  impl.collecting = true;
  impl.plan_score();  // the verdict's fields that the cohort uses become roots, too
  const RubricModel& cohort = impl.model.rubrics[static_cast<std::size_t>(impl.rubric.cohort)];
  for (const VerdictField& field : cohort.verdict) impl.cohort_plan.roots.push_back(field.item);
  impl.cohort_plan.build(impl.owner.impl().model, impl.rubric.cohort);
  impl.cohort_writer =
      std::make_unique<VerdictWriter>(impl.model, impl.rubric.cohort, cohort.verdict, false, false, false);
}

std::string_view Evaluator::cohort() {
  Impl& impl = *impl_;
  if (!impl.collecting) return "{}";
  impl.arena.reset();
  impl.answer.clear();
  Value records = make_list(impl.cohort_records.data(), static_cast<std::uint32_t>(impl.cohort_records.size()));
  VmInputs inputs;
  inputs.slots = &records;
  RunError failure;
  std::vector<FieldSpan> spans;
  impl.cohort_writer->watch(impl.options.interrupt);
  if (!impl.vm.run(*impl.cohort_plan.program, inputs, impl.arena, impl.cohort_plan.results.data(), failure)) {
    impl.answer_error({failure.path, failure.code, failure.message});
  } else if (InputError error; !impl.cohort_writer->write(impl.cohort_plan.results.data(), impl.answer, spans,
                                                          impl.options.limits.output_bytes, error)) {
    impl.answer_error(error);
  }
  return impl.answer;
}

}  // namespace assay
