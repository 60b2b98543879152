// Decides when an evaluator uses a kernel (lang/kernel.hpp), and learns what kernel to use: the first records go to the
// VM and show what their numbers look like; then a kernel is made, and made again with wider bounds when too many
// records do not fit. Whatever it decides, verdicts are the same.
#pragma once

#include "runtime/lane_machine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace assay {

class FastPath {
 public:
  static constexpr std::uint64_t kFirst = 16;  // records that are looked at before a kernel is made

  // `roots` with the decimals that they are shown with. `model` must outlive it.
  FastPath(const Model& model, int rubric, std::vector<int> roots, std::vector<int> decimals);

  // The machine to use for the next record, or null.
  LaneMachine* machine() { return machine_.get(); }
  // Makes the kernel anew at the next occasion: weights have changed (null: the defaults).
  void set_weights(const std::vector<Number>* weights);
  void record() { ++records_; }  // one was scored by the kernel
  // The VM is about to score this record, because there is no kernel or it is not for the kernel.
  void learn(const Value* slots);
  const std::string& why_not() const { return why_; }  // empty: there is a kernel, or it is too early to say
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
};

}  // namespace assay
