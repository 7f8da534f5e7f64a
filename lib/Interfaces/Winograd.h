//===- Winograd.h - Winograd transforms as contractions ---------*- C++ -*-===//

#ifndef LIB_INTERFACES_WINOGRAD_H
#define LIB_INTERFACES_WINOGRAD_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace tp {

/// Whether the op is a Winograd transform.
bool isWinograd(Operation *op);

/// Puts contractions over all tiles in the place of a Winograd transform of floats of
/// static shape.
LogicalResult expandWinograd(RewriterBase &rewriter, Operation *op);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_WINOGRAD_H
