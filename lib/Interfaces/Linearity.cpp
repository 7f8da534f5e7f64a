//===- Linearity.cpp -------------------------------------------------------===//

#include "tp/Interfaces/Linearity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<ReductionKind> tp::getReductionKind(Operation *combiner) {
  bool isBool =
      combiner->getNumResults() == 1 && getElementTypeOrSelf(combiner->getResult(0)).isInteger(1);
  return llvm::TypeSwitch<Operation *, std::optional<ReductionKind>>(combiner)
      .Case<arith::AddFOp>([](auto) { return ReductionKind::Sum; })
      .Case<arith::AddIOp>([&](auto) { return isBool ? ReductionKind::Xor : ReductionKind::Sum; })
      .Case<arith::MulFOp>([](auto) { return ReductionKind::Mul; })
      .Case<arith::MulIOp>([&](auto) { return isBool ? ReductionKind::And : ReductionKind::Mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return ReductionKind::Max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return ReductionKind::Min; })
      .Case<arith::MaxUIOp>([](auto) { return ReductionKind::MaxU; })
      .Case<arith::MinUIOp>([](auto) { return ReductionKind::MinU; })
      .Case<arith::MaxNumFOp>([](auto) { return ReductionKind::MaxNum; })
      .Case<arith::MinNumFOp>([](auto) { return ReductionKind::MinNum; })
      .Case<arith::AndIOp>([](auto) { return ReductionKind::And; })
      .Case<arith::OrIOp>([](auto) { return ReductionKind::Or; })
      .Case<arith::XOrIOp>([](auto) { return ReductionKind::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether sums of this type are taken in it: narrower floats are rounded by
/// every operation.
static bool accumulates(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIntOrIndex() || type.isF32() || type.isF64();
}

Dependence tp::transfer(Operation *op, ArrayRef<Dependence> operands, ReductionKind kind) {
  auto all = [&](Dependence d) { return llvm::all_equal(operands) && operands.front() == d; };
  if (operands.empty() || all(Dependence::None))
    return Dependence::None;
  if (llvm::is_contained(operands, Dependence::Other) || op->getNumResults() != 1)
    return Dependence::Other;
  // Moves of values commute with every kind.
  if (isa<arith::SelectOp>(op) && operands[0] == Dependence::None &&
      operands[1] == Dependence::Linear && operands[2] == Dependence::Linear)
    return Dependence::Linear;
  if (isa<tensor::ExtractOp>(op) && operands[0] == Dependence::Linear &&
      llvm::all_of(operands.drop_front(), [](Dependence d) { return d == Dependence::None; }))
    return Dependence::Linear;
  if (all(Dependence::Linear) && operands.size() == 2 && getReductionKind(op) == kind &&
      (kind != ReductionKind::Sum || accumulates(op->getResult(0).getType())))
    return Dependence::Linear;
  if (kind != ReductionKind::Sum || !accumulates(op->getResult(0).getType()))
    return Dependence::Other;
  bool linear =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<arith::SubFOp, arith::SubIOp>([&](auto) { return all(Dependence::Linear); })
          .Case<arith::NegFOp, arith::ExtFOp>([&](auto) { return all(Dependence::Linear); })
          .Case<arith::MulFOp, arith::MulIOp>([&](auto) { return !all(Dependence::Linear); })
          .Case<arith::DivFOp>([&](auto) { return operands[1] == Dependence::None; })
          .Default([](Operation *) { return false; });
  return linear ? Dependence::Linear : Dependence::Other;
}

bool tp::isLinearBody(Block &body, ReductionKind kind, llvm::function_ref<bool(Value)> isLinear) {
  llvm::DenseMap<Value, Dependence> known;
  auto dependence = [&](Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    return isLinear(value) ? Dependence::Linear : Dependence::None;
  };
  for (Operation &op : body.without_terminator()) {
    Dependence result = Dependence::Other;
    SmallVector<Dependence> operands = llvm::map_to_vector(op.getOperands(), dependence);
    if (op.getNumRegions() == 0)
      result = transfer(&op, operands, kind);
    for (Value value : op.getResults())
      known[value] = result;
  }
  return llvm::all_of(body.getTerminator()->getOperands(),
                      [&](Value value) { return dependence(value) == Dependence::Linear; });
}
