//===- TestPrograms.cpp ----------------------------------------------------===//

#include "TestPrograms.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Plan/Plan.h"
#include "tp/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

TestProgram test::makeRandomProgram(uint64_t seed, MLIRContext *context) {
  fuzz::Choices choices(seed);
  fuzz::RandomProgram random = fuzz::makeRandomProgram(choices);
  TestProgram program;
  program.name = "random " + std::to_string(seed);
  program.entries = random.entries;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(random.text, context, program.name);
  if (!module)
    return program;
  if (!random.shapes.empty()) {
    BindShapesPassOptions bind;
    llvm::append_range(bind.shapes, random.shapeOptions());
    PassManager pm(context);
    pm.addPass(createBindShapesPass(bind));
    if (failed(pm.run(*module)))
      return program;
  }
  OwningOpRef<ModuleOp> original = module->clone();
  FailureOr<Plan> plan = parsePlan(random.plan.toJson(), program.name, context);
  if (failed(plan) || failed(applyPlan(*module, *plan)))
    return program;
  program.original = std::move(original);
  program.module = std::move(module);
  return program;
}

LogicalResult test::partition(ModuleOp module, const PhaseOptions &options) {
  PassManager pm(module.getContext());
  buildPlanPipeline(pm, options);
  buildReshardPipeline(pm, options);
  buildPartitionPipeline(pm, options);
  buildOptimizeCommPipeline(pm, options);
  return pm.run(module);
}
