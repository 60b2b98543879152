// There are few entries, so a linear search suffices.
#include "runtime/dispatch/kernel_cache.hpp"

namespace assay {

std::optional<KernelCache::Entry> KernelCache::last(const std::string& purpose) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) { return entry.purpose == purpose; });
  return found == entries_.rend() ? std::nullopt : std::optional<Entry>(*found);
}

std::shared_ptr<SharedKernel> KernelCache::get(const std::string& purpose, const NumberNeeds& needs,
                                               const std::function<std::shared_ptr<const Kernel>()>& make) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.purpose == purpose && entry.needs == needs; });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().kernel;
  }
  std::shared_ptr<const Kernel> kernel = make();
  if (!kernel) return nullptr;
  if (entries_.size() == kKept) entries_.erase(entries_.begin());
  entries_.push_back({purpose, needs, std::make_shared<SharedKernel>(std::move(kernel))});
  return entries_.back().kernel;
}

}  // namespace assay
