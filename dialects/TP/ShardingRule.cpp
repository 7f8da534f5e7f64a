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
  // Properties go over as they are: as an attribute they would be looked up again.
  Operation *local = Operation::create(
      op->getLoc(), op->getName(), resultTypes, operands, op->getDiscardableAttrDictionary(),
      op->getPropertiesStorage(), /*successors=*/{}, op->getNumRegions());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), local->getRegions()))
    from.cloneInto(&to, mapping);
  builder.insert(local);
  return llvm::to_vector_of<Value>(local->getResults());
}
