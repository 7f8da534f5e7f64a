//===- JoinReductions.cpp - One all-reduce of a linear combination ---------===//
//
// PlaceReductions does this on global values; what other passes on comm bring
// together is joined here. A value of one use that is computed linearly from
// all-reduces of one kind and group is a *sum still to be taken*: where an op is
// jointly linear in two of them, one all-reduce of its result does for all.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Analysis/RankVariance.h"
#include "tp/Analysis/Strategy.h"

namespace mlir::tp {
#define GEN_PASS_DEF_JOINREDUCTIONSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The all-reduces, each of one use, that a value comes from linearly.
struct Pending {
  SmallVector<comm::AllReduceOp, 1> reductions;
  int64_t elements = 0;

  ReductionKind kind() { return reductions.front().getKind(); }
  ArrayAttr axes() { return reductions.front().getAxes(); }
};

class Joiner {
public:
  Joiner(func::FuncOp function, const Mesh &mesh) : function(function), mesh(mesh) {}

  unsigned run() {
    // Nothing to join, nothing to analyse.
    SmallVector<Operation *> ops;
    unsigned reductions = 0;
    function.getBody().walk([&](Operation *op) {
      ops.push_back(op);
      reductions += isa<comm::AllReduceOp>(op);
    });
    if (reductions < 2)
      return 0;
    for (Operation *op : ops)
      visit(op);
    return joined;
  }

private:
  void visit(Operation *op);

  /// Where the rule's operands do not depend on the rank within the group.
  bool areSame(Operation *op, const ShardingRule &rule, const llvm::BitVector &but,
               ArrayAttr axes) {
    if (!variance)
      variance.emplace(function, mesh);
    SmallVector<AxisPart> parts = comm::getAxisParts(axes, mesh);
    for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
      if (!but.test(i) && !(i < rule.ignored.size() && rule.ignored.test(i)) &&
          !variance->isSame(getRuleOperand(op, rule, i), parts))
        return false;
    // Scalars that a body takes from outside.
    bool same = true;
    for (Region &region : op->getRegions())
      region.walk([&](Operation *nested) {
        for (Value value : nested->getOperands())
          if (!region.isAncestor(value.getParentRegion()))
            same &= variance->isSame(value, parts);
      });
    return same;
  }

  func::FuncOp function;
  Mesh mesh;
  std::optional<RankVariance> variance;
  llvm::DenseMap<Value, Pending> pending;
  unsigned joined = 0;
};

void Joiner::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  if (comm::AllReduceOp reduce = getAllReduce(result)) {
    if (result.hasOneUse())
      pending[result] = {{reduce}, cast<RankedTensorType>(result.getType()).getNumElements()};
    return;
  }
  if (llvm::none_of(op->getOperands(), [&](Value v) { return pending.contains(v); }))
    return;
  FailureOr<ShardingRule> rule = getRule(op);
  if (failed(rule))
    return;
  llvm::BitVector set(rule->numOperands());
  Pending all;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = pending.find(operand.get());
    if (it == pending.end() || it->second.reductions[0]->getBlock() != op->getBlock())
      continue;
    Pending &one = it->second;
    if (!all.reductions.empty() && (one.kind() != all.kind() || one.axes() != all.axes()))
      return;
    set.set(operand.getOperandNumber());
    all.reductions.append(one.reductions);
    all.elements += one.elements;
  }
  if (set.none() || !rule->isLinear(all.kind(), set) || !areSame(op, *rule, set, all.axes()))
    return;
  for (Value operand : op->getOperands())
    pending.erase(operand);
  int64_t elements = cast<RankedTensorType>(result.getType()).getNumElements();
  if (all.reductions.size() > 1 && elements < all.elements) {
    SmallVector<Operation *> old(all.reductions.begin(), all.reductions.end());
    SmallVector<Location> locs;
    for (Operation *reduce : old)
      locs.push_back(reduce->getLoc());
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto reduce = comm::AllReduceOp::create(builder, builder.getFusedLoc(locs), result.getType(),
                                            all.kind(), result, all.axes(), joinReasons(old));
    result.replaceAllUsesExcept(reduce->getResult(0), reduce);
    for (Operation *one : old) {
      one->getResult(0).replaceAllUsesWith(one->getOperand(0));
      one->erase();
    }
    joined += old.size() - 1;
    result = reduce->getResult(0);
    all = {{reduce}, elements};
  }
  if (result.hasOneUse())
    pending[result] = std::move(all);
}

struct JoinReductionsPass : tp::impl::JoinReductionsPassBase<JoinReductionsPass> {
  void runOnOperation() override {
    MeshOp mesh = lookupMesh(getOperation());
    if (mesh)
      joined += Joiner(getOperation(), getMesh(mesh)).run();
  }
};

} // namespace
