//===- FitReductionsToNccl.cpp - Reductions that NCCL does not have --------===//
//
// NCCL adds and multiplies integers of 8, 32 and 64 bits and floats, and has max and
// min, which for floats say nothing of NaN. Everything else is brought into that form,
// or its operands are gathered.
//
//===----------------------------------------------------------------------===//

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tp/Conversion/Passes.h"
#include "tp/Interfaces/Transpose.h"

namespace mlir::tp {
#define GEN_PASS_DEF_FITREDUCTIONSTONCCLPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;
using rt::Reduction;

namespace {

bool isBitwise(Reduction kind) {
  return kind == Reduction::And || kind == Reduction::Or || kind == Reduction::Xor;
}

bool takesLargest(Reduction kind) {
  return kind == Reduction::Max || kind == Reduction::MaxNum || kind == Reduction::MaxU;
}

/// Elementwise code on tensors of one shape, one of which is given.
class TensorBuilder {
public:
  TensorBuilder(OpBuilder &builder, Location loc, Value like)
      : builder(builder), loc(loc), shape(cast<RankedTensorType>(like.getType()).getShape()) {}

  RankedTensorType of(Type element) const { return RankedTensorType::get(shape, element); }
  Value constant(Type element, const APInt &value) {
    auto attribute = IntegerAttr::get(element, value);
    return arith::ConstantOp::create(builder, loc, SplatElementsAttr::get(of(element), attribute));
  }
  template <typename OpTy, typename... Args> Value make(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }

private:
  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
};

/// An integer of the same width whose signed order is that of floats, and its inverse:
/// below zero, all bits but the sign are the other way round.
Value swapOrder(TensorBuilder &b, Value bits, Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  Value sign = b.make<arith::ShRSIOp>(bits, b.constant(element, APInt(width, width - 1)));
  Value magnitude = b.constant(element, APInt::getSignedMaxValue(width));
  return b.make<arith::XOrIOp>(bits, b.make<arith::AndIOp>(sign, magnitude));
}

/// `value` of floats as integers that NCCL orders as `kind` does: NaN is the most where
/// it wins and the least where it loses.
Value toOrderedIntegers(TensorBuilder &b, Value value, Reduction kind) {
  auto element = cast<FloatType>(getElementTypeOrSelf(value));
  unsigned width = element.getWidth();
  Type integer = IntegerType::get(value.getContext(), width);
  Value order = swapOrder(b, b.make<arith::BitcastOp>(b.of(integer), value), integer);
  bool nanWins = kind == Reduction::Max || kind == Reduction::Min;
  bool nanIsLarge = takesLargest(kind) == nanWins;
  // A NaN of positive sign is above infinity, one of negative sign below.
  APInt nan = APFloat::getQNaN(element.getFloatSemantics()).bitcastToAPInt();
  if (!nanIsLarge)
    nan.flipAllBits();
  Value isNaN = b.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, value, value);
  return b.make<arith::SelectOp>(isNaN, b.constant(integer, nan), order);
}

Value fromOrderedIntegers(TensorBuilder &b, Value order, Type element) {
  Value bits = swapOrder(b, order, getElementTypeOrSelf(order));
  return b.make<arith::BitcastOp>(b.of(element), bits);
}

/// The operation by which two elements are combined.
Value combineBits(OpBuilder &builder, Location loc, Reduction kind, Value a, Value b) {
  switch (kind) {
  case Reduction::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case Reduction::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  default:
    assert(kind == Reduction::Xor && "the others are fitted");
    return arith::XOrIOp::create(builder, loc, a, b);
  }
}

/// Brings one all_reduce or reduce_scatter into a form that NCCL has.
class Fitter {
public:
  explicit Fitter(Operation *op)
      : op(op), builder(op), loc(op->getLoc()),
        kind(op->getAttrOfType<rt::ReductionAttr>("kind").getValue()) {}

  /// Whether it was not in such a form.
  bool fit() {
    Type element = getElementTypeOrSelf(op->getOperand(0));
    bool isFloat = isa<FloatType>(element);
    if (isFloat) {
      if (kind == Reduction::Sum || kind == Reduction::Mul)
        return false;
      fitFloatOrder(element);
      return true;
    }
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    if (width == 1 || width == 16) {
      fitNarrowInteger(element, width);
      return true;
    }
    if (!isBitwise(kind))
      return false;
    gather();
    return true;
  }

private:
  void fitFloatOrder(Type element) {
    TensorBuilder before(builder, loc, op->getOperand(0));
    Value value = op->getOperand(0);
    Type wide = element;
    if (element.getIntOrFloatBitWidth() < 32) {
      wide = builder.getF32Type();
      value = before.make<arith::ExtFOp>(before.of(wide), value);
    }
    value = toOrderedIntegers(before, value, kind);
    Value result = reduce(value, takesLargest(kind) ? Reduction::Max : Reduction::Min);
    TensorBuilder after(builder, loc, result);
    result = fromOrderedIntegers(after, result, wide);
    if (wide != element)
      result = after.make<arith::TruncFOp>(after.of(element), result);
    replace(result);
  }

  void fitNarrowInteger(Type element, unsigned width) {
    TensorBuilder before(builder, loc, op->getOperand(0));
    Type wide = builder.getI32Type();
    bool isSigned = kind == Reduction::Max || kind == Reduction::Min;
    Value value = isSigned ? before.make<arith::ExtSIOp>(before.of(wide), op->getOperand(0))
                           : before.make<arith::ExtUIOp>(before.of(wide), op->getOperand(0));
    // Of single bits, numbers that NCCL orders and adds say the same.
    Reduction wideKind = kind;
    if (width == 1 && isBitwise(kind))
      wideKind = kind == Reduction::And  ? Reduction::Min
                 : kind == Reduction::Or ? Reduction::Max
                                         : Reduction::Sum;
    Value result = reduce(value, wideKind);
    TensorBuilder after(builder, loc, result);
    Operation *reduction = result.getDefiningOp();
    replace(after.make<arith::TruncIOp>(after.of(element), result));
    if (isBitwise(wideKind))
      Fitter(reduction).fit();
  }

  /// The same collective of `value`, whose elements have another type.
  Value reduce(Value value, Reduction newKind) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Type element = getElementTypeOrSelf(value);
    SmallVector<Value> operands = {value};
    if (isa<rt::ReduceScatterOp>(op))
      operands.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(), element));
    OperationState state(loc, op->getName(), operands,
                         RankedTensorType::get(type.getShape(), element), op->getAttrs());
    Operation *reduction = builder.create(state);
    reduction->setAttr("kind", rt::ReductionAttr::get(op->getContext(), newKind));
    return reduction->getResult(0);
  }

  /// Each rank gets what it is to combine, a row per rank, and combines in rank order.
  void gather() {
    auto group = SymbolTable::lookupNearestSymbolFrom<rt::GroupOp>(
        op, op->getAttrOfType<FlatSymbolRefAttr>("group"));
    int64_t k = group.getGroupSize();
    Value value = op->getOperand(0);
    auto type = cast<RankedTensorType>(value.getType());
    Type element = type.getElementType();
    op->emitRemark("NCCL does not combine ")
        << element << " by '" << rt::stringifyReduction(kind) << "': the values of " << k
        << " ranks are gathered and combined on each";
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> rowsShape(result.getShape());
    rowsShape.insert(rowsShape.begin(), k);
    auto empty = [&](ArrayRef<int64_t> shape) -> Value {
      return tensor::EmptyOp::create(builder, loc, shape, element);
    };
    Value rows;
    if (auto all = dyn_cast<rt::AllReduceOp>(op)) {
      SmallVector<int64_t> row(rowsShape);
      row.front() = 1;
      Value mine = tensor::ExpandShapeOp::create(builder, loc, type.clone(row), value,
                                                 leadingGroups(result.getRank()));
      rows = rt::AllGatherOp::create(builder, loc, type.clone(rowsShape), mine, empty(rowsShape),
                                     /*dim=*/0, all.getGroup(), all.getReasonAttr())
                 ->getResult(0);
    } else {
      auto scatter = cast<rt::ReduceScatterOp>(op);
      int64_t dim = scatter.getDim();
      // Blocks of the dimension become the leading one.
      SmallVector<int64_t> cut(result.getShape());
      cut.insert(cut.begin() + dim, k);
      SmallVector<ReassociationIndices> groups;
      for (int64_t i = 0; i < type.getRank(); ++i)
        groups.push_back(i < dim    ? ReassociationIndices{i}
                         : i == dim ? ReassociationIndices{i, i + 1}
                                    : ReassociationIndices{i + 1});
      Value blocks = tensor::ExpandShapeOp::create(builder, loc, type.clone(cut), value, groups);
      blocks = moveDimension(builder, loc, blocks, dim, 0);
      rows = rt::AllToAllOp::create(builder, loc, type.clone(rowsShape), blocks, empty(rowsShape),
                                    scatter.getGroup(), scatter.getReasonAttr())
                 ->getResult(0);
    }
    APInt neutral = kind == Reduction::And ? APInt::getAllOnes(element.getIntOrFloatBitWidth())
                                           : APInt::getZero(element.getIntOrFloatBitWidth());
    Value start = arith::ConstantOp::create(builder, loc, IntegerAttr::get(element, neutral));
    Value filled =
        linalg::FillOp::create(builder, loc, start, empty(result.getShape())).getResult(0);
    auto reduced = linalg::ReduceOp::create(
        builder, loc, rows, filled, /*dimensions=*/ArrayRef<int64_t>{0},
        [&](OpBuilder &inner, Location at, ValueRange arguments) {
          linalg::YieldOp::create(inner, at,
                                  combineBits(inner, at, kind, arguments[0], arguments[1]));
        });
    replace(reduced->getResult(0));
  }

  /// Groups of a reshape that adds a leading dimension to one of this rank.
  static SmallVector<ReassociationIndices> leadingGroups(int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < rank; ++i)
      groups.push_back(i == 0 ? ReassociationIndices{0, 1} : ReassociationIndices{i + 1});
    return groups;
  }

  void replace(Value result) {
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
  Reduction kind;
};

struct FitReductionsToNcclPass : tp::impl::FitReductionsToNcclPassBase<FitReductionsToNcclPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<rt::AllReduceOp, rt::ReduceScatterOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      fitted += Fitter(op).fit();
  }
};

} // namespace
