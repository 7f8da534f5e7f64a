//===- Pipelines.cpp -------------------------------------------------------===//

#include "tp/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tp/Transforms/Passes.h"
#include "tp/Verify/Passes.h"

using namespace mlir;
using namespace mlir::tp;

void tp::buildSourcePipeline(OpPassManager &pm) {
  pm.addPass(createMakeSignlessPass());
  pm.addPass(createPreparePass());
  pm.addNestedPass<func::FuncOp>(createRaiseGenericsPass());
}

void tp::buildPlanPipeline(OpPassManager &pm, const PhaseOptions &options) {
  buildSourcePipeline(pm);
  PropagatePassOptions propagate;
  propagate.explain = options.explain;
  pm.addPass(createPropagatePass(propagate));
  if (options.verify)
    pm.addPass(createVerifyPlanPass());
}

void tp::buildReshardPipeline(OpPassManager &pm, const PhaseOptions &options) {
  pm.addNestedPass<func::FuncOp>(createDecomposeWindowsPass());
  pm.addNestedPass<func::FuncOp>(createInsertReshardsPass());
  pm.addNestedPass<func::FuncOp>(createHoistReshardsPass());
  pm.addNestedPass<func::FuncOp>(createPlaceReductionsPass());
  if (options.verify)
    pm.addPass(createVerifyReshardPass());
}

void tp::buildPartitionPipeline(OpPassManager &pm, const PhaseOptions &options) {
  PartitionPassOptions partition;
  partition.poison = options.poison;
  pm.addPass(createPartitionPass(partition));
  if (options.verify)
    pm.addPass(createVerifyPartitionPass());
}

void tp::buildOptimizeCommPipeline(OpPassManager &pm, const PhaseOptions &options) {
  // Regions have one block, and what is dead is merged away below.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass(config));
  // First what leaves loops: before one, collectives meet others that they equal or
  // join. Equal ones are merged before uses are counted.
  pm.addNestedPass<func::FuncOp>(createHoistCollectivesPass());
  pm.addNestedPass<func::FuncOp>(createSinkReductionsPass());
  pm.addNestedPass<func::FuncOp>(createMergeCollectivesPass());
  pm.addNestedPass<func::FuncOp>(createNarrowTransfersPass());
  // A sum of reductions may be sliced, a sum of slices is none.
  pm.addNestedPass<func::FuncOp>(createJoinReductionsPass());
  pm.addNestedPass<func::FuncOp>(createSliceCollectivesPass());
  if (!options.reduceDtype.empty()) {
    NarrowReductionsPassOptions narrow;
    narrow.dtype = options.reduceDtype;
    pm.addPass(createNarrowReductionsPass(narrow));
  }
  // Last, when it is known which collectives there are and of which type.
  pm.addNestedPass<func::FuncOp>(createCombineCollectivesPass());
  if (options.verify)
    pm.addPass(createVerifyCommPass());
}

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<bool> explain{*this, "explain", llvm::cl::desc("write tp.why beside each sharding")};
  Option<bool> poison{*this, "poison",
                      llvm::cl::desc("fill padding of undefined content with NaN")};
  Option<std::string> reduceDtype{*this, "reduce-dtype",
                                  llvm::cl::desc("element type to sum over ranks in where sums are "
                                                 "rounded to it anyway: bf16, f16 or f32")};
  Option<bool> verify{*this, "verify", llvm::cl::desc("check what each phase guarantees"),
                      llvm::cl::init(true)};

  PhaseOptions get() const { return {explain, poison, reduceDtype, verify}; }
};

void registerPhase(StringRef name, StringRef description,
                   void (*build)(OpPassManager &, const PhaseOptions &)) {
  PassPipelineRegistration<PipelineOptions>(
      name, description,
      [build](OpPassManager &pm, const PipelineOptions &options) { build(pm, options.get()); });
}

} // namespace

void tp::registerPipelines() {
  registerPhase("tp-plan-pipeline", "annotated source -> every value has a sharding",
                buildPlanPipeline);
  registerPhase("tp-reshard-pipeline", "plan -> explicit reshards, reductions placed",
                buildReshardPipeline);
  registerPhase("tp-partition-pipeline", "reshard -> local values and collectives",
                buildPartitionPipeline);
  registerPhase("tp-optimize-comm-pipeline", "partition -> fewer and smaller collectives",
                buildOptimizeCommPipeline);
}
