//===- BufferizeNN.cpp - nn ops become kernel calls at bufferization -------===//
//
// An nn op with a kernel stays whole until bufferization, which gives it a new
// buffer for its result and calls the kernel.
//
//===----------------------------------------------------------------------===//

#include "tp/Conversion/ToKernels/BufferizeNN.h"

#include "Attention.h"

#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::bufferization;

static AttentionShape shapeOf(nn::AttentionOp op) {
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  ArrayRef<int64_t> shape = query.getShape();
  int64_t capacity = cast<RankedTensorType>(op.getKey().getType()).getDimSize(2);
  return {shape[0],
          shape[1],
          shape[2],
          shape[3],
          capacity,
          shape[4],
          op.getScale().convertToDouble(),
          query.getElementType()};
}

bool mlir::tp::hasKernel(Operation *op) {
  if (auto attention = dyn_cast<nn::AttentionOp>(op))
    return hasAttentionKernel(shapeOf(attention));
  return false;
}

/// `buffer` itself where its rows lie as in `type`, at whatever offset; else a
/// copy.
static FailureOr<Value> asContiguous(OpBuilder &builder, Location loc, Value buffer,
                                     MemRefType type, const BufferizationOptions &options) {
  SmallVector<int64_t> wanted, strides;
  int64_t offset;
  if (succeeded(type.getStridesAndOffset(wanted, offset)) &&
      succeeded(cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, offset)) &&
      wanted == strides)
    return buffer;
  FailureOr<Value> copy = options.createAlloc(builder, loc, type, {});
  if (failed(copy) || failed(options.createMemCpy(builder, loc, buffer, *copy)))
    return failure();
  return copy;
}

namespace {

struct AttentionModel : BufferizableOpInterface::ExternalModel<AttentionModel, nn::AttentionOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const {
    return {};
  }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto attention = cast<nn::AttentionOp>(op);
    AttentionShape shape = shapeOf(attention);
    if (!hasAttentionKernel(shape))
      return op->emitOpError("has no kernel; decompose it before bufferization");
    Location loc = op->getLoc();
    func::FuncOp kernel = declareAttentionKernel(op->getParentOfType<ModuleOp>(), loc, shape);
    SmallVector<Value> buffers;
    ArrayRef<Type> parameters = kernel.getFunctionType().getInputs().drop_front(2);
    for (auto [operand, type] : llvm::zip(op->getOperands(), parameters)) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      FailureOr<Value> contiguous =
          asContiguous(rewriter, loc, *buffer, cast<MemRefType>(type), options);
      if (failed(contiguous))
        return failure();
      buffers.push_back(*contiguous);
    }
    FailureOr<Value> result =
        options.createAlloc(rewriter, loc, cast<MemRefType>(parameters.back()), {});
    if (failed(result))
      return failure();
    buffers.push_back(*result);
    rt::ParallelForOp::create(rewriter, loc, kernel.getSymName(), getAttentionRange(shape),
                              /*grain=*/1, buffers);
    replaceOpWithBufferizedValues(rewriter, op, *result);
    return success();
  }
};

} // namespace

void mlir::tp::registerNNBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, nn::NNDialect *) {
    context->loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                         memref::MemRefDialect, rt::RTDialect, scf::SCFDialect,
                         vector::VectorDialect>();
    nn::AttentionOp::attachInterface<AttentionModel>(*context);
  });
}
