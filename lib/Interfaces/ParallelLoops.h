//===- ParallelLoops.h - scf.forall and scf.parallel ------------*- C++ -*-===//

#ifndef LIB_INTERFACES_PARALLELLOOPS_H
#define LIB_INTERFACES_PARALLELLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace tp {

/// Puts in the place of scf.forall or scf.parallel on values of static shape ops on the
/// values of all trips, whose dimensions can be cut, or where there are none scf.for
/// that runs the trips one after the other.
LogicalResult expandParallelLoop(RewriterBase &rewriter, Operation *op);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_PARALLELLOOPS_H
