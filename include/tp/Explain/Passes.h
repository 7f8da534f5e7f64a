//===- Passes.h - Explanations as passes ------------------------*- C++ -*-===//

#ifndef TP_EXPLAIN_PASSES_H
#define TP_EXPLAIN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Explain/Passes.h.inc"

} // namespace mlir::tp

#endif // TP_EXPLAIN_PASSES_H
