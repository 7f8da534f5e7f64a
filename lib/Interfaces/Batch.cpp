//===- Batch.cpp -----------------------------------------------------------===//

#include "Batch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Interfaces/Transpose.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

Batch::Batch(OpBuilder &builder, Location loc, ValueRange variables, ArrayRef<int64_t> lower,
             ArrayRef<int64_t> step, ArrayRef<int64_t> trips, int64_t maxElements)
    : builder(builder), loc(loc), context(builder.getContext()), trips(trips),
      maxElements(maxElements) {
  for (auto [loop, variable] : llvm::enumerate(variables)) {
    AffineExpr index = builder.getAffineConstantExpr(lower[loop]);
    if (trips[loop] > 1) {
      all.push_back(loop);
      index = index + builder.getAffineDimExpr(loop) * step[loop];
    }
    indices[variable] = index;
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Batch::Loops Batch::loopsOf(Value value) const {
  if (auto it = batched.find(value); it != batched.end())
    return it->second.loops;
  Loops loops;
  if (auto it = indices.find(value); it != indices.end())
    for (unsigned loop : all)
      if (it->second.isFunctionOfDim(loop))
        loops.push_back(loop);
  return loops;
}

llvm::SetVector<Value> Batch::getUsedValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

Batch::Loops Batch::loopsOf(Operation *op) const {
  llvm::SmallSetVector<unsigned, 4> loops;
  for (Value value : getUsedValues(op))
    loops.insert_range(loopsOf(value));
  Loops sorted(loops.begin(), loops.end());
  llvm::sort(sorted);
  return sorted;
}

std::optional<AffineExpr> Batch::getIndex(Value value) const {
  if (auto it = indices.find(value); it != indices.end())
    return it->second;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return builder.getAffineConstantExpr(*constant);
  return std::nullopt;
}

/// The value of an op on indices as an expression of numbers of trips.
std::optional<AffineExpr> Batch::computeIndex(Operation *op) const {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex())
    return std::nullopt;
  SmallVector<AffineExpr> operands;
  for (Value operand : op->getOperands()) {
    std::optional<AffineExpr> index = getIndex(operand);
    if (!index)
      return std::nullopt;
    operands.push_back(*index);
  }
  if (isa<arith::AddIOp>(op))
    return operands[0] + operands[1];
  if (isa<arith::SubIOp>(op))
    return operands[0] - operands[1];
  if (isa<arith::MulIOp>(op) &&
      (operands[0].isSymbolicOrConstant() || operands[1].isSymbolicOrConstant()))
    return operands[0] * operands[1];
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return map.getResult(0).replaceDimsAndSymbols(ArrayRef(operands).take_front(map.getNumDims()),
                                                  ArrayRef(operands).drop_front(map.getNumDims()));
  }
  return std::nullopt;
}

/// `own` of an operand as the map of a nest over `over`: what the operand has of these
/// loops comes first.
AffineMap Batch::getMap(const Loops &over, const Loops &loops, AffineMap own) const {
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : loops)
    exprs.push_back(builder.getAffineDimExpr(llvm::find(over, loop) - over.begin()));
  llvm::append_range(exprs, own.shiftDims(over.size()).getResults());
  return AffineMap::get(over.size() + own.getNumDims(), 0, exprs, context);
}

FailureOr<Value> Batch::createEmpty(const Loops &over, ArrayRef<int64_t> own, Type element) {
  SmallVector<int64_t> shape;
  for (unsigned loop : over)
    shape.push_back(trips[loop]);
  llvm::append_range(shape, own);
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size > maxElements / elements)
      return failure();
    elements *= std::max<int64_t>(size, 1);
  }
  return tensor::EmptyOp::create(builder, loc, shape, element).getResult();
}

void Batch::setResults(Operation *op, ValueRange values, const Loops &over) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    batched[result] = {value, over};
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

/// Makes the nest for `op`, whose scalars that vary become inputs or indices of loops,
/// as do elements that its body reads of tensors that vary.
FailureOr<SmallVector<Value>> Batch::createNest(Nest &nest, Operation *op) {
  unsigned numOver = nest.over.size(), numInputs = nest.inputs.size();
  SmallVector<Value> scalars, computed, tensors;
  for (Value value : getUsedValues(op)) {
    if (indices.count(value)) {
      computed.push_back(value);
    } else if (auto it = batched.find(value); it != batched.end()) {
      if (isa<RankedTensorType>(value.getType())) {
        tensors.push_back(value);
        continue;
      }
      scalars.push_back(value);
      nest.inputs.push_back(it->second.value);
      AffineMap none = AffineMap::get(nest.iterators.size(), 0, context);
      nest.inputMaps.push_back(getMap(nest.over, it->second.loops, none));
    }
  }
  SmallVector<AffineMap> maps = nest.inputMaps;
  llvm::append_range(maps, nest.initMaps);
  SmallVector<utils::IteratorType> iterators(numOver, utils::IteratorType::parallel);
  llvm::append_range(iterators, nest.iterators);
  bool isValid = true;
  auto body = [&](OpBuilder &nested, Location loc, ValueRange args) {
    IRMapping inside = mapping;
    for (auto [i, scalar] : llvm::enumerate(scalars))
      inside.map(scalar, args[numInputs + i]);
    SmallVector<Value> numbers(trips.size());
    if (!computed.empty() || !tensors.empty())
      for (auto [i, loop] : llvm::enumerate(nest.over))
        numbers[loop] = linalg::IndexOp::create(nested, loc, i);
    for (Value value : computed)
      inside.map(value, affine::expandAffineExpr(nested, loc, indices.lookup(value), numbers, {}));
    SmallVector<Value> own(args.take_front(numInputs));
    llvm::append_range(own, args.drop_front(numInputs + scalars.size()));
    SmallVector<Value> yielded = nest.build(nested, own, inside);
    // Elements of tensors that vary are those of the trip.
    Block *block = nested.getInsertionBlock();
    block->walk([&](Operation *user) {
      for (Value tensor : tensors) {
        if (!llvm::is_contained(user->getOperands(), tensor))
          continue;
        auto extract = dyn_cast<tensor::ExtractOp>(user);
        if (!extract) {
          isValid = false;
          continue;
        }
        const Batched &all = batched.find(tensor)->second;
        SmallVector<Value> at;
        for (unsigned loop : all.loops)
          at.push_back(numbers[loop]);
        llvm::append_range(at, extract.getIndices());
        extract.getTensorMutable().set(all.value);
        extract.getIndicesMutable().assign(at);
      }
    });
    linalg::YieldOp::create(nested, loc, yielded);
  };
  auto generic = linalg::GenericOp::create(builder, nest.loc, TypeRange(ValueRange(nest.inits)),
                                           nest.inputs, nest.inits, maps, iterators, body);
  if (!isValid)
    return failure();
  return SmallVector<Value>(generic.getResults());
}

SmallVector<Value> Batch::cloneOnScalars(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  Operation *clone = builder.clone(*op, mapping);
  for (Value result : clone->getResults())
    result.setType(getElementTypeOrSelf(result));
  return llvm::to_vector_of<Value>(clone->getResults());
}

FailureOr<Batch::Batched> Batch::get(Value value) {
  if (auto it = batched.find(value); it != batched.end())
    return it->second;
  auto index = indices.find(value);
  if (index == indices.end())
    return Batched{lookup(value), {}};
  // The numbers as a tensor.
  Loops over = loopsOf(value);
  FailureOr<Value> init = createEmpty(over, {}, value.getType());
  if (failed(init))
    return failure();
  AffineMap map = AffineMap::getMultiDimIdentityMap(over.size(), context);
  SmallVector<utils::IteratorType> iterators(over.size(), utils::IteratorType::parallel);
  AffineExpr expr = index->second;
  auto body = [&](OpBuilder &nested, Location loc, ValueRange) {
    SmallVector<Value> numbers(trips.size());
    for (auto [i, loop] : llvm::enumerate(over))
      numbers[loop] = linalg::IndexOp::create(nested, loc, i);
    Value number = affine::expandAffineExpr(nested, loc, expr, numbers, {});
    linalg::YieldOp::create(nested, loc, number);
  };
  Value made = linalg::GenericOp::create(builder, value.getLoc(), init->getType(), ValueRange(),
                                         *init, map, iterators, body)
                   .getResult(0);
  return Batched{made, over};
}

FailureOr<Value> Batch::broadcast(Value value, const Loops &over) {
  FailureOr<Batched> source = get(value);
  if (failed(source))
    return failure();
  if (source->loops == over && (!over.empty() || isa<RankedTensorType>(value.getType())))
    return source->value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> own = type ? type.getShape() : ArrayRef<int64_t>();
  FailureOr<Value> init = createEmpty(over, own, getElementTypeOrSelf(value));
  if (failed(init))
    return failure();
  Operation *def = source->value.getDefiningOp();
  if (source->loops.empty() && isa_and_nonnull<tensor::EmptyOp>(def))
    return init;
  Location loc = value.getLoc();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(def); fill && source->loops.empty())
    return linalg::FillOp::create(builder, loc, fill.getInputs()[0], *init).getResult(0);
  unsigned rank = own.size();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  SmallVector<AffineMap> maps = {getMap(over, source->loops, identity),
                                 getMap(over, over, identity)};
  SmallVector<utils::IteratorType> iterators(over.size() + rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, init->getType(), source->value, *init, maps,
                                   iterators,
                                   [](OpBuilder &nested, Location at, ValueRange args) {
                                     linalg::YieldOp::create(nested, at, args[0]);
                                   })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// `expr` as loop * scale + offset; without a loop the offset alone.
static std::optional<std::tuple<std::optional<unsigned>, int64_t, int64_t>>
getLinear(AffineExpr expr, ArrayRef<unsigned> loops) {
  std::optional<unsigned> loop;
  for (unsigned candidate : loops)
    if (expr.isFunctionOfDim(candidate)) {
      if (loop)
        return std::nullopt;
      loop = candidate;
    }
  auto at = [&](int64_t number) {
    AffineExpr value = expr;
    if (loop)
      value = value.replace(getAffineDimExpr(*loop, expr.getContext()),
                            getAffineConstantExpr(number, expr.getContext()));
    return dyn_cast<AffineConstantExpr>(simplifyAffineExpr(value, 0, 0));
  };
  AffineConstantExpr first = at(0), second = at(1);
  if (!first || !second)
    return std::nullopt;
  return std::tuple(loop, second.getValue() - first.getValue(), first.getValue());
}

FailureOr<Value> Batch::write(tensor::ParallelInsertSliceOp insert, Value dest) {
  auto type = cast<RankedTensorType>(dest.getType());
  ArrayRef<int64_t> sizes = insert.getStaticSizes(), strides = insert.getStaticStrides();
  if (ShapedType::isDynamicShape(sizes) || ShapedType::isDynamicShape(strides))
    return failure();
  FailureOr<Value> source = broadcast(insert.getSource(), all);
  if (failed(source))
    return failure();
  Location loc = insert.getLoc();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<int64_t> starts, counts, steps;
  SmallVector<unsigned> order; ///< dimensions of the source, by dimension of `dest`
  SmallVector<ReassociationIndices> groups;
  llvm::SmallBitVector used(trips.size());
  unsigned own = all.size();
  bool isWhole = true, isJoined = false;
  for (unsigned d = 0, n = sizes.size(); d < n; ++d) {
    OpFoldResult offset = insert.getMixedOffsets()[d];
    std::optional<AffineExpr> expr;
    if (auto value = dyn_cast<Value>(offset))
      expr = getIndex(value);
    else
      expr = builder.getAffineConstantExpr(*getConstantIntValue(offset));
    auto linear = expr ? getLinear(*expr, all) : std::nullopt;
    if (!linear)
      return failure();
    auto [loop, scale, start] = *linear;
    int64_t count = sizes[d], step = strides[d];
    ReassociationIndices group;
    if (loop) {
      if (used.test(*loop))
        return failure();
      used.set(*loop);
      // Tiles side by side, or rows.
      bool isTiled = step == 1 && scale == count;
      if (scale < 1 || (!isTiled && count != 1))
        return failure();
      step = isTiled ? 1 : scale;
      count *= trips[*loop];
      group.push_back(order.size());
      order.push_back(llvm::find(all, *loop) - all.begin());
    }
    if (!dropped.test(d)) {
      group.push_back(order.size());
      order.push_back(own++);
    }
    // What is out of range is the loop's error.
    if (step < 1 || start < 0 || start + (count - 1) * step >= type.getDimSize(d))
      return failure();
    starts.push_back(start);
    counts.push_back(count);
    steps.push_back(step);
    isWhole &= start == 0 && step == 1 && count == type.getDimSize(d) && !group.empty();
    isJoined |= group.size() > 1;
    if (!group.empty())
      groups.push_back(group);
  }
  if (used.count() != all.size())
    return failure();
  Value value = transpose(builder, loc, *source, SmallVector<int64_t>(order.begin(), order.end()));
  if (isJoined)
    value = tensor::CollapseShapeOp::create(builder, loc, value, groups);
  if (isWhole)
    return value;
  MLIRContext *c = context;
  return tensor::InsertSliceOp::create(builder, loc, value, dest, getAsIndexOpFoldResult(c, starts),
                                       getAsIndexOpFoldResult(c, counts),
                                       getAsIndexOpFoldResult(c, steps))
      .getResult();
}

FailureOr<Value> Batch::reduce(Value value, Value init, Block &combiner) {
  FailureOr<Value> source = broadcast(value, all);
  if (failed(source))
    return failure();
  Location loc = value.getLoc();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (Operation &op : combiner.without_terminator()) {
    bool isTaken = type ? OpTrait::hasElementwiseMappableTraits(&op)
                        : op.getNumRegions() == 0 && isMemoryEffectFree(&op);
    if (!isTaken || llvm::any_of(op.getOperands(), [&](Value operand) { return varies(operand); }))
      return failure();
    auto isAlike = [&](Value operand) {
      auto other = dyn_cast<RankedTensorType>(operand.getType());
      return static_cast<bool>(other) == static_cast<bool>(type) &&
             (!type ||
              (other.getShape() == type.getShape() && operand.getParentBlock() == &combiner));
    };
    if (!llvm::all_of(op.getOperands(), isAlike))
      return failure();
  }
  unsigned rank = type ? type.getRank() : 0, numLoops = all.size() + rank;
  Value before = init;
  if (!type)
    before = tensor::FromElementsOp::create(builder, loc,
                                            RankedTensorType::get({}, value.getType()), init);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  SmallVector<AffineMap> maps = {AffineMap::getMultiDimIdentityMap(numLoops, context),
                                 getMap(all, {}, identity)};
  SmallVector<utils::IteratorType> iterators(all.size(), utils::IteratorType::reduction);
  iterators.append(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
    IRMapping inside = mapping;
    inside.map(combiner.getArgument(0), args[1]);
    inside.map(combiner.getArgument(1), args[0]);
    for (Operation &op : combiner.without_terminator())
      cloneOnScalars(nested, &op, inside);
    Value next = inside.lookupOrDefault(combiner.getTerminator()->getOperand(0));
    linalg::YieldOp::create(nested, at, next);
  };
  Value made = linalg::GenericOp::create(builder, loc, before.getType(), *source, before, maps,
                                         iterators, body)
                   .getResult(0);
  if (type)
    return made;
  return tensor::ExtractOp::create(builder, loc, made, ValueRange()).getResult();
}
