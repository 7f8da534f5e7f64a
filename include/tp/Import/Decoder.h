//===- Decoder.h - The body that decoder families share ---------*- C++ -*-===//
//
// Decoder-only Transformers differ in few things: norms, positions, biases, the
// feed-forward network, and whether attention and feed-forward run one after
// another or side by side. A family says which, and how its checkpoint calls the
// modules; the body is written once.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_DECODER_H
#define TP_IMPORT_DECODER_H

#include "tp/Import/EntryBuilder.h"
#include "tp/Import/Family.h"
#include <functional>
#include <string>

namespace mlir {
namespace tp {

/// Names of modules; those of a layer stand behind `layers`.N. A module without a
/// name is one that the model does not have.
struct DecoderNames {
  std::string embedding, positions; ///< `positions`: a learned table.
  std::string layers;
  std::string attentionNorm, attention, query, key, value, output, attentionPostNorm;
  std::string queryNorm, keyNorm;                        ///< Of each head.
  std::string mlpNorm, mlp, gate, up, down, mlpPostNorm; ///< Without `gate`: not gated.
  std::string finalNorm, head;
};

/// How one layer differs from its neighbours.
struct DecoderLayer {
  int64_t window = 0; ///< Positions that attention sees; 0: all.
  int rotary = 0;     ///< Number of its rotary table.
};

/// A decoder family: `configure` of the family fills in the protected members.
class Decoder : public Family {
public:
  std::vector<TensorPattern> states() const override;
  Value body(EntryBuilder &entry, Value ids, Value pos) const override;
  Value head(EntryBuilder &entry, Value x) const override;

protected:
  DecoderNames names;
  int64_t layerCount = 0;
  /// What is particular about a layer; null: nothing.
  std::function<DecoderLayer(int64_t layer)> layerAt;
  std::vector<RotaryFrequencies> rotary; ///< Empty: positions are not rotary.
  double epsilon = 0;
  double normWeightOffset = 0; ///< Added to the weights of RMS norms.
  bool layerNorms = false;     ///< Mean and variance in place of RMS.
  /// x + attention(norm x) + mlp(norm x) in place of one after the other.
  bool parallelBlocks = false;
  Activation activation = Activation::Silu;
  double attentionScale = 1, embeddingScale = 1;
  bool tied = false; ///< The head is the embedding.

private:
  Value norm(EntryBuilder &entry, const std::string &name, Value x) const;
  Value attention(EntryBuilder &entry, const std::string &prefix, const DecoderLayer &layer,
                  Value x, Value pos, ArrayRef<RotaryTable> tables) const;
  Value feedForward(EntryBuilder &entry, const std::string &prefix, Value x) const;
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_DECODER_H
