//===- MakeSignless.h - Integers are bits -----------------------*- C++ -*-===//

#ifndef TP_TRANSFORMS_MAKESIGNLESS_H
#define TP_TRANSFORMS_MAKESIGNLESS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tp {

/// Gives all values signless integer types: what an op does with a sign is said by
/// the op. Casts between a type and its signless form are dropped.
void makeSignless(ModuleOp module);

} // namespace mlir::tp

#endif // TP_TRANSFORMS_MAKESIGNLESS_H
