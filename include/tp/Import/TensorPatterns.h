//===- TensorPatterns.h - A family's table against a checkpoint ----*- C++ -*-===//

#ifndef TP_IMPORT_TENSORPATTERNS_H
#define TP_IMPORT_TENSORPATTERNS_H

#include "tp/Import/Checkpoint.h"
#include "tp/Import/Family.h"

namespace mlir {
namespace tp {

/// A row of a family's table for one layer of one model.
struct TensorInstance {
  std::string name;
  StringRef role;
  std::string tensor;               ///< In the checkpoint.
  SmallVector<int64_t> sourceShape; ///< Of the whole tensor.
  SmallVector<int64_t> shape;       ///< In the program.
  /// How the value is cut out of the tensor, as in tp.source: the tensor seen in
  /// the shape `view`, a slice of that, permuted. Empty where it is the whole
  /// tensor as it is.
  SmallVector<int64_t> view, offset, size, permutation;
};

/// The tensors of a table, layer by layer, in the order of the table; rows
/// before the first and after the last per-layer row stay before and behind.
/// A size beyond 64 bits is clipped to the largest.
std::vector<TensorInstance> instantiate(ArrayRef<TensorPattern> patterns, const ModelFacts &facts);

/// Checks that the checkpoint holds every parameter with its shape and a dtype
/// that can be loaded, and nothing that is neither parameter nor `ignored`.
/// Fails with a user error that names file and tensor.
llvm::Error checkTensors(const Checkpoint &checkpoint, ArrayRef<TensorInstance> parameters,
                         ArrayRef<StringRef> ignored, StringRef modelType);

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_TENSORPATTERNS_H
