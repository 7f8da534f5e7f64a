//===- Manifest.h - What a compiled program says about itself --*- C++ -*-===//

#ifndef TP_CONVERSION_RTTOLLVM_MANIFEST_H
#define TP_CONVERSION_RTTOLLVM_MANIFEST_H

#include "dialects/RT/RT.h"

namespace mlir {
namespace tp {

/// The rows of the manifest's operations table: what a runtime call names in
/// messages. Operations that would have equal rows share one.
class OperationTable {
public:
  /// Numbers all named operations of the module's entries, in program order.
  explicit OperationTable(ModuleOp module);

  struct Row {
    std::string name, location, reason;
    bool operator<(const Row &o) const {
      return std::tie(name, location, reason) < std::tie(o.name, o.location, o.reason);
    }
  };

  int32_t getNumber(Operation *op) const { return numbers.lookup(op); }
  ArrayRef<Row> getRows() const { return rows; }

private:
  SmallVector<Row> rows;
  DenseMap<Operation *, int32_t> numbers;
};

/// The manifest of docs/RuntimeABI.md as JSON, for a module at the rt phase.
/// Emits an error where a value has no type of the ABI.
FailureOr<std::string> buildManifest(ModuleOp module, const OperationTable &operations);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_RTTOLLVM_MANIFEST_H
