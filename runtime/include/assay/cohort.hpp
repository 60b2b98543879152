// The verdicts of a run as a whole: collected in parts, merged, frozen, and used for a second pass.
//
//   assay::Evaluator first(rubric);                       // one for each part of the records, on any machine
//   first.start_cohort(assay::Cohort::kUnordered);
//   for (…) first.score(record);
//   assay::Cohort part = first.collected();               // part.save() → bytes → Cohort::load(rubric, bytes, error)
//   whole.merge(part);                                    // in any order
//   std::optional<assay::FrozenCohort> frozen = whole.freeze(error);
//   frozen->outputs();                                    // what the cohort block computes, as JSON
//   assay::Evaluator second(rubric);
//   second.set_cohort(*frozen);
//   second.score(record);                                 // with the 'each output's: its place, its percentile …
//
// However the records are divided, scored and merged, save(), outputs() and hash() give the same bytes: verdicts are
// ordered by position, then by id, then by what is kept of them. All parts of a cohort must be scored with the same
// contexts and weights.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class CohortStore;

struct RepeatedId {
  std::string id;         // digits, if the id is a number
  std::size_t count = 0;  // records that have it
};

// The values of a run, ready for a second pass. Immutable: copies are cheap, and many threads may use them at once.
class FrozenCohort {
 public:
  std::string_view outputs() const;  // the outputs of the cohort block, a JSON object
  std::size_t verdicts() const;      // how many verdicts they are computed from
  const std::string& hash() const;   // 16 hex digits: equal for equal cohorts
  // Bytes to use elsewhere with the same rubric: what a second pass needs, which is less than the whole cohort.
  const std::string& save() const;
  // Empty: `error` tells what is wrong with the bytes.
  static std::optional<FrozenCohort> load(const Rubric& rubric, std::string_view bytes, InputError& error);

  struct Impl;
  explicit FrozenCohort(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const { return *impl_; }
  const std::shared_ptr<const Impl>& shared() const { return impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

// What is kept of the records of a run. Belongs to one thread. Memory grows with the records: for each, the values that
// the cohort block uses.
class Cohort {
 public:
  // The position of records without one (Evaluator::start_cohort): they are ordered by id.
  static constexpr std::uint64_t kUnordered = UINT64_MAX;

  explicit Cohort(const Rubric& rubric, Limits limits = {});  // without records
  Cohort(const Cohort&);
  Cohort& operator=(const Cohort&);
  Cohort(Cohort&&) noexcept;
  Cohort& operator=(Cohort&&) noexcept;
  ~Cohort();

  std::size_t verdicts() const;
  std::size_t rejected() const;
  // Ids of more than one record, rejected ones included, sorted; at most `most`.
  std::vector<RepeatedId> repeated_ids(std::size_t most = 20) const;
  // Adds everything that `other` has kept. Returns an error, and adds nothing, if it belongs to another rubric.
  std::optional<InputError> merge(const Cohort& other);
  std::string save() const;
  static std::optional<Cohort> load(const Rubric& rubric, std::string_view bytes, InputError& error,
                                    Limits limits = {});
  // Computes the cohort's values over all that has been added, with Limits::steps for each record. Empty: `error` is
  // set, as by Evaluator::cohort(). Records added later are not included.
  std::optional<FrozenCohort> freeze(InputError& error, const Interrupt* interrupt = nullptr) const;

  explicit Cohort(std::unique_ptr<CohortStore> store);
  CohortStore& store() const { return *store_; }

 private:
  std::unique_ptr<CohortStore> store_;
};

}  // namespace assay
