//===- NNOps.cpp - What blocks of nn ops' operands give ---------------------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// The look-up in a block of the table's rows gives, for ids of other rows, zero: the
/// sum over the ranks that together have all rows is the look-up.
bool Evaluator::evaluateEmbedding(Operation *op) {
  Maps &maps = algebra.maps;
  auto embedding = cast<nn::EmbeddingOp>(op);
  Relation ids = relationOf(embedding.getIds()), table = relationOf(embedding.getTable());
  if (ids.isUndefined || ids.partial || !ids.absent.empty() || table.isUndefined ||
      !table.absent.empty() || table.maps.empty())
    return fail("looks up what not every rank has");
  if (!ids.maps.empty() && !algebra.commit(ids))
    return fail("an operand " + algebra.why);
  if (!algebra.commit(table))
    return fail("an operand " + algebra.why);
  SmallVector<int64_t> offsets = {0};
  if (Value offset = embedding.getRowOffset()) {
    std::optional<SmallVector<int64_t>> constant = integersOf(offset);
    if (!constant)
      return fail("has a row offset that is known at run time only");
    offsets = *constant;
  }
  RankMapId rows = table.maps[0];
  int64_t numRows = algebra.terms.getShape(table.term)[0];
  DigitMask digits = maps.varying(rows);
  if (digits & table.partial)
    return fail("ranks that are to be reduced over hold different blocks");
  Type element = getElementTypeOrSelf(embedding.getTable().getType());
  Attribute zero = getNeutral(ReductionKind::Sum, element);
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    int64_t position = 0;
    int64_t offset = offsets.size() == 1 ? offsets[0] : offsets[rank];
    for (const Run &run : maps.get(rows, rank)) {
      if (run.isPadding() && run.fill != zero)
        return fail("an id may fall into padding that is not zero");
      if (!run.isPadding() && (run.source != position + offset || (run.size > 1 && run.step != 1)))
        return fail("rank " + Twine(rank) + " takes row " + Twine(position + offset) +
                    " for what is row " + Twine(run.source));
      position += run.size;
    }
    // Every row once in the group.
    std::optional<Map> all = maps.unite(rows, rank, digits);
    if (!all || maps.intern(*all) != maps.intern(makeRange(0, numRows)))
      return fail("the ranks of a group do not have every row of the table once");
  }
  Relation result;
  Key key = {kDimsTerm, keyOf(op->getName()), ids.term, table.term};
  SmallVector<int64_t> shape;
  for (unsigned d = 0; d < ids.layout.size(); ++d) {
    if (ids.maps.empty()) {
      result.layout.push_back({Atom{-1, 1, ids.localSize(d)}});
      continue;
    }
    result.layout.push_back({Atom{int(shape.size()), 1, ids.localSize(d)}});
    shape.push_back(algebra.terms.getShape(ids.term)[d]);
    result.maps.push_back(ids.maps[d]);
  }
  result.layout.push_back({Atom{int(shape.size()), 1, table.localSize(1)}});
  shape.push_back(algebra.terms.getShape(table.term)[1]);
  result.maps.push_back(table.maps[1]);
  for (RankMapId &map : result.maps)
    map = maps.forgetFills(map);
  result.term = algebra.terms.intern(key, shape);
  result.partial = table.partial | digits;
  result.kind = ReductionKind::Sum;
  if (table.partial && table.kind != ReductionKind::Sum)
    return fail("is linear for sums only");
  if (varying(result.maps) & result.partial)
    return fail("ranks that are to be reduced over hold different blocks");
  define(op->getResult(0), result);
  return true;
}

static Key keyOfPowerSums(Type type, ArrayRef<int64_t> powers, TermId input) {
  OperationName name(nn::PowerSumsOp::getOperationName(), type.getContext());
  Key key = {kDimsTerm, keyOf(name), keyOf(getElementTypeOrSelf(type)), input};
  key.insert(key.end(), powers.begin(), powers.end());
  return key;
}

/// The sums of a block of each row, elements in the last dimension, are parts of those of
/// the rows.
bool Evaluator::evaluatePowerSums(Operation *op) {
  Maps &maps = algebra.maps;
  auto sums = cast<nn::PowerSumsOp>(op);
  Relation input = relationOf(sums.getInput());
  if (input.isUndefined || input.partial || !input.absent.empty() || input.maps.empty())
    return fail("sums what not every rank has");
  if (!algebra.commit(input))
    return fail("an operand " + algebra.why);
  RankMapId elements = input.maps.back();
  DigitMask digits = maps.varying(elements);
  ArrayRef<int64_t> inputShape = algebra.terms.getShape(input.term);
  Attribute zero = getNeutral(ReductionKind::Sum, getElementTypeOrSelf(sums.getInput().getType()));
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    for (const Run &run : maps.get(elements, rank))
      if (run.isPadding() && run.fill != zero)
        return fail("padding that is not zero is summed");
    std::optional<Map> all = maps.unite(elements, rank, digits);
    if (!all || maps.intern(*all) != maps.intern(makeRange(0, inputShape.back())))
      return fail("the ranks of a group do not have every element of a row once");
  }
  Relation result = input;
  SmallVector<int64_t> shape(inputShape);
  shape.back() = sums.getPowers().size();
  result.maps.back() = maps.uniform(makeRange(0, shape.back()));
  result.layout.back()[0].size = shape.back();
  for (RankMapId &map : result.maps)
    map = maps.forgetFills(map);
  result.term =
      algebra.terms.intern(keyOfPowerSums(sums.getType(), sums.getPowers(), input.term), shape);
  result.partial = digits;
  result.kind = ReductionKind::Sum;
  if (varying(result.maps) & digits)
    return fail("ranks that are to be reduced over hold different blocks");
  define(op->getResult(0), result);
  return true;
}

/// A norm of blocks of rows, by the sums of the rows that the blocks are of.
bool Evaluator::evaluateNorm(Operation *op, Dims &dims, ArrayRef<int64_t> powers, Value sums,
                             std::optional<int64_t> size) {
  if (!sums)
    return evaluateDims(op, op->getOperands(), dims);
  SmallVector<Relation> operands, results;
  for (Value operand : op->getOperands().drop_back())
    operands.push_back(relationOf(operand));
  Relation &input = operands[0], known = relationOf(sums);
  if (input.isUndefined || input.partial || input.maps.empty() || known.partial ||
      known.isRounded || known.maps.empty())
    return fail("normalises what not every rank has");
  if (!algebra.commit(input) || !algebra.commit(known))
    return fail("an operand " + algebra.why);
  unsigned last = input.maps.size() - 1;
  if (known.term != algebra.terms.intern(keyOfPowerSums(sums.getType(), powers, input.term),
                                         algebra.terms.getShape(known.term)))
    return fail("uses sums of something else than the rows that it normalises");
  if (*size != algebra.terms.getShape(input.term)[last])
    return fail("divides by " + Twine(*size) + " the sums of rows of " +
                Twine(algebra.terms.getShape(input.term)[last]) + " elements");
  // The sums have the same rows, and say of them what any block of elements needs.
  dims.operands.push_back(StringRef(dims.operands[0]).drop_back().str() + "S");
  dims.anyBlock = 'D';
  dims.unkeyed = operands.size();
  operands.push_back(known);
  if (!evaluateDims(op, operands, dims, results))
    return false;
  define(op->getResult(0), results[0]);
  return true;
}

DigitMask Evaluator::varying(ArrayRef<RankMapId> list) {
  DigitMask mask = 0;
  for (RankMapId map : list)
    mask |= algebra.maps.varying(map);
  return mask;
}

bool Evaluator::evaluateNN(Operation *op) {
  if (isa<nn::EmbeddingOp>(op))
    return evaluateEmbedding(op);
  if (isa<nn::TopKOp>(op))
    return evaluateTopK(op);
  auto rankOf = [&](unsigned operand) {
    return cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
  };
  auto leading = [](int64_t count) { return std::string("fghijklm").substr(0, count); };
  Dims dims;
  dims.key = {algebra.terms.numberProperties(op)};
  if (isa<nn::PowerSumsOp>(op))
    return evaluatePowerSums(op);
  if (auto norm = dyn_cast<nn::RmsNormOp>(op)) {
    std::string rows = leading(rankOf(0) - 1);
    dims.key = {keyOf(norm.getEpsilonAttr()), keyOf(norm.getWeightOffsetAttr())};
    dims.operands = {rows + "D", "D"};
    dims.results = {rows + "D"};
    return evaluateNorm(op, dims, {2}, norm.getSums(), norm.getSize());
  }
  if (auto norm = dyn_cast<nn::LayerNormOp>(op)) {
    std::string rows = leading(rankOf(0) - 1);
    dims.key = {keyOf(norm.getEpsilonAttr())};
    dims.operands = {rows + "D", "D", "D"};
    dims.results = {rows + "D"};
    return evaluateNorm(op, dims, {1, 2}, norm.getSums(), norm.getSize());
  }
  if (isa<nn::RotaryTableOp>(op)) {
    dims.operands = {"b"};
    dims.results = {"bSR", "bSR"};
  } else if (isa<nn::RopeOp>(op)) {
    std::string x = "bs" + leading(rankOf(0) - 3) + "D";
    dims.operands = {x, "bsH", "bsH"};
    dims.results = {x};
    dims.linear = {0};
  } else if (isa<nn::CacheUpdateOp>(op)) {
    dims.operands = {"bkTd", "bSkd", "b"};
    dims.results = {"bkTd"};
  } else if (isa<nn::AttentionOp>(op)) {
    dims.operands = {"bSkgD", "bkTD", "bkTD", "b"};
    dims.results = {"bSkgD"};
  } else if (auto argmax = dyn_cast<nn::ArgmaxOp>(op)) {
    // One block that is whole is all blocks.
    std::string rows = leading(rankOf(0) - 1);
    dims.key = {};
    dims.operands = {rows + "N"};
    dims.results = {rows + "C", rows + "C"};
    bool isPlain = !argmax.getIndexOffset() && !argmax.getAnyBlocks();
    return (isPlain && evaluateDims(op, argmax.getInput(), dims)) || evaluateCandidates(op);
  } else {
    return false;
  }
  return evaluateDims(op, op->getOperands().take_front(dims.operands.size()), dims);
}

//===----------------------------------------------------------------------===//
// argmax by blocks
//===----------------------------------------------------------------------===//

bool Evaluator::evaluateCandidates(Operation *op) {
  Maps &maps = algebra.maps;
  auto argmax = cast<nn::ArgmaxOp>(op);
  Relation input = relationOf(argmax.getInput());
  if (input.isUndefined || input.partial || !input.absent.empty() || input.maps.empty())
    return fail("takes the largest element of what not every rank has");
  if (!algebra.commit(input))
    return fail("an operand " + algebra.why);
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
