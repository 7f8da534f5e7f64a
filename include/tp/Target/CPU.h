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
  /// Folder of the runtime's archives; empty: ../lib beside the running
  /// program, as in a build tree or an installation.
  std::string runtimeDirectory;
};

/// What kernels may use of a CPU.
struct CPUVectors {
  /// Width of the vector registers.
  int64_t bits = 128;
  /// Has avx512_bf16: sums of products of pairs of bf16, in f32.
  bool bf16Dot = false;
};

/// The vectors of a CPU; the least for a name that LLVM does not know (emitObject
/// reports it).
CPUVectors getCPUVectors(const CPUTargetOptions &options);

/// The object file of `module`. Emits one error where that fails: an unknown CPU.
FailureOr<SmallVector<char, 0>> emitObject(ModuleOp module, const CPUTargetOptions &options);

/// Links an object file and the runtime into a program at `path`.
LogicalResult linkExecutable(StringRef object, const LinkOptions &options, StringRef path,
                             function_ref<InFlightDiagnostic()> emitError);

/// Links an object file and the runtime into a shared object at `path` that exports
/// the C interface of tprt/api.h and nothing else.
LogicalResult linkLibrary(StringRef object, const LinkOptions &options, StringRef path,
                          function_ref<InFlightDiagnostic()> emitError);

/// Links an object file into a shared object at `path` that takes the runtime
/// from the program that loads it.
LogicalResult linkSharedObject(StringRef object, StringRef path,
                               function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // TP_TARGET_CPU_H
