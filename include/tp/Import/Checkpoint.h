//===- Checkpoint.h - A Hugging Face directory ------------------*- C++ -*-===//

#ifndef TP_IMPORT_CHECKPOINT_H
#define TP_IMPORT_CHECKPOINT_H

#include "tp/Import/Safetensors.h"

namespace mlir {
namespace tp {

/// The tensors of a checkpoint directory, without their data.
struct Checkpoint {
  /// The file that lists the tensors, to name in messages: the index of a
  /// checkpoint in parts, else its only file.
  std::string listing;
  TensorTable tensors;

  /// Reads the headers of `directory`: the files that
  /// model.safetensors.index.json maps tensors to where it exists, else
  /// model.safetensors. Fails with a user error that names the file.
  static llvm::Expected<Checkpoint> open(llvm::StringRef directory);
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_CHECKPOINT_H
