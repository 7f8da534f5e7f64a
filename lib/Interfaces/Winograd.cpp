//===- Winograd.cpp - Winograd transforms as contractions ------------------===//
//
// A transform takes each tile of a convolution on both sides to another basis,
// L x R. Over all tiles at once that is a contraction per side, whose other
// dimensions (batch, channels, tiles) are loops like any other:
//
//   filter   t[a, w, c, f] = sum_k G[a, k] x[f, k, w, c]
//            y[a, b, c, f] = sum_k t[a, k, c, f] G[b, k]
//   input    the same of x[n, m*t + k, w, c]: windows of rows
//   output   y[n, t*m + i, ...] += factor * A(x)
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// What a tile is multiplied by; null where it has one row or one column.
struct Matrices {
  DenseElementsAttr left, right;
  TypedAttr factor; ///< of an output
};

} // namespace

bool tp::isWinograd(Operation *op) {
  return isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
             linalg::WinogradOutputTransformOp>(op);
}

/// The matrices are those of upstream's loops, which take the op's place.
static FailureOr<Matrices> replaceByLoops(RewriterBase &rewriter, Operation *op,
                                          Operation *&loops) {
  FailureOr<Operation *> made =
      TypeSwitch<Operation *, FailureOr<Operation *>>(op)
          .Case([&](linalg::WinogradFilterTransformOp op) {
            return linalg::decomposeWinogradFilterTransformOp(rewriter, op);
          })
          .Case([&](linalg::WinogradInputTransformOp op) {
            return linalg::decomposeWinogradInputTransformOp(rewriter, op);
          })
          .Case([&](linalg::WinogradOutputTransformOp op) {
            return linalg::decomposeWinogradOutputTransformOp(rewriter, op);
          });
  if (failed(made))
    return failure();
  loops = *made;
  Matrices matrices;
  loops->walk([&](Operation *nested) {
    if (auto product = dyn_cast<linalg::MatmulOp>(nested)) {
      if (!matchPattern(product.getInputs()[0], m_Constant(&matrices.left)))
        matchPattern(product.getInputs()[1], m_Constant(&matrices.right));
    } else if (auto scale = dyn_cast<linalg::GenericOp>(nested)) {
      matchPattern(scale.getInputs()[0], m_Constant(&matrices.factor));
    }
  });
  return matrices;
}

/// result[d0, d1, ...] = sum over k of matrix * value[exprs], k the loop behind those of
/// the result; `matrix` may be null: then nothing is summed. The matrix is indexed by
/// `rows` and `columns`.
static Value contract(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, DenseElementsAttr matrix,
                      AffineExpr rows, AffineExpr columns, Value value,
                      ArrayRef<AffineExpr> exprs) {
  Type element = getElementTypeOrSelf(value);
  unsigned rank = shape.size(), numLoops = rank + (matrix ? 1 : 0);
  MLIRContext *context = b.getContext();
  SmallVector<Value> inputs = {value};
  SmallVector<AffineMap> maps = {AffineMap::get(numLoops, 0, exprs, context)};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(b, loc, shape, element);
  if (matrix) {
    inputs.insert(inputs.begin(), arith::ConstantOp::create(b, loc, matrix));
    maps.insert(maps.begin(), AffineMap::get(numLoops, 0, {rows, columns}, context));
    iterators.push_back(utils::IteratorType::reduction);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
  }
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  maps.back() = AffineMap::get(numLoops, 0, maps.back().getResults(), context);
  auto body = [](OpBuilder &nested, Location at, ValueRange args) {
    Value result = args[0];
    if (args.size() == 3) {
      result = arith::MulFOp::create(nested, at, args[0], args[1]);
      result = arith::AddFOp::create(nested, at, args[2], result);
    }
    linalg::YieldOp::create(nested, at, result);
  };
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps, iterators, body)
      .getResult(0);
}

LogicalResult tp::expandWinograd(RewriterBase &rewriter, Operation *op) {
  Location loc = op->getLoc();
  Value value = op->getOperand(0), output = op->getOperand(1);
  ArrayRef<int64_t> from = cast<RankedTensorType>(value.getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(output.getType()).getShape();
  bool isFilter = isa<linalg::WinogradFilterTransformOp>(op);
  bool isInput = isa<linalg::WinogradInputTransformOp>(op);
  Operation *loops = nullptr;
  FailureOr<Matrices> matrices = replaceByLoops(rewriter, op, loops);
  if (failed(matrices))
    return failure();
  auto [left, right, factor] = *matrices;
  rewriter.setInsertionPoint(loops);
  SmallVector<AffineExpr> d;
  for (unsigned loop = 0; loop < 7; ++loop)
    d.push_back(rewriter.getAffineDimExpr(loop));
  Value result;
  if (isFilter) {
    // x[f, h, w, c] -> t[a, w, c, f] -> y[a, b, c, f]
    Value half = contract(rewriter, loc, {to[0], from[2], from[3], from[0]}, left, d[0], d[4],
                          value, {d[3], left ? d[4] : d[0], d[1], d[2]});
    result = contract(rewriter, loc, to, right, d[4], d[1], half,
                      {d[0], right ? d[4] : d[1], d[2], d[3]});
  } else if (isInput) {
    // x[n, h, w, c] -> t[a, w, t, n, c] -> y[a, b, t, u, n, c], tiles of m rows apart.
    auto rows = [&](DenseElementsAttr matrix, int64_t size, int64_t tiles, AffineExpr tile,
                    AffineExpr k) {
      if (!matrix)
        return tile;
      int64_t width = matrix.getType().getDimSize(0);
      return tiles == 1 ? k : tile * ((size - width) / (tiles - 1)) + k;
    };
    Value half = contract(rewriter, loc, {to[0], from[2], to[2], to[4], to[5]}, left, d[0], d[5],
                          value, {d[3], rows(left, from[1], to[2], d[2], d[5]), d[1], d[4]});
    result = contract(rewriter, loc, to, right, d[6], d[1], half,
                      {d[0], rows(right, from[2], to[3], d[3], d[6]), d[2], d[4], d[5]});
  } else {
    // x[a, b, t, u, n, f] -> t[i, b, t, u, n, f] -> y[n, t, i, u, j, f]
    int64_t rows = to[1] / std::max<int64_t>(from[2], 1),
            columns = to[2] / std::max<int64_t>(from[3], 1);
    Value half = contract(rewriter, loc, {rows, from[1], from[2], from[3], from[4], from[5]}, left,
                          d[0], d[6], value, {left ? d[6] : d[0], d[1], d[2], d[3], d[4], d[5]});
    result = contract(rewriter, loc, {from[4], from[2], rows, from[3], columns, from[5]}, right,
                      d[6], d[4], half, {d[2], right ? d[6] : d[4], d[1], d[3], d[0], d[5]});
    SmallVector<ReassociationIndices> groups = {{0}, {1, 2}, {3, 4}, {5}};
    result = tensor::CollapseShapeOp::create(rewriter, loc, output.getType(), result, groups);
    // What was there before is added to.
    AffineMap identity = rewriter.getMultiDimIdentityMap(4);
    SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
    auto add = [scale = factor](OpBuilder &nested, Location at, ValueRange args) {
      Value term = args[0];
      if (scale)
        term =
            arith::MulFOp::create(nested, at, arith::ConstantOp::create(nested, at, scale), term);
      term = arith::AddFOp::create(nested, at, term, args[1]);
      linalg::YieldOp::create(nested, at, term);
    };
    result = linalg::GenericOp::create(rewriter, loc, output.getType(), result, output,
                                       {identity, identity}, iterators, add)
                 .getResult(0);
  }
  rewriter.replaceOp(loops, result);
  return success();
}
