//===- DeviceKernels.cpp - nn ops as kernels of the library ----------------===//

#include "DeviceKernels.h"

#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "tp/Conversion/ToKernels/BufferizeNN.h"
#include "llvm/ADT/TypeSwitch.h"
#include <array>

using namespace mlir;
using namespace mlir::tp;

Value DeviceCallBuilder::allocate(MemRefType type) {
  FailureOr<Value> buffer = options.createAlloc(*this, getLoc(), type, {});
  hasFailed |= failed(buffer);
  return failed(buffer) ? Value() : *buffer;
}

/// Whether a buffer begins at a multiple of 16 bytes, as allocations do, wherever the views
/// of it are that lie between.
static bool isAligned(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t width = type.getElementTypeBitWidth();
  auto isMultiple = [&](int64_t elements) { return elements * width % 128 == 0; };
  Operation *op = buffer.getDefiningOp();
  if (isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(op))
    return isAligned(op->getOperand(0));
  auto view = dyn_cast_or_null<memref::SubViewOp>(op);
  if (!view)
    return type.getLayout().isIdentity() && !isa_and_nonnull<ViewLikeOpInterface>(op);
  auto [strides, offset] = view.getSourceType().getStridesAndOffset();
  for (auto [stride, place] : llvm::zip(strides, view.getStaticOffsets()))
    if (place != 0 && (ShapedType::isDynamic(stride) ||
                       !isMultiple(ShapedType::isDynamic(place) ? stride : stride * place)))
      return false;
  return isAligned(view.getSource());
}

Value DeviceCallBuilder::input(Value tensor) { return getInput(tensor, /*isAligned=*/false); }

Value DeviceCallBuilder::alignedInput(Value tensor) { return getInput(tensor, /*isAligned=*/true); }

Value DeviceCallBuilder::getInput(Value tensor, bool mustBeAligned) {
  FailureOr<Value> buffer = bufferization::getBuffer(rewriter, tensor, options, state);
  hasFailed |= failed(buffer);
  if (hasFailed)
    return {};
  auto type = cast<MemRefType>(buffer->getType());
  if (rt::isContiguous(type) && (!mustBeAligned || isAligned(*buffer)))
    return *buffer;
  Value copy = allocate(MemRefType::get(type.getShape(), type.getElementType()));
  hasFailed |= hasFailed || failed(options.createMemCpy(*this, getLoc(), *buffer, copy));
  return copy;
}

Value DeviceCallBuilder::inPlace(unsigned number, Value tensor) {
  assert(number == results.size() && "results are given in order, once");
  FailureOr<Value> buffer = bufferization::getBuffer(rewriter, tensor, options, state);
  hasFailed |= failed(buffer);
  if (hasFailed)
    return {};
  results.push_back(*buffer);
  Value contiguous = input(tensor);
  if (contiguous != *buffer)
    copies.push_back({contiguous, *buffer});
  return contiguous;
}

Value DeviceCallBuilder::result(unsigned number) {
  assert(number == results.size() && "results are allocated in order, once");
  auto type = cast<RankedTensorType>(op->getResult(number).getType());
  return results.emplace_back(allocate(MemRefType::get(type.getShape(), type.getElementType())));
}

Value DeviceCallBuilder::scratch(ArrayRef<int64_t> shape, Type element) {
  return allocate(MemRefType::get(shape, element));
}

Value DeviceCallBuilder::i32(int64_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}

Value DeviceCallBuilder::i64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}

Value DeviceCallBuilder::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}

Value DeviceCallBuilder::number(Value index) {
  return arith::IndexCastOp::create(*this, getI64Type(), index);
}

Value DeviceCallBuilder::dtype(Value tensor) {
  return i32(*rt::getDType(getElementTypeOrSelf(tensor)));
}

void DeviceCallBuilder::call(StringRef name, KernelLaunch launch, ArrayRef<Value> arguments) {
  if (!hasFailed)
    rt::KernelCallOp::create(*this, name, launch.blocks, launch.threads, arguments, launch.shared);
}

LogicalResult DeviceCallBuilder::finish() {
  for (auto [copy, buffer] : copies)
    hasFailed |= hasFailed || failed(options.createMemCpy(*this, getLoc(), copy, buffer));
  if (hasFailed)
    return failure();
  assert(results.size() == op->getNumResults() && "every result is written");
  bufferization::replaceOpWithBufferizedValues(rewriter, op, results);
  return success();
}

bool tp::isDeviceFloat(Type type) { return type.isF32() || type.isF16() || type.isBF16(); }

KernelLaunch tp::getRowLaunch(int64_t rows, int64_t size, int64_t perThread) {
  // What one block after another takes keeps any device busy.
  constexpr int64_t maxBlocks = 65536, maxThreads = 1024, warp = 32;
  int64_t threads = llvm::PowerOf2Ceil(llvm::divideCeil(std::max<int64_t>(size, 1), perThread));
  return {std::min(rows, maxBlocks), std::clamp(threads, warp, maxThreads)};
}

/// Elements of a thread in a row: one access of 16 bytes of the narrowest type.
constexpr int64_t kRowElements = 8;

static int64_t getRowSize(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().back();
}

static int64_t countRows(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getNumElements() / getRowSize(tensor);
}

static bool hasElements(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.hasStaticShape() && type.getNumElements() > 0;
}

static bool isFloatRow(Value tensor) {
  return hasElements(tensor) && isDeviceFloat(getElementTypeOrSelf(tensor));
}

static bool hasCall(nn::RmsNormOp op) {
  return !op.getSums() && isFloatRow(op.getInput()) && isFloatRow(op.getWeight());
}

static void emitCall(nn::RmsNormOp op, DeviceCallBuilder &b) {
  Value x = op.getInput(), weight = op.getWeight();
  int64_t rows = countRows(x), size = getRowSize(x);
  b.call("rms_norm", getRowLaunch(rows, size, kRowElements),
         {b.dtype(x), b.dtype(weight), b.dtype(x), b.input(x), b.input(weight), b.result(0),
          b.i64(rows), b.i64(size), b.f32(op.getEpsilon().convertToDouble()),
          b.f32(op.getWeightOffset().convertToDouble())});
}

static bool hasCall(nn::LayerNormOp op) {
  return !op.getSums() && isFloatRow(op.getInput()) && isFloatRow(op.getWeight());
}

static void emitCall(nn::LayerNormOp op, DeviceCallBuilder &b) {
  Value x = op.getInput(), weight = op.getWeight();
  int64_t rows = countRows(x), size = getRowSize(x);
  b.call("layer_norm", getRowLaunch(rows, size, kRowElements),
         {b.dtype(x), b.dtype(weight), b.dtype(x), b.input(x), b.input(weight),
          b.input(op.getBias()), b.result(0), b.i64(rows), b.i64(size),
          b.f32(op.getEpsilon().convertToDouble())});
}

static int64_t getRowBytes(nn::EmbeddingOp op) {
  return getRowSize(op.getTable()) *
         rt::getElementBytes(getElementTypeOrSelf(op.getTable().getType()));
}

static bool hasCall(nn::EmbeddingOp op) {
  return hasElements(op.getIds()) && hasElements(op.getTable()) && getRowBytes(op) % 2 == 0;
}

static void emitCall(nn::EmbeddingOp op, DeviceCallBuilder &b) {
  int64_t count = cast<RankedTensorType>(op.getIds().getType()).getNumElements();
  int64_t bytes = getRowBytes(op);
  b.call("embedding", getRowLaunch(count, bytes, 16),
         {b.input(op.getIds()), b.input(op.getTable()), b.result(0), b.i64(count),
          b.i64(countRows(op.getTable())), b.i64(bytes),
          op.getRowOffset() ? b.number(op.getRowOffset()) : b.i64(0)});
}

static bool hasCall(nn::ArgmaxOp op) {
  return isFloatRow(op.getInput()) && getRowSize(op.getInput()) < UINT32_MAX;
}

static void emitCall(nn::ArgmaxOp op, DeviceCallBuilder &b) {
  Value x = op.getInput();
  int64_t rows = countRows(x), size = getRowSize(x), blocks = getRowSize(op.getValues());
  b.call("argmax", getRowLaunch(rows * blocks, llvm::divideCeil(size, blocks), kRowElements),
         {b.dtype(x), b.input(x), b.result(0), b.result(1), b.i64(rows), b.i64(size), b.i64(blocks),
          op.getIndexOffset() ? b.number(op.getIndexOffset()) : b.i64(0)});
}

/// Sizes around dimension `dim` and of it.
static std::array<int64_t, 3> getLines(Value tensor, unsigned dim) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  return {ShapedType::getNumElements(shape.take_front(dim)), shape[dim],
          ShapedType::getNumElements(shape.drop_front(dim + 1))};
}

static bool hasCall(nn::TopKOp op) {
  return isFloatRow(op.getInput()) && getLines(op.getInput(), op.getDim())[1] < UINT32_MAX;
}

static void emitCall(nn::TopKOp op, DeviceCallBuilder &b) {
  Value x = op.getInput(), elements = b.input(x);
  auto [outer, size, inner] = getLines(x, op.getDim());
  int64_t blocks = op.getBlocks(), k = getLines(op.getValues(), op.getDim())[1] / blocks;
  bool hasIndices = bool(op.getInputIndices());
  double bound = cast<FloatAttr>(op.getBound()).getValueAsDouble();
  b.call("top_k",
         getRowLaunch(outer * inner * blocks, llvm::divideCeil(size, blocks), kRowElements),
         {b.dtype(x), elements, b.i32(hasIndices),
          hasIndices ? b.input(op.getInputIndices()) : elements, b.result(0), b.result(1),
          b.i64(outer), b.i64(size), b.i64(inner), b.i64(blocks), b.i64(k), b.f32(bound),
          b.i32(op.getSmallest()), b.i32(op.getNanFirst()),
          op.getIndexOffset() ? b.number(op.getIndexOffset()) : b.i64(0),
          b.i64(op.getMissingIndex())});
}

static bool hasCall(nn::SampleOp op) {
  return hasElements(op.getLogits()) && getRowSize(op.getLogits()) < UINT32_MAX;
}

static void emitCall(nn::SampleOp op, DeviceCallBuilder &b) {
  int64_t rows = countRows(op.getLogits()), size = getRowSize(op.getLogits());
  b.call("sample", getRowLaunch(rows, size, kRowElements),
         {b.input(op.getLogits()), b.input(op.getUniform()), b.input(op.getTemperature()),
          b.input(op.getTopK()), b.input(op.getTopP()), b.scratch({rows, size}, b.getF64Type()),
          b.result(0), b.i64(rows), b.i64(size)});
}

/// Elements of a thread: vectors of eight where the shapes have them.
static KernelLaunch getElementsLaunch(int64_t elements) {
  constexpr int64_t threads = 256, maxBlocks = 1 << 14;
  return {std::clamp<int64_t>(llvm::divideCeil(elements, threads * kRowElements), 1, maxBlocks),
          threads};
}

static bool hasCall(nn::RopeOp op) {
  return hasElements(op.getInput()) && isDeviceFloat(getElementTypeOrSelf(op.getInput())) &&
         isDeviceFloat(getElementTypeOrSelf(op.getCos()));
}

static void emitCall(nn::RopeOp op, DeviceCallBuilder &b) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getInput().getType()).getShape();
  int64_t elements = ShapedType::getNumElements(shape);
  int64_t heads = elements / (shape[0] * shape[1] * shape.back());
  b.call("rope", getElementsLaunch(elements),
         {b.dtype(op.getInput()), b.dtype(op.getCos()), b.input(op.getInput()),
          b.input(op.getCos()), b.input(op.getSin()), b.result(0), b.i64(shape[0]), b.i64(shape[1]),
          b.i64(heads), b.i64(shape.back()), b.i64(getRowSize(op.getCos()))});
}

static bool hasCall(nn::CacheUpdateOp op) {
  return hasElements(op.getUpdate()) && hasElements(op.getCache()) &&
         cast<RankedTensorType>(op.getPos().getType()).hasStaticShape() &&
         isDeviceFloat(getElementTypeOrSelf(op.getUpdate()));
}

static void emitCall(nn::CacheUpdateOp op, DeviceCallBuilder &b) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getUpdate().getType()).getShape();
  int64_t capacity = cast<RankedTensorType>(op.getCache().getType()).getDimSize(2);
  Value first = op.getPositionOffset() ? b.number(op.getPositionOffset()) : b.i64(0);
  // Nothing is rotated, and no tables are read.
  Value dtype = b.dtype(op.getUpdate()), update = b.input(op.getUpdate());
  b.call("cache_write", getElementsLaunch(ShapedType::getNumElements(shape)),
         {dtype, dtype, update, update, update, b.input(op.getPos()), b.inPlace(0, op.getCache()),
          b.i64(shape[0]), b.i64(shape[1]), b.i64(shape[2]), b.i64(shape[3]), b.i64(0),
          b.i64(capacity), first, b.i64(op.getCapacity().value_or(capacity))});
}

bool tp::hasDeviceKernel(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<nn::ArgmaxOp, nn::CacheUpdateOp, nn::EmbeddingOp, nn::LayerNormOp, nn::RmsNormOp,
            nn::RopeOp, nn::SampleOp, nn::TopKOp>([](auto op) { return hasCall(op); })
      .Case<nn::AttentionOp, nn::AttentionBlocksOp>([](auto op) { return hasAttentionCall(op); })
      .Default([](Operation *) { return false; });
}

LogicalResult tp::bufferizeToDeviceKernel(Operation *op, RewriterBase &rewriter,
                                          const bufferization::BufferizationOptions &options,
                                          const bufferization::BufferizationState &state) {
  if (!hasDeviceKernel(op))
    return op->emitOpError("has no kernel and must be decomposed before bufferization");
  DeviceCallBuilder builder(op, rewriter, options, state);
  llvm::TypeSwitch<Operation *>(op)
      .Case<nn::ArgmaxOp, nn::CacheUpdateOp, nn::EmbeddingOp, nn::LayerNormOp, nn::RmsNormOp,
            nn::RopeOp, nn::SampleOp, nn::TopKOp>([&](auto kind) { emitCall(kind, builder); })
      .Case<nn::AttentionOp, nn::AttentionBlocksOp>(
          [&](auto op) { emitAttentionCall(op, builder); });
  return builder.finish();
}
