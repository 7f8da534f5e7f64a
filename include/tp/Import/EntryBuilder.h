//===- EntryBuilder.h - Writes the body of one entry ------------*- C++ -*-===//
//
// What a model family uses to write an entry function (prefill, decode): its
// parameters and states by name, and the operations of Transformers. Every
// operation takes the name of the module that it belongs to, which becomes its
// location ("model.layers.3.self_attn.o_proj") and so part of every message,
// report and explanation later on.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_ENTRYBUILDER_H
#define TP_IMPORT_ENTRYBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
namespace tp {

/// Cosines and sines of rotary embedding.
struct RotaryTable {
  Value cos, sin;
};

class EntryBuilder {
public:
  /// Writes the entry `name` at the insertion point of `builder`; floats are `element`.
  EntryBuilder(StringRef name, OpBuilder &builder, Type element)
      : entryName(name), builder(builder), element(element) {}

  /// The parameter or the current value of the state of this name; it must exist.
  Value get(StringRef name) const;
  /// Defines a parameter, or gives a state its new value.
  void set(StringRef name, Value value) { values[name] = value; }

  /// `einsum` names the dimensions of x, w and the result, one letter each:
  /// "bsc,kghc->bskgh". Letters that the result lacks are summed.
  Value contract(StringRef name, Value x, Value w, StringRef einsum);
  /// Contracts x with the parameter `name`.weight.
  Value linear(StringRef name, Value x, StringRef einsum);
  /// Rows of the parameter `name`.weight: ids [B, S] -> [B, S, d].
  Value embedding(StringRef name, Value ids);
  /// Root-mean-square normalisation with the parameter `name`.weight.
  Value rmsNorm(StringRef name, Value x, double epsilon);
  /// Tables [B, S, headDim / 2] for positions pos[b] + s.
  RotaryTable rotaryTable(StringRef name, Value pos, int64_t positions, int64_t headDim,
                          double theta);
  /// x [B, S, ..., D] turned by its position.
  Value rope(StringRef name, Value x, RotaryTable table);
  /// Writes `update` [B, S, K, D] into the state `name` at pos; returns its new value.
  Value updateCache(StringRef name, Value update, Value pos);
  /// Causal attention of query [B, S, K, G, D] over caches [B, K, T, D].
  Value attention(StringRef name, Value query, Value keys, Value values, Value pos, double scale);
  /// x + y.
  Value add(StringRef name, Value x, Value y);
  /// Makes x [B, S, d], a result of an operation of its own, part of the residual
  /// stream: plans can call it ENTRY.`name` and go by its role `residual`.
  Value residual(StringRef name, Value x);
  /// silu(gate) * up, silu(g) = g / (1 + exp(-g)), as one operation.
  Value siluAndMultiply(StringRef name, Value gate, Value up);
  /// x [B, S, d] -> [B, d]: row count[b] - 1 of each batch row.
  Value rowBefore(StringRef name, Value x, Value count);
  /// Index of the largest of the last dimension: [B, V] -> [B] of i64.
  Value argmax(StringRef name, Value x);
  /// [..., n, m, ...] -> the same elements in another shape, by merging or
  /// splitting dimensions.
  Value reshape(StringRef name, Value x, ArrayRef<int64_t> shape);

  OpBuilder &getBuilder() { return builder; }
  /// The location of what belongs to this name.
  Location loc(StringRef name) const;

private:
  /// Destinations of the operation `name`; each has its own.
  Value empty(StringRef name, ArrayRef<int64_t> shape);
  Value zeros(StringRef name, ArrayRef<int64_t> shape);

  std::string entryName;
  OpBuilder &builder;
  Type element;
  llvm::StringMap<Value> values;
  Value zero; ///< The constant 0, once it is needed.
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_ENTRYBUILDER_H
