//===- Bufferize.cpp - From tensors to buffers -----------------------------===//

#include "tp/Conversion/Passes.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tp {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

void buildPipeline(OpPassManager &pm, bool copyFirst) {
  ResultsToDestinationsPassOptions results;
  results.copyFirst = copyFirst;
  pm.addPass(createResultsToDestinationsPass(results));
  PrepareBufferizationPassOptions prepare;
  prepare.copyFirst = copyFirst;
  pm.addPass(createPrepareBufferizationPass(prepare));
  // What is computed in a destination may be in the way of another value.
  if (!copyFirst)
    pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
}

struct BufferizePass : tp::impl::BufferizePassBase<BufferizePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> original = module.clone();
    OpPassManager inPlace(ModuleOp::getOperationName()), copying(ModuleOp::getOperationName());
    buildPipeline(inPlace, /*copyFirst=*/false);
    buildPipeline(copying, /*copyFirst=*/true);
    std::optional<Location> problem;
    {
      // An error of the first try is one of the second, too, unless that succeeds.
      ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (!problem)
          problem = diagnostic.getLocation();
        return success();
      });
      if (succeeded(runPipeline(inPlace, module)))
        return;
    }
    module.getBodyRegion().takeBody(original->getBodyRegion());
    module->setAttrs(original->getOperation()->getAttrDictionary());
    if (failed(runPipeline(copying, module)))
      return signalPassFailure();
    emitRemark(problem.value_or(module.getLoc()))
        << "values that loops and conditionals hand on are copied: no order was found in which "
           "all of them are in place";
  }
};

} // namespace
