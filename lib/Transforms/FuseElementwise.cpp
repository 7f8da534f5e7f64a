//===- FuseElementwise.cpp - Chains of elementwise ops are one loop --------===//
//
// An elementwise op whose result one other op reads goes into that op's loop, so
// that the value between them is never stored. Only what fuses is turned into
// linalg.generic: products, reductions and the rest keep their names, by which
// later passes find their kernels.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

namespace {

/// Ops that are better left whole: plain data movement has loops of its own,
/// a fill is a value of its reader.
bool isDataMovement(Operation *op) {
  return isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp>(op);
}

/// Whether `op` may be computed inside the loop of a reader: every element on its
/// own, one result.
bool canBeTakenUp(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() && !isDataMovement(op);
}

/// Whether the body only converts or passes on: cheaper to repeat than to load.
bool isTrivial(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &nested) {
    return isa<arith::ExtFOp, arith::TruncFOp, arith::ConstantOp>(nested);
  });
}

/// Whether the loop of `op` may take up what it reads.
bool isReader(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || isDataMovement(op) || linalg::isaContractionOpInterface(op))
    return false;
  return isa<linalg::GenericOp, linalg::ReduceOp>(op) || canBeTakenUp(op);
}

bool shouldFuse(linalg::LinalgOp producer, linalg::LinalgOp reader, OpOperand &use) {
  if (producer->getBlock() != reader->getBlock() || !canBeTakenUp(producer) || !isReader(reader))
    return false;
  // No element twice: neither for several readers, nor in several iterations of
  // one, nor at several places of it.
  AffineMap map = reader.getMatchingIndexingMap(&use);
  bool once = map.isPermutation() && llvm::all_of(producer->getUses(), [&](OpOperand &other) {
                return other.getOwner() == reader && reader.isDpsInput(&other) &&
                       reader.getMatchingIndexingMap(&other) == map;
              });
  return once || isTrivial(producer);
}

linalg::GenericOp makeGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
  return succeeded(generic) ? *generic : nullptr;
}

bool isSplatConstant(Value value) {
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat));
}

bool isSplat(Value value) {
  return value.getDefiningOp<linalg::FillOp>() || isSplatConstant(value);
}

/// The scalar that every element of a splat is.
Value getScalar(OpBuilder &builder, Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.value();
  SplatElementsAttr splat;
  matchPattern(value, m_Constant(&splat));
  return arith::ConstantOp::create(builder, value.getLoc(),
                                   cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

struct FuseElementwisePass : tp::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    // Producers come before readers: one that is read has taken up its own
    // producers already. A reader that changes is replaced in place of itself.
    for (linalg::LinalgOp op : ops) {
      if (erased.contains(op))
        continue;
      if (isReader(op))
        takeUp(rewriter, op);
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // What one reader took up for several of its operands is computed once.
    DominanceInfo dominance;
    getOperation()->walk([&](linalg::GenericOp op) {
      eliminateCommonSubExpressions(rewriter, dominance, op.getOperation());
    });
  }

  /// Fuses all that can be into `reader`.
  void takeUp(RewriterBase &rewriter, linalg::LinalgOp reader) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (OpOperand *use : reader.getDpsInputOperands()) {
        if (linalg::LinalgOp next = takeUp(rewriter, reader, *use)) {
          reader = next;
          changed = true;
          break;
        }
      }
    }
  }

  /// Fuses what gives `use` its value; returns the op that takes the place of
  /// `reader`, or null where it stays.
  linalg::LinalgOp takeUp(RewriterBase &rewriter, linalg::LinalgOp reader, OpOperand &use) {
    if (!isa<RankedTensorType>(use.get().getType()))
      return nullptr;
    if (isSplat(use.get()))
      return inlineScalar(rewriter, reader, use.getOperandNumber());
    auto producer = use.get().getDefiningOp<linalg::LinalgOp>();
    if (!producer || !shouldFuse(producer, reader, use))
      return nullptr;
    unsigned number = use.getOperandNumber();
    linalg::GenericOp first = makeGeneric(rewriter, producer);
    linalg::GenericOp second = makeGeneric(rewriter, reader);
    if (!first || !second)
      return nullptr;
    markErased(producer, first);
    markErased(reader, second);
    // Operands that are one value are one operand, or each would take up a body.
    for (unsigned i = second.getNumDpsInputs() - 1; i > number; --i)
      if (second.getInputs()[i] == second.getInputs()[number] &&
          second.getIndexingMapsArray()[i] == second.getIndexingMapsArray()[number])
        second = withoutInput(rewriter, second, i, second.getBody()->getArgument(number));
    OpOperand &operand = second->getOpOperand(number);
    FailureOr<linalg::ElementwiseOpFusionResult> result = failure();
    rewriter.setInsertionPoint(second);
    if (linalg::areElementwiseOpsFusable(&operand))
      result = linalg::fuseElementwiseOps(rewriter, &operand);
    if (failed(result))
      return second != reader ? cast<linalg::LinalgOp>(*second) : nullptr;
    for (auto [old, replacement] : result->replacements)
      rewriter.replaceUsesWithIf(old, replacement, [&](OpOperand &oldUse) {
        return oldUse.get().getDefiningOp() != first;
      });
    erase(rewriter, second);
    if (first->use_empty())
      erase(rewriter, first);
    ++fused;
    return cast<linalg::LinalgOp>(result->fusedOp);
  }

  /// The same op with its operand `number`, a splat, replaced by a scalar in the
  /// body; null where loops would have no operand left that bounds them.
  linalg::LinalgOp inlineScalar(RewriterBase &rewriter, linalg::LinalgOp reader, unsigned number) {
    SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
    maps.erase(maps.begin() + number);
    if (!inversePermutation(concatAffineMaps(maps, &getContext())))
      return nullptr;
    linalg::GenericOp op = makeGeneric(rewriter, reader);
    if (!op)
      return nullptr;
    markErased(reader, op);
    rewriter.setInsertionPoint(op);
    Value scalar = getScalar(rewriter, op.getInputs()[number]);
    ++fused;
    return withoutInput(rewriter, op, number, scalar);
  }

  /// The same op without the input `number`, for whose elements `value` stands in the body.
  linalg::GenericOp withoutInput(RewriterBase &rewriter, linalg::GenericOp op, unsigned number,
                                 Value value) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs(op.getInputs());
    maps.erase(maps.begin() + number);
    inputs.erase(inputs.begin() + number);
    rewriter.setInsertionPoint(op);
    auto next = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                          op.getOutputs(), maps, op.getIteratorTypesArray());
    Block *body = op.getBody();
    body->getArgument(number).replaceAllUsesWith(value);
    body->eraseArgument(number);
    rewriter.inlineRegionBefore(op.getRegion(), next.getRegion(), next.getRegion().begin());
    rewriter.replaceAllUsesWith(op.getResults(), next.getResults());
    erase(rewriter, op);
    return next;
  }

  void markErased(Operation *old, Operation *now) {
    if (old != now)
      erased.insert(old);
  }
  void erase(RewriterBase &rewriter, Operation *op) {
    erased.insert(op);
    rewriter.eraseOp(op);
  }

  /// Ops of the walk that are gone; their addresses are not looked into.
  DenseSet<Operation *> erased;
};

} // namespace
