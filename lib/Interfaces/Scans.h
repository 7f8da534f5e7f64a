//===- Scans.h - Running reductions as blocks -----------------*- C++ -*-===//
//
// Front ends write a cumulative sum as a reduction whose windows all begin in front of
// the first row, x being padded by what the reduction ignores:
//
//   y[i] = sum of xp[i + j], j < w       xp: w - 1 zeros, then the n rows of x;  w >= n
//
// Of k blocks of b rows, each is scanned on its own, and what comes before a block are
// the totals of the blocks before it:
//
//   z[r, o] = sum of x'[r, p], p <= o    t[r] = z[r, b - 1]    e[r] = sum of t[s], s < r
//   y[r * b + o] = e[r] + z[r, o]
//
// so that a row per rank travels, whatever the number of rows. In the same way from the
// last row on (zeros behind x), and by any other kind of reduction.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_SCANS_H
#define LIB_INTERFACES_SCANS_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace tp {

/// The op as blocks of loop `factor`, cut as in `cut`, where it is a running reduction
/// by `combiner`, of the accumulator and the element of its one input that is read, along
/// a dimension that the input comes cut along; else failure. `results` is how the result is wanted.
FailureOr<SmallVector<Value>> createScan(OpBuilder &builder, linalg::LinalgOp op, unsigned factor,
                                         const DimSharding &cut, Operation *combiner,
                                         ArrayRef<Sharding> results);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_SCANS_H
