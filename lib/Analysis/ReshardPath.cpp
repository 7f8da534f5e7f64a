//===- ReshardPath.cpp - Dijkstra over shardings ---------------------------===//

#include "tp/Analysis/ReshardPath.h"

#include "ReshardMoves.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>
#include <optional>
#include <queue>

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::StringRef tp::stringifyReshardMove(ReshardMove move) {
  switch (move) {
  case ReshardMove::Slice:
    return "slice";
  case ReshardMove::Mask:
    return "mask";
  case ReshardMove::Place:
    return "place";
  case ReshardMove::AllGather:
    return "all-gather";
  case ReshardMove::ReduceScatter:
    return "reduce-scatter";
  case ReshardMove::AllReduce:
    return "all-reduce";
  case ReshardMove::AllToAll:
    return "all-to-all";
  case ReshardMove::Permute:
    return "permute";
  case ReshardMove::Reblock:
    return "re-block";
  }
  llvm_unreachable("unknown move");
}

namespace {
using Key = SmallVector<int64_t, 16>;

struct Node {
  Sharding sharding;
  int64_t cost = std::numeric_limits<int64_t>::max();
  unsigned steps = 0;
  bool done = false;
  unsigned previous = 0;
  ReshardStep step;
};

/// The same for shardings with the same blocks and partial axes.
Key makeKey(const Sharding &sharding, ArrayRef<int64_t> shape) {
  Key key;
  for (auto [dim, n] : llvm::zip_equal(sharding.dims, shape)) {
    key.push_back(dim.cuts.size());
    SmallVector<int64_t> sizes = dim.blockSizes(n);
    for (auto [i, cut] : llvm::enumerate(dim.cuts))
      key.append({cut.part.axis, cut.part.pre, cut.part.size, sizes[i + 1]});
  }
  for (const PartialAxis &p : sharding.partial)
    key.append({static_cast<int64_t>(p.kind), p.part.axis, p.part.pre, p.part.size});
  return key;
}

/// The search, among nodes of at most `limit` elements per rank.
class Search {
public:
  Search(const ReshardProblem &problem, const Hardware &hardware, int64_t limit)
      : problem(problem), hardware(hardware), limit(limit) {}

  std::optional<ReshardPath> run();

private:
  unsigned getNode(const Sharding &sharding) {
    auto [it, isNew] = index.try_emplace(makeKey(sharding, problem.shape), nodes.size());
    if (isNew) {
      nodes.emplace_back();
      nodes.back().sharding = sharding;
    }
    return it->second;
  }
  void relax(unsigned from, ReshardStep &&step);
  ReshardPath getPath(unsigned last);

  const ReshardProblem &problem;
  const Hardware &hardware;
  int64_t limit;
  std::vector<Node> nodes;
  std::map<Key, unsigned> index;
  /// Cost, number of steps, node: equal costs are served in a fixed order.
  using Entry = std::tuple<int64_t, unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
};
} // namespace

void Search::relax(unsigned from, ReshardStep &&step) {
  if (problem.localElements(step.after) > limit)
    return;
  unsigned to = getNode(step.after);
  Node &node = nodes[to];
  int64_t cost = nodes[from].cost + hardware.picoseconds(step.messages, step.bytes);
  unsigned steps = nodes[from].steps + 1;
  if (node.done || std::tie(node.cost, node.steps) <= std::tie(cost, steps))
    return;
  node.cost = cost;
  node.steps = steps;
  node.previous = from;
  // Steps continue the form in which the node was first met.
  step.after = node.sharding;
  node.step = std::move(step);
  queue.push({cost, steps, to});
}

ReshardPath Search::getPath(unsigned last) {
  ReshardPath path;
  path.from = problem.from;
  for (unsigned n = last; nodes[n].steps > 0; n = nodes[n].previous)
    path.steps.insert(path.steps.begin(), std::move(nodes[n].step));
  for (const ReshardStep &step : path.steps) {
    path.messages += step.messages;
    path.bytes += step.bytes;
  }
  return path;
}

std::optional<ReshardPath> Search::run() {
  unsigned start = getNode(problem.from), goal = getNode(problem.to);
  nodes[start].cost = 0;
  queue.push({0, 0, start});
  while (!queue.empty()) {
    auto [cost, steps, at] = queue.top();
    queue.pop();
    if (nodes[at].done)
      continue;
    nodes[at].done = true;
    if (at == goal)
      return getPath(goal);
    Sharding sharding = nodes[at].sharding;
    forEachMove(problem, sharding,
                [&, at = at](ReshardStep &&step) { relax(at, std::move(step)); });
  }
  return std::nullopt;
}

ReshardPath tp::findReshardPath(const Mesh &mesh, ArrayRef<int64_t> shape, int64_t elementBytes,
                                const Sharding &from, const Sharding &to,
                                const Hardware &hardware) {
  ReshardProblem problem(mesh, shape, elementBytes, from, to);
  int64_t most = std::max(problem.localElements(problem.from), problem.localElements(problem.to));
  // Uneven blocks on the way may need a little more than either end; only where
  // that is not enough, more memory.
  for (int64_t limit = llvm::divideCeil(most * 5, 4);; limit *= 2) {
    bool last = limit > (most << 12);
    if (last)
      limit = std::numeric_limits<int64_t>::max();
    if (auto path = Search(problem, hardware, limit).run())
      return *path;
    if (last)
      break;
  }
  llvm_unreachable("all-reduce, all-gather and slice lead from any sharding to any other");
}

double tp::reshardCost(const Mesh &mesh, ArrayRef<int64_t> shape, int64_t elementBytes,
                       const Sharding &from, const Sharding &to, const Hardware &hardware) {
  ReshardPath path = findReshardPath(mesh, shape, elementBytes, from, to, hardware);
  return hardware.microseconds(path.messages, path.bytes);
}

double ReshardCosts::cost(ArrayRef<int64_t> shape, int64_t elementBytes, const Sharding &from,
                          const Sharding &to) {
  if (equivalent(from, to, shape))
    return 0;
  SmallVector<int64_t, 32> key(shape);
  key.push_back(elementBytes);
  auto add = [&](const AxisPart &part, int64_t more) {
    key.append({part.axis, part.pre, part.size, more});
  };
  for (const Sharding *sharding : {&from, &to}) {
    for (const DimSharding &dim : sharding->dims) {
      key.push_back(dim.cuts.size());
      for (const Cut &cut : dim.cuts)
        add(cut.part, cut.granule);
    }
    key.push_back(sharding->partial.size());
    for (const PartialAxis &partial : sharding->partial)
      add(partial.part, static_cast<int64_t>(partial.kind));
  }
  llvm::StringRef bytes(reinterpret_cast<const char *>(key.data()), key.size_in_bytes());
  auto [it, isNew] = known.try_emplace(bytes, 0);
  if (isNew)
    it->second = reshardCost(mesh, shape, elementBytes, from, to, hardware);
  return it->second;
}
