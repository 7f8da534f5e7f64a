//===- Gemm.h - the arguments of a matrix product ---------------*- C++ -*-===//

#ifndef TPRT_CORE_GEMM_H
#define TPRT_CORE_GEMM_H

#include <cstdint>

namespace tprt {

/// What tprt_gemm_fused adds to a product, C and bias where they are not null, and does
/// to what comes out.
struct GemmEpilogue {
  const void *c;
  int64_t ldc, strideC;
  const void *bias;
  int64_t strideBias;
  int32_t activation; ///< tprt_activation_t
};

/// The arguments of tprt_gemm, or of tprt_gemm_fused with an epilogue, whose C is not this
/// one, which is D there; valid and not empty.
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
  const GemmEpilogue *epilogue = nullptr;
};

} // namespace tprt

#endif // TPRT_CORE_GEMM_H
