// Additional information about a rejected record: its id, and its further problems. Computed only after a record has
// been rejected, so that valid records cost nothing: by reading it again past each fault, or by running only the
// rubric's rules without stopping at the first broken one.
#include "runtime/engine/evaluator.hpp"
#include "runtime/input/inputs.hpp"

namespace assay {

namespace {

constexpr std::size_t kMostOthers = 19;  // besides the first

}  // namespace

void Evaluator::Impl::tell_unread(InputError& error, std::string_view json) {
  if (error.code == "cancelled" || error.code == "timeout" || error.code == "limit") return;
  if (error.code == "syntax") return void(error.id = id_before_fault(json, options.limits.nesting, options.interrupt));
  error.others = reader.others(json, slots.data(), arena, error, kMostOthers);
  if (error.path.str() != "id") error.id = written_id(json);
}

void Evaluator::Impl::tell_refused(InputError& error, const std::vector<Number>& with, const Earlier& earlier) {
  if (!slots[0].missing()) {
    std::string digits;
    const std::string_view id = id_text(model.types, rubric.slots[0].type, slots[0], digits);
    error.id.clear();
    if (model.types.kind(rubric.slots[0].type) == TypeKind::number) error.id = id;
    else write_json_text(id, error.id);
  }
  if (error.code != "rule" && error.code != "required") return;
  if (!plans.rules.program) plans.rules.build(owner.impl().model, owner.impl().index());
  std::vector<RunError> refusals;
  vm.refusals = &refusals;
  vm.most_refusals = kMostOthers + 1;
  InputError ignored;
  Earlier given = earlier;
  given.kept = nullptr;  // nothing is cached for records that were not checked completely
  run(plans.rules, with, given, ignored);
  vm.refusals = nullptr;
  for (std::size_t i = 1; i < refusals.size(); ++i)
    error.others.push_back({refusals[i].path, refusals[i].code, refusals[i].message});
}

}  // namespace assay
