//===- ProcessesTest.cpp - what only processes have -----------------------===//

#include "Backend.h"
#include "Errors.h"
#include "ProcessBackend.h"
#include "processes/ProcessCommunicator.h"

#include <gtest/gtest.h>

using namespace tprt;
using namespace tprt_test;

namespace {

int64_t sentBy(tprt_context &ctx) {
  return static_cast<ProcessCommunicator &>(*ctx.communicator).bytesSent();
}

struct Sizes {
  int64_t ranks, outer, inner;
};

/// Bytes that a rank sends are those that --explain promises: 2(k-1)/k of the
/// buffer for an all-reduce, (k-1)/k of the larger one for the others, all of it
/// for a permutation. `inner` must divide by the ranks.
void expectBytes(const Sizes &sizes) {
  const auto [ranks, outer, inner] = sizes;
  RunSpec spec;
  spec.mesh = {ranks};
  spec.groups = {{wholeAxis(0, ranks)}};
  const int64_t whole = ranks * outer * inner;
  Failure failure = allBackends()[0].run(
      spec,
      [&, ranks = ranks, outer = outer, inner = inner](tprt_context &ctx) -> tprt_status_t {
        std::vector<float> src(static_cast<size_t>(whole)), dst(static_cast<size_t>(whole));
        int64_t before = 0;
        auto check = [&](const char *what, tprt_status_t status, int64_t bytes) {
          EXPECT_EQ(status, TPRT_OK) << what;
          EXPECT_EQ(sentBy(ctx) - before, bytes)
              << what << " of " << outer << " x " << inner << " on " << ranks;
          before = sentBy(ctx);
        };
        check("all_reduce",
              tprt_all_reduce(&ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, src.data(), dst.data(), whole),
              2 * (ranks - 1) * whole * 4 / ranks);
        check("all_gather",
              tprt_all_gather(&ctx, 0, 0, 0, TPRT_F32, src.data(), dst.data(), outer, inner),
              (ranks - 1) * whole * 4 / ranks);
        check("reduce_scatter",
              tprt_reduce_scatter(&ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, src.data(), dst.data(), outer,
                                  inner),
              (ranks - 1) * whole * 4 / ranks);
        check("all_to_all",
              tprt_all_to_all(&ctx, 0, 0, 0, TPRT_F32, src.data(), dst.data(), outer * inner),
              (ranks - 1) * whole * 4 / ranks);
        std::vector<int32_t> ring;
        for (int64_t i = 0; i < ranks; ++i)
          ring.push_back(int32_t((i + 1) % ranks));
        check("permute",
              tprt_permute(&ctx, 0, 0, 0, TPRT_F32, src.data(), dst.data(), whole, ring.data()),
              whole * 4);
        return TPRT_OK;
      },
      1);
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

} // namespace

TEST(Processes, BytesSentAreThoseOfTheExplanation) {
  for (const Sizes &sizes : {Sizes{2, 1, 6}, Sizes{2, 3, 40000}, Sizes{3, 1, 300000},
                             Sizes{3, 5, 900}, Sizes{4, 2, 1000000}, Sizes{4, 700, 64}})
    expectBytes(sizes);
}

/// Nobody asks for it: a process ends with the failure of its rank.
TEST(Processes, DoNotBeginAnew) {
  Program program({{"a", 2}}, {}, {}, {});
  const std::unique_ptr<Team> team = theWorld().join(program);
  EXPECT_EQ(errorOf(3, [&] { team->restart(); }),
            "a rank has failed, and ranks that are processes do not begin anew");
}

TEST(Processes, SmallAllReducesAreOneStep) {
  RunSpec spec;
  spec.mesh = {4};
  spec.groups = {{wholeAxis(0, 4)}};
  Failure failure = allBackends()[0].run(
      spec,
      [](tprt_context &ctx) -> tprt_status_t {
        std::vector<float> data(2048, 1);
        if (tprt_status_t status =
                tprt_all_reduce(&ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, data.data(), data.data(), 2048))
          return status;
        EXPECT_EQ(sentBy(ctx), 3 * 8192);
        return TPRT_OK;
      },
      1);
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

TEST(Processes, MessagesKeepTheirOrderAndBytes) {
  World &world = theWorld();
  std::string large(3000000, 'x');
  large[2999999] = 0;
  const std::vector<std::string> messages = {"", "a", std::string("\0b", 2), large, "last"};
  for (int peer = 0; peer < world.size(); ++peer)
    for (const std::string &message : messages) {
      if (world.rank() == 0 && peer)
        world.send(peer, message + std::to_string(peer));
      if (world.rank() == peer && peer)
        EXPECT_EQ(world.receive(0) == message + std::to_string(peer), true);
    }
}
