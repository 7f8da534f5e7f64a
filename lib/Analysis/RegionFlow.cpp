//===- RegionFlow.cpp ------------------------------------------------------===//

#include "tp/Analysis/RegionFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tp;

bool tp::isRegionFlow(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op) &&
         llvm::all_of(op->getRegions(),
                      [](Region &region) { return region.empty() || region.hasOneBlock(); });
}

namespace {
/// An operand and what it becomes.
struct Edge {
  OpOperand *source;
  Value input;
};
} // namespace

/// Every way that values take, edges of the op before those of terminators.
static SmallVector<Edge> getEdges(Operation *op) {
  SmallVector<Edge> edges;
  auto add = [&](Operation *from, OperandRange sources, ValueRange inputs) {
    for (auto [i, input] : llvm::enumerate(inputs))
      edges.push_back({&from->getOpOperand(sources.getBeginOperandIndex() + i), input});
  };
  // The interface leaves out edges that a constant trip count rules out; types tie
  // the values nevertheless.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop, loop.getInitArgs(), loop.getRegionIterArgs());
    add(loop, loop.getInitArgs(), loop.getResults());
    Operation *yield = loop.getBody()->getTerminator();
    add(yield, yield->getOperands(), loop.getRegionIterArgs());
    return edges;
  }
  auto flow = cast<RegionBranchOpInterface>(op);
  for (RegionBranchPoint point : flow.getAllRegionBranchPoints()) {
    Operation *from = point.isParent() ? op : point.getTerminatorPredecessorOrNull();
    SmallVector<RegionSuccessor> successors;
    flow.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors)
      add(from, flow.getSuccessorOperands(point, successor), successor.getSuccessorInputs());
  }
  return edges;
}

SmallVector<FlowValue> tp::getFlowValues(Operation *op) {
  SmallVector<Edge> edges = getEdges(op);
  llvm::EquivalenceClasses<void *> classes;
  for (const Edge &edge : edges)
    classes.unionSets(edge.source, edge.input.getAsOpaquePointer());
  llvm::MapVector<void *, FlowValue> values;
  auto addInput = [&](Value input) {
    if (classes.contains(input.getAsOpaquePointer()))
      values[classes.getLeaderValue(input.getAsOpaquePointer())].inputs.push_back(input);
  };
  for (Region &region : op->getRegions())
    for (BlockArgument arg : region.getArguments())
      addInput(arg);
  for (Value result : op->getResults())
    addInput(result);
  for (const Edge &edge : edges) {
    SmallVector<OpOperand *, 3> &sources = values[classes.getLeaderValue(edge.source)].sources;
    if (!llvm::is_contained(sources, edge.source))
      sources.push_back(edge.source);
  }
  return llvm::map_to_vector(values, [](auto &entry) { return std::move(entry.second); });
}

SmallVector<Value> tp::getControlValues(Operation *op) {
  llvm::SmallDenseSet<OpOperand *> carried;
  for (const Edge &edge : getEdges(op))
    carried.insert(edge.source);
  SmallVector<Value> control;
  auto add = [&](Operation *from) {
    for (OpOperand &operand : from->getOpOperands())
      if (!carried.contains(&operand))
        control.push_back(operand.get());
  };
  add(op);
  for (Region &region : op->getRegions())
    if (!region.empty())
      add(region.front().getTerminator());
  return control;
}

double tp::estimateRuns(Block *inner, Block *outer) {
  // Enough for what is done once before a loop to be worth more than the same in it.
  constexpr double kTripsIfUnknown = 8;
  double runs = 1;
  for (; inner != outer; inner = inner->getParentOp()->getBlock())
    if (auto loop = dyn_cast<LoopLikeOpInterface>(inner->getParentOp())) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      runs *= trips ? std::max<double>(trips->getLimitedValue(), 1) : kTripsIfUnknown;
    }
  return runs;
}

void tp::walkFlow(Region &region, llvm::function_ref<void(Operation *)> visit) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      bool hasFlow = isRegionFlow(&op);
      visit(&op);
      if (hasFlow)
        for (Region &nested : op.getRegions())
          walkFlow(nested, visit);
    }
}

void tp::eraseDeadOps(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      for (Region &nested : op.getRegions())
        eraseDeadOps(nested);
    }
}
