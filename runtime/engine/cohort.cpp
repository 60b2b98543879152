// The cohort block: what it needs of each verdict is copied as records are scored; its outputs are computed at the end
// by an ordinary program whose only slot is the list of those verdicts.
#include "lang/bytecode/compile.hpp"
#include "runtime/engine/evaluator.hpp"

namespace assay {

void Evaluator::Impl::collect() {
  const auto count = static_cast<std::uint32_t>(cohort_roots.size());
  Value* fields = cohort_arena.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const TypeId type = rubric.items[static_cast<std::size_t>(rubric.verdict_items[i])].type;
    fields[i] =
        deep_copy(model.types, type, score_plan.results[static_cast<std::size_t>(cohort_roots[i])], cohort_arena);
  }
  cohort_records.push_back(make_record(fields, count));
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
  if (!impl.vm.run(*impl.cohort_plan.program, inputs, impl.arena, impl.cohort_plan.results.data(), failure)) {
    impl.answer_error({failure.path, failure.code, failure.message});
  } else if (!impl.cohort_writer->write(impl.cohort_plan.results.data(), impl.answer, spans,
                                        impl.options.limits.output_bytes)) {
    impl.answer_error(
        {"", "limit",
         "the cohort's outputs are longer than " + std::to_string(impl.options.limits.output_bytes) + " bytes"});
  }
  return impl.answer;
}

}  // namespace assay
