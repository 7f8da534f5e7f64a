//===- VerifyState.cpp - State is updated in place -------------------------===//
//
// A cache is the largest thing that changes between calls: copying it once per
// call costs more than computing with it. After bufferization a copy of a state
// to a temporary of its size means that an update was not in place, which is an
// error; one from a temporary, that the new value was computed elsewhere as a
// whole, which costs memory.
//
//===----------------------------------------------------------------------===//

#include "dialects/RT/RT.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYSTATEPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The allocation or argument of which `value` is a view.
Value getRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// The state argument of which `value` is a view, or null.
BlockArgument getState(Value value) {
  auto argument = dyn_cast<BlockArgument>(getRoot(value));
  if (!argument)
    return {};
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function)
    return {};
  auto kind = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kKindAttr);
  return kind && kind.getValue() == "state" ? argument : BlockArgument();
}

int64_t numElements(Value value) { return cast<MemRefType>(value.getType()).getNumElements(); }

/// How messages call a state.
std::string describe(BlockArgument state) {
  auto function = cast<func::FuncOp>(state.getOwner()->getParentOp());
  unsigned number = state.getArgNumber();
  auto name = function.getArgAttrOfType<StringAttr>(number, kNameAttr);
  return name ? name.str() : (function.getName() + ".arg" + Twine(number)).str();
}

struct VerifyStatePass : tp::impl::VerifyStatePassBase<VerifyStatePass> {
  void runOnOperation() override {
    // Copies of a whole state to or from a temporary.
    SmallVector<memref::CopyOp> copies;
    DenseSet<std::pair<Value, Value>> copiedBack; // from temporary to state
    getOperation()->walk([&](memref::CopyOp copy) {
      BlockArgument from = getState(copy.getSource()), to = getState(copy.getTarget());
      BlockArgument state = from ? from : to;
      Value other = getRoot(from ? copy.getTarget() : copy.getSource());
      if (!state || !other.getDefiningOp<memref::AllocOp>() ||
          numElements(copy.getSource()) < numElements(state))
        return;
      copies.push_back(copy);
      if (!from)
        copiedBack.insert({other, state});
    });
    bool isWrong = false;
    for (memref::CopyOp copy : copies) {
      BlockArgument from = getState(copy.getSource());
      if (!from) {
        BlockArgument state = getState(copy.getTarget());
        copy.emitRemark("the new value of ")
            << describe(state) << " is computed elsewhere and copied: " << state.getType();
      } else if (copiedBack.contains({getRoot(copy.getTarget()), from})) {
        InFlightDiagnostic error = copy.emitError("state must be updated in place, but ");
        error << describe(from) << " is copied: " << from.getType();
        error.attachNote(from.getOwner()->getParentOp()->getLoc())
            << "its old value is used after the update";
        isWrong = true;
      } else {
        // What is computed with the state is no update of it.
        copy.emitRemark("the value of ")
            << describe(from) << " is copied to a temporary: " << from.getType();
      }
    }
    if (isWrong)
      signalPassFailure();
  }
};

} // namespace
