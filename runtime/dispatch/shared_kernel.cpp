// Makes machine code once for each form.
#include "runtime/dispatch/shared_kernel.hpp"

#include <algorithm>

namespace assay {

SharedKernel::Code SharedKernel::code(const std::vector<RowLoad>& loads, const std::vector<ResultStore>& stores,
                                      const JitLayout& layout, JitCode::Set set) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(made_.begin(), made_.end(), [&](const Made& m) { return m.set == set && m.form == layout.form(); });
  if (found != made_.end()) {
    std::rotate(found, found + 1, made_.end());
    return made_.back().code;
  }
  const JitRequest request{kernel_, &loads, &stores};
  Made made{layout.form(), set, {}};
  made.code.row = JitCode::make_row(request, layout, set);
  if (set != JitCode::Set::baseline) made.code.vectors = JitCode::make_block(request, layout, set);
  if (made_.size() == kForms) made_.erase(made_.begin());
  made_.push_back(std::move(made));
  return made_.back().code;
}

}  // namespace assay
