//===- Views.cpp - Buffers in the shape that a kernel takes ----------------===//

#include "Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tp;

Value mlir::tp::viewAs(OpBuilder &builder, Location loc, Value buffer, ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getShape() == shape)
    return buffer;
  auto allOf = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  if (type.getRank() > 1)
    buffer = memref::CollapseShapeOp::create(builder, loc, buffer, allOf(type.getRank()));
  if (type.getRank() > 0 && shape.size() == 1)
    return buffer;
  SmallVector<ReassociationIndices> groups;
  if (type.getRank() > 0)
    groups = allOf(shape.size());
  return memref::ExpandShapeOp::create(builder, loc, shape, buffer, groups);
}
