//===- JoinTest.cpp - Ranks that do not come to NCCL's communicators ----------===//

#include "Errors.h"
#include "UseEmulated.h"
#include "cuda/CudaFabric.h"
#include "tprt/error.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace tprt;
using namespace tprt_test;

namespace {

/// A program of two ranks of which rank 0 is to join.
struct Pair {
  explicit Pair(double timeoutSeconds = 0)
      : program({{"a", 2}}, {{{0, 1, 2}}}, {}, withTimeout(timeoutSeconds)),
        fabric(program, tprt_module_t(), Manifest()) {}

  static ProgramOptions withTimeout(double seconds) {
    ProgramOptions options;
    options.timeoutSeconds = seconds;
    return options;
  }

  /// With what the rank's own thread ends, and what is told.
  void expectEnd(const char *message) {
    fabric.device(0).enter();
    try {
      fabric.join(0);
      FAIL() << "it has joined alone";
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), TPRT_ABORTED);
      EXPECT_STREQ(error.what(), "ncclCommInitRankConfig was ended");
    }
    EXPECT_EQ(program.firstFailure().message, message);
  }

  Program program;
  cuda::CudaFabric fabric;
};

} // namespace

TEST(GpuJoin, RankThatDoesNotArriveIsNamed) {
  Pair pair(0.3);
  pair.expectEnd("rank 0 failed: NCCL joins the ranks: rank 1 did not arrive within 0.300000 s");
  EXPECT_EQ(pair.program.firstFailure().status, TPRT_TIMED_OUT);
}

TEST(GpuJoin, RankThatNcclDoesNotBringForward) {
  setenv("TP_EMULATED_STALLED_RANK", "0", 1);
  Pair pair(0.3);
  std::thread other([&] {
    pair.fabric.device(1).enter();
    EXPECT_THROW(pair.fabric.join(1), Error);
  });
  pair.expectEnd("rank 0 failed: NCCL joins the ranks: all ranks have begun it and it did not end "
                 "within 0.300000 s");
  other.join();
}

TEST(GpuJoin, FailureOfAnotherRankEndsIt) {
  Pair pair; // which waits for ever
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    pair.program.fail(1, TPRT_FAILED, -1, "its device is gone");
  });
  pair.expectEnd("rank 1 failed: its device is gone");
  other.join();
}
