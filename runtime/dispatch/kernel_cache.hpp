// The kernels of a rubric, shared by all evaluators: a thread that needs a kernel takes the one that another thread
// made for the same fields and weights, with its machine code. Owned by the rubric. Thread-safe.
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

// The decimals and the magnitude of a number that a kernel must represent (see KernelTuner). Negative: unknown.
struct NumberNeed {
  std::int8_t decimals = -1, magnitude = -1;
  void widen(NumberNeed other) {
    decimals = std::max(decimals, other.decimals);
    magnitude = std::max(magnitude, other.magnitude);
  }
  bool operator==(const NumberNeed&) const = default;
};
using NumberNeeds = std::vector<NumberNeed>;  // for each numeric input

class KernelCache {
 public:
  struct Entry {
    std::string purpose;  // the fields and weights of a kernel, as a key
    NumberNeeds needs;
    std::shared_ptr<SharedKernel> kernel;
  };

  // The kernel most recently made or taken for this purpose.
  std::optional<Entry> last(const std::string& purpose);
  // The kernel for these needs; if there is none, `make` makes it, on one thread at a time. Null: it cannot be made.
  std::shared_ptr<SharedKernel> get(const std::string& purpose, const NumberNeeds& needs,
                                    const std::function<std::shared_ptr<const Kernel>()>& make);

 private:
  static constexpr std::size_t kKept = 16;  // the most recently used ones: a host may try any number of weights

  std::mutex mutex_;
  std::vector<Entry> entries_;  // most recently used last
};

}  // namespace assay
