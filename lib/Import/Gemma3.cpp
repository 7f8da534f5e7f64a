//===- Gemma3.cpp - The family Gemma 3, text models --------------------------===//
//
// Norms before and after attention and feed-forward network and of each query and
// key head, all with weights around 0; a scaled embedding; layers that see a window
// and layers that see everything, with a rotary base for each kind.
//
//===----------------------------------------------------------------------===//

#include "LlamaLike.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Gemma3 : public LlamaLike {
public:
  ModelFacts configure(Config &config) override;

private:
  void readRotaries(Config &config, int64_t headDim);
};

} // namespace

/// Table 0 is that of global layers, 1 that of local ones. The newer form of a
/// configuration has an object of rotary parameters for each kind of layer.
void Gemma3::readRotaries(Config &config, int64_t headDim) {
  constexpr double globalBase = 1e6, localBase = 1e4;
  RotaryFrequencies local;
  local.dims = headDim;
  local.theta = config.number("rope_local_base_freq", localBase);
  std::optional<Config> kinds = config.object("rope_parameters");
  if (!kinds || !kinds->has("full_attention")) {
    rotary = {readRotary(config, headDim, globalBase), local};
    return;
  }
  for (auto [kind, base] :
       {std::pair("full_attention", globalBase), std::pair("sliding_attention", local.theta)}) {
    RotaryFrequencies frequencies = local;
    frequencies.theta = base;
    if (std::optional<Config> parameters = kinds->object(kind)) {
      frequencies = readScaledRotary(*parameters, headDim, base);
      kinds->adopt(*parameters);
    }
    rotary.push_back(frequencies);
  }
  kinds->expectAllRead();
  config.adopt(*kinds);
}

ModelFacts Gemma3::configure(Config &config) {
  AttentionSizes sizes = readAttentionSizes(config, /*headDim=*/256);
  ModelFacts facts = configureCommon(config, sizes);
  names.queryNorm = "self_attn.q_norm";
  names.keyNorm = "self_attn.k_norm";
  names.attentionPostNorm = "post_attention_layernorm";
  names.mlpNorm = "pre_feedforward_layernorm";
  names.mlpPostNorm = "post_feedforward_layernorm";
  if (sizes.headDim % 2 != 0)
    config.fail("head_dim", "must be even, found " + Twine(sizes.headDim));
  readRotaries(config, sizes.headDim);
  normWeightOffset = 1;
  embeddingScale = std::sqrt(static_cast<double>(sizes.hidden));
  attentionScale = 1 / std::sqrt(config.number("query_pre_attn_scalar", 256.0));
  tied = config.boolean("tie_word_embeddings", true);
  activation = readActivation(config, "hidden_activation");
  queryKeyValueBias = outputBias = config.boolean("attention_bias", false);
  config.expectAbsent("attn_logit_softcapping", "capping of attention scores");
  config.expectAbsent("final_logit_softcapping", "capping of logits");
  config.expect("use_bidirectional_attention", false);

  int64_t window = config.size("sliding_window", 4096);
  int64_t pattern = config.size("sliding_window_pattern", 6);
  std::function<bool(int64_t)> isLocal = readSlidingLayers(
      config, layerCount, [pattern](int64_t layer) { return (layer + 1) % pattern != 0; });
  layerAt = [window, isLocal](int64_t layer) {
    return isLocal(layer) ? DecoderLayer{window, /*rotary=*/1} : DecoderLayer();
  };
  return facts;
}

std::unique_ptr<Family> tp::createGemma3() { return std::make_unique<Gemma3>(); }
