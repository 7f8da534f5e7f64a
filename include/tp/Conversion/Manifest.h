//===- Manifest.h - What a compiled program says about itself --*- C++ -*-===//

#ifndef TP_CONVERSION_MANIFEST_H
#define TP_CONVERSION_MANIFEST_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir {
namespace tp {

/// The manifest of docs/RuntimeABI.md as JSON that the program of a module of
/// phase rt will have. Emits an error where a value has no type of the ABI.
FailureOr<std::string> buildManifest(ModuleOp module);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_MANIFEST_H
