//===- RemarkStateCopies.cpp - State that is not updated in place ----------===//
//
// A cache is the largest thing that changes between calls: copying it once per
// call can cost more than computing with it, and takes the memory twice. After
// bufferization a copy of a state to a temporary of its size means that its old
// value is needed beside a new one, or in another layout; one from a temporary,
// that the new value was computed elsewhere as a whole.
//
//===----------------------------------------------------------------------===//

#include "dialects/RT/RT.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_REMARKSTATECOPIESPASS
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

struct RemarkStateCopiesPass : tp::impl::RemarkStateCopiesPassBase<RemarkStateCopiesPass> {
  void runOnOperation() override {
    getOperation()->walk([&](memref::CopyOp copy) {
      BlockArgument from = getState(copy.getSource()), to = getState(copy.getTarget());
      BlockArgument state = from ? from : to;
      Value other = getRoot(from ? copy.getTarget() : copy.getSource());
      if (!state || !other.getDefiningOp<memref::AllocOp>() ||
          numElements(copy.getSource()) < numElements(state))
        return;
      if (from)
        copy.emitRemark("the value of ")
            << describe(from) << " is copied to a temporary: " << from.getType();
      else
        copy.emitRemark("the new value of ")
            << describe(to) << " is computed elsewhere and copied: " << to.getType();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
