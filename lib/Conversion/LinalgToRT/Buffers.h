//===- Buffers.h - Which memory a memref is -------------------*- C++ -*-===//

#ifndef TP_CONVERSION_LINALGTORT_BUFFERS_H
#define TP_CONVERSION_LINALGTORT_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir {
namespace tp {

/// What a memref of the same elements from the same place on, in another shape, is a view of.
inline Value getReshaped(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

/// The memory of which `memref` is a view: an allocation, an argument of a
/// function or a constant. Null where that is not known, as for the result of a
/// conditional. Different known roots do not overlap.
inline Value getBufferRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (isa_and_nonnull<memref::AllocOp, memref::GetGlobalOp>(memref.getDefiningOp()))
    return memref;
  auto argument = dyn_cast<BlockArgument>(memref);
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return memref;
  return {};
}

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTORT_BUFFERS_H
