//===- ShardingModels.h - Sharding rules of upstream ops -------*- C++ -*-===//

#ifndef TP_INTERFACES_SHARDINGMODELS_H
#define TP_INTERFACES_SHARDINGMODELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class DialectRegistry;
namespace tp {

/// Attaches ShardingRuleOpInterface to every linalg structured op.
void registerLinalgShardingModels(DialectRegistry &registry);
/// ... to shape ops and constants of tensors.
void registerTensorShardingModels(DialectRegistry &registry);
/// ... to elementwise ops of arith and math, and arith.constant.
void registerArithShardingModels(DialectRegistry &registry);

/// Whether the op combines over `loop` in a way that ranks could not: by no known kind,
/// and not by selecting. What it reads along that loop must be whole.
bool combinesByNoKind(linalg::LinalgOp op, unsigned loop);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_SHARDINGMODELS_H
