// The data that a cohort keeps: for each verdict, the values that its block uses, the id and the ranking keys; for each
// rejected record, its id and error. Parts are merged by appending. The canonical order, which does not depend on how
// the records were divided (by position, then id, then all kept data), is established on demand.
#pragma once

#include "lang/model/model.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <assay/cohort.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct KeptVerdict {
  std::uint64_t position = 0;
  Value id = missing_value();
  Value fields = missing_value();  // record of the verdict type
  Value* keys = nullptr;           // the ranking keys of the rubric, if an 'each output' needs the place
  bool eligible = true;
};
struct KeptRejection {
  std::uint64_t position = 0;
  Value id = missing_value();
  std::vector<InputFault> faults;  // at least one: all that are known if the cohort reads `rejected`
};

class CohortStore {
 public:
  CohortStore(const Rubric& rubric, const Limits& limits);

  const Rubric& owner() const { return owner_; }
  const Model& model() const { return model_; }
  const RubricModel& rubric() const { return rubric_; }
  const Limits& limits() const { return limits_; }
  TypeId id_type() const { return rubric_.slots[0].type; }
  bool places() const { return rubric_.cohort.places; }
  bool reads_rejected() const;

  // Copies the values. False: `error`, a limit is exceeded.
  bool add(std::uint64_t position, const Value& id, const Value* fields, const Value* keys, bool eligible,
           InputError& error);
  void reject(std::uint64_t position, const InputError& error);
  void append(const CohortStore& other);  // `other` must belong to the same rubric

  // Why the cohort is unusable: it would have exceeded Limits::memory_bytes, and has kept nothing since. Null: it is
  // usable.
  const InputError* full() const { return full_ ? &*full_ : nullptr; }
  const std::vector<KeptVerdict>& verdicts() const { return verdicts_; }
  const std::vector<KeptRejection>& rejections() const { return rejections_; }
  std::vector<RepeatedId> repeated(std::size_t most) const;
  void sort();                                               // establishes the canonical order
  std::vector<std::shared_ptr<const Arena>> arenas() const;  // that hold the values

  void save(std::string& out);  // sorts
  bool load(std::string_view bytes, std::string& problem);

 private:
  Rubric owner_;
  const Model& model_;
  const RubricModel& rubric_;
  Limits limits_;
  std::shared_ptr<Arena> arena_;                      // for values added here
  std::vector<std::shared_ptr<const Arena>> others_;  // for appended values; includes earlier arenas of this store
  std::vector<KeptVerdict> verdicts_;
  std::vector<KeptRejection> rejections_;
  bool room();
  std::size_t fault_bytes_ = 0;  // that the rejections added here keep
  std::optional<InputError> full_;
  bool sorted_ = true;
};

// The kind, at the beginning of saved data, which ends with a hash.
enum class SavedKind : char { cohort = 'c', frozen = 'f' };
std::string saved_head(SavedKind kind, const Rubric::Impl& rubric);
void seal(std::string& bytes);
// The bytes between header and hash, or nothing: `problem` says why.
std::optional<std::string_view> unseal(std::string_view bytes, SavedKind kind, const Rubric::Impl& rubric,
                                       std::string& problem);
std::string hash_digits(std::string_view bytes);  // 16 hex digits

}  // namespace assay
