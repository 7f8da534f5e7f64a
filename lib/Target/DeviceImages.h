//===- DeviceImages.h - Kernels as part of an object file ------*- C++ -*-===//

#ifndef TP_LIB_TARGET_DEVICEIMAGES_H
#define TP_LIB_TARGET_DEVICEIMAGES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace mlir {
namespace tp {

/// Takes the kernels out of `code`, LLVM IR of `module`, and defines the table of the
/// images that `rt.images` asks for. Emits one error where one cannot be made.
LogicalResult embedDeviceImages(ModuleOp module, llvm::Module &code);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_DEVICEIMAGES_H
