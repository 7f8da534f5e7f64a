//===- Batch.h - All trips of parallel loops at once ------------*- C++ -*-===//
//
// The body of scf.forall and scf.parallel does the same in every trip. Written out for
// all of them at once, what it makes has a dimension per loop that it depends on:
//
//   for %i in 0..8: %r = extract_slice %x[%i, 0] [1, 6]     r[8, 1, 6] = x[8, 1, 6]
//                   %e = exp %r                             e[8, 1, 6] = exp r
//                   insert %e at [%i, 0]                    y[8, 6] = e
//
// and that dimension is cut as any other: ranks share the trips.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_BATCH_H
#define LIB_INTERFACES_BATCH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace tp {

class Batch {
public:
  /// For loops at `loc` that run `trips` times, at least once each, from `lower` by `step`; values
  /// of more than `maxElements` elements are not made.
  Batch(OpBuilder &builder, Location loc, ValueRange variables, ArrayRef<int64_t> lower,
        ArrayRef<int64_t> step, ArrayRef<int64_t> trips, int64_t maxElements);

  /// Whether the value is another one in other trips.
  bool varies(Value value) const { return !loopsOf(value).empty(); }
  /// `value` stands for `argument` of the body, in every trip.
  void map(Value argument, Value value) { mapping.map(argument, value); }
  /// What a value that does not vary is outside.
  Value lookup(Value value) const { return mapping.lookupOrDefault(value); }

  /// Adds an op of the body; fails where it has no form for all trips.
  LogicalResult add(Operation *op);

  /// `dest` with what all trips write into it, or failure where that is no slice of it.
  FailureOr<Value> write(tensor::ParallelInsertSliceOp insert, Value dest);

  /// `init` combined with `value` of all trips, in their order, by `combiner`, a block of
  /// the two so far and the next value.
  FailureOr<Value> reduce(Value value, Value init, Block &combiner);

private:
  using Loops = SmallVector<unsigned, 2>;
  /// A value of the body in all trips: dimensions for `loops`, then its own.
  struct Batched {
    Value value;
    Loops loops;
  };
  /// What one linalg.generic is made from: loops of the batch, then the op's own.
  struct Nest {
    Location loc;
    Loops over;
    SmallVector<utils::IteratorType> iterators; ///< of the op's own loops
    SmallVector<Value> inputs, inits;
    SmallVector<AffineMap> inputMaps, initMaps; ///< over all loops
    /// Builds the body: `scalars` has what each value that varies is in it, `args` the
    /// elements of inputs and inits.
    std::function<SmallVector<Value>(OpBuilder &, ValueRange args, IRMapping &scalars)> build;
  };

  Loops loopsOf(Value value) const;
  Loops loopsOf(Operation *op) const;
  std::optional<AffineExpr> getIndex(Value value) const;
  std::optional<AffineExpr> computeIndex(Operation *op) const;
  /// The batched form of a value that varies, or the value outside and no loops.
  FailureOr<Batched> get(Value value);
  /// The value with dimensions for all of `over`.
  FailureOr<Value> broadcast(Value value, const Loops &over);
  LogicalResult addScalars(Operation *op, const Loops &over);
  LogicalResult addSplat(Operation *op, const Loops &over);
  LogicalResult addElementwise(Operation *op, const Loops &over);
  LogicalResult addLinalg(linalg::LinalgOp op, const Loops &over);
  LogicalResult addExtractSlice(tensor::ExtractSliceOp op, const Loops &over);
  LogicalResult addInsertSlice(tensor::InsertSliceOp op, const Loops &over);
  template <typename OpTy> LogicalResult addReshape(OpTy op, const Loops &over);
  LogicalResult addConcat(tensor::ConcatOp op, const Loops &over);
  LogicalResult addPad(tensor::PadOp op, const Loops &over);

  /// Values from outside that the op or its regions use.
  static llvm::SetVector<Value> getUsedValues(Operation *op);
  /// A copy of `op` on scalars.
  static SmallVector<Value> cloneOnScalars(OpBuilder &builder, Operation *op, IRMapping &mapping);
  AffineMap getMap(const Loops &over, const Loops &loops, AffineMap own) const;
  FailureOr<Value> createEmpty(const Loops &over, ArrayRef<int64_t> own, Type element);
  FailureOr<SmallVector<Value>> createNest(Nest &nest, Operation *op);
  void setResults(Operation *op, ValueRange values, const Loops &over);

  OpBuilder &builder;
  Location loc; ///< of the loops
  MLIRContext *context;
  SmallVector<int64_t> trips;
  int64_t maxElements;
  Loops all; ///< loops of several trips
  IRMapping mapping;
  DenseMap<Value, Batched> batched;
  DenseMap<Value, AffineExpr> indices; ///< of numbers of trips
};

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_BATCH_H
