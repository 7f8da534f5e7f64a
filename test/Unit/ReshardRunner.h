//===- ReshardRunner.h - Reshards emitted, run and compared -----*- C++ -*-===//

#ifndef TP_TEST_UNIT_RESHARDRUNNER_H
#define TP_TEST_UNIT_RESHARDRUNNER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tp/Analysis/Padding.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Interpreter/Interpreter.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace mlir::tp::test {

/// The context of all of these tests, with the dialects of local programs.
MLIRContext &getContext();

Mesh makeMesh(std::initializer_list<std::pair<const char *, int64_t>> axes);

/// The sharding of a value of `rank` that is written as text.
Sharding parse(llvm::StringRef text, const Mesh &mesh, unsigned rank);

/// Any sharding of a value, sub-axes, granules and kinds of partial values included.
Sharding makeSharding(const Mesh &mesh, unsigned rank, Type elementType, std::mt19937 &random);

/// Moves that a path makes, for tests that know it.
std::string describe(const ReshardPath &path);

/// One emitted reshard.
struct Emitted {
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  PaddingFact fact;
  int64_t messages = 0;
  int64_t bytes = 0; ///< that a rank sends
};

/// Emits the reshard into `emitted`, runs it on random values and checks values, replicas
/// and the padding that it promises.
::testing::AssertionResult check(RankedTensorType type, const Mesh &mesh, const Sharding &from,
                                 const Sharding &to, PaddingFact fact, std::mt19937 &random,
                                 Emitted &emitted, const Hardware &hardware = {});

} // namespace mlir::tp::test

#endif // TP_TEST_UNIT_RESHARDRUNNER_H
