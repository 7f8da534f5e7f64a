//===- Passes.h - Kernels for CPUs -------------------------------*- C++ -*-===//

#ifndef TP_CONVERSION_TOKERNELS_PASSES_H
#define TP_CONVERSION_TOKERNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Conversion/ToKernels/Passes.h.inc"

} // namespace mlir::tp

#endif // TP_CONVERSION_TOKERNELS_PASSES_H
