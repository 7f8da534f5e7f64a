//===- EmbeddingModel.h - The entry of an embedding model -------*- C++ -*-===//

#ifndef LIB_IMPORT_EMBEDDINGMODEL_H
#define LIB_IMPORT_EMBEDDINGMODEL_H

#include "EntryWriter.h"
#include "SentenceModules.h"

namespace mlir {
namespace tp {

/// All that the entry is made of; embeddings are f32.
struct EmbeddingModel : ImportedProgram {
  EmbeddingModel(ImportedProgram program, const SentenceModules &modules, int64_t seq,
                 int64_t width)
      : ImportedProgram(std::move(program)), modules(modules), seq(seq), width(width) {}

  SentenceModules modules;
  int64_t seq, width;
};

/// The module with `encode`.
OwningOpRef<ModuleOp> buildEmbeddingModel(const EmbeddingModel &model, MLIRContext *context);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_EMBEDDINGMODEL_H
