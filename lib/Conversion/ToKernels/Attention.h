//===- Attention.h - Attention, causal or in both directions ----*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_ATTENTION_H
#define TP_LIB_CONVERSION_TOKERNELS_ATTENTION_H

#include "KernelBuilder.h"

namespace mlir::tp {

/// query and result [batch, steps, heads, group, depth], keys and values
/// [batch, heads, capacity, depth], all contiguous. A query sees the last
/// `window` positions up to its own, all where that is 0; or, bidirectional, as many
/// as pos says. With `isBlock`, keys and values are a block of the positions.
struct AttentionShape {
  int64_t batch, steps, heads, group, capacity, depth;
  double scale;
  int64_t window;
  bool bidirectional;
  Type element;
  bool isBlock = false;
};

/// Whether there is a kernel: depths whose vectors fit registers and caches.
bool hasAttentionKernel(const AttentionShape &shape);

/// Declares the kernel for a shape, with parameters query, key, value, pos
/// [batch] of i64, result; its range is in blocks of query rows. With `isBlock` they are
/// query, key, value, pos, place [3] of i64 (the number of the first step, the position of the
/// first key, how many keys there are), then sums [batch, steps, heads, group, depth + 1]
/// and largest [batch, steps, heads, group] of the type of the arithmetic.
func::FuncOp declareAttentionKernel(ModuleOp module, Location loc, const AttentionShape &shape);
/// Writes the body of a function that declareAttentionKernel made; false where
/// `kernel` is another one.
bool defineAttentionKernel(func::FuncOp kernel, int64_t bits);
int64_t getAttentionRange(const AttentionShape &shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_ATTENTION_H
