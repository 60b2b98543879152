// Decides when an evaluator uses a kernel (lang/kernel.hpp), and learns what kernel to use: the first records go to the
// VM and show what their numbers look like; then a kernel is made, and made again with wider bounds when too many
// records do not fit. Whatever it decides, verdicts are the same.
#pragma once

#include "runtime/lane_machine.hpp"

#include <assay/limits.hpp>

#include <memory>
#include <string>
#include <vector>

namespace assay {

class FastPath {
 public:
  static constexpr std::uint64_t kFirst = 16;  // records that are looked at before a kernel is made

  // A kernel runs without counting steps: where so few are allowed, there is none.
  static constexpr std::uint64_t kSteps = 1'000'000;

  // For these fields of the verdict. `model` must outlive it.
  FastPath(const Model& model, int rubric, const std::vector<VerdictField>& fields, const Limits& limits);

  // The machine to use for the next record, or null.
  LaneMachine* machine() { return machine_.get(); }
  std::shared_ptr<const Kernel> machine_kernel() const { return machine_->shared_kernel(); }
  // Makes the kernel anew at the next occasion: weights have changed (null: the defaults).
  void set_weights(const std::vector<Number>* weights);
  void record(std::uint64_t count) { records_ += count; }  // so many were scored by the kernel
  // The VM is about to score this record, because there is no kernel or it is not for the kernel.
  void learn(const Value* slots);
  const std::string& why_not() const { return why_; }       // empty: there is a kernel, or it is too early to say
  std::uint64_t generation() const { return generation_; }  // counts the kernels made

 private:
  void look(const Value* slots);
  void make();

  KernelRequest request_;
  std::vector<InputPath> numbers_;  // inputs that are numbers
  std::vector<Number> weights_;
  std::unique_ptr<LaneMachine> machine_;
  std::string why_;
  std::uint64_t records_ = 0, missed_ = 0, seen_ = 0;  // since the kernel was made; by the VM in all
  std::uint64_t generation_ = 0;
  std::uint64_t next_ = kFirst;  // seen_ at which a kernel is made next
  bool widened_ = false, hopeless_ = false;
  bool never_ = false;  // whatever the weights
};

}  // namespace assay
