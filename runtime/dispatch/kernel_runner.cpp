// The choice of an engine.
#include "runtime/dispatch/kernel_runner.hpp"

#include <algorithm>

namespace assay {

KernelRunner::KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t native_after)
    : shared_(std::move(kernel)), native_after_(native_after), set_(NativeCode::best()), machine_(shared_->kernel()) {
  const Lane spare = this->kernel().lanes;
  for (const Port& port : this->kernel().ports) {
    RowLoad load;
    load.kind = RowLoad::Kind::lane;
    load.lane = port.lane == kNoLane ? spare : port.lane;
    load.given = port.given == kNoLane ? spare : port.given;
    loads_.push_back(load);
  }
  for (const LaneResult& result : this->kernel().results) {
    ResultStore store;
    store.kind = ResultStore::Kind::lane;
    store.lane = result.lane;
    store.given = result.given;
    stores_.push_back(store);
  }
  choose();
}

KernelRunner::KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t native_after, std::vector<RowLoad> loads,
                           std::vector<ResultStore> stores, NativeCode::Set set)
    : shared_(std::move(kernel)),
      native_after_(native_after),
      set_(set),
      machine_(shared_->kernel()),
      columns_(true),
      loads_(std::move(loads)),
      stores_(std::move(stores)) {
  choose();
}

// Machine code, when the time for it has come.
void KernelRunner::choose() {
  if (chosen_ || shared_->rows() < native_after_) return;
  chosen_ = true;
  layout_.emplace(NativeRequest{shared_->kernel(), &loads_, &stores_});
  code_of_ = shared_->code(loads_, stores_, *layout_, set_);
  bases_ = layout_->bases().data();
  if (code_of_.row) code_ = code_of_.row->row;
  if (columns_ && code_of_.vectors) vectors_ = code_of_.vectors->block;
}

bool KernelRunner::interpret(std::size_t row) {
  std::int64_t* const lanes = machine_.lanes();
  const auto loaded = [&](const RowLoad& load) { return load_row(load, row, lanes); };
  const bool good = (!columns_ || std::all_of(loads_.begin(), loads_.end(), loaded)) && machine_.run();
  if (good && columns_) {
    for (const ResultStore& store : stores_) store_row(store, row, lanes);
  }
  if (!chosen_) {
    shared_->interpreted();
    choose();
  }
  return good;
}

}  // namespace assay
