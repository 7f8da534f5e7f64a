//===- WarpReduction.h - One value of the threads of a block ---*- C++ -*-===//

#ifndef TP_CONVERSION_LINALGTODEVICE_WARPREDUCTION_H
#define TP_CONVERSION_LINALGTODEVICE_WARPREDUCTION_H

#include "mlir/IR/Builders.h"

namespace mlir {
namespace tp {

constexpr int64_t kWarpSize = 32;
/// Name of the variable of a block, `memref<32xi64, 3>`, where its warps meet.
constexpr llvm::StringLiteral kBlockScratch = "tp_block_scratch";

/// An operation of `arith` that combines an accumulator with an element, in any order
/// and grouping but for the rounding of floats.
class Combiner {
public:
  /// The operation by which `result` follows from `accumulator`, and nothing else does.
  static std::optional<Combiner> match(BlockArgument accumulator, Value result);

  Value combine(OpBuilder &builder, Location loc, Value a, Value b) const;
  /// What changes nothing.
  Value getNeutral(OpBuilder &builder, Location loc) const;

private:
  Operation *op = nullptr;
  TypedAttr neutral;
};

/// `value` of all `threads` threads of a block, a power of two of at least a warp,
/// combined; the result is that of thread 0 only. Where it is `repeated` in a loop, a
/// barrier keeps rounds apart.
Value reduceOverBlock(OpBuilder &builder, Location loc, const Combiner &combiner, Value value,
                      Value thread, int64_t threads, bool repeated);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTODEVICE_WARPREDUCTION_H
