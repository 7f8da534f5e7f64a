//===- Patience.h - sleeping between two looks ------------------*- C++ -*-===//
//
// A transport cannot wake who waits: one looks, sleeps and looks again. A sleep
// is a small part of the time waited so far, so it delays by that part at most,
// and who waits long hardly uses the processor that others need.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_PATIENCE_H
#define TPRT_PROCESSES_PATIENCE_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <time.h>

namespace tprt {

class Patience {
public:
  /// No sleep is longer than `longestNanoseconds`.
  explicit Patience(int64_t longestNanoseconds) : longest(longestNanoseconds) {}

  void sleep() {
    const int64_t part = nanoseconds() / 16;
    const int64_t pause = std::clamp<int64_t>(part, 5000, longest);
    timespec duration{time_t(pause / 1000000000), long(pause % 1000000000)};
    nanosleep(&duration, nullptr);
  }
  double seconds() const { return double(nanoseconds()) * 1e-9; }

private:
  using Clock = std::chrono::steady_clock;
  int64_t nanoseconds() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  }

  const int64_t longest;
  const Clock::time_point begin = Clock::now();
};

} // namespace tprt

#endif // TPRT_PROCESSES_PATIENCE_H
