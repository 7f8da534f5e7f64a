//===- Body.h - Regions that compute elements ------------------*- C++ -*-===//
//
// The body of a linalg op, tensor.generate or tensor.pad is evaluated once per
// element. It is translated once into instructions on numbered slots, which is
// what makes the interpreter fast enough for fuzzing. Bodies hold scalars only:
// arith, math, affine.apply, linalg.index, tensor.extract and tensor.dim of values
// from outside, scf.if, scf.for and scf.while.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERPRETER_BODY_H
#define LIB_INTERPRETER_BODY_H

#include "Environment.h"

namespace mlir {
namespace tp {
namespace interp {

class Body {
public:
  /// The translation of `block`, made at first use; one error when it has an op
  /// that a body cannot have.
  static FailureOr<std::shared_ptr<Body>> get(Block &block, Environment &env);

private:
  friend class BodyBuilder;
  friend class BodyRun;

  enum class Kind { Function, Index, Extract, Dim, If, For, While };
  using Slots = llvm::SmallVector<unsigned, 4>;
  struct Instruction;
  /// Instructions of a block, the slots of its arguments and those that its terminator yields.
  struct Code {
    std::vector<Instruction> instructions;
    Slots arguments, yielded;
  };
  struct Instruction {
    Kind kind;
    Operation *op;
    ScalarFunction function; ///< Function
    unsigned tensor = 0;     ///< Extract, Dim: which captured tensor
    Slots operands, results;
    std::vector<Code> branches; ///< If: then, else; For: the body; While: before, after
  };

  Code code;
  /// Slots as they are before the first element: constants.
  std::vector<Element> initial;
  llvm::SmallVector<std::pair<Value, unsigned>> capturedScalars;
  llvm::SmallVector<Value> capturedTensors;
};

/// A body with the values that it captures, ready to be evaluated many times.
class BodyRun {
public:
  BodyRun(std::shared_ptr<Body> body, Environment &env);

  /// Evaluates for these block arguments and this iteration (what linalg.index
  /// gives). The result is valid until the next call.
  FailureOr<llvm::ArrayRef<Element>> evaluate(llvm::ArrayRef<Element> arguments,
                                              llvm::ArrayRef<int64_t> iteration);

private:
  using Elements = llvm::SmallVector<Element, 4>;

  LogicalResult run(const Body::Code &code, llvm::ArrayRef<int64_t> iteration);
  /// Runs a block of the body; `values` are its arguments, then what it yields.
  LogicalResult run(const Body::Code &code, llvm::ArrayRef<int64_t> iteration, Elements &values);
  LogicalResult runFor(const Body::Instruction &loop, llvm::ArrayRef<int64_t> iteration,
                       Elements &values);
  LogicalResult runWhile(const Body::Instruction &loop, llvm::ArrayRef<int64_t> iteration,
                         Elements &values);
  LogicalResult extract(const Body::Instruction &instruction);

  std::shared_ptr<Body> body;
  Environment &env;
  std::vector<Element> slots;
  std::vector<Tensor> tensors;
  llvm::SmallVector<Element> yielded;
};

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // LIB_INTERPRETER_BODY_H
