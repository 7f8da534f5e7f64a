//===- LlamaLike.cpp - Families around Llama -------------------------------===//

#include "LlamaLike.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

ModelFacts LlamaLike::configureCommon(Config &config, const AttentionSizes &sizes) {
  names.embedding = "model.embed_tokens";
  names.layers = "model.layers";
  names.attentionNorm = "input_layernorm";
  names.attention = "self_attn";
  names.query = "self_attn.q_proj";
  names.key = "self_attn.k_proj";
  names.value = "self_attn.v_proj";
  names.output = "self_attn.o_proj";
  names.mlpNorm = "post_attention_layernorm";
  names.mlp = "mlp";
  names.gate = "mlp.gate_proj";
  names.up = "mlp.up_proj";
  names.down = "mlp.down_proj";
  names.finalNorm = "model.norm";
  names.head = "lm_head";

  layerCount = config.size("num_hidden_layers");
  epsilon = config.number("rms_norm_eps");
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  int64_t ffn = config.size("intermediate_size");
  int64_t positions = config.size("max_position_embeddings");
  return makeFacts(config, sizes, layerCount, ffn, positions);
}

ModelFacts LlamaLike::configureAsLlama(Config &config, const AttentionSizes &sizes) {
  ModelFacts facts = configureCommon(config, sizes);
  rotary = {readRotary(config, sizes.headDim)};
  tied = config.boolean("tie_word_embeddings", false);
  activation = readActivation(config, "hidden_act");
  return facts;
}

std::vector<TensorPattern> LlamaLike::parameters() const {
  std::string layer = names.layers + ".*.";
  std::vector<TensorPattern> patterns = {{names.embedding + ".weight", "embedding", "V d"}};
  auto add = [&](const std::string &name, StringRef role, StringRef layout) {
    patterns.push_back({layer + name, role, layout});
  };
  auto addNorm = [&](const std::string &name, StringRef layout) {
    if (!name.empty())
      add(name + ".weight", "norm", layout);
  };
  addNorm(names.attentionNorm, "d");
  add(names.query + ".weight", "attention_query", "(K G D) d");
  add(names.key + ".weight", "attention_key", "(K D) d");
  add(names.value + ".weight", "attention_value", "(K D) d");
  if (queryKeyValueBias) {
    add(names.query + ".bias", "attention_query_bias", "(K G D)");
    add(names.key + ".bias", "attention_key_bias", "(K D)");
    add(names.value + ".bias", "attention_value_bias", "(K D)");
  }
  addNorm(names.queryNorm, "D");
  addNorm(names.keyNorm, "D");
  add(names.output + ".weight", "attention_output", "d (K G D)");
  if (outputBias)
    add(names.output + ".bias", "attention_output_bias", "d");
  addNorm(names.attentionPostNorm, "d");
  addNorm(names.mlpNorm, "d");
  add(names.gate + ".weight", "mlp_column", "F d");
  add(names.up + ".weight", "mlp_column", "F d");
  add(names.down + ".weight", "mlp_row", "d F");
  if (mlpBias) {
    add(names.gate + ".bias", "mlp_column_bias", "F");
    add(names.up + ".bias", "mlp_column_bias", "F");
    add(names.down + ".bias", "mlp_row_bias", "d");
  }
  addNorm(names.mlpPostNorm, "d");
  patterns.push_back({names.finalNorm + ".weight", "norm", "d"});
  if (!tied)
    patterns.push_back({names.head + ".weight", "head", "V d"});
  return patterns;
}

std::vector<StringRef> LlamaLike::ignored() const {
  // Frequencies follow from the configuration.
  std::vector<StringRef> tensors = {"model.layers.*.self_attn.rotary_emb.inv_freq",
                                    "model.rotary_emb.inv_freq"};
  // A tied head is the embedding, whatever else the checkpoint holds.
  if (tied)
    tensors.push_back("lm_head.weight");
  return tensors;
}

void LlamaLike::configureWindows(Config &config, int64_t window,
                                 std::function<bool(int64_t)> slides) {
  slides = readSlidingLayers(config, layerCount, std::move(slides));
  if (window == 0 && llvm::is_contained(config.strings("layer_types"), "sliding_attention"))
    config.fail("layer_types", "has sliding_attention, but there is no sliding_window");
  if (window != 0)
    layerAt = [=](int64_t layer) { return DecoderLayer{slides(layer) ? window : 0}; };
}

void LlamaLike::configureQwenWindows(Config &config) {
  int64_t window = config.size("sliding_window", 4096);
  int64_t first = config.size("max_window_layers", 28);
  if (!config.boolean("use_sliding_window", false))
    window = 0;
  configureWindows(config, window, [first](int64_t layer) { return layer >= first; });
}
