//===- TensorOps.cpp - The tensor dialect ----------------------------------===//

#include "Body.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

/// Larger values (of 8 bytes an element) are taken for a mistake.
static constexpr int64_t kMaxElements = int64_t(1) << 31;

static Results one(Tensor tensor) {
  Results results;
  results.push_back(std::move(tensor));
  return results;
}

/// Static numbers with the dynamic ones filled in.
static SmallVector<int64_t> resolve(ArrayRef<int64_t> statics, ValueRange dynamics,
                                    Environment &env) {
  SmallVector<int64_t> values(statics);
  auto next = dynamics.begin();
  for (int64_t &value : values)
    if (ShapedType::isDynamic(value))
      value = env.lookup(*next++).getScalar().i;
  return values;
}

/// The shape of a result type with the dynamic sizes filled in.
static SmallVector<int64_t> resolve(Type type, ValueRange dynamics, Environment &env) {
  return resolve(cast<RankedTensorType>(type).getShape(), dynamics, env);
}

LogicalResult interp::checkSizes(Operation *op, ArrayRef<int64_t> shape, Environment &env) {
  int64_t elements = 1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size < 0)
      return env.emitError(op) << "dimension " << dim << " has the negative size " << size;
    if (llvm::MulOverflow(elements, size, elements))
      elements = INT64_MAX;
  }
  if (elements > kMaxElements && !llvm::is_contained(shape, 0))
    return env.emitError(op) << "makes a value of more than " << kMaxElements << " elements";
  return success();
}

LogicalResult interp::checkIndices(Operation *op, ArrayRef<int64_t> indices, const Tensor &tensor,
                                   Environment &env) {
  // A block of a table has the bounds of the table: an index that is in no block is left
  // as it is, and a block may be larger than all of the table.
  auto whole = op->getAttrOfType<TypeAttr>(kGlobalTypeAttr);
  if (!whole && tensor.isInBounds(indices))
    return success();
  ArrayRef<int64_t> bounds =
      whole ? cast<RankedTensorType>(whole.getValue()).getShape() : tensor.getShape();
  for (auto [dim, index, size, bound] : llvm::enumerate(indices, tensor.getShape(), bounds))
    if (index < 0 || index >= std::min(size, bound))
      return env.emitError(op) << "index along dimension " << dim << " is " << index
                               << ", outside [0, " << bound << ")";
  return success();
}

static FailureOr<int64_t> getPosition(Operation *op, const Tensor &tensor,
                                      ArrayRef<Tensor> operands, Environment &env) {
  SmallVector<int64_t> indices;
  for (const Tensor &operand : operands)
    indices.push_back(operand.getScalar().i);
  if (failed(checkIndices(op, indices, tensor, env)))
    return failure();
  return tensor.linearize(indices);
}

namespace {
/// Offsets, sizes and strides of a slice, resolved.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;

  SmallVector<int64_t> at(ArrayRef<int64_t> index) const {
    SmallVector<int64_t> result;
    for (auto [i, offset, stride] : llvm::zip_equal(index, offsets, strides))
      result.push_back(offset + i * stride);
    return result;
  }
};
} // namespace

/// The slice of an op, checked against the shape that it cuts.
template <typename Op>
static FailureOr<Slice> getSlice(Op op, ArrayRef<int64_t> shape, Environment &env) {
  Slice slice{resolve(op.getStaticOffsets(), op.getOffsets(), env),
              resolve(op.getStaticSizes(), op.getSizes(), env),
              resolve(op.getStaticStrides(), op.getStrides(), env)};
  if (failed(checkSizes(op, slice.sizes, env)))
    return failure();
  for (auto [d, offset, size, stride, whole] :
       llvm::enumerate(slice.offsets, slice.sizes, slice.strides, shape)) {
    int64_t last = offset + (size - 1) * stride;
    bool fits = size == 0 ? offset >= 0 && offset <= whole
                          : offset >= 0 && offset < whole && last >= 0 && last < whole;
    if (!fits)
      return env.emitError(op) << "slice of offset " << offset << ", size " << size
                               << " and stride " << stride << " is out of bounds of dimension " << d
                               << " of size " << whole;
  }
  return slice;
}

/// Sizes without the unit dimensions that the slice drops.
template <typename Op> static SmallVector<int64_t> getReducedSizes(Op op, const Slice &slice) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(slice.sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  return shape;
}

static FailureOr<Results> extractSlice(tensor::ExtractSliceOp op, const Tensor &source,
                                       Environment &env) {
  FailureOr<Slice> slice = getSlice(op, source.getShape(), env);
  if (failed(slice))
    return failure();
  Tensor result(getReducedSizes(op, *slice), source.getElementType());
  Element *out = result.mutate().data();
  (void)forEachIndex(slice->sizes, [&](ArrayRef<int64_t> index) {
    *out++ = source.at(slice->at(index));
    return success();
  });
  return one(result);
}

static FailureOr<Results> insertSlice(tensor::InsertSliceOp op, const Tensor &source,
                                      const Tensor &dest, Environment &env) {
  FailureOr<Slice> slice = getSlice(op, dest.getShape(), env);
  if (failed(slice))
    return failure();
  if (source.size() != getNumElements(slice->sizes))
    return env.emitError(op) << "inserts " << source.size() << " elements into a slice of "
                             << getNumElements(slice->sizes);
  Tensor result = dest;
  MutableArrayRef<Element> out = result.mutate();
  const Element *next = source.getElements().data();
  (void)forEachIndex(slice->sizes, [&](ArrayRef<int64_t> index) {
    out[result.linearize(slice->at(index))] = *next++;
    return success();
  });
  return one(result);
}

static FailureOr<Results> reshape(Operation *op, const Tensor &source, ArrayRef<int64_t> shape,
                                  Environment &env) {
  if (failed(checkSizes(op, shape, env)))
    return failure();
  if (getNumElements(shape) != source.size())
    return env.emitError(op) << "reshapes " << source.size() << " elements into "
                             << getNumElements(shape);
  return one(source.reshaped(shape));
}

/// An expand_shape keeps each group of dimensions; a product that fits over all
/// would not be enough.
static FailureOr<Results> expandShape(tensor::ExpandShapeOp op, const Tensor &source,
                                      Environment &env) {
  SmallVector<int64_t> shape = resolve(op.getStaticOutputShape(), op.getOutputShape(), env);
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t product = 1;
    for (int64_t i : group)
      product *= shape[i];
    if (product != source.getDim(d))
      return env.emitError(op) << "expands dimension " << d << " of size " << source.getDim(d)
                               << " into " << product << " elements";
  }
  return reshape(op, source, shape, env);
}

static FailureOr<Results> collapseShape(tensor::CollapseShapeOp op, const Tensor &source,
                                        Environment &env) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t i : group)
      shape.back() *= source.getDim(i);
  }
  return reshape(op, source, shape, env);
}

static FailureOr<Results> concat(tensor::ConcatOp op, ArrayRef<Tensor> sources, Environment &env) {
  uint64_t dim = op.getDim();
  SmallVector<int64_t> shape(sources[0].getShape());
  for (const Tensor &source : sources.drop_front()) {
    shape[dim] += source.getDim(dim);
    for (auto [d, size] : llvm::enumerate(source.getShape()))
      if (d != dim && size != shape[d])
        return env.emitError(op) << "joins values of sizes " << shape[d] << " and " << size
                                 << " in dimension " << d;
  }
  Tensor result(shape, sources[0].getElementType());
  MutableArrayRef<Element> out = result.mutate();
  int64_t offset = 0;
  for (const Tensor &source : sources) {
    (void)forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> target(index);
      target[dim] += offset;
      out[result.linearize(target)] = source.at(index);
      return success();
    });
    offset += source.getDim(dim);
  }
  return one(result);
}

/// Fills a tensor by a region of its indices.
static LogicalResult fillByRegion(Block &block, Tensor &tensor, Environment &env,
                                  function_ref<const Element *(ArrayRef<int64_t>)> given) {
  FailureOr<std::shared_ptr<Body>> body = Body::get(block, env);
  if (failed(body))
    return failure();
  BodyRun run(*body, env);
  Element *out = tensor.mutate().data();
  SmallVector<Element> arguments(tensor.getRank());
  return forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) -> LogicalResult {
    const Element *element = given(index);
    if (!element) {
      for (auto [argument, i] : llvm::zip_equal(arguments, index))
        argument.i = i;
      FailureOr<ArrayRef<Element>> yielded = run.evaluate(arguments, {});
      if (failed(yielded))
        return failure();
      element = yielded->data();
    }
    *out++ = *element;
    return env.step(block.getParentOp());
  });
}

static FailureOr<Results> generate(tensor::GenerateOp op, Environment &env) {
  SmallVector<int64_t> shape = resolve(op.getType(), op.getDynamicExtents(), env);
  if (failed(checkSizes(op, shape, env)))
    return failure();
  Tensor result(shape, getElementTypeOrSelf(op.getType()));
  if (failed(fillByRegion(op.getBody().front(), result, env,
                          [](ArrayRef<int64_t>) -> const Element * { return nullptr; })))
    return failure();
  return one(result);
}

static FailureOr<Results> pad(tensor::PadOp op, const Tensor &source, Environment &env) {
  SmallVector<int64_t> low = resolve(op.getStaticLow(), op.getLow(), env);
  SmallVector<int64_t> high = resolve(op.getStaticHigh(), op.getHigh(), env);
  SmallVector<int64_t> shape;
  for (auto [d, size, below, above] : llvm::enumerate(source.getShape(), low, high)) {
    if (below < 0 || above < 0)
      return env.emitError(op) << "dimension " << d << " has negative padding " << below << " and "
                               << above;
    shape.push_back(below + size + above);
  }
  if (failed(checkSizes(op, shape, env)))
    return failure();
  Tensor result(shape, source.getElementType());
  auto given = [&](ArrayRef<int64_t> index) -> const Element * {
    SmallVector<int64_t> inner;
    for (auto [i, below] : llvm::zip_equal(index, low))
      inner.push_back(i - below);
    return source.isInBounds(inner) ? &source.at(inner) : nullptr;
  };
  if (failed(fillByRegion(op.getRegion().front(), result, env, given)))
    return failure();
  return one(result);
}

static FailureOr<Results> dim(tensor::DimOp op, ArrayRef<Tensor> operands, Environment &env) {
  int64_t index = operands[1].getScalar().i;
  if (index < 0 || index >= operands[0].getRank())
    return env.emitError(op) << "dimension " << index << " of a value of rank "
                             << operands[0].getRank();
  return one(Tensor::index(op.getType(), operands[0].getDim(index)));
}

FailureOr<Results> interp::evaluateTensorOp(Operation *op, ArrayRef<Tensor> operands,
                                            Environment &env) {
  using R = FailureOr<Results>;
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](tensor::EmptyOp op) -> R {
        SmallVector<int64_t> shape = resolve(op.getType(), op.getDynamicSizes(), env);
        if (failed(checkSizes(op, shape, env)))
          return failure();
        return one(makeUninitialized(shape, op.getType().getElementType(), env));
      })
      .Case([&](tensor::ExtractOp op) -> R {
        FailureOr<int64_t> position = getPosition(op, operands[0], operands.drop_front(), env);
        if (failed(position))
          return failure();
        return one(Tensor::scalar(op.getType(), operands[0][*position]));
      })
      .Case([&](tensor::InsertOp op) -> R {
        FailureOr<int64_t> position = getPosition(op, operands[1], operands.drop_front(2), env);
        if (failed(position))
          return failure();
        Tensor result = operands[1];
        result.mutate()[*position] = operands[0].getScalar();
        return one(result);
      })
      .Case([&](tensor::ExtractSliceOp op) { return extractSlice(op, operands[0], env); })
      .Case(
          [&](tensor::InsertSliceOp op) { return insertSlice(op, operands[0], operands[1], env); })
      .Case([&](tensor::ExpandShapeOp op) { return expandShape(op, operands[0], env); })
      .Case([&](tensor::CollapseShapeOp op) { return collapseShape(op, operands[0], env); })
      .Case([&](tensor::ReshapeOp op) {
        SmallVector<int64_t> shape;
        for (Element size : operands[1].getElements())
          shape.push_back(size.i);
        return reshape(op, operands[0], shape, env);
      })
      .Case([&](tensor::ConcatOp op) { return concat(op, operands, env); })
      .Case([&](tensor::PadOp op) { return pad(op, operands[0], env); })
      .Case([&](tensor::CastOp) -> R { return one(operands[0]); })
      .Case([&](tensor::BitcastOp) { return evaluateElementwise(op, operands, env); })
      .Case([&](tensor::DimOp op) { return dim(op, operands, env); })
      .Case([&](tensor::RankOp op) -> R {
        return one(Tensor::index(op.getType(), operands[0].getRank()));
      })
      .Case([&](tensor::SplatOp op) -> R {
        SmallVector<int64_t> shape = resolve(op.getType(), op.getDynamicSizes(), env);
        if (failed(checkSizes(op, shape, env)))
          return failure();
        return one(Tensor(shape, operands[0].getElementType(), operands[0].getScalar()));
      })
      .Case([&](tensor::FromElementsOp op) -> R {
        Tensor result(op.getType().getShape(), op.getType().getElementType());
        for (auto [slot, operand] : llvm::zip_equal(result.mutate(), operands))
          slot = operand.getScalar();
        return one(result);
      })
      .Case([&](tensor::GenerateOp op) { return generate(op, env); })
      .Default([&](Operation *op) -> R { return emitUnknown(op, env); });
}

Tensor interp::evaluateWindow(WindowOp op, const Tensor &source, Environment &env) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  WindowMap map = op.getMap();
  int64_t dim = op.getDim();
  SmallVector<int64_t> rows; // Of the repeated source, for each row of the result.
  for (const WindowSegment &segment : map.segments)
    for (int64_t j = 0; j < segment.size; ++j)
      rows.push_back(segment.start + map.stride * j);
  Tensor result = makeUninitialized(type.getShape(), type.getElementType(), env);
  Element *out = result.mutate().data();
  (void)forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    int64_t row = rows[index[dim]];
    from[dim] = row / map.repeat;
    if (row >= 0 && from[dim] < map.sourceSize)
      *out = source.at(from);
    else if (TypedAttr fill = op.getFillAttr())
      *out = fromAttribute(type.getElementType(), fill);
    ++out;
    return success();
  });
  return result;
}
