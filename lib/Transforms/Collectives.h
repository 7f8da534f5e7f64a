//===- Collectives.h - What the passes on comm share ------------*- C++ -*-===//

#ifndef TP_LIB_TRANSFORMS_COLLECTIVES_H
#define TP_LIB_TRANSFORMS_COLLECTIVES_H

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::tp {

inline constexpr llvm::StringLiteral kReasonAttr = "reason";

/// Attributes that two collectives must share to be one: all but the reason.
DictionaryAttr getMeetingAttrs(Operation *collective);

/// The reasons of several collectives, each once.
StringAttr joinReasons(ArrayRef<Operation *> collectives);

/// Marks an op that fills padding of undefined content, which a pass may leave out.
inline constexpr llvm::StringLiteral kPoisonAttr = "poison";

/// What ops marked by kPoisonAttr fill that nothing else uses, or the value itself.
Value skipPoison(Value value);

/// The all-reduce of one value that `value` is the result of, or null.
comm::AllReduceOp getAllReduce(Value value);

/// The scalar operation that combines two values of the shape of the result
/// element by element, where `op` is nothing but that: an op of arith on tensors
/// or a linalg op. `a` and `b` become the operands that it combines, in order.
Operation *matchElementwiseBinary(Operation *op, OpOperand *&a, OpOperand *&b);

} // namespace mlir::tp

#endif // TP_LIB_TRANSFORMS_COLLECTIVES_H
