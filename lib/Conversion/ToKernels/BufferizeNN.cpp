//===- BufferizeNN.cpp - nn ops become kernel calls at bufferization -------===//
//
// An nn op with a kernel stays whole until bufferization, which gives it a new
// buffer for its result and calls the kernel.
//
//===----------------------------------------------------------------------===//

#include "tp/Conversion/ToKernels/BufferizeNN.h"

#include "Attention.h"
#include "DeviceKernels.h"
#include "RowNorm.h"
#include "Views.h"

#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::bufferization;

template <typename Op> static AttentionShape attentionOf(Op op) {
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
          static_cast<int64_t>(op.getWindow().value_or(0)),
          op.getBidirectional(),
          query.getElementType()};
}

static AttentionShape shapeOf(nn::AttentionOp op) { return attentionOf(op); }

static AttentionShape shapeOf(nn::AttentionBlocksOp op) {
  AttentionShape shape = attentionOf(op);
  shape.isBlock = true;
  return shape;
}

template <typename Op> static RowNormShape rowsOf(Op op, double weightOffset) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  int64_t size = input.getShape().back();
  return {size == 0 ? 0 : input.getNumElements() / size,
          size,
          op.getEpsilon().convertToDouble(),
          weightOffset,
          input.getElementType(),
          getElementTypeOrSelf(op.getWeight())};
}

static RowNormShape shapeOf(nn::RmsNormOp op) {
  return rowsOf(op, op.getWeightOffset().convertToDouble());
}

static RowNormShape shapeOf(nn::LayerNormOp op) {
  RowNormShape shape = rowsOf(op, /*weightOffset=*/0);
  shape.bias = getElementTypeOrSelf(op.getBias());
  return shape;
}

static bool isKernelFloat(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16();
}

/// Kernels are made for the sizes that they work on.
static bool hasStaticShapes(Operation *op) {
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

/// Weight and bias are converted to the type of the arithmetic, never narrowed.
static bool hasRowNormKernel(const RowNormShape &shape) {
  auto fits = [&](Type type) {
    return isKernelFloat(type) && (shape.element.isF64() || !type.isF64());
  };
  return isKernelFloat(shape.element) && shape.rows > 0 && fits(shape.weight) &&
         (!shape.bias || fits(shape.bias));
}

bool mlir::tp::hasKernel(Operation *op) {
  if (!hasStaticShapes(op))
    return false;
  if (auto attention = dyn_cast<nn::AttentionOp>(op))
    return !attention.getStepOffset() && isKernelFloat(shapeOf(attention).element) &&
           hasAttentionKernel(shapeOf(attention));
  if (auto attention = dyn_cast<nn::AttentionBlocksOp>(op))
    return cast<RankedTensorType>(attention.getLargest().getType()).getDimSize(0) == 1 &&
           isKernelFloat(shapeOf(attention).element) && hasAttentionKernel(shapeOf(attention));
  if (auto norm = dyn_cast<nn::RmsNormOp>(op))
    return !norm.getSums() && hasRowNormKernel(shapeOf(norm));
  if (auto norm = dyn_cast<nn::LayerNormOp>(op))
    return !norm.getSums() && hasRowNormKernel(shapeOf(norm));
  return false;
}

namespace {

/// A kernel and how it is called.
struct Call {
  func::FuncOp kernel;
  int64_t range, grain;
};

template <typename Op> Call declareForAttention(Op op, ModuleOp module) {
  AttentionShape shape = shapeOf(op);
  return {declareAttentionKernel(module, op.getLoc(), shape), getAttentionRange(shape), 1};
}

Call declareFor(nn::AttentionOp op, ModuleOp module) { return declareForAttention(op, module); }
Call declareFor(nn::AttentionBlocksOp op, ModuleOp module) {
  return declareForAttention(op, module);
}

/// The same for both norms.
template <typename Op> Call declareFor(Op op, ModuleOp module) {
  RowNormShape shape = shapeOf(op);
  int64_t grain = std::min(getRowNormGrain(shape), shape.rows);
  return {declareRowNormKernel(module, op.getLoc(), shape), shape.rows, grain};
}

/// `buffer` as a kernel's parameter of `type`: itself in the parameter's shape, or
/// a copy where it is not contiguous.
FailureOr<Value> asParameter(OpBuilder &builder, Location loc, Value buffer, MemRefType type,
                             const BufferizationOptions &options) {
  auto found = cast<MemRefType>(buffer.getType());
  if (!rt::isContiguous(found)) {
    auto plain = MemRefType::get(found.getShape(), found.getElementType());
    FailureOr<Value> copy = options.createAlloc(builder, loc, plain, {});
    if (failed(copy) || failed(options.createMemCpy(builder, loc, buffer, *copy)))
      return failure();
    buffer = *copy;
  }
  return viewAs(builder, loc, buffer, type.getShape());
}

/// What a kernel takes of an op that is no operand: where a block of attention is.
template <typename Op>
FailureOr<Value> getPlace(Op, OpBuilder &, Location, const BufferizationOptions &) {
  return Value();
}
FailureOr<Value> getPlace(nn::AttentionBlocksOp op, OpBuilder &builder, Location loc,
                          const BufferizationOptions &options) {
  FailureOr<Value> place =
      options.createAlloc(builder, loc, MemRefType::get({3}, builder.getI64Type()), {});
  if (failed(place))
    return failure();
  Value numbers[] = {op.getStepOffset(), op.getPositionOffset(), op.getExtent()};
  for (auto [i, number] : llvm::enumerate(numbers)) {
    int64_t otherwise = i == 2 ? shapeOf(op).capacity : 0;
    if (!number)
      number = arith::ConstantIndexOp::create(builder, loc, otherwise);
    number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
    Value at = arith::ConstantIndexOp::create(builder, loc, i);
    memref::StoreOp::create(builder, loc, number, *place, at);
  }
  return place;
}

/// Results are new buffers: the op has no destinations.
template <typename Model, typename Op>
struct NewResults : BufferizableOpInterface::ExternalModel<Model, Op> {
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
};

bool hasMark(Operation *op, StringRef target) {
  auto mark = op->getAttrOfType<StringAttr>(nn::kKernelAttr);
  return mark && mark == target;
}

/// Ops that only devices have a kernel for.
template <typename Op> struct DeviceKernelModel : NewResults<DeviceKernelModel<Op>, Op> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    if (!hasMark(op, nn::kDeviceKernel))
      return op->emitOpError("has no kernel and must be decomposed before bufferization");
    return bufferizeToDeviceKernel(op, rewriter, options, state);
  }
};

/// The cache is written where it is.
struct CacheUpdateModel
    : BufferizableOpInterface::ExternalModel<CacheUpdateModel, nn::CacheUpdateOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return operand == cast<nn::CacheUpdateOp>(op).getCacheMutable();
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &state) const {
    if (!bufferizesToMemoryWrite(op, operand, state))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    if (!hasMark(op, nn::kDeviceKernel))
      return op->emitOpError("has no kernel and must be decomposed before bufferization");
    return bufferizeToDeviceKernel(op, rewriter, options, state);
  }
};

template <typename Op> struct KernelModel : NewResults<KernelModel<Op>, Op> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    if (hasMark(op, nn::kDeviceKernel))
      return bufferizeToDeviceKernel(op, rewriter, options, state);
    if (!hasKernel(op))
      return op->emitOpError("has no kernel and must be decomposed before bufferization");
    Location loc = op->getLoc();
    Call call = declareFor(cast<Op>(op), op->getParentOfType<ModuleOp>());
    auto parameters = call.kernel.getFunctionType().getInputs().drop_front(2);
    SmallVector<Value> buffers;
    for (auto [operand, type] : llvm::zip(op->getOperands(), parameters)) {
      if (!isa<TensorType>(operand.getType()))
        break; // Numbers come last, and are what getPlace makes of them.
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffer = asParameter(rewriter, loc, *buffer, cast<MemRefType>(type), options);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    FailureOr<Value> place = getPlace(cast<Op>(op), rewriter, loc, options);
    if (failed(place))
      return failure();
    if (*place)
      buffers.push_back(*place);
    SmallVector<Value> results;
    for (Value value : op->getResults()) {
      auto type = cast<RankedTensorType>(value.getType());
      FailureOr<Value> result = options.createAlloc(
          rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()), {});
      if (failed(result))
        return failure();
      results.push_back(*result);
      auto parameter = cast<MemRefType>(parameters[buffers.size()]);
      buffers.push_back(viewAs(rewriter, loc, *result, parameter.getShape()));
    }
    rt::ParallelForOp::create(rewriter, loc, call.kernel.getSymName(), call.range, call.grain,
                              buffers);
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

} // namespace

void mlir::tp::registerNNBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, nn::NNDialect *) {
    context->loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                         memref::MemRefDialect, rt::RTDialect, scf::SCFDialect,
                         vector::VectorDialect>();
    nn::ArgmaxOp::attachInterface<DeviceKernelModel<nn::ArgmaxOp>>(*context);
    nn::AttentionOp::attachInterface<KernelModel<nn::AttentionOp>>(*context);
    nn::AttentionBlocksOp::attachInterface<KernelModel<nn::AttentionBlocksOp>>(*context);
    nn::CacheUpdateOp::attachInterface<CacheUpdateModel>(*context);
    nn::EmbeddingOp::attachInterface<DeviceKernelModel<nn::EmbeddingOp>>(*context);
    nn::LayerNormOp::attachInterface<KernelModel<nn::LayerNormOp>>(*context);
    nn::RmsNormOp::attachInterface<KernelModel<nn::RmsNormOp>>(*context);
    nn::RopeOp::attachInterface<DeviceKernelModel<nn::RopeOp>>(*context);
    nn::SampleOp::attachInterface<DeviceKernelModel<nn::SampleOp>>(*context);
    nn::TopKOp::attachInterface<DeviceKernelModel<nn::TopKOp>>(*context);
  });
}
