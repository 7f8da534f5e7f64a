//===- DeviceAttention.cpp - Attention as kernels of the library -----------===//
//
// Few query rows leave most of a device idle, so there the positions are cut: kernels of
// parts, as of `nn.attention_blocks`, and one that merges them. Neither the number of
// parts nor a launch depends on the position: the kernel cuts what is seen.
//
//===----------------------------------------------------------------------===//

#include "DeviceKernels.h"

#include "dialects/NN/NN.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tp;

/// Blocks that keep any device busy.
constexpr int64_t kEnoughBlocks = 264;
/// Rows of a block whose warps have rows of their own, and of one whose warps share them.
constexpr int64_t kWholeRows = 64, kPartRows = 16;

namespace {

/// What both ops have.
struct Attention {
  template <typename Op>
  explicit Attention(Op op)
      : query(cast<RankedTensorType>(op.getQuery().getType())),
        key(cast<RankedTensorType>(op.getKey().getType())),
        pos(cast<RankedTensorType>(op.getPos().getType())) {}

  int64_t getRows() const { return query.getDimSize(1) * query.getDimSize(3); }
  int64_t getPairs() const { return query.getDimSize(0) * query.getDimSize(2); }
  int64_t getDepth() const { return query.getDimSize(4); }
  int64_t getCapacity() const { return key.getDimSize(2); }
  bool isNarrow() const { return query.getElementTypeBitWidth() == 16; }

  bool hasKernel() const {
    return isDeviceFloat(query.getElementType()) && query.hasStaticShape() &&
           key.hasStaticShape() && pos.hasStaticShape() && query.getNumElements() > 0 &&
           key.getNumElements() > 0 && getRows() <= INT32_MAX && getCapacity() <= INT32_MAX &&
           llvm::is_contained({16, 32, 64, 80, 96, 128, 256}, getDepth());
  }

  /// Keys of a tile, as Sizes of runtime/cuda/kernels/Attention.h has them.
  int64_t getTile(bool isPart) const {
    int64_t depth = getDepth();
    if (isNarrow())
      return depth > 128 ? 32 : 64;
    if (isPart)
      return depth > 128 ? 16 : 32;
    return depth > 128 ? 8 : depth > 80 ? 16 : 32;
  }

  /// `blocks` blocks of each pair of a batch row and a head.
  KernelLaunch getLaunch(bool isPart, int64_t blocks) const {
    int64_t elementBytes = isNarrow() ? 2 : 4, tile = getTile(isPart);
    int64_t rows = isPart ? kPartRows : kWholeRows;
    int64_t warps = isPart ? tile / (isNarrow() ? 16 : 8) : 4;
    // Two tiles of keys and of values; queries that do not fit registers.
    int64_t lines = 4 * tile + (isNarrow() && getDepth() <= 128 ? 0 : rows);
    return {getPairs() * blocks, warps * 32, lines * (getDepth() * elementBytes + 16)};
  }

  RankedTensorType query, key, pos;
};

} // namespace

/// In how many parts the positions are cut; 0 where rows keep the device busy.
static int64_t countParts(const Attention &attention) {
  int64_t tiles = llvm::divideCeil(attention.getCapacity(), attention.getTile(/*isPart=*/true));
  int64_t wholeBlocks = attention.getPairs() * llvm::divideCeil(attention.getRows(), kWholeRows);
  bool isFew = attention.getRows() <= kPartRows ||
               (attention.getRows() <= kWholeRows && wholeBlocks < kEnoughBlocks / 4);
  if (!isFew || tiles == 1)
    return 0;
  int64_t blocks = attention.getPairs() * llvm::divideCeil(attention.getRows(), kPartRows);
  return std::min<int64_t>(tiles, llvm::divideCeil(kEnoughBlocks, blocks));
}

/// What the kernels of both ops are called with, up to the results.
template <typename Op> static SmallVector<Value> getInputs(Op op, DeviceCallBuilder &b) {
  return {b.dtype(op.getQuery()), b.alignedInput(op.getQuery()), b.alignedInput(op.getKey()),
          b.alignedInput(op.getValue()), b.input(op.getPos())};
}

/// And behind them.
template <typename Op>
static void addShapes(Op op, DeviceCallBuilder &b, SmallVectorImpl<Value> &arguments) {
  for (int64_t size : cast<RankedTensorType>(op.getQuery().getType()).getShape())
    arguments.push_back(b.i64(size));
  arguments.append({b.i64(Attention(op).getCapacity()), b.f32(op.getScale().convertToDouble()),
                    b.i64(op.getWindow().value_or(0)), b.i32(op.getBidirectional())});
}

static Value numberOr(DeviceCallBuilder &b, Value index, int64_t otherwise) {
  return index ? b.number(index) : b.i64(otherwise);
}

bool tp::hasAttentionCall(nn::AttentionOp op) { return Attention(op).hasKernel(); }

void tp::emitAttentionCall(nn::AttentionOp op, DeviceCallBuilder &b) {
  Attention attention(op);
  Value stepOffset = numberOr(b, op.getStepOffset(), 0);
  SmallVector<Value> arguments = getInputs(op, b);
  int64_t parts = countParts(attention);
  if (parts == 0) {
    arguments.push_back(b.result(0));
    addShapes(op, b, arguments);
    arguments.push_back(stepOffset);
    int64_t blocks = llvm::divideCeil(attention.getRows(), kWholeRows);
    return b.call("attention", attention.getLaunch(/*isPart=*/false, blocks), arguments);
  }
  SmallVector<int64_t> shape = {parts};
  llvm::append_range(shape, attention.query.getShape());
  Value largest = b.scratch(ArrayRef(shape).drop_back(), b.getF32Type());
  ++shape.back();
  Value sums = b.scratch(shape, b.getF32Type());
  arguments.append({sums, largest});
  addShapes(op, b, arguments);
  arguments.append({b.i64(parts), stepOffset, b.i64(0), b.i64(attention.getCapacity())});
  int64_t blocks = parts * llvm::divideCeil(attention.getRows(), kPartRows);
  b.call("attention_parts", attention.getLaunch(/*isPart=*/true, blocks), arguments);
  int64_t rows = attention.getPairs() * attention.getRows(), depth = attention.getDepth();
  b.call("attention_merge", {rows, static_cast<int64_t>(llvm::alignTo(depth, 32))},
         {b.dtype(op.getQuery()), sums, largest, b.result(0), b.i64(parts), b.i64(rows),
          b.i64(depth)});
}

bool tp::hasAttentionCall(nn::AttentionBlocksOp op) {
  auto largest = cast<RankedTensorType>(op.getLargest().getType());
  return Attention(op).hasKernel() && largest.hasStaticShape() && largest.getDimSize(0) > 0 &&
         largest.getElementType().isF32();
}

void tp::emitAttentionCall(nn::AttentionBlocksOp op, DeviceCallBuilder &b) {
  Attention attention(op);
  int64_t parts = cast<RankedTensorType>(op.getLargest().getType()).getDimSize(0);
  Value numbers[] = {numberOr(b, op.getStepOffset(), 0), numberOr(b, op.getPositionOffset(), 0),
                     numberOr(b, op.getExtent(), attention.getCapacity())};
  SmallVector<Value> arguments = getInputs(op, b);
  Value sums = b.result(0), largest = b.result(1);
  arguments.append({sums, largest});
  addShapes(op, b, arguments);
  arguments.push_back(b.i64(parts));
  llvm::append_range(arguments, numbers);
  int64_t blocks = parts * llvm::divideCeil(attention.getRows(), kPartRows);
  b.call("attention_parts", attention.getLaunch(/*isPart=*/true, blocks), arguments);
}
