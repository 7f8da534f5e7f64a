//===- WorkersTest.cpp - loops on the threads of a rank -------------------===//

#include "Backend.h"

#include <gtest/gtest.h>

using namespace tprt;
using namespace tprt_test;

namespace {

struct Loop {
  std::vector<std::atomic<int>> visits;
  int64_t n, grain;
  std::atomic<int64_t> calls{0};

  Loop(int64_t n, int64_t grain) : visits(size_t(n)), n(n), grain(grain) {}

  static void body(void *args, int64_t begin, int64_t end) {
    Loop &loop = *static_cast<Loop *>(args);
    ++loop.calls;
    EXPECT_LT(begin, end);
    EXPECT_LE(end, loop.n);
    EXPECT_EQ(begin % loop.grain, 0);
    EXPECT_TRUE(end == loop.n || end % loop.grain == 0);
    for (int64_t i = begin; i < end; ++i)
      ++loop.visits[size_t(i)];
  }
};

void runLoops(int workers, int ranks) {
  RunSpec spec;
  spec.mesh = {ranks};
  spec.options.workers = workers;
  Failure failure = allBackends()[0].run(
      spec,
      [&](tprt_context &ctx) -> tprt_status_t {
        for (int repeat = 0; repeat < 50; ++repeat)
          for (int64_t n : {0, 1, 7, 64, 1000})
            for (int64_t grain : {1, 8}) {
              Loop loop(n, grain);
              if (tprt_status_t status =
                      tprt_parallel_for(&ctx, 0, -1, Loop::body, &loop, n, grain))
                return status;
              for (std::atomic<int> &visits : loop.visits)
                EXPECT_EQ(visits, 1);
              if (workers == 1) {
                EXPECT_EQ(loop.calls, n ? 1 : 0);
              }
            }
        return TPRT_OK;
      },
      1);
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

} // namespace

TEST(Workers, OneWorker) { runLoops(1, 1); }
TEST(Workers, TwoWorkers) { runLoops(2, 1); }
TEST(Workers, MoreWorkersThanProcessors) { runLoops(8, 2); }

TEST(Workers, UnusedWorkersEndToo) {
  Workers workers(4, 1000);
  EXPECT_EQ(workers.count(), 4);
}
