//===- LinalgModels.cpp - Sharding rules of linalg structured ops ----------===//
//
// The factors of a structured op are its loops; each operand dimension that is
// indexed by a single loop has that factor. A reduction loop is a reduction
// factor when the body combines with the accumulator by a known kind; the first one of
// another body has candidates where it is proved that blocks may be reduced on their own
// (BlockReduction.h).
//
//===----------------------------------------------------------------------===//

#include "CapturedElements.h"
#include "Composition.h"
#include "PaddingGuards.h"
#include "Scans.h"
#include "Selections.h"
#include "Windows.h"

#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/ShardingModels.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Destinations of an op on tensors: its last operands, one per result. Asking the
/// interface, also for their number, makes an attribute each time.
MutableArrayRef<OpOperand> getInits(linalg::LinalgOp op) {
  return op->getOpOperands().take_back(op->getNumResults());
}

/// The accumulators of an op that reduces.
ArrayRef<BlockArgument> getAccumulators(linalg::LinalgOp op) {
  return op.getBlock()->getArguments().take_back(op->getNumResults());
}

bool reduces(ArrayRef<utils::IteratorType> iterators) {
  return llvm::is_contained(iterators, utils::IteratorType::reduction);
}

/// The op that combines accumulator `index` with this iteration's value, when the
/// accumulator has no other use; null otherwise.
Operation *getCombiner(linalg::LinalgOp op, unsigned index) {
  BlockArgument accumulator = getAccumulators(op)[index];
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  if (!accumulator.hasOneUse())
    return nullptr;
  Operation *combiner = *accumulator.user_begin();
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      combiner->getResult(0) != yielded || !yielded.hasOneUse())
    return nullptr;
  return combiner;
}

/// The one kind by which all results of an op that reduces are, if there is one.
std::optional<ReductionKind> getReductionKind(linalg::LinalgOp op) {
  std::optional<ReductionKind> kind;
  for (unsigned i = 0, n = op->getNumResults(); i < n; ++i) {
    Operation *combiner = getCombiner(op, i);
    std::optional<ReductionKind> one = combiner ? tp::getReductionKind(combiner) : std::nullopt;
    if (!one || (kind && *kind != *one))
      return std::nullopt;
    kind = one;
  }
  return kind;
}

/// How blocks of a reduction that is by no kind are reduced on their own.
std::optional<BlockReduction> getBlockReduction(linalg::LinalgOp op) {
  if (std::optional<BlockReduction> selection = getSelection(op))
    return selection;
  return getComposition(op);
}

/// The loop of a reduction by no kind that may be cut into blocks: all results that depend
/// on one another are of a kind, or reduced block by block.
std::optional<unsigned> getCandidateLoop(linalg::LinalgOp op) {
  std::optional<unsigned> loop = getFirstReduction(op);
  if (!loop || op.getBlock()
                   ->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
                   .wasInterrupted())
    return std::nullopt;
  SmallVector<SmallVector<unsigned>> independent = getIndependentResults(op);
  auto isProved = [](linalg::LinalgOp part) {
    return getReductionKind(part) || getBlockReduction(part);
  };
  if (independent.size() == 1)
    return getBlockReduction(op) ? loop : std::nullopt;
  OpBuilder builder(op.getContext());
  for (ArrayRef<unsigned> results : independent) {
    linalg::GenericOp part = createPart(builder, op, results);
    bool done = isProved(part);
    part->destroy();
    if (!done)
      return std::nullopt;
  }
  return loop;
}

/// The value that iteration adds to accumulator `index`.
Value getContribution(linalg::LinalgOp op, unsigned index) {
  Operation *combiner = getCombiner(op, index);
  bool first = combiner->getOperand(0) == getAccumulators(op)[index];
  return combiner->getOperand(first ? 1 : 0);
}

/// Strips conversions to a wider type that keep the neutral element: of floats
/// all, of integers for sums.
Value stripExtension(Value value, ReductionKind kind) {
  while (Operation *op = value.getDefiningOp()) {
    bool isInteger = isa<arith::ExtSIOp, arith::ExtUIOp>(op);
    if (!isa<arith::ExtFOp>(op) && !(isInteger && kind == ReductionKind::Sum))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// What padding of the inputs along a cut reduction loop must hold, or nothing
/// when only a mask in the body is right.
std::optional<PaddingNeed> getPaddingNeed(linalg::LinalgOp op, ReductionKind kind) {
  std::optional<PaddingNeed> need;
  unsigned numInputs = op->getNumOperands() - op->getNumResults();
  for (unsigned i = 0, n = op->getNumResults(); i < n; ++i) {
    Value value = stripExtension(getContribution(op, i), kind);
    PaddingNeed one;
    auto isInput = [&](Value v) {
      auto arg = dyn_cast<BlockArgument>(stripExtension(v, kind));
      return arg && arg.getOwner() == op.getBlock() && arg.getArgNumber() < numInputs;
    };
    if (isInput(value))
      one = PaddingNeed::Neutral;
    else if (Operation *mul = value.getDefiningOp();
             isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul) && kind == ReductionKind::Sum &&
             llvm::all_of(mul->getOperands(), isInput))
      one = PaddingNeed::Zero;
    else
      return std::nullopt;
    if (need && *need != one)
      return std::nullopt;
    need = one;
  }
  return need;
}

/// Number of iterations of each loop. LinalgOp::getStaticLoopRanges composes and
/// inverts maps for the same answer, which dominates the time that a rule takes.
SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op, ArrayRef<AffineMap> maps) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    ArrayRef<int64_t> shape = op.getShape(&operand);
    for (auto [expr, size] : llvm::zip(map.getResults(), shape))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        sizes[dim.getPosition()] = size;
  }
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return op.getStaticLoopRanges();
  return sizes;
}

FailureOr<ShardingRule> getLinalgRule(linalg::LinalgOp op) {
  if (op.hasDynamicShape() || !op.hasPureTensorSemantics())
    return failure();
  ShardingRule rule;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool isReduction = reduces(iterators);
  std::optional<ReductionKind> kind = isReduction ? getReductionKind(op) : std::nullopt;
  for (auto [iterator, size] : llvm::zip_equal(iterators, getLoopSizes(op, maps))) {
    if (iterator == utils::IteratorType::parallel)
      rule.addFactor(FactorKind::Parallel, size);
    else if (kind)
      rule.addFactor(FactorKind::Reduction, size, *kind);
    else
      rule.addFactor(FactorKind::Replicated, size);
  }

  auto describe = [&](AffineMap map) {
    TensorRule tensor;
    llvm::SmallBitVector seen(rule.factors.size());
    for (AffineExpr expr : map.getResults()) {
      DimFactors factors;
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        // A diagonal cannot be cut: the same blocks of two dimensions.
        if (seen.test(dim.getPosition()))
          rule.factors[dim.getPosition()].kind = FactorKind::Replicated;
        seen.set(dim.getPosition());
        factors.push_back(dim.getPosition());
      } else {
        SmallVector<unsigned> windows;
        for (unsigned i = 0, n = rule.factors.size(); i < n; ++i) {
          if (!expr.isFunctionOfDim(i))
            continue;
          bool isWindow = rule.factors[i].kind != FactorKind::Replicated &&
                          iterators[i] == utils::IteratorType::parallel &&
                          isWindowLoop(op, i, maps);
          rule.factors[i].kind = isWindow ? FactorKind::Window : FactorKind::Replicated;
          if (isWindow)
            windows.push_back(i);
        }
        // The blocks of the result tell what this dimension is best cut by.
        if (windows.size() == 1)
          factors.push_back(windows.front());
      }
      tensor.dims.push_back(factors);
    }
    return tensor;
  };
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (isa<RankedTensorType>(operand.get().getType()))
      rule.operands.push_back(describe(map));
    else
      rule.operands.emplace_back();
  }
  MutableArrayRef<OpOperand> inits = getInits(op);
  // A loop that is called a reduction and that an accumulator has reduces nothing.
  for (OpOperand &init : inits)
    for (const DimFactors &factors : rule.operands[init.getOperandNumber()].dims)
      for (unsigned factor : factors)
        if (rule.factors[factor].kind == FactorKind::Reduction)
          rule.factors[factor].kind = FactorKind::Replicated;
  for (OpOperand &init : inits)
    rule.results.push_back(rule.operands[init.getOperandNumber()]);
  if (!kind && isReduction)
    if (std::optional<unsigned> loop = getCandidateLoop(op))
      rule.factors[*loop].kind = FactorKind::Candidate;

  describeCaptured(op, rule);

  // What is reduced over no elements is what it begins with.
  bool isEmpty = false;
  for (auto [iterator, factor] :
       llvm::zip_equal(iterators, ArrayRef(rule.factors).take_front(iterators.size())))
    isEmpty |= iterator == utils::IteratorType::reduction && factor.size == 0;
  unsigned numOperands = rule.operands.size();
  rule.inits.resize(numOperands);
  rule.ignored.resize(numOperands);
  for (OpOperand &init : inits) {
    if (!isEmpty && !op.payloadUsesValueFromOperand(&init))
      rule.ignored.set(init.getOperandNumber());
    else if (isReduction)
      rule.inits.set(init.getOperandNumber());
  }
  if (kind)
    if (std::optional<PaddingNeed> need = getPaddingNeed(op, *kind))
      for (OpOperand &input : op->getOpOperands().drop_back(inits.size()))
        rule.operands[input.getOperandNumber()].padding = *need;

  rule.linearIn = [op](ReductionKind kind, const llvm::BitVector &set) mutable {
    SmallVector<Value, 0> captured = getCapturedTensors(op);
    llvm::SmallPtrSet<Value, 8> linear;
    for (OpOperand &operand : op->getOpOperands())
      if (set.test(operand.getOperandNumber()))
        linear.insert(op.getMatchingBlockArgument(&operand));
    for (auto [i, value] : llvm::enumerate(captured))
      if (set.test(op->getNumOperands() + i))
        linear.insert(value);
    auto isLinear = [&] {
      return isLinearBody(*op.getBlock(), kind, [&](Value v) { return linear.contains(v); });
    };
    if (!isLinear())
      return false;
    // After the first iteration an accumulator depends on them, too: a product of
    // several elements is linear in none.
    if (!reduces(op.getIteratorTypesArray()))
      return true;
    linear.insert_range(getAccumulators(op));
    return isLinear();
  };
  return rule;
}

/// Inside the body of `local`, indices count from the rank's block and padded
/// iterations of reductions contribute the neutral element. Returns the op, a
/// generic in place of a named one where it had to change.
linalg::LinalgOp localizeBody(linalg::LinalgOp op, linalg::LinalgOp local, OpBuilder &builder,
                              const LocalFrame &frame) {
  SmallVector<linalg::IndexOp> indices(local.getBlock()->getOps<linalg::IndexOp>());
  OpBuilder::InsertionGuard guard(builder);
  for (linalg::IndexOp index : indices) {
    builder.setInsertionPoint(local);
    Value offset = frame.factorOffset(index.getDim());
    if (!offset)
      continue;
    builder.setInsertionPointAfter(index);
    Location loc = index.getLoc();
    auto global = arith::AddIOp::create(builder, loc, index, offset);
    index.getResult().replaceAllUsesExcept(global, global);
  }

  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  std::optional<ReductionKind> kind = reduces(iterators) ? getReductionKind(op) : std::nullopt;
  if (!kind || getPaddingNeed(op, *kind))
    return local;
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    builder.setInsertionPoint(local);
    Value extent = frame.factorExtent(loop);
    if (!extent)
      continue;
    local = toGeneric(local, builder);
    for (unsigned i = 0, n = local->getNumResults(); i < n; ++i) {
      Operation *combiner = getCombiner(local, i);
      Value value = getContribution(local, i);
      Location loc = combiner->getLoc();
      builder.setInsertionPoint(combiner);
      Value index = linalg::IndexOp::create(builder, loc, loop);
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, extent);
      Value neutral =
          arith::ConstantOp::create(builder, loc, getNeutralElement(*kind, value.getType()));
      Value masked = arith::SelectOp::create(builder, loc, inside, value, neutral);
      combiner->replaceUsesOfWith(value, masked);
    }
  }
  return local;
}

template <typename OpTy>
struct LinalgModel : ShardingRuleOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  FailureOr<ShardingRule> getShardingRule(Operation *op) const {
    return getLinalgRule(cast<linalg::LinalgOp>(op));
  }

  SmallVector<Value> createLocal(Operation *op, OpBuilder &builder, IRMapping &mapping,
                                 ValueRange operands, TypeRange resultTypes,
                                 const LocalFrame &frame) const {
    SmallVector<Value> results = cloneLocal(op, builder, mapping, operands, resultTypes);
    auto global = cast<linalg::LinalgOp>(op);
    auto local = cast<linalg::LinalgOp>(results.front().getDefiningOp());
    std::optional<CapturedIndices> captured;
    if (!getCapturedTensors(op).empty())
      captured.emplace(global, local, *getLinalgRule(global));
    local = localizeBody(global, local, builder, frame);
    if (captured)
      captured->localize(builder, local, frame);
    local = guardPadding(local, builder, frame);
    return llvm::to_vector(ValueRange(local->getResults()));
  }

  FailureOr<SmallVector<Value>> decompose(Operation *op, OpBuilder &builder, unsigned factor,
                                          int64_t count) const {
    auto loops = cast<linalg::LinalgOp>(op);
    SmallVector<SmallVector<unsigned>> independent = getIndependentResults(loops);
    if (independent.size() == 1)
      return createBlockReduction(builder, loops, factor, count, *getBlockReduction(loops));
    // Each by its kind, or again by blocks.
    SmallVector<Value> values(op->getNumResults());
    for (ArrayRef<unsigned> results : independent) {
      linalg::GenericOp part = createPart(builder, loops, results);
      for (auto [i, value] : llvm::zip_equal(results, part.getResults()))
        values[i] = value;
    }
    return values;
  }

  FailureOr<SmallVector<Value>> decomposeWindows(Operation *op, OpBuilder &builder,
                                                 ArrayRef<Sharding> operands,
                                                 ArrayRef<Sharding> results) const {
    FailureOr<ShardingRule> rule = getShardingRule(op);
    if (failed(rule))
      return failure();
    for (auto [tensor, sharding] : llvm::zip_equal(rule->results, results))
      for (auto [factors, dim] : llvm::zip_equal(tensor.dims, sharding.dims))
        if (dim.count() > 1 && factors.size() == 1 &&
            rule->factors[factors.front()].kind == FactorKind::Window) {
          auto loops = cast<linalg::LinalgOp>(op);
          if (getReductionKind(loops))
            if (auto scanned = createScan(builder, loops, factors.front(), dim,
                                          getCombiner(loops, 0), results);
                succeeded(scanned))
              return scanned;
          return createBlocked(builder, loops, factors.front(), dim, operands, results);
        }
    return failure();
  }
};

template <typename... Ops> void attachAll(MLIRContext *context) {
  (Ops::template attachInterface<LinalgModel<Ops>>(*context), ...);
}

} // namespace

bool tp::combinesByNoKind(linalg::LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
         !getReductionKind(op) && getCandidateLoop(op) != loop;
}

void tp::registerLinalgShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->loadDialect<arith::ArithDialect>();
    attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
