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
  auto newType = RankedTensorType::get({steps, heads, depth}, element);
  auto rowType = RankedTensorType::get({heads, steps, depth}, element);
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(b.getContext(), values);
  };
  auto writeRow = [&](LinalgBuilder &n, Value row, Value cache) -> Value {
    SmallVector<OpFoldResult> offsets = attributes({0, 0, 0, 0});
    offsets[0] = getAsOpFoldResult(row);
    Value fresh = tensor::ExtractSliceOp::create(n, newType, getUpdate(), offsets,
                                                 attributes({1, steps, heads, depth}), ones);
    Value number = tensor::ExtractOp::create(n, getPos(), row);
    offsets[2] = arith::IndexCastOp::create(n, n.getIndexType(), number).getResult();
    SmallVector<OpFoldResult> sizes = attributes({1, heads, steps, depth});
    Value place = tensor::ExtractSliceOp::create(n, rowType, cache, offsets, sizes, ones);
    Value written =
        linalg::TransposeOp::create(n, fresh, place, ArrayRef<int64_t>{1, 0, 2})->getResult(0);
    return tensor::InsertSliceOp::create(n, written, cache, offsets, sizes, ones);
  };
  if (batch == 1)
    return SmallVector<Value>{writeRow(b, b.index(0), getCache())};
  auto rows =
      scf::ForOp::create(b, b.index(0), b.index(batch), b.index(1), getCache(),
                         [&](OpBuilder &builder, Location loc, Value row, ValueRange carried) {
                           LinalgBuilder n(loc, builder);
                           Value written = writeRow(n, row, carried[0]);
                           scf::YieldOp::create(n, written);
                         });
  return SmallVector<Value>{rows.getResult(0)};
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
  SmallVector<unsigned> row = loopRange(0, 4), score = loopRange(0, 5);
  SmallVector<unsigned> queryMap = {0, 3, 1, 2, 5}, cacheMap = {0, 1, 4, 5};

  Value zero = b.real(wide, 0.0);
  ArrayAttr maps =
      b.getAffineMapArrayAttr({b.map(6, queryMap), b.map(6, cacheMap), b.map(6, score)});
  Value products = linalg::ContractOp::create(b, ValueRange{getQuery(), getKey()},
                                              ValueRange{b.filled(scoreShape, zero)}, maps)
                       ->getResult(0);
  /// Whether the query of loop 3 sees the position of loop 4.
  auto sees = [this](LinalgBuilder &n, Value start) -> Value {
    Value position = arith::IndexCastOp::create(n, n.getI64Type(), linalg::IndexOp::create(n, 4));
    if (getBidirectional())
      return arith::CmpIOp::create(n, arith::CmpIPredicate::slt, position, start);
    Value step = arith::IndexCastOp::create(n, n.getI64Type(), linalg::IndexOp::create(n, 3));
    Value last = arith::AddIOp::create(n, start, step);
    Value inPast = arith::CmpIOp::create(n, arith::CmpIPredicate::sle, position, last);
    if (!getWindow())
      return inPast;
    Value size = arith::ConstantIntOp::create(n, n.getI64Type(), *getWindow());
    Value before = arith::SubIOp::create(n, last, size);
    Value inWindow = arith::CmpIOp::create(n, arith::CmpIPredicate::sgt, position, before);
    return arith::AndIOp::create(n, inPast, inWindow);
  };
  Value masked =
      b.generic(5, {}, ValueRange{products, getPos()}, b.empty(scoreShape, wide),
                {score, {0}, score}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value scaled = n.mul(args[0], n.real(wide, factor));
                  Value visible = sees(n, args[1]);
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
                          Value visible = sees(n, args[2]);
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
