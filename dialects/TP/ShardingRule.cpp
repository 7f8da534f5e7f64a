//===- ShardingRule.cpp ----------------------------------------------------===//

#include "dialects/TP/ShardingRule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::tp;

ShardingRule ShardingRule::pointwise(llvm::ArrayRef<int64_t> shape, unsigned numOperands,
                                     unsigned numResults) {
  ShardingRule rule;
  TensorRule tensor;
  for (int64_t n : shape)
    tensor.dims.push_back({rule.addFactor(FactorKind::Parallel, n)});
  rule.operands.assign(numOperands, tensor);
  rule.results.assign(numResults, tensor);
  rule.inits.resize(numOperands);
  rule.ignored.resize(numOperands);
  return rule;
}

llvm::SmallVector<Value> tp::cloneLocal(Operation *op, OpBuilder &builder, IRMapping &mapping,
                                        ValueRange operands, TypeRange resultTypes) {
  OperationState state(op->getLoc(), op->getName(), operands, resultTypes, op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), mapping);
  return llvm::to_vector(
      llvm::map_range(builder.create(state)->getResults(), [](OpResult r) -> Value { return r; }));
}
