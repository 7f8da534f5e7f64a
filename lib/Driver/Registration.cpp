//===- Registration.cpp ----------------------------------------------------===//

#include "tp/Driver/Registration.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "dialects/TP/TP.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "tp/Conversion/Passes.h"
#include "tp/Conversion/ToKernels/BufferizeNN.h"
#include "tp/Conversion/ToKernels/Passes.h"
#include "tp/Explain/Passes.h"
#include "tp/Interfaces/ShardingModels.h"
#include "tp/Pipelines/CPU.h"
#include "tp/Pipelines/CUDA.h"
#include "tp/Pipelines/Pipelines.h"
#include "tp/Plan/Passes.h"
#include "tp/Transforms/Passes.h"
#include "tp/Verify/Passes.h"

using namespace mlir;

void tp::registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<TPDialect, comm::CommDialect, nn::NNDialect, rt::RTDialect>();
  registerNNBufferizationModels(registry);
  registerLinalgShardingModels(registry);
  registerTensorShardingModels(registry);
  registerArithShardingModels(registry);
  registerRTBufferization(registry);
}

void tp::registerEverything(DialectRegistry &registry) {
  registerDialects(registry);
  registerAllPasses();
  registerExplainPasses();
  registerPlanPasses();
  registerToKernelsPasses();
  registerConversionPasses();
  registerTransformsPasses();
  registerVerifyPasses();
  registerPipelines();
  registerCPUPipelines();
  registerCUDAPipelines();
}
