//===- ParallelLoops.cpp - scf.forall and scf.parallel ---------------------===//

#include "ParallelLoops.h"

#include "Batch.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tp;

//===----------------------------------------------------------------------===//
// All trips at once
//===----------------------------------------------------------------------===//

/// How many elements a value of all trips may have: some times what the loop has
/// outside of it.
static int64_t getMaxElements(Operation *loop) {
  constexpr int64_t kAlways = 1 << 16, kTimes = 8;
  int64_t most = 0;
  auto look = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      most = std::max(most, type.getNumElements());
  };
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  llvm::for_each(used, look);
  llvm::for_each(loop->getOperands(), look);
  return std::max(kAlways, most > INT64_MAX / kTimes ? most : most * kTimes);
}

/// The results of the loop, written out for all trips by `build`, or failure with
/// nothing changed. `bounds` are constant.
static FailureOr<SmallVector<Value>>
batchLoop(RewriterBase &rewriter, LoopLikeOpInterface loop, ValueRange inits,
          function_ref<FailureOr<SmallVector<Value>>(OpBuilder &, Batch &)> build) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  auto variables = loop.getLoopInductionVars();
  if (!lower || !upper || !step || !variables)
    return failure();
  SmallVector<int64_t> from, by, trips;
  for (auto [low, high, stride] : llvm::zip_equal(*lower, *upper, *step)) {
    std::optional<int64_t> l = getConstantIntValue(low), u = getConstantIntValue(high),
                           s = getConstantIntValue(stride);
    if (!l || !u || !s || *s < 1)
      return failure();
    from.push_back(*l);
    by.push_back(*s);
    trips.push_back(*u > *l ? llvm::divideCeil(*u - *l, *s) : 0);
  }
  if (llvm::is_contained(trips, 0))
    return SmallVector<Value>(inits);
  // Where it turns out that there is no such form, what was made goes with its block.
  Block made;
  OpBuilder builder(loop.getContext());
  builder.setInsertionPointToEnd(&made);
  Batch batch(builder, loop.getLoc(), *variables, from, by, trips, getMaxElements(loop));
  // In each trip the destinations of scf.forall hold what they did before the loop.
  if (auto forall = dyn_cast<scf::ForallOp>(loop.getOperation()))
    for (auto [argument, output] : llvm::zip_equal(forall.getRegionOutArgs(), inits))
      batch.map(argument, output);
  for (Operation &op : loop.getLoopRegions().front()->front().without_terminator())
    if (failed(batch.add(&op)))
      return failure();
  FailureOr<SmallVector<Value>> results = build(builder, batch);
  if (failed(results))
    return failure();
  rewriter.setInsertionPoint(loop);
  for (Operation &op : llvm::make_early_inc_range(made))
    op.moveBefore(loop);
  return results;
}

static FailureOr<SmallVector<Value>> batchForall(RewriterBase &rewriter, scf::ForallOp op) {
  return batchLoop(rewriter, op, op.getOutputs(),
                   [&](OpBuilder &, Batch &batch) -> FailureOr<SmallVector<Value>> {
                     SmallVector<Value> written(op.getOutputs());
                     for (Operation &inner : op.getTerminator().getYieldingOps()) {
                       auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(inner);
                       if (!insert)
                         return failure();
                       auto dest = cast<BlockArgument>(insert.getDest());
                       Value &value = written[dest.getArgNumber() - op.getRank()];
                       FailureOr<Value> next = batch.write(insert, value);
                       if (failed(next))
                         return failure();
                       value = *next;
                     }
                     return written;
                   });
}

static FailureOr<SmallVector<Value>> batchParallel(RewriterBase &rewriter, scf::ParallelOp op) {
  return batchLoop(rewriter, op, op.getInitVals(),
                   [&](OpBuilder &, Batch &batch) -> FailureOr<SmallVector<Value>> {
                     auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
                     SmallVector<Value> results;
                     for (auto [value, region, init] : llvm::zip_equal(
                              reduce.getOperands(), reduce.getReductions(), op.getInitVals())) {
                       FailureOr<Value> result = batch.reduce(value, init, region.front());
                       if (failed(result))
                         return failure();
                       results.push_back(*result);
                     }
                     return results;
                   });
}

//===----------------------------------------------------------------------===//
// One trip after the other
//===----------------------------------------------------------------------===//

/// Nested loops over these bounds that carry values; `fill` builds the innermost body
/// and returns what it yields.
static SmallVector<Value>
createLoops(RewriterBase &rewriter, Location loc, ArrayRef<Value> lower, ArrayRef<Value> upper,
            ArrayRef<Value> step, ValueRange inits,
            function_ref<SmallVector<Value>(ValueRange indices, ValueRange carried)> fill) {
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> indices, carried(inits);
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
    loops.push_back(scf::ForOp::create(rewriter, loc, from, to, by, carried));
    indices.push_back(loops.back().getInductionVar());
    carried = llvm::to_vector(ValueRange(loops.back().getRegionIterArgs()));
    rewriter.setInsertionPointToStart(loops.back().getBody());
  }
  SmallVector<Value> yielded = fill(indices, carried);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    rewriter.setInsertionPointToEnd(loop.getBody());
    // A loop that carries nothing has its terminator already.
    if (!inits.empty())
      scf::YieldOp::create(rewriter, loc, yielded);
    yielded = llvm::to_vector(ValueRange(loop.getResults()));
  }
  return yielded;
}

/// Trips one after the other; each sees what there was before the first and writes
/// its slices over what those before it wrote.
static SmallVector<Value> repeatForall(RewriterBase &rewriter, scf::ForallOp op) {
  Location loc = op.getLoc();
  auto valuesOf = [&](ArrayRef<OpFoldResult> bounds) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, bounds);
  };
  SmallVector<Value> lower = valuesOf(op.getMixedLowerBound());
  SmallVector<Value> upper = valuesOf(op.getMixedUpperBound());
  SmallVector<Value> step = valuesOf(op.getMixedStep());
  return createLoops(rewriter, loc, lower, upper, step, op.getOutputs(),
                     [&](ValueRange indices, ValueRange carried) {
                       IRMapping mapping;
                       mapping.map(op.getInductionVars(), indices);
                       mapping.map(op.getRegionOutArgs(), op.getOutputs());
                       for (Operation &inner : op.getBody()->without_terminator())
                         rewriter.clone(inner, mapping);
                       SmallVector<Value> written(carried);
                       for (Operation &inner : op.getTerminator().getYieldingOps()) {
                         auto insert = cast<tensor::ParallelInsertSliceOp>(inner);
                         auto dest = cast<BlockArgument>(insert.getDest());
                         Value &value = written[dest.getArgNumber() - op.getRank()];
                         auto local = [&](ArrayRef<OpFoldResult> list) {
                           return llvm::map_to_vector(list, [&](OpFoldResult item) -> OpFoldResult {
                             if (auto dynamic = dyn_cast<Value>(item))
                               return mapping.lookupOrDefault(dynamic);
                             return item;
                           });
                         };
                         value = tensor::InsertSliceOp::create(
                             rewriter, insert.getLoc(), mapping.lookupOrDefault(insert.getSource()),
                             value, local(insert.getMixedOffsets()), local(insert.getMixedSizes()),
                             local(insert.getMixedStrides()));
                       }
                       return written;
                     });
}

static SmallVector<Value> repeatParallel(RewriterBase &rewriter, scf::ParallelOp op) {
  SmallVector<Value> lower(op.getLowerBound()), upper(op.getUpperBound()), step(op.getStep());
  return createLoops(
      rewriter, op.getLoc(), lower, upper, step, op.getInitVals(),
      [&](ValueRange indices, ValueRange carried) {
        IRMapping mapping;
        mapping.map(op.getInductionVars(), indices);
        for (Operation &inner : op.getBody()->without_terminator())
          rewriter.clone(inner, mapping);
        auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
        SmallVector<Value> combined;
        for (auto [value, region, before] :
             llvm::zip_equal(reduce.getOperands(), reduce.getReductions(), carried)) {
          Block &block = region.front();
          mapping.map(block.getArgument(0), before);
          mapping.map(block.getArgument(1), mapping.lookupOrDefault(value));
          for (Operation &inner : block.without_terminator())
            rewriter.clone(inner, mapping);
          combined.push_back(mapping.lookupOrDefault(block.getTerminator()->getOperand(0)));
        }
        return combined;
      });
}

LogicalResult tp::expandParallelLoop(RewriterBase &rewriter, Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  auto parallel = dyn_cast<scf::ParallelOp>(op);
  FailureOr<SmallVector<Value>> results =
      forall ? batchForall(rewriter, forall) : batchParallel(rewriter, parallel);
  if (failed(results))
    results = forall ? repeatForall(rewriter, forall) : repeatParallel(rewriter, parallel);
  rewriter.replaceOp(op, *results);
  return success();
}
