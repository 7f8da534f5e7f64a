//===- KernelFunctions.h - What makes a function a kernel ------*- C++ -*-===//
//
// Shared by the kernels that workers of a CPU share out and those of a device.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CONVERSION_LINALGTORT_KERNELFUNCTIONS_H
#define TP_CONVERSION_LINALGTORT_KERNELFUNCTIONS_H

#include "Buffers.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace tp {

/// All kernels of a module; equal ones are one.
class KernelTable {
public:
  explicit KernelTable(ModuleOp module);

  /// The function to use instead of `kernel`, which gets a name and a place in
  /// the module unless an equal one is there already.
  func::FuncOp share(func::FuncOp kernel);

private:
  SymbolTable table;
  DenseMap<size_t, SmallVector<func::FuncOp>> byHash;
};

/// A private function without a place in a module: `leading` parameters, then one for
/// each of `arguments`, memrefs without their offset. It has an empty block and the
/// attributes `rt.kernel` and, on parameters whose memory no other one reaches where
/// one of the two writes, `llvm.noalias`.
func::FuncOp createKernelFunction(Location loc, StringRef name, TypeRange leading,
                                  ArrayRef<Value> arguments, function_ref<bool(Value)> isWritten);

/// Fails, with an error at `op`, where a memref has strides that are not static.
LogicalResult checkKernelArgument(Operation *op, Type type);

/// Whether iterations of a loop may run at once: they write different elements. A loop
/// that is called parallel but on which a result does not depend would make the last
/// writer a matter of luck.
bool isIndependentLoop(linalg::LinalgOp op, unsigned loop);

/// Sums may be reassociated, and products fused into them.
void setKernelFastMath(linalg::LinalgOp op);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTORT_KERNELFUNCTIONS_H
