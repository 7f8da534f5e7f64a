//===- LanguageModel.h - Entries of a language model ------------*- C++ -*-===//

#ifndef LIB_IMPORT_LANGUAGEMODEL_H
#define LIB_IMPORT_LANGUAGEMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tp/Import/Family.h"

namespace mlir {
namespace tp {

/// A parameter or a state of the program.
struct ProgramValue {
  std::string name, role;
  RankedTensorType type;
  DictionaryAttr source; ///< Null for a state.
};

/// All that the entries are made of.
struct LanguageModel {
  LanguageModel(const Family &family, Type element) : family(family), element(element) {}

  const Family &family;
  Type element; ///< Of parameters, states and activations; logits are f32.
  std::vector<ProgramValue> parameters = {}, states = {};
  int64_t batch = 1, chunk = 1, maxSeq = 1, vocab = 1;
  int64_t bos = -1; ///< -1: the model has none.
  SmallVector<int64_t> eos = {};
  bool allLogits = false; ///< Whether there is a `score`.
};

/// The module with `prefill`, `decode` and, if wanted, `score`.
OwningOpRef<ModuleOp> buildLanguageModel(const LanguageModel &model, MLIRContext *context);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_LANGUAGEMODEL_H
