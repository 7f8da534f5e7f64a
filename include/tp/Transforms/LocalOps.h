//===- LocalOps.h - IR on one rank's values --------------------*- C++ -*-===//
//
// What partition needs to speak of blocks in IR: where a rank's block begins,
// how much of it is there, masks for its padding, and reshards as collectives.
//
//===----------------------------------------------------------------------===//

#ifndef TP_TRANSFORMS_LOCALOPS_H
#define TP_TRANSFORMS_LOCALOPS_H

#include "dialects/Comm/Comm.h"
#include "dialects/TP/TP.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tp/Analysis/Hardware.h"
#include "tp/Analysis/Padding.h"

namespace mlir {
namespace tp {

/// Global index of the first element of this rank's block of a dimension of `n`
/// elements, as `index`; null when the dimension is not cut.
Value emitBlockOffset(OpBuilder &builder, Location loc, const Mesh &mesh, const DimSharding &dim,
                      int64_t n);

/// Number of elements in this rank's block, as `index` (a constant where all
/// ranks have as many); null when the dimension is not cut.
Value emitBlockExtent(OpBuilder &builder, Location loc, const Mesh &mesh, const DimSharding &dim,
                      int64_t n);

/// `local` with `fill` in the padding of the given dimensions (none given: of
/// all). Returns `local` itself when no rank has padding there.
Value emitPaddingMask(OpBuilder &builder, Location loc, Value local, ArrayRef<int64_t> globalShape,
                      const Sharding &sharding, const Mesh &mesh, TypedAttr fill,
                      ArrayRef<unsigned> dims = {});

/// This rank's local value under `to`, made from the one under `from` along the
/// cheapest path. Collectives carry `loc` and `reason`. `fact` is what `local`
/// holds in its padding, and on return what the result does.
Value emitReshard(OpBuilder &builder, Location loc, Value local, RankedTensorType globalType,
                  const Mesh &mesh, const Sharding &from, const Sharding &to, PaddingFact &fact,
                  StringAttr reason, const Hardware &hardware = {});

/// This rank's part of a window, whose result is cut as `to`, of the local value
/// under `from`. What is past the rank's block holds anything.
Value emitWindow(OpBuilder &builder, Value local, WindowOp op, const Mesh &mesh,
                 const Sharding &from, const Sharding &to, const Hardware &hardware = {});

} // namespace tp
} // namespace mlir

#endif // TP_TRANSFORMS_LOCALOPS_H
