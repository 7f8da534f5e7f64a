//===- Contraction.h - Matrix products among structured ops -----*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_CONTRACTION_H
#define TP_LIB_CONVERSION_TOKERNELS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tp {

/// C[m, n] += A[m, k] W[n, k]^T in one structured op over contiguous buffers,
/// each letter any number of neighbouring dimensions.
struct Contraction {
  Value a, w, c;
  int64_t m, n, k;
};

/// Reads `op` so: its body multiplies (after extensions) and adds floats, no
/// loop is a batch, reduction dimensions are last in both operands and in one
/// order. Where both operands can be A, the one with fewer rows is.
std::optional<Contraction> matchContraction(linalg::LinalgOp op);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_CONTRACTION_H
