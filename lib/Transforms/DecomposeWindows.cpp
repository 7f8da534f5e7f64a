//===- DecomposeWindows.cpp - What reads cut dimensions through windows ----===//
//
// Ops whose dimensions are windows are rewritten, at global shape and in program
// order, where an operand or result is cut along such a dimension. A pad that
// feeds a convolution, or slices that are concatenated again, are one window then:
// a window of a window is taken of the value itself.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tp/Analysis/Strategy.h"

namespace mlir::tp {
#define GEN_PASS_DEF_DECOMPOSEWINDOWSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

struct DecomposeWindowsPass : tp::impl::DecomposeWindowsPassBase<DecomposeWindowsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    FailureOr<Mesh> required = requireMesh(function);
    if (failed(required))
      return signalPassFailure();
    mesh = *required;
    SmallVector<Block *> blocks;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is in an op with a rule is for one element.
      if (isa<ShardingRuleOpInterface>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      decomposeIn(*block);
    // Windows of which only windows were taken are not needed.
    for (Block *block : llvm::reverse(blocks))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (isOpTriviallyDead(&op))
          op.erase();
  }

private:
  void decomposeIn(Block &block) {
    for (Operation *op = &block.front(), *next; op; op = next) {
      next = op->getNextNode();
      Operation *previous = op->getPrevNode();
      // What an op becomes comes next: several of its dimensions may be windows.
      if (decompose(op))
        next = previous ? previous->getNextNode() : &block.front();
    }
  }

  bool decompose(Operation *op) {
    auto iface = dyn_cast<ShardingRuleOpInterface>(op);
    if (!iface || op->getNumResults() == 0)
      return false;
    // Most ops have no windows, and need not be looked at any closer.
    if (auto loops = dyn_cast<linalg::LinalgOp>(op);
        loops ? loops.hasOnlyProjectedPermutations() : OpTrait::hasElementwiseMappableTraits(op))
      return false;
    SmallVector<Sharding, 0> operands, results;
    for (Value operand : op->getOperands())
      operands.push_back(getValueSharding(operand, mesh).withoutPartial().closed());
    for (Value result : op->getResults())
      results.push_back(getValueSharding(result, mesh).withoutPartial().closed());
    auto isSharded = [](const Sharding &sharding) { return sharding.isSharded(); };
    if (!llvm::any_of(operands, isSharded) && !llvm::any_of(results, isSharded))
      return false;
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> replacements = iface.decomposeWindows(builder, operands, results);
    if (failed(replacements))
      return false;
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *replacements)) {
      Operation *def = value.getDefiningOp();
      // A new value takes over what the old one was called and how it is wanted.
      if (def && value.use_empty() && def->getNumResults() == op->getNumResults())
        for (NamedAttribute attr : op->getDiscardableAttrs())
          if (attr.getNameDialect() == op->getContext()->getLoadedDialect<TPDialect>() &&
              !def->hasAttr(attr.getName()))
            def->setAttr(attr.getName(), attr.getValue());
    }
    op->replaceAllUsesWith(*replacements);
    op->erase();
    ++decomposed;
    return true;
  }

  Mesh mesh;
};

} // namespace
