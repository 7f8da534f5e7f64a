//===- Encoder.h - The body that encoder families share ---------*- C++ -*-===//
//
// Encoders as BERT: the whole text at once, attention in both directions, a norm
// behind each residual sum. There is no cache and no position argument.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_ENCODER_H
#define TP_IMPORT_ENCODER_H

#include "tp/Import/Layers.h"

namespace mlir {
namespace tp {

/// An encoder family: `configure` of the family fills in the protected members.
class Encoder : public Layers {
public:
  bool isEncoder() const final { return true; }
  std::vector<TensorPattern> states() const final { return {}; }
  Value body(EntryBuilder &entry, Value ids, Value count) const override;

protected:
  /// The rows of learned positions that the text takes, [S, d], have the name
  /// names.positions; what every token gets besides, [d], has this one.
  std::string tokenType;
  std::string embeddingNorm;
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_ENCODER_H
