//===- CUDA.cpp - Lowering to CUDA devices, as a pipeline ------------------===//

#include "tp/Pipelines/CUDA.h"

#include "Bufferization.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tp/Conversion/Passes.h"
#include "tp/Conversion/ToKernels/Passes.h"
#include "tp/Verify/Passes.h"

using namespace mlir;
using namespace mlir::tp;

void tp::buildCommToDevicePipeline(OpPassManager &pm, const CommToDeviceOptions &options) {
  // What is computed: nn ops that the library has a kernel for, everything else in linalg.
  SelectKernelsPassOptions select;
  select.device = true;
  pm.addPass(createSelectKernelsPass(select));
  buildBufferizationPipeline(pm, /*deferChecks=*/true, [](OpPassManager &inner) {
    inner.addPass(createFitReductionsToNcclPass());
  });
  ConvertContractionsToRTPassOptions contractions;
  contractions.minMultiplications = options.minMultiplications;
  contractions.tf32 = options.tf32;
  pm.addPass(createConvertContractionsToRTPass(contractions));
  pm.addPass(createFuseGemmEpiloguesPass());
  pm.addPass(createFuseKernelCallsPass());
  pm.addPass(createJoinLaunchesPass());
  OutlineDeviceKernelsPassOptions kernels;
  kernels.images.assign(options.images.begin(), options.images.end());
  pm.addPass(createOutlineDeviceKernelsPass(kernels));
  pm.addPass(createOverlapCollectivesPass());
  pm.addPass(createPlanArenaPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.verify)
    pm.addPass(createVerifyRTPass());
}

void tp::registerCUDAPipelines() {
  PassPipelineRegistration<CommToDeviceOptions>(
      "tp-lower-to-device-pipeline",
      "from local tensor programs with collectives to entries on the host and kernels of a device",
      buildCommToDevicePipeline);
}
