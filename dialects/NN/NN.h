//===- NN.h - The nn dialect -----------------------------------*- C++ -*-===//

#ifndef DIALECTS_NN_NN_H
#define DIALECTS_NN_NN_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace mlir::tp::nn {

/// A ranked tensor type without its first and last dimensions, as many as are given; the type
/// itself where it has not so many.
Type dropDims(Type type, unsigned first, unsigned last);
/// One element per row of a matrix, `element` is "f64" or "i64"; the type itself where it is
/// no matrix.
Type getRowType(Type matrix, StringRef element);
/// A tensor of one element of rank 0.
Type getOneType(Type any, StringRef element);

} // namespace mlir::tp::nn

#include "dialects/NN/NNDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/NN/NNOps.h.inc"

namespace mlir::tp::nn {

/// Attribute of an op that the target has a kernel for: it is not decomposed. Unit for
/// CPUs, the following string for devices.
constexpr llvm::StringLiteral kKernelAttr = "nn.kernel";
constexpr llvm::StringLiteral kDeviceKernel = "device";
/// Index attribute of an op with one index for a result: it is an error at run time where the
/// result is not in [0, value).
constexpr llvm::StringLiteral kIndexBoundAttr = "nn.index_bound";

} // namespace mlir::tp::nn

#endif // DIALECTS_NN_NN_H
