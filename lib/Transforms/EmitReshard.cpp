//===- EmitReshard.cpp - The steps of a reshard as ops ---------------------===//
//
// Collectives move whole padded buffers. Between the padded blocks of several
// cuts and the one block that they cut lie gaps where a cut is uneven: `spread`
// makes them (fills each level up to k equal blocks), `compact` closes them.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/LocalOps.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Interfaces/Transpose.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
/// Emits the steps one after another.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Value local, RankedTensorType globalType,
          const Mesh &mesh, const Sharding &from, const PaddingFact &fact, StringAttr reason)
      : builder(builder), loc(loc), value(local), shape(globalType.getShape()),
        elementType(globalType.getElementType()), mesh(mesh), at(from), fact(fact), reason(reason) {
    normalizeFact();
  }

  void emit(const ReshardStep &step);

  Value getValue() const { return value; }
  PaddingFact getFact() const { return fact; }

private:
  void slice(const ReshardStep &step);
  void mask(const ReshardStep &step);
  void place(const ReshardStep &step);
  void allReduce(const ReshardStep &step);
  void reduceScatter(const ReshardStep &step);
  void allGather(const ReshardStep &step);
  void allToAll(const ReshardStep &step);
  void permute(const ReshardStep &step);
  void reblock(const ReshardStep &step);

  /// Where there is no padding it holds whatever one likes.
  void normalizeFact() {
    if (at.isEven(shape))
      fact = PaddingFact::zero();
  }
  TypedAttr getFill() const {
    TypedAttr fill = fact.getFill(elementType);
    return fill ? fill : PaddingFact::zero().getFill(elementType);
  }

  ArrayRef<int64_t> localShape() const {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
  RankedTensorType getType(ArrayRef<int64_t> localShape) const {
    return RankedTensorType::get(localShape, elementType);
  }
  Value constant(int64_t i) { return arith::ConstantIndexOp::create(builder, loc, i); }
  ArrayAttr getAxes(ArrayRef<AxisPart> parts) const;
  Value coordinate(const AxisPart &part) {
    return comm::CoordinateOp::create(builder, loc, getAxes(part));
  }
  /// Rank in the group over `parts`.
  Value groupRank(ArrayRef<AxisPart> parts);
  /// table[rank].
  Value lookUp(Value rank, ArrayRef<int64_t> table);

  void padHigh(unsigned dim, int64_t size);
  /// Keeps `size` elements of `dim` from `offset` (an index; null: 0).
  void extract(unsigned dim, int64_t size, Value offset = nullptr);
  /// Dimension `dim` as these; their product is its size.
  void expand(unsigned dim, ArrayRef<int64_t> sizes);
  /// `count` dimensions from `dim` as one.
  void collapse(unsigned dim, unsigned count);
  void transpose(ArrayRef<int64_t> permutation);
  /// One block of dimension `dim`, cut by `cuts` (sizes[0] -> sizes[1] -> ...),
  /// becomes the row of all its padded blocks; compact is the inverse.
  void spread(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes);
  void compact(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes);
  /// Of the row of blocks that spread makes, keeps this rank's own by the cuts
  /// outside of `group`; returns the other cuts.
  SmallVector<Cut> keepOwn(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes,
                           ArrayRef<AxisPart> group);

  OpBuilder &builder;
  Location loc;
  Value value;
  ArrayRef<int64_t> shape;
  Type elementType;
  const Mesh &mesh;
  Sharding at;
  PaddingFact fact;
  StringAttr reason;
};
} // namespace

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

/// Adjacent parts of one axis as one part.
static SmallVector<AxisPart> mergeParts(ArrayRef<AxisPart> parts) {
  SmallVector<AxisPart> merged;
  for (const AxisPart &part : parts) {
    if (!merged.empty() && merged.back().axis == part.axis &&
        merged.back().pre * merged.back().size == part.pre)
      merged.back().size *= part.size;
    else
      merged.push_back(part);
  }
  return merged;
}

ArrayAttr Emitter::getAxes(ArrayRef<AxisPart> parts) const {
  SmallVector<Attribute> axes;
  for (const AxisPart &part : mergeParts(parts))
    axes.push_back(getAxisAttr(builder.getContext(), part, mesh));
  return builder.getArrayAttr(axes);
}

Value Emitter::groupRank(ArrayRef<AxisPart> parts) {
  Value rank;
  for (const AxisPart &part : mergeParts(parts)) {
    Value c = coordinate(part);
    if (rank) {
      Value scaled = arith::MulIOp::create(builder, loc, rank, constant(part.size));
      c = arith::AddIOp::create(builder, loc, scaled, c);
    }
    rank = c;
  }
  return rank;
}

Value Emitter::lookUp(Value rank, ArrayRef<int64_t> table) {
  Value result = constant(table.back());
  for (int64_t i = static_cast<int64_t>(table.size()) - 2; i >= 0; --i) {
    if (llvm::all_equal(table.drop_front(i)))
      continue;
    Value isRank = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, constant(i));
    result = arith::SelectOp::create(builder, loc, isRank, constant(table[i]), result);
  }
  return result;
}

void Emitter::padHigh(unsigned dim, int64_t size) {
  SmallVector<int64_t> sizes(localShape());
  int64_t more = size - sizes[dim];
  assert(more >= 0 && "padding must not shrink");
  if (more == 0)
    return;
  SmallVector<OpFoldResult> low(sizes.size(), builder.getIndexAttr(0)), high = low;
  high[dim] = builder.getIndexAttr(more);
  sizes[dim] = size;
  Value fill = arith::ConstantOp::create(builder, loc, getFill());
  value = tensor::PadOp::create(builder, loc, getType(sizes), value, low, high, fill);
}

void Emitter::extract(unsigned dim, int64_t size, Value offset) {
  SmallVector<int64_t> sizes(localShape());
  if (sizes[dim] == size && !offset)
    return;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  if (offset)
    offsets[dim] = offset;
  sizes[dim] = size;
  value =
      tensor::ExtractSliceOp::create(builder, loc, getType(sizes), value, offsets,
                                     getAsIndexOpFoldResult(builder.getContext(), sizes), strides);
}

/// One group per dimension, the one at `dim` with `count`.
static SmallVector<ReassociationIndices> getGroups(unsigned rank, unsigned dim, unsigned count) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i < rank;) {
    groups.emplace_back();
    for (unsigned n = i == dim ? count : 1; n > 0; --n)
      groups.back().push_back(i++);
  }
  return groups;
}

void Emitter::expand(unsigned dim, ArrayRef<int64_t> sizes) {
  if (sizes.size() == 1)
    return;
  SmallVector<int64_t> all(localShape());
  all.erase(all.begin() + dim);
  all.insert(all.begin() + dim, sizes.begin(), sizes.end());
  value = tensor::ExpandShapeOp::create(builder, loc, getType(all), value,
                                        getGroups(all.size(), dim, sizes.size()));
}

void Emitter::collapse(unsigned dim, unsigned count) {
  if (count == 1)
    return;
  SmallVector<int64_t> sizes(localShape());
  SmallVector<ReassociationIndices> groups = getGroups(sizes.size(), dim, count);
  for (unsigned i = 1; i < count; ++i)
    sizes[dim] *= sizes[dim + i];
  sizes.erase(sizes.begin() + dim + 1, sizes.begin() + dim + count);
  value = tensor::CollapseShapeOp::create(builder, loc, getType(sizes), value, groups);
}

void Emitter::transpose(ArrayRef<int64_t> permutation) {
  value = tp::transpose(builder, loc, value, permutation);
}

void Emitter::spread(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes) {
  int64_t outer = 1;
  for (auto [i, cut] : llvm::enumerate(cuts)) {
    int64_t full = cut.part.size * sizes[i + 1];
    if (full != sizes[i]) {
      bool rows = outer != 1;
      if (rows)
        expand(dim, {outer, sizes[i]});
      padHigh(dim + rows, full);
      if (rows)
        collapse(dim, 2);
    }
    outer *= cut.part.size;
  }
}

void Emitter::compact(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes) {
  int64_t outer = 1;
  for (const Cut &cut : cuts)
    outer *= cut.part.size;
  for (size_t i = cuts.size(); i-- > 0;) {
    int64_t full = cuts[i].part.size * sizes[i + 1];
    outer /= cuts[i].part.size;
    if (full == sizes[i])
      continue;
    bool rows = outer != 1;
    if (rows)
      expand(dim, {outer, full});
    extract(dim + rows, sizes[i]);
    if (rows)
      collapse(dim, 2);
  }
}

SmallVector<Cut> Emitter::keepOwn(unsigned dim, ArrayRef<Cut> cuts, ArrayRef<int64_t> sizes,
                                  ArrayRef<AxisPart> group) {
  SmallVector<Cut> kept;
  SmallVector<int64_t> blocks;
  for (const Cut &cut : cuts) {
    blocks.push_back(cut.part.size);
    if (llvm::is_contained(group, cut.part))
      kept.push_back(cut);
  }
  if (kept.size() == cuts.size())
    return kept;
  blocks.push_back(sizes.back());
  expand(dim, blocks);
  for (auto [i, cut] : llvm::enumerate(cuts))
    if (!llvm::is_contained(group, cut.part))
      extract(dim + i, 1, coordinate(cut.part));
  collapse(dim, blocks.size());
  return kept;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The cuts of `longer` that `shorter` lacks, and the block sizes from the first
/// block that they cut on.
static std::pair<ArrayRef<Cut>, SmallVector<int64_t>>
getMinorCuts(const DimSharding &longer, const DimSharding &shorter, int64_t n) {
  size_t common = shorter.cuts.size();
  SmallVector<int64_t> sizes = longer.blockSizes(n);
  sizes.erase(sizes.begin(), sizes.begin() + common);
  return {ArrayRef(longer.cuts).drop_front(common), sizes};
}

void Emitter::slice(const ReshardStep &step) {
  unsigned d = step.dim;
  auto [cuts, sizes] = getMinorCuts(step.after.dims[d], at.dims[d], shape[d]);
  for (size_t i = 0; i < cuts.size();) {
    // Cuts of adjacent parts of one axis are one cut where the blocks say so.
    AxisPart part = cuts[i].part;
    size_t next = i + 1;
    while (next < cuts.size() && cuts[next].part.axis == part.axis &&
           cuts[next].part.pre == part.pre * part.size &&
           cuts[next].part.size * sizes[next + 1] == sizes[next])
      part.size *= cuts[next++].part.size;
    int64_t size = sizes[next];
    padHigh(d, part.size * size);
    Value offset = coordinate(part);
    if (size != 1)
      offset = arith::MulIOp::create(builder, loc, offset, constant(size));
    extract(d, size, offset);
    i = next;
  }
}

void Emitter::mask(const ReshardStep &step) {
  Value isFirst;
  for (const AxisPart &part : mergeParts(step.parts)) {
    Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, coordinate(part),
                                         constant(0));
    isFirst = isFirst ? arith::AndIOp::create(builder, loc, isFirst, isZero).getResult() : isZero;
  }
  TypedAttr neutral = getNeutralElement(step.reduction, elementType);
  auto type = cast<RankedTensorType>(value.getType());
  Value neutralValue = arith::ConstantOp::create(builder, loc, neutral);
  Value init = tensor::EmptyOp::create(builder, loc, type, ValueRange());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location bodyLoc, ValueRange args) {
    Value selected = arith::SelectOp::create(nested, bodyLoc, isFirst, args[0], neutralValue);
    linalg::YieldOp::create(nested, bodyLoc, selected);
  };
  value = linalg::GenericOp::create(builder, loc, type, value, init, maps, iterators, body)
              .getResult(0);
  if (fact.getFill(elementType) != neutral)
    fact = PaddingFact::undefined();
}

void Emitter::place(const ReshardStep &step) {
  unsigned d = step.dim;
  TypedAttr neutral = getNeutralElement(step.reduction, elementType);
  auto [cuts, sizes] = getMinorCuts(at.dims[d], step.after.dims[d], shape[d]);
  for (size_t i = cuts.size(); i-- > 0;) {
    SmallVector<int64_t> all(localShape());
    SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(all.size(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> own = getAsIndexOpFoldResult(builder.getContext(), all);
    offsets[d] =
        arith::MulIOp::create(builder, loc, coordinate(cuts[i].part), constant(sizes[i + 1]))
            .getResult();
    all[d] = cuts[i].part.size * sizes[i + 1];
    Value empty = tensor::EmptyOp::create(builder, loc, all, elementType);
    Value element = arith::ConstantOp::create(builder, loc, neutral);
    Value whole = linalg::FillOp::create(builder, loc, element, empty).getResult(0);
    value = tensor::InsertSliceOp::create(builder, loc, value, whole, offsets, own, strides);
    extract(d, sizes[i]);
  }
  if (fact.getFill(elementType) != neutral)
    fact = PaddingFact::undefined();
}

void Emitter::allReduce(const ReshardStep &step) {
  value = comm::AllReduceOp::create(builder, loc, value.getType(), step.reduction, value,
                                    getAxes(step.parts), reason)
              ->getResult(0);
  if (!fact.survives(step.reduction, elementType))
    fact = PaddingFact::undefined();
}

void Emitter::reduceScatter(const ReshardStep &step) {
  unsigned d = step.dim;
  auto [cuts, sizes] = getMinorCuts(step.after.dims[d], at.dims[d], shape[d]);
  spread(d, cuts, sizes);
  keepOwn(d, cuts, sizes, step.parts);
  value = comm::ReduceScatterOp::create(builder, loc, getType(step.after.localShape(shape)),
                                        step.reduction, value, d, getAxes(step.parts), reason)
              ->getResult(0);
  if (!fact.survives(step.reduction, elementType))
    fact = PaddingFact::undefined();
}

void Emitter::allGather(const ReshardStep &step) {
  unsigned d = step.dim;
  auto [cuts, sizes] = getMinorCuts(at.dims[d], step.after.dims[d], shape[d]);
  SmallVector<int64_t> gathered(localShape());
  for (const Cut &cut : cuts)
    gathered[d] *= cut.part.size;
  value = comm::AllGatherOp::create(builder, loc, getType(gathered), value, d, getAxes(step.parts),
                                    reason)
              ->getResult(0);
  compact(d, cuts, sizes);
}

void Emitter::allToAll(const ReshardStep &step) {
  struct Side {
    unsigned dim;
    SmallVector<Cut> cuts;
    SmallVector<int64_t> sizes;
  };
  SmallVector<Side, 2> givers, takers;
  unsigned rank = at.rank();
  for (unsigned d = 0; d < rank; ++d) {
    const DimSharding &before = at.dims[d], &after = step.after.dims[d];
    if (before.cuts.size() > after.cuts.size()) {
      auto [cuts, sizes] = getMinorCuts(before, after, shape[d]);
      givers.push_back({d, SmallVector<Cut>(cuts), sizes});
    } else if (before.cuts.size() < after.cuts.size()) {
      auto [cuts, sizes] = getMinorCuts(after, before, shape[d]);
      spread(d, cuts, sizes);
      takers.push_back({d, keepOwn(d, cuts, sizes, step.parts), sizes});
    }
  }
  int64_t k = 1;
  for (const AxisPart &part : step.parts)
    k *= part.size;
  auto getParts = [](ArrayRef<Cut> cuts) {
    return llvm::map_to_vector(cuts, [](const Cut &cut) { return cut.part; });
  };
  ArrayAttr axes = getAxes(step.parts);

  if (givers.size() == 1 && takers.size() == 1 &&
      getParts(givers[0].cuts) == getParts(takers[0].cuts)) {
    unsigned split = takers[0].dim, concat = givers[0].dim;
    SmallVector<int64_t> sizes(localShape());
    sizes[split] /= k;
    sizes[concat] *= k;
    value =
        comm::AllToAllOp::create(builder, loc, getType(sizes), value, split, concat, axes, reason)
            ->getResult(0);
    compact(concat, givers[0].cuts, givers[0].sizes);
    return;
  }

  // In general the blocks are gathered in front, in the order of the ranks.
  auto position = [&](const AxisPart &part) {
    return static_cast<int64_t>(llvm::find(step.parts, part) - step.parts.begin());
  };
  int64_t numParts = step.parts.size();
  SmallVector<int64_t> toFront(numParts), bases;
  int64_t dim = 0;
  for (unsigned d = 0; d < rank; ++d) {
    const Side *side = llvm::find_if(takers, [&](const Side &s) { return s.dim == d; });
    if (side != takers.end()) {
      SmallVector<int64_t> sizes;
      for (const Cut &cut : side->cuts) {
        sizes.push_back(cut.part.size);
        toFront[position(cut.part)] = dim + static_cast<int64_t>(sizes.size()) - 1;
      }
      sizes.push_back(side->sizes.back());
      expand(dim, sizes);
      dim += side->cuts.size();
    }
    bases.push_back(dim++);
  }
  toFront.append(bases);
  transpose(toFront);
  collapse(0, numParts);
  value = comm::AllToAllOp::create(builder, loc, value.getType(), value, 0, 0, axes, reason)
              ->getResult(0);
  SmallVector<int64_t> partSizes;
  for (const AxisPart &part : step.parts)
    partSizes.push_back(part.size);
  expand(0, partSizes);
  SmallVector<int64_t> toPlace;
  for (unsigned d = 0; d < rank; ++d) {
    for (const Side &side : givers)
      if (side.dim == d)
        for (const Cut &cut : side.cuts)
          toPlace.push_back(position(cut.part));
    toPlace.push_back(numParts + d);
  }
  transpose(toPlace);
  for (const Side &side : givers) {
    collapse(side.dim, side.cuts.size() + 1);
    compact(side.dim, side.cuts, side.sizes);
  }
}

void Emitter::permute(const ReshardStep &step) {
  if (step.messages == 0)
    return;
  value = comm::PermuteOp::create(builder, loc, value.getType(), value,
                                  builder.getDenseI32ArrayAttr(step.sources), getAxes(step.parts),
                                  reason)
              ->getResult(0);
}

void Emitter::reblock(const ReshardStep &step) {
  unsigned d = step.dim;
  const DimSharding &after = step.after.dims[d];
  SmallVector<ReblockRound, 0> rounds = getReblockRounds(shape[d], at.dims[d], after, step.parts);
  Value rank = groupRank(step.parts);
  int64_t held = at.dims[d].localSize(shape[d]), wanted = after.localSize(shape[d]), largest = 0;
  for (const ReblockRound &round : rounds)
    largest = std::max(largest, round.size);
  // Windows of fixed size may reach past the end of a block.
  padHigh(d, held + largest);
  Value source = value, result;
  SmallVector<int64_t> sizes(localShape());
  sizes[d] = wanted + largest;
  RankedTensorType roomyType = getType(sizes);
  sizes[d] = wanted;
  RankedTensorType resultType = getType(sizes);
  for (auto [i, round] : llvm::enumerate(rounds)) {
    if (round.size == 0)
      continue;
    value = source;
    extract(d, round.size, lookUp(rank, round.sendOffset));
    if (i > 0)
      value = comm::PermuteOp::create(builder, loc, value.getType(), value,
                                      builder.getDenseI32ArrayAttr(round.sources),
                                      getAxes(step.parts), reason)
                  ->getResult(0);
    Value begin = lookUp(rank, round.receiveBegin);
    // Put the window where it belongs, then take from it what is this rank's.
    Value room = tensor::EmptyOp::create(builder, loc, roomyType, ValueRange());
    SmallVector<int64_t> windowShape(localShape());
    SmallVector<OpFoldResult> offsets(windowShape.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(windowShape.size(), builder.getIndexAttr(1));
    offsets[d] = begin;
    value = tensor::InsertSliceOp::create(builder, loc, value, room, offsets,
                                          getAsIndexOpFoldResult(builder.getContext(), windowShape),
                                          strides);
    extract(d, wanted);
    if (!result) {
      result = value;
      continue;
    }
    Value end = lookUp(rank, round.receiveEnd);
    SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(at.rank()));
    SmallVector<utils::IteratorType> iterators(at.rank(), utils::IteratorType::parallel);
    Value init = tensor::EmptyOp::create(builder, loc, resultType, ValueRange());
    auto body = [&](OpBuilder &nested, Location bodyLoc, ValueRange args) {
      Value index = linalg::IndexOp::create(nested, bodyLoc, d);
      Value past = arith::CmpIOp::create(nested, bodyLoc, arith::CmpIPredicate::sge, index, begin);
      Value below = arith::CmpIOp::create(nested, bodyLoc, arith::CmpIPredicate::slt, index, end);
      Value inside = arith::AndIOp::create(nested, bodyLoc, past, below);
      Value selected = arith::SelectOp::create(nested, bodyLoc, inside, args[0], args[1]);
      linalg::YieldOp::create(nested, bodyLoc, selected);
    };
    result = linalg::GenericOp::create(builder, loc, resultType, ValueRange{value, result}, init,
                                       maps, iterators, body)
                 .getResult(0);
  }
  value = result;
  fact = PaddingFact::undefined();
}

void Emitter::emit(const ReshardStep &step) {
  switch (step.move) {
  case ReshardMove::Slice:
    slice(step);
    break;
  case ReshardMove::Mask:
    mask(step);
    break;
  case ReshardMove::Place:
    place(step);
    break;
  case ReshardMove::AllGather:
    allGather(step);
    break;
  case ReshardMove::ReduceScatter:
    reduceScatter(step);
    break;
  case ReshardMove::AllReduce:
    allReduce(step);
    break;
  case ReshardMove::AllToAll:
    allToAll(step);
    break;
  case ReshardMove::Permute:
    permute(step);
    break;
  case ReshardMove::Reblock:
    reblock(step);
    break;
  }
  at = step.after;
  normalizeFact();
  assert(value.getType() == getType(at.localShape(shape)) && "a step makes another local type");
}

Value tp::emitReshard(OpBuilder &builder, Location loc, Value local, RankedTensorType globalType,
                      const Mesh &mesh, const Sharding &from, const Sharding &to, PaddingFact &fact,
                      StringAttr reason, const Hardware &hardware) {
  ArrayRef<int64_t> shape = globalType.getShape();
  if (globalType.getNumElements() == 0) {
    // Local buffers have no elements either: nothing moves, nothing is padding.
    fact = PaddingFact::zero();
    auto type = RankedTensorType::get(to.localShape(shape), globalType.getElementType());
    return tensor::EmptyOp::create(builder, loc, type, ValueRange());
  }
  ReshardPath path = findReshardPath(mesh, shape, getElementBytes(globalType.getElementType()),
                                     from, to, hardware);
  Emitter emitter(builder, loc, local, globalType, mesh, path.from, fact, reason);
  for (const ReshardStep &step : path.steps)
    emitter.emit(step);
  fact = emitter.getFact();
  return emitter.getValue();
}
