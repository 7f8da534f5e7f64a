//===- Passes.h - Verification at phase borders ----------------*- C++ -*-===//

#ifndef TP_VERIFY_PASSES_H
#define TP_VERIFY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Verify/Passes.h.inc"

} // namespace mlir::tp

#endif // TP_VERIFY_PASSES_H
