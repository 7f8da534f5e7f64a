//===- BatchOps.cpp - Each op of a loop's body on all trips ----------------===//

#include "Batch.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

/// An op that yields scalars: one iteration is a trip.
LogicalResult Batch::addScalars(Operation *op, const Loops &over) {
  Nest nest{op->getLoc(), over, {}, {}, {}, {}, {}, {}};
  AffineMap identity = AffineMap::getMultiDimIdentityMap(0, context);
  for (Type type : op->getResultTypes()) {
    FailureOr<Value> init = createEmpty(over, {}, type);
    if (failed(init))
      return failure();
    nest.inits.push_back(*init);
    nest.initMaps.push_back(getMap(over, over, identity));
  }
  nest.build = [&](OpBuilder &nested, ValueRange, IRMapping &inside) {
    return llvm::to_vector_of<Value>(nested.clone(*op, inside)->getResults());
  };
  FailureOr<SmallVector<Value>> values = createNest(nest, op);
  if (succeeded(values))
    setResults(op, *values, over);
  return values;
}

LogicalResult Batch::addElementwise(Operation *op, const Loops &over) {
  Nest nest{op->getLoc(), over, {}, {}, {}, {}, {}, {}};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  nest.iterators.assign(type.getRank(), utils::IteratorType::parallel);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  SmallVector<Value> elements;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && !llvm::is_contained(elements, operand)) {
      Batched source = *get(operand);
      elements.push_back(operand);
      nest.inputs.push_back(source.value);
      nest.inputMaps.push_back(getMap(over, source.loops, identity));
    }
  for (Type result : op->getResultTypes()) {
    FailureOr<Value> init = createEmpty(over, type.getShape(), getElementTypeOrSelf(result));
    if (failed(init))
      return failure();
    nest.inits.push_back(*init);
    nest.initMaps.push_back(getMap(over, over, identity));
  }
  nest.build = [&](OpBuilder &nested, ValueRange args, IRMapping &inside) {
    for (auto [operand, arg] : llvm::zip(elements, args))
      inside.map(operand, arg);
    return cloneOnScalars(nested, op, inside);
  };
  FailureOr<SmallVector<Value>> values = createNest(nest, op);
  if (succeeded(values))
    setResults(op, *values, over);
  return values;
}

LogicalResult Batch::addLinalg(linalg::LinalgOp op, const Loops &over) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return failure();
  Nest nest{op.getLoc(), over, op.getIteratorTypesArray(), {}, {}, {}, {}, {}};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    FailureOr<Batched> source = get(input->get());
    if (failed(source))
      return failure();
    nest.inputs.push_back(source->value);
    nest.inputMaps.push_back(getMap(over, source->loops, maps[input->getOperandNumber()]));
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    FailureOr<Value> value = broadcast(init.get(), over);
    if (failed(value))
      return failure();
    nest.inits.push_back(*value);
    nest.initMaps.push_back(getMap(over, over, maps[init.getOperandNumber()]));
  }
  nest.build = [&](OpBuilder &nested, ValueRange args, IRMapping &inside) {
    inside.map(op.getBlock()->getArguments(), args);
    for (Operation &inner : op.getBlock()->without_terminator())
      nested.clone(inner, inside)->walk([&](linalg::IndexOp index) {
        index.setDim(index.getDim() + over.size());
      });
    return llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                               [&](Value value) { return inside.lookupOrDefault(value); });
  };
  // Operands are inputs already, what the body captures is looked for.
  FailureOr<SmallVector<Value>> values = createNest(nest, op);
  if (succeeded(values))
    setResults(op, *values, over);
  return values;
}

/// Offsets, sizes or strides, those of the loops first.
static SmallVector<OpFoldResult> prepend(OpBuilder &builder, ArrayRef<int64_t> loops,
                                         ArrayRef<OpFoldResult> own) {
  SmallVector<OpFoldResult> list = getAsIndexOpFoldResult(builder.getContext(), loops);
  llvm::append_range(list, own);
  return list;
}

LogicalResult Batch::addExtractSlice(tensor::ExtractSliceOp op, const Loops &over) {
  RankedTensorType type = op.getType();
  auto isStatic = [](ArrayRef<int64_t> list) { return !ShapedType::isDynamicShape(list); };
  if (!isStatic(op.getStaticSizes()) || !isStatic(op.getStaticStrides()))
    return failure();
  Location loc = op.getLoc();
  FailureOr<Value> init = createEmpty(over, type.getShape(), type.getElementType());
  if (failed(init))
    return failure();
  if (llvm::none_of(op.getOffsets(), [&](Value offset) { return varies(offset); })) {
    Batched source = *get(op.getSource());
    SmallVector<int64_t> zeros(over.size(), 0), ones(over.size(), 1), counts;
    for (unsigned loop : over)
      counts.push_back(trips[loop]);
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    for (OpFoldResult &offset : offsets)
      if (auto value = dyn_cast<Value>(offset))
        offset = lookup(value);
    Value slice = tensor::ExtractSliceOp::create(
        builder, loc, cast<RankedTensorType>(init->getType()), source.value,
        prepend(builder, zeros, offsets), prepend(builder, counts, op.getMixedSizes()),
        prepend(builder, ones, op.getMixedStrides()));
    setResults(op, slice, over);
    return success();
  }
  Nest nest{loc, over, {}, {}, {}, {}, {}, {}};
  nest.iterators.assign(type.getRank(), utils::IteratorType::parallel);
  nest.inits.push_back(*init);
  nest.initMaps.push_back(
      getMap(over, over, AffineMap::getMultiDimIdentityMap(type.getRank(), context)));
  nest.build = [&](OpBuilder &nested, ValueRange, IRMapping &inside) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<Value> at;
    unsigned next = over.size();
    for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
      Value index;
      if (auto value = dyn_cast<Value>(offset))
        index = inside.lookupOrDefault(value);
      else
        index = arith::ConstantIndexOp::create(nested, loc, *getConstantIntValue(offset));
      if (!dropped.test(dim)) {
        Value row = linalg::IndexOp::create(nested, loc, next++);
        if (int64_t stride = op.getStaticStrides()[dim]; stride != 1)
          row = arith::MulIOp::create(nested, loc, row,
                                      arith::ConstantIndexOp::create(nested, loc, stride));
        index = arith::AddIOp::create(nested, loc, index, row);
      }
      at.push_back(index);
    }
    Value source = batched.count(op.getSource()) ? op.getSource() : lookup(op.getSource());
    return SmallVector<Value>{tensor::ExtractOp::create(nested, loc, source, at)};
  };
  FailureOr<SmallVector<Value>> values = createNest(nest, op);
  if (succeeded(values))
    setResults(op, *values, over);
  return values;
}

LogicalResult Batch::addInsertSlice(tensor::InsertSliceOp op, const Loops &over) {
  SmallVector<Value> numbers(op->getOperands().drop_front(2));
  if (llvm::any_of(numbers, [&](Value value) { return varies(value); }) ||
      ShapedType::isDynamicShape(op.getStaticSizes()))
    return failure();
  FailureOr<Value> source = broadcast(op.getSource(), over), dest = broadcast(op.getDest(), over);
  if (failed(source) || failed(dest))
    return failure();
  SmallVector<int64_t> zeros(over.size(), 0), ones(over.size(), 1), counts;
  for (unsigned loop : over)
    counts.push_back(trips[loop]);
  auto outside = [&](SmallVector<OpFoldResult> list) {
    for (OpFoldResult &item : list)
      if (auto value = dyn_cast<Value>(item))
        item = lookup(value);
    return list;
  };
  Value made = tensor::InsertSliceOp::create(builder, op.getLoc(), *source, *dest,
                                             prepend(builder, zeros, outside(op.getMixedOffsets())),
                                             prepend(builder, counts, op.getMixedSizes()),
                                             prepend(builder, ones, outside(op.getMixedStrides())));
  setResults(op, made, over);
  return success();
}

template <typename OpTy> LogicalResult Batch::addReshape(OpTy op, const Loops &over) {
  Batched source = *get(op.getSrc());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i < over.size(); ++i)
    groups.push_back({i});
  for (ReassociationIndices group : op.getReassociationIndices()) {
    for (int64_t &dim : group)
      dim += over.size();
    groups.push_back(group);
  }
  SmallVector<int64_t> shape;
  for (unsigned loop : over)
    shape.push_back(trips[loop]);
  llvm::append_range(shape, type.getShape());
  Value made = OpTy::create(builder, op.getLoc(), type.clone(shape), source.value, groups);
  setResults(op, made, over);
  return success();
}

LogicalResult Batch::addConcat(tensor::ConcatOp op, const Loops &over) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    FailureOr<Value> value = broadcast(input, over);
    if (failed(value))
      return failure();
    inputs.push_back(*value);
  }
  Value made =
      tensor::ConcatOp::create(builder, op.getLoc(), op.getDim() + over.size(), inputs).getResult();
  setResults(op, made, over);
  return success();
}

LogicalResult Batch::addPad(tensor::PadOp op, const Loops &over) {
  Value padding = op.getConstantPaddingValue();
  if (!padding || varies(padding) || op->getNumOperands() != 1)
    return failure();
  Batched source = *get(op.getSource());
  FailureOr<Value> shape =
      createEmpty(over, op.getType().getShape(), op.getType().getElementType());
  if (failed(shape))
    return failure();
  SmallVector<int64_t> zeros(over.size(), 0);
  // A constant of the region is not outside of it.
  Value outside = lookup(padding);
  if (op->isProperAncestor(padding.getParentBlock()->getParentOp()) ||
      padding.getParentBlock()->getParentOp() == op)
    outside = builder.clone(*padding.getDefiningOp())->getResult(0);
  Value made = tensor::PadOp::create(builder, op.getLoc(), shape->getType(), source.value,
                                     prepend(builder, zeros, op.getMixedLowPad()),
                                     prepend(builder, zeros, op.getMixedHighPad()), outside);
  setResults(op, made, over);
  return success();
}

/// An op of one scalar that all elements of its result are.
LogicalResult Batch::addSplat(Operation *op, const Loops &over) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Nest nest{op->getLoc(), over, {}, {}, {}, {}, {}, {}};
  nest.iterators.assign(type.getRank(), utils::IteratorType::parallel);
  FailureOr<Value> init = createEmpty(over, type.getShape(), type.getElementType());
  if (failed(init))
    return failure();
  nest.inits.push_back(*init);
  nest.initMaps.push_back(
      getMap(over, over, AffineMap::getMultiDimIdentityMap(type.getRank(), context)));
  nest.build = [&](OpBuilder &, ValueRange, IRMapping &inside) {
    return SmallVector<Value>{inside.lookupOrDefault(op->getOperand(0))};
  };
  FailureOr<SmallVector<Value>> values = createNest(nest, op);
  if (succeeded(values))
    setResults(op, *values, over);
  return values;
}

LogicalResult Batch::add(Operation *op) {
  Loops over = loopsOf(op);
  // What is annotated stays what it is.
  bool isAnnotated = false;
  op->walk([&](Operation *nested) {
    isAnnotated |= llvm::any_of(nested->getDiscardableAttrs(), [](NamedAttribute attr) {
      return attr.getName().getValue().starts_with("tp.");
    });
  });
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (isa<RankedTensorType>(shaped) && shaped.hasStaticShape());
  };
  if (isAnnotated || !isMemoryEffectFree(op) || !llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic))
    return failure();
  if (std::optional<AffineExpr> index = computeIndex(op); index && !over.empty()) {
    indices[op->getResult(0)] = *index;
    return success();
  }
  if (over.empty()) {
    // Numbers of loops of one trip are constants.
    IRMapping outside = mapping;
    for (Value value : getUsedValues(op))
      if (indices.count(value))
        outside.map(value,
                    affine::expandAffineExpr(builder, op->getLoc(), indices.lookup(value), {}, {}));
    Operation *clone = builder.clone(*op, outside);
    mapping.map(op->getResults(), clone->getResults());
    return success();
  }
  if (op->getNumRegions() != 0 && !isa<scf::IfOp, linalg::LinalgOp, tensor::PadOp>(op))
    return failure();
  auto isScalar = [](Type type) { return !isa<ShapedType>(type); };
  if (llvm::all_of(op->getResultTypes(), isScalar))
    return addScalars(op, over);
  if (OpTrait::hasElementwiseMappableTraits(op))
    return addElementwise(op, over);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::LinalgOp op) { return addLinalg(op, over); })
      .Case([&](tensor::ExtractSliceOp op) { return addExtractSlice(op, over); })
      .Case([&](tensor::InsertSliceOp op) { return addInsertSlice(op, over); })
      .Case([&](tensor::ExpandShapeOp op) { return addReshape(op, over); })
      .Case([&](tensor::CollapseShapeOp op) { return addReshape(op, over); })
      .Case([&](tensor::ConcatOp op) { return addConcat(op, over); })
      .Case([&](tensor::PadOp op) { return addPad(op, over); })
      .Case([&](tensor::SplatOp op) { return addSplat(op, over); })
      .Case([&](tensor::FromElementsOp op) {
        return op.getElements().size() == 1 ? addSplat(op, over) : failure();
      })
      .Default([](Operation *) { return failure(); });
}
