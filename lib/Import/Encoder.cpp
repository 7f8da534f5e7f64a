//===- Encoder.cpp - The body that encoder families share ------------------===//

#include "tp/Import/Encoder.h"

using namespace mlir;
using namespace mlir::tp;

Value Encoder::body(EntryBuilder &entry, Value ids, Value count) const {
  Value x = entry.embedding(names.embedding, ids);
  x = entry.addParameter(tokenType + ".weight", x);
  x = entry.addParameter(names.positions + ".weight", x);
  x = entry.residual("embeddings.residual", norm(entry, embeddingNorm, x));
  for (int64_t i = 0; i < layerCount; ++i) {
    std::string prefix = names.layers + "." + std::to_string(i) + ".";
    std::string name = prefix + names.attention, output = prefix + names.output;
    auto [query, key, value] = projectHeads(entry, prefix, x);
    Value mixed = entry.bidirectionalAttention(name, query, key, value, count, attentionScale);
    mixed = entry.addBias(output, entry.project(output, mixed, "bskgh,ckgh->bsc"));
    x = norm(entry, prefix + names.attentionNorm, entry.add(output + ".sum", x, mixed));
    x = entry.residual(name + ".residual", x);
    std::string down = prefix + names.down;
    Value wide = entry.addBias(down, feedForward(entry, prefix, x));
    x = norm(entry, prefix + names.mlpNorm, entry.add(down + ".sum", x, wide));
    x = entry.residual(prefix + names.mlp + ".residual", x);
  }
  return x;
}
