// The public class Cohort.
#include "runtime/cohort/cohort_store.hpp"
#include "runtime/cohort/frozen.hpp"

namespace assay {

Cohort::Cohort(const Rubric& rubric, Limits limits) : store_(std::make_unique<CohortStore>(rubric, limits)) {}
Cohort::Cohort(std::unique_ptr<CohortStore> store) : store_(std::move(store)) {}
Cohort::Cohort(const Cohort& other) : Cohort(other.store_->owner(), other.store_->limits()) {
  store_->append(*other.store_);
}
Cohort& Cohort::operator=(const Cohort& other) {
  if (this != &other) *this = Cohort(other);
  return *this;
}
Cohort::Cohort(Cohort&&) noexcept = default;
Cohort& Cohort::operator=(Cohort&&) noexcept = default;
Cohort::~Cohort() = default;

std::size_t Cohort::verdicts() const { return store_->verdicts().size(); }
std::size_t Cohort::rejected() const { return store_->rejections().size(); }
std::vector<RepeatedId> Cohort::repeated_ids(std::size_t most) const { return store_->repeated(most); }

std::optional<InputError> Cohort::merge(const Cohort& other) {
  if (&other.store_->model() == &store_->model()) {
    store_->append(*other.store_);
    return std::nullopt;
  }
  // The rubric was compiled a second time: its values refer to another table of types.
  InputError error;
  const std::optional<Cohort> same = load(store_->owner(), other.save(), error, store_->limits());
  if (!same) return error;
  store_->append(*same->store_);
  return std::nullopt;
}

std::string Cohort::save() const {
  std::string bytes;
  store_->save(bytes);
  return bytes;
}

std::optional<Cohort> Cohort::load(const Rubric& rubric, std::string_view bytes, InputError& error, Limits limits) {
  auto store = std::make_unique<CohortStore>(rubric, limits);
  std::string problem;
  if (store->load(bytes, problem)) return Cohort(std::move(store));
  error = {"", "cohort", std::move(problem)};
  return std::nullopt;
}

std::optional<FrozenCohort> Cohort::freeze(InputError& error, const Interrupt* interrupt) const {
  if (store_->rubric().cohort.rubric < 0) {
    error = {"", "cohort", "rubric '" + store_->rubric().name + "' has no cohort block"};
    return std::nullopt;
  }
  CohortRun run;
  run.limits = store_->limits();
  run.interrupt = interrupt;
  std::shared_ptr<FrozenCohort::Impl> frozen = assay::freeze(*store_, run, error);
  if (!frozen || !seal(*frozen, run.limits, error)) return std::nullopt;
  return FrozenCohort(std::move(frozen));
}

}  // namespace assay
