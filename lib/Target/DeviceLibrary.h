//===- DeviceLibrary.h - Functions of the library of kernels ---*- C++ -*-===//

#ifndef TP_LIB_TARGET_DEVICELIBRARY_H
#define TP_LIB_TARGET_DEVICELIBRARY_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/Module.h"

namespace mlir {
namespace tp {

/// Links the bodies of the functions of the library of kernels (runtime/cuda/kernels) that
/// device code calls into it. Emits one error where the library is missing or lacks one.
LogicalResult linkDeviceLibrary(llvm::Module &code, function_ref<InFlightDiagnostic()> emitError);

/// Links of `library` what `code` calls, as functions that nothing outside can reach.
void linkInternally(llvm::Module &code, std::unique_ptr<llvm::Module> library);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_DEVICELIBRARY_H
