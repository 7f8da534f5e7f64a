//===- BarAxes.cpp - What later annotations leave whole --------------------===//

#include "tp/Analysis/Propagation.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
/// Uses of a value by ops, and per dimension how many of them need it whole.
struct Uses {
  unsigned count = 0;
  SmallVector<unsigned, 4> whole;
};
} // namespace

void Propagation::barAxes() {
  std::vector<AxisPart> parts;
  for (const Node &node : nodes)
    for (const DimSharding &dim : node.sharding.dims)
      for (const Cut &cut : dim.cuts)
        if (!llvm::is_contained(parts, cut.part))
          parts.push_back(cut.part);
  for (const AxisPart &part : parts)
    barAxis(part);
}

void Propagation::barAxis(const AxisPart &part) {
  std::vector<Uses> uses(nodes.size());
  for (auto [node, use] : llvm::zip_equal(nodes, uses))
    use.whole.assign(node.type.getRank(), 0);
  auto isNeededWhole = [&](int id, unsigned dim) {
    return uses[id].count > 0 && uses[id].whole[dim] == uses[id].count &&
           nodes[id].sharding.dims[dim].cuts.empty();
  };
  // The factors of an op that the axis cuts so far.
  auto getTaken = [&](const Element &element) {
    llvm::BitVector taken(element.rule->factors.size());
    auto collect = [&](ArrayRef<TensorRule> tensors, ArrayRef<int> ids) {
      for (auto [tensor, id] : llvm::zip_equal(tensors, ids))
        if (id >= 0)
          for (auto [dim, factors] : llvm::zip_equal(nodes[id].sharding.dims, tensor.dims))
            if (llvm::any_of(dim.cuts, [&](const Cut &cut) { return cut.part.overlaps(part); }))
              for (unsigned factor : factors)
                taken.set(factor);
    };
    collect(element.rule->operands, element.operands);
    collect(element.rule->results, element.results);
    return taken;
  };

  // An op comes after all uses of its results.
  for (const Element &element : llvm::reverse(elements)) {
    const ShardingRule &rule = *element.rule;
    llvm::BitVector made(rule.factors.size()), open(rule.factors.size());
    for (auto [tensor, id] : llvm::zip_equal(rule.results, element.results)) {
      if (id < 0 || (uses[id].count == 0 && !element.escapes))
        continue;
      for (auto [d, factors] : llvm::enumerate(tensor.dims))
        for (unsigned factor : factors) {
          made.set(factor);
          // A group has members whose uses come later in this walk.
          if (element.escapes || !nodes[id].annotation.group.empty() || !isNeededWhole(id, d))
            open.set(factor);
        }
    }
    llvm::BitVector taken = getTaken(element);
    auto needsWhole = [&](unsigned factor) {
      return rule.factors[factor].kind == FactorKind::Replicated ||
             (made.test(factor) && !open.test(factor)) || (taken.any() && !taken.test(factor));
    };
    for (auto [tensor, id] : llvm::zip_equal(rule.operands, element.operands)) {
      if (id < 0)
        continue;
      ++uses[id].count;
      for (auto [d, factors] : llvm::enumerate(tensor.dims))
        uses[id].whole[d] += llvm::all_of(factors, needsWhole);
    }
  }

  for (const Element &element : elements) {
    llvm::BitVector taken = getTaken(element);
    if (taken.none())
      continue;
    for (auto [tensor, id] : llvm::zip_equal(element.rule->operands, element.operands)) {
      if (id < 0)
        continue;
      for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
        if (!isNeededWhole(id, d) ||
            llvm::any_of(factors, [&](unsigned factor) { return taken.test(factor); }))
          continue;
        nodes[id].barred.resize(tensor.dims.size());
        nodes[id].barred[d].push_back(part);
      }
    }
  }
}
