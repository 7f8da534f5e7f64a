//===- RaiseScans.cpp - Masked reductions are running ones -----------------===//
//
// A cumulative sum is written as a reduction over all rows of which a mask keeps those up
// to each one, in one op or in two:
//
//   y[i] = sum over j of (i >= j ? x[j] : 0)
//
// The same with products and maxima, from each row on, and without the row itself.
//
//===----------------------------------------------------------------------===//

#include "RaiseGenerics.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/RunningReduction.h"
#include "tp/Interfaces/Transpose.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// What a mask keeps of a value, in the loops of an op that reads both.
struct Masked {
  Value source;
  AffineMap map; ///< of the source
  unsigned big;  ///< rows with index(big) >= index(small) are kept
  unsigned small;
  TypedAttr other; ///< what is in place of the others
  bool isStrict;   ///< equal indices are not kept
};

/// The loop whose index a value of the body is, in whatever type.
std::optional<unsigned> getLoop(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? std::optional<unsigned>(index.getDim()) : std::nullopt;
}

/// `value` of the op's body as an input that is masked by two loops.
std::optional<Masked> getMasked(linalg::LinalgOp op, Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare || select->getBlock() != op.getBlock())
    return std::nullopt;
  std::optional<unsigned> a = getLoop(compare.getLhs()), b = getLoop(compare.getRhs());
  Value kept = select.getTrueValue(), other = select.getFalseValue();
  arith::CmpIPredicate predicate = compare.getPredicate();
  Masked masked;
  if (!matchPattern(other, m_Constant(&masked.other))) {
    std::swap(kept, other);
    predicate = arith::invertPredicate(predicate);
    if (!matchPattern(other, m_Constant(&masked.other)))
      return std::nullopt;
  }
  auto input = dyn_cast<BlockArgument>(kept);
  if (!a || !b || !input || input.getOwner() != op.getBlock() ||
      input.getArgNumber() >= static_cast<unsigned>(op.getNumDpsInputs()))
    return std::nullopt;
  using P = arith::CmpIPredicate;
  bool isLess = predicate == P::sle || predicate == P::ule;
  masked.isStrict =
      predicate == P::slt || predicate == P::ult || predicate == P::sgt || predicate == P::ugt;
  if (isLess || predicate == P::slt || predicate == P::ult)
    std::swap(a, b);
  else if (!masked.isStrict && predicate != P::sge && predicate != P::uge)
    return std::nullopt;
  masked.big = *a;
  masked.small = *b;
  OpOperand &operand = op->getOpOperand(input.getArgNumber());
  masked.source = operand.get();
  masked.map = op.getMatchingIndexingMap(&operand);
  return masked;
}

/// The same of an operand of `op` that is masked by the op that makes it.
std::optional<Masked> getMaskedOperand(linalg::LinalgOp op, OpOperand &operand) {
  auto mask = operand.get().getDefiningOp<linalg::LinalgOp>();
  AffineMap read = op.getMatchingIndexingMap(&operand);
  if (!mask || mask->getNumResults() != 1 || mask.getNumReductionLoops() != 0 ||
      !mask.hasPureTensorSemantics() || isAnnotated(mask) || !read.isProjectedPermutation() ||
      !mask.getMatchingIndexingMap(mask.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  std::optional<Masked> masked = getMasked(mask, mask.getBlock()->getTerminator()->getOperand(0));
  if (!masked)
    return std::nullopt;
  masked->map = masked->map.compose(read);
  masked->big = read.getDimPosition(masked->big);
  masked->small = read.getDimPosition(masked->small);
  return masked;
}

bool raiseMasked(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != 1)
    return false;
  // One kind of reduction, of the accumulator and of what is masked.
  BlockArgument accumulator = op.getRegionOutputArgs()[0];
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || !accumulator.hasOneUse() || *accumulator.user_begin() != combiner ||
      combiner->getNumOperands() != 2)
    return false;
  std::optional<ReductionKind> kind = getReductionKind(combiner);
  Value element = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
  if (!kind)
    return false;
  std::optional<Masked> masked = getMasked(op, element);
  auto input = dyn_cast<BlockArgument>(element);
  if (!masked && input && input.getOwner() == op.getBlock() && input != accumulator)
    masked = getMaskedOperand(op, op->getOpOperand(input.getArgNumber()));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!masked || getElementTypeOrSelf(masked->source.getType()) != type.getElementType())
    return false;
  TypedAttr neutral = getNeutralElement(*kind, type.getElementType());
  auto number = dyn_cast<FloatAttr>(masked->other);
  // Zeros of both signs are ignored by sums.
  if (masked->other != neutral &&
      !(number && *kind == ReductionKind::Sum && number.getValue().isZero()))
    return false;

  // The reduction runs over the rows, a loop of the result over those that end a sum.
  auto isReduction = [&](unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  };
  bool isReverse = isReduction(masked->big);
  unsigned row = isReverse ? masked->small : masked->big;
  unsigned column = isReverse ? masked->big : masked->small;
  AffineMap made = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!isReduction(column) || isReduction(row) || sizes[row] != sizes[column] ||
      !made.isProjectedPermutation() || !masked->map.isProjectedPermutation() ||
      made.getNumResults() != masked->map.getNumResults())
    return false;
  SmallVector<int64_t> order;
  unsigned dim = 0;
  for (auto [d, expr] : llvm::enumerate(made.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (loop == row)
      dim = d;
    std::optional<unsigned> from =
        masked->map.getResultPosition(rewriter.getAffineDimExpr(loop == row ? column : loop));
    if (!from)
      return false;
    order.push_back(*from);
  }
  if (!llvm::is_contained(made.getResults(), rewriter.getAffineDimExpr(row)))
    return false;
  rewriter.setInsertionPoint(op);
  Value source = transpose(rewriter, op.getLoc(), masked->source, order);
  Value running = createRunningReduction(rewriter, op.getLoc(), source, dim, isReverse, combiner,
                                         op.getDpsInits()[0], masked->isStrict);
  replaceWithAnnotations(rewriter, op, running);
  return true;
}

} // namespace

bool tp::raiseScans(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(function.getContext());
  bool changed = false;
  for (linalg::LinalgOp op : ops)
    changed |= raiseMasked(rewriter, op);
  return changed;
}
