//===- SinkReductions.cpp - Reductions accumulated in a loop ------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "dialects/TP/LinalgBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tp/Analysis/Strategy.h"
#include "tp/Interfaces/Linearity.h"

namespace mlir::tp {
#define GEN_PASS_DEF_SINKREDUCTIONSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// `acc = acc + reduce(x)` in a loop, acc being a carried value that nothing else uses.
struct Accumulation {
  scf::ForOp loop;
  unsigned index;     ///< of acc among the carried values
  Operation *combine; ///< adds the two
  Operation *scalar;  ///< how it does it for two elements
  unsigned position;  ///< of acc among the operands of `scalar`
  Operation *reduce;  ///< comm.all_reduce or comm.reduce_scatter
  ReductionKind kind;
  Value getPart() const { return reduce->getOperand(0); }
};

std::optional<Accumulation> matchAccumulation(scf::ForOp loop, unsigned index) {
  BlockArgument carried = loop.getRegionIterArg(index);
  Value next = loop.getBody()->getTerminator()->getOperand(index);
  Operation *combine = next.hasOneUse() ? skipPoison(next).getDefiningOp() : nullptr;
  if (!combine || combine->getBlock() != loop.getBody() || !combine->hasOneUse() ||
      !carried.hasOneUse())
    return std::nullopt;
  OpOperand *a, *b;
  Operation *scalar = matchElementwiseBinary(combine, a, b);
  std::optional<ReductionKind> kind = scalar ? getReductionKind(scalar) : std::nullopt;
  if (!kind)
    return std::nullopt;
  unsigned position = skipPoison(a->get()) == carried ? 0 : 1;
  Value own = (position ? b : a)->get();
  if (!own.hasOneUse() || skipPoison(own) != carried)
    return std::nullopt;
  Value added = (position ? a : b)->get();
  Operation *reduce = added.hasOneUse() ? skipPoison(added).getDefiningOp() : nullptr;
  Accumulation found = {loop, index, combine, scalar, position, reduce, *kind};
  auto isThis = [&](auto op) { return op && op.getKind() == *kind && op.getInputs().size() == 1; };
  if (!isThis(dyn_cast_or_null<comm::AllReduceOp>(found.reduce)) &&
      !isThis(dyn_cast_or_null<comm::ReduceScatterOp>(found.reduce)))
    return std::nullopt;
  if (!found.reduce->hasOneUse() || found.reduce->getBlock() != loop.getBody())
    return std::nullopt;
  // Sums of narrow floats are rounded, each trip's before it is added.
  if (transfer(scalar, {Dependence::Linear, Dependence::Linear}, *kind) != Dependence::Linear)
    return std::nullopt;
  return found;
}

/// Combines two tensors element by element as `scalar` does, `first` being its operand number
/// `position`.
Value emitCombined(LinalgBuilder &builder, Operation *scalar, unsigned position, Value first,
                   Value second) {
  if (position == 1)
    std::swap(first, second);
  auto emit = [&](OpBuilder &at, Value left, Value right) {
    Operation *clone = at.clone(*scalar);
    clone->setOperands({left, right});
    clone->getResult(0).setType(left.getType());
    return clone->getResult(0);
  };
  if (isa<RankedTensorType>(scalar->getResult(0).getType()))
    return emit(builder, first, second);
  SmallVector<unsigned> loops = loopRange(0, shapeOf(first).size());
  return builder.generic(loops.size(), {}, {first, second},
                         builder.empty(shapeOf(first), elementOf(first)), {loops, loops, loops},
                         [&](LinalgBuilder &body, ValueRange in) -> SmallVector<Value> {
                           return {emit(body, in[0], in[1])};
                         })[0];
}

/// Whether the value is the same on all ranks because it follows from constants and the counts
/// of loops alone.
bool isCounted(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value == loop.getInductionVar();
  }
  return isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(), isCounted);
}

/// Where a loop inserts all-reduced pieces into a carried value that is neutral at first, and
/// they are no less than it: the insertion, or null.
tensor::InsertSliceOp matchInsertion(scf::ForOp loop, unsigned index) {
  BlockArgument carried = loop.getRegionIterArg(index);
  auto insert =
      loop.getBody()->getTerminator()->getOperand(index).getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || insert->getBlock() != loop.getBody() || !insert->hasOneUse() ||
      !carried.hasOneUse() || insert.getDest() != carried ||
      !llvm::all_of(insert.getOffsets(), isCounted) || !insert.getSizes().empty() ||
      !insert.getStrides().empty())
    return {};
  comm::AllReduceOp reduce = getAllReduce(insert.getSource());
  Operation *start = loop.getInitArgs()[index].getDefiningOp();
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!reduce || !reduce->hasOneUse() || reduce->getBlock() != loop.getBody() || !start ||
      !isFree(start) || !isNeutral(start, reduce.getKind()) || !trips)
    return {};
  int64_t piece = insert.getSourceType().getNumElements();
  return trips->getLimitedValue(INT32_MAX) * static_cast<uint64_t>(piece) >=
                 static_cast<uint64_t>(insert.getDestType().getNumElements())
             ? insert
             : tensor::InsertSliceOp();
}

/// Erases an op that is read by ops alone that nothing reads.
void eraseWithUsers(Operation *op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    eraseWithUsers(user);
  op->erase();
}

struct SinkReductionsPass : tp::impl::SinkReductionsPassBase<SinkReductionsPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may be accumulated in the next.
    getOperation().walk([&](scf::ForOp loop) {
      for (unsigned i = 0; i < loop.getNumResults(); ++i)
        if (std::optional<Accumulation> found = matchAccumulation(loop, i)) {
          sink(*found);
          ++sunk;
        } else if (tensor::InsertSliceOp insert = matchInsertion(loop, i)) {
          sinkPieces(loop, i, insert);
          ++sunk;
        }
    });
  }

  /// Reduces what the pieces make behind the loop.
  void sinkPieces(scf::ForOp loop, unsigned index, tensor::InsertSliceOp insert) {
    comm::AllReduceOp reduce = getAllReduce(insert.getSource());
    OpBuilder after(loop->getContext());
    after.setInsertionPointAfter(loop);
    Value result = loop.getResult(index);
    auto whole =
        comm::AllReduceOp::create(after, reduce.getLoc(), result.getType(), reduce.getKind(),
                                  result, reduce.getAxes(), reduce.getReasonAttr());
    result.replaceAllUsesExcept(whole->getResult(0), whole);
    insert.getSourceMutable().set(reduce.getInputs()[0]);
    reduce.erase();
  }

  /// Takes the reduction out of the loop, which carries parts of the sum then.
  void sink(const Accumulation &found) {
    scf::ForOp loop = found.loop;
    unsigned index = found.index;
    Value init = loop.getInitArgs()[index], part = found.getPart();
    Operation *start = init.getDefiningOp();
    bool startsNeutral = start && isFree(start) && isNeutral(start, found.kind);
    Location loc = found.reduce->getLoc();

    if (!startsNeutral || init.getType() != part.getType()) {
      LinalgBuilder before(loc, loop);
      TypedAttr neutral = getNeutralElement(found.kind, elementOf(part));
      loop.getInitArgsMutable()[index].set(
          before.filled(shapeOf(part), arith::ConstantOp::create(before, neutral)));
      loop.getRegionIterArg(index).setType(part.getType());
      loop.getResult(index).setType(part.getType());
    }
    LinalgBuilder body(found.combine->getLoc(), found.combine);
    BlockArgument carried = loop.getRegionIterArg(index);
    Operation *reader = *carried.user_begin();
    Value sum = emitCombined(body, found.scalar, found.position, carried, part);
    loop.getBody()->getTerminator()->setOperand(index, sum);

    LinalgBuilder after(found.combine->getLoc(), loop);
    after.setInsertionPointAfter(loop);
    Operation *reduce = after.clone(*found.reduce);
    Value total = reduce->getResult(0), result = loop.getResult(index);
    if (!startsNeutral)
      total = emitCombined(after, found.scalar, found.position, init, total);
    result.replaceAllUsesWith(total);
    reduce->setOperand(0, result);
    eraseWithUsers(reader);
    eraseWithUsers(found.reduce);
  }
};

} // namespace
