//===- RuntimeABI.h - The entry points of abi.def --------------*- C++ -*-===//
//
// runtime/include/tprt/abi.def expanded as data: what compiled code declares and
// calls is what the runtime's header declares.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CONVERSION_RTTOLLVM_RUNTIMEABI_H
#define TP_CONVERSION_RTTOLLVM_RUNTIMEABI_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace tp {

/// Kinds of parameters and results in abi.def.
enum class ABIType { CTX, PTR, CPTR, I32, I64, FN };

struct ABIEntry {
  StringRef name;     ///< without tprt_
  bool returnsStatus; ///< TPRT_CALL; otherwise a query that cannot fail
  ABIType result;     ///< I32 for a status
  SmallVector<ABIType> parameters;
};

/// All entry points, in the order of abi.def.
ArrayRef<ABIEntry> getABIEntries();
/// The entry point of this name, which must exist.
const ABIEntry &getABIEntry(StringRef name);
/// As LLVM type: everything but the integers is a pointer.
Type getABIType(ABIType type, MLIRContext *context);
/// The declaration of tprt_<name> in `module`, made where it is missing.
LLVM::LLVMFuncOp declareRuntimeFunction(ModuleOp module, StringRef name);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_RTTOLLVM_RUNTIMEABI_H
