//===- Argmax.cpp - The largest element by blocks -------------------------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::evaluateCandidates(Operation *op) {
  Maps &maps = algebra.maps;
  auto argmax = cast<nn::ArgmaxOp>(op);
  Relation input = relationOf(argmax.getInput());
  if (!commitOperand(input))
    return false;
  auto type = cast<RankedTensorType>(argmax.getValues().getType());
  unsigned last = type.getRank() - 1;
  if (type.getDimSize(last) != 1)
    return fail("has several blocks on a rank");
  SmallVector<int64_t> offsets = {0};
  if (Value offset = argmax.getIndexOffset()) {
    std::optional<SmallVector<int64_t>> constant = integersOf(offset);
    if (!constant)
      return fail("has an index offset that is known at run time only");
    offsets = *constant;
  }
  Attribute lowest = getNeutral(ReductionKind::Max, type.getElementType());
  int64_t n = algebra.terms.getShape(input.term)[last];
  std::string problem;
  RankMapId blocks = maps.make([&](unsigned rank) -> Map {
    ArrayRef<Run> map = maps.get(input.maps[last], rank);
    int64_t offset = offsets.size() == 1 ? offsets[0] : offsets[rank];
    for (const Run &run : map)
      if (run.isPadding() && run.fill != lowest)
        problem = "padding that is not the lowest value may be the largest element";
    if (map.empty() || (map.size() == 1 && map[0].isPadding()))
      return makePadding(1, lowest);
    if (map[0].isPadding() || map.size() > 2 || (map.size() == 2 && !map[1].isPadding()) ||
        map[0].step != 1)
      problem = "has elements of several blocks";
    else if (offset != map[0].source)
      problem = ("rank " + Twine(rank) + " counts indices from " + Twine(offset) +
                 ", its block begins at " + Twine(map[0].source))
                    .str();
    return makeRange(encodeSpan(n, map[0].source, map[0].source + map[0].size), 1);
  });
  if (!problem.empty())
    return fail(problem);
  SmallVector<int64_t> shape(algebra.terms.getShape(input.term));
  shape[last] = (n + 1) * (n + 1);
  for (unsigned r = 0; r < 2; ++r) {
    Relation result = input;
    result.term = algebra.terms.intern({kCandidatesTerm, input.term, r, uint64_t(n)}, shape);
    result.maps[last] = blocks;
    result.layout[last][0].size = 1;
    for (unsigned d = 0; d < last; ++d)
      result.maps[d] = maps.forgetFills(result.maps[d]);
    define(op->getResult(r), result);
  }
  return true;
}

/// Whether the body keeps the first of the pairs (value, index) with the largest value.
static bool isMergeBody(linalg::GenericOp op) {
  Block *body = op.getBody();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  if (body->getNumArguments() != 4 || yield.getNumOperands() != 2)
    return false;
  auto value = yield.getOperand(0).getDefiningOp<arith::SelectOp>();
  auto index = yield.getOperand(1).getDefiningOp<arith::SelectOp>();
  if (!value || !index || value.getCondition() != index.getCondition())
    return false;
  auto greater = value.getCondition().getDefiningOp<arith::CmpFOp>();
  auto arg = [&](unsigned i) { return body->getArgument(i); };
  return greater && greater.getPredicate() == arith::CmpFPredicate::OGT &&
         greater.getLhs() == arg(0) && greater.getRhs() == arg(2) &&
         value.getTrueValue() == arg(0) && value.getFalseValue() == arg(2) &&
         index.getTrueValue() == arg(1) && index.getFalseValue() == arg(3);
}

bool Evaluator::evaluateMerge(Operation *op) {
  Maps &maps = algebra.maps;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isMergeBody(generic))
    return false;
  const Relation values = relationOf(op->getOperand(0)), indices = relationOf(op->getOperand(1));
  unsigned rank = values.layout.size(), last = rank - 1;
  const Key &valuesKey = algebra.terms.getKey(values.term);
  if (valuesKey[0] != kCandidatesTerm || valuesKey[2] != 0)
    return false;
  TermId input = valuesKey[1];
  Key indicesKey = valuesKey;
  indicesKey[2] = 1;
  if (algebra.terms.getKey(indices.term) != indicesKey || values.layout != indices.layout ||
      values.partial || indices.partial || !values.absent.empty() || !indices.absent.empty() ||
      rank != values.maps.size())
    return false;
  // The merge is over the last dimension, from the lowest value and index 0.
  MLIRContext *context = op->getContext();
  AffineMap all = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap rows = all.getMajorSubMap(last);
  SmallVector<AffineMap> expected = {all, all, rows, rows};
  if (generic.getIndexingMapsArray() != expected)
    return false;
  Type element = getElementTypeOrSelf(op->getResult(0));
  const Relation &init = relationOf(op->getOperand(2)), &initIndex = relationOf(op->getOperand(3));
  Attribute lowest = getNeutral(ReductionKind::Max, element);
  Attribute zero = Builder(context).getZeroAttr(getElementTypeOrSelf(op->getResult(1)));
  if (!init.maps.empty() || algebra.terms.getConstant(init.term) != lowest ||
      !initIndex.maps.empty() || algebra.terms.getConstant(initIndex.term) != zero)
    return false;
  SmallVector<int64_t> shape(algebra.terms.getShape(input));
  int64_t n = shape[last];
  for (unsigned d = 0; d < rank; ++d)
    if (values.layout[d].size() != 1 || values.layout[d][0].dim != int(d))
      return false;
  // It is a merge; of what else than the blocks in order is what the reason tells.
  auto refuse = [&](const Twine &text) {
    isSettled = true;
    return fail(text);
  };
  // Values and indices are of the same blocks.
  for (unsigned d = 0; d < rank; ++d)
    if (maps.forgetFills(values.maps[d]) != maps.forgetFills(indices.maps[d]))
      return refuse("merges the values of other blocks than those of the indices");
  for (unsigned r = 0; r < algebra.ranks.count(); ++r) {
    // Blocks in order, each once; ranks without elements in between.
    int64_t next = 0;
    for (const Run &run : maps.get(values.maps[last], r)) {
      if (run.isPadding() && run.fill != lowest)
        return refuse("merges padding");
      for (int64_t i = 0; i < (run.isPadding() ? 0 : run.size); ++i) {
        int64_t begin = run.at(i) / (n + 1), end = run.at(i) % (n + 1);
        if (begin != next)
          return refuse("merges the block that begins at " + Twine(begin) + " where that at " +
                        Twine(next) + " is next");
        next = end;
      }
    }
    if (next != n)
      return refuse("merges the first " + Twine(next) + " of " + Twine(n) + " elements");
  }
  shape[last] = 1;
  for (unsigned r = 0; r < 2; ++r) {
    Relation result = values;
    for (unsigned d = 0; d < last; ++d)
      result.maps[d] = maps.forgetFills(result.maps[d]);
    result.term = algebra.terms.intern(
        {kDimsTerm, keyOf(OperationName(nn::ArgmaxOp::getOperationName(), context)), input,
         keyOf(getElementTypeOrSelf(op->getResult(r))), /*C=*/1, r},
        shape);
    result.maps[last] = maps.uniform(makeRange(0, 1));
    result.layout.pop_back();
    define(op->getResult(r), result);
  }
  return true;
}
