//===- LinalgOps.cpp - Structured ops through their maps and bodies --------===//

#include "Body.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

/// Sizes of the loops, from the operands' run-time shapes.
static SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op, ArrayRef<Tensor> operands) {
  SmallVector<int64_t> sizes;
  for (const Tensor &operand : operands)
    llvm::append_range(sizes, operand.getShape());
  SmallVector<int64_t> loops;
  for (AffineExpr expr : op.getShapesToLoopsMap().getResults())
    loops.push_back(evaluate(expr, sizes));
  return loops;
}

static FailureOr<Results> evaluateStructured(linalg::LinalgOp op, ArrayRef<Tensor> operands,
                                             Environment &env) {
  if (!op.hasPureTensorSemantics())
    return emitUnknown(op, env);
  SmallVector<int64_t> loops = getLoopSizes(op, operands);
  FailureOr<std::shared_ptr<Body>> body = Body::get(*op.getBlock(), env);
  if (failed(body))
    return failure();
  BodyRun run(*body, env);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Destinations are read and written through `values`.
  SmallVector<Tensor> values(operands);
  unsigned firstInit = op.getNumDpsInputs(), numArguments = op.getBlock()->getNumArguments();
  SmallVector<MutableArrayRef<Element>> outs;
  for (Tensor &value : MutableArrayRef(values).drop_front(firstInit))
    outs.push_back(value.mutate());

  SmallVector<int64_t> positions(operands.size());
  SmallVector<Element> arguments(numArguments);
  LogicalResult done = forEachIndex(loops, [&](ArrayRef<int64_t> iteration) -> LogicalResult {
    for (auto [i, value, map] : llvm::enumerate(values, maps)) {
      SmallVector<int64_t> index;
      for (AffineExpr expr : map.getResults())
        index.push_back(evaluate(expr, iteration));
      if (!value.isInBounds(index)) {
        InFlightDiagnostic diagnostic = env.emitError(op) << "operand " << i << " is read at [";
        llvm::interleaveComma(index, diagnostic);
        return diagnostic << "], out of bounds of " << value.getType();
      }
      positions[i] = value.linearize(index);
      if (i < numArguments)
        arguments[i] = value[positions[i]];
    }
    FailureOr<ArrayRef<Element>> yielded = run.evaluate(arguments, iteration);
    if (failed(yielded))
      return failure();
    for (auto [i, out, element] : llvm::enumerate(outs, *yielded))
      out[positions[firstInit + i]] = element;
    return env.step(op);
  });
  if (failed(done))
    return failure();
  return Results(llvm::drop_begin(values, firstInit));
}

/// exp(x - max) / sum along one dimension, every step rounded to the type.
static FailureOr<Results> softmax(linalg::SoftmaxOp op, const Tensor &input, Environment &env) {
  if (op->getNumResults() != 1)
    return emitUnknown(op, env);
  auto type = cast<FloatType>(input.getElementType());
  int64_t dim = op.getDimension(), size = input.getDim(dim);
  SmallVector<int64_t> rows(input.getShape());
  rows[dim] = 1;
  Tensor result = input;
  MutableArrayRef<Element> out = result.mutate();
  LogicalResult done = forEachIndex(rows, [&](ArrayRef<int64_t> row) {
    SmallVector<int64_t> index(row);
    auto at = [&](int64_t i) -> Element & {
      index[dim] = i;
      return out[result.linearize(index)];
    };
    Element max = getNeutral(ReductionKind::Max, type), sum = Element::ofFloat(0);
    for (int64_t i = 0; i < size; ++i)
      max = combine(ReductionKind::Max, type, max, at(i));
    for (int64_t i = 0; i < size; ++i) {
      at(i).f = roundTo(type, std::exp(roundTo(type, at(i).f - max.f)));
      sum = combine(ReductionKind::Sum, type, sum, at(i));
    }
    for (int64_t i = 0; i < size; ++i)
      at(i).f = roundTo(type, at(i).f / sum.f);
    return env.step(op, size);
  });
  if (failed(done))
    return failure();
  return Results{result};
}

FailureOr<Results> interp::evaluateLinalgOp(Operation *op, ArrayRef<Tensor> operands,
                                            Environment &env) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return evaluateStructured(structured, operands, env);
  if (auto soft = dyn_cast<linalg::SoftmaxOp>(op))
    return softmax(soft, operands[0], env);
  return emitUnknown(op, env);
}
