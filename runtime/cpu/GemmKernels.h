//===- GemmKernels.h - ways to multiply matrices ---------------*- C++ -*-===//

#ifndef TPRT_CPU_GEMMKERNELS_H
#define TPRT_CPU_GEMMKERNELS_H

#include "../core/Context.h"

namespace tprt {

/// The arguments of tprt_gemm, valid and not empty.
struct Gemm {
  int32_t dtypeA, dtypeB, dtypeC;
  bool transA, transB;
  int64_t m, n, k;
  const void *a;
  int64_t lda, strideA;
  const void *b;
  int64_t ldb, strideB;
  void *c;
  int64_t ldc, strideC;
  int64_t batch;
  bool accumulate;
};

/// Products with fewer multiplications than this cost less than a library call
/// and need no library.
constexpr int64_t kSmallProduct = 16384;

/// Sums in `Acc` (float, double or int64_t), each in the order of k and rounded
/// once; right for every type.
template <typename Acc> tprt_status_t runLoop(tprt_context &ctx, const Gemm &g, int32_t op);

/// Whether oneDNN can do the product: f32, or f16 and bf16 with f32 sums.
bool isLibraryProduct(const Gemm &g);
/// One piece per worker by oneDNN. Where it has no product of narrow floats
/// (f16; bf16 on processors without it), blocks are widened to f32.
tprt_status_t runLibrary(tprt_context &ctx, const Gemm &g, int32_t op);

} // namespace tprt

#endif // TPRT_CPU_GEMMKERNELS_H
