//===- GPT2.cpp - The family GPT-2 -------------------------------------------===//
//
// Pre-norm decoder with layer norms, learned positions and biases everywhere. The
// checkpoint holds weights as [in, out], and query, key and value as one tensor of
// three blocks of columns.
//
//===----------------------------------------------------------------------===//

#include "ConfigReaders.h"
#include "Families.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class GPT2 : public Decoder {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;
  /// Checkpoints of the bare model leave it out.
  StringRef optionalPrefix() const override { return "transformer."; }
};

} // namespace

std::vector<TensorPattern> GPT2::parameters() const {
  std::string layer = "transformer.h.*.", fused = layer + "attn.c_attn.";
  std::vector<TensorPattern> patterns = {
      {"transformer.wte.weight", "embedding", "V d"},
      {"transformer.wpe.weight", "position_embedding", "P d"},
      {layer + "ln_1.weight", "norm", "d"},
      {layer + "ln_1.bias", "norm", "d"},
      {fused + "query.weight", "attention_query", "d ([*1 1 1] K G D)", "K G D d",
       fused + "weight"},
      {fused + "key.weight", "attention_key", "d ([1 *1 1] K D)", "K D d", fused + "weight"},
      {fused + "value.weight", "attention_value", "d ([1 1 *1] K D)", "K D d", fused + "weight"},
      {fused + "query.bias", "attention_query_bias", "([*1 1 1] K G D)", "", fused + "bias"},
      {fused + "key.bias", "attention_key_bias", "([1 *1 1] K D)", "", fused + "bias"},
      {fused + "value.bias", "attention_value_bias", "([1 1 *1] K D)", "", fused + "bias"},
      {layer + "attn.c_proj.weight", "attention_output", "(K G D) d", "d K G D"},
      {layer + "attn.c_proj.bias", "attention_output_bias", "d"},
      {layer + "ln_2.weight", "norm", "d"},
      {layer + "ln_2.bias", "norm", "d"},
      {layer + "mlp.c_fc.weight", "mlp_column", "d F", "F d"},
      {layer + "mlp.c_fc.bias", "mlp_column_bias", "F"},
      {layer + "mlp.c_proj.weight", "mlp_row", "F d", "d F"},
      {layer + "mlp.c_proj.bias", "mlp_row_bias", "d"},
      {"transformer.ln_f.weight", "norm", "d"},
      {"transformer.ln_f.bias", "norm", "d"},
  };
  if (!tied)
    patterns.push_back({"lm_head.weight", "head", "V d"});
  return patterns;
}

std::vector<StringRef> GPT2::ignored() const {
  // The causal mask, which some checkpoints hold.
  std::vector<StringRef> tensors = {"transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias",
                                    "h.*.attn.bias", "h.*.attn.masked_bias"};
  if (tied)
    tensors.push_back("lm_head.weight");
  return tensors;
}

ModelFacts GPT2::configure(Config &config) {
  names.embedding = "transformer.wte";
  names.positions = "transformer.wpe";
  names.layers = "transformer.h";
  names.attentionNorm = "ln_1";
  names.attention = "attn";
  names.query = "attn.c_attn.query";
  names.key = "attn.c_attn.key";
  names.value = "attn.c_attn.value";
  names.output = "attn.c_proj";
  names.mlpNorm = "ln_2";
  names.mlp = "mlp";
  names.up = "mlp.c_fc";
  names.down = "mlp.c_proj";
  names.finalNorm = "transformer.ln_f";
  names.head = "lm_head";

  AttentionSizes sizes = readEqualHeads(config, "n_embd", "n_head");
  layerCount = config.size("n_layer");
  layerNorms = true;
  epsilon = config.number("layer_norm_epsilon");
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  activation = readActivation(config, "activation_function");
  tied = config.boolean("tie_word_embeddings", true);
  config.expect("scale_attn_weights", true);
  config.expect("scale_attn_by_inverse_layer_idx", false);
  config.expect("reorder_and_upcast_attn", false);
  config.expect("add_cross_attention", false);
  int64_t positions = config.size("n_positions");
  int64_t ffn = config.size("n_inner", 4 * sizes.hidden);
  ModelFacts facts = makeFacts(config, sizes, layerCount, ffn, positions);
  facts.sizes['P'] = positions;
  return facts;
}

std::unique_ptr<Family> tp::createGPT2() { return std::make_unique<GPT2>(); }
