//===- Llama.cpp - The Llama family ----------------------------------------===//
//
// Llama 2 and 3 and what is built like them; SmolLM2 is one.
//
//===----------------------------------------------------------------------===//

#include "LlamaLike.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Llama : public LlamaLike {
public:
  ModelFacts configure(Config &config) override {
    ModelFacts facts = configureAsLlama(config, readAttentionSizes(config));
    queryKeyValueBias = outputBias = config.boolean("attention_bias", false);
    mlpBias = config.boolean("mlp_bias", false);
    if (config.boolean("use_sliding_window", true))
      config.expectAbsent("sliding_window", "attention in a sliding window");
    else
      config.size("sliding_window", 1);
    return facts;
  }
};

} // namespace

std::unique_ptr<Family> tp::createLlama() { return std::make_unique<Llama>(); }
