//===- CollectivesBench.cpp - Speed of the thread backend, by hand ---------===//
//
//   tp-bench-collectives RANKS COUNT...
//
// Prints a JSON line for each COUNT: the median time in microseconds of an
// all-reduce of that many floats among RANKS threads, all ranks together, one
// after another as a program does them.
//
//===----------------------------------------------------------------------===//

#include "threads/RankTeam.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tprt;

namespace {

constexpr int kRounds = 41, kWarmUps = 5;

/// Calls per round: long enough that starting a round does not count.
int callsFor(int64_t count) { return int(std::max<int64_t>(2000000 / (count + 2000), 20)); }

double medianMicroseconds(int ranks, int64_t count) {
  Program program({{"tp", ranks}}, {{{0, 1, ranks}}}, {{"all_reduce", "", ""}}, {});
  RankTeam team(program);
  std::vector<std::vector<float>> buffers(ranks, std::vector<float>(count, 0));
  int calls = callsFor(count);
  std::vector<double> times;
  for (int round = 0; round < kRounds + kWarmUps; ++round) {
    auto begin = std::chrono::steady_clock::now();
    team.run([&](tprt_context &context) -> tprt_status_t {
      float *data = buffers[context.rank].data();
      for (int i = 0; i < calls; ++i)
        if (tprt_status_t status = tprt_all_reduce(&context, /*stream=*/0, /*op=*/0, /*group=*/0,
                                                   TPRT_SUM, TPRT_F32, data, data, count))
          return status;
      return TPRT_OK;
    });
    std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    if (round >= kWarmUps)
      times.push_back(spent.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return times[kRounds / 2];
}

} // namespace

int main(int argc, char **argv) {
  int ranks = argc > 2 ? std::atoi(argv[1]) : 0;
  if (ranks < 1) {
    std::fprintf(stderr, "error: usage: tp-bench-collectives RANKS COUNT...\n");
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    int64_t count = std::max(std::atoll(argv[i]), 1ll);
    std::printf("{\"ranks\": %d, \"floats\": %lld, \"us\": %.3f}\n", ranks,
                static_cast<long long>(count), medianMicroseconds(ranks, count));
  }
}
