//===- LibraryWork.cpp - What kernels of the library must do ---------------===//
//
// Of the functions in runtime/cuda/kernels; arguments are those of abi.def, by position.
//
//===----------------------------------------------------------------------===//

#include "Work.h"

#include "dialects/RT/RT.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The kernels of the library.
enum class Kernel {
#define TPRT_KERNEL(name, parameters) name,
#include "tprt/abi.def"
};

Kernel getKernel(StringRef name) {
  static constexpr StringLiteral names[] = {
#define TPRT_KERNEL(name, parameters) #name,
#include "tprt/abi.def"
  };
  return Kernel(llvm::find(names, name) - std::begin(names));
}

class Call {
public:
  explicit Call(rt::KernelCallOp op) : op(op) {}

  StringRef name() { return op.getKernel(); }
  /// A size, which is a constant.
  int64_t size(unsigned argument) {
    IntegerAttr value;
    return matchPattern(op.getArguments()[argument], m_Constant(&value)) ? value.getInt() : 0;
  }
  /// The product of `count` sizes from `first` on.
  int64_t sizes(unsigned first, unsigned count) {
    int64_t product = 1;
    for (unsigned i = first; i < first + count; ++i)
      product *= size(i);
    return product;
  }
  int64_t bytes(unsigned argument) { return getBytes(op.getArguments()[argument]); }
  /// Of all buffers, each that is read or written once per argument.
  int64_t allBytes() {
    int64_t bytes = 0;
    for (Value argument : op.getArguments())
      bytes += getBytes(argument);
    return bytes;
  }

private:
  static int64_t getBytes(Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type ? type.getNumElements() * rt::getElementBytes(type.getElementType()) : 0;
  }

  rt::KernelCallOp op;
};

/// Squares and their sum, the scale and the weight: four operations of an element; a mean, its
/// difference and a bias make seven.
Work getNormWork(Call call, unsigned rows, int64_t flopsOfElement) {
  return {flopsOfElement * call.sizes(rows, 2), call.allBytes()};
}

/// `shape` is the position of batch, steps, heads, group, depth and capacity. All positions of
/// the cache that the window leaves count as seen: which are is not known.
Work getAttentionWork(Call call, unsigned shape) {
  int64_t steps = call.size(shape + 1), capacity = call.size(shape + 5);
  int64_t window = call.size(shape + 7), ofRow = capacity, ofAll = capacity;
  if (window > 0) {
    ofRow = std::min(capacity, window);
    ofAll = std::min(capacity, window + steps - 1);
  }
  constexpr unsigned key = 2;
  int64_t cache = 2 * call.bytes(key);
  // A multiplication and an addition for each score and for each sum.
  return {4 * call.sizes(shape, 5) * ofRow, call.allBytes() - cache + cache / capacity * ofAll};
}

/// A pair of elements takes four multiplications and two additions.
constexpr int64_t kFlopsOfPair = 6;

} // namespace

Work tp::getLibraryWork(rt::KernelCallOp op) {
  Call call(op);
  // Without a default: a kernel of abi.def that has no line here does not compile.
  switch (getKernel(call.name())) {
  case Kernel::rms_norm:
    return getNormWork(call, 6, 4);
  case Kernel::residual_rms_norm:
    return getNormWork(call, 9, 5);
  case Kernel::layer_norm:
    return getNormWork(call, 7, 7);
  case Kernel::residual_layer_norm:
    return getNormWork(call, 10, 8);
  case Kernel::embedding: // as many rows of the table as of the result
    return {0, call.bytes(0) + 2 * call.bytes(2)};
  case Kernel::argmax:
    return {call.sizes(4, 2), call.allBytes()};
  case Kernel::top_k: { // a comparison of each element; indices of those that are taken
    int64_t read = call.bytes(1) + (call.size(2) ? call.bytes(5) : 0);
    return {call.sizes(6, 3), read + call.bytes(4) + call.bytes(5)};
  }
  case Kernel::sample: // largest, difference, quotient, exponential, sum and choice of each
    return {6 * call.sizes(7, 2), call.allBytes() + call.bytes(5)};
  case Kernel::attention:
    return getAttentionWork(call, 6);
  case Kernel::attention_parts:
    return getAttentionWork(call, 7);
  case Kernel::attention_merge: { // scaled, added up, divided
    int64_t parts = call.size(4), rows = call.size(5), depth = call.size(6);
    return {2 * parts * rows * (depth + 1) + rows * depth, call.allBytes()};
  }
  case Kernel::rope:
    return {kFlopsOfPair * call.sizes(6, 3) * call.size(10), call.allBytes()};
  case Kernel::cache_write: { // as much of the cache as the update has
    int64_t half = call.size(11);
    int64_t tables = half ? call.bytes(3) + call.bytes(4) : 0;
    return {kFlopsOfPair * call.sizes(7, 3) * half, 2 * call.bytes(2) + tables + call.bytes(5)};
  }
  case Kernel::reduce: { // each part is as large as the result
    int64_t parts = call.size(3);
    return {(parts - 1) * call.size(5), call.bytes(2) + (parts + 1) * call.bytes(4)};
  }
  }
  llvm_unreachable("the verifier knows all kernels");
}
