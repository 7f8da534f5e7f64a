//===- ConfigReaders.cpp - Fields that several families have ---------------===//

#include "ConfigReaders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tp;

void tp::checkAttentionSizes(Config &config, const AttentionSizes &sizes, bool headDimGiven,
                             llvm::StringRef hidden, llvm::StringRef heads,
                             llvm::StringRef kvHeads) {
  if (sizes.heads % sizes.kvHeads != 0)
    config.fail(kvHeads, "must divide " + heads + " (" + Twine(sizes.heads) + "), found " +
                             Twine(sizes.kvHeads));
  if (!headDimGiven && sizes.hidden % sizes.heads != 0)
    config.fail(hidden, "must be a multiple of " + heads + " (" + Twine(sizes.heads) +
                            ") where head_dim is not given, found " + Twine(sizes.hidden));
}

AttentionSizes tp::readEqualHeads(Config &config, llvm::StringRef hidden, llvm::StringRef heads) {
  AttentionSizes sizes;
  sizes.hidden = config.size(hidden);
  sizes.heads = sizes.kvHeads = config.size(heads);
  sizes.headDim = std::max<int64_t>(sizes.hidden / sizes.heads, 1);
  checkAttentionSizes(config, sizes, /*headDimGiven=*/false, hidden, heads);
  return sizes;
}

AttentionSizes tp::readAttentionSizes(Config &config, std::optional<int64_t> headDim) {
  AttentionSizes sizes;
  sizes.hidden = config.size("hidden_size");
  sizes.heads = config.size("num_attention_heads");
  sizes.kvHeads = config.size("num_key_value_heads", sizes.heads);
  bool given = headDim || config.has("head_dim");
  int64_t share = std::max<int64_t>(sizes.hidden / sizes.heads, 1);
  sizes.headDim = config.size("head_dim", headDim.value_or(share));
  checkAttentionSizes(config, sizes, given);
  return sizes;
}

ModelFacts tp::makeFacts(Config &config, const AttentionSizes &sizes, int64_t layers, int64_t ffn,
                         int64_t maxPositions) {
  config.expectAbsent("quantization_config", "a quantized checkpoint");
  ModelFacts facts;
  facts.sizes = {{'V', config.size("vocab_size")},
                 {'F', ffn},
                 {'d', sizes.hidden},
                 {'K', sizes.kvHeads},
                 {'G', sizes.heads / sizes.kvHeads},
                 {'D', sizes.headDim}};
  facts.layers = layers;
  facts.maxPositions = maxPositions;
  facts.bos = config.tokens("bos_token_id");
  facts.eos = config.tokens("eos_token_id");
  return facts;
}

Activation tp::readActivation(Config &config, llvm::StringRef field) {
  static const std::pair<llvm::StringRef, Activation> known[] = {
      {"silu", Activation::Silu},
      {"gelu", Activation::Gelu},
      {"gelu_new", Activation::GeluTanh},
      {"gelu_fast", Activation::GeluTanh},
      {"gelu_pytorch_tanh", Activation::GeluTanh},
      {"relu", Activation::Relu}};
  std::string name = config.string(field), list;
  for (const auto &[text, activation] : known) {
    if (text == name)
      return activation;
    list += (list.empty() ? "" : ", ") + text.str();
  }
  config.fail(field, "supported are " + list + ", found '" + name + "'");
  return Activation::Silu;
}

/// Stretches low frequencies by `factor`, keeps high ones and goes from one to the
/// other in between, as published with Llama 3.1 (`_compute_llama3_parameters` of
/// Hugging Face's modeling_rope_utils): with w = 2 pi / f the length of a wave, f is
/// kept where w < original / high, f / factor where w > original / low.
static void scaleAsLlama3(Config &scaling, std::vector<double> &frequencies) {
  double factor = scaling.number("factor");
  double low = scaling.number("low_freq_factor"), high = scaling.number("high_freq_factor");
  double original = scaling.size("original_max_position_embeddings");
  if (high <= low)
    scaling.fail("high_freq_factor", "must be larger than low_freq_factor");
  const double fullTurn = 2 * std::acos(-1.0);
  for (double &frequency : frequencies) {
    double waves = original * frequency / fullTurn; // that the original context holds
    double kept = std::clamp((waves - low) / (high - low), 0.0, 1.0);
    frequency = (1 - kept) * frequency / factor + kept * frequency;
  }
}

RotaryFrequencies tp::readScaledRotary(Config &scaling, int64_t dims, double theta) {
  RotaryFrequencies result;
  result.dims = dims;
  result.theta = scaling.number("rope_theta", theta);
  // The older name of the field stands beside the newer one in some files.
  std::string type = scaling.string("type", "default");
  type = scaling.string("rope_type", type);
  if (type != "default")
    for (int64_t i = 0; i < dims / 2; ++i)
      result.scaled.push_back(std::pow(result.theta, -2.0 * i / dims));
  if (type == "linear") {
    double factor = scaling.number("factor");
    for (double &frequency : result.scaled)
      frequency /= factor;
  } else if (type == "llama3") {
    scaleAsLlama3(scaling, result.scaled);
  } else if (type != "default") {
    scaling.fail(scaling.has("rope_type") ? "rope_type" : "type",
                 "supported are default, linear, llama3, found '" + type + "'");
  }
  scaling.expectAllRead();
  return result;
}

/// The number of elements of a head that are rotated.
static int64_t readRotatedDims(Config &config, int64_t headDim, std::optional<double> &partial,
                               llvm::StringRef field) {
  if (!partial) {
    config.expect("partial_rotary_factor", 1.0);
    if (headDim % 2 != 0)
      config.fail("head_dim", "must be even, found " + Twine(headDim));
    return headDim;
  }
  partial = config.number(field, *partial);
  int64_t dims = static_cast<int64_t>(*partial * headDim);
  if (dims < 2 || dims > headDim || dims % 2 != 0)
    config.fail(field, "must rotate an even number of each head's " + Twine(headDim) +
                           " elements, found " + Twine(dims));
  return dims;
}

RotaryFrequencies tp::readRotary(Config &config, int64_t headDim, double theta,
                                 std::optional<double> partial, llvm::StringRef partialField) {
  config.expect("rope_interleaved", false);
  int64_t dims = readRotatedDims(config, headDim, partial, partialField);
  theta = config.number("rope_theta", theta);
  RotaryFrequencies result;
  result.dims = dims;
  result.theta = theta;
  if (std::optional<Config> scaling = config.object("rope_scaling")) {
    config.expectAbsent("rope_parameters", "an object beside rope_scaling");
    result = readScaledRotary(*scaling, dims, theta);
    config.adopt(*scaling);
  } else if (std::optional<Config> all = config.object("rope_parameters")) {
    dims = readRotatedDims(*all, headDim, partial, "partial_rotary_factor");
    result = readScaledRotary(*all, dims, theta);
    config.adopt(*all);
  }
  return result;
}

std::function<bool(int64_t)> tp::readSlidingLayers(Config &config, int64_t layers,
                                                   std::function<bool(int64_t layer)> slides) {
  std::vector<std::string> types = config.strings("layer_types");
  if (types.empty())
    return slides;
  if (static_cast<int64_t>(types.size()) != layers) {
    config.fail("layer_types",
                "expected " + Twine(layers) + " layers, found " + Twine(types.size()));
    return slides;
  }
  std::vector<bool> isSliding;
  for (const std::string &type : types) {
    isSliding.push_back(type == "sliding_attention");
    if (!isSliding.back() && type != "full_attention")
      config.fail("layer_types",
                  "supported are full_attention, sliding_attention, found '" + type + "'");
  }
  return [isSliding](int64_t layer) { return isSliding[layer]; };
}
