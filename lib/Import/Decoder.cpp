//===- Decoder.cpp - The body that decoder families share ------------------===//

#include "tp/Import/Decoder.h"

using namespace mlir;
using namespace mlir::tp;

std::vector<TensorPattern> Decoder::states() const {
  std::string prefix = names.layers + ".*." + names.attention;
  return {{prefix + ".k_cache", "kv_cache", "B K T D"},
          {prefix + ".v_cache", "kv_cache", "B K T D"}};
}

/// Everything up to the output projection, without its bias: the caller adds that
/// where the sum over ranks has been taken.
Value Decoder::attention(EntryBuilder &entry, const std::string &prefix, const DecoderLayer &layer,
                         Value x, Value pos, ArrayRef<RotaryTable> tables) const {
  std::string name = prefix + names.attention;
  auto [query, key, value] = projectHeads(entry, prefix, x);
  if (!names.queryNorm.empty()) {
    query = norm(entry, prefix + names.queryNorm, query);
    key = norm(entry, prefix + names.keyNorm, key);
  }
  if (!tables.empty()) {
    query = entry.rope(name + ".q_rope", query, tables[layer.rotary]);
    key = entry.rope(name + ".k_rope", key, tables[layer.rotary]);
  }
  Value keys = entry.updateCache(name + ".k_cache", key, pos);
  Value values = entry.updateCache(name + ".v_cache", value, pos);
  Value mixed = entry.attention(name, query, keys, values, pos, attentionScale, layer.window);
  return entry.project(prefix + names.output, mixed, "bskgh,ckgh->bsc");
}

Value Decoder::body(EntryBuilder &entry, Value ids, Value pos) const {
  int64_t positions = cast<RankedTensorType>(ids.getType()).getDimSize(1);
  Value x = entry.embedding(names.embedding, ids);
  if (embeddingScale != 1)
    x = entry.scale(names.embedding + ".scale", x, embeddingScale);
  if (!names.positions.empty()) {
    Value places = entry.positionIds(names.positions + ".ids", pos, positions);
    x = entry.add(names.positions + ".sum", x, entry.embedding(names.positions, places));
  }
  x = entry.residual(names.embedding + ".residual", x);
  SmallVector<RotaryTable> tables;
  for (auto [i, frequencies] : llvm::enumerate(rotary)) {
    std::string suffix = i == 0 ? "" : "_" + std::to_string(i);
    tables.push_back(entry.rotaryTable("model.rotary_emb" + suffix, pos, positions, frequencies));
  }
  for (int64_t i = 0; i < layerCount; ++i) {
    DecoderLayer layer = layerAt ? layerAt(i) : DecoderLayer();
    std::string prefix = names.layers + "." + std::to_string(i) + ".";
    std::string output = prefix + names.output, down = prefix + names.down;
    std::string attentionSum = prefix + names.attention + ".residual";
    std::string mlpSum = prefix + names.mlp + ".residual";
    Value normed = norm(entry, prefix + names.attentionNorm, x);
    Value mixed = attention(entry, prefix, layer, normed, pos, tables);
    if (parallelBlocks) {
      if (!names.mlpNorm.empty())
        normed = norm(entry, prefix + names.mlpNorm, x);
      Value wide = feedForward(entry, prefix, normed);
      // Both are partial sums on a rank that holds a part of each: added first,
      // they need one sum over ranks, and what follows stands behind it.
      Value both = entry.add(prefix + names.mlp + ".sum", mixed, wide);
      both = entry.addBias(down, entry.addBias(output, both));
      x = entry.residual(mlpSum, entry.add(mlpSum, x, both));
      continue;
    }
    mixed = entry.addBias(output, mixed);
    if (!names.attentionPostNorm.empty())
      mixed = norm(entry, prefix + names.attentionPostNorm, mixed);
    x = entry.residual(attentionSum, entry.add(attentionSum, x, mixed));
    normed = norm(entry, prefix + names.mlpNorm, x);
    Value wide = entry.addBias(down, feedForward(entry, prefix, normed));
    if (!names.mlpPostNorm.empty())
      wide = norm(entry, prefix + names.mlpPostNorm, wide);
    x = entry.residual(mlpSum, entry.add(mlpSum, x, wide));
  }
  return x;
}

Value Decoder::head(EntryBuilder &entry, Value x) const {
  x = norm(entry, names.finalNorm, x);
  Value table = entry.get((tied ? names.embedding : names.head) + ".weight");
  return entry.addBias(names.head, entry.contract(names.head, x, table, "bc,vc->bv"));
}
