//===- Elements.cpp --------------------------------------------------------===//

#include "Elements.h"

#include "dialects/Comm/Comm.h"
#include "dialects/TP/LinalgBuilder.h"

using namespace mlir;
using namespace mlir::tp;

/// The bits of an element, as many as it is stored in.
static Value toBits(LinalgBuilder &b, Value element) {
  Type type = element.getType();
  Type bits = b.getIntegerType(8 * getElementBytes(type));
  if (type == bits)
    return element;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, bits, element);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(b, bits, element);
  return arith::ExtUIOp::create(b, bits, element);
}

static Value fromBits(LinalgBuilder &b, Value bits, Type type) {
  if (type == bits.getType())
    return bits;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, bits);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(b, type, bits);
  return arith::TruncIOp::create(b, type, bits);
}

Value tp::encodeElements(OpBuilder &builder, Location loc, Value rows, Type unit) {
  auto type = cast<RankedTensorType>(rows.getType());
  if (type.getElementType() == unit)
    return rows;
  LinalgBuilder b(loc, builder);
  int64_t width = unit.getIntOrFloatBitWidth();
  int64_t parts = 8 * getElementBytes(type.getElementType()) / width;
  SmallVector<int64_t> shape = {type.getDimSize(0), type.getDimSize(1), parts};
  Value made = b.generic(3, {}, rows, b.empty(shape, unit), {{0, 1}, {0, 1, 2}},
                         [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                           Value bits = toBits(n, args[0]);
                           if (parts == 1)
                             return {bits};
                           Value part = arith::MulIOp::create(n, linalg::IndexOp::create(n, 2),
                                                              n.index(width));
                           part = arith::IndexCastOp::create(n, bits.getType(), part);
                           bits = arith::ShRUIOp::create(n, bits, part);
                           return {arith::TruncIOp::create(n, unit, bits)};
                         })[0];
  return tensor::CollapseShapeOp::create(b, made, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
}

Value tp::decodeElements(OpBuilder &builder, Location loc, Value rows, Type element) {
  auto type = cast<RankedTensorType>(rows.getType());
  Type unit = type.getElementType();
  if (unit == element)
    return rows;
  LinalgBuilder b(loc, builder);
  int64_t width = unit.getIntOrFloatBitWidth();
  int64_t parts = 8 * getElementBytes(element) / width;
  SmallVector<int64_t> shape = {type.getDimSize(0), type.getDimSize(1) / parts};
  // Each part of an element is an input.
  SmallVector<Value> inputs(parts, rows);
  SmallVector<AffineMap> maps;
  AffineExpr row = b.getAffineDimExpr(0), column = b.getAffineDimExpr(1);
  for (int64_t part = 0; part < parts; ++part)
    maps.push_back(AffineMap::get(2, 0, {row, column * parts + part}, b.getContext()));
  maps.push_back(b.getMultiDimIdentityMap(2));
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, RankedTensorType::get(shape, element), inputs, b.empty(shape, element), maps,
             iterators,
             [&](OpBuilder &nested, Location at, ValueRange args) {
               LinalgBuilder n(at, nested);
               Type wide = n.getIntegerType(parts * width);
               Value bits;
               for (int64_t part = 0; part < parts; ++part) {
                 Value one = args[part];
                 if (parts != 1)
                   one = arith::ExtUIOp::create(n, wide, one);
                 if (part != 0)
                   one = arith::ShLIOp::create(n, one,
                                               arith::ConstantIntOp::create(n, wide, part * width));
                 bits = bits ? arith::OrIOp::create(n, bits, one).getResult() : one;
               }
               linalg::YieldOp::create(n, fromBits(n, bits, element));
             })
      .getResult(0);
}
