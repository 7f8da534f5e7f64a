//===- BufferizeNN.h - Bufferization of nn ops into kernel calls -*- C++ -*-===//

#ifndef TP_CONVERSION_TOKERNELS_BUFFERIZENN_H
#define TP_CONVERSION_TOKERNELS_BUFFERIZENN_H

namespace mlir {
class DialectRegistry;
class Operation;

namespace tp {

/// Attaches BufferizableOpInterface to the nn ops that have kernels: each
/// becomes rt.parallel_for on a declared kernel, which tp-convert-to-kernels
/// defines.
void registerNNBufferizationModels(DialectRegistry &registry);

/// Whether bufferization has a kernel for CPUs for `op`; other nn ops must be decomposed
/// before it.
bool hasKernel(Operation *op);

/// Whether the library of kernels for devices has one for `op`: where it is marked so,
/// bufferization makes rt.kernel_call of it.
bool hasDeviceKernel(Operation *op);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_TOKERNELS_BUFFERIZENN_H
