//===- Updates.cpp - Rows written at a run-time position of a cut dimension -===//
//
// Where a dimension is cut, each rank writes the rows that are in its block. It takes so
// many rows of the block as may be written, puts the new ones among them in their place,
// and writes all back:
//
//   y = position - begin of the block            first = clamp(y, 0, block - held)
//   old = dest[first, first + held)
//   rows[j] = j + first - y in [0, count) ? source[j + first - y] : old[j]
//   dest[first, first + held) = rows
//
// With held = min(count, block) every row of the block that is to be written is among
// those, whatever the position: the rank has its block of what the insertion gives.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

namespace {

bool isNumber(Value value, int64_t number) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.getSExtValue() == number;
}

/// clamp(value, 0, high): the value that is limited, or null.
Value getClamped(Value clamped, int64_t high) {
  auto above = clamped.getDefiningOp<arith::MinSIOp>();
  auto below = above ? above.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  return below && isNumber(above.getRhs(), high) && isNumber(below.getRhs(), 0) ? below.getLhs()
                                                                                : Value();
}

/// Row i of dimension `dim` is row i + shift of `source`, if that is in [0, count).
struct Placement {
  Value source, shift;
  bool isSplat = false; ///< `source` is a scalar that all rows hold
  int64_t count = 0;
  llvm::SmallBitVector dropped; ///< dimensions that the source lacks
};

} // namespace

static std::optional<Placement> matchPlacement(linalg::GenericOp op, unsigned dim) {
  Placement placement;
  if (op.getNumDpsInputs() != 0 || op->getNumResults() != 1 ||
      !op.getIndexingMapsArray()[0].isIdentity() || op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isIndex = [&](Value value, unsigned loop) {
    auto index = value.getDefiningOp<linalg::IndexOp>();
    return (sizes[loop] == 1 && isNumber(value, 0)) || (index && index.getDim() == loop);
  };
  // select(row >= 0 and row < count, source[..., row, ...], old)
  auto select = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto both = select ? select.getCondition().getDefiningOp<arith::AndIOp>() : arith::AndIOp();
  auto past = both ? both.getLhs().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto below = both ? both.getRhs().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  APInt count;
  if (!past || !below || select.getFalseValue() != op.getBody()->getArgument(0) ||
      past.getPredicate() != arith::CmpIPredicate::sge ||
      below.getPredicate() != arith::CmpIPredicate::slt || past.getLhs() != below.getLhs() ||
      !isNumber(past.getRhs(), 0) || !matchPattern(below.getRhs(), m_ConstantInt(&count)))
    return std::nullopt;
  Value row = past.getLhs();
  placement.count = count.getSExtValue();
  placement.dropped.resize(sizes.size());
  auto add = row.getDefiningOp<arith::AddIOp>();
  if (add && (isIndex(add.getLhs(), dim) || isIndex(add.getRhs(), dim)))
    placement.shift = isIndex(add.getLhs(), dim) ? add.getRhs() : add.getLhs();
  else if (sizes[dim] == 1)
    placement.shift = row;
  if (!placement.shift)
    return std::nullopt;
  placement.source = select.getTrueValue();
  auto extract = placement.source.getDefiningOp<tensor::ExtractOp>();
  if (!extract) {
    placement.isSplat = placement.source.getParentBlock() != op.getBody();
    return placement.isSplat ? std::optional(placement) : std::nullopt;
  }
  placement.source = extract.getTensor();
  sizes[dim] = placement.count;
  auto dropped = computeRankReductionMask(sizes, extract.getTensor().getType().getShape());
  sizes = op.getStaticLoopRanges();
  if (!dropped)
    return std::nullopt;
  for (unsigned d : *dropped)
    placement.dropped.set(d);
  unsigned next = 0;
  for (unsigned d = 0; d < sizes.size(); ++d) {
    if (placement.dropped.test(d))
      continue;
    Value index = extract.getIndices()[next++];
    bool isRow = getClamped(index, placement.count - 1) == row ||
                 (placement.count == 1 && isNumber(index, 0));
    if (d == dim ? !isRow : !isIndex(index, d))
      return std::nullopt;
  }
  return placement;
}

bool Evaluator::evaluateUpdate(Operation *op) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  auto rows = insert ? insert.getSource().getDefiningOp<linalg::GenericOp>() : linalg::GenericOp();
  if (isSource || !rows || rows.getNumDpsInits() != 1)
    return false;
  // Rows are taken from where they are written to.
  auto old = rows.getOutputs()[0].getDefiningOp<tensor::ExtractSliceOp>();
  Value dest = insert.getDest();
  if (!old || old.getSource() != dest || insert.getDroppedDims().any() ||
      old.getDroppedDims().any() || old.getMixedOffsets() != insert.getMixedOffsets() ||
      old.getMixedSizes() != insert.getMixedSizes() ||
      old.getMixedStrides() != insert.getMixedStrides() ||
      ShapedType::isDynamicShape(insert.getStaticSizes()))
    return false;
  SmallVector<OpFoldResult> offsets = insert.getMixedOffsets();
  ArrayRef<int64_t> local = insert.getDestType().getShape(), held = insert.getStaticSizes();
  unsigned rank = local.size();
  for (unsigned dim = 0; dim < rank; ++dim) {
    std::optional<Placement> placement = matchPlacement(rows, dim);
    auto difference = placement ? placement->shift.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
    if (!difference || held[dim] != std::min(placement->count, local[dim]))
      continue;
    // first - y, with `first` as above, the constant 0 where that is all there is.
    Value first = difference.getLhs(), y = difference.getRhs();
    bool isFirst =
        (offsets[dim] == OpFoldResult(first) && getClamped(first, local[dim] - held[dim]) == y) ||
        (held[dim] == local[dim] && isNumber(first, 0) &&
         (getConstantIntValue(offsets[dim]) == 0 || offsets[dim] == OpFoldResult(first)));
    std::optional<Shifted> position = isFirst ? scalarOf(y).shifted : std::nullopt;
    std::optional<Relation> source;
    if (placement->isSplat) {
      SmallVector<int64_t> shape(held);
      shape[dim] = placement->count;
      if (std::optional<TermId> number = termOf(scalarOf(placement->source)))
        source = algebra.splat(*number, shape);
    } else if (auto it = values.find(placement->source); it != values.end()) {
      source = it->second.failure ? std::nullopt : it->second.relation;
    }
    if (position && source &&
        relateUpdate(op, *position, dim, *source, placement->count, placement->dropped))
      return true;
  }
  return false;
}

/// The result is the rank's block of the insertion of `source` at the run-time index that
/// `position` has counted from the block.
bool Evaluator::relateUpdate(Operation *op, const Shifted &position, unsigned dim,
                             const Relation &source, int64_t count,
                             const llvm::SmallBitVector &dropped) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  auto known = values.find(insert.getDest());
  if (known == values.end() || !known->second.relation || known->second.failure)
    return false;
  Relation dest = relationOf(insert.getDest());
  if (dest.isUndefined || !algebra.commit(dest))
    return false;
  Maps &maps = algebra.maps;
  RankMapId held = maps.forgetFills(dest.maps[dim]);
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    std::optional<HeldBlock> block = getHeldBlock(maps.get(held, rank));
    if (!block || block->begin != 0 ||
        (!block->isEmpty() && block->offset != -position.at(rank).offset))
      return false;
  }
  // As if each rank had all rows, and then what it has of them.
  Dims dims;
  dims.isMove = true;
  dims.linear = {0, 1};
  dims.onlyKnown = true;
  std::string letters, sourceLetters;
  for (unsigned d = 0, n = dest.layout.size(); d < n; ++d) {
    OpFoldResult offset = insert.getMixedOffsets()[d];
    int64_t size = d == dim ? count : insert.getStaticSizes()[d];
    dims.shape.push_back(insert.getDestType().getDimSize(d));
    bool isWhole = d != dim && getConstantIntValue(offset) == 0 && size == dims.shape[d];
    letters.push_back((isWhole ? 'a' : 'A') + char(d));
    if (!dropped.test(d))
      sourceLetters.push_back(isWhole ? letters[d] : char('N' + d));
    if (isWhole)
      continue;
    std::optional<TermId> first = d == dim ? position.base : termOf(offset);
    if (!first)
      return false;
    auto number = [&](int64_t n) {
      return algebra.terms.constant(Builder(op->getContext()).getIndexAttr(n));
    };
    dims.key.insert(dims.key.end(), {d, *first, number(size), number(1)});
  }
  dims.operands = {sourceLetters, letters};
  dims.results = {letters};
  Relation whole = dest;
  dims.shape[dim] = algebra.terms.getShape(dest.term)[dim];
  whole.maps[dim] = maps.uniform(makeRange(0, dims.shape[dim]));
  whole.layout[dim][0].size = dims.shape[dim];
  SmallVector<Relation> results;
  if (!evaluateDims(op, {source, whole}, dims, results))
    return false;
  Relation result = results[0];
  result.maps[dim] = held;
  result.layout[dim][0].size = insert.getDestType().getDimSize(dim);
  define(insert, result);
  return true;
}
