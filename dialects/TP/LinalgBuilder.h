//===- LinalgBuilder.h - Shorthands to write linalg -------------*- C++ -*-===//
//
// A location-carrying builder with the few shorthands that the definitions of ops
// and the clean-up passes share: tensors, scalars, conversions and linalg.generic.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_TP_LINALGBUILDER_H
#define DIALECTS_TP_LINALGBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tp {

inline RankedTensorType tensorTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}
inline ArrayRef<int64_t> shapeOf(Value value) { return tensorTypeOf(value).getShape(); }
inline Type elementOf(Value value) { return tensorTypeOf(value).getElementType(); }

/// Builds at one location. Index maps are given as lists of loop numbers.
class LinalgBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Body = function_ref<SmallVector<Value>(LinalgBuilder &, ValueRange)>;

  /// The type that sums over elements of `element` are taken in: f64 for f64,
  /// else f32.
  Type wide(Type element) { return element.isF64() ? Type(getF64Type()) : Type(getF32Type()); }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(*this, value); }
  Value real(Type type, double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value lowest(Type type) {
    auto semantics = APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), /*Negative=*/true);
    return arith::ConstantOp::create(*this, getFloatAttr(type, semantics));
  }

  /// `value` rounded or extended to float type `type`.
  Value convert(Value value, Type type) {
    unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (value.getType() == type)
      return value;
    if (from < to)
      return arith::ExtFOp::create(*this, type, value);
    // bf16 and f16 have one width: through f32.
    if (from == to)
      value = arith::ExtFOp::create(*this, getF32Type(), value);
    return arith::TruncFOp::create(*this, type, value);
  }

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b, sums); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b, sums); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b, sums); }

  Value empty(ArrayRef<int64_t> shape, Type element) {
    return tensor::EmptyOp::create(*this, shape, element);
  }
  Value filled(ArrayRef<int64_t> shape, Value scalar) {
    Value init = empty(shape, scalar.getType());
    return linalg::FillOp::create(*this, scalar, init).getResult(0);
  }

  AffineMap map(unsigned loops, ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(loops, dims, getContext());
  }

  /// linalg.generic over `loops` loops; loops in `reductions` are reductions.
  /// `maps` lists the loop numbers of each input, then of each output.
  ResultRange generic(unsigned loops, ArrayRef<unsigned> reductions, ValueRange inputs,
                      ValueRange outputs, ArrayRef<SmallVector<unsigned>> maps, Body body);

private:
  static constexpr arith::FastMathFlags sums =
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
};

/// The loop numbers first, first + 1, ... last - 1.
SmallVector<unsigned> loopRange(unsigned first, unsigned last);

} // namespace mlir::tp

#endif // DIALECTS_TP_LINALGBUILDER_H
