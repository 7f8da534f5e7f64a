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
  std::vector<Uses> uses(nodes.size());
  for (auto [node, use] : llvm::zip_equal(nodes, uses))
    use.whole.assign(node.type.getRank(), 0);
  auto isNeededWhole = [&](int id, unsigned dim) {
    return uses[id].count > 0 && uses[id].whole[dim] == uses[id].count &&
           nodes[id].sharding.dims[dim].cuts.empty();
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
    auto needsWhole = [&](unsigned factor) {
      return rule.factors[factor].kind == FactorKind::Replicated ||
             (made.test(factor) && !open.test(factor));
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
    SmallVector<std::pair<const TensorRule *, int>> tensors;
    for (auto [tensor, id] : llvm::zip_equal(element.rule->operands, element.operands))
      tensors.push_back({&tensor, id});
    for (auto [tensor, id] : llvm::zip_equal(element.rule->results, element.results))
      tensors.push_back({&tensor, id});
    // What cuts the op so far, with the factors of the dimension.
    SmallVector<std::pair<AxisPart, ArrayRef<unsigned>>> taken;
    for (auto [tensor, id] : tensors)
      if (id >= 0)
        for (auto [dim, factors] : llvm::zip_equal(nodes[id].sharding.dims, tensor->dims))
          for (const Cut &cut : dim.cuts)
            taken.push_back({cut.part, factors});
    if (taken.empty())
      continue;
    for (auto [tensor, id] : ArrayRef(tensors).take_front(element.operands.size())) {
      if (id < 0)
        continue;
      for (auto [d, factors] : llvm::enumerate(tensor->dims)) {
        if (!isNeededWhole(id, d))
          continue;
        nodes[id].barred.resize(tensor->dims.size());
        for (auto &[part, others] : taken)
          if (llvm::none_of(others, [&, &own = factors](unsigned factor) {
                return llvm::is_contained(own, factor);
              }))
            nodes[id].barred[d].push_back(part);
      }
    }
  }
}
