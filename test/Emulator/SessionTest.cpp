//===- SessionTest.cpp - Sessions on emulated GPUs ---------------------------===//
//
// Programs written by hand with kernels of Kernels.cu. A fault is for ever: each test needs
// a process of its own, which ctest gives it.
//
//===----------------------------------------------------------------------===//

#include "tprt/session.h"
#include "Checkpoints.h"
#include "Errors.h"
#include "SumProgram.h"
#include "TempDir.h"
#include "UseEmulated.h"
#include "core/Context.h"
#include "core/World.h"
#include "cuda/Driver.h"
#include "cuda/Nccl.h"
#include "cuda/Processors.h"
#include "tprt/error.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <sstream>
#include <thread>

using namespace tprt;
using namespace tprt_test;

namespace {

/// Each rank's times after so many collectives of 16 bytes sent.
void expectTimes(const Session &session, int64_t collectives) {
  for (const RankActivity &rank : session.activity(0).ranks) {
    EXPECT_EQ(rank.collectives, collectives);
    EXPECT_EQ(rank.bytesSent, collectives * 16);
    EXPECT_GT(rank.copySeconds, 0);
    EXPECT_LT(rank.copySeconds, rank.seconds);
  }
}

size_t kernelsIn(const std::string &trace) {
  size_t kernels = 0;
  for (size_t at = 0; (at = trace.find("model.mlir:1:1.kernel", at)) != std::string::npos; ++at)
    ++kernels;
  return kernels;
}

} // namespace

TEST(GpuSession, KernelsCollectivesAndStates) {
  SessionOptions options;
  options.checkCollectives = true;
  SumProgram program(sumStep, options);
  const std::vector<float> x = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(program.run(x), (std::vector<float>{8, 12, 16, 20}));
  EXPECT_EQ(program.run(x), (std::vector<float>{16, 24, 32, 40}));
  EXPECT_EQ(floatsOf(program.session.stored("s")),
            (std::vector<float>{0, 4, 8, 12, 16, 20, 24, 28}));
  program.session.setStored("s", floats({1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(program.run(x), (std::vector<float>{10, 14, 18, 22}));
  program.session.resetStates();
  EXPECT_EQ(program.run(x), (std::vector<float>{8, 12, 16, 20}));
}

TEST(GpuSession, FailureOfARankAndANewBeginning) {
  SumProgram program;
  EXPECT_EQ(errorOf(kExitFailed, [&] { program.run({38.5, 0, 0, 0, 0, 0, 0, 0}); }),
            "rank 1 failed in op0 at model.mlir:1:1: index 78 is outside [0, 78)");
  EXPECT_TRUE(program.session.failed());
  program.session.resetStates();
  EXPECT_EQ(program.run({1, 1, 1, 1, 1, 1, 1, 1}), (std::vector<float>{4, 4, 4, 4}));
}

//===----------------------------------------------------------------------===//
// Steps that do not wait: checks that are told behind them, graphs
//===----------------------------------------------------------------------===//

namespace {

/// As sumStep, but that it checks x[0] on the device and reads nothing.
tprt_status_t checkedStep(tprt_context_t *ctx, void *const *buffers) {
  const void *status = tprt_status(ctx);
  const int64_t upper = 9;
  char slots[3][8];
  std::memcpy(slots[0], &status, sizeof status);
  std::memcpy(slots[1], &buffers[0], sizeof buffers[0]);
  std::memcpy(slots[2], &upper, sizeof upper);
  CALL(tprt_launch(ctx, 0, 0, check, 1, 1, 0, slots, 3));
  CALL(addTwice(ctx, 0, buffers[0], buffers[1], 4));
  return tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, buffers[1], buffers[2], 4);
}

} // namespace

TEST(GpuSession, ChecksOfTheDeviceFailBehindTheStep) {
  for (bool graphs : {false, true}) {
    SessionOptions options;
    options.graphs = graphs;
    SumProgram program(checkedStep, options);
    for (int i = 1; i <= 3; ++i)
      EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
    // Of two ranks that fail, the lower one; the higher one's failure is forgotten too.
    EXPECT_EQ(errorOf(kExitFailed, [&] { program.run({-3, 0, 0, 0, -5, 0, 0, 0}); }),
              "rank 0 failed in op0 at model.mlir:1:1: index -3 is outside [0, 9)");
    program.session.resetStates();
    for (int i = 1; i <= 3; ++i)
      EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
    EXPECT_EQ(errorOf(kExitFailed, [&] { program.run({0, 0, 0, 0, -5, 0, 0, 0}); }),
              "rank 1 failed in op0 at model.mlir:1:1: index -5 is outside [0, 9)");
  }
}

TEST(GpuSession, GraphFromTheSecondCallOn) {
  static std::atomic<int> bodies;
  bodies = 0;
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) {
    ++bodies;
    return checkedStep(ctx, buffers);
  });
  EXPECT_EQ(program.session.howRun(0), "one by one: the first call");
  for (int i = 1; i <= 5; ++i)
    EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
  EXPECT_EQ(program.session.howRun(0), "as a graph");
  EXPECT_EQ(bodies, 2 * 2); // on two ranks
  // States may be set and reset between launches.
  program.session.setStored("s", floats(kOnes));
  EXPECT_EQ(program.run(kOnes), std::vector<float>(4, 6));
  program.session.resetStates();
  EXPECT_EQ(program.run(kOnes), std::vector<float>(4, 4));
  EXPECT_EQ(bodies, 2 * 2);
}

TEST(GpuSession, WithoutGraphs) {
  SessionOptions options;
  options.graphs = false;
  SumProgram program(checkedStep, options);
  for (int i = 1; i <= 3; ++i)
    EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
  EXPECT_EQ(program.session.howRun(0), "one by one: --no-graphs");
}

/// How often the host has waited in the entry on each rank.
std::vector<int64_t> hostWaits(const Session &session) {
  std::vector<int64_t> waits;
  for (const RankActivity &rank : session.activity(0).ranks)
    waits.push_back(rank.hostWaits);
  return waits;
}

TEST(GpuSession, EntriesThatReadAreNoGraphs) {
  SessionOptions options;
  options.stats = true;
  SumProgram program(sumStep, options);
  for (int i = 1; i <= 3; ++i)
    EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
  EXPECT_EQ(program.session.howRun(0),
            "one by one: the entry reads what the device computes, and decides by that");
  EXPECT_EQ(hostWaits(program.session), std::vector<int64_t>(2, 3));
}

TEST(GpuSession, ReadsWhileCaptured) {
  // Compiled entries do the same in each call; this one does not.
  static std::atomic<int> bodies;
  bodies = 0;
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    CALL(checkedStep(ctx, buffers));
    float first;
    return ++bodies > 2 ? tprt_read(ctx, 0, buffers[2], &first, sizeof first) : TPRT_OK;
  });
  program.run(kOnes);
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run(kOnes); }),
              "cuStreamSynchronize: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
}

TEST(GpuSession, TimesOfGraphs) {
  SessionOptions options;
  options.stats = options.trace = true;
  SumProgram program(checkedStep, options);
  for (int i = 0; i < 4; ++i)
    program.run(kOnes);
  expectTimes(program.session, 4);
  const std::string trace = traceOf(program.session);
  EXPECT_EQ(kernelsIn(trace), 4u * 2 * 2) << trace; // two of a call, on each rank
  EXPECT_EQ(hostWaits(program.session), std::vector<int64_t>(2, 0));
}

TEST(GpuSession, Products) {
  // y [2, 2] += w [2, 3] * x [3, 2].
  auto multiply = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    for (int32_t accumulate : {0, 1})
      CALL(tprt_gemm(ctx, 0, 0, TPRT_F32, TPRT_F32, TPRT_F32, 0, 0, 2, 2, 3, buffers[0], 3, 0,
                     buffers[1], 2, 0, buffers[2], 2, 0, 1, accumulate));
    return TPRT_OK;
  };
  TestModule module({1},
                    {{"f",
                      multiply,
                      {{"w", "input", "f32", {6}, {{}}, ""}, {"x", "input", "f32", {6}, {{}}, ""}},
                      {{"y", "", "f32", {4}, {{}}, ""}}}});
  Session session(onGpus(module).module());
  session.setInput(0, 0, floats({1, 2, 3, 4, 5, 6}));
  session.setInput(0, 1, floats({1, 0, 0, 1, 1, 1}));
  session.call(0);
  EXPECT_EQ(floatsOf(session.result(0, 0)), (std::vector<float>{8, 10, 20, 22}));
}

TEST(GpuSession, MemoryIsWhatIsAccounted) {
  auto multiply = [](tprt_context_t *ctx, void *const *buffers) {
    return tprt_gemm(ctx, 0, 0, TPRT_F32, TPRT_F32, TPRT_F32, 0, 0, 2, 2, 3, buffers[0], 3, 0,
                     buffers[1], 2, 0, buffers[2], 2, 0, 1, 0);
  };
  TestModule module({1},
                    {{"f",
                      multiply,
                      {{"w", "input", "f32", {6}, {{}}, ""}, {"x", "input", "f32", {6}, {{}}, ""}},
                      {{"y", "", "f32", {4}, {{}}, ""}},
                      512}},
                    "[]", R"("products": [{"dtype": "f32", "result_dtype": "f32", "m": 2, "n": 2,
                      "k": 3, "batch": 1, "trans_a": false, "trans_b": false, "lda": 3, "ldb": 2,
                      "ldc": 2, "ldd": 2, "c": false, "stride_a": 0, "stride_b": 0, "stride_c": 0,
                      "stride_d": 0}])");
  Session session(onGpus(module).module());
  session.call(0);
  const MemoryUse memory = session.memory();
  EXPECT_EQ(memory.workspace, (6 + 6 + 4) * 4 + (int64_t(32) << 20));
  EXPECT_EQ(memory.peak(), memory.workspace + 512);
  size_t free = 0, total = 0;
  const cuda::Driver &driver = cuda::Driver::get();
  driver.check(driver.memGetInfo(&free, &total), "cuMemGetInfo");
  // Beside it are the status words and an empty buffer for large values, and each takes 256
  // bytes at least.
  EXPECT_GE(int64_t(total - free), memory.peak());
  EXPECT_LE(int64_t(total - free), memory.peak() + 5 * 256);
}

TEST(GpuSession, BuffersAreAlignedTo256Bytes) {
  // Small ones, and large ones that are parts of one allocation.
  const int64_t large = (1 << 18) + 1;
  auto look = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    for (const void *buffer : {buffers[0], buffers[1], buffers[2], buffers[3], tprt_arena(ctx)})
      if (reinterpret_cast<uintptr_t>(buffer) % 256)
        return ctx->fail(TPRT_INTERNAL, -1, "not aligned");
    return TPRT_OK;
  };
  TestModule module({1}, {{"f",
                           look,
                           {{"x", "input", "f32", {3}, {{}}, ""},
                            {"a", "state", "f32", {large}, {{}}, ""},
                            {"b", "state", "f32", {large}, {{}}, ""}},
                           {{"y", "", "f32", {1}, {{}}, ""}},
                           64}});
  Session session(onGpus(module).module());
  session.call(0);
}

TEST(GpuSession, ProductOfTwoTypes) {
  auto multiply = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return tprt_gemm(ctx, 0, 0, TPRT_F32, TPRT_BF16, TPRT_F32, 0, 0, 1, 1, 1, buffers[0], 1, 0,
                     buffers[0], 1, 0, buffers[1], 1, 0, 1, 0);
  };
  TestModule module(
      {1},
      {{"f", multiply, {{"x", "input", "f32", {1}, {{}}, ""}}, {{"y", "", "f32", {1}, {{}}, ""}}}});
  Session session(onGpus(module).module());
  EXPECT_PART(errorOf(kExitFailed, [&] { session.call(0); }),
              "a GPU multiplies matrices of one type, found f32 and bf16");
}

TEST(GpuSession, TimesOfTheDevice) {
  SessionOptions options;
  options.stats = options.trace = true;
  SumProgram program(sumStep, options);
  for (int i = 0; i < 2; ++i)
    program.run({0, 1, 2, 3, 4, 5, 6, 7});
  expectTimes(program.session, 2);
  const std::string trace = traceOf(program.session);
  EXPECT_EQ(kernelsIn(trace), 4u) << trace; // a call's, on each rank
  EXPECT_PART(trace, "model.mlir:1:1.all_reduce");
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

TEST(GpuSession, ParametersAreThoseOfTheHost) {
  // Pieces of rows, of a row's parts, and what is read as a whole; padded and not.
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("rows", TPRT_F32, {4500, 1024}),
                                                  makeTensor("row", TPRT_BF16, {1, 2, 3000001}),
                                                  makeTensor("odd", TPRT_F32, {7, 5}),
                                                  makeTensor("turned", TPRT_F32, {30, 3})}));
  auto nothing = [](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; };
  const std::vector<TestValue> parameters = {
      {"rows", "parameter", "f32", {4500, 1024}, {{0}, {}}, ""},
      {"row",
       "parameter",
       "f32",
       {1, 2, 3000001},
       {{}, {}, {0}},
       R"("source": {"tensor": "row", "shape": [1, 2, 3000001], "dtype": "bf16"})"},
      {"odd", "parameter", "f32", {7, 5}, {{0}, {}}, ""},
      {"turned",
       "parameter",
       "f32",
       {90},
       {{0}},
       R"("source": {"tensor": "turned", "shape": [30, 3], "permutation": [1, 0]})"}};
  TestModule host({2}, {{"f", nothing, parameters, {}}});
  TestModule device({2}, {{"f", nothing, parameters, {}}});
  onGpus(device);
  SessionOptions options;
  for (bool random : {false, true}) {
    options.weights = random ? std::nullopt : std::optional(dir.path());
    Session there(host.module(), options), here(device.module(), options);
    for (const TestValue &parameter : parameters)
      EXPECT_TRUE(here.stored(parameter.name).data == there.stored(parameter.name).data)
          << parameter.name << random;
  }
}

//===----------------------------------------------------------------------===//
// What is wrong with values and programs
//===----------------------------------------------------------------------===//

TEST(GpuSession, ResultsThatAreNotFinite) {
  SessionOptions options;
  options.checkFinite = true;
  SumProgram program(sumStep, options);
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run({0, 1, INFINITY, 3, 4, 5, 6, 7}); }),
              "rank 0 failed: result 0 of 'step' is inf at index [2]");
}

TEST(GpuSession, PoisonedResults) {
  SessionOptions options;
  options.poison = true;
  SumProgram program([](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; },
                     options);
  for (float value : program.run({0, 1, 2, 3, 4, 5, 6, 7}))
    EXPECT_TRUE(std::isnan(value));
}

TEST(GpuSession, ResultsThatNobodyWrote) {
  SumProgram program([](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; });
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run({0, 1, 2, 3, 4, 5, 6, 7}); }),
              "cuMemcpyDtoHAsync: CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ");
}

TEST(GpuSession, StreamsWithoutOrder) {
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    CALL(addTwice(ctx, 0, buffers[0], buffers[1], 4));
    return addTwice(ctx, 1, buffers[0], buffers[1], 4);
  });
  const std::string error = errorOf(kExitFailed, [&] { program.run({0, 1, 2, 3, 4, 5, 6, 7}); });
  EXPECT_PART(error, "failed in op0 at model.mlir:1:1: ");
  EXPECT_PART(error, "with nothing that orders the two");
}

TEST(GpuSession, KernelBeyondItsBuffer) {
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return addTwice(ctx, 0, buffers[0], buffers[1], 65);
  });
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run({0, 1, 2, 3, 4, 5, 6, 7}); }), "axpy");
}

/// The error of an entry that is one launch.
std::string errorOfLaunch(tprt_entry_fn entry) {
  TestModule module({1}, {{"f", entry, {}, {}, 64}});
  Session session(onGpus(module).module());
  return errorOf(kExitFailed, [&] { session.call(0); });
}

TEST(GpuSession, Launches) {
  EXPECT_PART(errorOfLaunch([](tprt_context_t *ctx, void *const *) {
                return tprt_launch(ctx, 0, 0, 3, 1, 32, 0, nullptr, 0);
              }),
              "rank 0 failed in op0 at model.mlir:1:1: kernel 3 is not in the manifest");
  EXPECT_PART(errorOfLaunch([](tprt_context_t *ctx, void *const *) {
                return tprt_launch(ctx, 0, 0, axpy, int64_t(1) << 31, 32, 0, nullptr, 0);
              }),
              "kernel 'axpy' has 2147483648 blocks, a GPU runs at most 2147483647 at once");
  EXPECT_PART(errorOfLaunch([](tprt_context_t *ctx, void *const *) {
                return tprt_launch(ctx, 0, 0, reverse, 1, 32, 1 << 20, nullptr, 0);
              }),
              "kernel 'reverse' needs 1048576 bytes of shared memory per block, GPU 0 (emulated "
              "device) has ");
}

TEST(GpuSession, SharedMemoryOfALaunch) {
  // More than a kernel has without asking.
  auto turn = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    CALL(tprt_launch(ctx, 0, 0, reverse, 0, 4, 0, nullptr, 0)); // nothing
    return tprt_launch(ctx, 0, 0, reverse, 2, 4, 100 << 10, buffers, 2);
  };
  // Slots of 8 bytes are what the buffers' addresses are.
  TestModule module(
      {1},
      {{"f", turn, {{"x", "input", "f32", {8}, {{}}, ""}}, {{"y", "", "f32", {8}, {{}}, ""}}}});
  Session session(onGpus(module).module());
  session.setInput(0, 0, floats({0, 1, 2, 3, 4, 5, 6, 7}));
  session.call(0);
  EXPECT_EQ(floatsOf(session.result(0, 0)), (std::vector<float>{3, 2, 1, 0, 7, 6, 5, 4}));
}

TEST(GpuSession, ReductionThatNcclLacks) {
  SumProgram program([](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return tprt_all_reduce(ctx, 0, 0, 0, TPRT_MAX, TPRT_F32, buffers[1], buffers[2], 4);
  });
  EXPECT_PART(errorOf(kExitFailed, [&] { program.run({0, 1, 2, 3, 4, 5, 6, 7}); }),
              "failed in op0 at model.mlir:1:1: NCCL has no reduction max of f32");
}

TEST(GpuSession, CollectiveThatDoesNotEnd) {
  // Rank 1 has done its part, which does not send what rank 0 waits for in its own.
  static std::atomic<bool> othersAreDone;
  othersAreDone = false;
  SessionOptions options;
  options.timeoutSeconds = 0.2;
  SumProgram program(
      [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
        const bool waits = tprt_coordinate(ctx, 0) == 0;
        while (waits && !othersAreDone)
          std::this_thread::yield();
        const int32_t sources[] = {waits ? 1 : -1, -1};
        CALL(tprt_permute(ctx, 0, 0, 0, TPRT_F32, buffers[0], buffers[2], 4, sources));
        othersAreDone = true;
        return TPRT_OK;
      },
      options);
  EXPECT_EQ(errorOf(kExitFailed, [&] { program.run(kOnes); }),
            "rank 0 failed in op0 at model.mlir:1:1: all ranks have begun it and it did not end "
            "within 0.200000 s");
}

TEST(GpuSession, VirtualRanksWithoutTheirKernels) {
  SessionOptions options;
  options.virtualRanks = 2;
  SumProgram program(sumStep, options);
  EXPECT_PART(
      errorOf(kExitFailed, [&] { program.run({0, 1, 2, 3, 4, 5, 6, 7}); }),
      "failed in op0 at model.mlir:1:1: the program has no kernel 'tp_reduce_sum_f32_2', by "
      "which virtual ranks reduce: compile it again");
}

//===----------------------------------------------------------------------===//
// What the machine lacks
//===----------------------------------------------------------------------===//

TEST(GpuSession, ImagesThatFitNoDevice) {
  const std::string elf = "\177ELF", ptx = ".version 8.8\n", none = "neither";
  auto messageWith = [&](const std::vector<tprt_image_t> &images) {
    TestModule module({1}, sumEntries(sumStep), kGroups);
    module.compileForGpus(kKernels, images);
    return errorOf(kExitBadInput, [&] { Session session(module.module()); });
  };
  EXPECT_EQ(messageWith({image(TPRT_IMAGE_CUBIN, 80, elf), image(TPRT_IMAGE_PTX, 100, ptx)}),
            "GPU 0 (emulated device) of compute capability 9.0 runs none of the program's images "
            "(cubin for sm_80, PTX for compute_100): compile with --target cuda:sm_90");
  EXPECT_EQ(messageWith({image(TPRT_IMAGE_CUBIN, 90, elf), image(TPRT_IMAGE_PTX, 80, ptx)}),
            "GPU 0 (emulated device) of compute capability 9.0 runs none of the program's images "
            "(cubin for sm_90, PTX for compute_80): compile with --target cuda:sm_90\n"
            "cubin for sm_90: CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for "
            "execution on the device\n"
            "PTX for compute_80: CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for "
            "execution on the device");
  // The device takes what comes last.
  TestModule module({2}, sumEntries(sumStep), kGroups);
  module.compileForGpus(
      kKernels, {image(TPRT_IMAGE_BITCODE, 90, bitcode()), image(TPRT_IMAGE_CUBIN, 90, elf)});
  Session session(module.module());
}

TEST(GpuSession, KernelThatNoImageHas) {
  TestModule module({1}, sumEntries(sumStep), kGroups);
  module.compileForGpus({"axpy", "none"}, {image(TPRT_IMAGE_BITCODE, 90, bitcode())});
  EXPECT_EQ(errorOf(kExitBadInput, [&] { Session session(module.module()); }),
            "the program's images have no kernel 'none': CUDA_ERROR_NOT_FOUND: "
            "named symbol not found");
}

TEST(GpuSession, FewerGpusThanRanks) {
  setenv("TP_EMULATED_DEVICES", "1", 1);
  EXPECT_EQ(errorOf(kExitBadInput, [] { SumProgram program; }),
            "the program has 2 ranks, each with a GPU of its own, and there are 1\n"
            "compile it for a smaller mesh (--mesh), or see whether CUDA_VISIBLE_DEVICES hides "
            "GPUs");
}

TEST(GpuSession, OutOfMemory) {
  setenv("TP_EMULATED_MEBIBYTES", "1", 1);
  auto nothing = [](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; };
  TestModule module({1}, {{"f", nothing, {}, {}, 2 << 20}});
  EXPECT_EQ(errorOf(kExitFailed, [&] { Session session(onGpus(module).module()); }),
            "cannot allocate 2097152 bytes for the arena of rank 0: GPU 0 (emulated device) has "
            "1048320 of 1048576 bytes free\n"
            "more ranks hold less each: compile with a larger mesh (--mesh tp=N)\n"
            "a shorter cache holds less: import with a smaller --max-seq\n"
            "a smaller prefill needs a smaller arena: import with a smaller --chunk");
}

TEST(GpuSession, OutOfMemoryInACall) {
  setenv("TP_EMULATED_MEBIBYTES", "8", 1);
  // A product that the manifest does not have: its workspace was not made at load.
  auto multiply = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    return tprt_gemm(ctx, 0, 0, TPRT_F32, TPRT_F32, TPRT_F32, 0, 0, 1, 1, 1, buffers[0], 1, 0,
                     buffers[0], 1, 0, buffers[1], 1, 0, 1, 0);
  };
  TestModule module(
      {1},
      {{"f", multiply, {{"x", "input", "f32", {1}, {{}}, ""}}, {{"y", "", "f32", {1}, {{}}, ""}}}});
  Session session(onGpus(module).module());
  EXPECT_EQ(errorOf(kExitFailed, [&] { session.call(0); }),
            "rank 0 failed in op0 at model.mlir:1:1: cannot allocate 33554432 bytes for the "
            "workspace of matrix products: GPU 0 (emulated device) has 8387328 of 8388608 bytes "
            "free\n"
            "more ranks hold less each: compile with a larger mesh (--mesh tp=N)\n"
            "a shorter cache holds less: import with a smaller --max-seq\n"
            "a smaller prefill needs a smaller arena: import with a smaller --chunk");
}

TEST(GpuSession, CallsOfTheDriverThatFindNoMemory) {
  setenv("TP_EMULATED_MEBIBYTES", "1", 1);
  SumProgram program;
  EXPECT_EQ(errorOf(kExitFailed,
                    [] { cuda::Driver::get().check(cuda::outOfMemory, "cuGraphInstantiate"); }),
            "cuGraphInstantiate: CUDA_ERROR_OUT_OF_MEMORY: out of memory: the GPU has 1047040 of "
            "1048576 bytes free\n"
            "more ranks hold less each: compile with a larger mesh (--mesh tp=N)\n"
            "a shorter cache holds less: import with a smaller --max-seq\n"
            "a smaller prefill needs a smaller arena: import with a smaller --chunk");
}

TEST(GpuSession, PageLockedMemory) {
  // What checks tell and two pieces of weights, whatever their size.
  setenv("TP_EMULATED_HOST_MEBIBYTES", "17", 1);
  auto nothing = [](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; };
  TestModule module({1}, {{"f", nothing, {{"w", "parameter", "f32", {5 << 20}, {{}}, ""}}, {}}});
  SessionOptions options;
  options.randomSeed = 3;
  Session session(onGpus(module).module(), options);
  const Array w = session.stored("w");
  EXPECT_NE(w.as<float>()[0], 0);
  EXPECT_NE(w.as<float>()[(5 << 20) - 1], 0);
}

TEST(GpuSession, ThreadsRunNearTheirGpus) {
  cpu_set_t allowed, found;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &allowed))
    --last;
  // As the system tells of the emulated driver's GPU 1.
  TempDir system;
  for (const auto &[path, text] :
       {std::pair<std::string, std::string>("bus/pci/devices/ffff:ff:01.0/numa_node", "1"),
        {"devices/system/node/node1/cpulist", std::to_string(last)}}) {
    const std::filesystem::path file = std::filesystem::path(system.path()) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  cuda::runNearGpu(0, system.path());
  ASSERT_EQ(sched_getaffinity(0, sizeof found, &found), 0);
  EXPECT_TRUE(CPU_EQUAL(&found, &allowed)); // of GPU 0 it tells nothing
  cuda::runNearGpu(1, system.path());
  ASSERT_EQ(sched_getaffinity(0, sizeof found, &found), 0);
  EXPECT_EQ(CPU_COUNT(&found), 1);
  EXPECT_TRUE(CPU_ISSET(last, &found));
}

TEST(GpuSession, MissingDriver) {
  setenv("TPRT_CUDA", "/none/libcuda.so.1", 1);
  EXPECT_PART(errorOf(kExitFailed, [] { SumProgram program; }),
              "the CUDA driver is not found (/none/libcuda.so.1: ");
}

TEST(GpuSession, MissingNccl) {
  setenv("TPRT_NCCL", "/none/libnccl.so.2", 1);
  EXPECT_PART(errorOf(kExitFailed, [] { SumProgram program; }),
              "NCCL is not found (/none/libnccl.so.2: ");
  // One rank does without.
  TestModule module({1}, sumEntries(sumStep), kGroups);
  Session session(onGpus(module).module());
}
