//===- PropagationTest.cpp - Order and addresses of ops do not matter ------===//

#include "tp/Analysis/Propagation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "tp/Driver/Registration.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::tp;

namespace {

// Two branches that meet, with annotations that disagree: axes come from several
// sides and compete.
constexpr const char *kProgram = R"mlir(
tp.mesh @mesh <"dp"=2, "tp"=2>
func.func @f(%x: tensor<8x16xf32> {tp.sharding = #tp.sharding<[dp, ?]>}, %a: tensor<16x16xf32> {tp.sharding = #tp.sharding<[_, tp]>},
             %b: tensor<16x16xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %c: tensor<16x16xf32>, %d: tensor<8x16xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<8x16xf32>, tensor<16x8xf32> {tp.sharding = #tp.sharding<[dp, _]>}) {
  %e0 = tensor.empty() : tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<8x16xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %e3 = tensor.empty() : tensor<16x8xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = math.tanh %0 : tensor<8x16xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e1 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.matmul ins(%d, %c : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = math.exp %3 : tensor<8x16xf32>
  %5 = arith.addf %2, %4 : tensor<8x16xf32>
  %6 = arith.mulf %5, %x : tensor<8x16xf32>
  %7 = linalg.transpose ins(%6 : tensor<8x16xf32>) outs(%e3 : tensor<16x8xf32>) permutation = [1, 0]
  %8 = math.absf %7 : tensor<16x8xf32>
  return %5, %8 : tensor<8x16xf32>, tensor<16x8xf32>
}
)mlir";

/// Puts the ops of the block into a random order in which values come before
/// their uses.
void shuffle(Block &block, std::mt19937 &random) {
  llvm::SmallPtrSet<Operation *, 32> placed;
  while (true) {
    SmallVector<Operation *> ready;
    for (Operation &op : block.without_terminator()) {
      bool isReady = llvm::all_of(op.getOperands(), [&](Value v) {
        return !v.getDefiningOp() || placed.contains(v.getDefiningOp());
      });
      if (!placed.contains(&op) && isReady)
        ready.push_back(&op);
    }
    if (ready.empty())
      return;
    Operation *op = ready[std::uniform_int_distribution<size_t>(0, ready.size() - 1)(random)];
    op->moveBefore(block.getTerminator());
    placed.insert(op);
  }
}

/// Propagates through the program with its ops in 50 orders.
void checkOrders(StringRef program) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::mt19937 random(3);
  std::vector<std::string> expected;
  for (int trial = 0; trial < 50; ++trial) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    std::vector<Operation *> ops;
    for (Operation &op : function.getBody().front().without_terminator())
      ops.push_back(&op);
    if (trial > 0)
      shuffle(function.getBody().front(), random);
    Propagation propagation(*module, getMesh(lookupMesh(*module)));
    ASSERT_TRUE(succeeded(propagation.joinValues()));
    propagation.run();
    propagation.annotate(/*explain=*/false);
    std::vector<std::string> found;
    for (Operation *op : ops) {
      std::string text;
      llvm::raw_string_ostream(text) << op->getAttr(kShardingAttr) << op->getAttr(kCutPriorityAttr);
      found.push_back(text);
    }
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      std::string text;
      llvm::raw_string_ostream(text) << function.getArgAttr(i, kShardingAttr);
      found.push_back(text);
    }
    if (trial == 0)
      expected = found;
    EXPECT_EQ(found, expected) << "trial " << trial;
  }
}

TEST(Propagation, DoesNotDependOnTheOrderOfOps) { checkOrders(kProgram); }

TEST(Propagation, DoesNotDependOnTheOrderOfOpsWithPriorities) {
  // Of the first argument, then of the last and of the result.
  for (StringRef sharding : {"<[dp, ?]>", "<[tp, _]>})", "<[dp, _]>"}) {
    std::string program = kProgram;
    size_t at = program.find(sharding.str());
    ASSERT_NE(at, std::string::npos) << sharding.str();
    program.insert(program.find('>', at) + 1, ", tp.priority = 1 : i64");
    checkOrders(program);
  }
}

TEST(Propagation, DoesNotDependOnAddresses) {
  // One body again and again: tables that are hashed by its values differ.
  std::string program = R"mlir(
func.func @f(%x: tensor<4x6xf32>, %init: tensor<4xf32>) {
)mlir";
  constexpr int kCopies = 256;
  for (int i = 0; i < kCopies; ++i)
    program += R"mlir(
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %less = arith.cmpf olt, %in, %out : f32
    %least = arith.select %less, %in, %out : f32
    linalg.yield %least : f32
  } -> tensor<4xf32>
)mlir";
  program += "  return\n}\n";
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  ASSERT_TRUE(module);
  int numReduced = 0;
  module->walk([&](linalg::GenericOp op) {
    FailureOr<ShardingRule> rule = cast<ShardingRuleOpInterface>(*op).getShardingRule();
    numReduced += succeeded(rule) && rule->factors[1].kind == FactorKind::Candidate;
  });
  EXPECT_EQ(numReduced, kCopies);
}

} // namespace
