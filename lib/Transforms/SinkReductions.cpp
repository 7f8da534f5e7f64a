//===- SinkReductions.cpp - All-reduces accumulated in a loop --------------===//

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

struct SinkReductionsPass : tp::impl::SinkReductionsPassBase<SinkReductionsPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may be accumulated in the next.
    getOperation().walk([&](scf::ForOp loop) {
      for (unsigned i = 0; i < loop.getNumResults(); ++i)
        sunk += sink(loop, i);
    });
  }

  /// Takes the all-reduce out of `acc = acc + all_reduce(x)`, acc being the loop's i-th carried
  /// value.
  bool sink(scf::ForOp loop, unsigned i) {
    BlockArgument carried = loop.getRegionIterArg(i);
    OpOperand &yielded = loop.getBody()->getTerminator()->getOpOperand(i);
    Operation *combine = yielded.get().getDefiningOp();
    if (!combine || combine->getBlock() != loop.getBody() || !combine->hasOneUse() ||
        !carried.hasOneUse())
      return false;
    OpOperand *a, *b;
    Operation *scalar = matchElementwiseBinary(combine, a, b);
    std::optional<ReductionKind> kind = scalar ? getReductionKind(scalar) : std::nullopt;
    if (!kind)
      return false;
    OpOperand *summand = a->get() == carried ? b : a;
    comm::AllReduceOp reduce = getAllReduce(summand->get());
    if ((summand == a ? b : a)->get() != carried || !reduce || !reduce->hasOneUse() ||
        reduce->getBlock() != loop.getBody() || reduce.getKind() != *kind)
      return false;
    // Sums of narrow floats are rounded, each trip's before it is added.
    if (transfer(scalar, {Dependence::Linear, Dependence::Linear}, *kind) != Dependence::Linear)
      return false;
    // A destination that is not read is made again behind the loop.
    Value destination;
    if (auto loops = dyn_cast<linalg::LinalgOp>(combine)) {
      OpOperand *init = loops.getDpsInitOperand(0);
      if (init != a && init != b)
        destination = init->get();
    }
    if (destination && !destination.getDefiningOp<tensor::EmptyOp>() &&
        loop->isAncestor(destination.getParentBlock()->getParentOp()))
      return false;

    Value init = loop.getInitArgs()[i], result = loop.getResult(i);
    auto type = cast<RankedTensorType>(init.getType());
    LinalgBuilder before(reduce.getLoc(), loop);
    TypedAttr neutral = getNeutralElement(*kind, type.getElementType());
    Operation *start = init.getDefiningOp();
    bool startsNeutral = start && isFree(start) && isNeutral(start, *kind);
    if (!startsNeutral)
      loop.getInitArgsMutable()[i].set(
          before.filled(type.getShape(), arith::ConstantOp::create(before, neutral)));
    summand->set(reduce.getInputs()[0]);

    OpBuilder after(loop->getContext());
    after.setInsertionPointAfter(loop);
    reduce->moveAfter(loop);
    Value reduced = reduce->getResult(0), total = reduced;
    if (!startsNeutral) {
      after.setInsertionPointAfter(reduce);
      IRMapping mapping;
      mapping.map(carried, init);
      mapping.map(reduce.getInputs()[0], reduced);
      if (destination)
        mapping.map(destination, tensor::EmptyOp::create(after, combine->getLoc(), type.getShape(),
                                                         type.getElementType()));
      total = after.clone(*combine, mapping)->getResult(0);
    }
    result.replaceAllUsesWith(total);
    reduce.getInputsMutable()[0].set(result);
    return true;
  }
};

} // namespace
