//===- Decompose.cpp - Look-up, norm, rotation and argmax -----------===//

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::nn;

/// One loop nest that gathers. A row outside the table reads row 0 instead and
/// the element is replaced by zero: no address outside the table is formed.
FailureOr<SmallVector<Value>> EmbeddingOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Value table = getTable();
  int64_t rows = shapeOf(table)[0];
  Value zero = b.real(type.getElementType(), 0.0);
  if (rows == 0)
    return SmallVector<Value>{b.filled(type.getShape(), zero)};
  unsigned rank = type.getRank();
  Value first = getRowOffset() ? getRowOffset() : b.index(0);
  Value limit = b.index(rows), row0 = b.index(0);
  Value init = b.empty(type.getShape(), type.getElementType());
  return SmallVector<Value>{
      b.generic(rank, {}, getIds(), init, {loopRange(0, rank - 1), loopRange(0, rank)},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value id = arith::IndexCastOp::create(n, n.getIndexType(), args[0]);
                  Value row = arith::SubIOp::create(n, id, first);
                  // Unsigned: a negative row is larger than any size.
                  Value inside = arith::CmpIOp::create(n, arith::CmpIPredicate::ult, row, limit);
                  Value safe = arith::SelectOp::create(n, inside, row, row0);
                  Value column = linalg::IndexOp::create(n, rank - 1);
                  Value element = tensor::ExtractOp::create(n, table, ValueRange{safe, column});
                  return {arith::SelectOp::create(n, inside, element, zero)};
                })[0]};
}

/// Loops: those of a row, the power, the element.
FailureOr<SmallVector<Value>> PowerSumsOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Type wide = type.getElementType();
  unsigned rank = type.getRank(), power = rank - 1;
  SmallVector<unsigned> read = loopRange(0, rank - 1), made = loopRange(0, rank);
  read.push_back(rank);
  ArrayRef<int64_t> powers = getPowers();
  bool isOnePower = llvm::all_equal(powers);
  return SmallVector<Value>{b.generic(
      rank + 1, {rank}, getInput(), b.filled(type.getShape(), b.real(wide, 0.0)), {read, made},
      [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        Value x = n.convert(args[0], wide), term = powers[0] == 1 ? x : n.mul(x, x);
        for (auto [i, p] : llvm::enumerate(isOnePower ? powers.take_front(1) : powers)) {
          if (i == 0)
            continue;
          Value at = linalg::IndexOp::create(n, power);
          Value isThis = arith::CmpIOp::create(n, arith::CmpIPredicate::eq, at, n.index(i));
          term = arith::SelectOp::create(n, isThis, p == 1 ? x : n.mul(x, x), term);
        }
        return {n.add(args[1], term)};
      })[0]};
}

/// Element `j` of each row of sums.
static Value sumOfRows(LinalgBuilder &b, Value sums, int64_t j) {
  RankedTensorType type = tensorTypeOf(sums);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  offsets.back() = b.getIndexAttr(j);
  sizes.back() = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(b, type.clone(type.getShape().drop_back()), sums, offsets,
                                        sizes, ones);
}

/// One number per row, in `wide`, of the row's numbers `inputs`.
static Value perRow(LinalgBuilder &b, ValueRange inputs, Type wide,
                    function_ref<Value(LinalgBuilder &, ValueRange)> make) {
  ArrayRef<int64_t> shape = shapeOf(inputs[0]);
  SmallVector<SmallVector<unsigned>> maps(inputs.size() + 1, loopRange(0, shape.size()));
  return b.generic(shape.size(), {}, inputs, b.empty(shape, wide), maps,
                   [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                     return {n.convert(make(n, args), wide)};
                   })[0];
}

/// `sum` / size.
static Value meanOf(LinalgBuilder &n, Value sum, double size) {
  return arith::DivFOp::create(n, sum, n.real(sum.getType(), size));
}

/// 1 / sqrt(mean + epsilon) in `wide`.
static Value inverseRoot(LinalgBuilder &n, Value mean, Type wide, double epsilon) {
  Value root = math::SqrtOp::create(n, n.add(n.convert(mean, wide), n.real(wide, epsilon)));
  return arith::DivFOp::create(n, n.real(wide, 1.0), root);
}

/// Sum of squares per row, 1 / sqrt per row, then one elementwise pass.
FailureOr<SmallVector<Value>> RmsNormOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Type element = type.getElementType(), wide = b.wide(element);
  ArrayRef<int64_t> shape = type.getShape(), rowShape = shape.drop_back();
  unsigned rank = shape.size();
  SmallVector<unsigned> all = loopRange(0, rank), row = loopRange(0, rank - 1);
  Value squares;
  if (getSums())
    squares = sumOfRows(b, getSums(), 0);
  else
    squares = b.generic(rank, {rank - 1}, getInput(), b.filled(rowShape, b.real(wide, 0.0)),
                        {all, row}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                          Value x = n.convert(args[0], wide);
                          return {n.add(args[1], n.mul(x, x))};
                        })[0];
  double size = static_cast<double>(getSize().value_or(shape.back()));
  double epsilon = getEpsilon().convertToDouble();
  Value scale = perRow(b, squares, wide, [&](LinalgBuilder &n, ValueRange args) {
    return inverseRoot(n, meanOf(n, args[0], size), wide, epsilon);
  });
  return SmallVector<Value>{b.generic(
      rank, {}, ValueRange{getInput(), scale, getWeight()}, b.empty(shape, element),
      {all, row, {rank - 1}, all}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        Value x = n.mul(n.convert(args[0], wide), args[1]);
        Value weight = n.convert(args[2], wide);
        if (double offset = getWeightOffset().convertToDouble(); offset != 0)
          weight = n.add(weight, n.real(wide, offset));
        return {n.convert(n.mul(x, weight), element)};
      })[0]};
}

/// Mean per row, then the mean of squared differences from it, 1 / sqrt, and one
/// elementwise pass.
FailureOr<SmallVector<Value>> LayerNormOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getResult().getType());
  Type element = type.getElementType(), wide = b.wide(element);
  ArrayRef<int64_t> shape = type.getShape(), rowShape = shape.drop_back();
  unsigned rank = shape.size();
  SmallVector<unsigned> all = loopRange(0, rank), row = loopRange(0, rank - 1);
  double size = static_cast<double>(getSize().value_or(shape.back()));
  double epsilon = getEpsilon().convertToDouble();
  auto zeros = [&] { return b.filled(rowShape, b.real(wide, 0.0)); };
  auto centred = [&](LinalgBuilder &n, Value x, Value mean) -> Value {
    return n.sub(n.convert(x, wide), mean);
  };
  auto makeMean = [&](LinalgBuilder &n, ValueRange args) { return meanOf(n, args[0], size); };
  Value mean, scale;
  if (getSums()) {
    Value sum = sumOfRows(b, getSums(), 0), squares = sumOfRows(b, getSums(), 1);
    mean = perRow(b, sum, wide, makeMean);
    scale = perRow(b, {sum, squares}, wide, [&](LinalgBuilder &n, ValueRange args) {
      Value own = meanOf(n, args[0], size);
      Value variance = n.sub(meanOf(n, args[1], size), n.mul(own, own));
      variance = arith::MaximumFOp::create(n, variance, n.real(variance.getType(), 0.0));
      return inverseRoot(n, variance, wide, epsilon);
    });
  } else {
    Value sum = b.generic(rank, {rank - 1}, getInput(), zeros(), {all, row},
                          [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                            return {n.add(args[1], n.convert(args[0], wide))};
                          })[0];
    mean = perRow(b, sum, wide, makeMean);
    Value squares =
        b.generic(rank, {rank - 1}, ValueRange{getInput(), mean}, zeros(), {all, row, row},
                  [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                    Value x = centred(n, args[0], args[1]);
                    return {n.add(args[2], n.mul(x, x))};
                  })[0];
    scale = perRow(b, squares, wide, [&](LinalgBuilder &n, ValueRange args) {
      return inverseRoot(n, meanOf(n, args[0], size), wide, epsilon);
    });
  }
  return SmallVector<Value>{
      b.generic(rank, {}, ValueRange{getInput(), mean, scale, getWeight(), getBias()},
                b.empty(shape, element), {all, row, row, {rank - 1}, {rank - 1}, all},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value x = n.mul(centred(n, args[0], args[1]), args[2]);
                  x = n.mul(x, n.convert(args[3], wide));
                  return {n.convert(n.add(x, n.convert(args[4], wide)), element)};
                })[0]};
}

/// The frequencies are a constant of R/2 elements, each rounded to f32 once.
FailureOr<SmallVector<Value>> RotaryTableOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getCos().getType());
  int64_t half = type.getDimSize(2);
  SmallVector<float> values;
  for (int64_t i = 0; i < half; ++i)
    values.push_back(static_cast<float>(
        getTheta() ? std::pow(getTheta()->convertToDouble(), -static_cast<double>(i) / half)
                   : (*getFrequencies())[i]));
  Type f32 = b.getF32Type();
  Value frequencies = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({half}, f32), ArrayRef<float>(values)));
  SmallVector<Value> inits = {b.empty(type.getShape(), f32), b.empty(type.getShape(), f32)};
  ResultRange results =
      b.generic(3, {}, ValueRange{getPos(), frequencies}, inits, {{0}, {2}, {0, 1, 2}, {0, 1, 2}},
                [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  Value step = linalg::IndexOp::create(n, 1);
                  Value offset = arith::IndexCastOp::create(n, n.getI64Type(), step);
                  Value position = arith::AddIOp::create(n, args[0], offset);
                  Value real = arith::SIToFPOp::create(n, f32, position);
                  Value angle = arith::MulFOp::create(n, real, args[1]);
                  return {math::CosOp::create(n, angle), math::SinOp::create(n, angle)};
                });
  return SmallVector<Value>{results[0], results[1]};
}

/// The last dimension is seen as [2, D/2]; each output reads both halves.
static Value rotate(LinalgBuilder &b, Value input, Value cosines, Value sines) {
  auto type = tensorTypeOf(input);
  Type element = type.getElementType(), wide = b.wide(element);
  unsigned rank = type.getRank(), halves = rank - 1, loops = rank + 1;
  SmallVector<int64_t> split(type.getShape().drop_back());
  split.append({2, type.getShape().back() / 2});
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i + 1 < rank; ++i)
    groups.push_back({i});
  groups.push_back({rank - 1, rank});
  Value pairs =
      tensor::ExpandShapeOp::create(b, RankedTensorType::get(split, element), input, groups);
  // One half of every row: [..., h, :] without the dimension of halves.
  auto half = [&](int64_t h) -> Value {
    SmallVector<OpFoldResult> offsets(loops, b.getIndexAttr(0)), strides(loops, b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), split);
    offsets[halves] = b.getIndexAttr(h);
    sizes[halves] = b.getIndexAttr(1);
    SmallVector<int64_t> shape(split);
    shape.erase(shape.begin() + halves);
    return tensor::ExtractSliceOp::create(b, RankedTensorType::get(shape, element), pairs, offsets,
                                          sizes, strides);
  };
  SmallVector<unsigned> all = loopRange(0, loops), one = loopRange(0, halves);
  one.push_back(rank);
  SmallVector<unsigned> angle = {0, 1, rank};
  Value rotated = b.generic(
      loops, {}, ValueRange{half(0), half(1), cosines, sines}, b.empty(split, element),
      {one, one, angle, angle, all}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        Value x1 = n.convert(args[0], wide), x2 = n.convert(args[1], wide);
        Value cos = n.convert(args[2], wide), sin = n.convert(args[3], wide);
        Value low = n.sub(n.mul(x1, cos), n.mul(x2, sin));
        Value high = n.add(n.mul(x2, cos), n.mul(x1, sin));
        Value which = linalg::IndexOp::create(n, halves);
        Value first = arith::CmpIOp::create(n, arith::CmpIPredicate::eq, which, n.index(0));
        return {n.convert(arith::SelectOp::create(n, first, low, high), element)};
      })[0];
  return tensor::CollapseShapeOp::create(b, type, rotated, groups);
}

/// What is not rotated stays where it is: the rotated elements are taken out of
/// the input and put back.
FailureOr<SmallVector<Value>> RopeOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  Value input = getInput();
  RankedTensorType type = tensorTypeOf(input);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 2 * shapeOf(getCos())[2];
  if (shape.back() == 0)
    return SmallVector<Value>{input};
  if (shape.back() == type.getShape().back())
    return SmallVector<Value>{rotate(b, input, getCos(), getSin())};
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), shape);
  SmallVector<OpFoldResult> strides(shape.size(), b.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(b, type.clone(shape), input, offsets, sizes, strides);
  Value rotated = rotate(b, part, getCos(), getSin());
  return SmallVector<Value>{
      tensor::InsertSliceOp::create(b, rotated, input, offsets, sizes, strides)};
}

/// The last dimension padded to whole blocks with the lowest value and seen as
/// [blocks, size]; a (value, index) accumulator per block.
FailureOr<SmallVector<Value>> ArgmaxOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  auto type = cast<RankedTensorType>(getValues().getType());
  Type element = type.getElementType(), i64 = b.getI64Type();
  Value input = getInput(), lowest = b.lowest(element);
  SmallVector<int64_t> shape(shapeOf(input));
  unsigned rank = shape.size(), blocksLoop = rank - 1, elementLoop = rank;
  int64_t blocks = type.getShape().back(), size = llvm::divideCeil(shape.back(), blocks);
  if (blocks * size != shape.back()) {
    SmallVector<OpFoldResult> low(rank, b.getIndexAttr(0)), high(rank, b.getIndexAttr(0));
    high.back() = b.getIndexAttr(blocks * size - shape.back());
    shape.back() = blocks * size;
    input =
        tensor::PadOp::create(b, RankedTensorType::get(shape, element), input, low, high, lowest);
  }
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i + 1 < rank; ++i)
    groups.push_back({i});
  groups.push_back({rank - 1, rank});
  SmallVector<int64_t> split(shape);
  split.back() = blocks;
  split.push_back(size);
  input = tensor::ExpandShapeOp::create(b, RankedTensorType::get(split, element), input, groups);
  Value none = arith::ConstantIntOp::create(b, i64, 0);
  SmallVector<Value> inits = {b.filled(type.getShape(), lowest), b.filled(type.getShape(), none)};
  SmallVector<unsigned> results = loopRange(0, rank);
  ResultRange best = b.generic(
      rank + 1, {elementLoop}, input, inits, {loopRange(0, rank + 1), results, results},
      [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
        // False for NaN, and for ties: the lowest index stays.
        Value greater = arith::CmpFOp::create(n, arith::CmpFPredicate::OGT, args[0], args[1]);
        Value index = linalg::IndexOp::create(n, elementLoop);
        if (blocks != 1) {
          Value block = linalg::IndexOp::create(n, blocksLoop);
          index = arith::AddIOp::create(n, index, arith::MulIOp::create(n, block, n.index(size)));
        }
        if (getIndexOffset())
          index = arith::AddIOp::create(n, index, getIndexOffset());
        Value number = arith::IndexCastOp::create(n, i64, index);
        return {arith::SelectOp::create(n, greater, args[0], args[1]),
                arith::SelectOp::create(n, greater, number, args[2])};
      });
  return SmallVector<Value>{best[0], best[1]};
}
