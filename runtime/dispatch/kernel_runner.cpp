// The choice of an engine.
#include "runtime/dispatch/kernel_runner.hpp"

#include <algorithm>

namespace assay {

KernelRunner::KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t jit_threshold)
    : shared_(std::move(kernel)), jit_threshold_(jit_threshold), set_(JitCode::best()), machine_(shared_->kernel()) {
  const Register spare = this->kernel().registers;
  for (const KernelInput& input : this->kernel().inputs) {
    RowLoad load;
    load.kind = RowLoad::Kind::reg;
    load.reg = input.reg == kNoReg ? spare : input.reg;
    load.given = input.given == kNoReg ? spare : input.given;
    loads_.push_back(load);
  }
  for (const KernelResult& result : this->kernel().results) {
    ResultStore store;
    store.kind = ResultStore::Kind::reg;
    store.reg = result.reg;
    store.given = result.given;
    stores_.push_back(store);
  }
  choose();
}

KernelRunner::KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t jit_threshold,
                           std::vector<RowLoad> loads, std::vector<ResultStore> stores, JitCode::Set set)
    : shared_(std::move(kernel)),
      jit_threshold_(jit_threshold),
      set_(set),
      machine_(shared_->kernel()),
      columns_(true),
      loads_(std::move(loads)),
      stores_(std::move(stores)) {
  choose();
}

// Switches to machine code when it is due.
void KernelRunner::choose() {
  if (chosen_ || shared_->rows() < jit_threshold_) return;
  chosen_ = true;
  layout_.emplace(JitRequest{shared_->kernel(), &loads_, &stores_});
  code_of_ = shared_->code(loads_, stores_, *layout_, set_);
  bases_ = layout_->bases().data();
  if (code_of_.row) code_ = code_of_.row->row;
  if (columns_ && code_of_.vectors) vectors_ = code_of_.vectors->block;
}

bool KernelRunner::interpret(std::size_t row) {
  std::int64_t* const registers = machine_.registers();
  const auto loaded = [&](const RowLoad& load) { return load_row(load, row, registers); };
  const bool good = (!columns_ || std::all_of(loads_.begin(), loads_.end(), loaded)) && machine_.run();
  if (good && columns_) {
    for (const ResultStore& store : stores_) store_row(store, row, registers);
  }
  if (!chosen_) {
    shared_->interpreted();
    choose();
  }
  return good;
}

}  // namespace assay
