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
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace mlir {
namespace tp {

/// Cosines and sines of rotary embedding.
struct RotaryTable {
  Value cos, sin;
};

/// Angles per position of rotary embedding: theta^(-2i/dims), or one by one where
/// they are scaled.
struct RotaryFrequencies {
  int64_t dims = 0; ///< Elements of a head that are rotated, even.
  double theta = 10000;
  std::vector<double> scaled; ///< dims / 2 of them, or empty.
};

/// Functions of one value between the products of a feed-forward network.
enum class Activation {
  Relu,    ///< max(x, 0)
  Silu,    ///< x / (1 + exp(-x))
  Gelu,    ///< x / 2 * (1 + erf(x / sqrt(2)))
  GeluTanh ///< x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
};

class EntryBuilder {
public:
  /// Writes the entry `name` at the insertion point of `builder`; floats are
  /// `element`. Sums, norms and elementwise functions are computed in f32 where that
  /// is narrower.
  EntryBuilder(StringRef name, OpBuilder &builder, Type element)
      : entryName(name), builder(builder), element(element), sum(builder.getF32Type()) {}

  /// The parameter or the current value of the state of this name; it must exist.
  Value get(StringRef name) const;
  /// Whether there is such a parameter or state.
  bool has(StringRef name) const { return values.contains(name); }
  /// Defines a parameter, or gives a state its new value.
  void set(StringRef name, Value value) { values[name] = value; }

  /// `einsum` names the dimensions of x, w and the result, one letter each:
  /// "bsc,kghc->bskgh". Letters that the result lacks are summed. The result is f32
  /// and not rounded yet, so that sums over ranks are taken before.
  Value contract(StringRef name, Value x, Value w, StringRef einsum);
  /// Contracts x with the parameter `name`.weight.
  Value project(StringRef name, Value x, StringRef einsum);
  /// Adds the parameter `name`.bias, where there is one, to the last dimensions of x;
  /// the result has the type of x.
  Value addBias(StringRef name, Value x);
  /// Adds the parameter `name` to the last dimensions of x; the result has the type of
  /// x.
  Value addParameter(StringRef name, Value x);
  /// Both: a linear layer as the checkpoint has it.
  Value linear(StringRef name, Value x, StringRef einsum) {
    return addBias(name, project(name, x, einsum));
  }
  /// Rows of the parameter `name`.weight: ids [B, S] -> [B, S, d].
  Value embedding(StringRef name, Value ids);
  /// Root-mean-square normalisation with the parameter `name`.weight, to which
  /// `weightOffset` is added.
  Value rmsNorm(StringRef name, Value x, double epsilon, double weightOffset);
  /// Normalisation to mean 0 and variance 1 with `name`.weight and `name`.bias.
  Value layerNorm(StringRef name, Value x, double epsilon);
  /// pos[b] + s as [B, positions] of i64.
  Value positionIds(StringRef name, Value pos, int64_t positions);
  /// Tables [B, positions, dims / 2] for positions pos[b] + s.
  RotaryTable rotaryTable(StringRef name, Value pos, int64_t positions,
                          const RotaryFrequencies &frequencies);
  /// x [B, S, ..., D] turned by its position.
  Value rope(StringRef name, Value x, RotaryTable table);
  /// Writes `update` [B, S, K, D] into the state `name` at pos; returns its new value.
  Value updateCache(StringRef name, Value update, Value pos);
  /// Causal attention of query [B, S, K, G, D] over caches [B, K, T, D], over the
  /// last `window` positions where that is not 0.
  Value attention(StringRef name, Value query, Value keys, Value values, Value pos, double scale,
                  int64_t window);
  /// Attention of query [B, S, K, G, D] over keys and values [B, S, K, D] of the same
  /// positions, each query over the first count[b].
  Value bidirectionalAttention(StringRef name, Value query, Value keys, Value values, Value count,
                               double scale);
  /// x + y; rounded unless both are not.
  Value add(StringRef name, Value x, Value y);
  /// Makes x [B, S, d], a result of an operation of its own, part of the residual
  /// stream: plans can call it ENTRY.`name` and go by its role `residual`.
  Value residual(StringRef name, Value x);
  /// x * factor.
  Value scale(StringRef name, Value x, double factor);
  /// activation(x).
  Value activate(StringRef name, Activation activation, Value x);
  /// activation(gate) * up, as one operation.
  Value activateAndMultiply(StringRef name, Activation activation, Value gate, Value up);
  /// x [B, S, d] -> [B, d]: row count[b] - 1 of each batch row.
  Value rowBefore(StringRef name, Value x, Value count);
  /// Sum of x [B, S, d] over the first count[b] positions of each row: [B, d] of f32.
  Value sumOfRows(StringRef name, Value x, Value count);
  /// x in f32.
  Value widened(StringRef name, Value x);
  /// `count` ones of i64.
  Value ones(StringRef name, int64_t count);
  /// x [B, d] / count[b].
  Value divideByCount(StringRef name, Value x, Value count);
  /// x [B, d] / max(|x|, 1e-12), |x| the Euclidean length of each row.
  Value unitLength(StringRef name, Value x);
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
  Value empty(StringRef name, ArrayRef<int64_t> shape, Type type);
  Value zeros(StringRef name, ArrayRef<int64_t> shape);
  /// An elementwise operation on values of one shape; `body` computes in the type
  /// of sums, the results are of type `result`.
  Value elementwise(StringRef name, ValueRange inputs, Type result,
                    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
  /// x in the type of activations.
  Value rounded(Value x);

  std::string entryName;
  OpBuilder &builder;
  Type element, sum;
  llvm::StringMap<Value> values;
  Value zero; ///< The constant 0, once it is needed.
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_ENTRYBUILDER_H
