//===- manifest.h - what a compiled module says about itself ----*- C++ -*-===//
//
// The manifest of docs/RuntimeABI.md as plain structures. Parsing checks it:
// whoever holds a `Manifest` may rely on every index being in range, every
// block lying inside its global and local shape, and every parameter or state
// of one name having one layout.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_MANIFEST_H
#define TPRT_MANIFEST_H

#include "tprt/tprt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tprt {

struct MeshAxis {
  std::string name;
  int64_t size = 1;
};

/// Part of a mesh axis: coordinate c of an axis of size n counts in it as
/// (c / (n / (pre * size))) % size.
struct AxisPart {
  int axis = 0;
  int64_t pre = 1;
  int64_t size = 1;
};

struct PartialPart {
  AxisPart part;
  int32_t kind = TPRT_SUM;
};

/// Row of the operations table: names a runtime call in messages.
struct Operation {
  std::string name;
  std::string loc;
  std::string reason;
  int64_t flops = -1; ///< floating-point operations of one call; -1: not known
  int64_t bytes = -1; ///< of memory, read and written, or sent by a collective; -1: not known
};

/// One dimension of one rank's block of a global value.
struct Range {
  int64_t offset = 0;
  int64_t size = 0;
  bool operator==(const Range &other) const { return offset == other.offset && size == other.size; }
};

/// Where a parameter comes from in a checkpoint: a tensor seen in another shape,
/// a slice of that, permuted, then reshaped to the parameter's global shape.
struct ParameterSource {
  std::string tensor;
  std::vector<int64_t> shape;       ///< of the whole tensor in the checkpoint
  std::vector<int64_t> view;        ///< the same elements, in dimensions that can be sliced
  std::vector<int64_t> offset;      ///< of the slice
  std::vector<int64_t> size;        ///< of the slice
  std::vector<int64_t> permutation; ///< dimension i is the slice's permutation[i]
  int32_t dtype = -1;               ///< in the checkpoint; -1 where not stated
};

enum class ValueKind { Parameter, State, Input, Result };

struct ValueInfo {
  std::string name;
  ValueKind kind = ValueKind::Input;
  int32_t dtype = TPRT_F32;
  std::vector<int64_t> globalShape;
  std::vector<int64_t> localShape;
  std::string sharding;
  std::vector<PartialPart> partial;
  std::vector<std::vector<Range>> blocks; ///< [rank][dimension]
  std::optional<ParameterSource> source;  ///< parameters only
  int state = -1; ///< results only: position of the argument updated in place

  int64_t localBytes() const;
};

struct EntryInfo {
  std::string name;
  int64_t arenaBytes = 0;
  int64_t symmetricBytes = 0; ///< of the arena, at its beginning: what small collectives take
  std::vector<ValueInfo> arguments;
  std::vector<ValueInfo> results;
};

struct LanguageModelInfo {
  int prefill = -1; ///< index of the entry
  int decode = -1;
  int score = -1; ///< -1: the program has none
  int sample = -1;
  int64_t batch = 1;
  int64_t chunk = 1;
  int64_t maxSeq = 0;
  int64_t vocab = 0;
  std::optional<int64_t> bos;
  std::vector<int64_t> eos;
};

/// Vectors of texts (embedding_model of the manifest).
struct EmbeddingModelInfo {
  int encode = -1; ///< index of the entry
  int64_t batch = 1;
  int64_t seq = 0;
  int64_t vocab = 0;
  int64_t width = 0;
  bool pooled = true; ///< one vector per text, else one per token
};

/// What runs the kernels of a program.
enum class Target { CPU, CUDA };

/// A matrix product of entries on GPUs, as the arguments of tprt_gemm_fused say it.
struct ProductInfo {
  int32_t dtype = 0, resultDType = 0;
  bool transA = false, transB = false;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;
  int64_t strideA = 0, strideB = 0, strideC = 0, strideD = 0, strideBias = 0;
  bool hasC = false, hasBias = false;
  int32_t activation = 0; ///< tprt_activation_t
};

struct Manifest {
  Target target = Target::CPU;
  std::vector<ProductInfo> products; ///< of programs for GPUs, each once
  bool tf32 = false;                 ///< products of f32 round their factors to tf32
  std::vector<std::string> kernels;  ///< of programs for GPUs, by the row that launches name
  std::vector<MeshAxis> mesh;
  std::vector<std::vector<AxisPart>> groups;
  std::vector<Operation> operations;
  std::vector<EntryInfo> entries;
  std::optional<LanguageModelInfo> languageModel;
  std::optional<EmbeddingModelInfo> embeddingModel;

  int numRanks() const;
  /// Index of the entry called `name`, or -1.
  int findEntry(const std::string &name) const;
};

/// Product of the sizes; 1 for a scalar.
int64_t elementCount(const std::vector<int64_t> &shape);
/// "[2, 3]".
std::string shapeText(const std::vector<int64_t> &shape);

/// Throws `Error` when `text` is no manifest of version 1.
Manifest parseManifest(const std::string &text);

} // namespace tprt

#endif // TPRT_MANIFEST_H
