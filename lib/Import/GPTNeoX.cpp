//===- GPTNeoX.cpp - The family GPT-NeoX -------------------------------------===//
//
// Decoder with layer norms and biases; attention and feed-forward network read the
// same activations, a part of each head is rotated, and the checkpoint holds query,
// key and value of a head as neighbours in one tensor. Pythia is one.
//
//===----------------------------------------------------------------------===//

#include "ConfigReaders.h"
#include "Families.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class GPTNeoX : public Decoder {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;

private:
  bool attentionBias = true;
};

} // namespace

std::vector<TensorPattern> GPTNeoX::parameters() const {
  std::string layer = "gpt_neox.layers.*.", fused = layer + "attention.query_key_value.";
  std::vector<TensorPattern> patterns = {
      {"gpt_neox.embed_in.weight", "embedding", "V d"},
      {layer + "input_layernorm.weight", "norm", "d"},
      {layer + "input_layernorm.bias", "norm", "d"},
      {fused + "query.weight", "attention_query", "(K [*G 1 1] D) d", "", fused + "weight"},
      {fused + "key.weight", "attention_key", "(K [G *1 1] D) d", "", fused + "weight"},
      {fused + "value.weight", "attention_value", "(K [G 1 *1] D) d", "", fused + "weight"},
      {layer + "attention.dense.weight", "attention_output", "d (K G D)"},
      {layer + "post_attention_layernorm.weight", "norm", "d"},
      {layer + "post_attention_layernorm.bias", "norm", "d"},
      {layer + "mlp.dense_h_to_4h.weight", "mlp_column", "F d"},
      {layer + "mlp.dense_h_to_4h.bias", "mlp_column_bias", "F"},
      {layer + "mlp.dense_4h_to_h.weight", "mlp_row", "d F"},
      {layer + "mlp.dense_4h_to_h.bias", "mlp_row_bias", "d"},
      {"gpt_neox.final_layer_norm.weight", "norm", "d"},
      {"gpt_neox.final_layer_norm.bias", "norm", "d"},
  };
  if (attentionBias) {
    patterns.push_back(
        {fused + "query.bias", "attention_query_bias", "(K [*G 1 1] D)", "", fused + "bias"});
    patterns.push_back(
        {fused + "key.bias", "attention_key_bias", "(K [G *1 1] D)", "", fused + "bias"});
    patterns.push_back(
        {fused + "value.bias", "attention_value_bias", "(K [G 1 *1] D)", "", fused + "bias"});
    patterns.push_back({layer + "attention.dense.bias", "attention_output_bias", "d"});
  }
  if (!tied)
    patterns.push_back({"embed_out.weight", "head", "V d"});
  return patterns;
}

std::vector<StringRef> GPTNeoX::ignored() const {
  // The causal mask and the frequencies, which some checkpoints hold.
  std::vector<StringRef> tensors = {"gpt_neox.layers.*.attention.bias",
                                    "gpt_neox.layers.*.attention.masked_bias",
                                    "gpt_neox.layers.*.attention.rotary_emb.inv_freq"};
  if (tied)
    tensors.push_back("embed_out.weight");
  return tensors;
}

ModelFacts GPTNeoX::configure(Config &config) {
  names.embedding = "gpt_neox.embed_in";
  names.layers = "gpt_neox.layers";
  names.attentionNorm = "input_layernorm";
  names.attention = "attention";
  names.query = "attention.query_key_value.query";
  names.key = "attention.query_key_value.key";
  names.value = "attention.query_key_value.value";
  names.output = "attention.dense";
  names.mlpNorm = "post_attention_layernorm";
  names.mlp = "mlp";
  names.up = "mlp.dense_h_to_4h";
  names.down = "mlp.dense_4h_to_h";
  names.finalNorm = "gpt_neox.final_layer_norm";
  names.head = "embed_out";

  AttentionSizes sizes = readEqualHeads(config);
  layerCount = config.size("num_hidden_layers");
  layerNorms = true;
  epsilon = config.number("layer_norm_eps");
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  activation = readActivation(config, "hidden_act");
  parallelBlocks = config.boolean("use_parallel_residual", true);
  attentionBias = config.boolean("attention_bias", true);
  tied = config.boolean("tie_word_embeddings", false);
  // Newer configurations have the common names of these two as well.
  double share = config.number("rotary_pct", 0.25), theta = config.number("rotary_emb_base", 1e4);
  config.expectEqual("partial_rotary_factor", share, "rotary_pct");
  config.expectEqual("rope_theta", theta, "rotary_emb_base");
  rotary = {readRotary(config, sizes.headDim, theta, share, "rotary_pct")};
  int64_t ffn = config.size("intermediate_size");
  return makeFacts(config, sizes, layerCount, ffn, config.size("max_position_embeddings"));
}

std::unique_ptr<Family> tp::createGPTNeoX() { return std::make_unique<GPTNeoX>(); }
