//===- ShardingModels.h - Sharding rules of upstream ops -------*- C++ -*-===//

#ifndef TP_INTERFACES_SHARDINGMODELS_H
#define TP_INTERFACES_SHARDINGMODELS_H

namespace mlir {
class DialectRegistry;
namespace tp {

/// Attaches ShardingRuleOpInterface to every linalg structured op.
void registerLinalgShardingModels(DialectRegistry &registry);
/// ... to shape ops and constants of tensors.
void registerTensorShardingModels(DialectRegistry &registry);
/// ... to elementwise ops of arith and math, and arith.constant.
void registerArithShardingModels(DialectRegistry &registry);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_SHARDINGMODELS_H
