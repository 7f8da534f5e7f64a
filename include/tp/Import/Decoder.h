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

#include "tp/Import/Layers.h"
#include <functional>

namespace mlir {
namespace tp {

/// How one layer differs from its neighbours.
struct DecoderLayer {
  int64_t window = 0; ///< Positions that attention sees; 0: all.
  int rotary = 0;     ///< Number of its rotary table.
};

/// A decoder family: `configure` of the family fills in the protected members.
class Decoder : public Layers {
public:
  std::vector<TensorPattern> states() const override;
  Value body(EntryBuilder &entry, Value ids, Value pos) const override;
  Value head(EntryBuilder &entry, Value x) const override;

protected:
  /// What is particular about a layer; null: nothing.
  std::function<DecoderLayer(int64_t layer)> layerAt;
  std::vector<RotaryFrequencies> rotary; ///< Empty: positions are not rotary.
  /// x + attention(norm x) + mlp(norm x) in place of one after the other.
  bool parallelBlocks = false;
  double embeddingScale = 1;
  bool tied = false; ///< The head is the embedding.

private:
  Value attention(EntryBuilder &entry, const std::string &prefix, const DecoderLayer &layer,
                  Value x, Value pos, ArrayRef<RotaryTable> tables) const;
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_DECODER_H
