//===- SliceModels.cpp - Sharding rules of slices, pads, concatenations ----===//
//
// A dimension that is taken whole is a factor, and so is one of which most rows are
// taken: few rows are missing where the result is cut as the source. Of others,
//
//   extract_slice   each rank has the rows of the slice that are in its block: the
//                   dimension is reduced, the others' rows are neutral
//   insert_slice    each rank writes the rows that are in its block
//   insert          the rank that has the element writes it
//
// Where the offset is known, what the ranks lack moves instead (decomposeWindows).
//
//===----------------------------------------------------------------------===//

#include "TensorRules.h"
#include "Windows.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Whether the slice takes dimension `dim` of a value of this shape whole.
bool takesWhole(OffsetSizeAndStrideOpInterface slice, unsigned dim, int64_t size) {
  return slice.getStaticOffsets()[dim] == 0 && slice.getStaticSizes()[dim] == size &&
         slice.getStaticStrides()[dim] == 1;
}

/// Whether the slice takes a run of rows of dimension `dim`, from anywhere.
bool takesRun(OffsetSizeAndStrideOpInterface slice, unsigned dim) {
  return slice.getStaticSizes()[dim] > 0 && slice.getStaticStrides()[dim] == 1;
}

/// Whether the slice takes most rows of a dimension of `size`, or as many in steps:
/// cut in blocks as the dimension is, a rank has most of them.
bool takesMost(OffsetSizeAndStrideOpInterface slice, unsigned dim, int64_t size) {
  int64_t rows = slice.getStaticSizes()[dim], stride = slice.getStaticStrides()[dim];
  return !ShapedType::isDynamic(slice.getStaticOffsets()[dim]) && stride >= 1 && rows > 1 &&
         2 * rows * stride > size;
}

/// The sliced dimensions that are dimensions of the small side, in order.
template <typename OpTy> SmallVector<unsigned> keptDims(OpTy slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned i = 0, n = slice.getStaticSizes().size(); i < n; ++i)
    if (!dropped.test(i))
      kept.push_back(i);
  return kept;
}

/// The slice with its operands on one rank. Where the rank's block does not hold
/// the rows that the slice takes of a dimension, `cut` has the dimension.
class LocalSlice {
public:
  /// `big` is the local value that is sliced, of the global shape `shape`;
  /// `dynamic` the offsets, sizes and strides that are operands. `factors` has the
  /// factor of each dimension, or nothing.
  template <typename OpTy>
  LocalSlice(OpTy slice, OpBuilder &builder, Value big, ArrayRef<int64_t> shape, ValueRange dynamic,
             ArrayRef<DimFactors> factors, const LocalFrame &frame)
      : builder(builder), loc(slice.getLoc()) {
    unsigned numOffsets = slice.getOffsets().size(), numSizes = slice.getSizes().size();
    offsets = getMixedValues(slice.getStaticOffsets(), dynamic.take_front(numOffsets), builder);
    strides = getMixedValues(slice.getStaticStrides(), dynamic.drop_front(numOffsets + numSizes),
                             builder);
    sizes.assign(slice.getStaticSizes().begin(), slice.getStaticSizes().end());
    ArrayRef<int64_t> local = shapeOf(big.getType());
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (unsigned d = 0, n = sizes.size(); d < n; ++d) {
      // A dimension that the small side lacks has one row there, also where the
      // block has more: a granule makes it larger than the dimension.
      if (takesWhole(slice, d, shape[d]) && (!dropped.test(d) || local[d] == 1)) {
        sizes[d] = local[d];
        continue;
      }
      Value begin = factors[d].empty() ? Value() : frame.factorOffset(factors[d].front());
      if (begin)
        cut.push_back(
            makeCut(slice, d, shape[d], local[d], begin, frame.factorExtent(factors[d].front())));
    }
  }

  /// A dimension of which this rank has a block.
  struct CutDim {
    unsigned dim;
    int64_t size; ///< rows of the slice
    int64_t held; ///< rows that are read or written here, some of them perhaps not in the slice
    Value offset; ///< of the slice, counted from the block
    Value first;  ///< of the rows that are read or written
    Value extent; ///< number of rows of the block
  };

  /// An elementwise op onto `init`: where the row of every cut dimension is in the
  /// block and in the slice the element of `source`, elsewhere what `otherwise` is
  /// (null: the element of `init`). Row i of dimension c is row i + shift(c) of
  /// `source`, of which [0, count(c)) may be read; `source` lacks the `dropped`
  /// dimensions.
  Value select(Value init, Value source, const llvm::SmallBitVector &dropped,
               function_ref<Value(const CutDim &)> shift, function_ref<Value(const CutDim &)> count,
               Value otherwise);

  Value index(int64_t i) { return arith::ConstantIndexOp::create(builder, loc, i); }
  Value clamp(Value value, int64_t low, int64_t high) {
    value = arith::MaxSIOp::create(builder, loc, value, index(low));
    return arith::MinSIOp::create(builder, loc, value, index(high));
  }

  OpBuilder &builder;
  Location loc;
  SmallVector<OpFoldResult> offsets, strides;
  SmallVector<int64_t> sizes;
  SmallVector<CutDim, 1> cut;

private:
  CutDim makeCut(Operation *slice, unsigned dim, int64_t whole, int64_t local, Value begin,
                 Value extent) {
    int64_t size = sizes[dim], held = std::min(size, local);
    Value offset;
    if (auto value = dyn_cast<Value>(offsets[dim]))
      offset = comm::CheckIndexOp::create(
          builder, loc, value, 0, std::max<int64_t>(whole - size + 1, 0),
          builder.getStringAttr("offset of " + slice->getName().getStringRef() +
                                " along dimension " + Twine(dim)));
    else
      offset = index(*getConstantIntValue(offsets[dim]));
    offset = arith::SubIOp::create(builder, loc, offset, begin);
    Value first = clamp(offset, 0, local - held);
    return {dim, size, held, offset, first, extent ? extent : index(local)};
  }
};

Value LocalSlice::select(Value init, Value source, const llvm::SmallBitVector &dropped,
                         function_ref<Value(const CutDim &)> shift,
                         function_ref<Value(const CutDim &)> count, Value otherwise) {
  auto type = cast<RankedTensorType>(init.getType());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  SmallVector<std::pair<Value, Value>> bounds;
  for (const CutDim &c : cut)
    bounds.emplace_back(shift(c), count(c));
  auto build = [&](OpBuilder &nested, Location at, ValueRange args) {
    SmallVector<Value> indices;
    for (int64_t d = 0; d < type.getRank(); ++d)
      indices.push_back(linalg::IndexOp::create(nested, at, d));
    Value zero = arith::ConstantIndexOp::create(nested, at, 0);
    Value inside;
    ArrayRef<int64_t> shape = shapeOf(source.getType());
    for (auto [c, bound] : llvm::zip_equal(cut, bounds)) {
      unsigned dim = c.dim;
      Value row = arith::AddIOp::create(nested, at, indices[dim], bound.first);
      Value past = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::sge, row, zero);
      Value below = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, row, bound.second);
      Value both = arith::AndIOp::create(nested, at, past, below);
      inside = inside ? arith::AndIOp::create(nested, at, inside, both).getResult() : both;
      // Other rows are read somewhere and dropped.
      int64_t rows = 1;
      if (!dropped.test(dim)) {
        unsigned before = 0;
        for (unsigned d = 0; d < dim; ++d)
          before += dropped.test(d);
        rows = shape[dim - before];
      }
      row = arith::MaxSIOp::create(nested, at, row, zero);
      indices[dim] = arith::MinSIOp::create(nested, at, row,
                                            arith::ConstantIndexOp::create(nested, at, rows - 1));
    }
    SmallVector<Value> read;
    for (auto [d, index] : llvm::enumerate(indices))
      if (!dropped.test(d))
        read.push_back(index);
    Value element = tensor::ExtractOp::create(nested, at, source, read);
    Value selected =
        arith::SelectOp::create(nested, at, inside, element, otherwise ? otherwise : args[0]);
    linalg::YieldOp::create(nested, at, selected);
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), init, map, iterators, build)
      .getResult(0);
}

/// What leaves any element as it is: -0 + x is x for every float, +0 + x is not.
TypedAttr getExactNeutral(Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  return cast<TypedAttr>(IntegerAttr::get(element, 0));
}

struct ExtractSliceModel
    : ShardingRuleOpInterface::ExternalModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    auto slice = cast<tensor::ExtractSliceOp>(op);
    ShardingRule rule = blankRule(op);
    ArrayRef<int64_t> shape = shapeOf(slice.getSourceType());
    for (auto [small, big] : llvm::enumerate(keptDims(slice))) {
      bool isWhole = takesWhole(slice, big, shape[big]);
      if (!isWhole && !takesMost(slice, big, shape[big]))
        continue;
      unsigned factor =
          rule.addFactor(isWhole ? FactorKind::Parallel : FactorKind::Window, shape[big]);
      rule.operands[0].dims[big].push_back(factor);
      rule.results[0].dims[small].push_back(factor);
    }
    // One rank has a row, the others something neutral; no index can be reduced.
    Type element = slice.getSourceType().getElementType();
    ReductionKind kind = element.isInteger(1) ? ReductionKind::Or : ReductionKind::Sum;
    for (auto [d, size] : llvm::enumerate(shape))
      if (rule.operands[0].dims[d].empty() && takesRun(slice, d) && element.isIntOrFloat() &&
          !takesWhole(slice, d, size))
        rule.operands[0].dims[d].push_back(rule.addFactor(FactorKind::Reduction, size, kind));
    linearInTensors(rule, op);
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange resultTypes,
                                 const LocalFrame &frame) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Value source = operands.front();
    LocalSlice local(slice, builder, source, shapeOf(slice.getSourceType()), operands.drop_front(1),
                     getShardingRule(op)->operands[0].dims, frame);
    Location loc = op->getLoc();
    auto extract = [&](Value from, Type type, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<int64_t> sizes, ArrayRef<OpFoldResult> strides) -> Value {
      return tensor::ExtractSliceOp::create(
          builder, loc, cast<RankedTensorType>(type), from, offsets,
          getAsIndexOpFoldResult(builder.getContext(), sizes), strides);
    };
    if (local.cut.empty())
      return {extract(source, resultTypes.front(), local.offsets, local.sizes, local.strides)};
    // First what is taken of the other dimensions, all rows of the block.
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<OpFoldResult> offsets = local.offsets;
    SmallVector<int64_t> sizes = local.sizes;
    for (const LocalSlice::CutDim &c : local.cut) {
      offsets[c.dim] = builder.getIndexAttr(0);
      sizes[c.dim] = type.getDimSize(c.dim);
    }
    if (type.getShape() != ArrayRef(sizes))
      source = extract(source, type.clone(sizes), offsets, sizes, local.strides);
    Value init = tensor::EmptyOp::create(builder, loc, local.sizes, type.getElementType());
    Value neutral = arith::ConstantOp::create(builder, loc, getExactNeutral(type.getElementType()));
    Value value = local.select(
        init, source, llvm::SmallBitVector(type.getRank()),
        [](const LocalSlice::CutDim &c) { return c.offset; },
        [](const LocalSlice::CutDim &c) { return c.extent; }, neutral);
    if (value.getType() == resultTypes.front())
      return {value};
    SmallVector<OpFoldResult> zero(type.getRank(), builder.getIndexAttr(0)),
        one(type.getRank(), builder.getIndexAttr(1));
    return {extract(value, resultTypes.front(), zero, local.sizes, one)};
  }

  /// The rows that ranks lack move, along one dimension at a time.
  FailureOr<SmallVector<Value>> decomposeWindows(Operation *op, OpBuilder &builder,
                                                 ArrayRef<Sharding> operands,
                                                 ArrayRef<Sharding> results) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (!isStatic(op) || op->getNumOperands() != 1)
      return failure();
    ArrayRef<int64_t> shape = shapeOf(slice.getSourceType());
    ArrayRef<int64_t> starts = slice.getStaticOffsets(), sizes = slice.getStaticSizes(),
                      strides = slice.getStaticStrides();
    const Sharding &from = operands[0];
    // How the slice is wanted, with the dimensions that it drops.
    Sharding to(shape.size());
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      to.dims[big] = results[0].dims[small];
    for (unsigned d = 0; d < shape.size(); ++d) {
      if (takesWhole(slice, d, shape[d]) || strides[d] < 1 ||
          (from.dims[d].count() == 1 && to.dims[d].count() == 1))
        continue;
      WindowBuilder windows(builder, op);
      Location loc = op->getLoc();
      SmallVector<OpFoldResult> zero(shape.size(), builder.getIndexAttr(0)),
          one(shape.size(), builder.getIndexAttr(1));
      Value value = slice.getSource();
      // First what else is taken, then the rows.
      SmallVector<OpFoldResult> otherStarts = slice.getMixedOffsets(),
                                otherStrides = slice.getMixedStrides();
      SmallVector<int64_t> otherSizes(sizes);
      otherStarts[d] = zero[d];
      otherStrides[d] = one[d];
      otherSizes[d] = shape[d];
      if (ArrayRef(otherSizes) != shape) {
        Sharding wanted = withCuts(to, d, from.dims[d].cuts);
        value = tensor::ExtractSliceOp::create(
            builder, loc, slice.getSourceType().clone(otherSizes), value, otherStarts,
            getAsIndexOpFoldResult(builder.getContext(), otherSizes), otherStrides);
        windows.want(value, wanted);
      }
      value = windows.create(value, d, WindowMap(shape[d], {{starts[d], sizes[d]}}, strides[d]),
                             /*fill=*/{}, to);
      if (value.getType() != slice.getType())
        value = tensor::ExtractSliceOp::create(builder, loc, slice.getType(), value, zero,
                                               slice.getMixedSizes(), one);
      return SmallVector<Value>{value};
    }
    return failure();
  }
};

/// The source with the dimensions that it lacks, of one row each.
static Value expandDropped(OpBuilder &builder, tensor::InsertSliceOp slice) {
  auto type = slice.getSourceType();
  int64_t rank = slice.getDestType().getRank();
  if (type.getRank() == rank)
    return slice.getSource();
  // Each with the next one that is there, the last ones with the last that is.
  SmallVector<ReassociationIndices> groups(type.getRank());
  unsigned small = 0;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (int64_t d = 0; d < rank; ++d) {
    if (small < groups.size())
      groups[small].push_back(d);
    else if (!groups.empty())
      groups.back().push_back(d);
    small += !dropped.test(d);
  }
  return tensor::ExpandShapeOp::create(builder, slice.getLoc(), type.clone(slice.getStaticSizes()),
                                       slice.getSource(), groups);
}

struct InsertSliceModel
    : ShardingRuleOpInterface::ExternalModel<InsertSliceModel, tensor::InsertSliceOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    auto slice = cast<tensor::InsertSliceOp>(op);
    ShardingRule rule = blankRule(op);
    ArrayRef<int64_t> shape = shapeOf(slice.getDestType());
    auto addFactor = [&](unsigned dim) {
      unsigned factor = rule.addFactor(FactorKind::Parallel, shape[dim]);
      rule.operands[1].dims[dim].push_back(factor);
      rule.results[0].dims[dim].push_back(factor);
      return factor;
    };
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      if (takesWhole(slice, big, shape[big]))
        rule.operands[0].dims[small].push_back(addFactor(big));
    for (unsigned d = 0; d < shape.size(); ++d) {
      if (!rule.operands[1].dims[d].empty())
        continue;
      if (takesRun(slice, d))
        addFactor(d);
      else if (slice.getStaticStrides()[d] > 1)
        rule.factors[addFactor(d)].kind = FactorKind::Window;
    }
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      if (slice.getStaticStrides()[big] > 1 && takesMost(slice, big, shape[big]))
        rule.operands[0].dims[small] = rule.operands[1].dims[big];
    linearInTensors(rule, op);
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange, const LocalFrame &frame) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    Value source = operands[0], dest = operands[1];
    LocalSlice local(slice, builder, dest, shapeOf(slice.getDestType()), operands.drop_front(2),
                     getShardingRule(op)->operands[1].dims, frame);
    Location loc = op->getLoc();
    auto getSizes = [&](ArrayRef<int64_t> sizes) {
      return getAsIndexOpFoldResult(builder.getContext(), sizes);
    };
    if (local.cut.empty())
      return {tensor::InsertSliceOp::create(builder, loc, source, dest, local.offsets,
                                            getSizes(local.sizes), local.strides)};
    // The rows that may be written, with the new ones among them, back to their place.
    SmallVector<OpFoldResult> offsets = local.offsets;
    SmallVector<int64_t> sizes = local.sizes;
    for (const LocalSlice::CutDim &c : local.cut) {
      offsets[c.dim] = c.first;
      sizes[c.dim] = c.held;
    }
    Value old = tensor::ExtractSliceOp::create(builder, loc,
                                               cast<RankedTensorType>(dest.getType()).clone(sizes),
                                               dest, offsets, getSizes(sizes), local.strides);
    Value merged = local.select(
        old, source, slice.getDroppedDims(),
        [&](const LocalSlice::CutDim &c) -> Value {
          return arith::SubIOp::create(builder, loc, c.first, c.offset);
        },
        [&](const LocalSlice::CutDim &c) { return local.index(c.size); }, /*otherwise=*/{});
    return {tensor::InsertSliceOp::create(builder, loc, merged, dest, offsets, getSizes(sizes),
                                          local.strides)};
  }

  /// Rows of a source that is cut move to where they are written.
  FailureOr<SmallVector<Value>> decomposeWindows(Operation *op, OpBuilder &builder,
                                                 ArrayRef<Sharding> operands,
                                                 ArrayRef<Sharding> results) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    if (!isStatic(op) || op->getNumOperands() != 2)
      return failure();
    ArrayRef<int64_t> shape = shapeOf(slice.getDestType());
    ArrayRef<int64_t> starts = slice.getStaticOffsets(), sizes = slice.getStaticSizes(),
                      strides = slice.getStaticStrides();
    if (llvm::is_contained(sizes, 0) ||
        llvm::any_of(strides, [](int64_t stride) { return stride < 1; }))
      return failure();
    // How many blocks the source has along each dimension.
    SmallVector<int64_t> blocks(shape.size(), 1);
    for (auto [small, big] : llvm::enumerate(keptDims(slice)))
      blocks[big] = operands[0].dims[small].count();
    SmallVector<RowRange> ranges;
    bool movesRows = false, isLocal = true;
    for (unsigned d = 0; d < shape.size(); ++d) {
      if (takesWhole(slice, d, shape[d]))
        continue;
      ranges.push_back({d, starts[d], sizes[d], strides[d]});
      bool isCut = results[0].dims[d].count() > 1;
      movesRows |= isCut && (strides[d] != 1 || blocks[d] > 1);
      isLocal &= isCut;
    }
    // Rows of dimensions that are whole are written in place where that is all there is to do.
    if (!movesRows || (!isLocal && llvm::all_of(strides, [](int64_t s) { return s == 1; })))
      return failure();
    WindowBuilder windows(builder, op);
    Value rows = expandDropped(builder, slice);
    for (auto [d, first, size, stride] : ranges) {
      // From the first row of each block that is written on, a row as often as the next
      // one is away.
      SmallVector<WindowSegment> segments;
      for (ShardBlock block : results[0].dims[d].allBlocks(shape[d])) {
        int64_t before = std::max<int64_t>(llvm::divideCeilSigned(block.offset - first, stride), 0);
        int64_t skipped = std::min(first + before * stride - block.offset, block.size);
        segments.push_back({size * stride, skipped});
        segments.push_back({before * stride, block.size - skipped});
      }
      rows = windows.create(rows, d, WindowMap(size, segments, /*stride=*/1, /*repeat=*/stride),
                            /*fill=*/{}, results[0]);
    }
    return SmallVector<Value>{windows.selectRows(ranges, rows, slice.getDest())};
  }
};

/// One element: the rank that has it in its block writes it, others what is there.
struct InsertModel : ShardingRuleOpInterface::ExternalModel<InsertModel, tensor::InsertOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = blankRule(op);
    for (auto [d, size] : llvm::enumerate(shapeOf(op->getResult(0).getType()))) {
      unsigned factor = rule.addFactor(FactorKind::Parallel, size);
      rule.operands[1].dims[d].push_back(factor);
      rule.results[0].dims[d].push_back(factor);
    }
    return rule;
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &,
                                 ValueRange operands, TypeRange, const LocalFrame &frame) const {
    auto insert = cast<tensor::InsertOp>(op);
    Location loc = op->getLoc();
    Value scalar = operands[0], dest = operands[1], isHere;
    SmallVector<Value> indices(operands.drop_front(2));
    auto createIndex = [&](int64_t i) {
      return arith::ConstantIndexOp::create(builder, loc, i).getResult();
    };
    for (auto [d, index] : llvm::enumerate(indices)) {
      Value begin = frame.factorOffset(d);
      if (!begin)
        continue;
      int64_t whole = insert.getDest().getType().getDimSize(d);
      int64_t local = shapeOf(dest.getType())[d];
      index = comm::CheckIndexOp::create(
          builder, loc, index, 0, whole,
          builder.getStringAttr("index of tensor.insert along dimension " + Twine(d)));
      index = arith::SubIOp::create(builder, loc, index, begin);
      Value extent = frame.factorExtent(d);
      Value inBlock = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                                            extent ? extent : createIndex(local));
      index = arith::SelectOp::create(builder, loc, inBlock, index, createIndex(0));
      isHere = isHere ? arith::AndIOp::create(builder, loc, isHere, inBlock).getResult() : inBlock;
    }
    if (isHere) {
      Value old = tensor::ExtractOp::create(builder, loc, dest, indices);
      scalar = arith::SelectOp::create(builder, loc, isHere, scalar, old);
    }
    return {tensor::InsertOp::create(builder, loc, scalar, dest, indices)};
  }
};

//===----------------------------------------------------------------------===//
// Concatenation and padding
//===----------------------------------------------------------------------===//

struct ConcatModel : ShardingRuleOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    if (!isStatic(op))
      return failure();
    ShardingRule rule = blankRule(op);
    uint64_t along = cast<tensor::ConcatOp>(op).getDim();
    for (auto [i, size] : llvm::enumerate(shapeOf(op->getResult(0).getType()))) {
      if (i == along)
        continue;
      unsigned factor = rule.addFactor(FactorKind::Parallel, size);
      for (TensorRule &operand : rule.operands)
        operand.dims[i].push_back(factor);
      rule.results[0].dims[i].push_back(factor);
    }
    linearInTensors(rule, op);
    return rule;
  }

  /// Each operand at its place in the result, then the right one row by row.
  FailureOr<SmallVector<Value>> decomposeWindows(Operation *op, OpBuilder &builder,
                                                 ArrayRef<Sharding>,
                                                 ArrayRef<Sharding> results) const {
    unsigned along = cast<tensor::ConcatOp>(op).getDim();
    if (!isStatic(op) || results[0].dims[along].count() == 1)
      return failure();
    WindowBuilder windows(builder, op);
    int64_t rows = shapeOf(op->getResult(0).getType())[along], first = 0;
    Value result;
    for (Value operand : op->getOperands()) {
      int64_t size = shapeOf(operand.getType())[along];
      if (size == 0)
        continue;
      Value placed = windows.create(operand, along, WindowMap(size, {{-first, rows}}), /*fill=*/{},
                                    results[0]);
      result = result ? windows.selectRows(RowRange{along, first, size}, placed, result) : placed;
      first += size;
    }
    if (!result)
      return failure();
    return SmallVector<Value>{result};
  }
};

struct PadModel : ShardingRuleOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    // A value that depends on where it is put, or a tensor from outside, needs the whole.
    if (!isStatic(op) || !pad.getConstantPaddingValue())
      return failure();
    ShardingRule rule = blankRule(op);
    for (auto [i, size] : llvm::enumerate(shapeOf(pad.getSourceType()))) {
      int64_t low = pad.getStaticLow()[i], high = pad.getStaticHigh()[i];
      if (low < 0 || high < 0)
        continue;
      bool isWhole = low == 0 && high == 0;
      unsigned factor = rule.addFactor(isWhole ? FactorKind::Parallel : FactorKind::Window, size);
      rule.operands[0].dims[i].push_back(factor);
      rule.results[0].dims[i].push_back(factor);
    }
    return rule;
  }

  /// One dimension at a time; the rest stays a pad.
  FailureOr<SmallVector<Value>> decomposeWindows(Operation *op, OpBuilder &builder,
                                                 ArrayRef<Sharding> operands,
                                                 ArrayRef<Sharding> results) const {
    auto pad = cast<tensor::PadOp>(op);
    Value fill = pad.getConstantPaddingValue();
    TypedAttr constant;
    if (!isStatic(op) || op->getNumOperands() != 1 || !fill)
      return failure();
    matchPattern(fill, m_Constant(&constant));
    SmallVector<int64_t> low(pad.getStaticLow()), high(pad.getStaticHigh());
    ArrayRef<int64_t> shape = shapeOf(pad.getSourceType());
    for (auto [d, size] : llvm::enumerate(shape)) {
      int64_t before = low[d], rows = low[d] + size + high[d];
      if ((low[d] == 0 && high[d] == 0) || low[d] < 0 || high[d] < 0 ||
          (operands[0].dims[d].count() == 1 && results[0].dims[d].count() == 1))
        continue;
      WindowBuilder windows(builder, op);
      low[d] = high[d] = 0;
      Value result = pad.getSource();
      auto isZero = [](int64_t n) { return n == 0; };
      if (!llvm::all_of(low, isZero) || !llvm::all_of(high, isZero)) {
        SmallVector<int64_t> padded(shapeOf(pad.getType()));
        padded[d] = size;
        result = tensor::PadOp::create(builder, op->getLoc(), pad.getType().clone(padded), result,
                                       getAsIndexOpFoldResult(builder.getContext(), low),
                                       getAsIndexOpFoldResult(builder.getContext(), high), fill);
        windows.want(result, withCuts(results[0], d, operands[0].dims[d].cuts));
      }
      result = windows.create(result, d, WindowMap(size, {{-before, rows}}), constant, results[0]);
      if (!constant) {
        // What is computed is put beside the rows once they are in place.
        Value empty = tensor::EmptyOp::create(builder, op->getLoc(), shapeOf(result.getType()),
                                              pad.getType().getElementType());
        Value filled = linalg::FillOp::create(builder, op->getLoc(), fill, empty).getResult(0);
        result = size == 0
                     ? filled
                     : windows.selectRows(RowRange{unsigned(d), before, size}, result, filled);
      }
      return SmallVector<Value>{result};
    }
    return failure();
  }
};

} // namespace

void tp::attachSliceModels(MLIRContext *context) {
  tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
  tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
  tensor::InsertOp::attachInterface<InsertModel>(*context);
  tensor::ConcatOp::attachInterface<ConcatModel>(*context);
  tensor::PadOp::attachInterface<PadModel>(*context);
}
