//===- LocalOpsTest.cpp - Blocks and padding of a rank in IR ---------------===//

#include "ReshardRunner.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "tp/Transforms/LocalOps.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace {

/// Offset and extent as computed by every rank are those of the algebra; the
/// mask fills all that is past the block and nothing else.
TEST(LocalOps, BlocksAndMasks) {
  std::mt19937 random(3);
  Mesh mesh = makeMesh({{"a", 2}, {"b", 3}, {"c", 4}});
  MLIRContext *context = &getContext();
  Type f32 = Float32Type::get(context);
  for (int trial = 0; trial < 200; ++trial) {
    Sharding sharding = makeSharding(mesh, 2, f32, random).withoutPartial();
    SmallVector<int64_t> shape = {static_cast<int64_t>(random() % 20) + 1,
                                  static_cast<int64_t>(random() % 20) + 1};
    bool onlySecond = random() % 2;
    OpBuilder builder(context);
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
    builder.setInsertionPointToStart(module->getBody());
    MeshOp::create(builder, loc, "mesh", builder.getStrArrayAttr({"a", "b", "c"}), mesh.sizes);
    auto type = RankedTensorType::get(sharding.localShape(shape), f32);
    auto function =
        func::FuncOp::create(builder, loc, "f", builder.getFunctionType(type, TypeRange()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    SmallVector<Value> results;
    for (unsigned d = 0; d < 2; ++d) {
      Value offset = emitBlockOffset(builder, loc, mesh, sharding.dims[d], shape[d]);
      Value extent = emitBlockExtent(builder, loc, mesh, sharding.dims[d], shape[d]);
      EXPECT_EQ(!offset, sharding.dims[d].cuts.empty());
      EXPECT_EQ(!extent, sharding.dims[d].cuts.empty());
      results.push_back(offset ? offset : arith::ConstantIndexOp::create(builder, loc, 0));
      results.push_back(extent ? extent : arith::ConstantIndexOp::create(builder, loc, shape[d]));
    }
    SmallVector<unsigned> dims;
    if (onlySecond)
      dims.push_back(1);
    Value argument = function.getArgument(0);
    Value masked = emitPaddingMask(builder, loc, argument, shape, sharding, mesh,
                                   builder.getF32FloatAttr(7), dims);
    bool even = sharding.dims[1].isEven(shape[1]) && (onlySecond || sharding.isEven(shape));
    EXPECT_EQ(masked == argument, even);
    results.push_back(masked);
    func::ReturnOp::create(builder, loc, results);
    function.setType(builder.getFunctionType(type, ValueRange(results).getTypes()));
    ASSERT_TRUE(succeeded(verify(*module)));

    interp::Tensor local(type.getShape(), f32, interp::Element::ofFloat(1));
    std::vector<std::vector<interp::Tensor>> arguments(mesh.numDevices(), {local});
    interp::InterpreterOptions options;
    options.mesh = mesh;
    options.poison = true;
    auto values = interp::interpret(function, arguments, options);
    ASSERT_TRUE(succeeded(values));
    for (int64_t device = 0; device < mesh.numDevices(); ++device) {
      const std::vector<interp::Tensor> &found = (*values)[device];
      SmallVector<ShardBlock> blocks = sharding.blocks(mesh, shape, device);
      for (unsigned d = 0; d < 2; ++d) {
        EXPECT_EQ(found[2 * d].getScalar().i, blocks[d].offset);
        EXPECT_EQ(found[2 * d + 1].getScalar().i, blocks[d].size);
      }
      (void)interp::forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
        bool padding = (!onlySecond && index[0] >= blocks[0].size) || index[1] >= blocks[1].size;
        EXPECT_EQ(found[4].at(index).f, padding ? 7 : 1);
        return success();
      });
    }
  }
}

TEST(PaddingFact, WhatItServesAndSurvives) {
  Type f32 = Float32Type::get(&getContext()), i32 = IntegerType::get(&getContext(), 32);
  PaddingFact zero = PaddingFact::zero(), lowest = PaddingFact::lowest();
  auto neutral = [](ReductionKind kind) { return PaddingFact::neutral(kind); };
  EXPECT_TRUE(zero.satisfies(neutral(ReductionKind::Sum), f32));
  EXPECT_TRUE(zero.satisfies(neutral(ReductionKind::Or), i32));
  EXPECT_TRUE(zero.satisfies(neutral(ReductionKind::MaxU), i32));
  EXPECT_FALSE(zero.satisfies(neutral(ReductionKind::Max), i32));
  EXPECT_FALSE(zero.satisfies(neutral(ReductionKind::Mul), f32));
  EXPECT_TRUE(lowest.satisfies(neutral(ReductionKind::Max), f32));
  EXPECT_TRUE(PaddingFact::undefined().satisfies(PaddingFact::undefined(), f32));
  EXPECT_FALSE(PaddingFact::undefined().satisfies(zero, f32));
  EXPECT_TRUE(zero.satisfies(PaddingFact::undefined(), f32));

  EXPECT_TRUE(zero.survives(ReductionKind::Sum, f32));
  EXPECT_TRUE(zero.survives(ReductionKind::Mul, f32));
  EXPECT_TRUE(zero.survives(ReductionKind::Max, f32));
  EXPECT_TRUE(lowest.survives(ReductionKind::Max, f32));
  EXPECT_TRUE(lowest.survives(ReductionKind::Min, f32));
  EXPECT_FALSE(lowest.survives(ReductionKind::Sum, i32));
  EXPECT_FALSE(neutral(ReductionKind::Mul).survives(ReductionKind::Sum, f32));
  EXPECT_TRUE(neutral(ReductionKind::Mul).survives(ReductionKind::Mul, f32));
  EXPECT_FALSE(PaddingFact::undefined().survives(ReductionKind::Max, f32));
}

} // namespace
