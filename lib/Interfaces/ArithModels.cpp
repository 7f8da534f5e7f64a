//===- ArithModels.cpp - Sharding rules of elementwise ops -----------------===//

#include "PaddingGuards.h"

#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/ShardingModels.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Elementwise ops on tensors: one parallel factor per dimension.
template <typename OpTy>
struct ElementwiseModel : ShardingRuleOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape())
      return failure();
    ShardingRule rule =
        ShardingRule::pointwise(type.getShape(), op->getNumOperands(), op->getNumResults());
    // Padding must not trap.
    if (std::optional<unsigned> operand = getOperandThatMayTrap(op))
      rule.operands[*operand].padding = PaddingNeed::One;
    // select takes a scalar condition beside tensors.
    for (auto [operand, value] : llvm::zip_equal(rule.operands, op->getOperands()))
      if (!isa<RankedTensorType>(value.getType()))
        operand.dims.clear();
    rule.linearIn = [op](ReductionKind kind, const llvm::BitVector &set) {
      SmallVector<Dependence> operands;
      for (unsigned i = 0, n = op->getNumOperands(); i < n; ++i)
        operands.push_back(set.test(i) ? Dependence::Linear : Dependence::None);
      return transfer(op, operands, kind) == Dependence::Linear;
    };
    return rule;
  }
};

/// Constants that are one value everywhere take any sharding; others are whole
/// on every rank and sliced where they are used.
struct ConstantModel : ShardingRuleOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    auto constant = cast<arith::ConstantOp>(op);
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!splat || !type)
      return failure();
    return ShardingRule::pointwise(type.getShape(), 0, 1);
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &, ValueRange,
                                 TypeRange resultTypes, const LocalFrame &) const {
    auto splat = cast<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    auto local = splat.resizeSplat(cast<ShapedType>(resultTypes.front()));
    return {arith::ConstantOp::create(builder, op->getLoc(), local)};
  }
};

template <typename OpTy> void attachIfElementwise(MLIRContext *context) {
  if constexpr (OpTy::template hasTrait<OpTrait::Elementwise>())
    OpTy::template attachInterface<ElementwiseModel<OpTy>>(*context);
}

template <typename... Ops> void attachAll(MLIRContext *context) {
  (attachIfElementwise<Ops>(context), ...);
}

} // namespace

void tp::registerArithShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >(context);
    arith::ConstantOp::attachInterface<ConstantModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >(context);
  });
}
