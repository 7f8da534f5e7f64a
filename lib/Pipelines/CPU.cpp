//===- CPU.cpp - Lowering to the CPU, as pipelines -------------------------===//

#include "tp/Pipelines/CPU.h"
#include "Bufferization.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tp/Conversion/Passes.h"
#include "tp/Conversion/ToKernels/Passes.h"
#include "tp/Transforms/Passes.h"
#include "tp/Verify/Passes.h"

using namespace mlir;
using namespace mlir::tp;

void tp::buildCommToRTPipeline(OpPassManager &pm, const CommToRTOptions &options) {
  // What is computed: nn ops with a kernel, everything else in linalg.
  pm.addPass(createSelectKernelsPass());
  buildBufferizationPipeline(pm);
  // Library calls, kernels, the arena.
  ConvertToKernelsPassOptions kernels;
  kernels.vectorBits = options.vectorBits;
  kernels.bf16Dot = options.bf16Dot;
  pm.addPass(createConvertToKernelsPass(kernels));
  ConvertContractionsToRTPassOptions contractions;
  contractions.minMultiplications = options.minMultiplications;
  pm.addPass(createConvertContractionsToRTPass(contractions));
  pm.addPass(createOutlineKernelsPass());
  pm.addPass(createPlanArenaPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.verify)
    pm.addPass(createVerifyRTPass());
}

void tp::buildRTToLLVMPipeline(OpPassManager &pm) {
  // Scalar code of kernels. bf16 is emulated on every CPU, but for the products of
  // pairs that matrix-vector kernels use where the CPU has them.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  SmallVector<std::string> narrow = {"bf16"};
  emulate.sourceTypeStrs = narrow;
  emulate.targetTypeStr = "f32";
  pm.addPass(createExpandMathPass());
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  math::MathExpandOpsPassOptions expandMath;
  expandMath.opMnemonics = {"rsqrt"};
  pm.addPass(math::createMathExpandOpsPass(expandMath));
  // Powers of integers are loops.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addPass(createConvertRTToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vector;
  vector.x86Vector = true;
  vector.reassociateFPReductions = true;
  pm.addPass(createConvertVectorToLLVMPass(vector));
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
}

void tp::registerCPUPipelines() {
  PassPipelineRegistration<CommToRTOptions>(
      "tp-lower-to-rt-pipeline",
      "from local tensor programs with collectives to runtime operations and kernels",
      buildCommToRTPipeline);
  PassPipelineRegistration<>("tp-lower-to-llvm-pipeline",
                             "from runtime operations and kernels to the LLVM dialect",
                             buildRTToLLVMPipeline);
}
