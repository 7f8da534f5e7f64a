//===- LanguageModel.h - Entries of a language model ------------*- C++ -*-===//

#ifndef LIB_IMPORT_LANGUAGEMODEL_H
#define LIB_IMPORT_LANGUAGEMODEL_H

#include "EntryWriter.h"

namespace mlir {
namespace tp {

/// All that the entries are made of; logits are f32.
struct LanguageModel : ImportedProgram {
  explicit LanguageModel(ImportedProgram program) : ImportedProgram(std::move(program)) {}

  int64_t chunk = 1, maxSeq = 1;
  int64_t bos = -1; ///< -1: the model has none.
  SmallVector<int64_t> eos = {};
  bool allLogits = false; ///< Whether there is a `score`.
};

/// The module with `prefill`, `decode` and, if wanted, `score`.
OwningOpRef<ModuleOp> buildLanguageModel(const LanguageModel &model, MLIRContext *context);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_LANGUAGEMODEL_H
