//===- VerifySource.h - Where a parameter's value comes from ----*- C++ -*-===//

#ifndef DIALECTS_TP_VERIFYSOURCE_H
#define DIALECTS_TP_VERIFYSOURCE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir {
namespace tp {

/// Checks a `tp.source` of a parameter of global type `type`, null where that is
/// no shaped type: a tensor of `shape`, seen as `view`, of which `size` elements
/// from `offset` on are taken, permuted and reshaped. `emitError` begins messages.
LogicalResult verifySource(DictionaryAttr source, ShapedType type,
                           llvm::function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // DIALECTS_TP_VERIFYSOURCE_H
