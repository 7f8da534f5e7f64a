//===- FaultsTest.cpp - What is said where a part of tp is at fault --------===//
//
// No user meets these messages unless something of ours is wrong: an op of a dialect is
// lowered by nothing, LLVM gives up, a random program or its partition is no program. Here
// it is made wrong.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Driver/Fuzz/Trial.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Conversion/Passes.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Driver/Registration.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;

namespace {

class Faults : public testing::Test {
protected:
  Faults() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
    registerPassManagerCLOptions();
  }

  /// The first error of a pass on an entry with nothing but this op.
  std::string errorFor(StringRef op, std::unique_ptr<Pass> pass) {
    OpBuilder builder(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                                         builder.getFunctionType({}, {}));
    function->setAttr(rt::kEntryAttr, builder.getUnitAttr());
    function->setAttr(rt::kResultsAttr, builder.getArrayAttr({}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    builder.create(OperationState(builder.getUnknownLoc(), op, {}, builder.getIndexType()));
    func::ReturnOp::create(builder, builder.getUnknownLoc());
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
      return success();
    });
    PassManager pm(&context);
    pm.addPass(std::move(pass));
    EXPECT_TRUE(failed(pm.run(*module)));
    return error;
  }

  /// What comes of a program of one function that gets a vector of 4 elements.
  std::string tryOut(StringRef body, std::function<void(RandomProgram &)> change = {},
                     std::function<void(ModuleOp)> spoil = {}) {
    RandomProgram program;
    program.text = ("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + body + "\n}\n").str();
    program.plan.mesh = {{"a", 2}};
    program.plan.shard = {{"f.arg0", "[a]"}};
    program.entries = {{"f", {InputValues()}, {0}}};
    if (change)
      change(program);
    TrialOptions options;
    options.spoil = spoil;
    // Without notes.
    return StringRef(runTrial(context, program, options, [](StringRef) {}).message)
        .split('\n')
        .first.str();
  }

  MLIRContext context;
};

constexpr char kDouble[] = R"(
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>)";

TEST_F(Faults, OpsWithoutALowering) {
  EXPECT_EQ(errorFor("comm.unknown", createConvertCommToRTPass()),
            "'comm.unknown' op has no counterpart in the runtime");
  EXPECT_EQ(errorFor("rt.unknown", createConvertRTToLLVMPass()),
            "'rt.unknown' op has no lowering to LLVM");
}

TEST_F(Faults, LLVMGivesUp) {
  auto giveUp = [] {
    reportFatalErrors();
    llvm::report_fatal_error("no register\nis left");
  };
  EXPECT_EXIT(giveUp(), testing::ExitedWithCode(int(ExitStatus::RunFailure)),
              "^error: LLVM cannot go on: no register");
}

TEST_F(Faults, RandomProgramsThatAreNone) {
  EXPECT_EQ(tryOut(kDouble), "");
  EXPECT_EQ(tryOut("return %y : tensor<4xf32>"),
            "the generated program does not parse: program.mlir:2:8: error: use of undeclared "
            "SSA value name");
  EXPECT_EQ(tryOut(R"(
  %c9 = arith.constant 9 : index
  %e = tensor.extract %x[%c9] : tensor<4xf32>
  %y = tensor.splat %e : tensor<4xf32>
  return %y : tensor<4xf32>)"),
            "the unsharded program does not run: program.mlir:4:8: error: 'tensor.extract' op "
            "index along dimension 0 is 9, outside [0, 4)");
  EXPECT_EQ(tryOut(kDouble, [](RandomProgram &p) { p.shapes = {{"g.x", "4"}}; }),
            "refused without a place: --shape: error: \"g.x\" names no argument of an entry");
}

TEST_F(Faults, PartitionedProgramsThatAreWrong) {
  EXPECT_EQ(tryOut(kDouble, {},
                   [](ModuleOp module) {
                     module.walk([](func::FuncOp f) { f.removeArgAttr(0, "tp.sharding"); });
                   }),
            "the checker fails: program.mlir:1:1: error: argument 0 of @f has no tp.sharding: the "
            "module is not partitioned");
  constexpr char kElement[] = R"(
  %c1 = arith.constant 1 : index
  %e = tensor.extract %x[%c1] : tensor<4xf32>
  %y = tensor.splat %e : tensor<4xf32>
  return %y : tensor<4xf32>)";
  auto keepWhole = [](RandomProgram &p) { p.plan.shard = {{"f.arg0", "[_]"}}; };
  EXPECT_EQ(tryOut(kElement, keepWhole), "");
  EXPECT_EQ(tryOut(kElement, keepWhole,
                   [](ModuleOp module) {
                     module.walk([](arith::ConstantIndexOp c) {
                       c.setValueAttr(IntegerAttr::get(c.getType(), 9));
                     });
                   }),
            "the partitioned program does not run: program.mlir:4:8: error: 'tensor.extract' op on "
            "rank 0: index along dimension 0 is 9, outside [0, 4)");
  EXPECT_EQ(tryOut(kDouble, {},
                   [](ModuleOp module) {
                     module.walk([](arith::AddFOp add) {
                       OpBuilder builder(add);
                       add.replaceAllUsesWith(
                           arith::MulFOp::create(builder, add.getLoc(), add.getLhs(), add.getRhs())
                               .getResult());
                     });
                   }),
            "result0 differs at [0]: 0.0625, unsharded it is 0.5");
}

} // namespace
