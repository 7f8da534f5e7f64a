//===- CPU.h - Objects, executables and shared objects ---------*- C++ -*-===//
//
// The last phase: a module in the LLVM dialect (tp-lower-to-llvm-pipeline)
// becomes machine code, and with the runtime a program. Output files appear
// complete or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef TP_TARGET_CPU_H
#define TP_TARGET_CPU_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir {
namespace tp {

struct CPUTargetOptions {
  /// A name that LLVM knows, "native" for the machine that compiles.
  std::string cpu = "native";
};

struct LinkOptions {
  /// Folder of libtprt.a and libtprt_main.a; empty: ../lib beside the running
  /// program, as in a build tree or an installation.
  std::string runtimeDirectory;
};

/// Width in bits of the vector registers that code for this CPU uses; 128 for a
/// name that LLVM does not know (emitObject reports it).
int64_t getVectorBits(const CPUTargetOptions &options);

/// The object file of `module`. Emits one error where that fails: an unknown CPU.
FailureOr<SmallVector<char, 0>> emitObject(ModuleOp module, const CPUTargetOptions &options);

/// Links an object file and the runtime into a program at `path`.
LogicalResult linkExecutable(StringRef object, const LinkOptions &options, StringRef path,
                             function_ref<InFlightDiagnostic()> emitError);

/// Links an object file into a shared object at `path` that takes the runtime
/// from the program that loads it.
LogicalResult linkSharedObject(StringRef object, StringRef path,
                               function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // TP_TARGET_CPU_H
