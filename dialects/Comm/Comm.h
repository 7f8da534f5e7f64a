//===- Comm.h - The comm dialect -------------------------------*- C++ -*-===//

#ifndef DIALECTS_COMM_COMM_H
#define DIALECTS_COMM_COMM_H

#include "dialects/TP/TP.h"

#include "dialects/Comm/CommDialect.h.inc"

namespace mlir {
namespace tp {

/// Size in bytes of an element in a message; i1 takes a byte, index eight.
int64_t getElementBytes(Type elementType);

namespace comm {

/// The resource that collectives on tensors read, see CommDialect.td.
struct Meeting : SideEffects::Resource::Base<Meeting> {
  StringRef getName() final { return "<ranks meet>"; }
};

} // namespace comm
} // namespace tp
} // namespace mlir

#define GET_OP_CLASSES
#include "dialects/Comm/CommOps.h.inc"

namespace mlir {
namespace tp {
namespace comm {

/// Whether `op` exchanges data (every op of the dialect but coordinate and check_index).
bool isCollective(Operation *op);
/// Whether `op` is a collective that only moves elements.
bool isTransfer(Operation *op);
/// The type of the elements that a collective sends: that of its values, or where they are
/// of several the integer type of the narrowest, of which others are several.
Type getTransferType(Operation *op);
/// The axis parts of a collective or coordinate.
llvm::SmallVector<AxisPart> getAxisParts(ArrayAttr axes, const Mesh &mesh);
/// Number of ranks of the group over these parts.
int64_t getGroupSize(llvm::ArrayRef<AxisPart> parts);
/// Position of `device` in its group: row-major over `parts`.
int64_t getGroupRank(llvm::ArrayRef<AxisPart> parts, const Mesh &mesh, int64_t device);

} // namespace comm
} // namespace tp
} // namespace mlir

#endif // DIALECTS_COMM_COMM_H
