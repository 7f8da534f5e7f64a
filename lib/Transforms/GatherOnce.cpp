//===- GatherOnce.cpp ------------------------------------------------------===//

#include "GatherOnce.h"

#include "Retarget.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Transforms/LocalOps.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Gatherer {
public:
  Gatherer(const Mesh &mesh, ReshardCosts &costs) : mesh(mesh), costs(costs) {}

  bool gather(ReshardOp reduction);

private:
  double cost(Value value, const Sharding &from, const Sharding &to) {
    auto type = cast<RankedTensorType>(value.getType());
    return costs.cost(type.getShape(), getElementBytes(type.getElementType()), from, to);
  }

  const Mesh &mesh;
  ReshardCosts &costs;
};

} // namespace

/// How often the op runs for each time that the value is made.
static double countRuns(Operation *op, Value value) {
  return estimateRuns(op->getBlock(), value.getParentBlock());
}

/// Whether the op does the same in every trip.
static bool isInvariant(Operation *op) {
  Region *region = op->getParentRegion();
  return llvm::all_of(op->getOperands(),
                      [&](Value value) { return value.getParentRegion() != region; });
}

bool Gatherer::gather(ReshardOp reduction) {
  Operation *op = reduction.getInput().getDefiningOp();
  unsigned rank = reduction.getType().getRank();
  Sharding from = tp::getSharding(reduction.getFrom(), mesh, rank);
  Sharding to = tp::getSharding(reduction.getTo(), mesh, rank);
  if (!op || op->getBlock() != reduction->getBlock() || op->getNumResults() != 1 ||
      !reduction.getInput().hasOneUse() || !from.isPartial() || to.isPartial() || isInvariant(op))
    return false;
  FailureOr<ShardingRule> rule = getRule(op);
  if (failed(rule))
    return false;
  std::optional<Strategy> before = inferStrategy(op, *rule, mesh);
  if (!before || !before->flows.empty())
    return false;
  Strategy after = *before;
  llvm::BitVector reduced(rule->factors.size());
  for (auto [f, factor] : llvm::enumerate(rule->factors))
    if (factor.kind == FactorKind::Reduction && !after.factorCuts[f].empty()) {
      reduced.set(f);
      after.factorCuts[f].clear();
    }
  OpShapes shapes(op, *rule);
  FailureOr<Sharding> made = getResultSharding(*rule, after, 0, shapes.results[0]);
  if (failed(made))
    return false;
  double once = cost(reduction, *made, to), each = cost(reduction, from, to);
  SmallVector<Value> operands;
  for (unsigned i = 0, n = rule->numOperands(); i < n; ++i) {
    Value value = getRuleOperand(op, *rule, i);
    operands.push_back(value);
    if (!isa<RankedTensorType>(value.getType()) || rule->ignored.test(i))
      continue;
    Operation *def = value.getDefiningOp();
    if (def && value.hasOneUse() && isFree(def))
      continue;
    FailureOr<Sharding> needed = getOperandSharding(*rule, after, i, shapes.operands[i]);
    if (failed(needed))
      return false;
    Sharding found = getValueSharding(value, mesh);
    if (equivalent(found, *needed, shapes.operands[i]))
      continue;
    // What is made in each trip is not gathered in each trip.
    double runs = countRuns(op, value);
    if (runs <= 1)
      return false;
    once += cost(value, found, *needed) / runs;
  }
  if (once >= each)
    return false;
  retarget(op, *rule, after, operands, "", mesh);
  return true;
}

unsigned tp::gatherOnce(FunctionOpInterface function, const Mesh &mesh, ReshardCosts &costs) {
  SmallVector<ReshardOp> reductions;
  walkFlow(function.getFunctionBody(), [&](Operation *op) {
    auto reshard = dyn_cast<ReshardOp>(op);
    if (reshard && !reshard.getFrom().getPartials().empty() &&
        reshard->getParentOp() != function.getOperation())
      reductions.push_back(reshard);
  });
  Gatherer gatherer(mesh, costs);
  unsigned gathered = 0;
  for (ReshardOp reduction : reductions)
    gathered += gatherer.gather(reduction);
  return gathered;
}
