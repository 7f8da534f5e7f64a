//===- LlamaLike.h - Families around Llama ----------------------*- C++ -*-===//
//
// Pre-norm decoders with RMS norms, grouped-query attention with rotary positions
// (half-split) and a gated feed-forward network, whose checkpoints call their
// tensors as Llama's do. The families differ in the options below and in what
// their configurations mean.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_IMPORT_LLAMALIKE_H
#define LIB_IMPORT_LLAMALIKE_H

#include "ConfigReaders.h"
#include "Families.h"

namespace mlir {
namespace tp {

class LlamaLike : public Decoder {
public:
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;

protected:
  /// Reads what all these families have: sizes, layers, epsilon and vocabulary, and
  /// gives the modules their names.
  ModelFacts configureCommon(Config &config, const AttentionSizes &sizes);
  /// The same, and the fields that Llama has under its names: one rotary base,
  /// whether the head is tied, the activation.
  ModelFacts configureAsLlama(Config &config, const AttentionSizes &sizes);
  /// Windows of `window` positions in layers that slide; 0: there is no window, and
  /// no layer may say that it slides.
  void configureWindows(Config &config, int64_t window, std::function<bool(int64_t)> slides);
  /// Windows of Qwen2 and Qwen3: none without use_sliding_window, else in the layers
  /// from max_window_layers on.
  void configureQwenWindows(Config &config);

  bool queryKeyValueBias = false, outputBias = false, mlpBias = false;
};

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_LLAMALIKE_H
