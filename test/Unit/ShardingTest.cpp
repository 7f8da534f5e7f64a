//===- ShardingTest.cpp - The algebra against brute force ------------------===//

#include "dialects/TP/TP.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::tp;

namespace {

Sharding parse(llvm::StringRef text, const Mesh &mesh, unsigned rank) {
  static MLIRContext context;
  std::string error;
  ShardingAttr attr = parseSharding(text, &context, error);
  EXPECT_TRUE(attr) << error;
  return getSharding(attr, mesh, rank);
}

Mesh makeMesh(std::initializer_list<std::pair<const char *, int64_t>> axes) {
  Mesh mesh;
  for (auto [name, size] : axes) {
    mesh.names.push_back(name);
    mesh.sizes.push_back(size);
  }
  return mesh;
}

std::vector<int64_t> blockSizesOfDevices(const Sharding &sharding, const Mesh &mesh, int64_t n) {
  std::vector<int64_t> sizes;
  for (int64_t device = 0; device < mesh.numDevices(); ++device)
    sizes.push_back(sharding.dims[0].block(mesh, n, device).size);
  return sizes;
}

TEST(Sharding, CutsAxisByAxis) {
  Mesh mesh = makeMesh({{"x", 2}, {"y", 2}});
  // Not the flat ceil(10 / 4), which would give 3, 3, 3, 1.
  EXPECT_EQ(blockSizesOfDevices(parse("[(x, y)]", mesh, 1), mesh, 10),
            (std::vector<int64_t>{3, 2, 3, 2}));
}

TEST(Sharding, GranuleKeepsHeadsWhole) {
  Mesh mesh = makeMesh({{"tp", 2}});
  EXPECT_EQ(blockSizesOfDevices(parse("[tp*64]", mesh, 1), mesh, 9 * 64),
            (std::vector<int64_t>{5 * 64, 4 * 64}));
}

TEST(Sharding, EmptyBlocks) {
  Mesh mesh = makeMesh({{"tp", 4}});
  EXPECT_EQ(blockSizesOfDevices(parse("[tp]", mesh, 1), mesh, 5),
            (std::vector<int64_t>{2, 2, 1, 0}));
  EXPECT_EQ(blockSizesOfDevices(parse("[tp]", mesh, 1), mesh, 0),
            (std::vector<int64_t>{0, 0, 0, 0}));
}

TEST(Sharding, SubAxes) {
  Mesh mesh = makeMesh({{"tp", 8}});
  Sharding whole = parse("[tp]", mesh, 1), cut = parse("[(tp:(1)4, tp:(4)2)]", mesh, 1);
  for (int64_t device = 0; device < 8; ++device)
    EXPECT_EQ(whole.dims[0].block(mesh, 16, device), cut.dims[0].block(mesh, 16, device));
  // 12 over 8 is blocks of 2; over 4 then 2 it is 3 = 2 + 1: not the identity.
  EXPECT_NE(blockSizesOfDevices(whole, mesh, 12), blockSizesOfDevices(cut, mesh, 12));
}

TEST(Sharding, CanonicalForm) {
  Mesh mesh = makeMesh({{"one", 1}, {"tp", 4}});
  // A granule is nothing to an axis that does not cut.
  EXPECT_EQ(parse("[one*3]", mesh, 1).localShape({64}), (SmallVector<int64_t>{64}));
  Sharding a = canonicalize(parse("[(one, tp*8)]", mesh, 1), {64});
  EXPECT_EQ(toString(a, mesh), "[tp]");
  EXPECT_TRUE(equivalent(parse("[tp*8]", mesh, 1), parse("[tp]", mesh, 1), {64}));
  EXPECT_FALSE(equivalent(parse("[tp*8]", mesh, 1), parse("[tp]", mesh, 1), {48}));
}

TEST(Sharding, TextRoundTrip) {
  Mesh mesh = makeMesh({{"dp", 2}, {"tp", 4}});
  for (llvm::StringRef text : {"[]", "[_, ?]", "[(dp, tp*64), _]", "[(tp, ?)]", "[tp:(2)2] sum(dp)",
                               "[_] sum(dp, tp)", "[_] sum(dp) max(tp)"}) {
    unsigned rank =
        text == "[]" ? 0 : text.take_until([](char c) { return c == ']'; }).count(',') + 1;
    if (text.contains("(dp, tp*64)"))
      rank = 2;
    if (text == "[(tp, ?)]")
      rank = 1;
    EXPECT_EQ(toString(parse(text, mesh, rank), mesh), text.str());
  }
}

TEST(Sharding, BadText) {
  MLIRContext context;
  for (llvm::StringRef text : {"", "[a, ", "[a, a]", "[a]x(b)", "[a*0]", "[a] sum(a)", "[a]>", "a",
                               "[a:(0)2]", "[a:(1)4, a:(2)2]"}) {
    std::string error;
    EXPECT_FALSE(parseSharding(text, &context, error)) << text.str();
    EXPECT_FALSE(error.empty());
  }
}

/// Every element belongs to exactly one block, blocks ascend with the
/// coordinates, and none is larger than the buffer; by brute force over random
/// shardings.
TEST(Sharding, BlocksPartitionTheDimension) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    Mesh mesh = makeMesh({{"a", pick(1, 4)}, {"b", pick(1, 3)}, {"c", 4}});
    DimSharding dim;
    SmallVector<AxisPart> parts = {
        {0, 1, mesh.sizes[0]}, {1, 1, mesh.sizes[1]}, {2, 1, 2}, {2, 2, 2}};
    std::shuffle(parts.begin(), parts.end(), random);
    for (int64_t i = 0, n = pick(0, 4); i < n; ++i)
      dim.cuts.push_back({parts[i], pick(1, 3)});
    int64_t n = pick(0, 40);
    // Devices that differ only in axes that do not cut hold the same block.
    std::map<int64_t, ShardBlock> blocks;
    for (int64_t device = 0; device < mesh.numDevices(); ++device) {
      int64_t index = 0;
      for (const Cut &cut : dim.cuts)
        index = index * cut.part.size + cut.part.coordinate(mesh, device);
      ShardBlock block = dim.block(mesh, n, device);
      EXPECT_LE(block.size, dim.localSize(n));
      EXPECT_GE(block.size, 0);
      auto [it, isNew] = blocks.try_emplace(index, block);
      EXPECT_EQ(it->second, block);
    }
    EXPECT_EQ(static_cast<int64_t>(blocks.size()), dim.count());
    int64_t next = 0;
    for (auto &[index, block] : blocks) {
      EXPECT_EQ(block.offset, next);
      next += block.size;
    }
    EXPECT_EQ(next, n);
  }
}

} // namespace
