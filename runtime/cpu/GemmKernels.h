//===- GemmKernels.h - ways to multiply matrices ---------------*- C++ -*-===//

#ifndef TPRT_CPU_GEMMKERNELS_H
#define TPRT_CPU_GEMMKERNELS_H

#include "../core/Context.h"
#include "../core/Gemm.h"

namespace tprt {

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
