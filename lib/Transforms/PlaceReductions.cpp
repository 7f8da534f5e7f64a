//===- PlaceReductions.cpp - Where partial sums are resolved ---------------===//
//
// Reshard insertion resolves a partial value right where it is made. Here a
// resolution moves down through ops that are linear in it when that costs less:
//
//   AR(x) + AR(y)        one all-reduce of the sum
//   AR(x) + AR(y) + h    the same; h, which is whole, counts on coordinate 0 only
//   sum over d of AR(x)  the reduction of the smaller value
//   a += AR(x), a loop   one all-reduce of a, behind the loop
//   AR(x[i]), a loop     x is gathered before the loop
//
// and consecutive reshards become one (an all-reduce of which each rank keeps a
// slice is a reduce-scatter, if nothing else uses it).
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "CarryPartial.h"
#include "GatherOnce.h"
#include "Retarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Analysis/Strategy.h"
#include "tp/Transforms/LocalOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PLACEREDUCTIONSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

class Placer {
public:
  Placer(func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), costs(mesh, Hardware()) {}

  unsigned run();

private:
  void visit(Block &block);

  /// An op that passes a partial value on: it is linear in `set`, one of which is `operand`.
  struct Link {
    Operation *op;
    ShardingRule rule;
    unsigned operand;
    llvm::BitVector set;
  };

  /// A partial value, the reshard that resolves it and the ops through which the
  /// resolved value reaches an operand, all in one block.
  struct Origin {
    ReshardOp reshard;
    SmallVector<Link, 0> chain; ///< from the operand up
  };

  void joinReshards();
  void reshardOnce();
  bool sink(Operation *op);
  bool sink(Operation *op, const ShardingRule &rule, MutableArrayRef<std::optional<Origin>> origins,
            const llvm::BitVector &participants);
  std::optional<Origin> trace(Value value, Block *block);
  /// Whether the op computes the partial result from the partial operand and nothing but
  /// neutral values beside it, without communication. Sets what it is linear in.
  bool passesOn(Link &link, ReductionKind kind, ArrayRef<PartialAxis> axes);
  /// The strategy of the op when it does.
  Strategy passing(const Link &link, Strategy strategy, ArrayRef<PartialAxis> axes);
  std::optional<llvm::BitVector> linearSet(Operation *op, const ShardingRule &rule,
                                           ReductionKind kind, const llvm::BitVector &within);
  Sharding shardingOf(Value value) { return getValueSharding(value, mesh); }
  double cost(Value value, const Sharding &from, const Sharding &to);
  double cost(ReshardOp reshard);

  /// Whether the reshard resolves a partial value.
  bool isReducing(ReshardOp reshard);
  /// Whether `trace` of the value may succeed, without looking at rules.
  bool mayTrace(Value value, Block *block);

  func::FuncOp function;
  Mesh mesh;
  ReshardCosts costs;
  /// Values that come from a reducing reshard through values of one use.
  llvm::DenseSet<Value> reduced;
  unsigned sunk = 0;
};

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

double Placer::cost(Value value, const Sharding &from, const Sharding &to) {
  return costs.cost(shapeOf(value), getElementBytes(getElementTypeOrSelf(value)), from, to);
}

double Placer::cost(ReshardOp reshard) {
  unsigned rank = reshard.getType().getRank();
  return cost(reshard, tp::getSharding(reshard.getFrom(), mesh, rank),
              tp::getSharding(reshard.getTo(), mesh, rank));
}

/// Makes one of reshards that follow each other, and drops unused ones.
void Placer::joinReshards() {
  // One in a loop is not joined with one before it, which runs once.
  auto list = [&] {
    SmallVector<ReshardOp> reshards;
    walkFlow(function.getBody(), [&](Operation *op) {
      if (auto reshard = dyn_cast<ReshardOp>(op))
        reshards.push_back(reshard);
    });
    return reshards;
  };
  for (ReshardOp reshard : list())
    if (auto first = reshard.getInput().getDefiningOp<ReshardOp>();
        first && first->hasOneUse() && first->getBlock() == reshard->getBlock())
      tp::joinReshards(first, reshard);
  SmallVector<ReshardOp> left = list();
  for (ReshardOp reshard : llvm::reverse(left))
    if (reshard.use_empty())
      reshard.erase();
}

/// Where a value is wanted in one sharding, and from there in another, it is made the other
/// one first if the one follows from that for less.
void Placer::reshardOnce() {
  SmallVector<ReshardOp> reshards;
  walkFlow(function.getBody(), [&](Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      reshards.push_back(reshard);
  });
  for (ReshardOp second : reshards) {
    auto first = second.getInput().getDefiningOp<ReshardOp>();
    if (!first || first->getBlock() != second->getBlock())
      continue;
    Value value = first.getInput();
    unsigned rank = first.getType().getRank();
    Sharding from = tp::getSharding(first.getFrom(), mesh, rank);
    Sharding near = tp::getSharding(first.getTo(), mesh, rank);
    Sharding far = tp::getSharding(second.getTo(), mesh, rank);
    constexpr double kEpsilon = 1e-9;
    if (far.isPartial() || cost(value, from, far) + cost(value, far, near) >
                               cost(value, from, near) + cost(value, near, far) - kEpsilon)
      continue;
    second->moveBefore(first);
    second.getInputMutable().set(value);
    second.setFromAttr(first.getFrom());
    first.getInputMutable().set(second);
    first.setFromAttr(second.getTo());
  }
}

/// Whether a loop carries the value, and only this op uses it.
bool isAccumulator(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.hasOneUse() &&
         isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
}

bool Placer::isReducing(ReshardOp reshard) {
  return !reshard.getFrom().getPartials().empty() && reshard.getTo().getPartials().empty();
}

bool Placer::mayTrace(Value value, Block *block) {
  // Nothing that runs outside moves into a loop or a branch.
  if (value.getParentBlock() != block)
    return false;
  if (auto reshard = value.getDefiningOp<ReshardOp>())
    return isReducing(reshard);
  return value.hasOneUse() && reduced.contains(value);
}

/// Whether the value is zero, or whatever else changes no reduction of the kind.
bool isNeutralValue(Value value, ReductionKind kind) {
  Operation *def = value.getDefiningOp();
  return def && isFree(def) && isNeutral(def, kind);
}

std::optional<Placer::Origin> Placer::trace(Value value, Block *block) {
  // Ops above that are linear in several values are few, and each is looked at from all below.
  constexpr unsigned kMaxLinks = 8;
  Origin origin;
  while (Operation *op = value.getDefiningOp()) {
    if (op->getBlock() != block)
      return std::nullopt;
    if (auto reshard = dyn_cast<ReshardOp>(op)) {
      if (!isReducing(reshard))
        return std::nullopt;
      origin.reshard = reshard;
      return origin;
    }
    if (op->getNumResults() != 1 || !value.hasOneUse() || origin.chain.size() == kMaxLinks)
      return std::nullopt;
    FailureOr<ShardingRule> rule = getRule(op);
    if (failed(rule))
      return std::nullopt;
    std::optional<unsigned> next;
    for (unsigned i = 0, n = op->getNumOperands(); i < n; ++i) {
      if (!isa<RankedTensorType>(op->getOperand(i).getType()) || rule->ignored.test(i) ||
          !mayTrace(op->getOperand(i), block))
        continue;
      if (next)
        return std::nullopt;
      next = i;
    }
    if (!next)
      return std::nullopt;
    origin.chain.push_back({op, std::move(*rule), *next, {}});
    value = op->getOperand(*next);
  }
  return std::nullopt;
}

bool Placer::passesOn(Link &link, ReductionKind kind, ArrayRef<PartialAxis> axes) {
  llvm::BitVector only(link.rule.numOperands());
  only.set(link.operand);
  std::optional<llvm::BitVector> set = linearSet(link.op, link.rule, kind, only);
  std::optional<Strategy> strategy = inferStrategy(link.op, link.rule, mesh);
  if (!set || !strategy)
    return false;
  for (unsigned i : set->set_bits())
    if (i != link.operand && !isNeutralValue(getRuleOperand(link.op, link.rule, i), kind))
      return false;
  // One that takes a sum over the same ranks itself would take it of parts.
  if (llvm::any_of(strategy->flows, [&](const PartialFlow &flow) {
        return llvm::any_of(axes,
                            [&](const PartialAxis &a) { return a.part.overlaps(flow.axis.part); });
      }))
    return false;
  link.set = *set;
  Strategy after = passing(link, *strategy, axes);
  OpShapes shapes(link.op, link.rule);
  // What else it reads stays as it is.
  for (unsigned i = 0, n = link.rule.numOperands(); i < n; ++i) {
    Value value = getRuleOperand(link.op, link.rule, i);
    if (!isa<RankedTensorType>(value.getType()) || link.rule.ignored.test(i))
      continue;
    FailureOr<Sharding> needed = getOperandSharding(link.rule, after, i, shapes.operands[i]);
    if (failed(needed) ||
        (!set->test(i) && !equivalent(shardingOf(value), *needed, shapes.operands[i])))
      return false;
  }
  return succeeded(getResultSharding(link.rule, after, 0, shapes.results[0]));
}

/// The smallest set of tensor operands around `within` in which the op is linear.
std::optional<llvm::BitVector> Placer::linearSet(Operation *op, const ShardingRule &rule,
                                                 ReductionKind kind,
                                                 const llvm::BitVector &within) {
  SmallVector<unsigned> others;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    if (!within.test(i) && !rule.ignored.test(i) &&
        isa<RankedTensorType>(getRuleOperand(op, rule, i).getType()))
      others.push_back(i);
  constexpr unsigned kMaxOthers = 6;
  if (others.size() > kMaxOthers)
    return rule.isLinear(kind, within) ? std::optional(within) : std::nullopt;
  std::optional<llvm::BitVector> best;
  for (unsigned mask = 0; mask < 1u << others.size(); ++mask) {
    llvm::BitVector set = within;
    for (auto [bit, operand] : llvm::enumerate(others))
      if (mask >> bit & 1)
        set.set(operand);
    if ((!best || set.count() < best->count()) && rule.isLinear(kind, set))
      best = set;
  }
  return best;
}

/// Takes every cut by one of `axes` out of the strategy.
void withoutCuts(Strategy &strategy, ArrayRef<PartialAxis> axes) {
  for (auto &cuts : strategy.factorCuts)
    llvm::erase_if(cuts, [&](const Cut &cut) {
      return llvm::any_of(axes, [&](const PartialAxis &a) { return a.part.overlaps(cut.part); });
    });
}

Strategy Placer::passing(const Link &link, Strategy strategy, ArrayRef<PartialAxis> axes) {
  withoutCuts(strategy, axes);
  for (const PartialAxis &axis : axes)
    strategy.flows.push_back({axis, link.set});
  return strategy;
}

bool Placer::sink(Operation *op, const ShardingRule &rule,
                  MutableArrayRef<std::optional<Origin>> origins,
                  const llvm::BitVector &participants) {
  // The participants must be partial on the same axes.
  SmallVector<PartialAxis, 1> axes;
  for (unsigned i : participants.set_bits()) {
    ReshardOp reshard = origins[i]->reshard;
    Sharding from = tp::getSharding(reshard.getFrom(), mesh, reshard.getType().getRank());
    if (axes.empty())
      axes = from.partial;
    else if (axes != from.partial)
      return false;
  }
  if (!llvm::all_of(axes, [&](const PartialAxis &a) { return a.kind == axes.front().kind; }))
    return false;
  std::optional<llvm::BitVector> set = linearSet(op, rule, axes.front().kind, participants);
  std::optional<Strategy> before = inferStrategy(op, rule, mesh);
  if (!set || !before)
    return false;
  for (const PartialFlow &flow : before->flows)
    if (llvm::any_of(axes, [&](const PartialAxis &a) { return a.part.overlaps(flow.axis.part); }))
      return false;
  // A reduction factor of the op may be cut by the same axis already.
  Strategy after = *before;
  withoutCuts(after, axes);
  for (const PartialAxis &axis : axes)
    after.flows.push_back({axis, *set});

  // Every op on the way passes the partial value on.
  for (unsigned i : participants.set_bits())
    for (Link &link : origins[i]->chain)
      if (!passesOn(link, axes.front().kind, axes))
        return false;

  OpShapes shapes(op, rule);
  double costBefore = 0, costAfter = 0;
  SmallVector<Value> operands;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    Value value = getRuleOperand(op, rule, i);
    operands.push_back(value);
    if (!isa<RankedTensorType>(value.getType()) || rule.ignored.test(i))
      continue;
    FailureOr<Sharding> needed = getOperandSharding(rule, after, i, shapes.operands[i]);
    if (failed(needed))
      return false;
    if (participants.test(i)) {
      ReshardOp reshard = origins[i]->reshard;
      // Where others use the resolved value too, nothing is saved here.
      if (reshard->hasOneUse())
        costBefore += cost(reshard);
      Sharding from = tp::getSharding(reshard.getFrom(), mesh, reshard.getType().getRank());
      if (origins[i]->chain.empty())
        costAfter += cost(reshard, from, *needed);
      continue;
    }
    if (auto reshard = value.getDefiningOp<ReshardOp>();
        reshard && !equivalent(shardingOf(value), *needed, shapes.operands[i])) {
      if (reshard->hasOneUse())
        costBefore += cost(reshard);
      operands[i] = value = reshard.getInput();
    }
    // A block may become a share without communication, but then every rank computes
    // the whole where it computed a block: that counts as if the block were gathered.
    Sharding from = shardingOf(value), whole = from;
    for (DimSharding &dim : whole.dims)
      llvm::erase_if(dim.cuts, [&](const Cut &cut) {
        return llvm::any_of(needed->partial,
                            [&](const PartialAxis &a) { return a.part.overlaps(cut.part); });
      });
    if (whole != from)
      costAfter += cost(value, from, whole);
    costAfter += cost(value, whole, *needed);
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    FailureOr<Sharding> now = getResultSharding(rule, after, i, shapes.results[i]);
    if (failed(now))
      return false;
    // A reshard that follows joins with the one that this makes.
    Sharding target = shardingOf(result);
    if (auto next = result.hasOneUse() ? dyn_cast<ReshardOp>(*result.user_begin()) : ReshardOp()) {
      costBefore += cost(next);
      target = tp::getSharding(next.getTo(), mesh, next.getType().getRank());
    }
    costAfter += cost(result, *now, target);
  }
  // At equal cost a sum goes into what a loop accumulates, so that it may be carried on.
  bool accumulates = llvm::any_of(set->set_bits(), [&](unsigned i) {
    return !participants.test(i) && isAccumulator(getRuleOperand(op, rule, i));
  });
  constexpr double kEpsilon = 1e-9;
  if (costAfter > costBefore + kEpsilon || (!accumulates && costAfter >= costBefore - kEpsilon))
    return false;

  for (unsigned i : participants.set_bits()) {
    ReshardOp resolution = origins[i]->reshard;
    Value partial = resolution.getInput();
    for (const Link &link : llvm::reverse(origins[i]->chain)) {
      Strategy strategy = passing(link, *inferStrategy(link.op, link.rule, mesh), axes);
      SmallVector<Value> linkOperands;
      for (unsigned k = 0, n = link.rule.numOperands(); k < n; ++k)
        linkOperands.push_back(k == link.operand ? partial : getRuleOperand(link.op, link.rule, k));
      retarget(link.op, link.rule, strategy, linkOperands, "passed on", mesh);
      partial = link.op->getResult(0);
    }
    operands[i] = partial;
  }
  std::string reason =
      (stringifyReductionKind(axes.front().kind) + " of " + Twine(participants.count()) +
       " partial values, taken after " + op->getName().getStringRef())
          .str();
  retarget(op, rule, after, operands, reason, mesh);
  return true;
}

bool Placer::sink(Operation *op) {
  if (isa<ReshardOp, ConstraintOp, func::ReturnOp>(op) || isFree(op) ||
      llvm::none_of(op->getOperands(),
                    [&](Value operand) { return mayTrace(operand, op->getBlock()); }))
    return false;
  for (Value result : op->getResults())
    reduced.insert(result);
  FailureOr<ShardingRule> rule = getRule(op);
  if (failed(rule))
    return false;
  SmallVector<std::optional<Origin>> origins(rule->numOperands());
  llvm::BitVector participants(rule->numOperands());
  for (unsigned i = 0, n = op->getNumOperands(); i < n; ++i)
    if (isa<RankedTensorType>(op->getOperand(i).getType()) && !rule->ignored.test(i))
      if ((origins[i] = trace(op->getOperand(i), op->getBlock())))
        participants.set(i);
  if (participants.none())
    return false;
  if (sink(op, *rule, origins, participants))
    return true;
  if (participants.count() > 1)
    for (unsigned i : participants.set_bits()) {
      llvm::BitVector one(rule->numOperands());
      one.set(i);
      if (sink(op, *rule, origins, one))
        return true;
    }
  return false;
}

void Placer::visit(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (!isa<ReshardOp>(op))
      ops.push_back(&op);
  for (Operation *op : ops) {
    if (!isRegionFlow(op)) {
      sunk += sink(op);
      continue;
    }
    for (Region &region : op->getRegions())
      for (Block &nested : region)
        visit(nested);
    sunk += carryPartial(op, mesh, costs);
  }
}

unsigned Placer::run() {
  joinReshards();
  visit(function.getBody().front());
  gatherOnce(function, mesh, costs);
  joinReshards();
  reshardOnce();
  return sunk;
}

struct PlaceReductionsPass : tp::impl::PlaceReductionsPassBase<PlaceReductionsPass> {
  using PlaceReductionsPassBase::PlaceReductionsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    FailureOr<Mesh> mesh = requireMesh(function);
    if (failed(mesh))
      return signalPassFailure();
    sunk += Placer(function, *mesh).run();
    eraseUnusedFreeOps(function);
  }
};

} // namespace
