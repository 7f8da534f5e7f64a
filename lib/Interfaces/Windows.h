//===- Windows.h - Ops that read through windows, at global shape -*- C++ -*-===//
//
// What the decompositions of slices, pads, concatenations and convolutions have
// in common (ShardingRuleOpInterface::decomposeWindows).
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_WINDOWS_H
#define LIB_INTERFACES_WINDOWS_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace tp {

/// Rows first + i * stride of dimension `dim`, i < size; size is not 0.
struct RowRange {
  unsigned dim;
  int64_t first, size, stride = 1;
};

/// Makes what one op needs instead of its operands.
class WindowBuilder {
public:
  WindowBuilder(OpBuilder &builder, Operation *op);

  /// `value` seen through `map` along dimension `dim`, wanted as `sharding`; rows
  /// outside of it hold `fill` (null: nobody reads them). A window of a window is
  /// one, a value that is the same everywhere is made anew, the identity is
  /// `value` itself.
  Value create(Value value, unsigned dim, const WindowMap &map, TypedAttr fill,
               const Sharding &sharding);

  /// Where the indices are in all of these ranges the element of `a`, elsewhere that
  /// of `b`; both of one type.
  Value selectRows(ArrayRef<RowRange> ranges, Value a, Value b);

  /// Says how the result of an op is wanted.
  void want(Value value, const Sharding &sharding);

private:
  OpBuilder &builder;
  Location loc;
  Mesh mesh;
  std::string reason;
};

/// `sharding` with `dim` cut by `cuts`; dimensions that the same axes cut are whole.
Sharding withCuts(const Sharding &sharding, unsigned dim, ArrayRef<Cut> cuts);

/// Splits dimension `dim` of a value, of a multiple of `count` rows, into `count` blocks.
Value createSplit(OpBuilder &builder, Location loc, Value value, unsigned dim, int64_t count);
/// Joins dimensions `dim` and `dim + 1` of a value.
Value createJoin(OpBuilder &builder, Location loc, Value value, unsigned dim);

/// The structured op over blocks: the loop `factor`, cut as in `cut`, becomes a
/// loop over blocks and one over the rows of a block, and each operand that is
/// indexed by it comes as the windows that the blocks need. `operands` and `results`
/// are how operands come and results are wanted. Returns the op's results at their own shapes, or
/// failure where that is not possible.
FailureOr<SmallVector<Value>> createBlocked(OpBuilder &builder, linalg::LinalgOp op,
                                            unsigned factor, const DimSharding &cut,
                                            ArrayRef<Sharding> operands,
                                            ArrayRef<Sharding> results);

/// Whether the loop can be cut by createBlocked: parallel, each operand and result
/// has it as a whole dimension, or in an affine combination with other loops.
bool isWindowLoop(linalg::LinalgOp op, unsigned loop, ArrayRef<AffineMap> maps);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_WINDOWS_H
