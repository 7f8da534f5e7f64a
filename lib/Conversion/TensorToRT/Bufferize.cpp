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
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

/// A view that takes steps and drops dimensions does one after the other: which ones are
/// dropped is told by strides, among which those of steps are not found.
void stepBeforeDropping(ModuleOp module) {
  module.walk([](memref::SubViewOp view) {
    unsigned rank = view.getSourceType().getRank();
    bool isPlain = llvm::all_of(view.getMixedStrides(), isOneInteger);
    if (view.getType().getRank() == rank || isPlain)
      return;
    OpBuilder builder(view);
    auto stepped =
        memref::SubViewOp::create(builder, view.getLoc(), view.getSource(), view.getMixedOffsets(),
                                  view.getMixedSizes(), view.getMixedStrides());
    SmallVector<OpFoldResult> zeros(rank, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(rank, builder.getIndexAttr(1));
    auto dropped =
        memref::SubViewOp::create(builder, view.getLoc(), cast<MemRefType>(view.getType()), stepped,
                                  zeros, view.getMixedSizes(), ones);
    view.replaceAllUsesWith(dropped.getResult());
    view.erase();
  });
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
        return stepBeforeDropping(module);
    }
    module.getBodyRegion().takeBody(original->getBodyRegion());
    module->setAttrs(original->getOperation()->getAttrDictionary());
    if (failed(runPipeline(copying, module)))
      return signalPassFailure();
    stepBeforeDropping(module);
    emitRemark(problem.value_or(module.getLoc()))
        << "values that loops and conditionals hand on are copied: no order was found in which "
           "all of them are in place";
  }
};

} // namespace
