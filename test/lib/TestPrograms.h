//===- TestPrograms.h - Programs to partition, of a generator and models ---===//

#ifndef TEST_LIB_TESTPROGRAMS_H
#define TEST_LIB_TESTPROGRAMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tp/Fuzz/RandomProgram.h"
#include "tp/Pipelines/Pipelines.h"

namespace mlir {
namespace tp {
namespace test {

/// A program as it was written, with sizes for its dynamic dimensions, and with the
/// shardings of a plan.
struct TestProgram {
  std::string name;
  OwningOpRef<ModuleOp> original, module;
  /// What the arguments of its entries may be, where that is known.
  std::vector<fuzz::RandomEntry> entries;
};

/// That of a seed, as tools/fuzz makes it; no modules where it is refused.
TestProgram makeRandomProgram(uint64_t seed, MLIRContext *context);

/// Tiny models of several families under the built-in plans, as the importer writes
/// them.
std::vector<TestProgram> importTinyModels(MLIRContext *context);

/// Takes a module with shardings to phase Comm.
LogicalResult partition(ModuleOp module, const PhaseOptions &options);

} // namespace test
} // namespace tp
} // namespace mlir

#endif // TEST_LIB_TESTPROGRAMS_H
