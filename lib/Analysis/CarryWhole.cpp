//===- CarryWhole.cpp - What loops carry whole -----------------------------===//
//
// A value that a loop carries takes the cuts of what flows into it. Where ops of the
// body then need it whole, or what they make of it, each trip gathers. Carried whole
// it is gathered once, before the loop. Whether that costs less is seen by trying it:
// trips may cut it anew, or scatter what they sum.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Analysis/Hardware.h"
#include "tp/Analysis/Propagation.h"
#include <map>

using namespace mlir;
using namespace mlir::tp;

/// Whether the op is a loop that carries values.
static bool isLoop(Operation *op) { return isa<LoopLikeOpInterface>(op) && isRegionFlow(op); }

void Propagation::run() {
  std::set<Bar> bars, tried, refused;
  if (llvm::none_of(nodes, [](const Node &node) { return node.loop; }))
    return spreadAll(bars);
  const std::deque<Node> begin = nodes;
  DenseMap<Operation *, double> before;
  // Each time something new is kept out, or something of it let in for good.
  while (true) {
    spreadAll(bars);
    std::vector<Transfer> transfers;
    for (const Element &element : elements)
      if (isLoop(element.op) || element.op->getParentOfType<LoopLikeOpInterface>())
        collectTransfers(element, transfers);
    DenseMap<Operation *, double> times = timeLoops(transfers);
    bool changed = false;
    for (const Bar &bar : tried) {
      Operation *loop = nodes[bar.node].loop;
      if (times.lookup(loop) < before.lookup(loop))
        continue;
      refused.insert(bar);
      bars.erase(bar);
      changed = true;
    }
    tried.clear();
    // One step at a time, so that what is compared is what it does.
    if (!changed) {
      for (const Bar &bar : findCarriedWhole(transfers, refused))
        if (bars.insert(bar).second)
          tried.insert(bar);
      before = std::move(times);
      changed = !tried.empty();
    }
    if (!changed)
      return;
    nodes = begin;
    decisions.clear();
  }
}

void Propagation::collectTransfers(const Element &element, std::vector<Transfer> &transfers) const {
  const ShardingRule &rule = *element.rule;
  /// A cut of one tensor, and the factor that it cuts; none where it cuts no one factor.
  struct Use {
    unsigned tensor, dim;
    std::optional<unsigned> factor;
    AxisPart part;
  };
  SmallVector<Use> uses;
  unsigned numOperands = rule.numOperands();
  auto nodeIdOf = [&](unsigned tensor) {
    return tensor < numOperands ? element.operands[tensor] : element.results[tensor - numOperands];
  };
  auto collect = [&](const TensorRule &tensor, unsigned number) {
    int id = nodeIdOf(number);
    if (id < 0)
      return;
    for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
      unsigned dim = d;
      const Cuts &cuts = nodes[id].sharding.dims[d].cuts;
      if (cuts.empty())
        continue;
      auto lists = projectDim(rule, factors, nodes[id].type.getDimSize(d), cuts);
      if (failed(lists)) {
        for (const Cut &cut : cuts)
          uses.push_back({number, dim, std::nullopt, cut.part});
        continue;
      }
      for (auto [factor, list] : llvm::zip_equal(factors, *lists))
        for (const Cut &cut : list)
          uses.push_back({number, dim, factor, cut.part});
    }
  };
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (!rule.ignored.test(i))
      collect(tensor, i);
  for (auto [i, tensor] : llvm::enumerate(rule.results))
    collect(tensor, numOperands + i);

  /// The factor that the op cuts by the axis: as was decided where several would, else
  /// of a result, or one that it reduces.
  DenseI64ArrayAttr decided = decisions.lookup(element.op);
  auto keeperOf = [&](const AxisPart &part) {
    std::optional<unsigned> keeper;
    auto rank = [&](unsigned factor) {
      return decided ? decided[factor] : rule.factors[factor].kind == FactorKind::Reduction;
    };
    for (const Use &use : uses) {
      if (!use.part.overlaps(part) || !use.factor)
        continue;
      FactorKind kind = rule.factors[*use.factor].kind;
      bool keeps = kind == FactorKind::Reduction ||
                   (kind != FactorKind::Replicated && use.tensor >= numOperands);
      if (keeps && (!keeper || rank(*use.factor) < rank(*keeper)))
        keeper = use.factor;
    }
    return keeper;
  };
  auto has = [](const TensorRule &tensor, unsigned factor) {
    return llvm::any_of(tensor.dims, [&](const DimFactors &factors) {
      return llvm::is_contained(factors, factor);
    });
  };
  auto timeOf = [&](int id, const AxisPart &part) {
    const RankedTensorType &type = nodes[id].type;
    Type element = type.getElementType();
    int64_t bytes = element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                                           : sizeof(int64_t);
    CollectiveKind kind = CollectiveKind::AllGather;
    return Hardware().microseconds(1, bytesPerRank(kind, part.size, type.getNumElements(), bytes));
  };
  for (const Use &use : uses) {
    std::optional<unsigned> keeper = keeperOf(use.part);
    if (use.tensor < numOperands) {
      int id = nodeIdOf(use.tensor);
      double time = timeOf(id, use.part);
      FactorKind kind = use.factor ? rule.factors[*use.factor].kind : FactorKind::Replicated;
      if (kind == FactorKind::Candidate)
        if (auto bytes = getCandidateBytes(element.op, rule, *use.factor, use.part.size))
          time = Hardware().microseconds(element.results.size(),
                                         *bytes * (use.part.size - 1) / use.part.size);
      // Rows of windows are few.
      if (kind != FactorKind::Window && !(keeper && use.factor == keeper))
        transfers.push_back({element.op, /*isGather=*/true, id, use.dim, use.part, time});
    }
    if (!keeper || rule.factors[*keeper].kind != FactorKind::Reduction || use.factor != keeper)
      continue;
    for (auto [tensor, id] : llvm::zip_equal(rule.results, element.results))
      if (id >= 0 && !has(tensor, *keeper)) {
        double scattered = timeOf(id, use.part);
        bool isCut = nodes[id].sharding.uses(use.part);
        transfers.push_back(
            {element.op, /*isGather=*/false, id, 0, use.part, isCut ? scattered : 2 * scattered});
      }
  }
}

DenseMap<Operation *, double> Propagation::timeLoops(ArrayRef<Transfer> transfers) const {
  DenseMap<Operation *, double> times;
  // A value is gathered once for all ops that use it, where it is made; for a loop that
  // it flows into it counts as if by this loop alone.
  std::set<std::tuple<bool, int, AxisPart, Operation *, Block *>> seen;
  for (const Transfer &transfer : transfers) {
    Operation *into = isLoop(transfer.op) ? transfer.op : nullptr;
    Block *at = transfer.op->getBlock(), *home = nodes[transfer.node].home;
    // What a loop carries is made in it, and used behind it, too.
    if (transfer.isGather && home && home->findAncestorOpInBlock(*transfer.op))
      at = home;
    if (!seen.insert({transfer.isGather, transfer.node, transfer.part, into, at}).second)
      continue;
    // What comes into a loop from outside is gathered before it.
    if (into)
      times[into] += transfer.microseconds;
    for (Operation *loop = at->getParentOp(); loop; loop = loop->getParentOp())
      if (isLoop(loop))
        times[loop] += estimateRuns(at, loop->getBlock()) * transfer.microseconds;
  }
  return times;
}

std::optional<std::pair<int, unsigned>> Propagation::sourceOf(int id, unsigned dim,
                                                              const AxisPart &part) const {
  int source = nodes[id].origins[dim].source;
  if (source < 0 || source == id)
    return std::nullopt;
  for (auto [d, other] : llvm::enumerate(nodes[source].sharding.dims))
    if (llvm::any_of(other.cuts, [&](const Cut &cut) { return cut.part.overlaps(part); }))
      return std::pair(source, static_cast<unsigned>(d));
  return std::nullopt;
}

std::set<Propagation::Bar> Propagation::findCarriedWhole(ArrayRef<Transfer> transfers,
                                                         const std::set<Bar> &refused) const {
  std::set<Bar> found;
  for (const Transfer &transfer : transfers) {
    if (!transfer.isGather)
      continue;
    // The outermost loop that brings the axis in from outside of it.
    std::optional<Bar> root;
    llvm::SmallDenseSet<int> visited;
    std::optional<std::pair<int, unsigned>> at = {{transfer.node, transfer.dim}};
    while (at && visited.insert(at->first).second) {
      auto [id, dim] = *at;
      const Node &node = nodes[id];
      at = sourceOf(id, dim, transfer.part);
      if (!at || !node.loop || node.annotated || !node.loop->isProperAncestor(transfer.op))
        continue;
      Block *home = nodes[at->first].home;
      if (home && node.loop->isAncestor(home->getParentOp()))
        continue;
      for (const Cut &cut : node.sharding.dims[dim].cuts)
        if (cut.part.overlaps(transfer.part) && !refused.count({id, dim, cut.part}))
          root = Bar{id, dim, cut.part};
    }
    if (root)
      found.insert(*root);
  }
  return found;
}
