//===- TensorModels.cpp - Sharding rules of tensor ops ---------------------===//

#include "tp/Interfaces/ShardingModels.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

ArrayRef<int64_t> shapeOf(Type type) { return cast<RankedTensorType>(type).getShape(); }

bool isStatic(Operation *op) {
  auto check = [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return !ranked || ranked.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), check) && llvm::all_of(op->getResultTypes(), check);
}

/// Ops that move values commute with every kind, in these operands together.
void linearInTensors(ShardingRule &rule, Operation *op) {
  llvm::BitVector tensors(rule.operands.size());
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (isa<RankedTensorType>(type))
      tensors.set(i);
  rule.linearIn = [tensors](ReductionKind, const llvm::BitVector &set) { return set == tensors; };
}

/// An empty rule for all operands and results, dimensions without factors.
ShardingRule blankRule(Operation *op) {
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

struct EmptyModel : ShardingRuleOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    return ShardingRule::pointwise(shapeOf(op->getResult(0).getType()), 0, 1);
  }
};

struct CastModel : ShardingRuleOpInterface::ExternalModel<CastModel, tensor::CastOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = ShardingRule::pointwise(shapeOf(op->getResult(0).getType()), 1, 1);
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
    for (auto [i, size] : llvm::enumerate(shape))
      expanded.dims[i].push_back(rule.addFactor(FactorKind::Parallel, size));
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

/// Whether the slice takes dimension `dim` of a value of this shape whole.
bool takesWhole(OffsetSizeAndStrideOpInterface slice, unsigned dim, int64_t size) {
  return slice.getStaticOffsets()[dim] == 0 && slice.getStaticSizes()[dim] == size &&
         slice.getStaticStrides()[dim] == 1;
}

/// The sliced dimensions that are dimensions of the small side, in order.
template <typename OpTy> SmallVector<unsigned> keptDims(OpTy slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned i = 0, n = slice.getStaticSizes().size(); i < n; ++i)
    if (!dropped.test(i))
      kept.push_back(i);
  return kept;
}

/// The sizes of `slice` with those of local dimensions that are taken whole.
template <typename OpTy>
SmallVector<OpFoldResult> localSizes(OpTy slice, OpBuilder &builder, ArrayRef<int64_t> global,
                                     ArrayRef<int64_t> local) {
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  for (unsigned i = 0, n = sizes.size(); i < n; ++i)
    if (takesWhole(slice, i, global[i]))
      sizes[i] = builder.getIndexAttr(local[i]);
  return sizes;
}

struct ExtractSliceModel
    : ShardingRuleOpInterface::ExternalModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    auto slice = cast<tensor::ExtractSliceOp>(op);
    ShardingRule rule = blankRule(op);
    ArrayRef<int64_t> shape = shapeOf(slice.getSourceType());
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      if (takesWhole(slice, big, shape[big])) {
        unsigned factor = rule.addFactor(FactorKind::Parallel, shape[big]);
        rule.operands[0].dims[big].push_back(factor);
        rule.results[0].dims[small].push_back(factor);
      }
    linearInTensors(rule, op);
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange resultTypes,
                                 const LocalFrame &) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    auto [offsets, strides] = mixedOffsetsAndStrides(slice, operands.drop_front(1), builder);
    return {tensor::ExtractSliceOp::create(
        builder, op->getLoc(), cast<RankedTensorType>(resultTypes.front()), operands.front(),
        offsets,
        localSizes(slice, builder, shapeOf(slice.getSourceType()),
                   shapeOf(operands.front().getType())),
        strides)};
  }

  /// Offsets and strides with dynamic ones taken from the local operands.
  template <typename OpTy>
  static std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>
  mixedOffsetsAndStrides(OpTy slice, ValueRange dynamic, OpBuilder &builder) {
    unsigned numOffsets = slice.getOffsets().size(), numSizes = slice.getSizes().size();
    ValueRange offsets = dynamic.take_front(numOffsets);
    ValueRange strides = dynamic.drop_front(numOffsets + numSizes);
    return {getMixedValues(slice.getStaticOffsets(), offsets, builder),
            getMixedValues(slice.getStaticStrides(), strides, builder)};
  }
};

struct InsertSliceModel
    : ShardingRuleOpInterface::ExternalModel<InsertSliceModel, tensor::InsertSliceOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    auto slice = cast<tensor::InsertSliceOp>(op);
    ShardingRule rule = blankRule(op);
    ArrayRef<int64_t> shape = shapeOf(slice.getDestType());
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      if (takesWhole(slice, big, shape[big])) {
        unsigned factor = rule.addFactor(FactorKind::Parallel, shape[big]);
        rule.operands[0].dims[small].push_back(factor);
        rule.operands[1].dims[big].push_back(factor);
        rule.results[0].dims[big].push_back(factor);
      }
    linearInTensors(rule, op);
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange, const LocalFrame &) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    auto [offsets, strides] =
        ExtractSliceModel::mixedOffsetsAndStrides(slice, operands.drop_front(2), builder);
    return {tensor::InsertSliceOp::create(
        builder, op->getLoc(), operands[0], operands[1], offsets,
        localSizes(slice, builder, shapeOf(slice.getDestType()), shapeOf(operands[1].getType())),
        strides)};
  }
};

struct ConcatModel : ShardingRuleOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = blankRule(op);
    uint64_t along = cast<tensor::ConcatOp>(op).getDim();
    for (auto [i, size] : llvm::enumerate(shapeOf(op->getResult(0).getType()))) {
      if (i == along)
        continue;
      unsigned factor = rule.addFactor(FactorKind::Parallel, size);
      for (TensorRule &operand : rule.operands)
        operand.dims[i].push_back(factor);
      rule.results[0].dims[i].push_back(factor);
    }
    linearInTensors(rule, op);
    return rule;
  }
};

struct PadModel : ShardingRuleOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    // A value that depends on where it is put, or a tensor from outside, needs the whole.
    if (!isStatic(op) || !pad.getConstantPaddingValue())
      return failure();
    ShardingRule rule = blankRule(op);
    for (auto [i, size] : llvm::enumerate(shapeOf(pad.getSourceType())))
      if (pad.getStaticLow()[i] == 0 && pad.getStaticHigh()[i] == 0) {
        unsigned factor = rule.addFactor(FactorKind::Parallel, size);
        rule.operands[0].dims[i].push_back(factor);
        rule.results[0].dims[i].push_back(factor);
      }
    return rule;
  }
};

} // namespace

void tp::registerTensorShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::CastOp::attachInterface<CastModel>(*context);
    tensor::SplatOp::attachInterface<SplatModel>(*context);
    tensor::ExpandShapeOp::attachInterface<ReshapeModel<tensor::ExpandShapeOp>>(*context);
    tensor::CollapseShapeOp::attachInterface<ReshapeModel<tensor::CollapseShapeOp>>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
    tensor::PadOp::attachInterface<PadModel>(*context);
  });
}
