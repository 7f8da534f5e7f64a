//===- Layers.cpp - What layers of Transformers share ----------------------===//

#include "tp/Import/Layers.h"

using namespace mlir;
using namespace mlir::tp;

Value Layers::norm(EntryBuilder &entry, const std::string &name, Value x) const {
  return layerNorms ? entry.layerNorm(name, x, epsilon)
                    : entry.rmsNorm(name, x, epsilon, normWeightOffset);
}

Layers::Heads Layers::projectHeads(EntryBuilder &entry, const std::string &prefix, Value x) const {
  // The three products stand together: targets compute them in one go.
  Value query = entry.project(prefix + names.query, x, "bsc,kghc->bskgh");
  Value key = entry.project(prefix + names.key, x, "bsc,khc->bskh");
  Value value = entry.project(prefix + names.value, x, "bsc,khc->bskh");
  return {entry.addBias(prefix + names.query, query), entry.addBias(prefix + names.key, key),
          entry.addBias(prefix + names.value, value)};
}

Value Layers::feedForward(EntryBuilder &entry, const std::string &prefix, Value x) const {
  std::string name = prefix + names.mlp + ".act_fn", up = prefix + names.up;
  Value inner;
  if (names.gate.empty()) {
    inner = entry.activate(name, activation, entry.linear(up, x, "bsc,fc->bsf"));
  } else {
    Value gated = entry.project(prefix + names.gate, x, "bsc,fc->bsf");
    Value wide = entry.project(up, x, "bsc,fc->bsf");
    gated = entry.addBias(prefix + names.gate, gated);
    inner = entry.activateAndMultiply(name, activation, gated, entry.addBias(up, wide));
  }
  return entry.project(prefix + names.down, inner, "bsf,cf->bsc");
}
