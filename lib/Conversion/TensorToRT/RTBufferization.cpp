//===- RTBufferization.cpp - Collectives on buffers ------------------------===//
//
// An all-reduce reads and writes one buffer in place; the others write a
// destination that they do not read. The runtime takes contiguous buffers only:
// where a tensor became a strided view, the collective works on a copy.
//
//===----------------------------------------------------------------------===//

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"
#include "tp/Conversion/Passes.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::bufferization;

namespace {

/// A contiguous buffer of the shape of `buffer`: itself where it is one.
Value getContiguous(OpBuilder &builder, Location loc, Value buffer, bool copyIn) {
  auto type = cast<MemRefType>(buffer.getType());
  if (rt::isContiguous(type))
    return buffer;
  Value temporary = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()));
  if (copyIn)
    memref::CopyOp::create(builder, loc, buffer, temporary);
  return temporary;
}

struct AllReduceModel
    : public BufferizableOpInterface::ExternalModel<AllReduceModel, rt::AllReduceOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &, const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto reduce = cast<rt::AllReduceOp>(op);
    if (isa<MemRefType>(reduce.getBuffer().getType()))
      return success();
    FailureOr<Value> buffer = getBuffer(rewriter, reduce.getBuffer(), options, state);
    if (failed(buffer))
      return failure();
    Value place = getContiguous(rewriter, op->getLoc(), *buffer, /*copyIn=*/true);
    rt::AllReduceOp::create(rewriter, op->getLoc(), TypeRange(), reduce.getKindAttr(), place,
                            reduce.getGroupAttr(), reduce.getReasonAttr());
    if (place != *buffer)
      memref::CopyOp::create(rewriter, op->getLoc(), place, *buffer);
    replaceOpWithBufferizedValues(rewriter, op, *buffer);
    return success();
  }
};

/// For collectives with a source and a destination.
template <typename OpTy>
struct MovingModel : public DstBufferizableOpInterfaceExternalModel<MovingModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return operand.getOperandNumber() == cast<OpTy>(op).getSrcMutable().getOperandNumber();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto moving = cast<OpTy>(op);
    if (isa<MemRefType>(moving.getDst().getType()))
      return success();
    FailureOr<Value> src = getBuffer(rewriter, moving.getSrc(), options, state);
    FailureOr<Value> dst = getBuffer(rewriter, moving.getDst(), options, state);
    if (failed(src) || failed(dst))
      return failure();
    Location loc = op->getLoc();
    Value from = getContiguous(rewriter, loc, *src, /*copyIn=*/true);
    Value to = getContiguous(rewriter, loc, *dst, /*copyIn=*/false);
    OperationState description(loc, OpTy::getOperationName(), {from, to}, TypeRange(),
                               op->getAttrs());
    rewriter.create(description);
    if (to != *dst)
      memref::CopyOp::create(rewriter, loc, to, *dst);
    replaceOpWithBufferizedValues(rewriter, op, *dst);
    return success();
  }
};

} // namespace

void tp::registerRTBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, rt::RTDialect *) {
    context->loadDialect<memref::MemRefDialect>();
    rt::AllReduceOp::attachInterface<AllReduceModel>(*context);
    rt::AllGatherOp::attachInterface<MovingModel<rt::AllGatherOp>>(*context);
    rt::ReduceScatterOp::attachInterface<MovingModel<rt::ReduceScatterOp>>(*context);
    rt::AllToAllOp::attachInterface<MovingModel<rt::AllToAllOp>>(*context);
    rt::PermuteOp::attachInterface<MovingModel<rt::PermuteOp>>(*context);
  });
}
