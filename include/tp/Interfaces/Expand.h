//===- Expand.h - Ops that are several ops ---------------------*- C++ -*-===//
//
// Ops without a sharding rule of their own that are others: linalg.softmax, pack,
// unpack and the Winograd transforms; tensor.gather, scatter, reshape and bitcast; scf.forall
// and scf.parallel. What they are made of has rules.
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERFACES_EXPAND_H
#define TP_INTERFACES_EXPAND_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace tp {

/// Whether `op` is one of them, on values of static shape.
bool isExpandable(Operation *op);

/// Puts in the place of such an op what it is made of. Fails where there is no form
/// for it, and then changes nothing.
LogicalResult expandOp(RewriterBase &rewriter, Operation *op);

/// The size of each dimension as the op's operand says; ShapedType::kDynamic where the
/// running program computes it.
llvm::SmallVector<int64_t> getKnownSizes(tensor::ReshapeOp op);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_EXPAND_H
