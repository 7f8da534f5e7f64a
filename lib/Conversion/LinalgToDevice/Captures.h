//===- Captures.h - What a kernel takes from its entry ---------*- C++ -*-===//
//
// An entry runs on the host, what its buffers hold is on the device. A kernel that
// needs a number which follows from that, such as the position at which a cache is
// written, computes it again from the buffer, so that the host need not wait for it.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CONVERSION_LINALGTODEVICE_CAPTURES_H
#define TP_CONVERSION_LINALGTODEVICE_CAPTURES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace tp {

/// Which values of an entry follow from what its buffers hold; for as long as its
/// operations stay where they are.
class DeviceValues {
public:
  explicit DeviceValues(func::FuncOp entry);

  /// Whether a scalar, or the place of a view, follows from what a buffer holds.
  bool isOnDevice(Value value);
  /// Whether it can be computed anew in place of `user`: it follows from what the host
  /// knows and from buffers that are not written between their load and `user`, nor by
  /// threads of it that do not wait for others.
  bool canRecompute(Value value, Operation *user);

private:
  /// Positions, in the order of the program, of what writes a buffer.
  using Writes = SmallVector<unsigned, 2>;

  /// Whether the buffer may hold something else at `user` than at the load.
  bool changes(Value root, Operation *load, Operation *user) const;

  DenseMap<Value, bool> onDevice;
  /// Of an operation, and of the last one in it.
  DenseMap<Operation *, std::pair<unsigned, unsigned>> positions;
  DenseMap<Value, Writes> writes;
  Writes unknownWrites; ///< of any buffer
};

/// Whether `memref` is a constant of the program or a view of one: host and device
/// have a copy each.
bool isConstantBuffer(Value memref);
/// Whether `op` loads from a buffer of the device.
bool isDeviceLoad(Operation *op);

/// What code that becomes a kernel uses from outside.
class Captures {
public:
  Captures(DeviceValues &values, Operation *root);

  /// Values that become parameters.
  ArrayRef<Value> getArguments() const { return arguments.getArrayRef(); }
  /// Computes what is no parameter at the place of `builder`; `mapping` has the
  /// parameters, and the values then.
  void recompute(OpBuilder &builder, IRMapping &mapping) const;

private:
  void add(Value value);
  /// As a view whose place is computed anew is: down to the buffer that it views.
  void addRecomputed(Operation *op);

  DeviceValues &values;
  Operation *const root;
  llvm::SetVector<Value> arguments;
  llvm::SetVector<Operation *> recomputed;
};

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTODEVICE_CAPTURES_H
