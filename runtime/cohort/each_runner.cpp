// One program serves all verdicts; only its first two slots change.
#include "runtime/cohort/each_runner.hpp"

#include "lang/bytecode/compile.hpp"
#include "lang/value/limit_message.hpp"

#include <algorithm>

namespace assay {

namespace {

std::vector<VerdictField> chosen(const Rubric::Impl& impl, const std::vector<std::string>& names) {
  std::vector<VerdictField> fields =
      impl.model->rubrics[static_cast<std::size_t>(impl.rubric().cohort.each)].verdict.fields;
  std::erase_if(fields, [&](const VerdictField& field) {
    return !names.empty() && std::find(names.begin(), names.end(), field.name) == names.end();
  });
  return fields;
}

}  // namespace

EachRunner::EachRunner(const Rubric& rubric, const std::vector<std::string>& fields, const Limits& limits,
                       const Interrupt* interrupt)
    : owner_(rubric),
      index_(owner_.impl().rubric().cohort.each),
      fields_(chosen(owner_.impl(), fields)),
      hooks_(hook_runner(owner_.impl(), limits, interrupt)),
      writer_(*owner_.impl().model, index_, fields_, false, false, false) {
  const RubricModel& each = owner_.impl().model->rubrics[static_cast<std::size_t>(index_)];
  std::vector<int> roots;
  for (const VerdictField& field : fields_) roots.push_back(field.item);
  program_ = compile(owner_.impl().model, index_, roots, true);
  vm_.limits = machine_limits(limits, interrupt);
  vm_.hooks = hooks_.get();
  slots_.assign(each.slots.size(), missing_value());
  results_.assign(roots.size() + 1, missing_value());
  writer_.watch(interrupt);
}

void EachRunner::use(std::shared_ptr<const FrozenCohort::Impl> frozen) {
  frozen_ = std::move(frozen);
  std::copy(frozen_->handed.begin(), frozen_->handed.end(), slots_.begin() + 2);
}

bool EachRunner::run(Value* own, const Value* keys, bool eligible, Arena& arena, InputError& error) {
  const RubricModel& rubric = owner_.impl().rubric();
  slots_[0] = make_record(own, static_cast<std::uint32_t>(rubric.verdict.items.size()));
  const bool placed = rubric.cohort.places && eligible;
  slots_[1] = placed ? make_number(whole(static_cast<std::int64_t>(frozen_->place(keys)))) : missing_value();
  VmInputs inputs;
  inputs.slots = slots_.data();
  if (hooks_) hooks_->begin();
  const bool good = vm_.run(*program_, inputs, arena, results_.data(), failure_);
  if (hooks_) hooks_->end();
  if (!good) error = {std::move(failure_.path), std::move(failure_.code), std::move(failure_.message)};
  return good;
}

bool EachRunner::add_to(std::string& verdict, std::size_t limit, InputError& error, std::vector<FieldSpan>* spans) {
  if (fields_.empty()) return true;
  const std::size_t room = limit - std::min(limit, verdict.size());
  if (!writer_.write(results_.data(), text_, spans_, room, error)) {
    if (error.code == "limit") error.message = limit_message("the verdict takes", limit, "bytes", "output_bytes");
    return false;
  }
  verdict.pop_back();
  if (verdict.size() > 1) verdict += ',';
  for (std::size_t i = 0; spans != nullptr && i < spans_.size(); ++i)
    spans->push_back({verdict.size() + spans_[i].begin - 1, verdict.size() + spans_[i].end - 1});
  verdict.append(text_, 1, std::string::npos);
  return true;
}

}  // namespace assay
