//===- Registration.h - All dialects, models, passes and pipelines --------===//

#ifndef TP_DRIVER_REGISTRATION_H
#define TP_DRIVER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
namespace tp {

/// Adds the dialects that programs may contain (ours and upstream's) with the
/// external models that tp and upstream attach to them.
void registerDialects(DialectRegistry &registry);

/// As registerDialects, and registers every pass and named pipeline.
void registerEverything(DialectRegistry &registry);

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_REGISTRATION_H
