//===- Dialect.cpp ---------------------------------------------------------===//

#include "dialects/Comm/Comm.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::comm;

#include "dialects/Comm/CommDialect.cpp.inc"

void CommDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Comm/CommOps.cpp.inc"
      >();
}

bool comm::isCollective(Operation *op) {
  return isa_and_nonnull<CommDialect>(op->getDialect()) && !isa<CoordinateOp, CheckIndexOp>(op);
}

SmallVector<AxisPart> comm::getAxisParts(ArrayAttr axes, const Mesh &mesh) {
  SmallVector<AxisPart> parts;
  for (auto axis : axes.getAsRange<AxisAttr>())
    parts.push_back(getAxisPart(axis, mesh));
  return parts;
}

int64_t comm::getGroupSize(ArrayRef<AxisPart> parts) {
  int64_t size = 1;
  for (const AxisPart &part : parts)
    size *= part.size;
  return size;
}

int64_t comm::getGroupRank(ArrayRef<AxisPart> parts, const Mesh &mesh, int64_t device) {
  int64_t rank = 0;
  for (const AxisPart &part : parts)
    rank = rank * part.size + part.coordinate(mesh, device);
  return rank;
}
