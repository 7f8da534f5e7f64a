//===- Transpose.h - Dimensions in another order ---------------*- C++ -*-===//

#ifndef TP_INTERFACES_TRANSPOSE_H
#define TP_INTERFACES_TRANSPOSE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace tp {

/// The value, of static shape, with dimension order[i] as dimension i; itself where that
/// changes nothing.
inline Value transpose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape =
      llvm::map_to_vector(order, [&](int64_t dim) { return type.getDimSize(dim); });
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, order)->getResult(0);
}

/// The value, of static shape, with dimension `from` in place `to` and the others in their
/// order.
inline Value moveDimension(OpBuilder &builder, Location loc, Value value, int64_t from,
                           int64_t to) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return transpose(builder, loc, value, order);
}

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_TRANSPOSE_H
