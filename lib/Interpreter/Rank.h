//===- Rank.h - One rank's run, which can be interrupted -------*- C++ -*-===//

#ifndef LIB_INTERPRETER_RANK_H
#define LIB_INTERPRETER_RANK_H

#include "Environment.h"

namespace mlir {
namespace tp {
namespace interp {

/// Runs a function op by op on an explicit stack of regions and calls, so that it
/// can stop at a collective and go on when the others have met it.
class Rank {
public:
  enum class State { Running, Waiting, Returned };

  Rank(const InterpreterOptions &options, int64_t rank, Program &program)
      : env(options, rank, program) {}

  LogicalResult start(func::FuncOp entry, llvm::ArrayRef<Tensor> arguments);
  /// Runs to the next collective or to the end; fails with one error.
  LogicalResult run();
  /// Goes on behind the collective that the rank waits in.
  LogicalResult resume(llvm::ArrayRef<Tensor> values);

  State getState() const { return state; }
  /// The collective that the rank waits in.
  Operation *getCollective() const { return &*frames.back().next; }
  const Tensor &getCollectiveOperand(unsigned i) const {
    return env.lookup(getCollective()->getOperand(i));
  }
  llvm::ArrayRef<Tensor> getResults() const { return results; }
  Environment &getEnvironment() { return env; }

private:
  /// A block that is running.
  struct Frame {
    Operation *op; ///< whose region it is in: a function or a structured branch or loop
    Block::iterator next;
    uint64_t remaining = 0; ///< scf.for: trips after this one
    uint64_t value = 0;     ///< scf.for: induction variable, modulo 2^64
    uint64_t step = 0;
  };
  /// A call that waits for its callee.
  struct Call {
    Operation *site;
    llvm::DenseMap<Value, Tensor> values;
  };

  LogicalResult execute(Operation *op);
  LogicalResult evaluate(Operation *op);
  LogicalResult enter(Operation *op, Region &region, llvm::ArrayRef<Tensor> arguments);
  LogicalResult enterFor(Operation *op);
  LogicalResult leave(Operation *terminator);
  LogicalResult bind(Operation *op, ValueRange values, llvm::ArrayRef<Tensor> tensors);
  /// Leaves the innermost region; its op has these results.
  LogicalResult finish(llvm::ArrayRef<Tensor> values);
  LogicalResult call(func::CallOp op);
  LogicalResult returnFrom(func::ReturnOp op);
  llvm::SmallVector<Tensor> lookup(ValueRange values) const;

  Environment env;
  State state = State::Running;
  std::vector<Frame> frames;
  std::vector<Call> calls;
  llvm::SmallVector<Tensor> results;
};

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // LIB_INTERPRETER_RANK_H
