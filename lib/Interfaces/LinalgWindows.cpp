//===- LinalgWindows.cpp - Convolutions and other windowed loops -----------===//
//
// A loop whose dimension of the input is indexed together with others (o + k of
// a convolution, n - 1 - i of a reverse) cannot be cut in place: blocks of the
// result read overlapping rows. So the loop is written as blocks: for k blocks of
// b iterations,
//
//   y[o] += x[s*o + k] * w[k]                x: n rows
//   y'[r, o'] += x'[r, s*o' + k] * w[k]      x': k x (s*(b-1) + extent of k) rows
//
// where x' is a window of x and y a window of y'. Each block is then one step of a
// dimension of its own, which is cut like any other.
//
//===----------------------------------------------------------------------===//

#include "PaddingGuards.h"
#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
/// A dimension of an operand that is indexed by scale * loop + rest, the rest
/// being between two numbers.
struct WindowExpr {
  int64_t scale = 0;
  int64_t low = 0, high = 0;
};
} // namespace

/// The expression in terms of the loop, or failure where it is not affine in that
/// sense. `sizes` are the numbers of iterations of all loops.
static FailureOr<WindowExpr> getWindowExpr(AffineExpr expr, unsigned loop,
                                           ArrayRef<int64_t> sizes) {
  SimpleAffineExprFlattener flattener(sizes.size(), /*numSymbols=*/0);
  if (failed(flattener.walkPostOrder(expr)) || flattener.operandExprStack.size() != 1 ||
      flattener.numLocals != 0)
    return failure();
  ArrayRef<int64_t> row = flattener.operandExprStack.back();
  WindowExpr window;
  window.low = window.high = row.back();
  for (auto [i, coefficient, size] : llvm::enumerate(row.drop_back(), sizes)) {
    if (i == loop) {
      window.scale = coefficient;
      continue;
    }
    int64_t reach = coefficient * (size - 1);
    (reach < 0 ? window.low : window.high) += reach;
  }
  return window;
}

bool tp::isWindowLoop(linalg::LinalgOp op, unsigned loop, ArrayRef<AffineMap> maps) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, 0))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned count = 0;
    for (AffineExpr expr : maps[operand.getOperandNumber()].getResults()) {
      if (!expr.isFunctionOfDim(loop))
        continue;
      ++count;
      if (!isa<AffineDimExpr>(expr) &&
          (op.isDpsInit(&operand) || failed(getWindowExpr(expr, loop, sizes))))
        return false;
    }
    if (count > 1 || (count == 0 && op.isDpsInit(&operand)))
      return false;
  }
  return true;
}

Value tp::createSplit(OpBuilder &builder, Location loc, Value value, unsigned dim, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= count;
  shape.insert(shape.begin() + dim, count);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, n = type.getRank(), at = 0; i < n; ++i) {
    groups.push_back({at++});
    if (i == dim)
      groups.back().push_back(at++);
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value, groups);
}

Value tp::createJoin(OpBuilder &builder, Location loc, Value value, unsigned dim) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, n = shape.size(), at = 0; i < n; ++i) {
    groups.push_back({at++});
    if (i == dim)
      groups.back().push_back(at++);
  }
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), value, groups);
}

/// Whether iterations past the end of a block might not be harmless: the body is
/// undefined for some operands, or looks up elements elsewhere.
static bool mayTrap(linalg::LinalgOp op) {
  bool found = false;
  op.getBlock()->walk([&](Operation *nested) {
    found |= getOperandThatMayTrap(nested).has_value() || isa<tensor::ExtractOp>(nested);
  });
  return found;
}

FailureOr<SmallVector<Value>> tp::createBlocked(OpBuilder &builder, linalg::LinalgOp op,
                                                unsigned factor, const DimSharding &cut,
                                                ArrayRef<Sharding> shardings,
                                                ArrayRef<Sharding> resultShardings) {
  Location loc = op.getLoc();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t n = sizes[factor], count = cut.count(), rows = cut.localSize(n);
  SmallVector<ShardBlock> blocks = cut.allBlocks(n);
  bool isFull = rows * count == n;
  bool isRegular = true; // Block r begins at r * rows.
  for (auto [r, block] : llvm::enumerate(blocks))
    isRegular &= block.size == 0 || block.offset == static_cast<int64_t>(r) * rows;
  bool usesIndex = llvm::any_of(op.getBlock()->getOps<linalg::IndexOp>(),
                                [&](linalg::IndexOp i) { return i.getDim() == factor; });
  if ((!isFull && mayTrap(op)) || (!isRegular && usesIndex))
    return failure();
  WindowBuilder windows(builder, op);
  // Blocks are of equal size where each has the rows that it needs.
  SmallVector<Cut> even(cut.cuts.begin(), cut.cuts.end());
  for (Cut &one : even)
    one.granule = 1;

  // Loops behind `factor` move up by one; `factor` itself is the block, the next
  // one the row in it.
  unsigned numLoops = sizes.size() + 1;
  auto moved = [&](unsigned loop) {
    return builder.getAffineDimExpr(loop < factor ? loop : loop + 1);
  };
  SmallVector<AffineExpr> replacements;
  for (unsigned loop = 0; loop + 1 < numLoops; ++loop)
    replacements.push_back(moved(loop));
  SmallVector<AffineMap> blockedMaps;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    SmallVector<AffineExpr> exprs;
    for (auto [dim, expr] : llvm::enumerate(maps[operand.getOperandNumber()].getResults())) {
      AffineExpr replaced = expr.replaceDims(replacements);
      if (!expr.isFunctionOfDim(factor)) {
        exprs.push_back(replaced);
        continue;
      }
      FailureOr<WindowExpr> window = getWindowExpr(expr, factor, sizes);
      if (failed(window))
        return failure();
      auto type = cast<RankedTensorType>(value.getType());
      // What `iterations` of a block reach, and what they are counted from.
      auto reach = [&](int64_t iterations) {
        return std::abs(window->scale) * (iterations - 1) + window->high - window->low + 1;
      };
      int64_t width = reach(rows);
      SmallVector<WindowSegment> segments;
      for (const ShardBlock &block : blocks) {
        int64_t wanted = block.size == 0 ? 0 : reach(block.size);
        int64_t last = window->scale < 0 ? block.size - 1 : 0;
        int64_t begin = window->scale * (block.offset + last) + window->low;
        // Where scale is negative, later iterations read earlier rows: what a
        // short block lacks lies in front.
        WindowSegment own{begin, wanted}, rest{type.getDimSize(dim), width - wanted};
        if (window->scale < 0)
          std::swap(own, rest);
        segments.append({own, rest});
      }
      WindowMap map(type.getDimSize(dim), segments);
      value = windows.create(value, dim, map, /*fill=*/{},
                             withCuts(shardings[operand.getOperandNumber()], dim, even));
      value = createSplit(builder, loc, value, dim, count);
      exprs.push_back(builder.getAffineDimExpr(factor));
      int64_t base = window->low + (window->scale < 0 ? window->scale * (rows - 1) : 0);
      exprs.push_back(replaced - base);
    }
    operands.push_back(value);
    blockedMaps.push_back(AffineMap::get(numLoops, 0, exprs, builder.getContext()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + factor, utils::IteratorType::parallel);
  ValueRange inputs = ValueRange(operands).take_front(op.getNumDpsInputs());
  ValueRange inits = ValueRange(operands).drop_front(op.getNumDpsInputs());
  auto body = [&](OpBuilder &nested, Location, ValueRange args) {
    IRMapping mapping;
    mapping.map(op.getBlock()->getArguments(), args);
    for (Operation &old : *op.getBlock()) {
      auto index = dyn_cast<linalg::IndexOp>(old);
      if (!index) {
        nested.clone(old, mapping);
        continue;
      }
      unsigned loop = index.getDim();
      Location at = index.getLoc();
      Value value = linalg::IndexOp::create(nested, at, loop < factor ? loop : loop + 1);
      if (loop == factor) {
        Value block = linalg::IndexOp::create(nested, at, factor);
        Value size = arith::ConstantIndexOp::create(nested, at, rows);
        Value first = arith::MulIOp::create(nested, at, block, size);
        value = arith::AddIOp::create(nested, at, first, value);
      }
      mapping.map(index.getResult(), value);
    }
  };
  auto blocked = linalg::GenericOp::create(builder, loc, inits.getTypes(), inputs, inits,
                                           blockedMaps, iterators, body);

  SmallVector<Value> results;
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    Value value = blocked.getResult(i);
    for (auto [dim, expr] : llvm::enumerate(maps[init.getOperandNumber()].getResults()))
      if (expr.isFunctionOfDim(factor)) {
        SmallVector<WindowSegment> segments;
        for (auto [r, block] : llvm::enumerate(blocks))
          segments.push_back({static_cast<int64_t>(r) * rows, block.size});
        value = createJoin(builder, loc, value, dim);
        windows.want(value, withCuts(resultShardings[i], dim, even));
        value = windows.create(value, dim, WindowMap(count * rows, segments), /*fill=*/{},
                               resultShardings[i]);
      }
    results.push_back(value);
  }
  return results;
}
