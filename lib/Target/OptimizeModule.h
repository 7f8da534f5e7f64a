//===- OptimizeModule.h - LLVM IR on its way to machine code ---*- C++ -*-===//

#ifndef TP_LIB_TARGET_OPTIMIZEMODULE_H
#define TP_LIB_TARGET_OPTIMIZEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir {
namespace tp {

/// LLVM IR of a module in the LLVM dialect. Emits one error and returns null where there
/// is none.
std::unique_ptr<llvm::Module> translateToLLVM(ModuleOp module, llvm::LLVMContext &context);

/// Runs LLVM's -O3 for a machine.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Erases what nothing outside of the module can reach.
void dropUnused(llvm::Module &module);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_OPTIMIZEMODULE_H
