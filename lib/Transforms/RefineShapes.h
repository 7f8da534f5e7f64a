//===- RefineShapes.h - Sizes of arguments into a body ----------*- C++ -*-===//

#ifndef LIB_TRANSFORMS_REFINESHAPES_H
#define LIB_TRANSFORMS_REFINESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace tp {

/// Gives the values of the function, its results included, the static types that
/// follow from its arguments. Scalars that count elements become constants. What
/// depends on data stays dynamic. The function calls nothing. Ops keep their
/// attributes. Emits one error where sizes are negative, or a loop or a conditional
/// passes on different ones.
LogicalResult refineShapes(func::FuncOp function);

} // namespace tp
} // namespace mlir

#endif // LIB_TRANSFORMS_REFINESHAPES_H
