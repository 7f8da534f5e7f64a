//===- Destinations.h - Values that end in given buffers --------*- C++ -*-===//
//
// What an entry returns, a loop hands on and a conditional yields is to be in the
// buffer of another tensor when the block ends. bufferization.materialize_in_-
// destination says so and must then be in place: writing one of the buffers may
// not destroy what another one is still to get.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CONVERSION_TENSORTORT_DESTINATIONS_H
#define TP_CONVERSION_TENSORTORT_DESTINATIONS_H

#include "mlir/IR/Builders.h"

namespace mlir {
namespace tp {

/// An operand of a terminator and the tensor in whose buffer its value is to be.
struct Destination {
  OpOperand *operand;
  Value tensor;
  /// The tensor has contents that others may still read: written last.
  bool isRead = false;
};

/// Where the memory of `value` comes from when everything is in place and a view
/// is no copy; with a scope, the first such value from outside of it.
Value getOrigin(Value value, Operation *scope = nullptr);

/// Makes every operand of one terminator a value in its destination, right before
/// the terminator. A value is materialized before those of which it may be a view,
/// and once: further destinations get a copy of the first. With `copyFirst` all values
/// are kept in temporaries before any destination is written.
void materializeInDestinations(SmallVector<Destination> destinations, bool copyFirst);

/// A temporary that holds what `value` is at the builder's place.
Value createCopy(OpBuilder &builder, Value value);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_TENSORTORT_DESTINATIONS_H
