//===- ReshardPathTest.cpp - Reshard paths that are known ------------------===//

#include "ReshardRunner.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace {

struct KnownPath {
  const char *from, *to, *moves;
  int64_t bytes;
};

void expectPaths(const Mesh &mesh, ArrayRef<int64_t> shape, ArrayRef<KnownPath> paths) {
  for (const KnownPath &known : paths) {
    ReshardPath path = findReshardPath(mesh, shape, 4, parse(known.from, mesh, shape.size()),
                                       parse(known.to, mesh, shape.size()), Hardware());
    EXPECT_EQ(describe(path), known.moves) << known.from << " -> " << known.to;
    EXPECT_EQ(path.bytes, known.bytes) << known.from << " -> " << known.to;
  }
}

TEST(ReshardPath, OneAxis) {
  expectPaths(makeMesh({{"x", 4}}), {16, 16},
              {{"[_, _]", "[_, _]", "", 0},
               {"[x, _]", "[x, _]", "", 0},
               {"[_, _]", "[x, _]", "slice", 0},
               {"[_, _]", "[_, _] sum(x)", "mask", 0},
               {"[x, _]", "[_, _]", "all-gather", 768},
               {"[_, _] sum(x)", "[_, _]", "all-reduce", 1536},
               {"[_, _] sum(x)", "[_, x]", "reduce-scatter", 768},
               {"[x, _]", "[_, x]", "all-to-all", 192},
               {"[x, _]", "[x*8, _]", "re-block", 512},
               {"[_, _] sum(x)", "[_, _] max(x)", "all-reduce, mask", 1536}});
}

TEST(ReshardPath, TwoAxes) {
  expectPaths(makeMesh({{"x", 2}, {"y", 2}}), {16, 16},
              {{"[(x, y), _]", "[_, _]", "all-gather", 768},
               {"[(x, y), _]", "[x, _]", "all-gather", 256},
               {"[(x, y), _]", "[(y, x), _]", "permute", 256},
               {"[x, _]", "[y, _]", "permute", 512},
               {"[x, y]", "[y, x]", "permute", 256},
               {"[_, _] sum(x, y)", "[_, _]", "all-reduce", 1536},
               {"[_, _] sum(x)", "[y, _] sum(x)", "slice", 0},
               {"[_, _] sum(x)", "[y, _]", "slice, all-reduce", 512},
               {"[_, _] sum(x, y)", "[(x, y), _]", "reduce-scatter", 768},
               {"[x, _]", "[(x, y), _]", "slice", 0},
               {"[x, _]", "[_, (x, y)]", "all-to-all", 128},
               {"[_, _] sum(x)", "[_, (x, y)]", "reduce-scatter", 256},
               {"[_, _] sum(x)", "[_, (y, x)]", "slice, reduce-scatter", 256}});
}

// The trap of XLA's partitioner: no rank may gather the value.
TEST(ReshardPath, NeverReplicatesOnTheWay) {
  Mesh mesh = makeMesh({{"x", 4}, {"y", 2}});
  ReshardPath path = findReshardPath(mesh, {16, 16, 16}, 4, parse("[y, _, x]", mesh, 3),
                                     parse("[_, (x, y), _]", mesh, 3), Hardware());
  EXPECT_EQ(describe(path), "all-to-all");
  EXPECT_EQ(path.bytes, 512 * 4 * 7 / 8);
}

TEST(ReshardPath, SubAxesMeetWholeAxes) {
  Mesh mesh = makeMesh({{"x", 4}});
  expectPaths(mesh, {16},
              {{"[x]", "[(x:(1)2, x:(2)2)]", "", 0},
               {"[x]", "[x:(1)2]", "all-gather", 16},
               {"[x:(1)2]", "[x]", "slice", 0}});
  // 7 over 4 is 2, 2, 2, 1; over 2 and 2 it is 4 = 2 + 2 and 3 = 2 + 1: the same.
  expectPaths(mesh, {7}, {{"[x]", "[(x:(1)2, x:(2)2)]", "", 0}});
  // 5 over 4 is 2, 2, 1, 0; over 2 and 2 it is 3 = 2 + 1 and 2 = 1 + 1.
  expectPaths(mesh, {5}, {{"[x]", "[(x:(1)2, x:(2)2)]", "re-block", 4}});
}

// An axis that cuts above those that change places does not take part.
TEST(ReshardPath, PermuteGroupsAreSmall) {
  Mesh mesh = makeMesh({{"x", 3}, {"y", 2}, {"z", 2}});
  ReshardPath path = findReshardPath(mesh, {24}, 4, parse("[(x, y, z)]", mesh, 1),
                                     parse("[(x, z, y)]", mesh, 1), Hardware());
  ASSERT_EQ(describe(path), "permute");
  EXPECT_EQ(path.steps[0].parts, (SmallVector<AxisPart>{{1, 1, 2}, {2, 1, 2}}));
  EXPECT_EQ(path.steps[0].sources, (SmallVector<int32_t, 0>{0, 2, 1, 3}));
}

TEST(ReshardPath, Scalars) {
  expectPaths(makeMesh({{"x", 2}}), {},
              {{"[] sum(x)", "[]", "all-reduce", 4}, {"[]", "[] max(x)", "mask", 0}});
}

TEST(ReshardPath, AxesOfOneRankAreNothing) {
  expectPaths(makeMesh({{"x", 1}, {"y", 2}}), {8},
              {{"[x]", "[_]", "", 0}, {"[_] sum(x)", "[x]", "", 0}});
}

TEST(ReshardPath, CostsAreRemembered) {
  Mesh mesh = makeMesh({{"x", 4}});
  Hardware hardware;
  ReshardCosts costs(mesh, hardware);
  Sharding cut = parse("[x]", mesh, 1), whole = parse("[_]", mesh, 1);
  double expected = hardware.microseconds(1, 3 * 1024);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, cut, whole), expected);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, cut, whole), expected);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, whole, cut), 0);
}

} // namespace
