//===- DeviceLoops.h - A structured op on the threads of a device -*- C++ -*-===//

#ifndef TP_CONVERSION_LINALGTODEVICE_DEVICELOOPS_H
#define TP_CONVERSION_LINALGTODEVICE_DEVICELOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir {
namespace tp {

struct LaunchShape {
  int64_t blocks = 1, threads = 1;
};

/// Writes what each thread does for `op`, on memrefs of static shape, whose values
/// `mapping` gives. Each thread takes points of the parallel loops, one after another
/// row-major, so that neighbours read neighbours; where there are few points and
/// each reduces many elements, the threads of a block share a point, and sums are
/// taken in the order of threads. Neighbours whose elements lie side by side are taken by one
/// thread, as many as 16 bytes have, where enough threads are left.
LaunchShape emitDeviceLoops(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping);

/// Blocks of which each takes a row after the other, as calls of the library have.
constexpr int64_t kMaxRowBlocks = 65536;

/// How many of the first loops, which are independent, have `rows` trips together, the rows of
/// the op; none where there is no such number.
std::optional<unsigned> getRowLoops(linalg::LinalgOp op, int64_t rows);

/// Threads of a block that takes one of `rows` rows at a time: a power of two.
int64_t getRowThreads(linalg::LinalgOp op, int64_t rows);

/// Writes what each thread does for `op` where blocks take its rows, as getRowLoops has them, in
/// turn: block b rows b, b + blocks and so on. Threads are a power of two, a warp at least. All
/// that a row has written is there behind the next barrier of the block.
void emitDeviceRows(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping, int64_t rows,
                    LaunchShape shape);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTODEVICE_DEVICELOOPS_H
