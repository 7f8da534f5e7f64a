//===- ConfigReaders.h - Fields that several families have ------*- C++ -*-===//

#ifndef LIB_IMPORT_CONFIGREADERS_H
#define LIB_IMPORT_CONFIGREADERS_H

#include "tp/Import/Config.h"
#include "tp/Import/Decoder.h"

namespace mlir {
namespace tp {

/// Sizes of attention; heads are kvHeads groups of equal size.
struct AttentionSizes {
  int64_t hidden, heads, kvHeads, headDim;
};

/// hidden_size, num_attention_heads, num_key_value_heads (by default one for each
/// head) and head_dim (by default `headDim`, else hidden_size / heads).
AttentionSizes readAttentionSizes(Config &config, std::optional<int64_t> headDim = std::nullopt);
/// Attention without kv heads of its own: one for each of the `heads`, which share the
/// `hidden` size evenly. The fields are named as the family has them.
AttentionSizes readEqualHeads(Config &config, llvm::StringRef hidden = "hidden_size",
                              llvm::StringRef heads = "num_attention_heads");
/// Checks that the heads divide the hidden size and the kv heads divide the heads;
/// the fields are named in messages.
void checkAttentionSizes(Config &config, const AttentionSizes &sizes, bool headDimGiven,
                         llvm::StringRef hidden = "hidden_size",
                         llvm::StringRef heads = "num_attention_heads",
                         llvm::StringRef kvHeads = "num_key_value_heads");

/// Sizes V, F, d, K, G, D, and the ids of special tokens.
ModelFacts makeFacts(Config &config, const AttentionSizes &sizes, int64_t layers, int64_t ffn,
                     int64_t maxPositions);

/// An activation by its name in configurations.
Activation readActivation(Config &config, llvm::StringRef field);

/// The rotary base (`theta` where config.json does not say) and its scaling, from
/// the fields themselves or from the newer object rope_parameters that holds all
/// of them. Without `partial` all of a head's elements are rotated, else that
/// share of them where config.json does not say, by the name of `partialField`.
RotaryFrequencies readRotary(Config &config, int64_t headDim, double theta = 10000,
                             std::optional<double> partial = std::nullopt,
                             llvm::StringRef partialField = "partial_rotary_factor");
/// The frequencies of `dims` elements under one object of scaling parameters.
RotaryFrequencies readScaledRotary(Config &scaling, int64_t dims, double theta);

/// Which layers attend to a window: those that layer_types, where it is there,
/// calls sliding, else those of which `slides` is true.
std::function<bool(int64_t layer)> readSlidingLayers(Config &config, int64_t layers,
                                                     std::function<bool(int64_t layer)> slides);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_CONFIGREADERS_H
