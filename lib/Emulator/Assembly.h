//===- Assembly.h - PTX in device IR ---------------------------*- C++ -*-===//

#ifndef TP_EMULATOR_ASSEMBLY_H
#define TP_EMULATOR_ASSEMBLY_H

#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

namespace mlir::tp::emulator {

/// Replaces inline assembly by IR and intrinsics of the target. It knows what CUDA's
/// libdevice has: straight lines of integer arithmetic with carry, moves of halves,
/// subtractions by mode and approximate reciprocals. Fails at anything else.
llvm::Error expandAssembly(llvm::CallInst &call);

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_ASSEMBLY_H
