//===- BlockScans.cpp - Running reductions in linear time ------------------===//
//
// A running reduction as windows of all rows combines each row with all others. Blocks of a
// few rows are reduced by windows of a block; the last rows of blocks are a running
// reduction of fewer rows, of which each block adds what comes before it.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "dialects/TP/ShardingRule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/RunningReduction.h"

namespace mlir::tp {
#define GEN_PASS_DEF_BLOCKSCANSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr int64_t kRowsOfBlock = 16;
/// Of fewer rows than this the windows are as fast.
constexpr int64_t kMinRows = 4 * kRowsOfBlock;

/// A running reduction of the rows of `source`.
struct Scan {
  Value source;
  unsigned dim;
  bool isReverse;
  Operation *combiner;
  TypedAttr neutral;
};

bool isNeutral(TypedAttr fill, TypedAttr neutral, ReductionKind kind) {
  // Zeros of both signs are ignored by sums.
  auto number = dyn_cast_or_null<FloatAttr>(fill);
  return fill &&
         (fill == neutral || (number && kind == ReductionKind::Sum && number.getValue().isZero()));
}

std::optional<Scan> getScan(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != 1 || op.hasIndexSemantics())
    return std::nullopt;
  OpOperand *input = nullptr;
  for (OpOperand *one : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(one))
      continue;
    if (input)
      return std::nullopt;
    input = one;
  }
  auto pad = input ? input->get().getDefiningOp<tensor::PadOp>() : tensor::PadOp();
  TypedAttr fill;
  if (!pad || !pad.getConstantPaddingValue() ||
      !matchPattern(pad.getConstantPaddingValue(), m_Constant(&fill)))
    return std::nullopt;
  // One op combines the element and the accumulator.
  Block *body = op.getBlock();
  Operation *combiner = body->getTerminator()->getOperand(0).getDefiningOp();
  std::optional<ReductionKind> kind =
      combiner && combiner == &body->front() ? getReductionKind(combiner) : std::nullopt;
  Value element = op.getMatchingBlockArgument(input), accumulator = op.getRegionOutputArgs()[0];
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!kind || combiner->getNumOperands() != 2 ||
      !llvm::is_contained(combiner->getOperands(), element) ||
      !llvm::is_contained(combiner->getOperands(), accumulator) ||
      getElementTypeOrSelf(input->get().getType()) != type.getElementType() ||
      pad.getSourceType() != type)
    return std::nullopt;
  TypedAttr neutral = getNeutralElement(*kind, type.getElementType());
  if (!isNeutral(fill, neutral, *kind))
    return std::nullopt;
  // Loops are dimensions of the result, but for the one that runs over a window.
  AffineMap made = op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
            read = op.getMatchingIndexingMap(input);
  unsigned rank = type.getRank();
  if (!made.isProjectedPermutation() || op.getNumLoops() != rank + 1)
    return std::nullopt;
  unsigned window = 0;
  while (made.isFunctionOfDim(window))
    ++window;
  std::optional<unsigned> dim;
  for (unsigned d = 0; d < rank; ++d) {
    if (read.getResult(d) == made.getResult(d))
      continue;
    AffineExpr sum = made.getResult(d) + getAffineDimExpr(window, op.getContext());
    AffineExpr other = getAffineDimExpr(window, op.getContext()) + made.getResult(d);
    if (dim || (read.getResult(d) != sum && read.getResult(d) != other))
      return std::nullopt;
    dim = d;
  }
  if (!dim)
    return std::nullopt;
  int64_t rows = type.getDimSize(*dim);
  if (rows < kMinRows || op.getStaticLoopRanges()[window] != rows)
    return std::nullopt;
  for (unsigned d = 0; d < rank; ++d) {
    int64_t added = d == *dim ? rows - 1 : 0;
    if (pad.getStaticLow()[d] + pad.getStaticHigh()[d] != added ||
        (pad.getStaticLow()[d] != 0 && pad.getStaticHigh()[d] != 0))
      return std::nullopt;
  }
  return Scan{pad.getSource(), *dim, pad.getStaticLow()[*dim] == 0, combiner, neutral};
}

/// Writes running reductions; `scan` says by what.
class Writer {
public:
  Writer(OpBuilder &builder, Location loc, const Scan &scan)
      : builder(builder), loc(loc), scan(scan) {}

  Value run(Value value);
  Value combine(Value a, Value b, std::optional<unsigned> broadcast = std::nullopt);

private:
  unsigned dim() const { return scan.dim; }
  Value pad(Value value, int64_t low, int64_t high);
  Value slice(Value value, unsigned along, int64_t first, int64_t size, bool drops = false);
  Value filled(RankedTensorType type) {
    Value neutral = arith::ConstantOp::create(builder, loc, scan.neutral);
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    return linalg::FillOp::create(builder, loc, neutral, empty).getResult(0);
  }
  Value windows(Value value, unsigned along) {
    return createRunningReduction(builder, loc, value, along, scan.isReverse, scan.combiner,
                                  filled(cast<RankedTensorType>(value.getType())));
  }

  OpBuilder &builder;
  Location loc;
  const Scan &scan;
};

Value Writer::pad(Value value, int64_t lowRows, int64_t highRows) {
  if (lowRows == 0 && highRows == 0)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0), shape(type.getShape());
  low[dim()] = lowRows;
  high[dim()] = highRows;
  shape[dim()] += lowRows + highRows;
  Value neutral = arith::ConstantOp::create(builder, loc, scan.neutral);
  return tensor::PadOp::create(builder, loc, type.clone(shape), value,
                               getAsIndexOpFoldResult(builder.getContext(), low),
                               getAsIndexOpFoldResult(builder.getContext(), high), neutral);
}

Value Writer::slice(Value value, unsigned along, int64_t first, int64_t size, bool drops) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(along) == size && !drops)
    return value;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      ones(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> sizes(type.getShape());
  offsets[along] = builder.getIndexAttr(first);
  sizes[along] = size;
  SmallVector<int64_t> shape(sizes);
  if (drops)
    shape.erase(shape.begin() + along);
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), value, offsets,
                                        getAsIndexOpFoldResult(builder.getContext(), sizes), ones);
}

/// `a` and `b` by element; `a` lacks dimension `broadcast`.
Value Writer::combine(Value a, Value b, std::optional<unsigned> broadcast) {
  auto type = cast<RankedTensorType>(b.getType());
  unsigned rank = type.getRank();
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{a, b}, empty,
             ArrayRef<AffineMap>{broadcast ? all.dropResult(*broadcast) : all, all, all},
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location at, ValueRange args) {
               IRMapping mapping;
               mapping.map(scan.combiner->getOperand(0), args[0]);
               mapping.map(scan.combiner->getOperand(1), args[1]);
               Operation *made = nested.clone(*scan.combiner, mapping);
               linalg::YieldOp::create(nested, at, made->getResult(0));
             })
      .getResult(0);
}

Value Writer::run(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rows = type.getDimSize(dim());
  if (rows < kMinRows)
    return windows(value, dim());
  int64_t count = llvm::divideCeil(rows, kRowsOfBlock);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim()] = count;
  shape.insert(shape.begin() + dim() + 1, kRowsOfBlock);
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0, next = 0; d < type.getRank(); ++d) {
    groups.push_back({next++});
    if (d == dim())
      groups.back().push_back(next++);
  }
  Value padded = pad(value, 0, count * kRowsOfBlock - rows);
  Value blocks = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), padded, groups);
  Value own = windows(blocks, dim() + 1);
  Value totals = run(slice(own, dim() + 1, scan.isReverse ? 0 : kRowsOfBlock - 1, 1,
                           /*drops=*/true));
  Value before = scan.isReverse ? pad(slice(totals, dim(), 1, count - 1), 0, 1)
                                : pad(slice(totals, dim(), 0, count - 1), 1, 0);
  Value made = combine(before, own, /*broadcast=*/dim() + 1);
  made = tensor::CollapseShapeOp::create(builder, loc, padded.getType(), made, groups);
  return slice(made, dim(), 0, rows);
}

struct BlockScansPass : mlir::tp::impl::BlockScansPassBase<BlockScansPass> {
  void runOnOperation() override {
    SmallVector<std::pair<linalg::GenericOp, Scan>> scans;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (std::optional<Scan> scan = getScan(op))
        scans.push_back({op, *scan});
    });
    for (auto &[op, scan] : scans) {
      OpBuilder builder(op);
      Writer writer(builder, op.getLoc(), scan);
      Value made = writer.run(scan.source), init = op.getDpsInits()[0];
      auto fill = init.getDefiningOp<linalg::FillOp>();
      TypedAttr begin;
      if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&begin)) ||
          !isNeutral(begin, scan.neutral, *getReductionKind(scan.combiner)))
        made = writer.combine(init, made);
      op->getResult(0).replaceAllUsesWith(made);
      op.erase();
      ++blocked;
    }
  }
};

} // namespace
