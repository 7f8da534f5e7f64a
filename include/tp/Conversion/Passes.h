//===- Passes.h - From local tensor programs to calls of the runtime ------===//

#ifndef TP_CONVERSION_PASSES_H
#define TP_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
namespace tp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tp/Conversion/Passes.h.inc"

/// Adds to `registry` how collectives of the rt dialect become collectives on
/// buffers (upstream's BufferizableOpInterface).
void registerRTBufferization(DialectRegistry &registry);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_PASSES_H
