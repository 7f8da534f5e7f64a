//===- NNOps.cpp - What blocks of nn ops' operands give -------------------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::commitOperand(Relation &relation, bool mayBePartial) {
  if (relation.isUndefined)
    return fail("reads a tensor without content");
  if (relation.partial && !mayBePartial)
    return failNotLinear();
  if (!relation.absent.empty())
    return fail("uses a value that only some ranks have");
  if (relation.maps.empty())
    return fail("has a broadcast operand");
  return algebra.commit(relation) || fail("an operand " + algebra.why);
}

/// The look-up in a block of the table's rows gives, for ids of other rows, zero: the
/// sum over the ranks that together have all rows is the look-up.
bool Evaluator::evaluateEmbedding(Operation *op) {
  Maps &maps = algebra.maps;
  auto embedding = cast<nn::EmbeddingOp>(op);
  Relation ids = relationOf(embedding.getIds()), table = relationOf(embedding.getTable());
  bool isOneId = !ids.isUndefined && !ids.partial && ids.absent.empty() && ids.maps.empty();
  if ((!isOneId && !commitOperand(ids)) || !commitOperand(table, /*mayBePartial=*/true))
    return false;
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
  if (!commitOperand(input))
    return false;
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
  if (!commitOperand(input) || !commitOperand(known))
    return false;
  unsigned last = input.maps.size() - 1;
  if (known.term != algebra.terms.intern(keyOfPowerSums(sums.getType(), powers, input.term),
                                         algebra.terms.getShape(known.term)))
    return fail("uses sums of something else than the rows that it normalises");
  if (*size != algebra.terms.getShape(input.term)[last])
    return fail("divides by " + Twine(*size) + " the sums of rows of " +
                Twine(algebra.terms.getShape(input.term)[last]) + " elements");
  // The sums have the same rows, and say of them what any block of elements needs.
  dims.operands.push_back(StringRef(dims.operands[0]).drop_back().str() + "S");
  dims.anyBlock = "D";
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
  } else if (isa<nn::SampleOp>(op)) {
    dims.operands = {"bV", "b", "", "", ""};
    dims.results = {"b"};
  } else if (isa<nn::CacheUpdateOp>(op)) {
    return evaluateCacheUpdate(op);
  } else if (isa<nn::AttentionOp>(op)) {
    return evaluateAttention(op);
  } else if (isa<nn::AttentionBlocksOp>(op)) {
    return evaluateAttentionBlocks(op);
  } else if (isa<nn::AttentionMergeOp>(op)) {
    return evaluateAttentionMerge(op);
  } else if (isa<nn::AttentionFinishOp>(op)) {
    return evaluateAttentionFinish(op);
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
