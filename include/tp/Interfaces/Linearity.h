//===- Linearity.h - What a scalar computation keeps partial ---*- C++ -*-===//
//
// A partial value may pass through a computation that commutes with the
// reduction still to come: for sums what is homogeneous linear in the partial
// operands together (a + b, a * c, never a + c or relu(a)), and only where
// nothing is rounded to a type narrower than the one sums are taken in. For the
// other kinds, what moves values about or applies that kind itself.
//
//   body           sum, linear in     max, linear in
//   a + b          {a, b}             -
//   a * b          {a}, {b}           -
//   max(a, b)      -                  {a, b}
//   truncf(a)      -                  -
//   a              {a}                {a}
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERFACES_LINEARITY_H
#define TP_INTERFACES_LINEARITY_H

#include "dialects/TP/Sharding.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace mlir {
namespace tp {

/// How a scalar depends on the operands in question.
enum class Dependence { None, Linear, Other };

/// The dependence of the results of a scalar op from those of its operands.
Dependence transfer(Operation *op, llvm::ArrayRef<Dependence> operands, ReductionKind kind);

/// Whether everything that `body` yields is linear in the block arguments and
/// captured values for which `isLinear` holds.
bool isLinearBody(Block &body, ReductionKind kind, llvm::function_ref<bool(Value)> isLinear);

/// The kind by which `combiner` reduces two scalars, if it is one that ranks can
/// apply in any grouping.
std::optional<ReductionKind> getReductionKind(Operation *combiner);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_LINEARITY_H
