//===- Mistral.cpp - The family Mistral --------------------------------------===//
//
// Llama whose attention sees a window of positions in every layer.
//
//===----------------------------------------------------------------------===//

#include "LlamaLike.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

class Mistral : public LlamaLike {
public:
  ModelFacts configure(Config &config) override {
    ModelFacts facts = configureAsLlama(config, readAttentionSizes(config));
    // Null means no window; a configuration that does not speak of it has 4096.
    int64_t window = 0;
    if (config.has("sliding_window") || !config.isGiven("sliding_window"))
      window = config.size("sliding_window", 4096);
    configureWindows(config, window, [](int64_t) { return true; });
    return facts;
  }
};

} // namespace

std::unique_ptr<Family> tp::createMistral() { return std::make_unique<Mistral>(); }
