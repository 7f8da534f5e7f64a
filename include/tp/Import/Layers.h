//===- Layers.h - What layers of Transformers share -------------*- C++ -*-===//
//
// The pieces of a layer that decoders and encoders have in common: how a checkpoint
// calls the modules, norms, the products of attention and the feed-forward network.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_LAYERS_H
#define TP_IMPORT_LAYERS_H

#include "tp/Import/EntryBuilder.h"
#include "tp/Import/Family.h"
#include <string>

namespace mlir {
namespace tp {

/// Names of modules; those of a layer stand behind `layers`.N. A module without a
/// name is one that the model does not have.
struct LayerNames {
  std::string embedding, positions; ///< `positions`: a learned table.
  std::string layers;
  std::string attentionNorm, attention, query, key, value, output, attentionPostNorm;
  std::string queryNorm, keyNorm;                        ///< Of each head.
  std::string mlpNorm, mlp, gate, up, down, mlpPostNorm; ///< Without `gate`: not gated.
  std::string finalNorm, head;
};

/// A family of layers: `configure` of the family fills in the protected members.
class Layers : public Family {
protected:
  /// [B, S, K, G, D] and twice [B, S, K, D].
  struct Heads {
    Value query, key, value;
  };

  Value norm(EntryBuilder &entry, const std::string &name, Value x) const;
  /// Queries, keys and values of x [B, S, d], with their biases.
  Heads projectHeads(EntryBuilder &entry, const std::string &prefix, Value x) const;
  /// Everything up to the down projection, without its bias: the caller adds that
  /// where the sum over ranks has been taken.
  Value feedForward(EntryBuilder &entry, const std::string &prefix, Value x) const;

  LayerNames names;
  int64_t layerCount = 0;
  double epsilon = 0;
  double normWeightOffset = 0; ///< Added to the weights of RMS norms.
  bool layerNorms = false;     ///< Mean and variance in place of RMS.
  Activation activation = Activation::Silu;
  double attentionScale = 1;
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_LAYERS_H
