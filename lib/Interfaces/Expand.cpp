//===- Expand.cpp - Ops that are several ops -------------------------------===//

#include "tp/Interfaces/Expand.h"

#include "ParallelLoops.h"
#include "Winograd.h"
#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

static Value toIndex(OpBuilder &builder, Location loc, Value value) {
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
}

/// For each dimension of a slice with all `rank` dimensions, the one of the slice as it
/// is written, or nothing: those that are gathered may have been dropped.
static SmallVector<std::optional<unsigned>> getSliceDims(unsigned rank, ArrayRef<int64_t> gathered,
                                                         unsigned writtenRank) {
  SmallVector<std::optional<unsigned>> dims;
  unsigned next = 0;
  for (unsigned d = 0; d < rank; ++d) {
    bool isDropped = writtenRank < rank && llvm::is_contained(gathered, d);
    dims.push_back(isDropped ? std::nullopt : std::optional(next++));
  }
  return dims;
}

/// A loop nest over the result that reads one element each.
static LogicalResult expandGather(RewriterBase &rewriter, tensor::GatherOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  unsigned rank = type.getRank(), lead = op.getIndicesType().getRank() - 1;
  ArrayRef<int64_t> gathered = op.getGatherDims();
  unsigned sourceRank = op.getSourceType().getRank();
  SmallVector<std::optional<unsigned>> dims = getSliceDims(sourceRank, gathered, rank - lead);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, ValueRange(), empty, rewriter.getMultiDimIdentityMap(rank),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange) {
        SmallVector<Value> loops, element(sourceRank);
        for (unsigned d = 0; d < rank; ++d)
          loops.push_back(linalg::IndexOp::create(b, l, d));
        for (auto [place, dim] : llvm::enumerate(gathered)) {
          SmallVector<Value> at(ArrayRef(loops).take_front(lead));
          at.push_back(createIndex(b, l, place));
          element[dim] = toIndex(b, l, tensor::ExtractOp::create(b, l, op.getIndices(), at));
        }
        for (auto [dim, written] : llvm::enumerate(dims))
          if (!element[dim])
            element[dim] = loops[lead + *written];
        Value value = tensor::ExtractOp::create(b, l, op.getSource(), element);
        linalg::YieldOp::create(b, l, value);
      });
  rewriter.replaceOp(op, generic);
  return success();
}

/// `value` with all but the last `kept` dimensions as one.
static Value collapseLeading(OpBuilder &builder, Location loc, Value value, unsigned kept) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned lead = type.getRank() - kept;
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape().take_back(kept));
  for (int64_t size : type.getShape().take_front(lead))
    shape[0] *= size;
  SmallVector<ReassociationIndices> groups;
  for (unsigned d = 0; d < kept; ++d)
    groups.push_back({lead + d});
  if (lead == 1)
    return value;
  if (lead == 0) {
    for (ReassociationIndices &group : groups)
      ++group[0];
    if (!groups.empty())
      groups[0].insert(groups[0].begin(), 0);
    return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value, groups);
  }
  groups.insert(groups.begin(), llvm::to_vector<2>(llvm::seq<int64_t>(0, lead)));
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), value, groups);
}

/// A loop that writes one slice per trip.
static LogicalResult expandScatter(RewriterBase &rewriter, tensor::ScatterOp op) {
  if (op.getSourceType().getNumElements() == 0) {
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
  Location loc = op.getLoc();
  ArrayRef<int64_t> scattered = op.getScatterDims();
  RankedTensorType destType = op.getDestType();
  unsigned rank = destType.getRank();
  unsigned written = op.getSourceType().getRank() - (op.getIndicesType().getRank() - 1);
  Value source = collapseLeading(rewriter, loc, op.getSource(), written);
  Value indices = collapseLeading(rewriter, loc, op.getIndices(), 1);
  auto sourceType = cast<RankedTensorType>(source.getType());
  Value zero = createIndex(rewriter, loc, 0), one = createIndex(rewriter, loc, 1);
  Value count = createIndex(rewriter, loc, sourceType.getDimSize(0));
  auto loop = scf::ForOp::create(
      rewriter, loc, zero, count, one, op.getDest(),
      [&](OpBuilder &b, Location l, Value i, ValueRange carried) {
        SmallVector<OpFoldResult> from(sourceType.getRank(), b.getIndexAttr(0)), sizes,
            ones(sourceType.getRank(), b.getIndexAttr(1));
        from[0] = i;
        sizes = getAsIndexOpFoldResult(b.getContext(), sourceType.getShape());
        sizes[0] = b.getIndexAttr(1);
        auto sliceType =
            RankedTensorType::get(sourceType.getShape().drop_front(), sourceType.getElementType());
        Value slice = tensor::ExtractSliceOp::create(b, l, sliceType, source, from, sizes, ones);
        SmallVector<OpFoldResult> to(rank, b.getIndexAttr(0)), strides(rank, b.getIndexAttr(1));
        SmallVector<OpFoldResult> extents =
            getAsIndexOpFoldResult(b.getContext(), destType.getShape());
        for (auto [place, dim] : llvm::enumerate(scattered)) {
          Value at = createIndex(b, l, place);
          to[dim] = toIndex(b, l, tensor::ExtractOp::create(b, l, indices, ValueRange{i, at}));
          extents[dim] = b.getIndexAttr(1);
        }
        Value next = tensor::InsertSliceOp::create(b, l, slice, carried[0], to, extents, strides);
        scf::YieldOp::create(b, l, next);
      });
  rewriter.replaceOp(op, loop);
  return success();
}

/// `value`, once the sizes that the running program computes for it are those of its type.
static Value checkShape(OpBuilder &builder, tensor::ReshapeOp op, Value value) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value isRight;
  SmallVector<int64_t> known = getKnownSizes(op);
  for (auto [d, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(known[d]))
      continue;
    Value at = createIndex(builder, loc, d);
    Value computed =
        toIndex(builder, loc, tensor::ExtractOp::create(builder, loc, op.getShape(), at));
    computed = comm::CheckIndexOp::create(
        builder, loc, computed, size, size + 1,
        builder.getStringAttr("size of dimension " + Twine(d) + " of 'tensor.reshape'"));
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, computed,
                                       createIndex(builder, loc, size));
    isRight = isRight ? arith::AndIOp::create(builder, loc, isRight, same).getResult() : same;
  }
  if (!isRight)
    return value;
  // Only what is used is checked.
  Value zero = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  return arith::SelectOp::create(builder, loc, isRight, value, zero);
}

/// All dimensions become one, and that one those of the result.
static LogicalResult expandReshape(RewriterBase &rewriter, tensor::ReshapeOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  auto flat = RankedTensorType::get({type.getNumElements()}, type.getElementType());
  Value value = op.getSource();
  auto groupOf = [](RankedTensorType type) {
    SmallVector<ReassociationIndices> groups;
    if (type.getRank() > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank())));
    return groups;
  };
  auto from = cast<RankedTensorType>(value.getType());
  if (from.getRank() == 0)
    value = tensor::ExpandShapeOp::create(rewriter, loc, flat, value, groupOf(from));
  else if (from.getRank() > 1)
    value = tensor::CollapseShapeOp::create(rewriter, loc, flat, value, groupOf(from));
  if (type.getRank() == 0)
    value = tensor::CollapseShapeOp::create(rewriter, loc, type, value, groupOf(type));
  else if (type.getRank() > 1)
    value = tensor::ExpandShapeOp::create(rewriter, loc, type, value, groupOf(type));
  value = checkShape(rewriter, op, value);
  rewriter.replaceOp(op, value);
  return success();
}

SmallVector<int64_t> tp::getKnownSizes(tensor::ReshapeOp op) {
  auto rank = cast<ShapedType>(op.getShape().getType()).getDimSize(0);
  SmallVector<int64_t> sizes(ShapedType::isDynamic(rank) ? 0 : rank, ShapedType::kDynamic);
  DenseIntElementsAttr constant;
  if (matchPattern(op.getShape(), m_Constant(&constant)))
    for (auto [size, element] : llvm::zip_equal(sizes, constant))
      size = element.getSExtValue();
  else if (auto elements = op.getShape().getDefiningOp<tensor::FromElementsOp>())
    for (auto [size, element] : llvm::zip_equal(sizes, elements.getElements()))
      size = getConstantIntValue(element).value_or(ShapedType::kDynamic);
  return sizes;
}

bool tp::isExpandable(Operation *op) {
  bool isFloat = op->getNumResults() > 0 && isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  if (!isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp, tensor::GatherOp, tensor::ScatterOp,
           tensor::ReshapeOp, tensor::BitcastOp, scf::ForallOp, scf::ParallelOp>(op) &&
      !(isWinograd(op) && isFloat))
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (isa<RankedTensorType>(shaped) && shaped.hasStaticShape());
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

LogicalResult tp::expandOp(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  using R = LogicalResult;
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](linalg::SoftmaxOp op) -> R {
        FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
        if (succeeded(values))
          rewriter.replaceOp(op, *values);
        return values;
      })
      .Case([&](linalg::PackOp op) -> R { return linalg::lowerPack(rewriter, op); })
      .Case([&](linalg::UnPackOp op) -> R { return linalg::lowerUnPack(rewriter, op); })
      .Case<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
            linalg::WinogradOutputTransformOp>(
          [&](Operation *op) { return expandWinograd(rewriter, op); })
      .Case([&](tensor::GatherOp op) { return expandGather(rewriter, op); })
      .Case([&](tensor::ScatterOp op) { return expandScatter(rewriter, op); })
      .Case([&](tensor::ReshapeOp op) { return expandReshape(rewriter, op); })
      .Case([&](tensor::BitcastOp op) -> R {
        if (!arith::BitcastOp::areCastCompatible(op.getSource().getType(), op.getType()))
          return failure();
        rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), op.getSource());
        return success();
      })
      .Case<scf::ForallOp, scf::ParallelOp>(
          [&](Operation *op) { return expandParallelLoop(rewriter, op); })
      .Default([](Operation *) { return failure(); });
}
