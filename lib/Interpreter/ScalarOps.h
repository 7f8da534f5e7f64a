//===- ScalarOps.h - arith and math on single elements ---------*- C++ -*-===//

#ifndef LIB_INTERPRETER_SCALAROPS_H
#define LIB_INTERPRETER_SCALAROPS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "tp/Interpreter/Tensor.h"
#include <functional>

namespace mlir {
namespace tp {
namespace interp {

/// Reads one element per operand, writes one per result. Returns null, or what
/// is wrong with the operands ("division by zero").
using ScalarFunction = std::function<const char *(const Element *operands, Element *results)>;

/// The function of an arith or math op (on scalars, or elementwise on tensors) or
/// of affine.apply, min or max, resolved once for its types; null when there is
/// none. Constants are no functions.
ScalarFunction getScalarFunction(Operation *op);

/// Value of an affine expression.
int64_t evaluate(AffineExpr expr, llvm::ArrayRef<int64_t> dims,
                 llvm::ArrayRef<int64_t> symbols = {});

// By dialect; operand and result types are supported ones.
ScalarFunction getArithFunction(Operation *op);
ScalarFunction getMathFunction(Operation *op);
ScalarFunction getAffineFunction(Operation *op);

// Wrappers around functions on plain numbers of the op's (first operand's) type.
inline Type elementTypeOf(Value value) { return getElementTypeOrSelf(value.getType()); }

/// `f` on doubles, rounded once to the type. Exact for + - * / sqrt of types of
/// at most 24 bits of mantissa, since a double has more than twice as many.
template <typename F> ScalarFunction onFloats1(FloatType type, F f) {
  return [type, f](const Element *in, Element *out) -> const char * {
    out->f = roundTo(type, f(in[0].f));
    return nullptr;
  };
}
template <typename F> ScalarFunction onFloats2(FloatType type, F f) {
  return [type, f](const Element *in, Element *out) -> const char * {
    out->f = roundTo(type, f(in[0].f, in[1].f));
    return nullptr;
  };
}
/// `f` on the bits of integers of the type's width.
template <typename F> ScalarFunction onInts1(Type type, F f) {
  return [type, f](const Element *in, Element *out) -> const char * {
    out->i = fromAPInt(type, f(toAPInt(type, in[0].i)));
    return nullptr;
  };
}
template <typename F> ScalarFunction onInts2(Type type, F f) {
  return [type, f](const Element *in, Element *out) -> const char * {
    out->i = fromAPInt(type, f(toAPInt(type, in[0].i), toAPInt(type, in[1].i)));
    return nullptr;
  };
}

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // LIB_INTERPRETER_SCALAROPS_H
