//===- GatherOnce.h - What loops read block by block ------------*- C++ -*-===//

#ifndef LIB_TRANSFORMS_GATHERONCE_H
#define LIB_TRANSFORMS_GATHERONCE_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tp/Analysis/ReshardPath.h"

namespace mlir::tp {

/// An op of a loop that takes a part of a value from outside of it, along a dimension
/// that is cut, sums what the ranks have of the part in each trip. Where that takes
/// longer than to gather the value once before the loop, it is gathered; returns for
/// how many ops.
///
///   for %i                                     %g = reshard %x from [tp, _] to [_, _]
///     %p = extract_slice %x[%i, 0]             for %i
///     %y = reshard %p from [_, _] sum(tp)  =>    %y = extract_slice %g[%i, 0]
unsigned gatherOnce(FunctionOpInterface function, const Mesh &mesh, ReshardCosts &costs);

} // namespace mlir::tp

#endif // LIB_TRANSFORMS_GATHERONCE_H
