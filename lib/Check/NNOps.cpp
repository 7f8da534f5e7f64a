//===- NNOps.cpp - What blocks of nn ops' operands give ---------------------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

//===----------------------------------------------------------------------===//
// Positions in blocks
//===----------------------------------------------------------------------===//

bool Evaluator::isBlockAt(RankMapId map, Value offset, Value extent) {
  SmallVector<int64_t> starts = {0}, ends;
  auto read = [&](Value value, SmallVector<int64_t> &numbers) {
    std::optional<SmallVector<int64_t>> constant = integersOf(value);
    if (constant)
      numbers = *constant;
    return constant.has_value();
  };
  if ((offset && !read(offset, starts)) || (extent && !read(extent, ends)))
    return fail("has an offset that is known at run time only");
  auto at = [](ArrayRef<int64_t> list, unsigned rank) {
    return list.size() == 1 ? list[0] : list[rank];
  };
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    ArrayRef<Run> runs = algebra.maps.get(map, rank);
    int64_t size = runs.empty() || runs[0].isPadding() ? 0 : runs[0].size;
    bool isBlock = runs.size() <= (size > 0 ? 2u : 1u) && (size <= 1 || runs[0].step == 1) &&
                   (runs.size() < 2 || runs[1].isPadding());
    if (!isBlock)
      return fail("has elements of several blocks");
    if (size > 0 && runs[0].source != at(starts, rank))
      return fail("rank " + Twine(rank) + " counts from " + Twine(at(starts, rank)) +
                  ", its block begins at " + Twine(runs[0].source));
    int64_t end = ends.empty() ? getSize(runs) : at(ends, rank);
    // Where there is no element nothing is read that matters to who writes a block.
    if (extent && end != size)
      return fail("rank " + Twine(rank) + " takes " + Twine(end) + " elements of a block of " +
                  Twine(size));
  }
  return true;
}

/// Each rank writes what is in its block of the positions: it has its block of what the
/// update gives.
bool Evaluator::evaluateCacheUpdate(Operation *op) {
  auto update = cast<nn::CacheUpdateOp>(op);
  Dims dims;
  dims.operands = {"bkTd", "bSkd", "b"};
  dims.results = {"bkTd"};
  ValueRange tensors = op->getOperands().take_front(3);
  if (!update.getPositionOffset())
    return evaluateDims(op, tensors, dims);
  SmallVector<Relation> operands, results;
  for (Value tensor : tensors)
    operands.push_back(relationOf(tensor));
  Relation &cache = operands[0];
  if (!commitOperand(cache, /*mayBePartial=*/true) ||
      !isBlockAt(cache.maps[2], update.getPositionOffset()))
    return false;
  int64_t capacity = algebra.terms.getShape(cache.term)[2];
  if (int64_t(*update.getCapacity()) != capacity)
    return fail("takes the capacity for " + Twine(int64_t(*update.getCapacity())) + ", it is " +
                Twine(capacity));
  dims.anyBlock = "T";
  if (!evaluateDims(op, operands, dims, results))
    return false;
  define(op->getResult(0), results[0]);
  return true;
}

template <typename OpTy> static Key keyOfAttention(OpTy op) {
  return {keyOf(op.getScaleAttr()), keyOf(op.getWindowAttr()), keyOf(op.getBidirectionalAttr())};
}

bool Evaluator::evaluateAttention(Operation *op) {
  auto attention = cast<nn::AttentionOp>(op);
  Dims dims;
  dims.key = keyOfAttention(attention);
  dims.operands = {"bSkgD", "bkTD", "bkTD", "b"};
  dims.results = {"bSkgD"};
  ValueRange tensors = op->getOperands().take_front(4);
  if (!attention.getStepOffset())
    return evaluateDims(op, tensors, dims);
  SmallVector<Relation> operands, results;
  for (Value tensor : tensors)
    operands.push_back(relationOf(tensor));
  Relation &query = operands[0];
  if (!commitOperand(query, /*mayBePartial=*/true) ||
      !isBlockAt(query.maps[1], attention.getStepOffset()))
    return false;
  dims.anyBlock = "S";
  if (!evaluateDims(op, operands, dims, results))
    return false;
  define(op->getResult(0), results[0]);
  return true;
}

/// What blocks of the positions give to the attention over all of them.
enum PositionsPart : uint64_t { kBlockSums, kBlockLargest, kLimit, kSums };

bool Evaluator::evaluateAttentionBlocks(Operation *op) {
  Maps &maps = algebra.maps;
  auto blocks = cast<nn::AttentionBlocksOp>(op);
  auto type = cast<RankedTensorType>(blocks.getLargest().getType());
  if (type.getDimSize(0) != 1)
    return fail("has several blocks on a rank");
  SmallVector<Relation> operands, results;
  for (Value tensor : op->getOperands().take_front(4)) {
    Relation relation = relationOf(tensor);
    if (!commitOperand(relation))
      return false;
    operands.push_back(relation);
  }
  RankMapId positions = operands[1].maps[2];
  if (!isBlockAt(operands[0].maps[1], blocks.getStepOffset()) ||
      !isBlockAt(positions, blocks.getPositionOffset(), blocks.getExtent()))
    return false;
  if (!blocks.getExtent() && maps.hasPadding(positions))
    return fail("attends to padding");
  Dims dims;
  dims.name = OperationName(nn::AttentionOp::getOperationName(), op->getContext());
  dims.element = getElementTypeOrSelf(blocks.getQuery().getType());
  dims.key = keyOfAttention(blocks);
  dims.operands = {"bSkgD", "bkTD", "bkTD", "b"};
  dims.results = {"bSkgD"};
  dims.anyBlock = "ST";
  dims.shape = llvm::to_vector(cast<RankedTensorType>(blocks.getQuery().getType()).getShape());
  if (!evaluateDims(op, operands, dims, results))
    return false;
  int64_t n = algebra.terms.getShape(operands[1].term)[2];
  Relation result = results[0];
  SmallVector<int64_t> shape = {(n + 1) * (n + 1)};
  llvm::append_range(shape, algebra.terms.getShape(result.term).drop_back());
  RankMapId spans = maps.make([&](unsigned rank) {
    ArrayRef<Run> runs = maps.get(positions, rank);
    bool isEmpty = runs.empty() || runs[0].isPadding();
    int64_t begin = isEmpty ? 0 : runs[0].source, size = isEmpty ? 0 : runs[0].size;
    return makeRange(encodeSpan(n, begin, begin + size), 1);
  });
  result.maps.pop_back();
  result.maps.insert(result.maps.begin(), spans);
  TermId whole = result.term;
  auto relate = [&](PositionsPart part) {
    SmallVector<int64_t> local(cast<RankedTensorType>(op->getResult(part).getType()).getShape());
    result.layout.clear();
    for (auto [d, size] : llvm::enumerate(local))
      result.layout.push_back({Atom{int(d), 1, size}});
    result.term = algebra.terms.intern({kPositionsTerm, whole, part}, shape);
    define(op->getResult(part), result);
  };
  relate(kBlockLargest);
  int64_t width = cast<RankedTensorType>(blocks.getSums().getType()).getShape().back();
  shape.push_back(width);
  result.maps.push_back(maps.uniform(makeRange(0, width)));
  relate(kBlockSums);
  return true;
}

/// Whether the value is this part of attention over blocks; `whole` is the attention.
static bool isPositions(Terms &terms, const Relation &relation, PositionsPart part, TermId &whole) {
  const Key &key = terms.getKey(relation.term);
  if (key.size() != 3 || key[0] != kPositionsTerm || key[2] != part || !relation.absent.empty())
    return false;
  whole = key[1];
  for (auto [d, atoms] : llvm::enumerate(relation.layout))
    if (atoms.size() != 1 || atoms[0].dim != int(d))
      return false;
  return relation.maps.size() == relation.layout.size();
}

/// Without the dimension of blocks: the ranks of a group, which together have all positions
/// once, have parts of it.
bool Evaluator::reducePositions(Relation &relation, ReductionKind kind) {
  Maps &maps = algebra.maps;
  RankMapId spans = relation.maps[0];
  int64_t extent = algebra.terms.getShape(relation.term)[0], n = 0;
  while ((n + 1) * (n + 1) < extent)
    ++n;
  DigitMask digits = maps.varying(spans);
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    SmallVector<std::pair<int64_t, int64_t>> blocks;
    for (unsigned member : algebra.ranks.group(rank, digits))
      for (const Run &run : maps.get(spans, member)) {
        if (run.isPadding() || run.size != 1)
          return fail("has several blocks on a rank");
        std::pair<int64_t, int64_t> span(run.source / (n + 1), run.source % (n + 1));
        if (span.first < span.second)
          blocks.push_back(span);
      }
    llvm::sort(blocks);
    int64_t next = 0;
    for (auto [begin, end] : blocks)
      next = begin == next ? end : n + 1;
    if (next != n)
      return fail("the ranks of a group do not have every position once");
  }
  relation.maps.erase(relation.maps.begin());
  relation.layout.erase(relation.layout.begin());
  for (auto [d, atoms] : llvm::enumerate(relation.layout))
    atoms[0].dim = d;
  for (RankMapId &map : relation.maps) {
    map = maps.forgetFills(map);
    if (maps.varying(map) & digits)
      return fail("ranks that are to be reduced over hold different blocks");
  }
  relation.partial = digits;
  relation.kind = kind;
  return true;
}

/// The largest score of all blocks.
bool Evaluator::evaluateAttentionLimit(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (isSource || !generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1)
    return false;
  Relation largest = relationOf(op->getOperand(0));
  TermId whole;
  if (!isPositions(algebra.terms, largest, kBlockLargest, whole) || largest.partial)
    return false;
  MLIRContext *context = op->getContext();
  AffineMap all = AffineMap::getMultiDimIdentityMap(5, context);
  SmallVector<AffineMap> expected = {all, all.dropResult(0)};
  Block *body = generic.getBody();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  auto larger = yield.getOperand(0).getDefiningOp<arith::MaximumFOp>();
  auto isArgs = [&](Value a, Value b) {
    return (a == body->getArgument(0) && b == body->getArgument(1)) ||
           (a == body->getArgument(1) && b == body->getArgument(0));
  };
  const Relation &init = relationOf(op->getOperand(1));
  Attribute lowest = getNeutral(ReductionKind::Max, getElementTypeOrSelf(op->getResult(0)));
  if (generic.getIndexingMapsArray() != expected || generic.getNumReductionLoops() != 1 ||
      !larger || !isArgs(larger.getLhs(), larger.getRhs()) || !init.maps.empty() ||
      algebra.terms.getConstant(init.term) != lowest)
    return false;
  SmallVector<int64_t> shape(algebra.terms.getShape(largest.term).drop_front());
  isSettled = true;
  if (!reducePositions(largest, ReductionKind::Max))
    return false;
  isSettled = false;
  largest.term = algebra.terms.intern({kPositionsTerm, whole, kLimit}, shape);
  define(op->getResult(0), largest);
  return true;
}

bool Evaluator::evaluateAttentionMerge(Operation *op) {
  Maps &maps = algebra.maps;
  auto merge = cast<nn::AttentionMergeOp>(op);
  Relation sums = relationOf(merge.getSums()), largest = relationOf(merge.getLargest()),
           limit = relationOf(merge.getLimit());
  TermId whole, ofLargest, ofLimit;
  if (!isPositions(algebra.terms, sums, kBlockSums, whole)) {
    Dims dims;
    dims.operands = {"Cbskgd", "Cbskg", "bskg"};
    dims.results = {"bskgd"};
    return evaluateDims(op, op->getOperands(), dims);
  }
  if (!isPositions(algebra.terms, largest, kBlockLargest, ofLargest) ||
      !isPositions(algebra.terms, limit, kLimit, ofLimit) || whole != ofLargest ||
      whole != ofLimit || sums.partial || largest.partial || limit.partial)
    return fail("merges what is not attention over blocks of the same positions");
  for (unsigned d = 0; d < 5; ++d)
    if (maps.forgetFills(sums.maps[d]) != maps.forgetFills(largest.maps[d]) ||
        (d > 0 && maps.forgetFills(sums.maps[d]) != maps.forgetFills(limit.maps[d - 1])))
      return fail("operands hold different blocks");
  SmallVector<int64_t> shape(algebra.terms.getShape(sums.term).drop_front());
  if (!reducePositions(sums, ReductionKind::Sum))
    return false;
  sums.term = algebra.terms.intern({kPositionsTerm, whole, kSums}, shape);
  define(op->getResult(0), sums);
  return true;
}

bool Evaluator::evaluateAttentionFinish(Operation *op) {
  Maps &maps = algebra.maps;
  Relation sums = relationOf(op->getOperand(0));
  TermId whole;
  if (!isPositions(algebra.terms, sums, kSums, whole)) {
    Dims dims;
    dims.operands = {"bskgD"};
    dims.results = {"bskgE"};
    return evaluateDims(op, op->getOperands(), dims);
  }
  if (sums.partial)
    return fail("divides a sum that is still to be reduced over ranks");
  int64_t width = algebra.terms.getShape(sums.term).back();
  if (sums.maps.back() != maps.uniform(makeRange(0, width)))
    return fail("needs all of dimension " + Twine(4) + " of operand " + Twine(0) + ", ranks have " +
                toString(maps.get(sums.maps.back(), 0)) + " of it");
  Relation result = sums;
  result.term = whole;
  result.maps.back() = maps.uniform(makeRange(0, width - 1));
  result.layout.back()[0].size = width - 1;
  for (RankMapId &map : result.maps)
    map = maps.forgetFills(map);
  define(op->getResult(0), result);
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

//===----------------------------------------------------------------------===//
// argmax by blocks
//===----------------------------------------------------------------------===//

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
