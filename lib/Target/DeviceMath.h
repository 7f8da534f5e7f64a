//===- DeviceMath.h - Mathematical functions of devices --------*- C++ -*-===//

#ifndef TP_LIB_TARGET_DEVICEMATH_H
#define TP_LIB_TARGET_DEVICEMATH_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/Module.h"

namespace mlir {
namespace tp {

/// Devices have no C library: its functions, and intrinsics of LLVM that are calls of
/// it, become those of CUDA's libdevice, which are linked into `code`. Emits one error
/// where there is none.
LogicalResult linkDeviceMath(llvm::Module &code, function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_DEVICEMATH_H
