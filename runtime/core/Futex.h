//===- Futex.h - spin shortly, then sleep -----------------------*- C++ -*-===//
//
// Waiting for a 32-bit word to change. A waiter spins for a bounded time, then
// sleeps in the kernel, so that on a busy machine it gives its processor to
// whom it waits for. Sleeps end after a while without a wake-up too: callers
// then look at abort flags.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_FUTEX_H
#define TPRT_CORE_FUTEX_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace tprt {

inline void pauseProcessor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// A word that one thread changes and others wait for.
struct alignas(64) Signal {
  std::atomic<uint32_t> value{0};
  std::atomic<uint32_t> sleepers{0};

  /// Sets the value; everything written before is seen by whoever reads it.
  void set(uint32_t newValue) {
    // Sequentially consistent with the two accesses in `sleep`: either the
    // sleeper is seen here or the new value there.
    value.store(newValue, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst))
      wakeAll();
  }

  uint32_t get() const { return value.load(std::memory_order_acquire); }

  void wakeAll() {
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(&value), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr,
            nullptr, 0);
  }

  /// Sleeps while the value is `old`, for `milliseconds` at most.
  void sleep(uint32_t old, int milliseconds) {
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    if (value.load(std::memory_order_seq_cst) == old) {
      timespec timeout{milliseconds / 1000, (milliseconds % 1000) * 1000000L};
      syscall(SYS_futex, reinterpret_cast<uint32_t *>(&value), FUTEX_WAIT_PRIVATE, old, &timeout,
              nullptr, 0);
    }
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
  }
};

/// How long a thread spins before it sleeps, learnt from its own waits: where
/// they end soon, spinning saves the way through the kernel; where they take
/// longer than any spin, as on a busy machine, it only burns the time of whom it
/// waits for.
class SpinBudget {
public:
  explicit SpinBudget(int64_t maxNanoseconds) : longest(maxNanoseconds), current(maxNanoseconds) {}

  /// Waits until `done()` holds; `sleep()` sleeps once, for a limited time, and
  /// returns false to give up.
  template <typename Predicate, typename Sleep> void wait(Predicate &&done, Sleep &&sleep) {
    if (done())
      return;
    const auto begin = Clock::now();
    int64_t elapsed = 0;
    do {
      for (int i = 0; i < 16; ++i) {
        if (done())
          return grow();
        pauseProcessor();
      }
      elapsed = nanosecondsSince(begin);
    } while (elapsed < current);
    while (!done())
      if (!sleep())
        return;
    if (nanosecondsSince(begin) < longest)
      grow();
    else
      current = std::max(kShortest, current / 2);
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t kShortest = 1000;

  static int64_t nanosecondsSince(Clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  }
  void grow() { current = std::min(longest, current * 2); }

  const int64_t longest;
  int64_t current;
};

} // namespace tprt

#endif // TPRT_CORE_FUTEX_H
