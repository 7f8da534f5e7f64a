//===- Work.h - What an operation of the runtime must do --------*- C++ -*-===//
//
// Floating-point operations and bytes of one call, from which a time can be predicted
// that holds for any device with a peak and a bandwidth.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CONVERSION_RTTOLLVM_WORK_H
#define LIB_CONVERSION_RTTOLLVM_WORK_H

#include "dialects/RT/RT.h"
#include <optional>
#include <tuple>

namespace mlir {
namespace tp {

struct Work {
  /// Floating-point operations, a multiplication with an addition is two; -1 where a loop
  /// or a function of the library hides how many there are.
  int64_t flops = -1;
  /// Bytes that are read and written at least once, each operand at most as a whole: what
  /// travels where caches hold the rest. Of a collective, what the busiest rank sends.
  int64_t bytes = 0;

  bool operator<(const Work &o) const {
    return std::tie(flops, bytes) < std::tie(o.flops, o.bytes);
  }
};

/// The work of a matrix product, a copy, a launch or a collective; none of any other operation.
///
/// Of a collective, `flops` are a rank's part of the additions (or what else reduces), and
/// `bytes` those of bytesPerRank, whatever the algorithm.
/// Of a kernel, each load and store counts for every thread and every trip of the loops
/// around, but not more than its buffer has; branches count as taken. Loops whose ends are
/// not constant take all of a buffer.
std::optional<Work> getWork(Operation *op);

/// That of a call of the library, of which other kernels know nothing: attention counts as
/// over the whole cache, look-ups and updates of a cache as what they touch.
Work getLibraryWork(rt::KernelCallOp op);

} // namespace tp
} // namespace mlir

#endif // LIB_CONVERSION_RTTOLLVM_WORK_H
