//===- Qwen2.cpp - The families Qwen2 and Qwen2.5 ----------------------------===//
//
// Llama with biases of query, key and value; from some layer on attention may be
// limited to a window.
//
//===----------------------------------------------------------------------===//

#include "LlamaLike.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Qwen2 : public LlamaLike {
public:
  ModelFacts configure(Config &config) override {
    ModelFacts facts = configureAsLlama(config, readAttentionSizes(config));
    queryKeyValueBias = true;
    configureQwenWindows(config);
    return facts;
  }
};

} // namespace

std::unique_ptr<Family> tp::createQwen2() { return std::make_unique<Qwen2>(); }
