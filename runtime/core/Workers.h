//===- Workers.h - the threads of one rank ----------------------*- C++ -*-===//
//
// Runs loops in chunks on a rank's own thread and its helpers. Chunks are
// handed out on demand: a helper that the machine has not scheduled costs
// nothing but its help. With one worker a loop is a plain call.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_WORKERS_H
#define TPRT_CORE_WORKERS_H

#include "Faults.h"
#include "Futex.h"
#include "tprt/tprt.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tprt {

class Workers {
public:
  /// `count` threads in all, the calling one included. Helpers start with the
  /// first loop that can use them; they say that they work for `place`.
  Workers(int count, int64_t spinNanoseconds, const KernelPlace *place = nullptr);
  ~Workers();
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;

  int count() const { return numWorkers; }

  /// Calls fn(args, begin, end) for consecutive pieces of [0, n) of `chunk`
  /// iterations (the last may be shorter), and returns when all are done.
  /// Called by the owning rank's thread only.
  void run(tprt_kernel_fn fn, void *args, int64_t n, int64_t chunk);

private:
  void start();
  void help();
  /// Takes and runs chunks of loop `generation` until there are none.
  void work(uint32_t generation);

  const int numWorkers;
  const int64_t longestSpin;
  const KernelPlace *const place;
  SpinBudget spin; ///< of the owning thread
  std::vector<std::thread> helpers;

  // A loop is published by its fields, then `ticket`, then `begun`. The high
  // half of the ticket is the loop's generation, the low half its next chunk;
  // a chunk is taken by advancing the ticket, which fails when the loop is no
  // longer the one whose fields were read.
  alignas(64) std::atomic<uint64_t> ticket{0};
  std::atomic<tprt_kernel_fn> function{nullptr};
  std::atomic<void *> arguments{nullptr};
  std::atomic<int64_t> iterations{0};
  std::atomic<int64_t> chunkSize{1};
  std::atomic<uint32_t> numChunks{0};
  alignas(64) std::atomic<uint32_t> pending{0}; ///< chunks not finished
  Signal begun;                                 ///< generation of the newest loop
  Signal finished;                              ///< generation of the last finished loop
  std::atomic<bool> stopping{false};
};

} // namespace tprt

#endif // TPRT_CORE_WORKERS_H
