//===- Interpreter.h - The reference interpreter ---------------*- C++ -*-===//
//
// Runs tensor-level IR, unsharded or partitioned, on any number of ranks in one
// thread. It is the oracle that tells faults of partition from faults of
// lowering: slow, small, obvious, and independent of both.
//
// Each rank runs until it meets a collective or returns; a collective is
// executed when all ranks of its group have met the same op. When no rank can go
// on, the ranks have met different collectives, or some wait for others that
// have returned: one located error says which.
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERPRETER_INTERPRETER_H
#define TP_INTERPRETER_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Interpreter/Shards.h"
#include <cstdint>

namespace mlir {
namespace tp {
namespace interp {

struct InterpreterOptions {
  /// The mesh of the ranks; without axes it is one rank.
  Mesh mesh;
  /// tensor.empty gives NaN (integers bytes of 0xA5) instead of zero.
  bool poison = false;
  /// nn ops are what they decompose into also where they have an evaluation of their own.
  bool useDefinitions = false;
  /// Limit of ops and loop iterations of one rank; beyond it is an error.
  uint64_t maxSteps = UINT64_MAX;
};

/// Runs `entry` and what it calls. `arguments[rank]` are the local values of each
/// rank, `result[rank]` its results. Every failure is one error, at the op where
/// it occurred.
FailureOr<std::vector<std::vector<Tensor>>> interpret(func::FuncOp entry,
                                                      llvm::ArrayRef<std::vector<Tensor>> arguments,
                                                      const InterpreterOptions &options);

/// Runs a partitioned function on global values: cuts `arguments` by their
/// `tp.sharding` (local types where there is none: the same on every rank), runs
/// all ranks of `options.mesh`, and puts the results together by theirs, whose
/// shapes are `tp.global_type`. Replicas must agree bit for bit.
FailureOr<std::vector<Tensor>> interpretPartitioned(func::FuncOp entry,
                                                    llvm::ArrayRef<Tensor> arguments,
                                                    const InterpreterOptions &options);

/// Runs an unsharded function on one rank.
FailureOr<std::vector<Tensor>>
interpretUnsharded(func::FuncOp entry, llvm::ArrayRef<Tensor> arguments, bool poison = false);

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // TP_INTERPRETER_INTERPRETER_H
