//===- Shards.h - Between global values and what ranks hold ----*- C++ -*-===//
//
// The meaning of a sharding, executed: cutting a global value into one rank's
// padded buffer, and rebuilding the global value from all ranks' buffers.
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERPRETER_SHARDS_H
#define TP_INTERPRETER_SHARDS_H

#include "mlir/IR/Diagnostics.h"
#include "tp/Interpreter/Tensor.h"

namespace mlir {
namespace tp {
namespace interp {

enum class Padding { Zero, Poison };

/// The local buffer of `device`: its block in the low corner, padding behind.
/// Under partial axes the devices at coordinate 0 of all of them hold the value,
/// the others neutral elements (of the kind of the first partial axis on which
/// they are not at 0, which is the first to be reduced).
Tensor shard(const Tensor &global, const Sharding &sharding, const Mesh &mesh, int64_t device,
             Padding padding = Padding::Zero);
/// The same for every device.
std::vector<Tensor> shardAll(const Tensor &global, const Sharding &sharding, const Mesh &mesh,
                             Padding padding = Padding::Zero);

/// The global value of this shape: partial axes reduced in rank order (floats
/// narrower than f64 in f32, rounded once; axes of one kind that follow each
/// other together), then blocks put side by side. Padding is not looked at.
/// Devices that hold the same block must agree bit for bit; the first element
/// that differs is one error, with its index, both values and ranks.
FailureOr<Tensor> unshard(llvm::ArrayRef<Tensor> locals, const Sharding &sharding, const Mesh &mesh,
                          llvm::ArrayRef<int64_t> globalShape,
                          llvm::function_ref<InFlightDiagnostic()> emitError);

/// The devices that differ from `device` in these axis parts only, `device` among
/// them, in rank order: row-major over the parts as listed.
llvm::SmallVector<int64_t> getGroup(llvm::ArrayRef<AxisPart> parts, const Mesh &mesh,
                                    int64_t device);

/// Combines values of equal shape and type element by element in the order given,
/// floats narrower than f64 in f32, rounded once: what every backend but NCCL does.
Tensor reduceInOrder(ReductionKind kind, llvm::ArrayRef<const Tensor *> values);

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // TP_INTERPRETER_SHARDS_H
