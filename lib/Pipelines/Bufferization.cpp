//===- Bufferization.cpp - What all targets lower alike --------------------===//

#include "Bufferization.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tp/Conversion/Passes.h"
#include "tp/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tp;

void tp::buildBufferizationPipeline(OpPassManager &pm, bool deferChecks,
                                    function_ref<void(OpPassManager &)> fitCollectives) {
  pm.addPass(createDecomposeNNPass());
  pm.addPass(createBlockScansPass());
  pm.addPass(createConvertCommToRTPass());
  if (fitCollectives)
    fitCollectives(pm);
  // Equal indices first, so that each is checked once.
  pm.addPass(createCSEPass());
  InsertBoundsChecksPassOptions checks;
  checks.deferred = deferChecks;
  pm.addPass(createInsertBoundsChecksPass(checks));
  pm.addPass(createDropEmptyValuesPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createDetachDestinationsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createFuseElementwisePass());
  // Buffers. No CSE before bufferization is done: it would merge destinations.
  pm.addPass(createBufferizePass());
  pm.addPass(createForwardBranchResultsPass());
  pm.addPass(createDropResultsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createRemarkStateCopiesPass());
}
