//===- Scans.cpp -----------------------------------------------------------===//

#include "Scans.h"

#include "Windows.h"
#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/RunningReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// A running reduction.
struct Scan {
  Value source;   ///< of which the input is made
  WindowMap rows; ///< of the input, without its padding
  unsigned dim;   ///< of input and result
  bool isReverse;
  Operation *combiner;
  TypedAttr neutral;
};

/// The one input that the body reads; null where there is another number of them.
OpOperand *getOnlyInput(linalg::LinalgOp op) {
  OpOperand *found = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(input))
      continue;
    if (found)
      return nullptr;
    found = input;
  }
  return found;
}

/// `combiner` of two values in place of the accumulator and the element.
Value combine(OpBuilder &builder, Operation *combiner, Value a, Value b) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), a);
  mapping.map(combiner->getOperand(1), b);
  return builder.clone(*combiner, mapping)->getResult(0);
}

/// Whether loops of one iteration make no difference, the op has loop `factor` and the
/// reduction added in dimension `dim` of the input, and is elementwise otherwise.
std::optional<unsigned> getScannedDim(linalg::LinalgOp op, unsigned factor, OpOperand *input,
                                      int64_t &window) {
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  std::optional<unsigned> reduction;
  SmallVector<AffineExpr> loops;
  for (auto [loop, size, iterator] : llvm::enumerate(sizes, iterators)) {
    bool reduces = iterator == utils::IteratorType::reduction;
    if (reduces && size != 1) {
      if (reduction)
        return std::nullopt;
      reduction = loop;
    }
    loops.push_back(reduces && size == 1 ? getAffineConstantExpr(0, context)
                                         : getAffineDimExpr(loop, context));
  }
  if (!reduction)
    return std::nullopt;
  window = sizes[*reduction];
  AffineMap read = op.getMatchingIndexingMap(input);
  AffineMap made = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (read.getNumResults() != made.getNumResults())
    return std::nullopt;
  AffineExpr sum = getAffineDimExpr(factor, context) + getAffineDimExpr(*reduction, context);
  std::optional<unsigned> dim;
  for (auto [d, expr, own] : llvm::enumerate(read.getResults(), made.getResults())) {
    AffineExpr at = simplifyAffineExpr(expr.replaceDims(loops), sizes.size(), 0);
    if (own == getAffineDimExpr(factor, context) &&
        (at == sum || at == simplifyAffineExpr(sum, sizes.size(), 0)))
      dim = d;
    else if (at != own || !isa<AffineDimExpr>(own))
      return std::nullopt;
  }
  return dim;
}

std::optional<Scan> getScan(linalg::LinalgOp op, unsigned factor, Operation *combiner) {
  OpOperand *input = getOnlyInput(op);
  if (!input || op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value element = op.getMatchingBlockArgument(input);
  if (!llvm::is_contained(combiner->getOperands(), element) ||
      getElementTypeOrSelf(input->get().getType()) != type.getElementType())
    return std::nullopt;
  int64_t window = 0;
  std::optional<unsigned> dim = getScannedDim(op, factor, input, window);
  if (!dim)
    return std::nullopt;
  auto padded = input->get().getDefiningOp<WindowOp>();
  if (!padded || padded.getDim() != *dim)
    return std::nullopt;
  WindowMap map = padded.getMap();
  int64_t rows = type.getDimSize(*dim);
  ReductionKind kind = *getReductionKind(combiner);
  TypedAttr neutral = getNeutralElement(kind, type.getElementType()), fill = padded.getFillAttr();
  // Zeros of both signs are ignored by sums.
  auto number = dyn_cast_or_null<FloatAttr>(fill);
  bool isNeutral =
      fill == neutral || (number && kind == ReductionKind::Sum && number.getValue().isZero());
  if (!isNeutral || window < rows || map.resultSize() != rows + window - 1)
    return std::nullopt;
  // Every window begins in front of the first row, or ends behind the last.
  for (bool isReverse : {false, true}) {
    auto take = [&](int64_t first, int64_t size) {
      return compose(WindowMap(map.resultSize(), {{first, size}}), map);
    };
    WindowMap own = take(isReverse ? 0 : window - 1, rows);
    WindowMap padding = take(isReverse ? rows : 0, window - 1);
    bool isPadding = llvm::all_of(padding.segments, [&](const WindowSegment &segment) {
      auto [begin, end] = padding.inside(segment);
      return begin == end;
    });
    if (isPadding)
      return Scan{padded.getInput(), own, *dim, isReverse, combiner, neutral};
  }
  return std::nullopt;
}

/// The running reduction of the rows of a value and nothing else.
Value createRunning(OpBuilder &builder, Location loc, Value value, unsigned dim, const Scan &scan) {
  auto type = cast<RankedTensorType>(value.getType());
  Value neutral = arith::ConstantOp::create(builder, loc, scan.neutral);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  Value init = linalg::FillOp::create(builder, loc, neutral, empty).getResult(0);
  return createRunningReduction(builder, loc, value, dim, scan.isReverse, scan.combiner, init);
}

/// The row `index` of dimension `dim`, which is dropped.
Value createRow(OpBuilder &builder, Location loc, Value value, unsigned dim, int64_t index) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      ones(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> sizes(type.getShape()), shape(type.getShape());
  offsets[dim] = builder.getIndexAttr(index);
  sizes[dim] = 1;
  shape.erase(shape.begin() + dim);
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), value, offsets,
                                        getAsIndexOpFoldResult(builder.getContext(), sizes), ones);
}

} // namespace

/// Each row where the next one was, or the last one with `isReverse`; `fill` in the free one.
static Value createShifted(OpBuilder &builder, Location loc, Value value, unsigned dim,
                           bool isReverse, TypedAttr fill) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned rank = type.getRank();
  auto get = [&](ArrayRef<int64_t> list) {
    return getAsIndexOpFoldResult(builder.getContext(), list);
  };
  SmallVector<int64_t> first(rank, 0), sizes(type.getShape()), ones(rank, 1), low(rank, 0),
      high(rank, 0);
  first[dim] = isReverse ? 1 : 0;
  sizes[dim] -= 1;
  (isReverse ? high : low)[dim] = 1;
  Value kept = tensor::ExtractSliceOp::create(builder, loc, type.clone(sizes), value, get(first),
                                              get(sizes), get(ones));
  Value free = arith::ConstantOp::create(builder, loc, fill);
  return tensor::PadOp::create(builder, loc, type, kept, get(low), get(high), free);
}

Value tp::createRunningReduction(OpBuilder &builder, Location loc, Value value, unsigned dim,
                                 bool isReverse, Operation *combiner, Value init, bool isStrict) {
  if (isStrict) {
    Type element = getElementTypeOrSelf(value.getType());
    value = createShifted(builder, loc, value, dim, isReverse,
                          getNeutralElement(*getReductionKind(combiner), element));
  }
  auto type = cast<RankedTensorType>(value.getType());
  unsigned rank = type.getRank();
  int64_t rows = type.getDimSize(dim);
  SmallVector<int64_t> low(rank, 0), high(rank, 0), shape(type.getShape());
  (isReverse ? high : low)[dim] = rows - 1;
  shape[dim] += rows - 1;
  Value neutral = arith::ConstantOp::create(
      builder, loc, getNeutralElement(*getReductionKind(combiner), type.getElementType()));
  Value padded = tensor::PadOp::create(builder, loc, type.clone(shape), value,
                                       getAsIndexOpFoldResult(builder.getContext(), low),
                                       getAsIndexOpFoldResult(builder.getContext(), high), neutral);
  Value window = tensor::EmptyOp::create(builder, loc, {rows}, type.getElementType());
  AffineExpr row = builder.getAffineDimExpr(rank);
  AffineMap own =
      AffineMap::getMultiDimIdentityMap(rank + 1, builder.getContext()).dropResult(rank);
  SmallVector<AffineExpr> read(own.getResults());
  read[dim] = read[dim] + row;
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{padded, window}, init,
             ArrayRef<AffineMap>{AffineMap::get(rank + 1, 0, read, builder.getContext()),
                                 AffineMap::get(rank + 1, 0, row), own},
             iterators,
             [&](OpBuilder &nested, Location at, ValueRange args) {
               linalg::YieldOp::create(nested, at, combine(nested, combiner, args[2], args[0]));
             })
      .getResult(0);
}

FailureOr<SmallVector<Value>> tp::createScan(OpBuilder &builder, linalg::LinalgOp op,
                                             unsigned factor, const DimSharding &cut,
                                             Operation *combiner, ArrayRef<Sharding> results) {
  std::optional<Scan> scan = getScan(op, factor, combiner);
  if (!scan)
    return failure();
  unsigned dim = scan->dim;
  Mesh mesh = getMesh(lookupMesh(op));
  Sharding from = getValueSharding(scan->source, mesh).withoutPartial().closed();
  // Who has all rows has nothing to wait for.
  if (from.dims[dim].count() == 1)
    return failure();
  Location loc = op.getLoc();
  WindowBuilder windows(builder, op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t n = type.getDimSize(dim), count = cut.count(), rows = cut.localSize(n);
  SmallVector<Cut> even(cut.cuts.begin(), cut.cuts.end());
  for (Cut &one : even)
    one.granule = 1;
  SmallVector<WindowSegment> blocks, back;
  for (auto [r, block] : llvm::enumerate(cut.allBlocks(n))) {
    blocks.append({{block.offset, block.size}, {n, rows - block.size}});
    back.push_back({static_cast<int64_t>(r) * rows, block.size});
  }
  auto split = [&](Value value, const WindowMap &map, TypedAttr fill, const Sharding &wanted) {
    value = windows.create(value, dim, map, fill, wanted);
    return createSplit(builder, loc, value, dim, count);
  };
  WindowMap inBlocks(n, blocks);
  Sharding others = withCuts(from, dim, even);
  Value own = createRunning(
      builder, loc, split(scan->source, compose(inBlocks, scan->rows), scan->neutral, others),
      dim + 1, *scan);

  Value totals = createRow(builder, loc, own, dim + 1, scan->isReverse ? 0 : rows - 1);
  Sharding whole = others;
  whole.dims[dim].cuts.clear();
  totals =
      ConstraintOp::create(builder, loc, totals, getShardingAttr(builder.getContext(), whole, mesh),
                           builder.getStringAttr("what each block adds to those behind it"));
  Value before = createRunning(builder, loc, totals, dim, *scan);
  before = windows.create(before, dim, WindowMap(count, {{scan->isReverse ? 1 : -1, count}}),
                          scan->neutral, others);

  Value init = op.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    auto blocked = cast<RankedTensorType>(own.getType());
    Value empty =
        tensor::EmptyOp::create(builder, loc, blocked.getShape(), blocked.getElementType());
    init = linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty).getResult(0);
  } else {
    init = split(init, inBlocks, /*fill=*/{}, withCuts(results[0], dim, even));
  }
  unsigned rank = type.getRank() + 1;
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  Value made =
      linalg::GenericOp::create(
          builder, loc, init.getType(), ValueRange{before, own}, init,
          ArrayRef<AffineMap>{all.dropResult(dim + 1), all, all},
          SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
          [&](OpBuilder &nested, Location at, ValueRange args) {
            Value first = combine(nested, scan->combiner, args[2], args[0]);
            linalg::YieldOp::create(nested, at, combine(nested, scan->combiner, first, args[1]));
          })
          .getResult(0);
  made = createJoin(builder, loc, made, dim);
  windows.want(made, withCuts(results[0], dim, even));
  return SmallVector<Value>{
      windows.create(made, dim, WindowMap(count * rows, back), /*fill=*/{}, results[0])};
}
