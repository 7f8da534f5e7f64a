//===- StrategyTest.cpp - Compound dimensions against brute force ----------===//

#include "tp/Analysis/Strategy.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::tp;

namespace {

ShardingRule ruleOf(ArrayRef<int64_t> sizes) {
  ShardingRule rule;
  for (int64_t size : sizes)
    rule.addFactor(FactorKind::Parallel, size);
  return rule;
}

DimFactors allOf(const ShardingRule &rule) {
  DimFactors factors;
  for (unsigned i = 0; i < rule.factors.size(); ++i)
    factors.push_back(i);
  return factors;
}

/// The elements of the flattened dimension that `device` holds when each factor
/// is cut by its own cuts.
std::set<int64_t> elementsByFactors(const ShardingRule &rule, const Mesh &mesh, ArrayRef<Cuts> cuts,
                                    int64_t device) {
  std::set<int64_t> held = {0};
  for (auto [factor, list] : llvm::zip_equal(rule.factors, cuts)) {
    DimSharding dim;
    dim.cuts = list;
    ShardBlock block = dim.block(mesh, factor.size, device);
    std::set<int64_t> next;
    for (int64_t outer : held)
      for (int64_t i = 0; i < block.size; ++i)
        next.insert(outer * factor.size + block.offset + i);
    held = next;
  }
  return held;
}

std::set<int64_t> elementsByDim(ArrayRef<Cut> cuts, const Mesh &mesh, int64_t n, int64_t device) {
  DimSharding dim;
  dim.cuts.assign(cuts.begin(), cuts.end());
  ShardBlock block = dim.block(mesh, n, device);
  std::set<int64_t> held;
  for (int64_t i = 0; i < block.size; ++i)
    held.insert(block.offset + i);
  return held;
}

/// Whenever a cut dimension projects to its factors, every device holds the same
/// elements either way, and the factors' cuts expand to the same blocks again.
TEST(Strategy, ProjectionKeepsElements) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int projected = 0, rejected = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Mesh mesh;
    mesh.names = {"a", "b"};
    mesh.sizes = {pick(1, 4), pick(1, 4)};
    SmallVector<int64_t> sizes;
    for (int64_t i = 0, n = pick(1, 3); i < n; ++i)
      sizes.push_back(pick(1, 6));
    ShardingRule rule = ruleOf(sizes);
    int64_t n = 1;
    for (int64_t size : sizes)
      n *= size;
    SmallVector<AxisPart> parts = {{0, 1, mesh.sizes[0]}, {1, 1, mesh.sizes[1]}};
    if (pick(0, 1))
      std::swap(parts[0], parts[1]);
    Cuts cuts;
    for (int64_t i = 0, count = pick(0, 2); i < count; ++i)
      if (parts[i].size > 1)
        cuts.push_back({parts[i], pick(1, 4)});
    DimFactors factors = allOf(rule);
    FailureOr<SmallVector<Cuts>> result = projectDim(rule, factors, n, cuts);
    if (failed(result)) {
      ++rejected;
      continue;
    }
    ++projected;
    for (int64_t device = 0; device < mesh.numDevices(); ++device)
      EXPECT_EQ(elementsByFactors(rule, mesh, *result, device),
                elementsByDim(cuts, mesh, n, device))
          << "trial " << trial;
    FailureOr<Cuts> back = expandDim(rule, factors, n, *result);
    ASSERT_TRUE(succeeded(back)) << "trial " << trial;
    Sharding a(1), b(1);
    a.dims[0].cuts = cuts;
    b.dims[0].cuts = *back;
    EXPECT_TRUE(equivalent(a, b, {n}))
        << toString(a, mesh) << " and " << toString(b, mesh) << " of " << n << ", trial " << trial;
  }
  // Both happen often, or the test says little.
  EXPECT_GT(projected, 2000);
  EXPECT_GT(rejected, 2000);
}

/// The reverse: cuts of factors that expand hold the same elements too.
TEST(Strategy, ExpansionKeepsElements) {
  std::mt19937 random(11);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int expanded = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Mesh mesh;
    mesh.names = {"a", "b"};
    mesh.sizes = {pick(1, 4), pick(1, 4)};
    SmallVector<int64_t> sizes = {pick(1, 6), pick(1, 6)};
    ShardingRule rule = ruleOf(sizes);
    SmallVector<Cuts> cuts(2);
    for (unsigned axis = 0; axis < 2; ++axis)
      if (mesh.sizes[axis] > 1 && pick(0, 2))
        cuts[pick(0, 1)].push_back({{axis, 1, mesh.sizes[axis]}, pick(1, 3)});
    int64_t n = sizes[0] * sizes[1];
    FailureOr<Cuts> result = expandDim(rule, allOf(rule), n, cuts);
    if (failed(result))
      continue;
    ++expanded;
    for (int64_t device = 0; device < mesh.numDevices(); ++device)
      EXPECT_EQ(elementsByFactors(rule, mesh, cuts, device),
                elementsByDim(*result, mesh, n, device))
          << "trial " << trial;
  }
  EXPECT_GT(expanded, 2000);
}

TEST(Strategy, OneAxisOverTwoFactors) {
  Mesh mesh;
  mesh.names = {"tp"};
  mesh.sizes = {4};
  // 2 kv heads, 2 query heads each, head dimension 4, over 4 ranks.
  ShardingRule rule = ruleOf({2, 2, 4});
  FailureOr<SmallVector<Cuts>> cuts = projectDim(rule, allOf(rule), 16, Cut{{0, 1, 4}, 1});
  ASSERT_TRUE(succeeded(cuts));
  EXPECT_EQ((*cuts)[0], (Cuts{{{0, 1, 2}, 1}}));
  EXPECT_EQ((*cuts)[1], (Cuts{{{0, 2, 2}, 1}}));
  EXPECT_TRUE((*cuts)[2].empty());
}

} // namespace
