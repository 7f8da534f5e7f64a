//===- SessionTest.cpp - Sessions on emulated GPUs ---------------------------===//
//
// Programs written by hand with kernels of Kernels.cu. A fault is for ever: each test needs
// a process of its own, which ctest gives it.
//
//===----------------------------------------------------------------------===//

#include "tprt/session.h"
#include "Checkpoints.h"
#include "Errors.h"
#include "TempDir.h"
#include "TestModule.h"
#include "UseEmulated.h"
#include "core/Context.h"
#include "core/World.h"
#include "cuda/Nccl.h"
#include "tprt/error.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tprt;
using namespace tprt_test;

namespace {

const char *const kGroups = R"([{"axes": [{"axis": 0}]}])";
enum Kernel : int32_t { axpy, reverse, check };
const std::vector<std::string> kKernels = {"axpy", "reverse", "check"};

const std::string &bitcode() {
  static const std::string content = [] {
    std::ostringstream text;
    text << std::ifstream(TP_BINARY_DIR "/Kernels.bc", std::ios::binary).rdbuf();
    return text.str();
  }();
  return content;
}

tprt_image_t image(int32_t kind, int32_t arch, const std::string &bytes) {
  return {kind, arch, bytes.data(), int64_t(bytes.size())};
}

/// Makes the module one whose kernels the emulated device has.
TestModule &onGpus(TestModule &module) {
  module.compileForGpus(kKernels, {image(TPRT_IMAGE_BITCODE, 90, bitcode())});
  return module;
}

/// y[i] += 2 x[i] for i < n.
tprt_status_t addTwice(tprt_context_t *ctx, int32_t stream, const void *x, void *y, uint32_t n) {
  const float two = 2;
  char slots[4][8] = {};
  std::memcpy(slots[0], &two, sizeof two);
  std::memcpy(slots[1], &x, sizeof x);
  std::memcpy(slots[2], &y, sizeof y);
  std::memcpy(slots[3], &n, sizeof n);
  return tprt_launch(ctx, stream, 0, axpy, 1, 32, 0, slots, 4);
}

#define CALL(call)                                                                                 \
  do {                                                                                             \
    if (tprt_status_t status = (call))                                                             \
      return status;                                                                               \
  } while (0)

Array floats(const std::vector<float> &values) {
  Array array(TPRT_F32, {int64_t(values.size())});
  std::copy(values.begin(), values.end(), array.as<float>());
  return array;
}

std::vector<float> floatsOf(const Array &array) {
  return std::vector<float>(array.as<float>(), array.as<float>() + array.count());
}

/// Input x [8] cut, state s [8] cut: s += 2 x, and result y [4] = the sum of s over ranks.
tprt_status_t sumStep(tprt_context_t *ctx, void *const *buffers) {
  CALL(addTwice(ctx, 0, buffers[0], buffers[1], 4));
  CALL(tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, buffers[1], buffers[2], 4));
  float first = -1;
  CALL(tprt_read(ctx, 0, buffers[2], &first, sizeof first));
  // What came from the device may decide what the host does next.
  return first == 77 ? tprt_check_index(ctx, 0, 77 + tprt_coordinate(ctx, 0), 0, 78) : 0;
}

std::vector<TestEntry> sumEntries(tprt_entry_fn step) {
  return {{"step",
           step,
           {{"x", "input", "f32", {8}, {{0}}, ""}, {"s", "state", "f32", {8}, {{0}}, ""}},
           {{"y", "", "f32", {4}, {{}}, ""}},
           256}};
}

/// A session of one entry on two GPUs.
struct SumProgram {
  SumProgram(tprt_entry_fn step = sumStep, const SessionOptions &options = {})
      : module({2}, sumEntries(step), kGroups), session(onGpus(module).module(), options) {}

  std::vector<float> run(const std::vector<float> &x) {
    session.setInput(0, 0, floats(x));
    session.call(0);
    return floatsOf(session.result(0, 0));
  }

  TestModule module;
  Session session;
};

/// Each rank's times after so many collectives of 16 bytes sent.
void expectTimes(const Session &session, int64_t collectives) {
  for (const RankActivity &rank : session.activity(0).ranks) {
    EXPECT_EQ(rank.collectives, collectives);
    EXPECT_EQ(rank.bytesSent, collectives * 16);
    EXPECT_GT(rank.copySeconds, 0);
    EXPECT_LT(rank.copySeconds, rank.seconds);
  }
}

std::string traceOf(const Session &session) {
  std::string trace;
  session.writeTrace([&](const std::string &part) { trace += part; });
  return trace;
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

const std::vector<float> kOnes(8, 1);

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

TEST(GpuSession, EntriesThatReadAreNoGraphs) {
  SumProgram program;
  for (int i = 1; i <= 3; ++i)
    EXPECT_EQ(program.run(kOnes), std::vector<float>(4, float(4 * i)));
  EXPECT_EQ(program.session.howRun(0),
            "one by one: the entry reads what the device computes, and decides by that");
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
            "cubin for sm_90: CUDA_ERROR_NO_BINARY_FOR_GPU: CUDA_ERROR_NO_BINARY_FOR_GPU\n"
            "PTX for compute_80: CUDA_ERROR_NO_BINARY_FOR_GPU: CUDA_ERROR_NO_BINARY_FOR_GPU");
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
            "CUDA_ERROR_NOT_FOUND");
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
