//===- VerifyFunctions.h - What every phase verifier does ------*- C++ -*-===//

#ifndef TP_LIB_VERIFY_VERIFYFUNCTIONS_H
#define TP_LIB_VERIFY_VERIFYFUNCTIONS_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tp {

/// Runs `verify` on every function of the module that has a body, up to the first
/// failure; one error when the module has no mesh.
inline LogicalResult
verifyFunctions(ModuleOp module,
                llvm::function_ref<LogicalResult(func::FuncOp, const Mesh &)> verify) {
  FailureOr<Mesh> mesh = requireMesh(module);
  if (failed(mesh))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration() && failed(verify(function, *mesh)))
      return failure();
  return success();
}

} // namespace mlir::tp

#endif // TP_LIB_VERIFY_VERIFYFUNCTIONS_H
