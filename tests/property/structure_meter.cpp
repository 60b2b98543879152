// See structure_meter.hpp. For glibc, whose own functions are called underneath.
#include "tests/property/structure_meter.hpp"

#include <malloc.h>
#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ASSAY_COUNT_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ASSAY_COUNT_ALLOCATIONS 0
#endif
#endif
#ifndef ASSAY_COUNT_ALLOCATIONS
#ifdef __GLIBC__
#define ASSAY_COUNT_ALLOCATIONS 1
#else
#define ASSAY_COUNT_ALLOCATIONS 0
#endif
#endif

namespace {

std::atomic<std::uint64_t> handed_out{0}, live{0}, peak{0};

#if ASSAY_COUNT_ALLOCATIONS
void* taken(void* memory) {
  if (memory == nullptr) return memory;
  const std::uint64_t size = malloc_usable_size(memory);
  handed_out.fetch_add(size, std::memory_order_relaxed);
  const std::uint64_t now = live.fetch_add(size, std::memory_order_relaxed) + size;
  if (now > peak.load(std::memory_order_relaxed)) peak.store(now, std::memory_order_relaxed);
  return memory;
}
void given_back(void* memory) {
  if (memory != nullptr) live.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
}
#endif

}  // namespace

#if ASSAY_COUNT_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) { return taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size)); }
void* realloc(void* memory, std::size_t size) {
  const std::uint64_t before = memory == nullptr ? 0 : malloc_usable_size(memory);
  void* const result = __libc_realloc(memory, size);
  if (result != nullptr || size == 0) live.fetch_sub(before, std::memory_order_relaxed);
  return taken(result);
}
void* memalign(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = taken(__libc_memalign(alignment, size));
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  given_back(memory);
  __libc_free(memory);
}
}
#endif

namespace assay_tests {

Allocations allocations() {
  return {handed_out.load(std::memory_order_relaxed), live.load(std::memory_order_relaxed),
          peak.load(std::memory_order_relaxed)};
}
void forget_peak() { peak.store(live.load(std::memory_order_relaxed), std::memory_order_relaxed); }
bool allocations_are_counted() { return ASSAY_COUNT_ALLOCATIONS != 0; }

}  // namespace assay_tests
