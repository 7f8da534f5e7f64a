//===- Import.h - A checkpoint directory becomes a program ------*- C++ -*-===//

#ifndef TP_IMPORT_IMPORT_H
#define TP_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace mlir {
class DialectRegistry;
namespace tp {

/// Element type of weights, caches and activations. Sums, norms, softmax and
/// logits are f32 with each.
enum class ImportType { F32, BF16, F16 };

/// What the imported program is made for.
struct ImportOptions {
  std::string directory; ///< Hugging Face directory.
  /// Positions; when absent min(what the model allows, 2048), or what an encoder's
  /// sentence_bert_config.json says.
  std::optional<int64_t> maxSeq;
  std::optional<int64_t> chunk; ///< Tokens of a prefill call; min(128, maxSeq) when absent.
  int64_t batch = 1;            ///< Rows that run at once.
  bool allLogits = false;       ///< Also the entry `score`.
  ImportType type = ImportType::F32;
};

/// The dialects of imported programs.
void registerImportDialects(DialectRegistry &registry);

/// Reads config.json and the headers of the checkpoint and makes the unsharded
/// program with the entries `prefill`, `decode` and, if wanted, `score`, or `encode` where the
/// model is an encoder; docs/Import.md describes its form. The dialects must be registered in
/// `context`. Fails with a user error; what it could not take from the checkpoint and need not is
/// a remark.
llvm::Expected<OwningOpRef<ModuleOp>> importModel(const ImportOptions &options,
                                                  MLIRContext *context);

/// The program as text, with the locations that name every operation. Equal
/// programs give equal text.
std::string printModel(ModuleOp module);

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_IMPORT_H
