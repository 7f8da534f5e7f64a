//===- Ops.cpp - Verification of nn ops ------------------------------------===//

#include "dialects/NN/NN.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp::nn;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Fails unless `value` has this shape and element type.
static LogicalResult expectType(Operation *op, Value value, ArrayRef<int64_t> shape, Type element,
                                StringRef what) {
  auto expected = RankedTensorType::get(shape, element);
  if (value.getType() != expected)
    return op->emitOpError() << what << " must be " << expected << ", found " << value.getType();
  return success();
}

LogicalResult EmbeddingOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getIds()));
  shape.push_back(shapeOf(getTable())[1]);
  return expectType(*this, getResult(), shape, elementOf(getTable()), "result");
}

LogicalResult PowerSumsOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getInput()));
  if (shape.empty())
    return emitOpError("needs a value of rank 1 or more, found ") << getInput().getType();
  if (getPowers().empty())
    return emitOpError("needs a power, found none");
  for (int64_t power : getPowers())
    if (power != 1 && power != 2)
      return emitOpError("powers must be 1 or 2, found ") << power;
  Type element = elementOf(getResult());
  if (element.getIntOrFloatBitWidth() < elementOf(getInput()).getIntOrFloatBitWidth())
    return emitOpError("sums ") << elementOf(getInput()) << " in the narrower " << element;
  shape.back() = getPowers().size();
  return expectType(*this, getResult(), shape, element, "result");
}

/// What norms over the last dimension have in common; `weights` names their
/// parameters, `numSums` is how many sums of a row they need.
template <typename OpTy>
static LogicalResult verifyNorm(OpTy op, StringRef weights, int64_t numSums) {
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  if (shape.empty())
    return op.emitOpError("needs a value of rank 1 or more, found ") << op.getInput().getType();
  double epsilon = op.getEpsilon().convertToDouble();
  if (epsilon < 0)
    return op.emitOpError("epsilon must not be negative, found ") << epsilon;
  int64_t size = shapeOf(op.getWeight())[0];
  if (size != shape.back())
    return op.emitOpError() << weights << " must have " << shape.back() << " elements, found "
                            << size;
  if (!op.getSums())
    return op.getSize() ? op.emitOpError("has a size and no sums") : success();
  if (!op.getSize())
    return op.emitOpError("needs the size of the rows that the sums are of");
  if (int64_t size = *op.getSize(); size < 0)
    return op.emitOpError("size must not be negative, found ") << size;
  SmallVector<int64_t> sums(shape);
  sums.back() = numSums;
  return expectType(op, op.getSums(), sums, elementOf(op.getSums()), "sums");
}

LogicalResult RmsNormOp::verify() {
  if (failed(verifyNorm(*this, "weight", 1)))
    return failure();
  if (!getWeightOffset().isFinite())
    return emitOpError("weight_offset must be finite, found ") << getWeightOffsetAttr();
  return success();
}

LogicalResult LayerNormOp::verify() { return verifyNorm(*this, "weight and bias", 2); }

LogicalResult RotaryTableOp::verify() {
  if (!elementOf(getCos()).isF32())
    return emitOpError("results must be of f32, found ") << elementOf(getCos());
  if (getTheta().has_value() == getFrequencies().has_value())
    return emitOpError("needs either theta or frequencies, found ")
           << (getTheta() ? "both" : "none");
  if (getTheta() && getTheta()->convertToDouble() <= 0)
    return emitOpError("theta must be positive, found ") << getTheta()->convertToDouble();
  if (std::optional<ArrayRef<double>> frequencies = getFrequencies()) {
    if (static_cast<int64_t>(frequencies->size()) != shapeOf(getCos())[2])
      return emitOpError("needs ")
             << shapeOf(getCos())[2] << " frequencies, found " << frequencies->size();
    for (double frequency : *frequencies)
      if (!std::isfinite(frequency) || frequency < 0)
        return emitOpError("frequencies must be finite and not negative, found ") << frequency;
  }
  if (shapeOf(getCos())[0] != shapeOf(getPos())[0])
    return emitOpError("results must have ")
           << shapeOf(getPos())[0] << " rows, found " << shapeOf(getCos())[0];
  return success();
}

LogicalResult RopeOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  if (shape.size() < 3)
    return emitOpError("needs a value of rank 3 or more, found rank ") << shape.size();
  int64_t pairs = shapeOf(getCos())[2];
  if (2 * pairs > shape.back())
    return emitOpError("rotates ")
           << 2 * pairs << " elements, but the head dimension has " << shape.back();
  return expectType(*this, getCos(), {shape[0], shape[1], pairs}, elementOf(getCos()),
                    "cos and sin");
}

LogicalResult CacheUpdateOp::verify() {
  ArrayRef<int64_t> cache = shapeOf(getCache()), update = shapeOf(getUpdate());
  if (failed(expectType(*this, getUpdate(), {cache[0], update[1], cache[1], cache[3]},
                        elementOf(getCache()), "update")))
    return failure();
  if (static_cast<bool>(getPositionOffset()) != getCapacity().has_value())
    return emitOpError("needs both a position offset and a capacity, or none of them");
  int64_t capacity = getCapacity().value_or(cache[2]);
  if (update[1] > capacity)
    return emitOpError("has more new positions (")
           << update[1] << ") than the cache (" << capacity << ")";
  return expectType(*this, getPos(), {cache[0]}, elementOf(getPos()), "pos");
}

/// What attention and attention over blocks have in common.
template <typename OpTy> static LogicalResult verifyAttention(OpTy op) {
  ArrayRef<int64_t> query = shapeOf(op.getQuery()), key = shapeOf(op.getKey());
  if (failed(expectType(op, op.getKey(), {query[0], query[2], key[2], query[4]},
                        elementOf(op.getQuery()), "key and value")))
    return failure();
  if (op.getWindow() && static_cast<int64_t>(*op.getWindow()) < 1)
    return op.emitOpError("window must be at least 1, found ")
           << static_cast<int64_t>(*op.getWindow());
  if (op.getWindow() && op.getBidirectional())
    return op.emitOpError("bidirectional attention has no window, found ")
           << static_cast<int64_t>(*op.getWindow());
  return expectType(op, op.getPos(), {query[0]}, elementOf(op.getPos()), "pos");
}

LogicalResult AttentionOp::verify() { return verifyAttention(*this); }

LogicalResult AttentionBlocksOp::verify() {
  if (failed(verifyAttention(*this)))
    return failure();
  int64_t blocks = shapeOf(getSums())[0];
  if (blocks < 1)
    return emitOpError("needs at least one block, found ") << blocks;
  Type element = elementOf(getQuery());
  Type wide = element.isF64() ? element : Float32Type::get(getContext());
  SmallVector<int64_t> shape = {blocks};
  llvm::append_range(shape, shapeOf(getQuery()));
  ++shape.back();
  if (failed(expectType(*this, getSums(), shape, wide, "sums")))
    return failure();
  return expectType(*this, getLargest(), ArrayRef(shape).drop_back(), wide, "largest");
}

Type mlir::tp::nn::dropDims(Type type, unsigned first, unsigned last) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() < static_cast<int64_t>(first + last))
    return type;
  return tensor.clone(tensor.getShape().drop_front(first).drop_back(last));
}

LogicalResult AttentionMergeOp::verify() {
  if (int64_t depth = shapeOf(getSums()).back(); depth < 1)
    return emitOpError("sums have no sum of weights, found ") << getSums().getType();
  return success();
}

LogicalResult AttentionFinishOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getInput()));
  --shape.back();
  return expectType(*this, getResult(), shape, elementOf(getResult()), "result");
}

LogicalResult ArgmaxOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getInput()));
  ArrayRef<int64_t> values = shapeOf(getValues());
  if (shape.empty() || values.empty() || values.back() < 1)
    return emitOpError("needs values of rank 1 or more and at least one block, found ")
           << getInput().getType() << " and " << getValues().getType();
  shape.back() = values.back();
  if (failed(expectType(*this, getValues(), shape, elementOf(getInput()), "values")))
    return failure();
  return expectType(*this, getIndices(), shape, elementOf(getIndices()), "indices");
}

#define GET_OP_CLASSES
#include "dialects/NN/NNOps.cpp.inc"
