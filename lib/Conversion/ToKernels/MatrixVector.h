//===- MatrixVector.h - Products with few rows -------------------*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H
#define TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H

#include "KernelBuilder.h"

namespace mlir::tp {

/// C[M, N] (+)= A[M, K] W[N, K]^T, all contiguous and row-major.
struct MatrixVectorShape {
  int64_t m, n, k;
  Type a, w, c;
  bool accumulate;
};

/// Rows of A up to which the kernel is worth while: it streams W once for all
/// rows, with an accumulator per row of A and of W.
constexpr int64_t maxMatrixVectorRows = 4;

/// The kernel for a shape, with parameters A, W, C; its range is in blocks of
/// rows of W.
func::FuncOp getMatrixVectorKernel(ModuleOp module, Location loc, const MatrixVectorShape &shape,
                                   int64_t bits);
/// The number of blocks, and how many of them make a chunk worth a worker.
int64_t getMatrixVectorRange(const MatrixVectorShape &shape);
int64_t getMatrixVectorGrain(const MatrixVectorShape &shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H
