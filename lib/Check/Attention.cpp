//===- Attention.cpp - Attention and caches by blocks of positions --------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

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
