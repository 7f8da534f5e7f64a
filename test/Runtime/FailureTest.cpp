//===- FailureTest.cpp - ranks that fail, disagree, leave or are slow -----===//

#include "Backend.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace tprt;
using namespace tprt_test;

namespace {

class Failures : public testing::TestWithParam<size_t> {
protected:
  const Backend &backend() const { return allBackends()[GetParam()]; }

  /// `ranks` ranks on one axis with one group of all.
  static RunSpec specFor(int64_t ranks) {
    RunSpec spec;
    spec.mesh = {ranks};
    spec.groups = {{wholeAxis(0, ranks)}};
    spec.operations = {{"all_reduce", "model.mlir:1:1", ""}, {"all_gather", "model.mlir:2:2", ""}};
    return spec;
  }

  Failure run(const RunSpec &spec, const Body &body) {
    auto begin = std::chrono::steady_clock::now();
    Failure failure = backend().run(spec, body, 1);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return failure;
  }

  double seconds = 0;
};

tprt_status_t sum(tprt_context &ctx, int64_t count, int32_t op = 0, int32_t group = 0) {
  const DeviceVector data(ctx, std::vector<float>(size_t(count), 1.0f));
  return tprt_all_reduce(&ctx, 0, op, group, TPRT_SUM, TPRT_F32, data.data(), data.data(), count);
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_MESSAGE(failure, part)                                                              \
  EXPECT_TRUE(contains(failure.message, part)) << failure.message

} // namespace

TEST_P(Failures, RankThatThrowsStopsTheOthers) {
  Failure failure = run(specFor(4), [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank == 2)
      throw std::runtime_error("the disk is on fire");
    return sum(ctx, 10);
  });
  EXPECT_EQ(failure.status, TPRT_INTERNAL);
  EXPECT_MESSAGE(failure, "rank 2 failed: the disk is on fire");
  EXPECT_LT(seconds, 5);
}

TEST_P(Failures, RankThatThrowsAnything) {
  Failure failure = run(specFor(2), [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank == 1)
      throw 42;
    return sum(ctx, 10);
  });
  EXPECT_EQ(failure.status, TPRT_INTERNAL);
  EXPECT_MESSAGE(failure, "rank 1 failed: unknown exception");
}

TEST_P(Failures, RankThatReturnsAStatusStopsTheOthers) {
  Failure failure = run(specFor(3), [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank == 1)
      return TPRT_OUT_OF_MEMORY;
    return sum(ctx, 100000);
  });
  EXPECT_EQ(failure.status, TPRT_OUT_OF_MEMORY);
  EXPECT_MESSAGE(failure, "rank 1 failed: it returned status 8 (out of memory)");
  EXPECT_LT(seconds, 5);
}

TEST_P(Failures, TheLowestRankThatFailedIsReported) {
  Failure failure = run(specFor(4), [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank < 2)
      return sum(ctx, 10);
    if (ctx.rank == 2) // fails as well, but later
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return tprt_check_index(&ctx, 1, 100 + ctx.rank, 0, 4);
  });
  EXPECT_EQ(failure.status, TPRT_OUT_OF_RANGE);
  EXPECT_EQ(failure.message,
            "rank 2 failed in all_gather at model.mlir:2:2: index 102 is outside [0, 4)");
}

TEST_P(Failures, RankThatLeavesIsNamed) {
  Failure failure = run(specFor(2), [](tprt_context &ctx) -> tprt_status_t {
    return ctx.rank == 1 ? tprt_status_t(TPRT_OK) : sum(ctx, 10);
  });
  EXPECT_EQ(failure.status, TPRT_PEER_LOST);
  EXPECT_MESSAGE(failure, "rank 0 failed in all_reduce at model.mlir:1:1");
  EXPECT_MESSAGE(failure, "rank 1 has left the program and will not take part");
  EXPECT_LT(seconds, 5);
}

TEST_P(Failures, SlowRankIsWaitedForWithoutTimeout) {
  Failure failure = run(specFor(2), [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return sum(ctx, 10);
  });
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

TEST_P(Failures, Timeout) {
  RunSpec spec = specFor(2);
  spec.options.timeoutSeconds = 0.2;
  Failure failure = run(spec, [](tprt_context &ctx) -> tprt_status_t {
    if (ctx.rank == 0)
      return sum(ctx, 10);
    while (!ctx.program.aborted())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return TPRT_OK;
  });
  EXPECT_EQ(failure.status, TPRT_TIMED_OUT);
  EXPECT_EQ(failure.message, "rank 0 failed in all_reduce at model.mlir:1:1: rank 1 did not arrive "
                             "within 0.200000 s");
}

TEST_P(Failures, MismatchOfCountNamesTheRankThatDiffers) {
  RunSpec spec = specFor(3);
  spec.options.checkCollectives = true;
  Failure failure = run(spec, [](tprt_context &ctx) { return sum(ctx, ctx.rank == 1 ? 8 : 7); });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);
  EXPECT_MESSAGE(failure,
                 "collectives differ: rank 1 is at collective 0, all_reduce sum of 1 x 8 f32 "
                 "(all_reduce at model.mlir:1:1), rank 0 is at collective 0, "
                 "all_reduce sum of 1 x 7 f32");
}

TEST_P(Failures, MismatchOfKindOperationAndOrder) {
  RunSpec spec = specFor(2);
  spec.options.checkCollectives = true;
  Failure failure = run(spec, [](tprt_context &ctx) {
    std::vector<float> in(8), out(16);
    return ctx.rank ? tprt_all_gather(&ctx, 0, 1, 0, TPRT_F32, in.data(), out.data(), 1, 8)
                    : sum(ctx, 8);
  });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);
  EXPECT_MESSAGE(failure, "rank 1 is at collective 0, all_gather of 1 x 8 f32 (all_gather at "
                          "model.mlir:2:2)");

  // The same call from two places.
  failure = run(spec, [](tprt_context &ctx) { return sum(ctx, 8, ctx.rank); });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);

  // One rank is a collective ahead.
  failure = run(spec, [](tprt_context &ctx) -> tprt_status_t {
    ctx.sequence += ctx.rank;
    return sum(ctx, 8);
  });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);
  EXPECT_MESSAGE(failure, "rank 1 is at collective 1");

  // Different tables of a permutation.
  failure = run(spec, [](tprt_context &ctx) -> tprt_status_t {
    float in = 1, out = 0;
    int32_t sources[2] = {ctx.rank, 0};
    return tprt_permute(&ctx, 0, 0, 0, TPRT_F32, &in, &out, 1, sources);
  });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);
}

TEST_P(Failures, RanksInDifferentGroupsAreACircle) {
  RunSpec spec;
  spec.mesh = {2};
  spec.groups = {{wholeAxis(0, 2)}, {wholeAxis(0, 2)}};
  spec.operations = {{"first", "model.mlir:1:1", ""}, {"second", "model.mlir:2:2", ""}};
  Failure failure = run(spec, [](tprt_context &ctx) { return sum(ctx, 10, ctx.rank, ctx.rank); });
  EXPECT_EQ(failure.status, TPRT_MISMATCH);
  EXPECT_MESSAGE(failure, "ranks wait for each other");
  EXPECT_MESSAGE(failure, "rank 0 in first at model.mlir:1:1 for rank 1");
  EXPECT_MESSAGE(failure, "rank 1 in second at model.mlir:2:2 for rank 0");
  EXPECT_LT(seconds, 5);
}

TEST_P(Failures, InvalidArguments) {
  auto expectInvalid = [&](const char *what, const Body &body) {
    Failure failure = run(specFor(2), body);
    EXPECT_EQ(failure.status, TPRT_INVALID_ARGUMENT) << what << ": " << failure.message;
    EXPECT_MESSAGE(failure, what);
  };
  float data[8] = {};
  int32_t sources[2] = {0, 2};
  expectInvalid("group 3 is not in the manifest",
                [&](tprt_context &ctx) { return sum(ctx, 1, 0, 3); });
  expectInvalid("dtype 77 does not exist", [&](tprt_context &ctx) {
    return tprt_all_gather(&ctx, 0, 0, 0, 77, data, data + 4, 1, 1);
  });
  expectInvalid("reduction 8 (xor) is not defined on f32", [&](tprt_context &ctx) {
    return tprt_all_reduce(&ctx, 0, 0, 0, TPRT_XOR, TPRT_F32, data, data, 1);
  });
  expectInvalid("(maxnum) is not defined on i32", [&](tprt_context &ctx) {
    return tprt_all_reduce(&ctx, 0, 0, 0, TPRT_MAXNUM, TPRT_I32, data, data, 1);
  });
  expectInvalid("negative count", [&](tprt_context &ctx) {
    return tprt_all_to_all(&ctx, 0, 0, 0, TPRT_F32, data, data + 4, -1);
  });
  expectInvalid("permute without a table of sources", [&](tprt_context &ctx) {
    return tprt_permute(&ctx, 0, 0, 0, TPRT_F32, data, data + 4, 1, nullptr);
  });
  expectInvalid("source 2 is not in a group of 2", [&](tprt_context &ctx) {
    return tprt_permute(&ctx, 0, 0, 0, TPRT_F32, data, data + 4, 1, sources);
  });
}

TEST_P(Failures, CheckIndex) {
  Failure failure = run(specFor(1), [](tprt_context &ctx) -> tprt_status_t {
    EXPECT_EQ(tprt_check_index(&ctx, 0, 0, 0, 1), TPRT_OK);
    EXPECT_EQ(tprt_check_index(&ctx, 0, -2, -2, 1), TPRT_OK);
    EXPECT_FALSE(ctx.program.aborted());
    return tprt_check_index(&ctx, 0, 1, 0, 1);
  });
  EXPECT_EQ(failure.status, TPRT_OUT_OF_RANGE);
  EXPECT_MESSAGE(failure, "index 1 is outside [0, 1)");
}

TEST_P(Failures, ManyRanksOnFewProcessorsFinish) {
  Failure failure = run(specFor(8), [](tprt_context &ctx) -> tprt_status_t {
    for (int i = 0; i < 300; ++i)
      if (tprt_status_t status = sum(ctx, i % 2 ? 64 : 20000))
        return status;
    return TPRT_OK;
  });
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
  EXPECT_LT(seconds, 20);
}

TEST_P(Failures, CoordinatesAndArena) {
  RunSpec spec;
  spec.mesh = {2, 3};
  Failure failure = run(spec, [](tprt_context &ctx) -> tprt_status_t {
    EXPECT_EQ(tprt_coordinate(&ctx, 0), ctx.rank / 3);
    EXPECT_EQ(tprt_coordinate(&ctx, 1), ctx.rank % 3);
    int here;
    ctx.arena = &here;
    EXPECT_EQ(tprt_arena(&ctx), &here);
    return TPRT_OK;
  });
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

TEST_P(Failures, CopyAndRead) {
  Failure failure = run(specFor(2), [](tprt_context &ctx) -> tprt_status_t {
    const DeviceVector from(ctx, std::vector<float>{1, 2.0f + float(ctx.rank)});
    const DeviceVector middle(ctx, std::vector<float>(2));
    float to[2];
    if (tprt_status_t status = tprt_copy(&ctx, 0, 0, from.data(), middle.data(), sizeof to))
      return status;
    if (tprt_status_t status = tprt_read(&ctx, 0, middle.data(), to, sizeof to))
      return status;
    EXPECT_EQ(to[1], 2.0f + float(ctx.rank));
    return TPRT_OK;
  });
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

INSTANTIATE_TEST_SUITE_P(, Failures, testing::Range<size_t>(0, allBackends().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return allBackends()[info.param].name;
                         });
