//===- SessionTest.cpp - splitting, calling, putting together -------------===//

#include "tprt/session.h"
#include "Errors.h"
#include "Reference.h"
#include "TestModule.h"
#include "core/Context.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tprt;
using namespace tprt_test;

namespace {

using Axes = std::vector<std::vector<int>>;

/// Copies argument 0 to result 0; `bytes` is that of the local buffer.
template <int64_t Bytes> tprt_status_t copyEntry(tprt_context_t *, void *const *buffers) {
  std::memcpy(buffers[1], buffers[0], Bytes);
  return TPRT_OK;
}

Array filled(int32_t dtype, std::vector<int64_t> shape) {
  Array array(dtype, std::move(shape));
  const Bytes data = makeOperand(dtype, 1, array.count());
  array.data.assign(data.begin(), data.end());
  return array;
}

/// The largest local buffer of the round trip below.
constexpr int64_t kLocalBytes = 8 * 7 * 6;

tprt_status_t copyWhole(tprt_context_t *ctx, void *const *buffers) {
  // The size depends on the sharding; the test passes it through the arena.
  int64_t bytes;
  std::memcpy(&bytes, tprt_arena(ctx), sizeof(bytes));
  std::memcpy(buffers[1], buffers[0], size_t(bytes));
  return TPRT_OK;
}

tprt_status_t putSize(tprt_context_t *ctx, void *const *buffers) {
  std::memcpy(tprt_arena(ctx), buffers[0], 8);
  return TPRT_OK;
}

/// Sharded input copied to a result of the same sharding.
void roundTrip(const std::vector<int64_t> &mesh, int32_t dtype, const Axes &axes) {
  const std::string name = tprt_dtype_name(dtype);
  const std::vector<int64_t> shape = {7, 6};
  TestModule module(mesh, {{"size", putSize, {{"n", "input", "i64", {}, {}, ""}}, {}, 64},
                           {"copy",
                            copyWhole,
                            {{"x", "input", name, shape, axes, ""}},
                            {{"y", "", name, shape, axes, ""}},
                            64}});
  Session session(module.module());
  const int64_t localBytes = session.manifest().entries[1].arguments[0].localBytes();
  ASSERT_LE(localBytes, kLocalBytes);
  Array size(TPRT_I64, {});
  size.as<int64_t>()[0] = localBytes;
  session.setInput(0, 0, size);
  session.call(0);
  const Array value = filled(dtype, shape);
  session.setInput(1, 0, value);
  session.call(1);
  EXPECT_EQ(session.result(1, 0).data, value.data) << name;
  EXPECT_EQ(session.argument(1, 0).data, value.data) << name;
}

} // namespace

TEST(Session, RoundTripOfEveryTypeAndSharding) {
  for (int32_t dtype = TPRT_F64; dtype <= TPRT_INDEX; ++dtype)
    for (const Axes &axes : {Axes{{}, {}}, Axes{{0}, {}}, Axes{{}, {0}}, Axes{{0}, {1}},
                             Axes{{1, 0}, {}}, Axes{{}, {0, 1}}})
      roundTrip({2, 3}, dtype, axes);
  roundTrip({8}, TPRT_F32, {{0}, {}}); // one empty block
  roundTrip({12}, TPRT_F32, {{0}, {}});
  roundTrip({1}, TPRT_F32, {{0}, {}});
}

TEST(Session, PartialInputsAndResults) {
  // The input is partial: rank 0 gets the value, the others the neutral
  // element; the result is partial in the same way, so nothing may change.
  struct Case {
    const char *dtype;
    const char *kind;
    int32_t type;
  };
  for (const Case &c :
       {Case{"f32", "sum", TPRT_F32}, Case{"f32", "max", TPRT_F32}, Case{"i32", "min", TPRT_I32},
        Case{"i32", "sum", TPRT_I32}, Case{"f32", "mul", TPRT_F32}}) {
    const std::string partial =
        std::string(R"("partial": [{"axis": 1, "kind": ")") + c.kind + "\"}]";
    TestModule module({2, 3}, {{"f",
                                copyEntry<4 * 3>,
                                {{"x", "input", c.dtype, {5}, {{0}}, partial}},
                                {{"y", "", c.dtype, {5}, {{0}}, partial}}}});
    Session session(module.module());
    Array value(c.type, {5});
    for (int i = 0; i < 5; ++i)
      if (c.type == TPRT_F32)
        value.as<float>()[i] = float(i) - 2.5f;
      else
        value.as<int32_t>()[i] = i - 2;
    session.setInput(0, 0, value);
    session.call(0);
    EXPECT_EQ(session.result(0, 0).data, value.data) << c.dtype << " " << c.kind;
  }
}

TEST(Session, PartialResultIsReducedInRankOrder) {
  auto contribute = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    static const float parts[] = {1e8f, 1.0f, -1e8f};
    *static_cast<float *>(buffers[0]) = parts[tprt_coordinate(ctx, 0)];
    return TPRT_OK;
  };
  TestModule module(
      {3}, {{"f",
             contribute,
             {},
             {{"y", "", "f32", {1}, {{}}, R"("partial": [{"axis": 0, "kind": "sum"}])"}}}});
  Session session(module.module());
  session.call(0);
  EXPECT_EQ(session.result(0, 0).as<float>()[0], (1e8f + 1.0f) - 1e8f);
}

TEST(Session, ReplicasThatDifferAreAnError) {
  auto differ = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    float *y = static_cast<float *>(buffers[0]);
    for (int i = 0; i < 6; ++i)
      y[i] = float(i);
    if (tprt_coordinate(ctx, 1) == 2)
      y[4] = -0.5f;
    return TPRT_OK;
  };
  TestModule module({2, 3}, {{"f", differ, {}, {{"y", "", "f32", {4, 3}, {{0}, {}}, ""}}}});
  Session session(module.module());
  session.call(0);
  EXPECT_EQ(errorOf(kExitDiffers, [&] { session.result(0, 0); }),
            "result 0 of 'f': replicas differ at index [1, 1]: rank 0 has 4, rank 2 has -0.5");
}

TEST(Session, PaddingMayDiffer) {
  auto fill = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    // 3 over 2: blocks of 2 and 1; the last element of rank 1 is padding.
    float *y = static_cast<float *>(buffers[0]);
    y[0] = y[1] = float(tprt_coordinate(ctx, 0));
    return TPRT_OK;
  };
  TestModule module({2}, {{"f", fill, {}, {{"y", "", "f32", {3}, {{0}}, ""}}}});
  SessionOptions options;
  options.poison = true;
  options.checkFinite = true;
  Session session(module.module(), options);
  session.call(0);
  const Array y = session.result(0, 0);
  EXPECT_EQ(std::vector<float>(y.as<float>(), y.as<float>() + 3), (std::vector<float>{0, 0, 1}));
}

TEST(Session, StateIsKeptSharedAndReset) {
  auto add = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    int64_t *state = static_cast<int64_t *>(buffers[0]);
    state[0] += *static_cast<const int64_t *>(buffers[1]) + tprt_coordinate(ctx, 0);
    EXPECT_EQ(buffers[2], nullptr);
    return TPRT_OK;
  };
  auto look = [](tprt_context_t *, void *const *buffers) -> tprt_status_t {
    std::memcpy(buffers[1], buffers[0], 8);
    return TPRT_OK;
  };
  const TestValue state = {"s", "state", "i64", {2}, {{0}}, ""};
  TestModule module({2}, {{"add",
                           add,
                           {state, {"x", "input", "i64", {}, {}, ""}},
                           {{"new", "", "i64", {2}, {{0}}, R"("state": 0)"}}},
                          {"look", look, {state}, {{"y", "", "i64", {2}, {{0}}, ""}}}});
  Session session(module.module());
  Array x(TPRT_I64, {});
  x.as<int64_t>()[0] = 10;
  session.setInput(0, 1, x);
  session.call(0);
  session.call(0);
  session.call(1);
  for (const Array &seen : {session.result(0, 0), session.result(1, 0), session.argument(0, 0)}) {
    EXPECT_EQ(seen.as<int64_t>()[0], 20);
    EXPECT_EQ(seen.as<int64_t>()[1], 22);
  }
  session.resetStates();
  EXPECT_EQ(session.argument(1, 0).as<int64_t>()[0], 0);
}

TEST(Session, PoisonFillsArenaAndResults) {
  auto look = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    const float *arena = static_cast<const float *>(tprt_arena(ctx));
    int32_t *seen = static_cast<int32_t *>(buffers[0]);
    seen[0] = std::isnan(arena[0]) && std::isnan(arena[31]) && seen[0] == int32_t(0xa5a5a5a5) &&
              std::isnan(*static_cast<const float *>(buffers[1]));
    std::memset(tprt_arena(ctx), 0, 128);
    return TPRT_OK;
  };
  TestModule module(
      {2}, {{"f", look, {}, {{"y", "", "i32", {}, {}, ""}, {"z", "", "f32", {}, {}, ""}}, 128}});
  SessionOptions options;
  options.poison = true;
  Session session(module.module(), options);
  for (int i = 0; i < 2; ++i) {
    session.call(0);
    EXPECT_EQ(session.result(0, 0).as<int32_t>()[0], 1);
  }
}

TEST(Session, CheckFinite) {
  auto fill = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    float *y = static_cast<float *>(buffers[0]);
    y[0] = y[1] = 1;
    if (tprt_coordinate(ctx, 0) == 1)
      y[1] = INFINITY;
    return TPRT_OK;
  };
  TestModule module({2}, {{"f", fill, {}, {{"y", "", "f32", {4}, {{0}}, ""}}}});
  SessionOptions options;
  options.checkFinite = true;
  Session session(module.module(), options);
  EXPECT_EQ(errorOf(kExitFailed, [&] { session.call(0); }),
            "rank 1 failed: result 0 of 'f' is inf at index [3]");
}

TEST(Session, FailureOfARankIsOneError) {
  auto check = [](tprt_context_t *ctx, void *const *) -> tprt_status_t {
    if (tprt_coordinate(ctx, 0) != 0)
      return tprt_check_index(ctx, 0, 8, 0, 8);
    float data = 1;
    return tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, &data, &data, 1);
  };
  TestModule module({2}, {{"f", check, {}, {}}}, R"([{"axes": [{"axis": 0}]}])");
  Session session(module.module());
  EXPECT_EQ(errorOf(kExitFailed, [&] { session.call(0); }),
            "rank 1 failed in op0 at model.mlir:1:1: index 8 is outside [0, 8)");
  EXPECT_PART(errorOf(kExitFailed, [&] { session.call(0); }), "a call after a failed one");
}

TEST(Session, InputsAreChecked) {
  TestModule module({2}, {{"f",
                           copyEntry<8>,
                           {{"weights", "input", "f32", {2, 2}, {{0}, {}}, ""},
                            {"s", "state", "f32", {2}, {{}}, ""}},
                           {}}});
  Session session(module.module());
  EXPECT_EQ(session.findArgument(0, "weights"), 0);
  EXPECT_EQ(session.findArgument(0, "1"), 1);
  EXPECT_PART(errorOf(kExitBadInput, [&] { session.findArgument(0, "weihgts"); }),
              "entry 'f' has no argument 'weihgts' (it has 2)");
  EXPECT_PART(errorOf(kExitBadInput, [&] { session.findArgument(0, "2"); }), "'2' (it has 2)");
  EXPECT_EQ(
      errorOf(kExitBadInput, [&] { session.setInput(0, 0, Array(TPRT_F32, {2, 3}), "in.npy"); }),
      "in.npy: expected shape [2, 2], found [2, 3]");
  EXPECT_PART(errorOf(kExitBadInput, [&] { session.setInput(0, 0, Array(TPRT_I32, {2, 2})); }),
              "expected elements of type f32, found i32");
  EXPECT_PART(errorOf(kExitBadInput, [&] { session.setInput(0, 1, Array(TPRT_F32, {2})); }),
              "is a state, not an input");
}

TEST(Session, BlocksMustHoldTheValue) {
  auto nothing = [](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; };
  // The last of equal keys counts.
  TestModule module(
      {2},
      {{"f", nothing, {}, {{"y", "", "f32", {4}, {{0}}, R"("blocks": [[[0, 2]], [[0, 1]]])"}}}});
  Session session(module.module());
  session.call(0);
  EXPECT_PART(errorOf(kExitFailed, [&] { session.result(0, 0); }),
              "the blocks of the manifest hold 3 elements, the value has 4");
}

TEST(Session, ArenaLargerThanMemory) {
  TestModule module({1}, {{"f", copyEntry<4>, {}, {}, int64_t(1) << 50}});
  EXPECT_PART(errorOf(kExitFailed, [&] { Session session(module.module()); }),
              "cannot allocate 1125899906842624 bytes for the arena of rank 0");
}

TEST(Session, ModulesAreChecked) {
  TestModule module({1}, {{"f", copyEntry<4>, {}, {}}});
  tprt_module_t other = module.module();
  other.abi_version = 77;
  EXPECT_PART(errorOf(kExitBadInput, [&] { Session session(other); }),
              "the module has ABI version 77, this runtime has ");
  other = module.module();
  other.num_entries = 0;
  EXPECT_PART(errorOf(kExitBadInput, [&] { Session session(other); }),
              "manifest: entry 'f' is not in the module");
}

TEST(Session, KernelOfAGpu) {
  auto launch = [](tprt_context_t *ctx, void *const *) -> tprt_status_t {
    return tprt_launch(ctx, 0, 0, 0, 1, 32, 0, nullptr, 0);
  };
  TestModule module({1}, {{"f", launch, {}, {}}});
  Session session(module.module());
  EXPECT_PART(errorOf(kExitFailed, [&] { session.call(0); }),
              "rank 0 failed in op0 at model.mlir:1:1: a kernel of a GPU, and the program was "
              "compiled for CPUs");
}

TEST(Session, MemoryIsAccounted) {
  TestModule module(
      {2}, {{"f",
             copyEntry<4>,
             {{"w", "parameter", "f32", {5, 3}, {{0}, {}}, ""},
              {"s", "state", "f64", {4}, {{}}, ""},
              {"x", "input", "i8", {10}, {{0}}, ""}},
             {{"y", "", "f32", {2}, {{}}, ""}},
             1000},
            {"g", copyEntry<4>, {{"w", "parameter", "f32", {5, 3}, {{0}, {}}, ""}}, {}, 5000}});
  Session session(module.module());
  const MemoryUse memory = session.memory();
  EXPECT_EQ(memory.weights, 3 * 3 * 4); // once, padded
  EXPECT_EQ(memory.state, 32);
  EXPECT_EQ(memory.arena, 5000);
  EXPECT_EQ(memory.workspace, 5 + 8); // no group talks
  EXPECT_EQ(memory.peak(), 36 + 32 + 5000 + 13);
  EXPECT_EQ(threadCommunicationBytes(session.manifest()), 0);
}

TEST(Session, BuffersAreAligned) {
  auto check = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    for (const void *pointer : {buffers[0], buffers[1], buffers[2], tprt_arena(ctx)})
      EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 64, 0u);
    return TPRT_OK;
  };
  TestModule module({2}, {{"f",
                           check,
                           {{"w", "parameter", "f32", {3}, {{}}, ""},
                            {"big", "state", "f32", {600000}, {{}}, ""}},
                           {{"y", "", "i8", {1}, {{}}, ""}}}});
  Session session(module.module());
  session.call(0);
}

TEST(Session, ManyCallsInARow) {
  auto sum = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_I64, buffers[0], buffers[1], 3);
  };
  TestModule module(
      {4},
      {{"f", sum, {{"x", "input", "i64", {12}, {{0}}, ""}}, {{"y", "", "i64", {3}, {{}}, ""}}}},
      R"([{"axes": [{"axis": 0}]}])");
  SessionOptions options;
  options.checkCollectives = true;
  options.jitterSeed = 3;
  Session session(module.module(), options);
  for (int64_t step = 0; step < 100; ++step) {
    Array x(TPRT_I64, {12});
    for (int64_t i = 0; i < 12; ++i)
      x.as<int64_t>()[i] = i * step;
    session.setInput(0, 0, x);
    session.call(0);
    const Array y = session.result(0, 0);
    for (int64_t i = 0; i < 3; ++i)
      EXPECT_EQ(y.as<int64_t>()[i], (4 * i + 18) * step);
  }
}
