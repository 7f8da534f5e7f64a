//===- NN.h - The nn dialect -----------------------------------*- C++ -*-===//

#ifndef DIALECTS_NN_NN_H
#define DIALECTS_NN_NN_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

#include "dialects/NN/NNDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/NN/NNOps.h.inc"

namespace mlir::tp::nn {

/// Unit attribute of an op that the target has a kernel for: it is not decomposed.
constexpr llvm::StringLiteral kKernelAttr = "nn.kernel";

} // namespace mlir::tp::nn

#endif // DIALECTS_NN_NN_H
