//===- SumProgram.h - Programs on emulated GPUs, written by hand -*- C++ -*-===//

#ifndef TP_TEST_EMULATOR_SUMPROGRAM_H
#define TP_TEST_EMULATOR_SUMPROGRAM_H

#include "TestModule.h"
#include "tprt/session.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tprt_test {

using namespace tprt;

inline const char *const kGroups = R"([{"axes": [{"axis": 0}]}])";
enum Kernel : int32_t { axpy, reverse, check };
inline const std::vector<std::string> kKernels = {"axpy", "reverse", "check"};

inline const std::string &bitcode() {
  static const std::string content = [] {
    std::ostringstream text;
    text << std::ifstream(TP_BINARY_DIR "/Kernels.bc", std::ios::binary).rdbuf();
    return text.str();
  }();
  return content;
}

inline tprt_image_t image(int32_t kind, int32_t arch, const std::string &bytes) {
  return {kind, arch, bytes.data(), int64_t(bytes.size())};
}

/// Makes the module one whose kernels the emulated device has.
inline TestModule &onGpus(TestModule &module) {
  module.compileForGpus(kKernels, {image(TPRT_IMAGE_BITCODE, 90, bitcode())});
  return module;
}

/// y[i] += 2 x[i] for i < n.
inline tprt_status_t addTwice(tprt_context_t *ctx, int32_t stream, const void *x, void *y,
                              uint32_t n) {
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

inline Array floats(const std::vector<float> &values) {
  Array array(TPRT_F32, {int64_t(values.size())});
  std::copy(values.begin(), values.end(), array.as<float>());
  return array;
}

inline std::vector<float> floatsOf(const Array &array) {
  return std::vector<float>(array.as<float>(), array.as<float>() + array.count());
}

/// Input x [8] cut, state s [8] cut: s += 2 x, and result y [4] = the sum of s over ranks.
inline tprt_status_t sumStep(tprt_context_t *ctx, void *const *buffers) {
  CALL(addTwice(ctx, 0, buffers[0], buffers[1], 4));
  CALL(tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, buffers[1], buffers[2], 4));
  float first = -1;
  CALL(tprt_read(ctx, 0, buffers[2], &first, sizeof first));
  // What came from the device may decide what the host does next.
  return first == 77 ? tprt_check_index(ctx, 0, 77 + tprt_coordinate(ctx, 0), 0, 78) : 0;
}

inline std::vector<TestEntry> sumEntries(tprt_entry_fn step) {
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

inline std::string traceOf(const Session &session) {
  std::string trace;
  session.writeTrace([&](const std::string &part) { trace += part; });
  return trace;
}

inline const std::vector<float> kOnes(8, 1);

} // namespace tprt_test

#endif // TP_TEST_EMULATOR_SUMPROGRAM_H
