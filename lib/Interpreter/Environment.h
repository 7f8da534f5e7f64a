//===- Environment.h - What evaluating an op needs to know -----*- C++ -*-===//

#ifndef LIB_INTERPRETER_ENVIRONMENT_H
#define LIB_INTERPRETER_ENVIRONMENT_H

#include "ScalarOps.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tp/Interpreter/Interpreter.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace tp {
namespace interp {

class Body;

/// What is worked out once per op and used by all ranks.
struct Program {
  Program() = default;
  Program(const Program &) = delete;
  ~Program() {
    // An op of one definition has values of another for operands.
    for (auto &[op, definition] : definitions)
      (*definition)->dropAllReferences();
  }

  llvm::DenseMap<Operation *, ScalarFunction> functions;
  llvm::DenseMap<Operation *, Tensor> constants;
  llvm::DenseMap<Block *, std::shared_ptr<Body>> bodies;
  SymbolTableCollection symbols;
  /// An op written out in others, from its operands (arguments) to its results (yielded).
  llvm::DenseMap<Operation *, OwningOpRef<func::FuncOp>> definitions;
};

/// One rank's values, and how it reports errors.
class Environment {
public:
  Environment(const InterpreterOptions &options, int64_t rank, Program &program)
      : options(options), rank(rank), program(program) {}

  /// The value of an SSA name that dominates what is running.
  const Tensor &lookup(Value value) const {
    auto it = values.find(value);
    assert(it != values.end() && "uses are dominated by definitions");
    return it->second;
  }
  void bind(Value value, Tensor tensor) { values[value] = std::move(tensor); }

  /// An error of `op`, naming the rank where there are several.
  InFlightDiagnostic emitError(Operation *op) const {
    InFlightDiagnostic diagnostic = op->emitOpError();
    if (options.mesh.numDevices() > 1)
      diagnostic << "on rank " << rank << ": ";
    return diagnostic;
  }
  /// Counts work; fails with an error beyond the limit.
  LogicalResult step(Operation *op, uint64_t count = 1) {
    steps += count;
    if (steps > options.maxSteps)
      return emitError(op) << "exceeds the limit of " << options.maxSteps << " steps";
    return success();
  }

  const InterpreterOptions &options;
  const int64_t rank;
  Program &program;
  /// Of the function that is running.
  llvm::DenseMap<Value, Tensor> values;
  uint64_t steps = 0;
};

using Results = llvm::SmallVector<Tensor, 2>;

// Ops without control flow, by dialect: results from operands, or one error.
FailureOr<Results> evaluateElementwise(Operation *op, llvm::ArrayRef<Tensor> operands,
                                       Environment &env);
FailureOr<Results> evaluateTensorOp(Operation *op, llvm::ArrayRef<Tensor> operands,
                                    Environment &env);
/// Rows outside of the source hold the fill, else what fresh memory does.
Tensor evaluateWindow(tp::WindowOp op, const Tensor &source, Environment &env);
FailureOr<Results> evaluateLinalgOp(Operation *op, llvm::ArrayRef<Tensor> operands,
                                    Environment &env);
/// Nothing where the op has no evaluation of its own: it is then what it decomposes into.
std::optional<FailureOr<Results>> evaluateNNOp(Operation *op, llvm::ArrayRef<Tensor> operands,
                                               Environment &env);
FailureOr<Results> evaluateCoordinate(Operation *op, Environment &env);

/// One error for sizes that no value can have: one is negative, or together they are more than
/// fits into memory.
LogicalResult checkSizes(Operation *op, llvm::ArrayRef<int64_t> shape, Environment &env);

/// One error where `tensor`, from which `op` takes an element, does not have it.
LogicalResult checkIndices(Operation *op, llvm::ArrayRef<int64_t> indices, const Tensor &tensor,
                           Environment &env);

/// The one error for an op that the interpreter does not know.
LogicalResult emitUnknown(Operation *op, Environment &env);

/// The values of an induction variable: `trips` of them from `lower` on.
struct LoopRange {
  uint64_t lower, step, trips;
};
/// Fails, with an error at the loop, where the step is not positive.
FailureOr<LoopRange> getLoopRange(scf::ForOp loop, int64_t lower, int64_t upper, int64_t step,
                                  Environment &env);

/// Axis parts of a comm op in the mesh of the run, or one error.
FailureOr<llvm::SmallVector<AxisPart>> getAxes(Operation *op, Environment &env);

/// Executes a collective on one operand of each member of a group, in rank order;
/// the result of each member.
std::vector<Tensor> evaluateCollective(Operation *op, llvm::ArrayRef<const Tensor *> operands);

/// What memory of this type holds before it is written.
inline Tensor makeUninitialized(llvm::ArrayRef<int64_t> shape, Type element,
                                const Environment &env) {
  return Tensor(shape, element, env.options.poison ? getPoison(element) : Element::ofInt(0));
}

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // LIB_INTERPRETER_ENVIRONMENT_H
