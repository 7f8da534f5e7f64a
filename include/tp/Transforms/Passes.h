//===- Passes.h - Passes on tensor-level programs ---------------*- C++ -*-===//

#ifndef TP_TRANSFORMS_PASSES_H
#define TP_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Transforms/Passes.h.inc"

} // namespace mlir::tp

#endif // TP_TRANSFORMS_PASSES_H
