//===- RefineShapes.cpp ----------------------------------------------------===//
//
// Ops in program order: an op whose operands have got static types gets the result
// types that follow. Types change in place, so that names and shardings stay; ops
// that spell their sizes out are made anew with the constants.
//
//===----------------------------------------------------------------------===//

#include "RefineShapes.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Interfaces/Expand.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Refiner {
public:
  explicit Refiner(func::FuncOp function) : function(function) {}

  LogicalResult run();

private:
  LogicalResult refineBlock(Block &block);
  LogicalResult refineOp(Operation *op);
  LogicalResult refineRegionOp(Operation *op);
  LogicalResult refineParallelLoop(Operation *op);
  void refineTypes(Operation *op);
  bool inlineDecided(scf::IfOp op);
  void refineReturn(func::ReturnOp op);

  void replace(Operation *op, Operation *other);
  /// Sizes, offsets or strides with what is constant as attributes.
  SmallVector<OpFoldResult> fold(ArrayRef<OpFoldResult> values);
  /// One error where a size of an op's result is negative.
  LogicalResult checkSizes(Operation *op, ArrayRef<OpFoldResult> sizes);
  FailureOr<bool> rebuild(Operation *op);

  func::FuncOp function;
};

bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// `type` with the sizes of `shape` where these are known.
RankedTensorType withSizes(RankedTensorType type, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [size, known] : llvm::zip_equal(sizes, shape))
    if (!ShapedType::isDynamic(known))
      size = known;
  return type.clone(sizes);
}

/// Gives the value the sizes of `shape` where they are known.
void refineLike(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  value.setType(withSizes(type, shape));
}

/// The same of two values, where both are tensors.
void refineLike(Value value, Value other) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto like = dyn_cast<RankedTensorType>(other.getType());
  if (type && like && type.getRank() == like.getRank())
    refineLike(value, like.getShape());
}

/// Puts `other` in the op's place.
void Refiner::replace(Operation *op, Operation *other) {
  other->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(other->getResults());
  op->erase();
}

SmallVector<OpFoldResult> Refiner::fold(ArrayRef<OpFoldResult> values) {
  Builder builder(function.getContext());
  return llvm::map_to_vector(values, [&](OpFoldResult value) -> OpFoldResult {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return builder.getIndexAttr(*constant);
    return value;
  });
}

LogicalResult Refiner::checkSizes(Operation *op, ArrayRef<OpFoldResult> sizes) {
  for (OpFoldResult size : sizes)
    if (std::optional<int64_t> constant = getConstantIntValue(size); constant && *constant < 0)
      return op->emitError() << "'" << op->getName() << "' has a negative size, " << *constant;
  return success();
}

/// Makes an op that spells its sizes out anew; false where the op is none.
FailureOr<bool> Refiner::rebuild(Operation *op) {
  auto isConstant = [](Value value) { return getConstantIntValue(value).has_value(); };
  if (llvm::none_of(op->getResultTypes(), isDynamic) &&
      llvm::none_of(op->getOperands(), isConstant))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  /// Of sizes that stand for the dynamic dimensions of `type`.
  auto resize = [&](RankedTensorType type, ValueRange dynamic) {
    SmallVector<OpFoldResult> sizes;
    auto next = dynamic.begin();
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(*next++)
                                                  : builder.getIndexAttr(size));
    return fold(sizes);
  };
  auto split = [&](ArrayRef<OpFoldResult> sizes, SmallVectorImpl<Value> &dynamic,
                   SmallVectorImpl<int64_t> &shape) {
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
  };
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    SmallVector<OpFoldResult> sizes = fold(empty.getMixedSizes());
    if (failed(checkSizes(op, sizes)))
      return failure();
    replace(op, tensor::EmptyOp::create(builder, loc, sizes, empty.getType().getElementType()));
    return true;
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    SmallVector<OpFoldResult> sizes = resize(splat.getType(), splat.getDynamicSizes());
    if (failed(checkSizes(op, sizes)))
      return failure();
    split(sizes, dynamic, shape);
    replace(op, tensor::SplatOp::create(builder, loc, splat.getType().clone(shape),
                                        splat.getInput(), dynamic));
    return true;
  }
  if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
    auto type = cast<RankedTensorType>(generate.getType());
    SmallVector<OpFoldResult> sizes = resize(type, generate.getDynamicExtents());
    if (failed(checkSizes(op, sizes)))
      return failure();
    split(sizes, dynamic, shape);
    auto made = tensor::GenerateOp::create(builder, loc, type.clone(shape), dynamic);
    made.getBody().takeBody(generate.getBody());
    replace(op, made);
    return true;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = fold(slice.getMixedSizes());
    if (failed(checkSizes(op, sizes)))
      return failure();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [d, size] : llvm::enumerate(sizes))
      if (!dropped.test(d))
        shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    // Upstream's verifier takes no offset into a dimension of size 0.
    if (llvm::is_contained(shape, 0) && !ShapedType::isDynamicShape(shape))
      replace(op,
              tensor::EmptyOp::create(builder, loc, getAsIndexOpFoldResult(op->getContext(), shape),
                                      slice.getType().getElementType()));
    else
      replace(op, tensor::ExtractSliceOp::create(builder, loc, slice.getType().clone(shape),
                                                 slice.getSource(), fold(slice.getMixedOffsets()),
                                                 sizes, fold(slice.getMixedStrides())));
    return true;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = fold(insert.getMixedSizes());
    if (failed(checkSizes(op, sizes)))
      return failure();
    if (llvm::any_of(sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); })) {
      insert.replaceAllUsesWith(insert.getDest());
      op->erase();
      return true;
    }
    replace(op, tensor::InsertSliceOp::create(builder, loc, insert.getSource(), insert.getDest(),
                                              fold(insert.getMixedOffsets()), sizes,
                                              fold(insert.getMixedStrides())));
    return true;
  }
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = fold(insert.getMixedSizes());
    if (failed(checkSizes(op, sizes)))
      return failure();
    if (llvm::none_of(sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
      tensor::ParallelInsertSliceOp::create(builder, loc, insert.getSource(), insert.getDest(),
                                            fold(insert.getMixedOffsets()), sizes,
                                            fold(insert.getMixedStrides()))
          ->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op->erase();
    return true;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    SmallVector<OpFoldResult> low = fold(pad.getMixedLowPad()), high = fold(pad.getMixedHighPad());
    SmallVector<int64_t> staticLow, staticHigh;
    SmallVector<Value> dynamicLow, dynamicHigh;
    split(low, dynamicLow, staticLow);
    split(high, dynamicHigh, staticHigh);
    RankedTensorType source = pad.getSourceType();
    for (unsigned d = 0, n = source.getRank(); d < n; ++d) {
      bool isKnown = !source.isDynamicDim(d) && !ShapedType::isDynamic(staticLow[d]) &&
                     !ShapedType::isDynamic(staticHigh[d]);
      shape.push_back(isKnown ? source.getDimSize(d) + staticLow[d] + staticHigh[d]
                              : ShapedType::kDynamic);
      if (isKnown && shape.back() < 0)
        return op->emitError() << "'" << op->getName() << "' has a negative size, " << shape.back();
    }
    auto made = tensor::PadOp::create(builder, loc, pad.getResultType().clone(shape),
                                      pad.getSource(), low, high, pad.getNofold());
    made.getRegion().takeBody(pad.getRegion());
    replace(op, made);
    return true;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes = fold(expand.getMixedOutputShape());
    // The one size of a group that is not known follows from the others.
    for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices())) {
      int64_t known = 1, size = expand.getSrcType().getDimSize(d);
      std::optional<int64_t> missing;
      unsigned numMissing = 0;
      for (int64_t i : group) {
        std::optional<int64_t> constant = getConstantIntValue(sizes[i]);
        known *= constant.value_or(1);
        if (!constant) {
          missing = i;
          ++numMissing;
        }
      }
      if (numMissing == 1 && !ShapedType::isDynamic(size) && known > 0 && size % known == 0)
        sizes[*missing] = builder.getIndexAttr(size / known);
    }
    if (failed(checkSizes(op, sizes)))
      return failure();
    for (OpFoldResult size : sizes)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    replace(op, tensor::ExpandShapeOp::create(builder, loc, expand.getResultType().clone(shape),
                                              expand.getSrc(), expand.getReassociationIndices(),
                                              sizes));
    return true;
  }
  return false;
}

/// The sizes of a result whose dimensions have factors that operands have too.
SmallVector<int64_t> getSizesByFactors(Operation *op, const ShardingRule &rule,
                                       const TensorRule &result) {
  SmallVector<int64_t> sizes;
  for (const DimFactors &factors : result.dims) {
    sizes.push_back(ShapedType::kDynamic);
    for (auto [operand, tensor] : llvm::zip(op->getOperands(), rule.operands))
      for (auto [d, own] : llvm::enumerate(tensor.dims))
        if (int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(d);
            factors.size() == 1 && own == factors && !ShapedType::isDynamic(size) &&
            rule.factors[factors.front()].kind != FactorKind::Candidate)
          sizes.back() = size;
  }
  return sizes;
}

/// Result types that follow from operand types, for ops that do not spell them out.
void Refiner::refineTypes(Operation *op) {
  if (llvm::none_of(op->getResultTypes(), isDynamic))
    return;
  if (auto styled = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (OpResult result : op->getResults())
      if (OpOperand *init = styled.getTiedOpOperand(result))
        refineLike(result, init->get());
    return;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    auto inferred = tensor::CollapseShapeOp::inferCollapsedType(collapse.getSrcType(),
                                                                collapse.getReassociationIndices());
    return refineLike(collapse, inferred.getShape());
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    auto inferred =
        tensor::ConcatOp::inferResultType(concat.getDim(), concat.getInputs().getTypes());
    return refineLike(concat, inferred.getShape());
  }
  if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    RankedTensorType source = gather.getSourceType(), indices = gather.getIndicesType();
    bool isReduced = gather.getResultType().getRank() < indices.getRank() - 1 + source.getRank();
    RankedTensorType inferred =
        tensor::GatherOp::inferResultType(source, indices, gather.getGatherDims(), isReduced);
    return refineLike(gather, inferred.getShape());
  }
  if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
    return refineLike(scatter, scatter.getDest());
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    SmallVector<int64_t> sizes = getKnownSizes(reshape);
    auto type = cast<RankedTensorType>(reshape.getType());
    // What the type says already stays, to be compared.
    for (auto [size, given] : llvm::zip(sizes, type.getShape()))
      if (!ShapedType::isDynamic(given) || size < 0)
        size = ShapedType::kDynamic;
    refineLike(reshape, sizes);
    return;
  }
  // Dimensions of ops of nn are those of operands with the same factor.
  if (auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
      ruled && isa<nn::NNDialect>(op->getDialect()))
    if (FailureOr<ShardingRule> rule = ruled.getShardingRule(); succeeded(rule)) {
      for (auto [result, tensor] : llvm::zip(op->getResults(), rule->results))
        refineLike(result, getSizesByFactors(op, *rule, tensor));
      return;
    }
  // One shape for all.
  bool isAlike = op->hasTrait<OpTrait::Elementwise>() ||
                 op->hasTrait<OpTrait::SameOperandsAndResultShape>() ||
                 isa<tensor::BitcastOp, ConstraintOp, BarrierOp, ReshardOp>(op);
  for (Value result : op->getResults())
    for (Value operand : op->getOperands())
      if (isAlike)
        refineLike(result, operand);
}

/// What scf.forall and scf.parallel combine is what comes in; their bodies see it.
LogicalResult Refiner::refineParallelLoop(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  OperandRange inits =
      forall ? OperandRange(forall.getOutputs()) : cast<scf::ParallelOp>(op).getInitVals();
  for (auto [result, init] : llvm::zip_equal(op->getResults(), inits))
    refineLike(result, init);
  if (forall)
    for (auto [argument, init] : llvm::zip_equal(forall.getRegionOutArgs(), inits))
      refineLike(argument, init);
  Block &body = op->getRegion(0).front();
  if (failed(refineBlock(body)))
    return failure();
  if (auto reduce = dyn_cast<scf::ReduceOp>(body.getTerminator()))
    for (auto [value, init] : llvm::zip_equal(reduce.getOperands(), inits))
      if (value.getType() != init.getType())
        return reduce.emitError() << "'" << op->getName()
                                  << "' carries one value, which cannot have two sizes, "
                                  << init.getType() << " and here " << value.getType();
  return success();
}

LogicalResult Refiner::refineBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(refineOp(&op)))
      return failure();
  return success();
}

/// Replaces what counts elements by constants: integers that follow from others.
static bool foldScalars(Operation *op) {
  auto isInteger = [](Type type) { return type.isIntOrIndex(); };
  if (op->getNumResults() == 0 || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::ConstantLike>() || !llvm::all_of(op->getResultTypes(), isInteger) ||
      !isMemoryEffectFree(op))
    return false;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute constant;
    // Elements of constants are data, whatever their sizes.
    if (isInteger(operand.getType()))
      matchPattern(operand, m_Constant(&constant));
    operands.push_back(constant);
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.size() != op->getNumResults())
    return false;
  OpBuilder builder(op);
  SmallVector<Value> values;
  for (OpFoldResult value : folded) {
    auto with = dyn_cast<Value>(value);
    auto constant = with ? IntegerAttr() : dyn_cast<IntegerAttr>(cast<Attribute>(value));
    if (!with && !constant)
      return false;
    values.push_back(with ? with : arith::ConstantOp::create(builder, op->getLoc(), constant));
  }
  op->replaceAllUsesWith(values);
  op->erase();
  return true;
}

LogicalResult Refiner::refineOp(Operation *op) {
  if (foldScalars(op))
    return success();
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(cast.getType());
    if (!from || !to || !tensor::CastOp::areCastCompatible(from, to))
      return success(); // The verifier says what is wrong.
    refineLike(cast, from.getShape());
    if (cast.getType() == from && cast->getDiscardableAttrDictionary().empty()) {
      cast.replaceAllUsesWith(cast.getSource());
      cast.erase();
    }
    return success();
  }
  if (isRegionFlow(op))
    return refineRegionOp(op);
  if (isa<scf::ForallOp, scf::ParallelOp>(op))
    return refineParallelLoop(op);
  if (auto reduce = dyn_cast<scf::ReduceOp>(op))
    for (auto [value, region] : llvm::zip_equal(reduce.getOperands(), reduce.getReductions()))
      for (BlockArgument argument : region.getArguments())
        refineLike(argument, value);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(refineBlock(block)))
        return failure();
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    refineReturn(ret);
    return success();
  }
  FailureOr<bool> isRebuilt = rebuild(op);
  if (failed(isRebuilt))
    return failure();
  if (!*isRebuilt)
    refineTypes(op);
  return success();
}

/// A conditional that sizes decide is the branch that is taken, where the other one
/// would have another type.
bool Refiner::inlineDecided(scf::IfOp op) {
  std::optional<int64_t> condition = getConstantIntValue(op.getCondition());
  if (!condition || op.getElseRegion().empty() || llvm::none_of(op.getResultTypes(), isDynamic))
    return false;
  Block *taken = *condition ? op.thenBlock() : op.elseBlock();
  Operation *yield = taken->getTerminator();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yield->getOperands()))
    result.replaceAllUsesWith(value);
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(), taken->getOperations());
  op->erase();
  return true;
}

/// What the op carries has the type of what flows in first.
LogicalResult Refiner::refineRegionOp(Operation *op) {
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    Operation *previous = op->getPrevNode();
    Block *block = op->getBlock();
    Operation *behind = op->getNextNode();
    if (inlineDecided(conditional)) {
      Operation *next = previous ? previous->getNextNode() : &block->front();
      while (next != behind) {
        Operation *current = next;
        next = next->getNextNode();
        if (failed(refineOp(current)))
          return failure();
      }
      return success();
    }
  }
  SmallVector<FlowValue> carried = getFlowValues(op);
  llvm::erase_if(carried, [](const FlowValue &value) {
    return !isa<RankedTensorType>(value.inputs.front().getType());
  });
  auto spread = [&] {
    for (FlowValue &value : carried)
      for (OpOperand *source : value.sources) {
        auto type = cast<RankedTensorType>(value.inputs.front().getType());
        if (type.hasStaticShape())
          break;
        auto from = cast<RankedTensorType>(source->get().getType());
        for (Value input : value.inputs)
          refineLike(input, from.getShape());
      }
  };
  // A loop carries what comes in, whatever its body makes of it.
  for (FlowValue &value : carried)
    if (value.sources.front()->getOwner() == op)
      for (Value input : value.inputs)
        refineLike(input, value.sources.front()->get());
  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      if (failed(refineBlock(block)))
        return failure();
    spread();
  }
  for (FlowValue &value : carried)
    for (OpOperand *source : value.sources)
      if (source->get().getType() != value.inputs.front().getType())
        return source->getOwner()->emitError()
               << "'" << op->getName() << "' carries one value, which cannot have two sizes, "
               << value.inputs.front().getType() << " and here " << source->get().getType();
  return success();
}

void Refiner::refineReturn(func::ReturnOp op) {
  SmallVector<Type> results(op.getOperandTypes());
  function.setType(FunctionType::get(op.getContext(), function.getArgumentTypes(), results));
}

LogicalResult Refiner::run() {
  for (Block &block : function.getBody())
    if (failed(refineBlock(block)))
      return failure();
  return success();
}

} // namespace

LogicalResult tp::refineShapes(func::FuncOp function) { return Refiner(function).run(); }
