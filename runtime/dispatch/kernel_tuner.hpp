// Decides when an evaluator uses a kernel (lang/kernel/kernel.hpp), and learns which: the first records go to the VM
// and show what their numbers look like; then a kernel is made, and made again if it declines too many records.
// Verdicts never depend on its decisions. Belongs to one thread; the kernels are the rubric's (KernelCache), so a
// thread that finds one uses it at once and learns only from the records that do not fit.
//
// It learns the decimals and the magnitude of each number in the records that the VM scored. A kernel is made for
// everything ever seen. If no kernel can be that wide, it is made for the most recent of these records, if necessary
// without the rarest eighth, quarter or half of them; a record is as rare as its rarest number. So a few exceptionally
// large numbers cost only the VM's time for their own records.
#pragma once

#include "lang/kernel/kernel.hpp"
#include "runtime/dispatch/kernel_cache.hpp"

#include <assay/limits.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace assay {

class KernelTuner {
 public:
  static constexpr std::uint64_t kFirst = 16;  // records to examine before a kernel is made

  // A kernel does not count steps, so there is none if fewer steps than this are allowed.
  static constexpr std::uint64_t kSteps = 1'000'000;

  // For these fields of the verdict, with the default weights. `model` and `cache` must outlive the tuner.
  KernelTuner(const Model& model, int rubric, const std::vector<VerdictField>& fields, const Limits& limits,
              KernelCache& cache);

  // The kernel to use for the next record, or null.
  const std::shared_ptr<SharedKernel>& kernel() const { return kernel_; }
  // Later kernels are for these weights (empty: the defaults).
  void set_weights(const std::vector<Number>& weights);
  // Counts the records that the kernel scored.
  void record(std::uint64_t count) {
    records_ += count;
    for (; records_ > kWindow; records_ /= 2) missed_ /= 2;
  }
  // Call it before the VM scores a record because there is no kernel or the kernel declined it.
  void learn(const Value* slots);
  const std::string& why_not() const { return why_; }       // empty: there is a kernel, or it is too early to tell
  std::uint64_t generation() const { return generation_; }  // counts the kernels used

 private:
  static constexpr std::size_t kSample = 64;          // records remembered
  static constexpr std::uint64_t kWindow = 1024;      // records that decide whether the kernel fits
  static constexpr std::uint64_t kLongest = 1 << 16;  // records between two attempts
  using Need = NumberNeed;
  using Needs = NumberNeeds;  // for each of numbers_

  void look(const Value* slots);
  void make();
  void ask_for(const Needs& needs);
  bool compile(const Needs& needs);
  bool adopt();  // takes the kernel that another thread made last; false: none, or none better
  void use(std::shared_ptr<SharedKernel> kernel, const Needs& needs);
  Needs needs_without(std::size_t rarest) const;

  KernelRequest request_;
  std::vector<InputPath> numbers_;  // numeric inputs
  std::vector<Need> sample_;        // of the last records; the oldest is overwritten
  Needs widest_;                    // of all records
  Needs covered_;                   // by the last kernel
  bool news_ = false;               // a record was seen that covered_ does not include
  std::vector<Number> weights_;
  KernelCache* cache_;
  std::string fields_, purpose_;  // of the kernel, for the cache
  std::shared_ptr<SharedKernel> kernel_;
  std::string why_;
  std::uint64_t records_ = 0, missed_ = 0;  // recently: records scored by the kernel, and by the VM in spite of it
  std::uint64_t seen_ = 0;                  // by the VM, in total
  std::uint64_t generation_ = 0;
  std::uint64_t waited_ = 0, wait_ = kFirst;  // records to wait for before making a kernel; doubles each time
  bool hopeless_ = false;                     // no kernel is possible with these weights
  bool never_ = false;                        // no kernel is possible with any weights
};

}  // namespace assay
