//===- Llama.cpp - The Llama family ----------------------------------------===//
//
// Pre-norm decoder: RMS norm, grouped-query attention with rotary positions
// (half-split), gated SiLU feed-forward; SmolLM2 is one.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "tp/Import/Config.h"
#include "tp/Import/EntryBuilder.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Llama : public Family {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<TensorPattern> states() const override;
  std::vector<StringRef> ignored() const override;
  Value body(EntryBuilder &entry, Value ids, Value pos) const override;
  Value head(EntryBuilder &entry, Value x) const override;

private:
  double readTheta(Config &config);
  Value attention(EntryBuilder &entry, const std::string &name, Value x, Value pos,
                  RotaryTable rotary) const;
  Value feedForward(EntryBuilder &entry, const std::string &name, Value x) const;

  int64_t layers = 0, headDim = 0;
  double epsilon = 0, theta = 0;
  bool tied = false;
};

} // namespace

std::vector<TensorPattern> Llama::parameters() const {
  std::vector<TensorPattern> patterns = {
      {"model.embed_tokens.weight", "embedding", "V d"},
      {"model.layers.*.input_layernorm.weight", "norm", "d"},
      {"model.layers.*.self_attn.q_proj.weight", "attention_query", "(K G D) d"},
      {"model.layers.*.self_attn.k_proj.weight", "attention_key", "(K D) d"},
      {"model.layers.*.self_attn.v_proj.weight", "attention_value", "(K D) d"},
      {"model.layers.*.self_attn.o_proj.weight", "attention_output", "d (K G D)"},
      {"model.layers.*.post_attention_layernorm.weight", "norm", "d"},
      {"model.layers.*.mlp.gate_proj.weight", "mlp_column", "F d"},
      {"model.layers.*.mlp.up_proj.weight", "mlp_column", "F d"},
      {"model.layers.*.mlp.down_proj.weight", "mlp_row", "d F"},
      {"model.norm.weight", "norm", "d"},
  };
  if (!tied)
    patterns.push_back({"lm_head.weight", "head", "V d"});
  return patterns;
}

std::vector<TensorPattern> Llama::states() const {
  return {
      {"model.layers.*.self_attn.k_cache", "kv_cache", "B K T D"},
      {"model.layers.*.self_attn.v_cache", "kv_cache", "B K T D"},
  };
}

std::vector<StringRef> Llama::ignored() const {
  // Frequencies follow from the configuration.
  std::vector<StringRef> names = {"model.layers.*.self_attn.rotary_emb.inv_freq",
                                  "model.rotary_emb.inv_freq"};
  // A tied head is the embedding, whatever else the checkpoint holds.
  if (tied)
    names.push_back("lm_head.weight");
  return names;
}

/// The rotary base, from the field itself or from the newer object that holds
/// all rotary parameters; only unscaled positions are supported.
double Llama::readTheta(Config &config) {
  config.expectAbsent("rope_scaling", "scaling of rotary positions");
  config.expect("rope_interleaved", false);
  config.expect("partial_rotary_factor", 1.0);
  double theta = config.number("rope_theta", 10000.0);
  if (std::optional<Config> rope = config.object("rope_parameters")) {
    rope->expect("rope_type", "default");
    rope->expect("partial_rotary_factor", 1.0);
    theta = rope->number("rope_theta", theta);
    config.adopt(*rope);
  }
  return theta;
}

ModelFacts Llama::configure(Config &config) {
  ModelFacts facts;
  int64_t hidden = config.size("hidden_size");
  int64_t heads = config.size("num_attention_heads");
  int64_t kvHeads = config.size("num_key_value_heads", heads);
  if (heads % kvHeads != 0)
    config.fail("num_key_value_heads",
                "must divide num_attention_heads (" + Twine(heads) + "), found " + Twine(kvHeads));
  if (!config.has("head_dim") && hidden % heads != 0)
    config.fail("hidden_size", "must be a multiple of num_attention_heads (" + Twine(heads) +
                                   ") where head_dim is not given, found " + Twine(hidden));
  headDim = config.size("head_dim", std::max<int64_t>(hidden / heads, 1));
  if (headDim % 2 != 0)
    config.fail("head_dim", "must be even, found " + Twine(headDim));
  layers = config.size("num_hidden_layers");
  epsilon = config.number("rms_norm_eps");
  theta = readTheta(config);
  tied = config.boolean("tie_word_embeddings", false);
  if (config.string("hidden_act") != "silu")
    config.expect("hidden_act", "silu");
  config.expect("attention_bias", false);
  config.expect("mlp_bias", false);
  if (config.boolean("use_sliding_window", true))
    config.expectAbsent("sliding_window", "attention in a sliding window");
  config.expectAbsent("quantization_config", "a quantized checkpoint");

  facts.sizes = {{'V', config.size("vocab_size")},
                 {'F', config.size("intermediate_size")},
                 {'d', hidden},
                 {'K', kvHeads},
                 {'G', heads / kvHeads},
                 {'D', headDim}};
  facts.layers = layers;
  facts.maxPositions = config.size("max_position_embeddings");
  facts.bos = config.tokens("bos_token_id");
  facts.eos = config.tokens("eos_token_id");
  return facts;
}

Value Llama::attention(EntryBuilder &entry, const std::string &name, Value x, Value pos,
                       RotaryTable rotary) const {
  Value query = entry.linear(name + ".q_proj", x, "bsc,kghc->bskgh");
  Value key = entry.linear(name + ".k_proj", x, "bsc,khc->bskh");
  Value value = entry.linear(name + ".v_proj", x, "bsc,khc->bskh");
  query = entry.rope(name + ".q_rope", query, rotary);
  key = entry.rope(name + ".k_rope", key, rotary);
  Value keys = entry.updateCache(name + ".k_cache", key, pos);
  Value values = entry.updateCache(name + ".v_cache", value, pos);
  double scale = 1 / std::sqrt(static_cast<double>(headDim));
  Value mixed = entry.attention(name, query, keys, values, pos, scale);
  return entry.linear(name + ".o_proj", mixed, "bskgh,ckgh->bsc");
}

Value Llama::feedForward(EntryBuilder &entry, const std::string &name, Value x) const {
  Value gate = entry.linear(name + ".gate_proj", x, "bsc,fc->bsf");
  Value up = entry.linear(name + ".up_proj", x, "bsc,fc->bsf");
  Value inner = entry.siluAndMultiply(name + ".act_fn", gate, up);
  return entry.linear(name + ".down_proj", inner, "bsf,cf->bsc");
}

Value Llama::body(EntryBuilder &entry, Value ids, Value pos) const {
  int64_t positions = cast<RankedTensorType>(ids.getType()).getDimSize(1);
  Value x =
      entry.residual("model.embed_tokens.residual", entry.embedding("model.embed_tokens", ids));
  RotaryTable rotary = entry.rotaryTable("model.rotary_emb", pos, positions, headDim, theta);
  auto addResidual = [&](const std::string &name, Value residual, Value y) {
    return entry.residual(name, entry.add(name, residual, y));
  };
  for (int64_t i = 0; i < layers; ++i) {
    std::string layer = "model.layers." + std::to_string(i);
    Value normed = entry.rmsNorm(layer + ".input_layernorm", x, epsilon);
    Value mixed = attention(entry, layer + ".self_attn", normed, pos, rotary);
    x = addResidual(layer + ".self_attn.residual", x, mixed);
    normed = entry.rmsNorm(layer + ".post_attention_layernorm", x, epsilon);
    x = addResidual(layer + ".mlp.residual", x, feedForward(entry, layer + ".mlp", normed));
  }
  return x;
}

Value Llama::head(EntryBuilder &entry, Value x) const {
  x = entry.rmsNorm("model.norm", x, epsilon);
  Value table = entry.get(tied ? "model.embed_tokens.weight" : "lm_head.weight");
  return entry.contract("lm_head", x, table, "bc,vc->bv");
}

std::unique_ptr<Family> tp::createLlama() { return std::make_unique<Llama>(); }
