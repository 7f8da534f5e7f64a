//===- SeededBugs.h - Faults put into partitioned programs -----*- C++ -*-===//

#ifndef TEST_LIB_SEEDEDBUGS_H
#define TEST_LIB_SEEDEDBUGS_H

#include "mlir/IR/BuiltinOps.h"
#include <random>

namespace mlir {
namespace tp {
namespace test {

/// One kind of fault that a partitioner could make.
struct BugClass {
  const char *name;
  /// Puts the fault into one place of a module of phase comm; false where it has none.
  bool (*inject)(ModuleOp module, std::mt19937_64 &random);
};

/// Of collectives, and of what each rank computes of its blocks.
ArrayRef<BugClass> getCommunicationBugs();
ArrayRef<BugClass> getComputationBugs();

} // namespace test
} // namespace tp
} // namespace mlir

#endif // TEST_LIB_SEEDEDBUGS_H
