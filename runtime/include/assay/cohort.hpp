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
// However the records are divided, in whatever order they are scored and merged, the bytes of save(), outputs() and hash()
// are the same: verdicts stand by position, then by id, then by what is kept of them. Parts of one cohort have to be scored
// with the same contexts and weights.
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
  std::string id;         // of a number: its digits
  std::size_t count = 0;  // records that have it
};

// The values of a run, ready for the second pass. Immutable: copies are cheap and may be used by many threads at once.
class FrozenCohort {
 public:
  std::string_view outputs() const;  // of the cohort block, a JSON object
  std::size_t verdicts() const;      // over so many
  const std::string& hash() const;   // 16 hex digits: equal for equal cohorts
  // Bytes for elsewhere: what the second pass needs, not all that the cohort kept. To be loaded with the same rubric.
  const std::string& save() const;
  // Empty: `error` says what is wrong with the bytes.
  static std::optional<FrozenCohort> load(const Rubric& rubric, std::string_view bytes, InputError& error);

  struct Impl;
  explicit FrozenCohort(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const { return *impl_; }
  const std::shared_ptr<const Impl>& shared() const { return impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

// What is kept of the records of a run. Belongs to one thread. Memory grows with the records: per record, the values that
// the cohort block uses.
class Cohort {
 public:
  // As the position of records that have none (Evaluator::start_cohort): then they stand by their ids.
  static constexpr std::uint64_t kUnordered = UINT64_MAX;

  explicit Cohort(const Rubric& rubric, Limits limits = {});  // of no records
  Cohort(const Cohort&);
  Cohort& operator=(const Cohort&);
  Cohort(Cohort&&) noexcept;
  Cohort& operator=(Cohort&&) noexcept;
  ~Cohort();

  std::size_t verdicts() const;
  std::size_t rejected() const;
  // Ids of more than one record, refused ones included, in their order; at most so many.
  std::vector<RepeatedId> repeated_ids(std::size_t most = 20) const;
  // Adds all that the other one has kept. An error, and nothing added: it belongs to another rubric.
  std::optional<InputError> merge(const Cohort& other);
  std::string save() const;
  static std::optional<Cohort> load(const Rubric& rubric, std::string_view bytes, InputError& error,
                                    Limits limits = {});
  // Computes the cohort's values over all that has been added; Limits::steps of the cohort, for each record. Empty: an
  // `error`, as of Evaluator::cohort(). What is added later is not in it.
  std::optional<FrozenCohort> freeze(InputError& error, const Interrupt* interrupt = nullptr) const;

  explicit Cohort(std::unique_ptr<CohortStore> store);
  CohortStore& store() const { return *store_; }

 private:
  std::unique_ptr<CohortStore> store_;
};

}  // namespace assay
