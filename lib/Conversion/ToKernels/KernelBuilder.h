//===- KernelBuilder.h - Writing CPU kernels ---------------------*- C++ -*-===//
//
// A kernel is a private function (index begin, index end, buffers...) that
// rt.parallel_for calls for chunks of its range. This builder holds what the
// kernels share: vectors of the target's width, remainders of sizes that are no
// multiple of it, loads and stores that convert to the type of the arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_KERNELBUILDER_H
#define TP_LIB_CONVERSION_TOKERNELS_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tp {

/// `width` neighbouring elements from `offset` on.
struct Piece {
  int64_t offset, width;
};

class KernelBuilder : public ImplicitLocOpBuilder {
public:
  /// `bits` is the width of the target's vector registers, `compute` the type
  /// of the arithmetic, f32 or f64.
  KernelBuilder(Location loc, OpBuilder &builder, int64_t bits, Type compute)
      : ImplicitLocOpBuilder(loc, builder), compute(compute),
        lanes(bits / compute.getIntOrFloatBitWidth()) {}

  Type getCompute() const { return compute; }
  /// Elements of a full vector.
  int64_t getLanes() const { return lanes; }
  VectorType vectorOf(int64_t width) const { return VectorType::get({width}, compute); }

  /// Cuts `size` elements into full vectors and, for the rest, powers of two.
  SmallVector<Piece> cut(int64_t size, int64_t start = 0) const;

  Value index(int64_t value);
  Value real(double value);
  Value lowest();
  Value splat(double value, int64_t width);
  Value broadcast(Value scalar, int64_t width);

  /// Loads in the buffer's element type, converted to the compute type.
  Value load(Value buffer, ValueRange indices);
  Value loadVector(Value buffer, ValueRange indices, int64_t width);
  /// Loads a vector of the buffer's element type.
  Value loadRaw(Value buffer, ValueRange indices, int64_t width);
  /// Converts to the buffer's element type and stores.
  void store(Value value, Value buffer, ValueRange indices);
  void storeVector(Value vector, Value buffer, ValueRange indices);

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value fma(Value a, Value b, Value c) { return vector::FMAOp::create(*this, a, b, c); }
  /// The larger of two, b where a is NaN: one instruction.
  Value larger(Value a, Value b);
  /// Sum over all elements of all vectors, in any order.
  Value sum(ArrayRef<Value> vectors);
  /// Four such sums at once, as a vector of four; the lists have equal widths.
  Value sumEachOfFour(ArrayRef<SmallVector<Value>> lists);

  Value addIndex(Value a, Value b) { return arith::AddIOp::create(*this, a, b); }
  Value addIndex(Value a, int64_t b) { return b == 0 ? a : addIndex(a, index(b)); }
  Value subIndex(Value a, Value b) { return arith::SubIOp::create(*this, a, b); }
  Value minIndex(Value a, Value b) { return arith::MinSIOp::create(*this, a, b); }
  Value maxIndex(Value a, Value b) { return arith::MaxSIOp::create(*this, a, b); }

  using LoopBody = function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;
  /// for iv = from; iv < to; iv += step, with values carried around.
  SmallVector<Value> loop(Value from, Value to, int64_t step, ValueRange inits, LoopBody body);
  /// The same without carried values.
  void loop(Value from, Value to, int64_t step, function_ref<void(Value iv)> body);

private:
  Value convert(Value value, Type element);
  Value shuffle(Value a, Value b, function_ref<int64_t(int64_t lane)> source);

  Type compute;
  int64_t lanes;
};

/// The private function `name` of `module` with parameters (index begin, index
/// end, parameters...): the one that is there, or else a new declaration. Equal
/// names must mean equal kernels.
func::FuncOp declareKernel(ModuleOp module, StringRef name, TypeRange parameters, Location loc);

/// Gives a declared kernel its body; does nothing where it has one.
using KernelBody = function_ref<void(KernelBuilder &, Value begin, Value end, ValueRange buffers)>;
void defineKernel(func::FuncOp kernel, int64_t bits, Type compute, KernelBody body);

/// f64 for f64, f32 for the other float types.
Type computeTypeFor(Type element);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_KERNELBUILDER_H
