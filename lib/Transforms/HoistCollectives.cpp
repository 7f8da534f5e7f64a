//===- HoistCollectives.cpp - Loop-invariant collectives -------------------===//
//
// Upstream's loop-invariant code motion leaves collectives alone: they are not
// speculatable. Before a loop they are met by the same ranks as in it, since the
// number of trips is the same for all ranks of the group (tp-verify-comm).
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tp {
#define GEN_PASS_DEF_HOISTCOLLECTIVESPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

struct HoistCollectivesPass : tp::impl::HoistCollectivesPassBase<HoistCollectivesPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may leave the next.
    getOperation().walk([&](Operation *op) {
      if (!isa<scf::ForOp, scf::WhileOp>(op))
        return;
      for (Region &region : op->getRegions())
        hoist(op, region.front());
    });
  }

  /// Moves the invariant collectives of the block, and what they need, out of `loop`.
  void hoist(Operation *loop, Block &block) {
    DenseSet<Operation *> invariant;
    SmallVector<Operation *> order;
    bool any = false;
    auto isOutside = [&](Value value) {
      Operation *def = value.getDefiningOp();
      return (def && invariant.contains(def)) ||
             !loop->isAncestor(value.getParentBlock()->getParentOp());
    };
    for (Operation &op : block.without_terminator()) {
      bool isCollective = comm::isCollective(&op);
      if (!isCollective && !(isMemoryEffectFree(&op) && isSpeculatable(&op)))
        continue;
      if (!llvm::all_of(op.getOperands(), isOutside))
        continue;
      if (op.getNumRegions()) {
        SetVector<Value> captured;
        getUsedValuesDefinedAbove(op.getRegions(), captured);
        if (!llvm::all_of(captured, isOutside))
          continue;
      }
      invariant.insert(&op);
      order.push_back(&op);
      any |= isCollective;
    }
    if (!any)
      return;
    DenseSet<Operation *> needed;
    for (Operation *op : llvm::reverse(order)) {
      if (!comm::isCollective(op) && !needed.contains(op))
        continue;
      needed.insert(op);
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (Operation *def = operand.getDefiningOp())
            needed.insert(def);
      });
    }
    for (Operation *op : order)
      if (needed.contains(op)) {
        hoisted += comm::isCollective(op);
        op->moveBefore(loop);
      }
  }
};

} // namespace
