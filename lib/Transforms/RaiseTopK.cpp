//===- RaiseTopK.cpp - Argmax, mask and again is top-k ---------------------===//
//
// The k best elements are written as k rounds: the best one is found, noted, and masked
// by what is never taken. In a loop that notes them in rows of tensors, or written out.
//
//===----------------------------------------------------------------------===//

#include "RaiseGenerics.h"

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tp/Interfaces/Ranking.h"
#include "tp/Interfaces/Transpose.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// One round, and the mask of what it found; null where nothing is masked.
struct Round {
  linalg::LinalgOp argmax, mask;
  Ranking ranking;

  Value value() const { return argmax->getResult(ranking.value); }
  Value index() const { return argmax->getResult(ranking.index); }
};

/// Whether the op is its first input with the bound in place of the element that `round`
/// has found.
bool isMask(linalg::LinalgOp op, const Round &round) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 2 ||
      op->getResult(0).getType() != round.ranking.input.getType() || isAnnotated(op))
    return false;
  AffineMap all = AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext());
  unsigned dim = round.ranking.dim;
  BlockArgument element, found;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (input->get() == round.ranking.input && map == all)
      element = op.getMatchingBlockArgument(input);
    else if (input->get() == round.index() && map == all.dropResult(dim))
      found = op.getMatchingBlockArgument(input);
  }
  auto select = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!element || !found || !compare || op.getMatchingIndexingMap(op.getDpsInitOperand(0)) != all)
    return false;
  bool isEqual = compare.getPredicate() == arith::CmpIPredicate::eq;
  if (!isEqual && compare.getPredicate() != arith::CmpIPredicate::ne)
    return false;
  Value bound = isEqual ? select.getTrueValue() : select.getFalseValue();
  Value kept = isEqual ? select.getFalseValue() : select.getTrueValue();
  TypedAttr constant;
  if (kept != element || !matchPattern(bound, m_Constant(&constant)) ||
      constant != round.ranking.bound)
    return false;
  // The index of the loop, and that of the element, one of them in the type of the other.
  Value a = compare.getLhs(), b = compare.getRhs();
  auto strip = [](Value value) {
    auto cast = value.getDefiningOp<arith::IndexCastOp>();
    return cast ? cast.getIn() : value;
  };
  if (strip(a) == found)
    std::swap(a, b);
  auto loop = strip(a).getDefiningOp<linalg::IndexOp>();
  return strip(b) == found && loop && loop.getDim() == dim;
}

std::optional<Round> getRound(Operation *op) {
  auto argmax = dyn_cast<linalg::LinalgOp>(op);
  if (!argmax || op->getNumResults() != 2 || isAnnotated(op))
    return std::nullopt;
  std::optional<Ranking> ranking = getRanking(argmax);
  if (!ranking)
    return std::nullopt;
  Round round = {argmax, nullptr, *ranking};
  for (Operation *user : round.index().getUsers())
    if (auto mask = dyn_cast<linalg::LinalgOp>(user); mask && isMask(mask, round))
      round.mask = mask;
  return round;
}

/// Values and indices, the latter in the type of the round's.
SmallVector<Value, 2> createTopK(OpBuilder &builder, const Round &round, Value input, int64_t k) {
  const Ranking &ranking = round.ranking;
  Location loc = round.argmax->getLoc();
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[ranking.dim] = k;
  RankedTensorType values = type.clone(shape), indices = values.clone(builder.getI64Type());
  auto op = nn::TopKOp::create(builder, loc, TypeRange{values, indices}, input, Value(), Value(),
                               ranking.dim, /*blocks=*/1, ranking.isSmallest, ranking.isNaNFirst,
                               ranking.bound, ranking.missing);
  Type element = getElementTypeOrSelf(round.index().getType());
  RankedTensorType wanted = indices.clone(element);
  Value index = op.getIndices();
  if (element.isIndex())
    index = arith::IndexCastOp::create(builder, loc, wanted, index);
  else if (element.getIntOrFloatBitWidth() < 64)
    index = arith::TruncIOp::create(builder, loc, wanted, index);
  return {op.getValues(), index};
}

/// Rounds in which each ranks what the last one has masked, written out.
bool raiseChain(Operation *first) {
  std::optional<Round> round = getRound(first);
  if (!round)
    return false;
  SmallVector<Round> rounds;
  while (round) {
    rounds.push_back(*round);
    std::optional<Round> next;
    if (round->mask)
      for (Operation *user : round->mask->getUsers())
        if (auto other = getRound(user);
            other && user->getBlock() == first->getBlock() &&
            other->ranking.hasSameOrder(round->ranking) &&
            other->ranking.input == round->mask->getResult(0) &&
            other->argmax->getResultTypes() == round->argmax->getResultTypes())
          next = other;
    round = next;
  }
  if (rounds.size() < 2)
    return false;
  OpBuilder builder(first);
  const Ranking &ranking = rounds[0].ranking;
  SmallVector<Value, 2> all = createTopK(builder, rounds[0], ranking.input, rounds.size());
  for (auto [i, one] : llvm::enumerate(rounds))
    for (auto [from, to] : {std::pair(all[0], one.value()), std::pair(all[1], one.index())}) {
      auto type = cast<RankedTensorType>(from.getType());
      SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
          ones(type.getRank(), builder.getIndexAttr(1)),
          sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
      offsets[ranking.dim] = builder.getIndexAttr(i);
      sizes[ranking.dim] = builder.getIndexAttr(1);
      Value row = tensor::ExtractSliceOp::create(builder, one.argmax.getLoc(),
                                                 cast<RankedTensorType>(to.getType()), from,
                                                 offsets, sizes, ones);
      to.replaceAllUsesWith(row);
    }
  return true;
}

/// The row of a carried tensor that a round of a loop writes.
struct Note {
  bool isIndex;
  unsigned dim; ///< of the carried tensor
};

std::optional<Note> getNote(scf::ForOp loop, unsigned number, const Round &round) {
  auto insert = loop.getYieldedValues()[number].getDefiningOp<tensor::InsertSliceOp>();
  BlockArgument carried = loop.getRegionIterArg(number);
  if (!insert || insert.getDest() != carried || !carried.hasOneUse() || isAnnotated(insert))
    return std::nullopt;
  Value source = insert.getSource();
  // With a dimension of one row, in the place of the one that is written.
  std::optional<unsigned> added;
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>()) {
    source = expand.getSrc();
    added = 0;
  }
  if (source != round.value() && source != round.index())
    return std::nullopt;
  auto type = cast<RankedTensorType>(carried.getType());
  ArrayRef<int64_t> rows = cast<RankedTensorType>(source.getType()).getShape();
  std::optional<unsigned> dim;
  SmallVector<int64_t> others;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    OpFoldResult offset = insert.getMixedOffsets()[d];
    if (getConstantIntValue(insert.getMixedStrides()[d]) != 1)
      return std::nullopt;
    if (offset == OpFoldResult(loop.getInductionVar())) {
      if (dim || getConstantIntValue(insert.getMixedSizes()[d]) != 1)
        return std::nullopt;
      dim = d;
      continue;
    }
    if (getConstantIntValue(offset) != 0 ||
        getConstantIntValue(insert.getMixedSizes()[d]) != type.getDimSize(d))
      return std::nullopt;
    others.push_back(type.getDimSize(d));
  }
  if (!dim || ArrayRef(others) != rows)
    return std::nullopt;
  if (added && insert.getSourceType().getRank() == type.getRank()) {
    SmallVector<int64_t> expected(type.getShape());
    expected[*dim] = 1;
    if (insert.getSourceType().getShape() != ArrayRef(expected))
      return std::nullopt;
  } else if (added || insert.getSourceType().getRank() + 1 != type.getRank()) {
    return std::nullopt;
  }
  return Note{source == round.index(), *dim};
}

/// A loop that does nothing but rounds of which it notes values or indices.
bool raiseLoop(scf::ForOp loop) {
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound()),
                         high = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (low != 0 || step != 1 || !high || *high < 1 || isAnnotated(loop))
    return false;
  std::optional<Round> round;
  for (Operation &op : *loop.getBody()) {
    if (op.getNumRegions() != 0 && !isa<linalg::LinalgOp>(op))
      return false;
    if (std::optional<Round> one = getRound(&op)) {
      if (round)
        return false;
      round = one;
    }
  }
  if (!round || !round->mask)
    return false;
  auto rest = dyn_cast<BlockArgument>(round->ranking.input);
  if (!rest || rest.getOwner() != loop.getBody() || rest.getArgNumber() == 0)
    return false;
  unsigned masked = rest.getArgNumber() - 1;
  if (loop.getYieldedValues()[masked] != round->mask->getResult(0) ||
      !loop.getResult(masked).use_empty())
    return false;
  SmallVector<Note> notes;
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    if (i == masked) {
      notes.push_back({});
      continue;
    }
    std::optional<Note> note = getNote(loop, i, *round);
    if (!note || cast<RankedTensorType>(loop.getResult(i).getType()).getDimSize(note->dim) < *high)
      return false;
    notes.push_back(*note);
  }
  OpBuilder builder(loop);
  SmallVector<Value, 2> all = createTopK(builder, *round, loop.getInitArgs()[masked], *high);
  for (auto [i, note] : llvm::enumerate(notes)) {
    if (i == masked)
      continue;
    Value result = loop.getResult(i), init = loop.getInitArgs()[i];
    auto type = cast<RankedTensorType>(result.getType());
    Value made =
        moveDimension(builder, loop.getLoc(), all[note.isIndex], round->ranking.dim, note.dim);
    if (made.getType() != type) {
      SmallVector<OpFoldResult> zeros(type.getRank(), builder.getIndexAttr(0)),
          ones(type.getRank(), builder.getIndexAttr(1));
      made = tensor::InsertSliceOp::create(
          builder, loop.getLoc(), made, init, zeros,
          getAsIndexOpFoldResult(builder.getContext(),
                                 cast<RankedTensorType>(made.getType()).getShape()),
          ones);
    }
    result.replaceAllUsesWith(made);
  }
  loop.erase();
  return true;
}

} // namespace

bool tp::raiseTopK(func::FuncOp function) {
  bool changed = false;
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    changed |= raiseLoop(loop);
  SmallVector<Operation *> rounds;
  function.walk([&](linalg::LinalgOp op) {
    if (op->getNumResults() == 2)
      rounds.push_back(op);
  });
  for (Operation *op : rounds)
    // Those of a chain that is gone are used by nobody.
    if (!op->use_empty())
      changed |= raiseChain(op);
  return changed;
}
