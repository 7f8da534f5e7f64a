//===- Falcon.cpp - The family Falcon ----------------------------------------===//
//
// Decoder with layer norms and rotary positions; attention and feed-forward network
// side by side in most models. The checkpoint holds the query heads of a group, its
// key and its value as neighbours in one tensor: one group for all heads in the
// smaller models, several in the newer architecture, one for each head otherwise.
//
//===----------------------------------------------------------------------===//

#include "ConfigReaders.h"
#include "Families.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Falcon : public Decoder {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;

private:
  void configureNorms(Config &config, bool isNew);

  bool biases = false;
};

} // namespace

std::vector<TensorPattern> Falcon::parameters() const {
  std::string layer = "transformer.h.*.", fused = layer + "self_attention.query_key_value.";
  std::vector<TensorPattern> patterns = {
      {"transformer.word_embeddings.weight", "embedding", "V d"},
      {layer + names.attentionNorm + ".weight", "norm", "d"},
      {layer + names.attentionNorm + ".bias", "norm", "d"},
      {fused + "query.weight", "attention_query", "(K [*G 1 1] D) d", "", fused + "weight"},
      {fused + "key.weight", "attention_key", "(K [G *1 1] D) d", "", fused + "weight"},
      {fused + "value.weight", "attention_value", "(K [G 1 *1] D) d", "", fused + "weight"},
      {layer + "self_attention.dense.weight", "attention_output", "d (K G D)"},
      {layer + "mlp.dense_h_to_4h.weight", "mlp_column", "F d"},
      {layer + "mlp.dense_4h_to_h.weight", "mlp_row", "d F"},
      {"transformer.ln_f.weight", "norm", "d"},
      {"transformer.ln_f.bias", "norm", "d"},
  };
  auto add = [&](const std::string &name, StringRef role, StringRef layout,
                 const std::string &tensor = "") {
    patterns.push_back({name, role, layout, "", tensor});
  };
  if (!names.mlpNorm.empty()) {
    add(layer + names.mlpNorm + ".weight", "norm", "d");
    add(layer + names.mlpNorm + ".bias", "norm", "d");
  }
  if (biases) {
    add(fused + "query.bias", "attention_query_bias", "(K [*G 1 1] D)", fused + "bias");
    add(fused + "key.bias", "attention_key_bias", "(K [G *1 1] D)", fused + "bias");
    add(fused + "value.bias", "attention_value_bias", "(K [G 1 *1] D)", fused + "bias");
    add(layer + "self_attention.dense.bias", "attention_output_bias", "d");
    add(layer + "mlp.dense_h_to_4h.bias", "mlp_column_bias", "F");
    add(layer + "mlp.dense_4h_to_h.bias", "mlp_row_bias", "d");
  }
  if (!tied)
    add("lm_head.weight", "head", "V d");
  return patterns;
}

std::vector<StringRef> Falcon::ignored() const {
  std::vector<StringRef> tensors = {"transformer.h.*.self_attention.rotary_emb.inv_freq"};
  if (tied)
    tensors.push_back("lm_head.weight");
  return tensors;
}

/// Blocks side by side read one norm, or each its own in the newer architecture.
void Falcon::configureNorms(Config &config, bool isNew) {
  names.attentionNorm = "input_layernorm";
  bool parallel = config.boolean("parallel_attn", true);
  int64_t norms = config.size("num_ln_in_parallel_attn", isNew ? 2 : 1);
  if (norms > 2 || (norms == 2 && !isNew))
    config.fail("num_ln_in_parallel_attn",
                "expected 1, or 2 with new_decoder_architecture, found " + Twine(norms));
  if (isNew && !parallel)
    config.fail("parallel_attn", "only true is supported with new_decoder_architecture");
  if (isNew && norms == 2) {
    names.attentionNorm = "ln_attn";
    names.mlpNorm = "ln_mlp";
  } else if (!parallel) {
    names.mlpNorm = "post_attention_layernorm";
  }
  parallelBlocks = parallel;
}

ModelFacts Falcon::configure(Config &config) {
  names.embedding = "transformer.word_embeddings";
  names.layers = "transformer.h";
  names.attention = "self_attention";
  names.query = "self_attention.query_key_value.query";
  names.key = "self_attention.query_key_value.key";
  names.value = "self_attention.query_key_value.value";
  names.output = "self_attention.dense";
  names.mlp = "mlp";
  names.up = "mlp.dense_h_to_4h";
  names.down = "mlp.dense_4h_to_h";
  names.finalNorm = "transformer.ln_f";
  names.head = "lm_head";

  bool isNew = config.boolean("new_decoder_architecture", false);
  configureNorms(config, isNew);
  AttentionSizes sizes;
  sizes.hidden = config.size("hidden_size");
  sizes.heads = config.size("num_attention_heads");
  sizes.kvHeads = config.size("num_kv_heads", sizes.heads);
  bool isMultiQuery = config.boolean("multi_query", true);
  if (!isNew)
    sizes.kvHeads = isMultiQuery ? 1 : sizes.heads;
  sizes.headDim = std::max<int64_t>(sizes.hidden / sizes.heads, 1);
  checkAttentionSizes(config, sizes, /*headDimGiven=*/false, "hidden_size", "num_attention_heads",
                      "num_kv_heads");
  layerCount = config.size("num_hidden_layers");
  layerNorms = true;
  epsilon = config.number("layer_norm_epsilon");
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  activation = config.has("activation") ? readActivation(config, "activation") : Activation::Gelu;
  biases = config.boolean("bias", false);
  tied = config.boolean("tie_word_embeddings", true);
  config.expect("alibi", false);
  config.expect("apply_residual_connection_post_layernorm", false);
  rotary = {readRotary(config, sizes.headDim)};
  int64_t ffn = config.size("ffn_hidden_size", 4 * sizes.hidden);
  return makeFacts(config, sizes, layerCount, ffn, config.size("max_position_embeddings", 2048));
}

std::unique_ptr<Family> tp::createFalcon() { return std::make_unique<Falcon>(); }
