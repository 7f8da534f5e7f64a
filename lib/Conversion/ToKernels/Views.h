//===- Views.h - Buffers in the shape that a kernel takes -------*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_VIEWS_H
#define TP_LIB_CONVERSION_TOKERNELS_VIEWS_H

#include "mlir/IR/Builders.h"

namespace mlir::tp {

/// `buffer`, contiguous, as one of `shape` (rank 1 or more) with the same
/// elements in the same order.
Value viewAs(OpBuilder &builder, Location loc, Value buffer, ArrayRef<int64_t> shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_VIEWS_H
