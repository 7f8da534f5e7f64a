//===- Parameters.h - filling the parameters of a rank ----------*- C++ -*-===//
//
// A rank gets its block of each parameter, from a checkpoint or from a random
// stream. What a checkpoint lacks or has otherwise than expected is found
// before anything is read.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_PARAMETERS_H
#define TPRT_CORE_PARAMETERS_H

#include "Safetensors.h"
#include "Workers.h"
#include "tprt/array.h"
#include "tprt/manifest.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tprt {

/// One parameter in its file: element (i...) of the global value lies at
/// offset + sum of i * strides, in elements from the start of the tensor.
struct ParameterView {
  Checkpoint::Tensor tensor;
  int64_t offset = 0;
  std::vector<int64_t> strides;
  /// False where the reshape of a permuted slice has no strides; `shape` and
  /// `strides` then describe the slice before the reshape.
  bool direct = true;
  std::vector<int64_t> shape;
};

/// Finds the source of `value` in `checkpoint`. Throws `Error` (exit code 2)
/// when the tensor is missing or has another shape or type. A type other than
/// the parameter's must be stated in the source, unless converting to the
/// parameter's type loses nothing.
ParameterView findParameter(const Checkpoint &checkpoint, const ValueInfo &value);

/// Cuts the local buffer of `rank` into pieces of at most `bytes` bytes, each dense in the
/// buffer, and calls `body` for each with the piece as a value whose only rank is 0 and
/// with its place in the buffer in bytes.
void forEachPiece(const ValueInfo &value, int rank, int64_t bytes,
                  const std::function<void(const ValueInfo &piece, int64_t offset)> &body);

/// Copies the block of `rank` into its zeroed local buffer.
void loadParameter(const ParameterView &view, const ValueInfo &value, int rank, void *local);

/// The random elements of a parameter: integers in [0, 8), floats uniform in [-s, s) with
/// s = 1 / sqrt(last dimension); with `likeModel` such that activations of a model stay near
/// one: matrices have variance 1 / columns, biases are in [-0.5, 0.5), other vectors (weights
/// of norms) in [0.5, 1.5), by the shape of the tensor in a checkpoint.
RandomSpec parameterSpec(const ValueInfo &value, uint64_t seed, bool likeModel = false);

/// Fills the block of `rank` with random elements that depend on the name, the
/// spec and the global index only; `workers` share the rows, null: the caller alone.
void randomParameter(const ValueInfo &value, const RandomSpec &spec, int rank, void *local,
                     Workers *workers = nullptr);

} // namespace tprt

#endif // TPRT_CORE_PARAMETERS_H
