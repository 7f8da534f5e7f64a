//===- Bufferization.h - What all targets lower alike ----------*- C++ -*-===//

#ifndef TP_PIPELINES_BUFFERIZATION_H
#define TP_PIPELINES_BUFFERIZATION_H

namespace mlir {
class OpPassManager;
namespace tp {

/// From the comm phase to structured ops, copies and runtime collectives on buffers;
/// nn ops that are marked to stay whole do.
void buildBufferizationPipeline(OpPassManager &pm);

} // namespace tp
} // namespace mlir

#endif // TP_PIPELINES_BUFFERIZATION_H
