//===- Elements.h - Values of several types in one buffer ------*- C++ -*-===//
//
// A collective of values of several element types sends integers as wide as the
// narrowest; an element of a wider type is several of them, the lowest bits first.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CONVERSION_COMMTORT_ELEMENTS_H
#define LIB_CONVERSION_COMMTORT_ELEMENTS_H

#include "mlir/IR/Builders.h"

namespace mlir::tp {

/// Rows [r, c] of any elements as rows [r, c * p] of `unit`, p of them for each; where that
/// is the type of the elements, the value itself.
Value encodeElements(OpBuilder &builder, Location loc, Value rows, Type unit);

/// The inverse: rows of elements of type `element` from rows of integers.
Value decodeElements(OpBuilder &builder, Location loc, Value rows, Type element);

} // namespace mlir::tp

#endif // LIB_CONVERSION_COMMTORT_ELEMENTS_H
