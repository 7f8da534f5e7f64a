//===- Collectives.cpp -----------------------------------------------------===//

#include "Collectives.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tp;

DictionaryAttr tp::getMeetingAttrs(Operation *collective) {
  NamedAttrList attrs(collective->getAttrDictionary());
  attrs.erase(kReasonAttr);
  return attrs.getDictionary(collective->getContext());
}

StringAttr tp::joinReasons(ArrayRef<Operation *> collectives) {
  llvm::SetVector<StringRef> reasons;
  for (Operation *op : collectives)
    if (auto reason = op->getAttrOfType<StringAttr>(kReasonAttr))
      reasons.insert(reason.getValue());
  if (reasons.empty())
    return {};
  return StringAttr::get(collectives.front()->getContext(), llvm::join(reasons, "; "));
}

Value tp::skipPoison(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && op->hasAttr(kPoisonAttr) && op->getOperand(0).hasOneUse()) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

comm::AllReduceOp tp::getAllReduce(Value value) {
  auto op = value.getDefiningOp<comm::AllReduceOp>();
  return op && op->getNumResults() == 1 ? op : comm::AllReduceOp();
}

Operation *tp::matchElementwiseBinary(Operation *op, OpOperand *&a, OpOperand *&b) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return nullptr;
  if (op->getNumOperands() == 2 && op->getNumRegions() == 0 &&
      op->hasTrait<OpTrait::Elementwise>() && llvm::all_of(op->getOperandTypes(), [&](Type type) {
        return type == op->getResult(0).getType();
      })) {
    a = &op->getOpOperand(0);
    b = &op->getOpOperand(1);
    return op;
  }
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  if (!loops || !loops.hasPureTensorSemantics() ||
      loops.getNumLoops() != loops.getNumParallelLoops() || loops.getNumDpsInits() != 1)
    return nullptr;
  Block *body = loops.getBlock();
  if (!llvm::hasNItems(*body, 2))
    return nullptr;
  Operation *scalar = &body->front();
  if (scalar->getNumOperands() != 2 || scalar->getNumResults() != 1 ||
      body->getTerminator()->getOperands() != scalar->getResults())
    return nullptr;
  OpOperand *sides[2];
  for (auto [side, operand] : llvm::zip_equal(sides, scalar->getOperands())) {
    auto arg = dyn_cast<BlockArgument>(operand);
    if (!arg || arg.getOwner() != body)
      return nullptr;
    side = loops.getMatchingOpOperand(arg);
    if (!loops.getMatchingIndexingMap(side).isIdentity() ||
        side->get().getType() != op->getResult(0).getType())
      return nullptr;
  }
  if (!loops.getMatchingIndexingMap(loops.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  a = sides[0];
  b = sides[1];
  return scalar;
}
