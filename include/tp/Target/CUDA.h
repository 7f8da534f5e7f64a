//===- CUDA.h - What is made of the kernels of a program -------*- C++ -*-===//

#ifndef TP_TARGET_CUDA_H
#define TP_TARGET_CUDA_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace tp {

/// What is made of kernels, as it is named on command lines: `sm_90`, machine code by
/// ptxas; `ptx_90`, text that the driver of that or a newer device compiles;
/// `emulated`, bitcode for the emulated driver.
struct DeviceTarget {
  enum class Kind { Cubin, PTX, Bitcode };

  Kind kind;
  /// 90 for sm_90; of `emulated` the one whose features it has.
  unsigned arch;

  /// Nothing for another name, and for an architecture that LLVM makes no code for or
  /// that lacks what kernels use (before sm_80).
  static std::optional<DeviceTarget> parse(StringRef name);
};

/// The kernels of a module in the LLVM dialect as text: PTX for its first image that is
/// for devices, else IR. Emits one error where that fails.
FailureOr<std::string> emitDeviceText(ModuleOp module);

} // namespace tp
} // namespace mlir

#endif // TP_TARGET_CUDA_H
