//===- Windows.cpp ---------------------------------------------------------===//

#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;

/// What every element of the value is; null when that is not known. An empty
/// tensor, whose elements may be anything, has `isEmpty`.
static Value getElement(OpBuilder &builder, Value value, bool &isEmpty) {
  Operation *def = value.getDefiningOp();
  isEmpty = isa_and_nonnull<tensor::EmptyOp>(def);
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(def))
    return fill.getInputs()[0];
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(def))
    return splat.getInput();
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(builder, value.getLoc(), elements.getSplatValue<TypedAttr>());
  return {};
}

/// A new value of one element, where `value` is that, too; null otherwise.
static Value createAnew(OpBuilder &builder, Location loc, Value value, RankedTensorType type,
                        TypedAttr fill) {
  bool isEmpty = false;
  Value element = getElement(builder, value, isEmpty);
  Attribute constant;
  if (fill && !(element && matchPattern(element, m_Constant(&constant)) && constant == fill))
    return {};
  if (!element && !isEmpty)
    return {};
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return element ? linalg::FillOp::create(builder, loc, element, empty).getResult(0) : empty;
}

Sharding tp::withCuts(const Sharding &sharding, unsigned dim, ArrayRef<Cut> cuts) {
  Sharding result = sharding.withoutPartial().closed();
  for (auto [d, other] : llvm::enumerate(result.dims))
    if (d == dim)
      other.cuts.assign(cuts.begin(), cuts.end());
    else if (llvm::any_of(other.cuts, [&](const Cut &a) {
               return llvm::any_of(cuts, [&](const Cut &b) { return a.part.overlaps(b.part); });
             }))
      other.cuts.clear();
  return result;
}

WindowBuilder::WindowBuilder(OpBuilder &builder, Operation *op)
    : builder(builder), loc(op->getLoc()), mesh(getMesh(lookupMesh(op))),
      reason((op->getName().getStringRef() + " reads rows of other blocks").str()) {}

void WindowBuilder::want(Value value, const Sharding &sharding) {
  value.getDefiningOp()->setAttr(
      kShardingAttr,
      builder.getArrayAttr(getShardingAttr(builder.getContext(), sharding.closed(), mesh)));
}

Value WindowBuilder::create(Value value, unsigned dim, const WindowMap &map, TypedAttr fill,
                            const Sharding &sharding) {
  if (map.isIdentity())
    return value;
  auto inner = value.getDefiningOp<WindowOp>();
  if (inner && inner.getDim() == dim && map.repeat == 1 && inner.getRepeat() == 1) {
    TypedAttr innerFill = inner.getFillAttr();
    WindowMap innerMap = inner.getMap();
    // Two fills are one where they are the same or one of them is not met.
    bool meetsOuter = fill && map.reachesOutside();
    bool meetsInner = innerFill && innerMap.reachesOutside();
    if (!meetsOuter || !meetsInner || fill == innerFill)
      return create(inner.getInput(), dim, compose(map, innerMap),
                    meetsInner ? innerFill : (meetsOuter ? fill : TypedAttr()), sharding);
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = map.resultSize();
  if (!map.reachesOutside())
    fill = {};
  if (Value anew = createAnew(builder, loc, value, type.clone(shape), fill))
    return anew;
  auto window =
      WindowOp::create(builder, loc, type.clone(shape), value, dim, map.starts(), map.sizes(),
                       map.stride, map.repeat, fill, builder.getStringAttr(reason));
  want(window, sharding);
  return window;
}

Value WindowBuilder::selectRows(ArrayRef<RowRange> ranges, Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
    Value inside;
    auto require = [&](Value condition) {
      inside =
          inside ? arith::AndIOp::create(nested, at, inside, condition).getResult() : condition;
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value index, int64_t bound) {
      require(arith::CmpIOp::create(nested, at, predicate, index,
                                    arith::ConstantIndexOp::create(nested, at, bound)));
    };
    for (auto [dim, first, size, stride] : ranges) {
      Value index = linalg::IndexOp::create(nested, at, dim);
      compare(arith::CmpIPredicate::sge, index, first);
      compare(arith::CmpIPredicate::slt, index, first + (size - 1) * stride + 1);
      if (stride == 1)
        continue;
      // No number below the first one gets so far.
      auto step = arith::ConstantIndexOp::create(nested, at, stride);
      compare(arith::CmpIPredicate::eq, arith::RemUIOp::create(nested, at, index, step),
              first % stride);
    }
    linalg::YieldOp::create(
        nested, at, arith::SelectOp::create(nested, at, inside, args[0], args[1]).getResult());
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange{a, b}, init, maps, iterators,
                                   body)
      .getResult(0);
}
