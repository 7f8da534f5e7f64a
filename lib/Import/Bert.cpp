//===- Bert.cpp - The family BERT --------------------------------------------===//
//
// The encoder without a head. All tokens are of type 0, one text: the first row of
// the table of types is a vector that every token gets; so is each row of learned
// positions the vector of one place, as texts begin at position 0.
//
//===----------------------------------------------------------------------===//

#include "ConfigReaders.h"
#include "Families.h"
#include "tp/Import/Encoder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Bert : public Encoder {
public:
  ModelFacts configure(Config &config) override;
  std::vector<TensorPattern> parameters() const override;
  std::vector<StringRef> ignored() const override;
};

} // namespace

std::vector<TensorPattern> Bert::parameters() const {
  std::string layer = "encoder.layer.*.", self = layer + "attention.self.";
  return {
      {"embeddings.word_embeddings.weight", "embedding", "V d"},
      {"embeddings.token_type_embeddings.weight", "position_embedding", "[*1 Y] d"},
      {"embeddings.position_embeddings.weight", "position_embedding", "[*S R] d"},
      {"embeddings.LayerNorm.weight", "norm", "d"},
      {"embeddings.LayerNorm.bias", "norm", "d"},
      {self + "query.weight", "attention_query", "(K G D) d"},
      {self + "query.bias", "attention_query_bias", "(K G D)"},
      {self + "key.weight", "attention_key", "(K D) d"},
      {self + "key.bias", "attention_key_bias", "(K D)"},
      {self + "value.weight", "attention_value", "(K D) d"},
      {self + "value.bias", "attention_value_bias", "(K D)"},
      {layer + "attention.output.dense.weight", "attention_output", "d (K G D)"},
      {layer + "attention.output.dense.bias", "attention_output_bias", "d"},
      {layer + "attention.output.LayerNorm.weight", "norm", "d"},
      {layer + "attention.output.LayerNorm.bias", "norm", "d"},
      {layer + "intermediate.dense.weight", "mlp_column", "F d"},
      {layer + "intermediate.dense.bias", "mlp_column_bias", "F"},
      {layer + "output.dense.weight", "mlp_row", "d F"},
      {layer + "output.dense.bias", "mlp_row_bias", "d"},
      {layer + "output.LayerNorm.weight", "norm", "d"},
      {layer + "output.LayerNorm.bias", "norm", "d"},
  };
}

std::vector<StringRef> Bert::ignored() const {
  // Numbers from 0 on; the head for the task that the model was made with.
  return {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"};
}

ModelFacts Bert::configure(Config &config) {
  names.embedding = "embeddings.word_embeddings";
  names.positions = "embeddings.position_embeddings";
  tokenType = "embeddings.token_type_embeddings";
  embeddingNorm = "embeddings.LayerNorm";
  names.layers = "encoder.layer";
  names.attention = "attention.self";
  names.query = "attention.self.query";
  names.key = "attention.self.key";
  names.value = "attention.self.value";
  names.output = "attention.output.dense";
  names.attentionNorm = "attention.output.LayerNorm";
  names.mlp = "output";
  names.up = "intermediate.dense";
  names.down = "output.dense";
  names.mlpNorm = "output.LayerNorm";

  AttentionSizes sizes = readEqualHeads(config);
  layerCount = config.size("num_hidden_layers");
  layerNorms = true;
  epsilon = config.number("layer_norm_eps", 1e-12);
  attentionScale = 1 / std::sqrt(static_cast<double>(sizes.headDim));
  activation = readActivation(config, "hidden_act");
  config.expect("position_embedding_type", "absolute");
  config.expect("is_decoder", false);
  config.expect("add_cross_attention", false);
  int64_t positions = config.size("max_position_embeddings"),
          ffn = config.size("intermediate_size");
  ModelFacts facts = makeFacts(config, sizes, layerCount, ffn, positions);
  facts.sizes['Y'] = config.size("type_vocab_size", 2) - 1;
  return facts;
}

std::unique_ptr<Family> tp::createBert() { return std::make_unique<Bert>(); }
