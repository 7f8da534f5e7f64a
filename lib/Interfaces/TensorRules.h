//===- TensorRules.h - What rules of tensor ops are made of ----*- C++ -*-===//

#ifndef LIB_INTERFACES_TENSORRULES_H
#define LIB_INTERFACES_TENSORRULES_H

#include "dialects/TP/TP.h"

namespace mlir {
namespace tp {

inline ArrayRef<int64_t> shapeOf(Type type) { return cast<RankedTensorType>(type).getShape(); }

/// Whether all shapes that the op knows are static.
inline bool isStatic(Operation *op) {
  auto check = [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return !ranked || ranked.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), check) && llvm::all_of(op->getResultTypes(), check);
}

/// Ops that move values commute with every kind, in these operands together.
inline void linearInTensors(ShardingRule &rule, Operation *op) {
  llvm::BitVector tensors(rule.operands.size());
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (isa<RankedTensorType>(type))
      tensors.set(i);
  rule.linearIn = [tensors](ReductionKind, const llvm::BitVector &set) { return set == tensors; };
}

/// An empty rule for all operands and results, dimensions without factors.
inline ShardingRule blankRule(Operation *op) {
  ShardingRule rule;
  auto describe = [](Type type) {
    TensorRule tensor;
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      tensor.dims.resize(ranked.getRank());
    return tensor;
  };
  for (Type type : op->getOperandTypes())
    rule.operands.push_back(describe(type));
  for (Type type : op->getResultTypes())
    rule.results.push_back(describe(type));
  rule.inits.resize(op->getNumOperands());
  rule.ignored.resize(op->getNumOperands());
  return rule;
}

/// Attaches the rules of slices, pads and concatenations.
void attachSliceModels(MLIRContext *context);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_TENSORRULES_H
