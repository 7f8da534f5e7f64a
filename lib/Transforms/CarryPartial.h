//===- CarryPartial.h - Sums that a loop carries as they are ----*- C++ -*-===//

#ifndef LIB_TRANSFORMS_CARRYPARTIAL_H
#define LIB_TRANSFORMS_CARRYPARTIAL_H

#include "tp/Analysis/ReshardPath.h"

namespace mlir::tp {

/// Where the body of `loop`, an op for which isRegionFlow holds, makes what it carries
/// partial first and whole last, in each trip, the loop carries the partial value: it
/// becomes so before the loop (the value on one rank, the neutral element on others),
/// and whole behind it. Done where the estimated time shrinks; returns for how many
/// values.
///
///   for iter_args(%a = %init)                        %p = reshard %init to [_] sum(tp)
///     %m = reshard %a from [_] to [_] sum(tp)        %q = for iter_args(%a = %p)
///     %s = addf %m, %x                          =>     %s = addf %a, %x
///     %y = reshard %s from [_] sum(tp) to [_]          yield %s
///     yield %y                                       %r = reshard %q from [_] sum(tp) to [_]
unsigned carryPartial(Operation *loop, const Mesh &mesh, ReshardCosts &costs);

} // namespace mlir::tp

#endif // LIB_TRANSFORMS_CARRYPARTIAL_H
