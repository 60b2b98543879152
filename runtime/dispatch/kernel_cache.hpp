// The kernels of a rubric, shared by everybody who scores with it: a thread that needs one takes what another thread has
// made for the same fields and weights, with its machine code. Owned by the rubric; any thread may call it.
#pragma once

#include "runtime/dispatch/shared_kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// What a kernel has to hold of a number: so many decimals, and a magnitude (FastPath says which); below 0: nothing is
// known of it.
struct NumberNeed {
  std::int8_t decimals = -1, magnitude = -1;
  void widen(NumberNeed other) {
    decimals = std::max(decimals, other.decimals);
    magnitude = std::max(magnitude, other.magnitude);
  }
  bool operator==(const NumberNeed&) const = default;
};
using NumberNeeds = std::vector<NumberNeed>;  // of each number among the inputs

class KernelCache {
 public:
  struct Entry {
    std::string purpose;  // the fields and the weights that a kernel is for
    NumberNeeds needs;
    std::shared_ptr<SharedKernel> kernel;
  };

  // The kernel that was made or taken last for this purpose.
  std::optional<Entry> last(const std::string& purpose);
  // The kernel for these needs; `make` makes it when there is none, one thread at a time. Null: it cannot be made.
  std::shared_ptr<SharedKernel> get(const std::string& purpose, const NumberNeeds& needs,
                                    const std::function<std::shared_ptr<const Kernel>()>& make);

 private:
  static constexpr std::size_t kKept = 16;  // those asked for last: weights and shapes of data without end may come

  std::mutex mutex_;
  std::vector<Entry> entries_;  // the one asked for last is at the end
};

}  // namespace assay
