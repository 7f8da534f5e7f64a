//===- InlineCalls.h - One body per entry -----------------------*- C++ -*-===//

#ifndef LIB_TRANSFORMS_INLINECALLS_H
#define LIB_TRANSFORMS_INLINECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace tp {

/// Puts the bodies of private functions where they are called; functions stay.
/// `runPipeline` runs passes on the module. Fails with one error where it cannot:
/// recursion, functions without a body.
LogicalResult inlineCalls(ModuleOp module,
                          llvm::function_ref<LogicalResult(OpPassManager &)> runPipeline);

} // namespace tp
} // namespace mlir

#endif // LIB_TRANSFORMS_INLINECALLS_H
