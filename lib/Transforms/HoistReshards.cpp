//===- HoistReshards.cpp - Reshards before what makes more of a value ------===//
//
// Reshard insertion changes a value's sharding where two ops disagree. Here that
// moves up through the ops that made the value, to where it costs least:
//
//   repeat x, gather             gather x, repeat it
//   widen x, all-to-all          all-to-all of the narrow value
//   gather x, reshape, slice     all-to-all of x, reshape
//
// What ops on the way had resharded for what they were is not, then.
//
// At equal cost it moves to where ranks hold fewer elements before and after it.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Retarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Transforms/LocalOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_HOISTRESHARDSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// As in reshard insertion: where communication is equal, ranks share the work.
constexpr double kMicrosecondsPerIteration = 1e-5;
/// How far up a reshard is tried.
constexpr unsigned kMaxOps = 8;

class Hoister {
public:
  Hoister(const Mesh &mesh) : mesh(mesh), costs(mesh, Hardware()) {}

  bool hoist(ReshardOp reshard);

private:
  /// An op that comes to yield what the reshard did.
  struct Step {
    Operation *op;
    ShardingRule rule;
    Strategy strategy;
  };

  std::optional<Strategy> strategyFor(Operation *op, const ShardingRule &rule,
                                      const Sharding &target);
  double costOf(Value value, const Sharding &from, const Sharding &to) {
    auto type = cast<RankedTensorType>(value.getType());
    return costs.cost(type.getShape(), getElementBytes(type.getElementType()), from, to);
  }
  Sharding shardingOf(Value value) { return getValueSharding(value, mesh); }

  Mesh mesh;
  ReshardCosts costs;
};

double countLocal(Value value, const Sharding &sharding) {
  double count = 1;
  for (int64_t size : sharding.localShape(cast<RankedTensorType>(value.getType()).getShape()))
    count *= static_cast<double>(size);
  return count;
}

double countIterations(const ShardingRule &rule, const Strategy &strategy) {
  double iterations = 1;
  for (auto [factor, cuts] : llvm::zip_equal(rule.factors, strategy.factorCuts)) {
    DimSharding dim;
    dim.cuts = cuts;
    iterations *= static_cast<double>(dim.localSize(factor.size));
  }
  return iterations;
}

/// What reshards the operand for this op alone, or null. That of a contraction stays: its
/// operands are where they are for the sake of memory and work, too.
ReshardOp getOwnReshard(Value operand, Operation *user, const ShardingRule &rule) {
  auto reshard = operand.getDefiningOp<ReshardOp>();
  bool reduces = llvm::any_of(
      rule.factors, [](const auto &factor) { return factor.kind == FactorKind::Reduction; });
  return reshard && !reduces && reshard->hasOneUse() && reshard->getBlock() == user->getBlock()
             ? reshard
             : ReshardOp();
}

/// The strategy in which the op yields its result as `target`, all else as it is.
std::optional<Strategy> Hoister::strategyFor(Operation *op, const ShardingRule &rule,
                                             const Sharding &target) {
  std::optional<Strategy> before = inferStrategy(op, rule, mesh);
  if (!before || !before->flows.empty())
    return std::nullopt;
  Strategy after = *before;
  OpShapes shapes(op, rule);
  for (auto [d, factors] : llvm::enumerate(rule.results[0].dims)) {
    auto lists = projectDim(rule, factors, shapes.results[0][d], target.dims[d].cuts);
    if (failed(lists))
      return std::nullopt;
    for (auto [factor, list] : llvm::zip_equal(factors, *lists)) {
      if (!list.empty() && rule.factors[factor].kind != FactorKind::Parallel)
        return std::nullopt;
      after.factorCuts[factor] = list;
    }
  }
  SmallVector<Sharding, 2> operands;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    FailureOr<Sharding> needed = getOperandSharding(rule, after, i, shapes.operands[i]);
    if (failed(needed))
      return std::nullopt;
    operands.push_back(*needed);
  }
  // What the shardings say is what is meant, so no axis cuts two factors either.
  std::string error;
  if (failed(tp::inferStrategy(rule, shapes, operands, target, error)))
    return std::nullopt;
  FailureOr<Sharding> made = getResultSharding(rule, after, 0, shapes.results[0]);
  if (failed(made) || !equivalent(*made, target, shapes.results[0]))
    return std::nullopt;
  return after;
}

bool Hoister::hoist(ReshardOp reshard) {
  unsigned rank = reshard.getType().getRank();
  Sharding from = tp::getSharding(reshard.getFrom(), mesh, rank);
  Sharding target = tp::getSharding(reshard.getTo(), mesh, rank);
  if (from.isPartial() || target.isPartial())
    return false;
  Block *block = reshard->getBlock();
  Value value = reshard.getInput();
  SmallVector<Step, 2> steps;
  size_t bestSteps = 0;
  double best = costOf(value, from, target), passed = 0, undone = 0;
  const bool isSlice = best < 1e-9; // It moves for what it makes needless only.
  double bestHeld = countLocal(value, from) + countLocal(value, target);
  constexpr double kEpsilon = 1e-9;
  while (steps.size() < kMaxOps) {
    Operation *op = value.getDefiningOp();
    // A value that the user named stays as it is said to be.
    if (!op || op->getBlock() != block || !value.hasOneUse() || op->getNumResults() != 1 ||
        isFree(op) || isRegionFlow(op) || isa<ReshardOp, ConstraintOp>(op) ||
        op->hasAttr(kNameAttr))
      break;
    FailureOr<ShardingRule> rule = getRule(op);
    if (failed(rule))
      break;
    std::optional<Strategy> before = inferStrategy(op, *rule, mesh);
    std::optional<Strategy> after = strategyFor(op, *rule, target);
    if (!before || !after)
      break;
    passed += (countIterations(*rule, *after) - countIterations(*rule, *before)) *
              kMicrosecondsPerIteration;
    OpShapes shapes(op, *rule);
    // The operand that moves on; others may cost nothing.
    std::optional<unsigned> main;
    double cost = passed, held = 0, saved = 0;
    bool single = true;
    for (unsigned i = 0, n = rule->numOperands(); i < n; ++i) {
      Value operand = getRuleOperand(op, *rule, i);
      Operation *def = operand.getDefiningOp();
      if (!isa<RankedTensorType>(operand.getType()) || rule->ignored.test(i) ||
          (def && operand.hasOneUse() && isFree(def)))
        continue;
      Sharding needed = *getOperandSharding(*rule, *after, i, shapes.operands[i]);
      if (auto own = getOwnReshard(operand, op, *rule)) {
        saved += costOf(operand, shardingOf(own.getInput()), shardingOf(operand));
        operand = own.getInput();
      }
      Sharding found = shardingOf(operand);
      double one =
          costOf(operand, found, needed) / estimateRuns(op->getBlock(), operand.getParentBlock());
      cost += one;
      if (one < kEpsilon)
        continue;
      single &= !main;
      main = i;
      held += countLocal(operand, found) + countLocal(operand, needed);
    }
    steps.push_back({op, std::move(*rule), std::move(*after)});
    passed -= saved;
    cost -= saved;
    undone += saved;
    bool isLess = cost < best - kEpsilon;
    if ((isLess || (cost < best + kEpsilon && held < bestHeld)) &&
        (!isSlice || undone > kEpsilon)) {
      best = cost;
      bestHeld = held;
      bestSteps = steps.size();
    }
    if (!main || !single)
      break;
    value = getRuleOperand(op, steps.back().rule, *main);
    if (getOwnReshard(value, op, steps.back().rule))
      break;
    target = *getOperandSharding(steps.back().rule, steps.back().strategy, *main,
                                 shapes.operands[*main]);
  }
  if (bestSteps == 0)
    return false;

  reshard.replaceAllUsesWith(reshard.getInput());
  reshard.erase();
  steps.truncate(bestSteps);
  for (Step &step : llvm::reverse(steps)) {
    OpShapes shapes(step.op, step.rule);
    Sharding made = *getResultSharding(step.rule, step.strategy, 0, shapes.results[0]);
    // It is wanted like this now.
    step.op->setAttr(kShardingAttr,
                     ArrayAttr::get(step.op->getContext(),
                                    {getShardingAttr(step.op->getContext(), made, mesh)}));
    SmallVector<Value> operands;
    for (unsigned i = 0, n = step.rule.numOperands(); i < n; ++i) {
      Value operand = getRuleOperand(step.op, step.rule, i);
      ReshardOp own = getOwnReshard(operand, step.op, step.rule);
      operands.push_back(own ? own.getInput() : operand);
    }
    retarget(step.op, step.rule, step.strategy, operands, "", mesh);
  }
  return true;
}

struct HoistReshardsPass : tp::impl::HoistReshardsPassBase<HoistReshardsPass> {
  using HoistReshardsPassBase::HoistReshardsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    FailureOr<Mesh> mesh = requireMesh(function);
    if (failed(mesh))
      return signalPassFailure();
    SmallVector<ReshardOp> reshards;
    walkFlow(function.getBody(), [&](Operation *op) {
      if (auto reshard = dyn_cast<ReshardOp>(op))
        reshards.push_back(reshard);
    });
    Hoister hoister(*mesh);
    unsigned moved = 0;
    for (ReshardOp reshard : llvm::reverse(reshards)) {
      if (reshard.use_empty())
        reshard.erase(); // Those that used it took its input.
      else
        moved += hoister.hoist(reshard);
    }
    hoisted += moved;
    if (moved > 0)
      eraseUnusedFreeOps(function);
  }
};

} // namespace
