// Replaces the clock of a program, to see how often it asks whether it should end, and to make it end at any of these
// points. `interrupts.py` loads this library into the command (LD_PRELOAD), which runs with --timeout: each look at the
// deadline asks this clock for the time.
//   ASSAY_LOOKS        the file to write at the end: "looks N", "most BYTES at LOOK", "after BYTES", "slow MS at LOOK"
//   ASSAY_LOOKS_LAST   from this look on, the deadline has passed
//   ASSAY_LOOKS_CANCEL at this look Ctrl-C is pressed; the deadline does not pass
//   ASSAY_LOOKS_STUCK  at this look the deadline passes for good, and the thread never returns from it
//   ASSAY_LOOKS_STACK  writes the stack of this look and of the one before it to standard error (for the hand)
// The work between two looks of a thread is counted in bytes allocated, which is the same in each run; `slow` is the
// processor's time, for the hand. Under callgrind each long stretch is dumped, so that its instructions can be read.
#include <execinfo.h>
#include <sys/time.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

namespace {

// Per thread, constant-initialized: malloc uses it before and after everything else.
thread_local std::uint64_t allocated = 0, allocated_before = 0, time_before = 0;
thread_local bool looked = false;

std::atomic<bool> is_stuck{false};
std::atomic<std::uint64_t> looks{0}, most{0}, most_at{0}, slow{0}, slow_at{0}, after{0};

std::uint64_t number(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}
std::uint64_t last_look() {
  static const std::uint64_t last = number("ASSAY_LOOKS_LAST");
  return last;
}

std::uint64_t time_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

void keep(std::atomic<std::uint64_t>& what, std::atomic<std::uint64_t>& at, std::uint64_t value, std::uint64_t look) {
  if (value <= what.load()) return;
  what = value;
  at = look;
}

// The stretch of this thread since its last look.
void measure(std::uint64_t look) {
  constexpr std::uint64_t kLong = 2'000'000;  // nanoseconds; shorter stretches are not dumped
  const std::uint64_t now = time_of(CLOCK_THREAD_CPUTIME_ID);
  if (looked) {
    keep(most, most_at, allocated - allocated_before, look);
    keep(slow, slow_at, now - time_before, look);
    if (last_look() != 0 && look > last_look()) after += allocated - allocated_before;
    if (RUNNING_ON_VALGRIND && now - time_before > kLong) { CALLGRIND_DUMP_STATS; }
  }
  CALLGRIND_ZERO_STATS;
  looked = true;
  allocated_before = allocated;
  time_before = time_of(CLOCK_THREAD_CPUTIME_ID);
}

void show_stack() {
  constexpr int kDeep = 24;
  void* frames[kDeep];
  std::fputs("look:\n", stderr);
  backtrace_symbols_fd(frames, backtrace(frames, kDeep), 2);
}

void* taken(void* memory, std::size_t size) {
  if (memory != nullptr) allocated += size;
  return memory;
}

__attribute__((destructor)) void report() {
  const char* const name = std::getenv("ASSAY_LOOKS");
  if (name == nullptr) return;
  measure(looks + 1);  // what the first thread did after its last look
  std::FILE* const file = std::fopen(name, "w");
  if (file == nullptr) return;
  const auto n = [](const std::atomic<std::uint64_t>& value) { return static_cast<unsigned long long>(value.load()); };
  std::fprintf(file, "looks %llu\nmost %llu at %llu\nafter %llu\nslow %.3f at %llu\n", n(looks), n(most), n(most_at),
               n(after), static_cast<double>(slow.load()) / 1e6, n(slow_at));
  std::fclose(file);
}

}  // namespace

namespace std::chrono {
inline namespace _V2 {
steady_clock::time_point steady_clock::now() noexcept {
  const std::uint64_t look = ++looks;
  static const std::uint64_t shown = number("ASSAY_LOOKS_STACK");
  if (shown != 0 && (look == shown || look + 1 == shown)) show_stack();
  measure(look);
  std::uint64_t now = time_of(CLOCK_MONOTONIC);
  constexpr std::uint64_t kMuchLater = 1'000'000'000'000'000;
  if (last_look() != 0 && look >= last_look()) now += kMuchLater;
  static const std::uint64_t cancelled = number("ASSAY_LOOKS_CANCEL");
  if (cancelled != 0 && look == cancelled) raise(SIGINT);
  static const std::uint64_t stuck = number("ASSAY_LOOKS_STUCK");
  if (stuck != 0 && look >= stuck) {
    if (!is_stuck.exchange(true)) {  // the alarm of --timeout, which the command has set for much later
      const itimerval soon{{0, 5000}, {0, 1000}};
      setitimer(ITIMER_REAL, &soon, nullptr);
      for (;;) pause();
    }
    now += kMuchLater;
  }
  return time_point(duration(static_cast<duration::rep>(now)));
}
}  // namespace _V2
}  // namespace std::chrono

// All of them, because the command may have an allocator of its own, which would take those that are left out.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) { return taken(__libc_malloc(size), size); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size), count * size); }
void* realloc(void* memory, std::size_t size) { return taken(__libc_realloc(memory, size), size); }
void* reallocarray(void* memory, std::size_t count, std::size_t size) { return realloc(memory, count * size); }
void* memalign(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size), size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) { __libc_free(memory); }
}

namespace {

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(malloc(size)); }
void* operator new[](std::size_t size) { return or_throw(malloc(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return malloc(size); }
void* operator new(std::size_t size, std::align_val_t to) { return or_throw(memalign(std::size_t(to), size)); }
void* operator new[](std::size_t size, std::align_val_t to) { return or_throw(memalign(std::size_t(to), size)); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, std::size_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
