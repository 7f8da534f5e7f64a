//===- EmitWindow.cpp - The pieces of a window as ops ----------------------===//

#include "tp/Transforms/LocalOps.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Analysis/WindowPlan.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, const Mesh &mesh, unsigned dim, StringAttr reason)
      : builder(builder), loc(loc), mesh(mesh), dim(dim), reason(reason) {}

  Value emit(Value local, const WindowPlan &plan, const WindowMap &map, int64_t rows,
             TypedAttr fill);

private:
  RankedTensorType withRows(Value value, int64_t rows) const {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = rows;
    return type.clone(shape);
  }
  int64_t rowsOf(Value value) const {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  }
  Value constant(int64_t i) { return arith::ConstantIndexOp::create(builder, loc, i); }
  Value groupRank(ArrayRef<AxisPart> parts);
  /// table[rank].
  OpFoldResult lookUp(Value rank, ArrayRef<int64_t> table);
  Value extract(Value value, int64_t rows, OpFoldResult first, int64_t stride);
  /// `size` rows of `value` in steps of `stride` from row first[rank] on. Where a
  /// run would reach past the end it may begin `skipped` rows earlier, by rank.
  Value extractRun(Value value, int64_t size, ArrayRef<int64_t> first, Value rank, int64_t stride,
                   SmallVectorImpl<int64_t> &skipped);

  /// Where rows [begin, end) of the result come from: its row j is row
  /// first + stride * (j - begin) of `buffer`, or first + (phase + j - begin) / repeat.
  struct Reading {
    Value buffer;
    OpFoldResult first, begin, end;
    int64_t stride, repeat = 1;
    OpFoldResult phase = {};
  };
  Value read(ArrayRef<Reading> readings, RankedTensorType type, TypedAttr fill);

  OpBuilder &builder;
  Location loc;
  const Mesh &mesh;
  unsigned dim;
  StringAttr reason;
};

} // namespace

static ArrayAttr getAxes(OpBuilder &builder, ArrayRef<AxisPart> parts, const Mesh &mesh) {
  SmallVector<Attribute> axes;
  for (const AxisPart &part : parts)
    axes.push_back(getAxisAttr(builder.getContext(), part, mesh));
  return builder.getArrayAttr(axes);
}

Value Emitter::groupRank(ArrayRef<AxisPart> parts) {
  Value rank;
  for (const AxisPart &part : parts) {
    Value c = comm::CoordinateOp::create(builder, loc, getAxes(builder, part, mesh));
    if (rank) {
      rank = arith::MulIOp::create(builder, loc, rank, constant(part.size));
      c = arith::AddIOp::create(builder, loc, rank, c);
    }
    rank = c;
  }
  return rank;
}

OpFoldResult Emitter::lookUp(Value rank, ArrayRef<int64_t> table) {
  if (llvm::all_equal(table))
    return builder.getIndexAttr(table.front());
  // Equal steps are a product.
  int64_t step = table[1] - table[0];
  bool isLinear = true;
  for (auto [i, entry] : llvm::enumerate(table))
    isLinear &= entry == table[0] + static_cast<int64_t>(i) * step;
  if (isLinear) {
    Value scaled = step == 1 ? rank : arith::MulIOp::create(builder, loc, rank, constant(step));
    return table[0] == 0
               ? scaled
               : arith::AddIOp::create(builder, loc, scaled, constant(table[0])).getResult();
  }
  Value result = constant(table.back());
  for (int64_t i = static_cast<int64_t>(table.size()) - 2; i >= 0; --i) {
    if (table[i] == table.back() && llvm::all_equal(table.drop_front(i)))
      continue;
    Value isRank = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, constant(i));
    result = arith::SelectOp::create(builder, loc, isRank, constant(table[i]), result);
  }
  return result;
}

Value Emitter::extract(Value value, int64_t rows, OpFoldResult first, int64_t stride) {
  RankedTensorType type = withRows(value, rows);
  if (type == value.getType() && stride == 1 && getConstantIntValue(first) == 0)
    return value;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets[dim] = first;
  strides[dim] = builder.getIndexAttr(rows > 1 ? stride : 1);
  return tensor::ExtractSliceOp::create(
      builder, loc, type, value, offsets,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()), strides);
}

Value Emitter::extractRun(Value value, int64_t size, ArrayRef<int64_t> first, Value rank,
                          int64_t stride, SmallVectorImpl<int64_t> &skipped) {
  skipped.assign(first.size(), 0);
  int64_t last = *llvm::max_element(first) + (size - 1) * stride;
  if (stride != 1 && last >= rowsOf(value))
    return read(Reading{value, lookUp(rank, first), builder.getIndexAttr(0),
                        builder.getIndexAttr(size), stride},
                withRows(value, size), /*fill=*/{});
  if (stride != 1)
    return extract(value, size, lookUp(rank, first), stride);
  SmallVector<int64_t> begin;
  for (auto [skip, row] : llvm::zip_equal(skipped, first)) {
    begin.push_back(std::min(row, rowsOf(value) - size));
    skip = row - begin.back();
  }
  return extract(value, size, lookUp(rank, begin), /*stride=*/1);
}

Value Emitter::read(ArrayRef<Reading> readings, RankedTensorType type, TypedAttr fill) {
  Value filled = fill ? arith::ConstantOp::create(builder, loc, fill).getResult() : Value();
  Value init = tensor::EmptyOp::create(builder, loc, type, ValueRange());
  if (readings.empty())
    return filled ? linalg::FillOp::create(builder, loc, filled, init).getResult(0) : init;
  auto toValue = [&](OpFoldResult index) {
    return getValueOrCreateConstantIndexOp(builder, loc, index);
  };
  SmallVector<std::array<Value, 4>> bounds;
  for (const Reading &reading : readings)
    bounds.push_back({toValue(reading.first), toValue(reading.begin), toValue(reading.end),
                      reading.phase ? toValue(reading.phase) : Value()});
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location at, ValueRange) {
    auto number = [&](int64_t i) { return arith::ConstantIndexOp::create(nested, at, i); };
    SmallVector<Value> indices;
    for (int64_t d = 0; d < type.getRank(); ++d)
      indices.push_back(linalg::IndexOp::create(nested, at, d));
    Value index = indices[dim], result = filled;
    for (auto [reading, bound] : llvm::zip_equal(readings, bounds)) {
      auto [first, begin, end, phase] = bound;
      Value row = arith::SubIOp::create(nested, at, index, begin);
      if (reading.stride != 1)
        row = arith::MulIOp::create(nested, at, row, number(reading.stride));
      if (reading.repeat != 1) {
        row = arith::AddIOp::create(nested, at, row, phase);
        row = arith::DivSIOp::create(nested, at, row, number(reading.repeat));
      }
      row = arith::AddIOp::create(nested, at, row, first);
      // Rows that are not of this reading are read somewhere and dropped.
      row = arith::MaxSIOp::create(nested, at, row, number(0));
      row = arith::MinSIOp::create(nested, at, row, number(rowsOf(reading.buffer) - 1));
      indices[dim] = row;
      Value element = tensor::ExtractOp::create(nested, at, reading.buffer, indices);
      if (!result) {
        result = element;
        continue;
      }
      Value past = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::sge, index, begin);
      Value below = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, index, end);
      Value inside = arith::AndIOp::create(nested, at, past, below);
      result = arith::SelectOp::create(nested, at, inside, element, result);
    }
    linalg::YieldOp::create(nested, at, result);
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), init, map, iterators, body)
      .getResult(0);
}

Value Emitter::emit(Value local, const WindowPlan &plan, const WindowMap &map, int64_t rows,
                    TypedAttr fill) {
  int64_t stride = map.stride;
  Value rank = plan.parts.empty() ? constant(0) : groupRank(plan.parts);
  Value source = local;
  if (!plan.gatherParts.empty()) {
    Value given = extract(source, plan.gatherSize, lookUp(rank, plan.gatherOffset), /*stride=*/1);
    int64_t blocks = 1;
    for (const AxisPart &part : plan.gatherParts)
      blocks *= part.size;
    source = comm::AllGatherOp::create(builder, loc, withRows(given, blocks * plan.gatherSize),
                                       given, dim, getAxes(builder, plan.gatherParts, mesh), reason)
                 ->getResult(0);
  }

  SmallVector<Reading> readings;
  auto isAll = [](ArrayRef<int64_t> table, int64_t value) {
    return llvm::all_of(table, [&](int64_t entry) { return entry == value; });
  };
  for (const WindowRound &round : plan.rounds) {
    OpFoldResult begin = lookUp(rank, round.begin), end = lookUp(rank, round.end);
    OpFoldResult phase = map.repeat == 1 ? OpFoldResult() : lookUp(rank, round.phase);
    // One piece for all that there is.
    bool isWhole = plan.rounds.size() == 1 && map.repeat == 1 && round.size == rows &&
                   isAll(round.begin, 0) && (plan.isCovered || !fill);
    if (!round.isMoved) {
      int64_t last = *llvm::max_element(round.offset) + (rows - 1) * stride;
      if (isWhole && last < rowsOf(source))
        return extract(source, rows, lookUp(rank, round.offset), stride);
      readings.push_back(
          {source, lookUp(rank, round.offset), begin, end, stride, map.repeat, phase});
      continue;
    }
    SmallVector<int64_t> skipped;
    Value piece = extractRun(source, round.size, round.offset, rank, stride, skipped);
    piece = comm::PermuteOp::create(builder, loc, piece.getType(), piece,
                                    builder.getDenseI32ArrayAttr(round.sources),
                                    getAxes(builder, plan.parts, mesh), reason)
                ->getResult(0);
    if (isWhole && isAll(skipped, 0))
      return piece;
    // The sender's number counts for the rank that gets its piece.
    SmallVector<int64_t> first;
    for (int32_t from : round.sources)
      first.push_back(from < 0 ? 0 : skipped[from]);
    readings.push_back({piece, lookUp(rank, first), begin, end, /*stride=*/1, map.repeat, phase});
  }
  return read(readings, withRows(local, rows), plan.isCovered ? TypedAttr() : fill);
}

Value tp::emitWindow(OpBuilder &builder, Value local, WindowOp op, const Mesh &mesh,
                     const Sharding &from, const Sharding &to, const Hardware &hardware) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  unsigned dim = op.getDim();
  auto localType = type.clone(to.localShape(type.getShape()));
  if (localType.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, op.getLoc(), localType, ValueRange());
  WindowMap map = op.getMap();
  int64_t rows = localType.getDimSize(dim);
  std::optional<WindowPlan> plan =
      planWindow(mesh, map, from.dims[dim], to.dims[dim], localType.getNumElements() / rows,
                 getElementBytes(type.getElementType()), hardware);
  assert(plan && "reshard insertion makes windows that can be planned");
  return Emitter(builder, op.getLoc(), mesh, dim, op.getReasonAttr())
      .emit(local, *plan, map, rows, op.getFillAttr());
}
