//===- Hardware.h - What communication costs -------------------*- C++ -*-===//
//
// The one place that says how many bytes a collective sends and how long it is
// estimated to take. Reshard lowering chooses by it, explanations print it.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_HARDWARE_H
#define TP_ANALYSIS_HARDWARE_H

#include <cstdint>

namespace mlir {
namespace tp {

enum class CollectiveKind { AllGather, ReduceScatter, AllReduce, AllToAll, Permute };

/// Bytes that the busiest rank of a group of `k` sends, whatever the algorithm,
/// rounded up. `elements` is the larger of its operand and its result:
///   all-reduce 2(k-1)/k, all-gather, reduce-scatter and all-to-all (k-1)/k,
///   permute 1 times that.
int64_t bytesPerRank(CollectiveKind kind, int64_t k, int64_t elements, int64_t elementBytes);

/// A simple description of the links between ranks. The defaults are those of
/// rank threads that share memory.
struct Hardware {
  /// Bytes per second that a rank sends.
  double bandwidth = 10e9;
  /// Seconds that a collective takes however few bytes it sends.
  double latency = 2e-6;

  bool operator==(const Hardware &o) const {
    return bandwidth == o.bandwidth && latency == o.latency;
  }
  /// Estimated time of `messages` collectives in which a rank sends `bytes` in
  /// all, in whole picoseconds: integers add up the same in any order.
  int64_t picoseconds(int64_t messages, int64_t bytes) const;
  double microseconds(int64_t messages, int64_t bytes) const {
    return static_cast<double>(picoseconds(messages, bytes)) * 1e-6;
  }
};

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_HARDWARE_H
