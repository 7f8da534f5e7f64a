//===- Retarget.h - Other shardings for an op ------------------*- C++ -*-===//
//
// What passes need that change an op's strategy after reshards are inserted.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_RETARGET_H
#define LIB_TRANSFORMS_RETARGET_H

#include "tp/Analysis/Strategy.h"

namespace mlir {
namespace tp {

/// The strategy of the op by the shardings that its operands and results have.
std::optional<Strategy> inferStrategy(Operation *op, const ShardingRule &rule, const Mesh &mesh);

/// `second`, the only user of `first`, does what both did.
void joinReshards(ReshardOp first, ReshardOp second);

/// Gives the op new operands (one per operand of the rule, resharded where they are
/// not as the strategy needs them; what is made of nothing is made anew) and the
/// strategy's shardings; the results are resharded to what they were, for `reason`.
void retarget(Operation *op, const ShardingRule &rule, const Strategy &strategy,
              llvm::MutableArrayRef<Value> operands, llvm::StringRef reason, const Mesh &mesh);

} // namespace tp
} // namespace mlir

#endif // LIB_TRANSFORMS_RETARGET_H
