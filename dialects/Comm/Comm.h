//===- Comm.h - The comm dialect -------------------------------*- C++ -*-===//

#ifndef DIALECTS_COMM_COMM_H
#define DIALECTS_COMM_COMM_H

#include "dialects/TP/TP.h"

#include "dialects/Comm/CommDialect.h.inc"

namespace mlir {
namespace tp {
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
