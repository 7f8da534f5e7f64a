//===- Workers.cpp - the threads of one rank ------------------------------===//

#include "Workers.h"

#include <algorithm>

using namespace tprt;

namespace {
// Sleeping helpers look up this often; a wake-up does not depend on it.
constexpr int kSleepMilliseconds = 200;
// Few enough that the chunk number fits its half of the ticket with room.
constexpr int64_t kMaxChunks = 1 << 20;
} // namespace

Workers::Workers(int count, int64_t spinNanoseconds, const KernelPlace *place)
    : numWorkers(std::max(count, 1)), longestSpin(spinNanoseconds), place(place),
      spin(spinNanoseconds) {}

Workers::~Workers() {
  stopping.store(true);
  begun.set(begun.get() + 1);
  for (std::thread &helper : helpers)
    helper.join();
}

void Workers::start() {
  for (int i = 1; i < numWorkers; ++i)
    helpers.emplace_back([this] { help(); });
}

void Workers::help() {
  currentPlace = place;
  uint32_t seen = 0;
  SpinBudget budget(longestSpin);
  for (;;) {
    budget.wait([&] { return begun.get() != seen; },
                [&] {
                  begun.sleep(seen, kSleepMilliseconds);
                  return true;
                });
    seen = begun.get();
    if (stopping.load())
      return;
    work(seen);
  }
}

void Workers::work(uint32_t generation) {
  for (;;) {
    uint64_t current = ticket.load(std::memory_order_acquire);
    uint32_t chunk = uint32_t(current);
    if (uint32_t(current >> 32) != generation)
      return;
    tprt_kernel_fn fn = function.load(std::memory_order_acquire);
    void *args = arguments.load(std::memory_order_acquire);
    int64_t n = iterations.load(std::memory_order_acquire);
    int64_t size = chunkSize.load(std::memory_order_acquire);
    if (chunk >= numChunks.load(std::memory_order_acquire))
      return;
    if (!ticket.compare_exchange_weak(current, current + 1, std::memory_order_acq_rel))
      continue;
    int64_t begin = int64_t(chunk) * size;
    fn(args, begin, std::min(n, begin + size));
    if (pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
      finished.set(generation);
  }
}

void Workers::run(tprt_kernel_fn fn, void *args, int64_t n, int64_t chunk) {
  if (n <= 0)
    return;
  chunk = std::max({chunk, int64_t(1), (n + kMaxChunks - 1) / kMaxChunks});
  int64_t chunks = (n + chunk - 1) / chunk;
  if (numWorkers == 1 || chunks == 1) {
    for (int64_t begin = 0; begin < n; begin += chunk)
      fn(args, begin, std::min(n, begin + chunk));
    return;
  }
  if (helpers.empty())
    start();
  uint32_t generation = begun.get() + 1;
  // Closes the ticket while the fields change: no helper can take a chunk of
  // the old loop, which is finished, or of the new one, which is not complete:
  // whoever has read a new field (acquire) also sees the ticket closed.
  ticket.store((uint64_t(generation) << 32) | UINT32_MAX, std::memory_order_seq_cst);
  function.store(fn, std::memory_order_release);
  arguments.store(args, std::memory_order_release);
  iterations.store(n, std::memory_order_release);
  chunkSize.store(chunk, std::memory_order_release);
  numChunks.store(uint32_t(chunks), std::memory_order_release);
  pending.store(uint32_t(chunks), std::memory_order_relaxed);
  ticket.store(uint64_t(generation) << 32, std::memory_order_release);
  begun.set(generation);
  work(generation);
  spin.wait([&] { return finished.get() == generation; },
            [&] {
              finished.sleep(generation - 1, kSleepMilliseconds);
              return true;
            });
}
