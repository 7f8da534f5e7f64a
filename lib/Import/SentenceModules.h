//===- SentenceModules.h - What follows an encoder --------------*- C++ -*-===//
//
// A directory of sentence-transformers says in modules.json what is done with the
// activations of the encoder, and in the module's own directory how.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_IMPORT_SENTENCEMODULES_H
#define LIB_IMPORT_SENTENCEMODULES_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace mlir {
namespace tp {

/// Which vector stands for a text.
enum class Pooling {
  None, ///< Those of all its tokens.
  Mean, ///< Their mean.
  First ///< That of the first token.
};

struct SentenceModules {
  Pooling pooling = Pooling::None;
  bool normalize = false;        ///< To length 1.
  std::optional<int64_t> maxSeq; ///< Tokens that the model was trained on.
};

/// Reads modules.json of `directory`, the pooling's config.json and
/// sentence_bert_config.json; without the first all vectors are wanted. `width` is
/// that of the encoder. Fails with a user error that names file and module or field.
llvm::Expected<SentenceModules> readSentenceModules(llvm::StringRef directory, int64_t width);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_SENTENCEMODULES_H
