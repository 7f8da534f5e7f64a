//===- MatrixVector.h - Products with few rows -------------------*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H
#define TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H

#include "KernelBuilder.h"

namespace mlir::tp {

/// One or several products C[M, N] (+)= A[M, K] W[N, K]^T with one A, all matrices
/// contiguous and row-major.
struct MatrixVectorShape {
  struct Part {
    int64_t n;
    Type w, c;
    bool accumulate;
  };
  int64_t m, k;
  Type a;
  SmallVector<Part> parts;
};

/// Rows of A up to which the kernel is worth while: it streams W once for all
/// rows, with an accumulator per row of A and of W.
constexpr int64_t maxMatrixVectorRows = 4;

/// The kernel for a shape, with parameters A, then W and C of each part; its
/// range is in blocks of rows of W, part after part. `bits` is the width of the
/// target's vectors, `bf16Dot` whether it has avx512_bf16.
func::FuncOp getMatrixVectorKernel(ModuleOp module, Location loc, const MatrixVectorShape &shape,
                                   int64_t bits, bool bf16Dot);
/// The number of blocks, and how many of them make a chunk worth a worker.
int64_t getMatrixVectorRange(const MatrixVectorShape &shape);
int64_t getMatrixVectorGrain(const MatrixVectorShape &shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_MATRIXVECTOR_H
