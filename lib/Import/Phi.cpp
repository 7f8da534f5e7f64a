//===- Phi.cpp - The family Phi, models 1 to 2 -------------------------------===//
//
// Decoder whose attention and feed-forward network read one layer norm side by
// side; biases everywhere, the head included; a part of each head is rotated.
//
//===----------------------------------------------------------------------===//

#include "ConfigReaders.h"
#include "Families.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Phi : public Decoder {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;
};

} // namespace

std::vector<TensorPattern> Phi::parameters() const {
  std::string layer = "model.layers.*.";
  std::vector<TensorPattern> patterns = {
      {"model.embed_tokens.weight", "embedding", "V d"},
      {layer + "input_layernorm.weight", "norm", "d"},
      {layer + "input_layernorm.bias", "norm", "d"},
      {layer + "self_attn.q_proj.weight", "attention_query", "(K G D) d"},
      {layer + "self_attn.q_proj.bias", "attention_query_bias", "(K G D)"},
      {layer + "self_attn.k_proj.weight", "attention_key", "(K D) d"},
      {layer + "self_attn.k_proj.bias", "attention_key_bias", "(K D)"},
      {layer + "self_attn.v_proj.weight", "attention_value", "(K D) d"},
      {layer + "self_attn.v_proj.bias", "attention_value_bias", "(K D)"},
      {layer + "self_attn.dense.weight", "attention_output", "d (K G D)"},
      {layer + "self_attn.dense.bias", "attention_output_bias", "d"},
      {layer + "mlp.fc1.weight", "mlp_column", "F d"},
      {layer + "mlp.fc1.bias", "mlp_column_bias", "F"},
      {layer + "mlp.fc2.weight", "mlp_row", "d F"},
      {layer + "mlp.fc2.bias", "mlp_row_bias", "d"},
      {"model.final_layernorm.weight", "norm", "d"},
      {"model.final_layernorm.bias", "norm", "d"},
      {"lm_head.bias", "head_bias", "V"},
  };
  if (!tied)
    patterns.push_back({"lm_head.weight", "head", "V d"});
  return patterns;
}

std::vector<StringRef> Phi::ignored() const {
  std::vector<StringRef> tensors = {"model.layers.*.self_attn.rotary_emb.inv_freq"};
  if (tied)
    tensors.push_back("lm_head.weight");
  return tensors;
}

ModelFacts Phi::configure(Config &config) {
  names.embedding = "model.embed_tokens";
  names.layers = "model.layers";
  names.attentionNorm = "input_layernorm";
  names.attention = "self_attn";
  names.query = "self_attn.q_proj";
  names.key = "self_attn.k_proj";
  names.value = "self_attn.v_proj";
  names.output = "self_attn.dense";
  names.mlp = "mlp";
  names.up = "mlp.fc1";
  names.down = "mlp.fc2";
  names.finalNorm = "model.final_layernorm";
  names.head = "lm_head";

  AttentionSizes sizes = readAttentionSizes(config);
  layerCount = config.size("num_hidden_layers");
  layerNorms = parallelBlocks = true;
  epsilon = config.number("layer_norm_eps");
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  activation = readActivation(config, "hidden_act");
  tied = config.boolean("tie_word_embeddings", false);
  config.expect("qk_layernorm", false);
  rotary = {readRotary(config, sizes.headDim, 1e4, /*partial=*/0.5)};
  int64_t ffn = config.size("intermediate_size");
  return makeFacts(config, sizes, layerCount, ffn, config.size("max_position_embeddings"));
}

std::unique_ptr<Family> tp::createPhi() { return std::make_unique<Phi>(); }
