//===- Qwen3.cpp - The family Qwen3 ------------------------------------------===//
//
// Llama with a norm of each query and key head and a head size of its own.
//
//===----------------------------------------------------------------------===//

#include "LlamaLike.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Qwen3 : public LlamaLike {
public:
  ModelFacts configure(Config &config) override {
    ModelFacts facts = configureAsLlama(config, readAttentionSizes(config, /*headDim=*/128));
    names.queryNorm = "self_attn.q_norm";
    names.keyNorm = "self_attn.k_norm";
    queryKeyValueBias = outputBias = config.boolean("attention_bias", false);
    configureQwenWindows(config);
    return facts;
  }
};

} // namespace

std::unique_ptr<Family> tp::createQwen3() { return std::make_unique<Qwen3>(); }
