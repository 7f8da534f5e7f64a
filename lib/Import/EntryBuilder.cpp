//===- EntryBuilder.cpp ----------------------------------------------------===//

#include "tp/Import/EntryBuilder.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Affine maps of an einsum string, dimensions numbered by `letters`.
static AffineMap mapOf(MLIRContext *context, StringRef term, StringRef letters) {
  SmallVector<AffineExpr> exprs;
  for (char letter : term)
    exprs.push_back(getAffineDimExpr(letters.find(letter), context));
  return AffineMap::get(letters.size(), 0, exprs, context);
}

Location EntryBuilder::loc(StringRef name) const {
  return NameLoc::get(builder.getStringAttr(name));
}

Value EntryBuilder::get(StringRef name) const {
  Value value = values.lookup(name);
  assert(value && "a family's table must name what its body uses");
  return value;
}

Value EntryBuilder::empty(StringRef name, ArrayRef<int64_t> shape, Type type) {
  return tensor::EmptyOp::create(builder, loc((name + ".init").str()), shape, type);
}

Value EntryBuilder::zeros(StringRef name, ArrayRef<int64_t> shape) {
  if (!zero)
    zero = arith::ConstantOp::create(builder, loc("zero"), builder.getZeroAttr(sum));
  Value init = empty(name, shape, sum);
  return linalg::FillOp::create(builder, init.getLoc(), zero, init).getResult(0);
}

Value EntryBuilder::contract(StringRef name, Value x, Value w, StringRef einsum) {
  auto [operands, result] = einsum.split("->");
  auto [left, right] = operands.split(',');
  // Dimensions in the order of the result, then those that are summed.
  std::string letters = result.str();
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (auto [term, value] : {std::pair(left, x), std::pair(right, w)}) {
    for (auto [letter, size] : llvm::zip_equal(term, typeOf(value).getShape())) {
      auto [place, isNew] = sizes.try_emplace(letter, size);
      (void)isNew;
      assert(place->second == size && "a letter has one size");
      if (letters.find(letter) == std::string::npos)
        letters.push_back(letter);
    }
  }
  SmallVector<int64_t> shape;
  for (char letter : result)
    shape.push_back(sizes.lookup(letter));
  SmallVector<Attribute> maps;
  for (StringRef term : {left, right, result})
    maps.push_back(AffineMapAttr::get(mapOf(builder.getContext(), term, letters)));
  Value init = zeros(name, shape);
  return linalg::ContractOp::create(builder, loc(name), TypeRange{init.getType()},
                                    ValueRange{rounded(x), w}, ValueRange{init},
                                    builder.getArrayAttr(maps))
      .getResult(0);
}

/// The same number as a float of another type.
static Value convertTo(ImplicitLocOpBuilder &b, Type type, Value x) {
  unsigned from = x.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  return from < to ? arith::ExtFOp::create(b, type, x).getResult()
                   : arith::TruncFOp::create(b, type, x).getResult();
}

Value EntryBuilder::elementwise(StringRef name, ValueRange inputs, Type result,
                                function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  Value init = empty(name, typeOf(inputs[0]).getShape(), result);
  unsigned rank = typeOf(inputs[0]).getRank();
  SmallVector<AffineMap> maps;
  // A value of lower rank stands for the last dimensions.
  for (Value input : inputs)
    maps.push_back(builder.getMultiDimIdentityMap(rank).getMinorSubMap(typeOf(input).getRank()));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc(name), TypeRange{init.getType()}, inputs,
                                   ValueRange{init}, maps, iterators,
                                   [&](OpBuilder &b, Location l, ValueRange args) {
                                     ImplicitLocOpBuilder inner(l, b);
                                     SmallVector<Value> wide;
                                     for (Value arg : args.take_front(inputs.size()))
                                       wide.push_back(convertTo(inner, sum, arg));
                                     Value value = convertTo(inner, result, body(inner, wide));
                                     linalg::YieldOp::create(b, l, value);
                                   })
      .getResult(0);
}

Value EntryBuilder::rounded(Value x) {
  if (typeOf(x).getElementType() == element)
    return x;
  std::string name = cast<NameLoc>(x.getLoc()).getName().str();
  return elementwise(name, x, element,
                     [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
}

Value EntryBuilder::project(StringRef name, Value x, StringRef einsum) {
  return contract(name, x, get((name + ".weight").str()), einsum);
}

Value EntryBuilder::addBias(StringRef name, Value x) {
  std::string bias = (name + ".bias").str();
  return has(bias) ? addParameter(bias, x) : x;
}

Value EntryBuilder::addParameter(StringRef name, Value x) {
  return elementwise(name, {x, get(name)}, typeOf(x).getElementType(),
                     [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       return arith::AddFOp::create(b, args[0], args[1]);
                     });
}

Value EntryBuilder::embedding(StringRef name, Value ids) {
  Value table = get((name + ".weight").str());
  SmallVector<int64_t> shape(typeOf(ids).getShape());
  shape.push_back(typeOf(table).getDimSize(1));
  auto type = RankedTensorType::get(shape, typeOf(table).getElementType());
  return nn::EmbeddingOp::create(builder, loc(name), type, ids, table, /*row_offset=*/Value());
}

Value EntryBuilder::rmsNorm(StringRef name, Value x, double epsilon, double weightOffset) {
  x = rounded(x);
  return nn::RmsNormOp::create(builder, loc(name), x.getType(), x, get((name + ".weight").str()),
                               /*sums=*/Value(), /*size=*/IntegerAttr(),
                               builder.getF64FloatAttr(epsilon),
                               builder.getF64FloatAttr(weightOffset));
}

Value EntryBuilder::layerNorm(StringRef name, Value x, double epsilon) {
  x = rounded(x);
  return nn::LayerNormOp::create(builder, loc(name), x.getType(), x, get((name + ".weight").str()),
                                 get((name + ".bias").str()), /*sums=*/Value(),
                                 /*size=*/IntegerAttr(), builder.getF64FloatAttr(epsilon));
}

Value EntryBuilder::positionIds(StringRef name, Value pos, int64_t positions) {
  auto type = RankedTensorType::get({typeOf(pos).getDimSize(0), positions}, builder.getI64Type());
  Value init = tensor::EmptyOp::create(builder, loc((name + ".init").str()), type.getShape(),
                                       type.getElementType());
  AffineMap all = builder.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc(name), TypeRange{type}, ValueRange{pos}, ValueRange{init},
             ArrayRef<AffineMap>{all.getMajorSubMap(1), all}, iterators,
             [](OpBuilder &b, Location l, ValueRange args) {
               Value step = linalg::IndexOp::create(b, l, 1);
               Value offset = arith::IndexCastOp::create(b, l, b.getI64Type(), step);
               Value position = arith::AddIOp::create(b, l, args[0], offset);
               linalg::YieldOp::create(b, l, position);
             })
      .getResult(0);
}

RotaryTable EntryBuilder::rotaryTable(StringRef name, Value pos, int64_t positions,
                                      const RotaryFrequencies &frequencies) {
  auto type = RankedTensorType::get({typeOf(pos).getDimSize(0), positions, frequencies.dims / 2},
                                    builder.getF32Type());
  FloatAttr theta;
  DenseF64ArrayAttr scaled;
  if (frequencies.scaled.empty())
    theta = builder.getF64FloatAttr(frequencies.theta);
  else
    scaled = builder.getDenseF64ArrayAttr(frequencies.scaled);
  auto op = nn::RotaryTableOp::create(builder, loc(name), type, type, pos, theta, scaled);
  return {op.getCos(), op.getSin()};
}

Value EntryBuilder::rope(StringRef name, Value x, RotaryTable table) {
  x = rounded(x);
  return nn::RopeOp::create(builder, loc(name), x.getType(), x, table.cos, table.sin);
}

Value EntryBuilder::updateCache(StringRef name, Value update, Value pos) {
  Value cache = get(name);
  Value updated =
      nn::CacheUpdateOp::create(builder, loc(name), cache.getType(), cache, rounded(update), pos,
                                /*position_offset=*/Value(), /*capacity=*/IntegerAttr());
  set(name, updated);
  return updated;
}

Value EntryBuilder::attention(StringRef name, Value query, Value keys, Value values, Value pos,
                              double scale, int64_t window) {
  query = rounded(query);
  return nn::AttentionOp::create(builder, loc(name), query.getType(), query, keys, values, pos,
                                 /*step_offset=*/Value(), builder.getF64FloatAttr(scale),
                                 window ? builder.getI64IntegerAttr(window) : IntegerAttr());
}

Value EntryBuilder::bidirectionalAttention(StringRef name, Value query, Value keys, Value values,
                                           Value count, double scale) {
  // [B, S, K, D] -> [B, K, S, D]
  auto headsFirst = [&](StringRef suffix, Value x) -> Value {
    ArrayRef<int64_t> shape = typeOf(x).getShape();
    std::string text = (name + suffix).str();
    Value init = empty(text, {shape[0], shape[2], shape[1], shape[3]}, element);
    return linalg::TransposeOp::create(builder, loc(text), rounded(x), init,
                                       ArrayRef<int64_t>{0, 2, 1, 3})
        ->getResult(0);
  };
  query = rounded(query);
  keys = headsFirst(".keys", keys);
  values = headsFirst(".values", values);
  return nn::AttentionOp::create(builder, loc(name), query.getType(), query, keys, values, count,
                                 /*step_offset=*/Value(), builder.getF64FloatAttr(scale),
                                 /*window=*/IntegerAttr(),
                                 /*bidirectional=*/builder.getUnitAttr());
}

Value EntryBuilder::add(StringRef name, Value x, Value y) {
  Type type = typeOf(x) == typeOf(y) ? typeOf(x).getElementType() : element;
  if (element != sum)
    return elementwise(name, {x, y}, type, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
      return arith::AddFOp::create(b, args[0], args[1]);
    });
  Value init = empty(name, typeOf(x).getShape(), type);
  return linalg::AddOp::create(builder, loc(name), ValueRange{x, y}, ValueRange{init}).getResult(0);
}

Value EntryBuilder::residual(StringRef name, Value x) {
  Operation *op = x.getDefiningOp();
  assert(op && op->getNumResults() == 1 && "the value must be the only result of an operation");
  op->setAttr(kNameAttr, builder.getStringAttr(entryName + "." + name));
  op->setAttr(kRoleAttr, builder.getStringAttr("residual"));
  return x;
}

static Value real(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

/// activation(x) of one number.
static Value activateScalar(ImplicitLocOpBuilder &b, Activation activation, Value x) {
  Type type = x.getType();
  if (activation == Activation::Relu)
    return arith::MaximumFOp::create(b, x, real(b, type, 0.0));
  if (activation == Activation::Silu) {
    Value one = real(b, type, 1.0);
    Value power = math::ExpOp::create(b, arith::NegFOp::create(b, x));
    return arith::DivFOp::create(b, x, arith::AddFOp::create(b, power, one));
  }
  Value inner;
  if (activation == Activation::Gelu) {
    inner = math::ErfOp::create(b, arith::MulFOp::create(b, x, real(b, type, std::sqrt(0.5))));
  } else {
    Value square = arith::MulFOp::create(b, x, x);
    Value cubic = arith::MulFOp::create(b, square, real(b, type, 0.044715));
    Value sum = arith::AddFOp::create(b, cubic, real(b, type, 1.0));
    Value slope = arith::MulFOp::create(b, x, real(b, type, std::sqrt(2 / std::acos(-1.0))));
    inner = math::TanhOp::create(b, arith::MulFOp::create(b, slope, sum));
  }
  Value half = arith::MulFOp::create(b, x, real(b, type, 0.5));
  return arith::MulFOp::create(b, half, arith::AddFOp::create(b, inner, real(b, type, 1.0)));
}

Value EntryBuilder::scale(StringRef name, Value x, double factor) {
  return elementwise(name, x, element, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
    return arith::MulFOp::create(b, args[0], real(b, args[0].getType(), factor));
  });
}

Value EntryBuilder::activate(StringRef name, Activation activation, Value x) {
  return elementwise(name, x, element, [&](ImplicitLocOpBuilder &b, ValueRange args) {
    return activateScalar(b, activation, args[0]);
  });
}

Value EntryBuilder::activateAndMultiply(StringRef name, Activation activation, Value gate,
                                        Value up) {
  return elementwise(
      name, {gate, up}, element, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        return arith::MulFOp::create(b, activateScalar(b, activation, args[0]), args[1]);
      });
}

Value EntryBuilder::rowBefore(StringRef name, Value x, Value count) {
  ArrayRef<int64_t> shape = typeOf(x).getShape();
  Value init = empty(name, {shape[0], shape[2]}, typeOf(x).getElementType());
  AffineMap all = builder.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc(name), TypeRange{init.getType()}, ValueRange{count}, ValueRange{init},
             ArrayRef<AffineMap>{all.getMajorSubMap(1), all}, iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value row = linalg::IndexOp::create(b, l, 0);
               Value column = linalg::IndexOp::create(b, l, 1);
               Value one = arith::ConstantOp::create(b, l, b.getI64IntegerAttr(1));
               Value last = arith::SubIOp::create(b, l, args[0], one);
               Value position = arith::IndexCastOp::create(b, l, b.getIndexType(), last);
               Value picked = tensor::ExtractOp::create(b, l, x, ValueRange{row, position, column});
               linalg::YieldOp::create(b, l, picked);
             })
      .getResult(0);
}

Value EntryBuilder::sumOfRows(StringRef name, Value x, Value count) {
  ArrayRef<int64_t> shape = typeOf(x).getShape();
  std::string mask = (name + ".mask").str();
  Value init = empty(mask, shape.drop_back(), element);
  AffineMap all = builder.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  Value isThere =
      linalg::GenericOp::create(
          builder, loc(mask), TypeRange{init.getType()}, ValueRange{count}, ValueRange{init},
          ArrayRef<AffineMap>{all.getMajorSubMap(1), all}, iterators,
          [&](OpBuilder &b, Location l, ValueRange args) {
            ImplicitLocOpBuilder inner(l, b);
            Value place = linalg::IndexOp::create(inner, 1);
            place = arith::IndexCastOp::create(inner, b.getI64Type(), place);
            Value below = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, place, args[0]);
            linalg::YieldOp::create(inner,
                                    arith::SelectOp::create(inner, below, real(inner, element, 1),
                                                            real(inner, element, 0))
                                        .getResult());
          })
          .getResult(0);
  return contract(name, x, isThere, "bsd,bs->bd");
}

Value EntryBuilder::widened(StringRef name, Value x) {
  if (typeOf(x).getElementType() == sum)
    return x;
  return elementwise(name, x, sum, [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
}

Value EntryBuilder::ones(StringRef name, int64_t count) {
  auto type = RankedTensorType::get({count}, builder.getI64Type());
  return arith::ConstantOp::create(builder, loc(name), DenseElementsAttr::get(type, APInt(64, 1)));
}

Value EntryBuilder::divideByCount(StringRef name, Value x, Value count) {
  Value init = empty(name, typeOf(x).getShape(), sum);
  AffineMap all = builder.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc(name), TypeRange{init.getType()},
                                   ValueRange{x, count}, ValueRange{init},
                                   ArrayRef<AffineMap>{all, all.getMajorSubMap(1), all}, iterators,
                                   [&](OpBuilder &b, Location l, ValueRange args) {
                                     Value number = arith::SIToFPOp::create(b, l, sum, args[1]);
                                     Value quotient = arith::DivFOp::create(b, l, args[0], number);
                                     linalg::YieldOp::create(b, l, quotient);
                                   })
      .getResult(0);
}

Value EntryBuilder::unitLength(StringRef name, Value x) {
  int64_t rows = typeOf(x).getDimSize(0);
  AffineMap all = builder.getMultiDimIdentityMap(2), row = all.getMajorSubMap(1);
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel), reduced(iterators);
  reduced.back() = utils::IteratorType::reduction;
  std::string square = (name + ".square").str();
  Value squares =
      linalg::GenericOp::create(builder, loc(square), TypeRange{RankedTensorType::get({rows}, sum)},
                                ValueRange{x}, ValueRange{zeros(square, {rows})},
                                ArrayRef<AffineMap>{all, row}, reduced,
                                [](OpBuilder &b, Location l, ValueRange args) {
                                  Value product = arith::MulFOp::create(b, l, args[0], args[0]);
                                  Value added = arith::AddFOp::create(b, l, args[1], product);
                                  linalg::YieldOp::create(b, l, added);
                                })
          .getResult(0);
  Value init = empty(name, typeOf(x).getShape(), sum);
  return linalg::GenericOp::create(
             builder, loc(name), TypeRange{init.getType()}, ValueRange{x, squares},
             ValueRange{init}, ArrayRef<AffineMap>{all, row, all}, iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               ImplicitLocOpBuilder inner(l, b);
               Value length = math::SqrtOp::create(inner, args[1]);
               length = arith::MaximumFOp::create(inner, length, real(inner, sum, 1e-12));
               linalg::YieldOp::create(inner,
                                       arith::DivFOp::create(inner, args[0], length).getResult());
             })
      .getResult(0);
}

Value EntryBuilder::argmax(StringRef name, Value x) {
  SmallVector<int64_t> shape(typeOf(x).getShape());
  shape.back() = 1;
  auto op = nn::ArgmaxOp::create(
      builder, loc(name),
      TypeRange{typeOf(x).clone(shape), RankedTensorType::get(shape, builder.getI64Type())}, x,
      /*index_offset=*/Value());
  shape.pop_back();
  return reshape(name, op.getIndices(), shape);
}

Value EntryBuilder::reshape(StringRef name, Value x, ArrayRef<int64_t> shape) {
  auto type = typeOf(x).clone(shape);
  auto reassociation = getReassociationIndicesForReshape(typeOf(x), type);
  assert(reassociation && "the shapes must differ by merged or split dimensions only");
  if (type.getRank() < typeOf(x).getRank())
    return tensor::CollapseShapeOp::create(builder, loc(name), type, x, *reassociation);
  return tensor::ExpandShapeOp::create(builder, loc(name), type, x, *reassociation);
}
