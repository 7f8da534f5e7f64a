//===- Bufferization.h - What all targets lower alike ----------*- C++ -*-===//

#ifndef TP_PIPELINES_BUFFERIZATION_H
#define TP_PIPELINES_BUFFERIZATION_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class OpPassManager;
namespace tp {

/// From the comm phase to structured ops, copies and runtime collectives on buffers;
/// nn ops that are marked to stay whole do. With `deferChecks` checks of indices may be
/// told later; `fitCollectives` adds passes that bring collectives on tensors into the
/// form that the target has.
void buildBufferizationPipeline(OpPassManager &pm, bool deferChecks = false,
                                llvm::function_ref<void(OpPassManager &)> fitCollectives = {});

} // namespace tp
} // namespace mlir

#endif // TP_PIPELINES_BUFFERIZATION_H
