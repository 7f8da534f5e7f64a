//===- DecomposeNN.h - Meaning of nn ops in upstream dialects ---*- C++ -*-===//
//
// Each nn op written out in linalg, tensor, arith and math. The result *is* the
// definition of the op: kernels are tested against it and every shape or type
// without a kernel is lowered through it.
//
//===----------------------------------------------------------------------===//

#ifndef TP_TRANSFORMS_DECOMPOSENN_H
#define TP_TRANSFORMS_DECOMPOSENN_H

#include "mlir/IR/Builders.h"

namespace mlir::tp {

/// Builds the decomposition of nn op `op` at the builder's insertion point and
/// returns a value per result of the op, of the same type. Fails, without
/// building anything, where `op` is no nn op.
FailureOr<SmallVector<Value>> decomposeNNOp(OpBuilder &builder, Operation *op);

} // namespace mlir::tp

#endif // TP_TRANSFORMS_DECOMPOSENN_H
