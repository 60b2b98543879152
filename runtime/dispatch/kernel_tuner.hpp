// Decides when an evaluator uses a kernel (lang/kernel/kernel.hpp), and learns what kernel to use: the first records go to the
// VM and show what their numbers look like; then a kernel is made, and made again when too many records do not fit.
// Whatever it decides, verdicts are the same. One thread's; kernels are those of the rubric (KernelCache), so that a thread
// which finds one begins with it and learns only where its records do not fit.
//
// What is learned is how many decimals and what magnitude each number of the records had that the VM scored. A kernel
// is made for all that was ever seen. When there is none that wide, it is made for the last of these records, without
// the rarest eighth, quarter or half of them where that is necessary: a record is as rare as the rarest of its numbers.
// So a few numbers beyond all others cost the VM's time for their own records only.
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
  static constexpr std::uint64_t kFirst = 16;  // records that are looked at before a kernel is made

  // A kernel runs without counting steps: where so few are allowed, there is none.
  static constexpr std::uint64_t kSteps = 1'000'000;

  // For these fields of the verdict, with the default weights. `model` and `cache` must outlive it.
  KernelTuner(const Model& model, int rubric, const std::vector<VerdictField>& fields, const Limits& limits,
              KernelCache& cache);

  // The kernel to use for the next record, or null.
  const std::shared_ptr<SharedKernel>& kernel() const { return kernel_; }
  // The kernel is for the weights that are in force from now on (empty: the defaults).
  void set_weights(const std::vector<Number>& weights);
  // Tells how many records the kernel scored.
  void record(std::uint64_t count) {
    records_ += count;
    for (; records_ > kWindow; records_ /= 2) missed_ /= 2;
  }
  // The VM is about to score this record, because there is no kernel or the kernel declined it.
  void learn(const Value* slots);
  const std::string& why_not() const { return why_; }       // empty: there is a kernel, or it is too early to say
  std::uint64_t generation() const { return generation_; }  // counts the kernels that were used

 private:
  static constexpr std::size_t kSample = 64;          // records that are remembered
  static constexpr std::uint64_t kWindow = 1024;      // records that decide whether the kernel fits
  static constexpr std::uint64_t kLongest = 1 << 16;  // records between two attempts to make one
  using Need = NumberNeed;
  using Needs = NumberNeeds;  // of each of numbers_

  void look(const Value* slots);
  void make();
  void ask_for(const Needs& needs);
  bool compile(const Needs& needs);
  bool adopt();  // the kernel that somebody else has made last; false: there is none, or no better one
  void use(std::shared_ptr<SharedKernel> kernel, const Needs& needs);
  Needs needs_without(std::size_t rarest) const;

  KernelRequest request_;
  std::vector<InputPath> numbers_;  // inputs that are numbers
  std::vector<Need> sample_;        // of the last records, one after the other; the oldest is written over
  Needs widest_;                    // of all records
  Needs covered_;                   // by the last kernel
  bool news_ = false;               // there was a record that it does not cover
  std::vector<Number> weights_;
  KernelCache* cache_;
  std::string fields_, purpose_;  // of the kernel, for the cache
  std::shared_ptr<SharedKernel> kernel_;
  std::string why_;
  std::uint64_t records_ = 0, missed_ = 0;  // by the kernel, and by the VM though there is one: lately
  std::uint64_t seen_ = 0;                  // by the VM, in all
  std::uint64_t generation_ = 0;
  std::uint64_t waited_ = 0, wait_ = kFirst;  // records to be seen before a kernel is made, each time twice as many
  bool hopeless_ = false;                     // these weights have no kernel, whatever the numbers
  bool never_ = false;                        // no weights have one
};

}  // namespace assay
