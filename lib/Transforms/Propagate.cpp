//===- Propagate.cpp - Every value gets a sharding -------------------------===//

#include "tp/Transforms/Passes.h"

#include "tp/Analysis/Propagation.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PROPAGATEPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

/// Gives every use of a free value (constant, empty, fill, iota) its own copy, so
/// that each can take the sharding that its user wants.
static void cloneFreeValues(func::FuncOp function) {
  SmallVector<Operation *> ops;
  walkFlow(function.getBody(), [&](Operation *op) {
    if (isFree(op))
      ops.push_back(op);
  });
  // Users first: a copy of a fill is one more use of its empty.
  for (Operation *op : llvm::reverse(ops)) {
    Value value = op->getResult(0);
    if (value.use_empty()) {
      op->erase();
      continue;
    }
    SmallVector<OpOperand *> uses =
        llvm::map_to_vector(value.getUses(), [](OpOperand &use) { return &use; });
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    for (OpOperand *use : llvm::drop_end(uses))
      use->set(builder.clone(*op)->getResult(0));
  }
}

/// Fails where what a region op carries has two annotations.
static LogicalResult checkAnnotations(func::FuncOp function) {
  bool isValid = true;
  walkFlow(function.getBody(), [&](Operation *op) {
    if (isValid && isRegionFlow(op))
      isValid = llvm::all_of(getFlowValues(op), [&](const FlowValue &value) {
        return succeeded(findAnnotation(op, value));
      });
  });
  return success(isValid);
}

namespace {

struct PropagatePass : tp::impl::PropagatePassBase<PropagatePass> {
  using PropagatePassBase::PropagatePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Mesh> mesh = requireMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isDeclaration())
        continue;
      if (failed(checkAnnotations(function)))
        return signalPassFailure();
      cloneFreeValues(function);
    }
    Propagation propagation(module, *mesh);
    if (failed(propagation.joinValues()))
      return signalPassFailure();
    propagation.run();
    propagation.annotate(explain);
  }
};

} // namespace
