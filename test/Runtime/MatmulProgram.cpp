//===- MatmulProgram.cpp - one matrix product as a linked executable ------===//
//
// y = x * w with w sharded by columns over two ranks, large enough to need
// oneDNN, and a counter as state.
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"

using namespace tprt_test;

namespace {

constexpr int64_t kSize = 64;

tprt_status_t multiply(tprt_context_t *ctx, void *const *buffers) {
  ++*static_cast<int32_t *>(buffers[2]);
  return tprt_gemm(ctx, 0, 0, TPRT_F32, TPRT_F32, TPRT_F32, 0, 0, kSize, kSize / 2, kSize,
                   buffers[0], kSize, 0, buffers[1], kSize / 2, 0, buffers[3], kSize / 2, 0, 1, 0);
}

const TestModule &program() {
  static const TestModule module({2}, {{"multiply",
                                        multiply,
                                        {{"x", "input", "f32", {kSize, kSize}, {}, ""},
                                         {"w", "input", "f32", {kSize, kSize}, {{}, {0}}, ""},
                                         {"calls", "state", "i32", {}, {}, ""}},
                                        {{"y", "", "f32", {kSize, kSize}, {{}, {0}}, ""}}}});
  return module;
}

} // namespace

extern "C" const tprt_module_t tprt_module = program().module();
