//===- CapturedElements.cpp ------------------------------------------------===//

#include "CapturedElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tp;

SmallVector<Value, 0> tp::getCapturedTensors(Operation *op) {
  // Few bodies have a tensor anywhere.
  bool usesTensors = false;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      usesTensors |= llvm::any_of(nested->getOperandTypes(),
                                  [](Type type) { return isa<RankedTensorType>(type); });
    });
  if (!usesTensors)
    return {};
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  SmallVector<Value, 0> tensors;
  for (Value value : captured)
    if (isa<RankedTensorType>(value.getType()))
      tensors.push_back(value);
  return tensors;
}

/// The readings of `tensor` in the body; nothing where it is used otherwise.
static std::optional<SmallVector<tensor::ExtractOp>> getReadings(linalg::LinalgOp op,
                                                                 Value tensor) {
  SmallVector<tensor::ExtractOp> readings;
  bool isRead = true;
  op.getBlock()->walk([&](Operation *nested) {
    if (!llvm::is_contained(nested->getOperands(), tensor))
      return;
    if (auto extract = dyn_cast<tensor::ExtractOp>(nested))
      readings.push_back(extract);
    else
      isRead = false;
  });
  return isRead ? std::optional(readings) : std::nullopt;
}

/// The reading that is all the op does, or null.
static tensor::ExtractOp getLookup(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumParallelLoops() != op.getNumLoops())
    return nullptr;
  auto extract = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  return extract && extract->getBlock() == op.getBlock() ? extract : nullptr;
}

/// Whether elements, not loops alone, choose the index.
static bool isChosenByData(linalg::LinalgOp op, Value index) {
  SmallVector<Value> work = {index};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (isa<BlockArgument>(value) || !op->isAncestor(value.getDefiningOp()) ||
        isa<tensor::ExtractOp>(value.getDefiningOp()))
      return true;
    if (seen.insert(value.getDefiningOp()).second)
      llvm::append_range(work, value.getDefiningOp()->getOperands());
  }
  return false;
}

/// The loop that each reading has as its index of this dimension, over all of it.
static std::optional<unsigned> getLoop(ArrayRef<tensor::ExtractOp> readings, unsigned dim,
                                       const ShardingRule &rule) {
  std::optional<unsigned> loop;
  for (tensor::ExtractOp extract : readings) {
    auto index = extract.getIndices()[dim].getDefiningOp<linalg::IndexOp>();
    if (!index || (loop && *loop != index.getDim()) ||
        rule.factors[index.getDim()].size != extract.getTensor().getType().getDimSize(dim))
      return std::nullopt;
    loop = index.getDim();
  }
  return loop;
}

void tp::describeCaptured(linalg::LinalgOp op, ShardingRule &rule) {
  rule.captured = getCapturedTensors(op);
  if (rule.captured.empty())
    return;
  tensor::ExtractOp lookup = getLookup(op);
  for (Value tensor : rule.captured) {
    auto type = cast<RankedTensorType>(tensor.getType());
    TensorRule described;
    described.dims.resize(type.getRank());
    auto readings = getReadings(op, tensor);
    llvm::SmallDenseSet<unsigned> seen;
    for (unsigned dim = 0; readings && dim < type.getRank(); ++dim) {
      if (std::optional<unsigned> loop = getLoop(*readings, dim, rule)) {
        if (seen.insert(*loop).second)
          described.dims[dim].push_back(*loop);
      } else if (lookup && lookup.getTensor() == tensor && readings->size() == 1 &&
                 isChosenByData(op, lookup.getIndices()[dim])) {
        bool isBool = type.getElementType().isInteger(1);
        described.dims[dim].push_back(
            rule.addFactor(FactorKind::Reduction, type.getDimSize(dim),
                           isBool ? ReductionKind::Or : ReductionKind::Sum));
      }
    }
    rule.operands.push_back(described);
  }
}

CapturedIndices::CapturedIndices(linalg::LinalgOp op, linalg::LinalgOp local,
                                 const ShardingRule &rule) {
  if (rule.captured.empty())
    return;
  SmallVector<tensor::ExtractOp> originals, clones;
  op.getBlock()->walk([&](tensor::ExtractOp extract) { originals.push_back(extract); });
  local.getBlock()->walk([&](tensor::ExtractOp extract) { clones.push_back(extract); });
  for (auto [original, clone] : llvm::zip_equal(originals, clones)) {
    auto captured = llvm::find(rule.captured, original.getTensor());
    if (captured == rule.captured.end())
      continue;
    const TensorRule &tensor =
        rule.operands[op->getNumOperands() + (captured - rule.captured.begin())];
    for (auto [dim, factors] : llvm::enumerate(tensor.dims)) {
      if (factors.empty())
        continue;
      OpOperand *index = &clone.getIndicesMutable()[dim];
      unsigned factor = factors.front();
      if (factor < op.getNumLoops()) {
        wholes.push_back({index, index->get()});
        continue;
      }
      kind = rule.factors[factor].reduction;
      lookups.push_back({index, factor, rule.factors[factor].size});
    }
  }
}

void CapturedIndices::localize(OpBuilder &builder, linalg::LinalgOp local,
                               const LocalFrame &frame) {
  for (auto [index, loop] : wholes)
    index->set(loop);
  OpBuilder::InsertionGuard guard(builder);
  Value isHere;
  tensor::ExtractOp extract;
  for (auto [operand, factor, size] : lookups) {
    builder.setInsertionPoint(local);
    Value offset = frame.factorOffset(factor);
    if (!offset)
      continue;
    extract = cast<tensor::ExtractOp>(operand->getOwner());
    Location loc = extract.getLoc();
    unsigned dim = operand->getOperandNumber() - 1;
    Value extent = frame.factorExtent(factor);
    if (!extent)
      extent = arith::ConstantIndexOp::create(builder, loc,
                                              extract.getTensor().getType().getDimSize(dim));
    // The size of the whole dimension tells which indices are in no block.
    auto bounds = extract->getAttrOfType<TypeAttr>(kGlobalTypeAttr);
    auto type = bounds ? cast<RankedTensorType>(bounds.getValue()) : extract.getTensor().getType();
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = size;
    extract->setAttr(kGlobalTypeAttr, TypeAttr::get(type.clone(shape)));
    builder.setInsertionPoint(extract);
    Value index = operand->get();
    auto isBelow = [&](Value value, Value bound) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, bound);
    };
    Value inBlock = arith::SubIOp::create(builder, loc, index, offset);
    Value here = isBelow(inBlock, extent);
    // What is in another block is not read; what is in none is the error that it was.
    Value inTable = isBelow(index, arith::ConstantIndexOp::create(builder, loc, size));
    Value first = arith::ConstantIndexOp::create(builder, loc, 0);
    Value other = arith::SelectOp::create(builder, loc, inTable, first, index);
    operand->set(arith::SelectOp::create(builder, loc, here, inBlock, other));
    isHere = isHere ? arith::AndIOp::create(builder, loc, isHere, here).getResult() : here;
  }
  if (!isHere)
    return;
  builder.setInsertionPointAfter(extract);
  Type type = extract.getType();
  TypedAttr neutral = getNeutralElement(kind, type);
  // -0.0 + x is x for every x, -0.0 too.
  if (auto floatType = dyn_cast<FloatType>(type))
    neutral = builder.getFloatAttr(
        type, APFloat::getZero(floatType.getFloatSemantics(), /*Negative=*/true));
  Location loc = extract.getLoc();
  Value constant = arith::ConstantOp::create(builder, loc, neutral);
  auto masked = arith::SelectOp::create(builder, loc, isHere, extract, constant);
  extract.getResult().replaceAllUsesExcept(masked, masked);
}
