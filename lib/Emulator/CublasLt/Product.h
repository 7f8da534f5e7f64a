//===- Product.h - Sums of products on the host ----------------*- C++ -*-===//

#ifndef TP_EMULATOR_CUBLASLT_PRODUCT_H
#define TP_EMULATOR_CUBLASLT_PRODUCT_H

#include "runtime/cuda/CublasLtApi.h"

namespace mlir::tp::emulator {

/// One factor of a product, with a step that is 1: along the sum, or to the next sum.
struct Factor {
  const char *data;
  tprt::cuda::LtType type;
  bool tf32;        ///< its elements are read as tf32
  uint64_t sums;    ///< rows of A, columns of B
  uint64_t sumStep; ///< elements from one to the next
  uint64_t step;    ///< elements along the sum
};

inline size_t bytesOf(tprt::cuda::LtType type) {
  return type == tprt::cuda::ltFloat64 ? 8 : type == tprt::cuda::ltFloat32 ? 4 : 2;
}

/// sum[row + a.sums * column] += the products of elements [begin, end) of both. In f32, or in
/// f64 where T is double and both factors are.
template <typename T>
void addProducts(const Factor &a, const Factor &b, uint64_t begin, uint64_t end, T *sum);

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_CUBLASLT_PRODUCT_H
