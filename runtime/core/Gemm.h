//===- Gemm.h - the arguments of a matrix product ---------------*- C++ -*-===//

#ifndef TPRT_CORE_GEMM_H
#define TPRT_CORE_GEMM_H

#include <cstdint>

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

} // namespace tprt

#endif // TPRT_CORE_GEMM_H
