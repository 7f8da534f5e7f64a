//===- Manifest.h - What a compiled program says about itself --*- C++ -*-===//

#ifndef LIB_CONVERSION_RTTOLLVM_MANIFEST_H
#define LIB_CONVERSION_RTTOLLVM_MANIFEST_H

#include "Work.h"

#include "dialects/RT/RT.h"
#include "tp/Conversion/Manifest.h"

namespace mlir {
namespace tp {

/// The function of a kernel for devices, whose assembler takes letters, digits and
/// underscores.
inline std::string getDeviceKernelName(StringRef kernel) { return ("tp_" + kernel).str(); }

/// The rows of the manifest's operations table: what a runtime call names in
/// messages. Operations that would have equal rows share one.
class OperationTable {
public:
  /// Numbers all named operations of the module's entries, in program order.
  explicit OperationTable(ModuleOp module);

  struct Row {
    std::string name, location, reason;
    std::optional<Work> work;
    bool operator<(const Row &o) const {
      return std::tie(name, location, reason, work) <
             std::tie(o.name, o.location, o.reason, o.work);
    }
  };

  int32_t getNumber(Operation *op) const { return numbers.lookup(op); }
  ArrayRef<Row> getRows() const { return rows; }

private:
  SmallVector<Row> rows;
  DenseMap<Operation *, int32_t> numbers;
};

/// The same with the operations numbered before.
FailureOr<std::string> buildManifest(ModuleOp module, const OperationTable &operations);

} // namespace tp
} // namespace mlir

#endif // LIB_CONVERSION_RTTOLLVM_MANIFEST_H
