//===- WindowTest.cpp - Small collectives in symmetric windows ----------------===//

#include "Errors.h"
#include "TestModule.h"
#include "UseEmulated.h"
#include "core/Context.h"
#include "core/StatsTable.h"
#include "tprt/session.h"

#include <gtest/gtest.h>

using namespace tprt;
using namespace tprt_test;

namespace {

constexpr int64_t kBytes = 4 * sizeof(float);

/// y = the sum of x over ranks, by way of the arena, at `place` bytes of it.
tprt_status_t sumAt(tprt_context_t *ctx, void *const *buffers, int64_t place) {
  void *there = static_cast<char *>(tprt_arena(ctx)) + place;
  if (tprt_status_t status = tprt_copy(ctx, 0, 0, buffers[0], there, kBytes))
    return status;
  if (tprt_status_t status = tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, there, there, 4))
    return status;
  return tprt_copy(ctx, 0, 0, there, buffers[1], kBytes);
}

tprt_status_t sum(tprt_context_t *ctx, void *const *buffers) { return sumAt(ctx, buffers, 256); }

/// What no compiler makes: each rank has it elsewhere.
tprt_status_t sumAnywhere(tprt_context_t *ctx, void *const *buffers) {
  return sumAt(ctx, buffers, 256 * tprt_coordinate(ctx, 0));
}

class Sums {
public:
  explicit Sums(tprt_entry_fn entry = sum, int64_t symmetricBytes = 512, bool stats = false)
      : module({2},
               {{"f",
                 entry,
                 {{"x", "input", "f32", {8}, {{0}}, ""}},
                 {{"y", "", "f32", {4}, {{}}, ""}},
                 8192,
                 symmetricBytes}},
               R"([{"axes": [{"axis": 0}]}])") {
    module.compileForGpus({}, {});
    SessionOptions options;
    options.stats = stats;
    session = std::make_unique<Session>(module.module(), options);
  }

  std::vector<float> run() {
    Array x(TPRT_F32, {8});
    for (int i = 0; i < 8; ++i)
      x.as<float>()[i] = float(i);
    session->setInput(0, 0, x);
    session->call(0);
    const Array y = session->result(0, 0);
    return std::vector<float>(y.as<float>(), y.as<float>() + 4);
  }

  TestModule module;
  std::unique_ptr<Session> session;
};

const std::vector<float> kSum = {4, 6, 8, 10};

} // namespace

TEST(GpuWindows, SmallCollectivesLieInThem) {
  Sums sums(sum, 512, /*stats=*/true);
  for (int i = 0; i < 3; ++i) // also as a graph
    EXPECT_EQ(sums.run(), kSum);
  EXPECT_EQ(sums.session->howSmallCollectives(), "in symmetric windows of 4096 bytes");
  EXPECT_PART(statsTable(*sums.session, {}),
              "\nsmall collectives        done  in symmetric windows of 4096 bytes\n");
}

TEST(GpuWindows, WithoutAnyNothingIsSaid) {
  Sums sums(sum, 0);
  EXPECT_EQ(sums.run(), kSum);
  EXPECT_EQ(sums.session->howSmallCollectives(), "");
}

TEST(GpuWindows, OlderLibrariesDoWithout) {
  setenv("TP_EMULATED_NCCL", "22602", 1);
  Sums sums;
  EXPECT_EQ(sums.run(), kSum);
  EXPECT_EQ(sums.session->howSmallCollectives(),
            "without symmetric windows: NCCL 2.26.2 has none, 2.27.0 has");
}

TEST(GpuWindows, DifferentPlacesAreTold) {
  EXPECT_PART(errorOf(kExitFailed, [] { Sums(sumAnywhere).run(); }),
              "ranks differ in what ncclAllReduce of 4 f32 takes of symmetric windows: bytes 0 to "
              "0 on rank 0, bytes 256 to 256 on rank 1");
}

TEST(GpuWindows, DifferentPlacesInOlderLibraries) {
  setenv("TP_EMULATED_NCCL", "22602", 1);
  EXPECT_EQ(Sums(sumAnywhere).run(), kSum);
}

TEST(GpuWindows, NewOnesBehindAFailure) {
  static int calls;
  calls = 0;
  Sums sums([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    if (tprt_coordinate(ctx, 0) == 1 && ++calls == 2)
      return tprt_check_index(ctx, 0, 5, 0, 5);
    return sum(ctx, buffers);
  });
  EXPECT_EQ(sums.run(), kSum);
  EXPECT_PART(errorOf(kExitFailed, [&] { sums.run(); }), "index 5 is outside [0, 5)");
  sums.session->resetStates();
  EXPECT_EQ(sums.run(), kSum);
  EXPECT_EQ(sums.session->howSmallCollectives(), "in symmetric windows of 4096 bytes");
}
