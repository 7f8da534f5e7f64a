//===- BesideTest.cpp - Collectives beside computation -----------------------===//

#include "Errors.h"
#include "SumProgram.h"
#include "UseEmulated.h"

#include <atomic>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tprt_test;
using nlohmann::json;

namespace {

/// s += 2 x, then y = the sum of s over ranks + 6 x; 3 x is computed in the arena while ranks sum.
template <bool waits> tprt_status_t besideStep(tprt_context_t *ctx, void *const *buffers) {
  void *other = tprt_arena(ctx);
  CALL(addTwice(ctx, 0, buffers[0], buffers[1], 4));
  CALL(tprt_all_reduce(ctx, 1, 0, 0, TPRT_SUM, TPRT_F32, buffers[1], buffers[2], 4));
  CALL(tprt_copy(ctx, 0, 0, buffers[0], other, 16));
  CALL(addTwice(ctx, 0, buffers[0], other, 4));
  if (waits)
    CALL(tprt_wait(ctx, 0, 1));
  return addTwice(ctx, 0, other, buffers[2], 4);
}

} // namespace

TEST(GpuBeside, CollectiveBesideComputation) {
  for (bool graphs : {false, true}) {
    SessionOptions options;
    options.graphs = graphs;
    SumProgram program(besideStep<true>, options);
    for (int i = 1; i <= 4; ++i)
      EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i + 6)));
    EXPECT_EQ(program.session.howRun(0), graphs ? "as a graph" : "one by one: --no-graphs");
  }
}

TEST(GpuBeside, CollectiveThatIsNotWaitedFor) {
  SumProgram program(besideStep<false>);
  const std::string error = errorOf(kExitFailed, [&] { program.run(kOnes); });
  EXPECT_PART(error, "failed in op0 at model.mlir:1:1: ");
  EXPECT_PART(error, "ncclAllReduce of 4 f32");
  EXPECT_PART(error, "with nothing that orders the two");
}

TEST(GpuBeside, CollectiveThatAGraphDoesNotWaitFor) {
  // Compiled entries do the same in each call; this one does not.
  static std::atomic<int> bodies;
  bodies = 0;
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return ++bodies > 2 ? besideStep<false>(ctx, buffers) : besideStep<true>(ctx, buffers);
  });
  program.run(kOnes);
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run(kOnes); }),
              "cuStreamEndCapture: CUDA_ERROR_STREAM_CAPTURE_UNJOINED");
}

TEST(GpuBeside, Times) {
  for (bool graphs : {false, true}) {
    SessionOptions options;
    options.stats = options.trace = true;
    options.graphs = graphs;
    SumProgram program(besideStep<true>, options);
    for (int i = 0; i < 3; ++i)
      program.run(kOnes);
    for (const RankActivity &rank : program.session.activity(0).ranks) {
      EXPECT_EQ(rank.collectives, 3);
      EXPECT_EQ(rank.bytesSent, 3 * 16);
      EXPECT_NEAR(rank.copySeconds, 0, 1e-12); // what is exposed is the wait
      EXPECT_GT(rank.waitSeconds, 0);
    }
    // A row of its own has what is beside: it begins before the work that it is beside, which
    // is done before the wait.
    const json trace = json::parse(traceOf(program.session));
    for (int rank : {0, 1}) {
      std::vector<double> sums, work, waits;
      for (const json &event : trace["traceEvents"]) {
        if (event["name"] == "thread_name" && event["tid"] == 2 + rank) {
          EXPECT_EQ(event["args"]["name"], "rank " + std::to_string(rank) + ", communication");
        }
        if (event["ph"] != "X")
          continue;
        if (event["cat"] == "collective" && event["tid"] == 2 + rank)
          sums.push_back(event["ts"]);
        if (event["cat"] == "compute" && event["tid"] == rank)
          work.push_back(event["ts"]);
        if (event["cat"] == "wait" && event["tid"] == rank)
          waits.push_back(event["ts"]);
      }
      ASSERT_EQ(sums.size(), 3u);
      ASSERT_EQ(waits.size(), 3u);
      ASSERT_EQ(work.size(), 12u); // one before, two beside, one behind
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_LE(work[4 * i], sums[i]);
        EXPECT_LE(sums[i], work[4 * i + 1]);
        EXPECT_LE(work[4 * i + 2], waits[i]);
        EXPECT_LE(waits[i], work[4 * i + 3]);
      }
    }
  }
}
