//===- LocalOps.cpp - Offsets, extents and masks of blocks -----------------===//

#include "tp/Transforms/LocalOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

namespace {
/// Where a rank's block begins and ends. Sizes are static, and ends not needed,
/// as long as all cuts are even.
struct BlockBounds {
  Value begin;
  /// Null while every rank's block has `size` elements.
  Value end;
  int64_t size;
};
} // namespace

/// Follows the cuts, as DimSharding::block does; `begin` is null without cuts.
static BlockBounds emitBounds(OpBuilder &builder, Location loc, const Mesh &mesh,
                              const DimSharding &dim, int64_t n) {
  SmallVector<int64_t> sizes = dim.blockSizes(n);
  BlockBounds bounds{nullptr, nullptr, n};
  for (auto [i, cut] : llvm::enumerate(dim.cuts)) {
    int64_t size = sizes[i + 1];
    auto axis = builder.getArrayAttr({getAxisAttr(builder.getContext(), cut.part, mesh)});
    Value offset = comm::CoordinateOp::create(builder, loc, axis);
    if (size != 1)
      offset = arith::MulIOp::create(builder, loc, offset, createIndex(builder, loc, size));
    bool even = !bounds.end && size * cut.part.size == bounds.size;
    Value parentEnd = bounds.end;
    if (!even && !parentEnd) {
      parentEnd = createIndex(builder, loc, bounds.size);
      if (bounds.begin)
        parentEnd = arith::AddIOp::create(builder, loc, bounds.begin, parentEnd);
    }
    if (bounds.begin)
      offset = arith::AddIOp::create(builder, loc, bounds.begin, offset);
    bounds.size = size;
    bounds.begin = offset;
    if (even)
      continue;
    bounds.begin = arith::MinSIOp::create(builder, loc, offset, parentEnd);
    Value end = arith::AddIOp::create(builder, loc, bounds.begin, createIndex(builder, loc, size));
    bounds.end = arith::MinSIOp::create(builder, loc, end, parentEnd);
  }
  return bounds;
}

Value tp::emitBlockOffset(OpBuilder &builder, Location loc, const Mesh &mesh,
                          const DimSharding &dim, int64_t n) {
  return emitBounds(builder, loc, mesh, dim, n).begin;
}

Value tp::emitBlockExtent(OpBuilder &builder, Location loc, const Mesh &mesh,
                          const DimSharding &dim, int64_t n) {
  if (dim.cuts.empty())
    return {};
  if (dim.isEven(n))
    return createIndex(builder, loc, dim.localSize(n));
  BlockBounds bounds = emitBounds(builder, loc, mesh, dim, n);
  return arith::SubIOp::create(builder, loc, bounds.end, bounds.begin);
}

Value tp::emitPaddingMask(OpBuilder &builder, Location loc, Value local,
                          ArrayRef<int64_t> globalShape, const Sharding &sharding, const Mesh &mesh,
                          TypedAttr fill, ArrayRef<unsigned> dims) {
  SmallVector<std::pair<unsigned, Value>> extents;
  for (unsigned d = 0; d < sharding.rank(); ++d)
    if ((dims.empty() || llvm::is_contained(dims, d)) && !sharding.dims[d].isEven(globalShape[d]))
      extents.emplace_back(d,
                           emitBlockExtent(builder, loc, mesh, sharding.dims[d], globalShape[d]));
  if (extents.empty())
    return local;
  auto type = cast<RankedTensorType>(local.getType());
  Value fillValue = arith::ConstantOp::create(builder, loc, fill);
  Value init = tensor::EmptyOp::create(builder, loc, type, ValueRange());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location bodyLoc, ValueRange args) {
    Value inside;
    for (auto [d, extent] : extents) {
      Value index = linalg::IndexOp::create(nested, bodyLoc, d);
      Value below =
          arith::CmpIOp::create(nested, bodyLoc, arith::CmpIPredicate::slt, index, extent);
      inside = inside ? arith::AndIOp::create(nested, bodyLoc, inside, below).getResult() : below;
    }
    Value selected = arith::SelectOp::create(nested, bodyLoc, inside, args[0], fillValue);
    linalg::YieldOp::create(nested, bodyLoc, selected);
  };
  return linalg::GenericOp::create(builder, loc, type, local, init, maps, iterators, body)
      .getResult(0);
}
