//===- ForwardBranchResults.cpp - Control flow yields no known buffers ----===//
//
// Bufferization leaves a conditional whose branches all write one buffer, and a
// loop that works in the buffer it started from, with that buffer as a result of
// which nothing is known any more: neither that it is a destination, nor where in
// memory it is.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_FORWARDBRANCHRESULTSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The yields of all branches.
SmallVector<Operation *> getYields(Operation *op) {
  SmallVector<Operation *> yields;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (isa<scf::YieldOp>(block.getTerminator()))
        yields.push_back(block.getTerminator());
  return yields;
}

Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  return value;
}

/// The buffer from outside that every branch yields as result `number`, or null.
Value getCommonBuffer(Operation *op, ArrayRef<Operation *> yields, unsigned number) {
  Value common;
  for (Operation *yield : yields) {
    Value value = skipCasts(yield->getOperand(number));
    if ((common && value != common) || op->isAncestor(value.getParentRegion()->getParentOp()))
      return {};
    common = value;
  }
  return common;
}

struct ForwardBranchResultsPass : tp::impl::ForwardBranchResultsPassBase<ForwardBranchResultsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp, scf::ForOp, scf::WhileOp>(op))
        ops.push_back(op);
    });
    // Inner ones first: their results may be what outer ones yield.
    for (Operation *op : ops) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        forwardInits(loop, {loop.getYieldedValues()}, {loop.getRegionIterArgs()});
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        forwardInits(loop, {loop.getConditionOp().getArgs(), loop.getYieldedValues()},
                     {loop.getBeforeArguments(), loop.getAfterArguments()});
      else
        forward(op);
    }
  }

private:
  /// Each block of the loop hands on `yields[i]` of what it gets as `arguments[i]`.
  /// The canonicalizer drops what is carried and not used any more.
  void forwardInits(LoopLikeOpInterface loop, ArrayRef<ValueRange> yields,
                    ArrayRef<ValueRange> arguments) {
    OpBuilder builder(loop);
    for (auto [i, result] : llvm::enumerate(loop->getResults())) {
      if (!isa<MemRefType>(result.getType()) ||
          !llvm::all_of(llvm::zip_equal(yields, arguments), [&, i = i](auto block) {
            auto [yielded, given] = block;
            return i < yielded.size() && i < given.size() && skipCasts(yielded[i]) == given[i];
          }))
        continue;
      replaceUses(builder, result, loop.getInits()[i]);
      ++forwarded;
    }
  }

  void forward(Operation *op) {
    SmallVector<Operation *> yields = getYields(op);
    BitVector known(op->getNumResults());
    OpBuilder builder(op);
    for (OpResult result : op->getResults()) {
      if (!isa<MemRefType>(result.getType()))
        continue;
      Value buffer = getCommonBuffer(op, yields, result.getResultNumber());
      if (!buffer)
        continue;
      known.set(result.getResultNumber());
      replaceUses(builder, result, buffer);
      ++forwarded;
    }
    if (known.none())
      return;
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (OpResult result : op->getResults())
      if (!known.test(result.getResultNumber())) {
        types.push_back(result.getType());
        kept.push_back(result);
      }
    OperationState state(op->getLoc(), op->getName(), op->getOperands(), types, op->getAttrs());
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    for (Operation *yield : yields)
      yield->eraseOperands(known);
    Operation *next = builder.create(state);
    for (auto [old, now] : llvm::zip_equal(kept, next->getResults()))
      old.replaceAllUsesWith(now);
    op->erase();
  }

  /// `buffer` in place of `result`; the canonicalizer folds the cast into uses.
  static void replaceUses(OpBuilder &builder, Value result, Value buffer) {
    if (result.getType() != buffer.getType())
      buffer = memref::CastOp::create(builder, result.getLoc(), result.getType(), buffer);
    result.replaceAllUsesWith(buffer);
  }
};

} // namespace
