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

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTODEVICE_DEVICELOOPS_H
