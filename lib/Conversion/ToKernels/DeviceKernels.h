//===- DeviceKernels.h - nn ops as kernels of the library ------*- C++ -*-===//
//
// Which nn ops the library of kernels for devices (runtime/cuda/kernels) computes, and
// the calls that they become.
//
//===----------------------------------------------------------------------===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_DEVICEKERNELS_H
#define TP_LIB_CONVERSION_TOKERNELS_DEVICEKERNELS_H

#include "dialects/NN/NN.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tp {

/// How many threads run a kernel.
struct KernelLaunch {
  int64_t blocks, threads, shared = 0;
};

/// Builds the calls that one op becomes.
class DeviceCallBuilder : public ImplicitLocOpBuilder {
public:
  DeviceCallBuilder(Operation *op, RewriterBase &rewriter,
                    const bufferization::BufferizationOptions &options,
                    const bufferization::BufferizationState &state)
      : ImplicitLocOpBuilder(op->getLoc(), rewriter), op(op), rewriter(rewriter), options(options),
        state(state) {}

  /// The buffer of an operand, contiguous: a copy where it is not. Null, and the op has
  /// failed, where there is none.
  Value input(Value tensor);
  /// The same, aligned to 16 bytes.
  Value alignedInput(Value tensor);
  /// The buffer of an operand that result `number` takes the place of: what is in it becomes
  /// the result. Contiguous; where it is not, that of a copy, which finish() puts back.
  Value inPlace(unsigned number, Value tensor);
  /// The new buffer of result `number`.
  Value result(unsigned number);
  /// A new buffer for what the calls hand on to each other.
  Value scratch(ArrayRef<int64_t> shape, Type element);

  Value i32(int64_t value);
  Value i64(int64_t value);
  Value f32(double value);
  /// An index that the program computes, as i64.
  Value number(Value index);
  /// The number of a tensor's element type in the ABI.
  Value dtype(Value tensor);

  /// rt.kernel_call of the library's kernel `name`.
  void call(StringRef name, KernelLaunch launch, ArrayRef<Value> arguments);

  /// Replaces the op by its results' buffers; fails where a buffer was missing.
  LogicalResult finish();

private:
  Value allocate(MemRefType type);
  Value getInput(Value tensor, bool mustBeAligned);

  Operation *op;
  RewriterBase &rewriter;
  const bufferization::BufferizationOptions &options;
  const bufferization::BufferizationState &state;
  SmallVector<Value> results;
  SmallVector<std::pair<Value, Value>> copies; ///< that are put back, and where
  bool hasFailed = false;
};

/// Whether kernels of the library compute with elements of this type: f32, f16 or bf16.
bool isDeviceFloat(Type type);

/// A block per row of `rows` rows of `size` elements, as many threads as have `perThread`
/// neighbouring elements each.
KernelLaunch getRowLaunch(int64_t rows, int64_t size, int64_t perThread);

/// Attention (DeviceAttention.cpp): whether there are calls for it, and those.
bool hasAttentionCall(nn::AttentionOp op);
bool hasAttentionCall(nn::AttentionBlocksOp op);
void emitAttentionCall(nn::AttentionOp op, DeviceCallBuilder &b);
void emitAttentionCall(nn::AttentionBlocksOp op, DeviceCallBuilder &b);

/// Replaces an op that hasDeviceKernel by its calls.
LogicalResult bufferizeToDeviceKernel(Operation *op, RewriterBase &rewriter,
                                      const bufferization::BufferizationOptions &options,
                                      const bufferization::BufferizationState &state);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_DEVICEKERNELS_H
