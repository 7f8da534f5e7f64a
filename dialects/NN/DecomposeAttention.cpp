//===- DecomposeAttention.cpp - KV cache and attention -------------------===//

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::nn;

/// Row by row of the batch, the new positions, [S, K, D] to [K, S, D], are
/// written over a slice of the cache. Extracting the slice as destination and
/// inserting it where it came from lets bufferization write in place; rows are a
/// loop, so that code does not grow with the batch.
FailureOr<SmallVector<Value>> CacheUpdateOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  ArrayRef<int64_t> update = shapeOf(getUpdate());
  int64_t batch = update[0], steps = update[1], heads = update[2], depth = update[3];
  Type element = elementOf(getCache());
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(b.getContext(), values);
  };
  auto insertRow = [&](LinalgBuilder &n, Value row, Value cache, Value fresh, OpFoldResult first,
                       ArrayRef<int64_t> shape) -> Value {
    SmallVector<OpFoldResult> offsets = attributes({0, 0, 0, 0});
    offsets[0] = getAsOpFoldResult(row);
    offsets[2] = first;
    SmallVector<OpFoldResult> sizes = attributes({1, shape[0], shape[1], shape[2]});
    Value place = tensor::ExtractSliceOp::create(n, RankedTensorType::get(shape, element), cache,
                                                 offsets, sizes, ones);
    Value written =
        linalg::TransposeOp::create(n, fresh, place, ArrayRef<int64_t>{1, 0, 2})->getResult(0);
    return tensor::InsertSliceOp::create(n, written, cache, offsets, sizes, ones);
  };
  auto takeSteps = [&](LinalgBuilder &n, Value row, OpFoldResult first, int64_t count) -> Value {
    SmallVector<OpFoldResult> offsets = attributes({0, 0, 0, 0});
    offsets[0] = getAsOpFoldResult(row);
    offsets[1] = first;
    return tensor::ExtractSliceOp::create(n, RankedTensorType::get({count, heads, depth}, element),
                                          getUpdate(), offsets,
                                          attributes({1, count, heads, depth}), ones);
  };
  auto positionOf = [&](LinalgBuilder &n, Value row) -> Value {
    Value number = tensor::ExtractOp::create(n, getPos(), row);
    return arith::IndexCastOp::create(n, n.getIndexType(), number);
  };
  auto writeRow = [&](LinalgBuilder &n, Value row, Value cache) -> Value {
    Value fresh = takeSteps(n, row, n.getIndexAttr(0), steps);
    return insertRow(n, row, cache, fresh, positionOf(n, row), {heads, steps, depth});
  };
  // One by one those steps whose positions are in the block.
  auto writeBlock = [&](LinalgBuilder &n, Value row, Value cache) -> Value {
    Value position = positionOf(n, row);
    position.getDefiningOp()->setAttr(
        kIndexBoundAttr, n.getIndexAttr(static_cast<int64_t>(*getCapacity()) - steps + 1));
    Value before = arith::SubIOp::create(n, getPositionOffset(), position);
    Value after = arith::AddIOp::create(n, before, n.index(shapeOf(getCache())[2]));
    auto clamp = [&](Value value) -> Value {
      value = arith::MaxSIOp::create(n, value, n.index(0));
      return arith::MinSIOp::create(n, value, n.index(steps));
    };
    auto loop = scf::ForOp::create(
        n, clamp(before), clamp(after), n.index(1), cache,
        [&](OpBuilder &builder, Location loc, Value step, ValueRange carried) {
          LinalgBuilder m(loc, builder);
          Value fresh = takeSteps(m, row, step, 1);
          Value first = arith::SubIOp::create(m, step, before);
          scf::YieldOp::create(m, insertRow(m, row, carried[0], fresh, first, {heads, 1, depth}));
        });
    return loop.getResult(0);
  };
  auto write = [&](LinalgBuilder &n, Value row, Value cache) {
    return getPositionOffset() ? writeBlock(n, row, cache) : writeRow(n, row, cache);
  };
  if (batch == 1)
    return SmallVector<Value>{write(b, b.index(0), getCache())};
  auto rows =
      scf::ForOp::create(b, b.index(0), b.index(batch), b.index(1), getCache(),
                         [&](OpBuilder &builder, Location loc, Value row, ValueRange carried) {
                           LinalgBuilder n(loc, builder);
                           Value written = write(n, row, carried[0]);
                           scf::YieldOp::create(n, written);
                         });
  return SmallVector<Value>{rows.getResult(0)};
}

/// Whether the query of loop `step` sees the position of loop `position`, of what attention,
/// over blocks or not, says. `start` is the row's position or count.
template <typename OpTy>
static Value sees(OpTy op, LinalgBuilder &n, unsigned step, unsigned position, Value start) {
  auto number = [&](unsigned loop, Value offset) -> Value {
    Value index = linalg::IndexOp::create(n, loop);
    if (offset)
      index = arith::AddIOp::create(n, index, offset);
    return arith::IndexCastOp::create(n, n.getI64Type(), index);
  };
  Value positionOffset, isThere;
  if constexpr (std::is_same_v<OpTy, AttentionBlocksOp>) {
    positionOffset = op.getPositionOffset();
    if (op.getExtent())
      isThere = arith::CmpIOp::create(n, arith::CmpIPredicate::slt,
                                      linalg::IndexOp::create(n, position), op.getExtent());
  }
  auto andThere = [&](Value condition) -> Value {
    return isThere ? arith::AndIOp::create(n, condition, isThere).getResult() : condition;
  };
  Value at = number(position, positionOffset);
  if (op.getBidirectional())
    return andThere(arith::CmpIOp::create(n, arith::CmpIPredicate::slt, at, start));
  Value last = arith::AddIOp::create(n, start, number(step, op.getStepOffset()));
  Value inPast = andThere(arith::CmpIOp::create(n, arith::CmpIPredicate::sle, at, last));
  if (!op.getWindow())
    return inPast;
  Value size = arith::ConstantIntOp::create(n, n.getI64Type(), *op.getWindow());
  Value before = arith::SubIOp::create(n, last, size);
  Value inWindow = arith::CmpIOp::create(n, arith::CmpIPredicate::sgt, at, before);
  return arith::AndIOp::create(n, inPast, inWindow);
}

/// query . key of all positions, [B, K, G, S, T]. Loops: b 0, k 1, g 2, s 3, t 4, d 5.
template <typename OpTy> static Value createProducts(OpTy op, LinalgBuilder &b) {
  ArrayRef<int64_t> query = shapeOf(op.getQuery());
  SmallVector<int64_t> shape = {query[0], query[2], query[3], query[1], shapeOf(op.getKey())[2]};
  ArrayAttr maps = b.getAffineMapArrayAttr(
      {b.map(6, {0, 3, 1, 2, 5}), b.map(6, {0, 1, 4, 5}), b.map(6, {0, 1, 2, 3, 4})});
  Value zero = b.real(b.wide(elementOf(op.getQuery())), 0.0);
  return linalg::ContractOp::create(b, ValueRange{op.getQuery(), op.getKey()},
                                    ValueRange{b.filled(shape, zero)}, maps)
      ->getResult(0);
}

/// Scores of all positions, softmax over the visible ones, weighted sum. What
/// lies in the cache where a query does not look does not matter, NaN included.
/// Loops: b 0, k 1, g 2, s 3, t 4, d 5.
FailureOr<SmallVector<Value>> AttentionOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  ArrayRef<int64_t> query = shapeOf(getQuery());
  int64_t batch = query[0], steps = query[1], heads = query[2], group = query[3];
  int64_t capacity = shapeOf(getKey())[2];
  Type element = elementOf(getQuery()), wide = b.wide(element);
  double factor = getScale().convertToDouble();
  SmallVector<int64_t> rowShape = {batch, heads, group, steps};
  SmallVector<int64_t> scoreShape = {batch, heads, group, steps, capacity};
  SmallVector<unsigned> row = loopRange(0, 4), score = loopRange(0, 5), cacheMap = {0, 1, 4, 5};

  Value zero = b.real(wide, 0.0), products = createProducts(*this, b);
  Value masked =
      b.generic(5, {}, ValueRange{products, getPos()}, b.empty(scoreShape, wide),
                {score, {0}, score}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value scaled = n.mul(args[0], n.real(wide, factor));
                  Value visible = sees(*this, n, 3, 4, args[1]);
                  return {arith::SelectOp::create(n, visible, scaled, n.lowest(wide))};
                })[0];
  Value largest = b.generic(5, {4}, masked, b.filled(rowShape, b.lowest(wide)), {score, row},
                            [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                              return {arith::MaximumFOp::create(n, args[0], args[1])};
                            })[0];
  Value weights =
      b.generic(5, {}, ValueRange{masked, largest}, b.empty(scoreShape, wide), {score, row, score},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  return {math::ExpOp::create(n, n.sub(args[0], args[1]))};
                })[0];
  Value total = b.generic(5, {4}, weights, b.filled(rowShape, zero), {score, row},
                          [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                            return {n.add(args[0], args[1])};
                          })[0];
  SmallVector<int64_t> sumShape(query);
  SmallVector<unsigned> resultMap = {0, 3, 1, 2, 5};
  Value sum = b.generic(6, {4}, ValueRange{weights, getValue(), getPos()}, b.filled(sumShape, zero),
                        {score, cacheMap, {0}, resultMap},
                        [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                          Value product = n.mul(args[0], n.convert(args[1], wide));
                          Value visible = sees(*this, n, 3, 4, args[2]);
                          Value term =
                              arith::SelectOp::create(n, visible, product, n.real(wide, 0.0));
                          return {n.add(args[3], term)};
                        })[0];
  // Loops: b 0, s 1, k 2, g 3, d 4.
  return SmallVector<Value>{
      b.generic(5, {}, ValueRange{sum, total}, b.empty(query, element),
                {loopRange(0, 5), {0, 2, 3, 1}, loopRange(0, 5)},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  return {n.convert(arith::DivFOp::create(n, args[0], args[1]), element)};
                })[0]};
}

/// As attention, per block and without the division. Loops: c 0, b 1, k 2, g 3, s 4, t 5, d 6.
FailureOr<SmallVector<Value>> AttentionBlocksOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  ArrayRef<int64_t> query = shapeOf(getQuery()), sumShape = shapeOf(getSums());
  int64_t blocks = sumShape[0], batch = query[0], steps = query[1], heads = query[2];
  int64_t group = query[3], depth = query[4], positions = shapeOf(getKey())[2];
  int64_t size = llvm::divideCeil(positions, blocks);
  Type wide = elementOf(getSums());
  SmallVector<unsigned> row = {0, 1, 4, 2, 3}, score = loopRange(0, 6), product = loopRange(1, 6);
  Value products = createProducts(*this, b), lowest = b.lowest(wide), zero = b.real(wide, 0.0);
  auto isSeen = [&](LinalgBuilder &n, Value start) -> Value {
    Value visible = sees(*this, n, 4, 5, start);
    if (blocks == 1)
      return visible;
    Value block = arith::DivSIOp::create(n, linalg::IndexOp::create(n, 5), n.index(size));
    Value isOwn =
        arith::CmpIOp::create(n, arith::CmpIPredicate::eq, block, linalg::IndexOp::create(n, 0));
    return arith::AndIOp::create(n, visible, isOwn);
  };
  Value masked = b.generic(
      6, {}, ValueRange{products, getPos()},
      b.empty({blocks, batch, heads, group, steps, positions}, wide), {product, {1}, score},
      [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        Value scaled = n.mul(args[0], n.real(wide, getScale().convertToDouble()));
        return {arith::SelectOp::create(n, isSeen(n, args[1]), scaled, lowest)};
      })[0];
  Value largest = b.generic(6, {5}, masked, b.filled(shapeOf(getLargest()), lowest), {score, row},
                            [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                              return {arith::MaximumFOp::create(n, args[0], args[1])};
                            })[0];
  Value weights =
      b.generic(6, {}, ValueRange{masked, largest}, b.empty(shapeOf(masked), wide),
                {score, row, score}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value isLowest =
                      arith::CmpFOp::create(n, arith::CmpFPredicate::OEQ, args[0], lowest);
                  Value weight = math::ExpOp::create(n, n.sub(args[0], args[1]));
                  return {arith::SelectOp::create(n, isLowest, zero, weight)};
                })[0];
  SmallVector<int64_t> partShape(sumShape);
  partShape.back() = 1;
  SmallVector<unsigned> totalMap = row, mixMap = row;
  // A loop of one trip in place of d.
  totalMap.push_back(6);
  mixMap.push_back(6);
  Value one = b.empty({1}, wide);
  Value total =
      b.generic(7, {5}, ValueRange{weights, one}, b.filled(partShape, zero), {score, {6}, totalMap},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  return {n.add(args[2], args[0])};
                })[0];
  partShape.back() = depth;
  Value mixed = b.generic(7, {5}, ValueRange{weights, getValue(), getPos()},
                          b.filled(partShape, zero), {score, {1, 2, 5, 6}, {1}, mixMap},
                          [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                            Value product = n.mul(args[0], n.convert(args[1], wide));
                            Value term =
                                arith::SelectOp::create(n, isSeen(n, args[2]), product, zero);
                            return {n.add(args[3], term)};
                          })[0];
  SmallVector<OpFoldResult> offsets(6, b.getIndexAttr(0)), ones(6, b.getIndexAttr(1));
  Value sums = b.empty(sumShape, wide);
  for (Value part : {mixed, total}) {
    sums = tensor::InsertSliceOp::create(
        b, part, sums, offsets, getAsIndexOpFoldResult(b.getContext(), shapeOf(part)), ones);
    offsets.back() = b.getIndexAttr(depth);
  }
  return SmallVector<Value>{sums, largest};
}

/// Loops: b 0, s 1, k 2, g 3, d 4, c 5.
FailureOr<SmallVector<Value>> AttentionMergeOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Type wide = type.getElementType();
  Value zero = b.real(wide, 0.0);
  return SmallVector<Value>{b.generic(
      6, {5}, ValueRange{getSums(), getLargest(), getLimit()}, b.filled(type.getShape(), zero),
      {{5, 0, 1, 2, 3, 4}, {5, 0, 1, 2, 3}, {0, 1, 2, 3}, loopRange(0, 5)},
      [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        Value seesNone =
            arith::CmpFOp::create(n, arith::CmpFPredicate::OEQ, args[1], n.lowest(wide));
        Value scale = math::ExpOp::create(n, n.sub(args[1], args[2]));
        Value term = arith::SelectOp::create(n, seesNone, zero, n.mul(args[0], scale));
        return {n.add(args[3], term)};
      })[0]};
}

FailureOr<SmallVector<Value>> AttentionFinishOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Type element = type.getElementType();
  auto input = cast<RankedTensorType>(getInput().getType());
  SmallVector<OpFoldResult> offsets(5, b.getIndexAttr(0)), ones(5, b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  Value sums = tensor::ExtractSliceOp::create(b, input.clone(type.getShape()), getInput(), offsets,
                                              sizes, ones);
  offsets.back() = b.getIndexAttr(type.getShape().back());
  sizes.back() = b.getIndexAttr(1);
  Value total = tensor::ExtractSliceOp::create(b, input.clone(type.getShape().drop_back()),
                                               getInput(), offsets, sizes, ones);
  SmallVector<unsigned> all = loopRange(0, 5);
  return SmallVector<Value>{b.generic(
      5, {}, ValueRange{sums, total}, b.empty(type.getShape(), element),
      {all, loopRange(0, 4), all}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        return {n.convert(arith::DivFOp::create(n, args[0], args[1]), element)};
      })[0]};
}
