//===- Passes.h - Plans as passes -------------------------------*- C++ -*-===//

#ifndef TP_PLAN_PASSES_H
#define TP_PLAN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Plan/Passes.h.inc"

} // namespace mlir::tp

#endif // TP_PLAN_PASSES_H
