//===- Body.cpp - Regions that compute elements ----------------------------===//

#include "Body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace mlir {
namespace tp {
namespace interp {

/// Translates a block, nested blocks included, into one set of slots.
class BodyBuilder {
public:
  BodyBuilder(Body &body, Block &block, Environment &env)
      : body(body), region(block.getParent()), env(env) {}

  LogicalResult build(Block &block) { return translate(block, body.code); }

private:
  unsigned define(Value value) {
    unsigned slot = body.initial.size();
    slots[value] = slot;
    body.initial.push_back(Element::ofInt(0));
    return slot;
  }

  /// The slot of a scalar, captured at its first use where it is from outside.
  unsigned use(Value value) {
    auto it = slots.find(value);
    if (it != slots.end())
      return it->second;
    unsigned slot = define(value);
    body.capturedScalars.push_back({value, slot});
    return slot;
  }

  bool isOutside(Value value) { return !region->isAncestor(value.getParentRegion()); }

  LogicalResult translate(Block &block, Body::Code &code) {
    for (BlockArgument argument : block.getArguments())
      code.arguments.push_back(define(argument));
    for (Operation &op : block.without_terminator())
      if (failed(translate(op, code)))
        return failure();
    for (Value value : block.getTerminator()->getOperands())
      code.yielded.push_back(use(value));
    return success();
  }

  LogicalResult translate(Operation &op, Body::Code &code) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      FailureOr<Tensor> value = Tensor::fromAttribute(constant.getValue());
      if (failed(value) || isa<ShapedType>(constant.getType()))
        return emitUnknown(&op, env);
      body.initial[define(constant)] = value->getScalar();
      return success();
    }
    Body::Instruction instruction;
    instruction.op = &op;
    OperandRange scalars = op.getOperands();
    if (isa<linalg::IndexOp>(op)) {
      instruction.kind = Body::Kind::Index;
    } else if (isa<tensor::ExtractOp, tensor::DimOp>(op) && isOutside(op.getOperand(0))) {
      instruction.kind = isa<tensor::DimOp>(op) ? Body::Kind::Dim : Body::Kind::Extract;
      instruction.tensor = body.capturedTensors.size();
      body.capturedTensors.push_back(op.getOperand(0));
      scalars = scalars.drop_front();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      instruction.kind = Body::Kind::If;
      instruction.branches.resize(2);
      if (failed(translate(*branch.thenBlock(), instruction.branches[0])) ||
          (branch.elseBlock() && failed(translate(*branch.elseBlock(), instruction.branches[1]))))
        return failure();
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      instruction.kind = isa<scf::ForOp>(op) ? Body::Kind::For : Body::Kind::While;
      for (Region &inner : op.getRegions())
        if (failed(translate(inner.front(), instruction.branches.emplace_back())))
          return failure();
    } else {
      instruction.kind = Body::Kind::Function;
      instruction.function = getScalarFunction(&op);
      bool isScalar = llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
      if (!instruction.function || !isScalar)
        return emitUnknown(&op, env);
    }
    for (Value operand : scalars)
      instruction.operands.push_back(use(operand));
    for (Value result : op.getResults())
      instruction.results.push_back(define(result));
    code.instructions.push_back(std::move(instruction));
    return success();
  }

  Body &body;
  Region *region;
  Environment &env;
  llvm::DenseMap<Value, unsigned> slots;
};

} // namespace interp
} // namespace tp
} // namespace mlir

FailureOr<std::shared_ptr<Body>> Body::get(Block &block, Environment &env) {
  if (auto it = env.program.bodies.find(&block); it != env.program.bodies.end())
    return it->second;
  auto body = std::make_shared<Body>();
  if (failed(BodyBuilder(*body, block, env).build(block)))
    return failure();
  env.program.bodies[&block] = body;
  return body;
}

BodyRun::BodyRun(std::shared_ptr<Body> body, Environment &env)
    : body(std::move(body)), env(env), slots(this->body->initial) {
  for (auto [value, slot] : this->body->capturedScalars)
    slots[slot] = env.lookup(value).getScalar();
  for (Value value : this->body->capturedTensors)
    tensors.push_back(env.lookup(value));
}

FailureOr<ArrayRef<Element>> BodyRun::evaluate(ArrayRef<Element> arguments,
                                               ArrayRef<int64_t> iteration) {
  for (auto [slot, argument] : llvm::zip_equal(body->code.arguments, arguments))
    slots[slot] = argument;
  if (failed(run(body->code, iteration)))
    return failure();
  yielded.clear();
  for (unsigned slot : body->code.yielded)
    yielded.push_back(slots[slot]);
  return ArrayRef<Element>(yielded);
}

LogicalResult BodyRun::extract(const Body::Instruction &instruction) {
  const Tensor &tensor = tensors[instruction.tensor];
  Element &result = slots[instruction.results[0]];
  SmallVector<int64_t> indices;
  for (unsigned slot : instruction.operands)
    indices.push_back(slots[slot].i);
  if (instruction.kind == Body::Kind::Dim) {
    if (indices[0] < 0 || indices[0] >= tensor.getRank())
      return env.emitError(instruction.op)
             << "dimension " << indices[0] << " of a value of rank " << tensor.getRank();
    result.i = tensor.getDim(indices[0]);
    return success();
  }
  if (failed(checkIndices(instruction.op, indices, tensor, env)))
    return failure();
  result = tensor.at(indices);
  return success();
}

LogicalResult BodyRun::run(const Body::Code &code, ArrayRef<int64_t> iteration, Elements &values) {
  for (auto [slot, value] : llvm::zip_equal(code.arguments, values))
    slots[slot] = value;
  if (failed(run(code, iteration)))
    return failure();
  values.clear();
  for (unsigned slot : code.yielded)
    values.push_back(slots[slot]);
  return success();
}

LogicalResult BodyRun::runFor(const Body::Instruction &instruction, ArrayRef<int64_t> iteration,
                              Elements &values) {
  auto loop = cast<scf::ForOp>(instruction.op);
  FailureOr<LoopRange> range = getLoopRange(loop, values[0].i, values[1].i, values[2].i, env);
  if (failed(range))
    return failure();
  Type type = loop.getInductionVar().getType();
  values.erase(values.begin(), values.begin() + 3);
  for (uint64_t trip = 0; trip < range->trips; ++trip) {
    if (failed(env.step(loop)))
      return failure();
    values.insert(values.begin(), Element::ofInt(wrapTo(type, range->lower + trip * range->step)));
    if (failed(run(instruction.branches[0], iteration, values)))
      return failure();
  }
  return success();
}

LogicalResult BodyRun::runWhile(const Body::Instruction &loop, ArrayRef<int64_t> iteration,
                                Elements &values) {
  while (true) {
    if (failed(env.step(loop.op)) || failed(run(loop.branches[0], iteration, values)))
      return failure();
    bool goesOn = values.front().i;
    values.erase(values.begin());
    if (!goesOn)
      return success();
    if (failed(run(loop.branches[1], iteration, values)))
      return failure();
  }
}

LogicalResult BodyRun::run(const Body::Code &code, ArrayRef<int64_t> iteration) {
  Elements operands, results;
  for (const Body::Instruction &instruction : code.instructions) {
    switch (instruction.kind) {
    case Body::Kind::Index:
      slots[instruction.results[0]].i = iteration[cast<linalg::IndexOp>(instruction.op).getDim()];
      break;
    case Body::Kind::Extract:
    case Body::Kind::Dim:
      if (failed(extract(instruction)))
        return failure();
      break;
    case Body::Kind::If: {
      const Body::Code &branch = instruction.branches[slots[instruction.operands[0]].i ? 0 : 1];
      if (failed(run(branch, iteration)))
        return failure();
      for (auto [result, value] : llvm::zip(instruction.results, branch.yielded))
        slots[result] = slots[value];
      break;
    }
    case Body::Kind::For:
    case Body::Kind::While: {
      operands.clear();
      for (unsigned slot : instruction.operands)
        operands.push_back(slots[slot]);
      bool isFor = instruction.kind == Body::Kind::For;
      if (failed(isFor ? runFor(instruction, iteration, operands)
                       : runWhile(instruction, iteration, operands)))
        return failure();
      for (auto [slot, value] : llvm::zip_equal(instruction.results, operands))
        slots[slot] = value;
      break;
    }
    case Body::Kind::Function:
      operands.clear();
      for (unsigned slot : instruction.operands)
        operands.push_back(slots[slot]);
      results.resize(instruction.results.size());
      if (const char *problem = instruction.function(operands.data(), results.data()))
        return env.emitError(instruction.op) << problem;
      for (auto [slot, value] : llvm::zip_equal(instruction.results, results))
        slots[slot] = value;
      break;
    }
  }
  return success();
}
