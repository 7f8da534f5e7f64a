//===- TensorModels.cpp - Sharding rules of tensor ops ---------------------===//

#include "TensorRules.h"

#include "tp/Interfaces/ShardingModels.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

struct EmptyModel : ShardingRuleOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    return ShardingRule::pointwise(shapeOf(op->getResult(0).getType()), 0, 1);
  }
};

/// Of the same elements, or the same bits.
template <typename OpTy>
struct CastModel : ShardingRuleOpInterface::ExternalModel<CastModel<OpTy>, OpTy> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = ShardingRule::pointwise(shapeOf(op->getResult(0).getType()), 1, 1);
    if (isa<tensor::CastOp>(op))
      linearInTensors(rule, op);
    return rule;
  }
};

struct SplatModel : ShardingRuleOpInterface::ExternalModel<SplatModel, tensor::SplatOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = ShardingRule::pointwise(shapeOf(op->getResult(0).getType()), 1, 1);
    rule.operands[0].dims.clear();
    return rule;
  }
};

/// Expand and collapse: one factor per dimension of the expanded side; a
/// dimension of the collapsed side is the product of its group.
template <typename OpTy>
struct ReshapeModel : ShardingRuleOpInterface::ExternalModel<ReshapeModel<OpTy>, OpTy> {
  static constexpr bool kExpands = std::is_same_v<OpTy, tensor::ExpandShapeOp>;

  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    auto reshape = cast<OpTy>(op);
    ShardingRule rule = blankRule(op);
    TensorRule &expanded = kExpands ? rule.results[0] : rule.operands[0];
    TensorRule &collapsed = kExpands ? rule.operands[0] : rule.results[0];
    ArrayRef<int64_t> shape =
        shapeOf(kExpands ? op->getResult(0).getType() : op->getOperand(0).getType());
    // Dimensions of a scalar are of no group; what cuts them would pad it.
    FactorKind kind =
        reshape.getReassociationIndices().empty() ? FactorKind::Replicated : FactorKind::Parallel;
    for (auto [i, size] : llvm::enumerate(shape))
      expanded.dims[i].push_back(rule.addFactor(kind, size));
    for (auto [i, group] : llvm::enumerate(reshape.getReassociationIndices()))
      for (int64_t dim : group)
        collapsed.dims[i].push_back(static_cast<unsigned>(dim));
    linearInTensors(rule, op);
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange resultTypes,
                                 const LocalFrame &) const {
    return {OpTy::create(builder, op->getLoc(), resultTypes.front(), operands.front(),
                         cast<OpTy>(op).getReassociationIndices())};
  }
};

} // namespace

void tp::registerTensorShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::BitcastOp::attachInterface<CastModel<tensor::BitcastOp>>(*context);
    tensor::CastOp::attachInterface<CastModel<tensor::CastOp>>(*context);
    tensor::SplatOp::attachInterface<SplatModel>(*context);
    tensor::ExpandShapeOp::attachInterface<ReshapeModel<tensor::ExpandShapeOp>>(*context);
    tensor::CollapseShapeOp::attachInterface<ReshapeModel<tensor::CollapseShapeOp>>(*context);
    attachSliceModels(context);
  });
}
