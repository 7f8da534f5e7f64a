//===- Selections.cpp ------------------------------------------------------===//

#include "Selections.h"

#include "Combination.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<unsigned> tp::getSelectionLoop(linalg::LinalgOp op) {
  std::optional<unsigned> loop = getFirstReduction(op);
  if (!loop)
    return std::nullopt;
  return Combination::getGroupingFree(op) ? loop : std::nullopt;
}

std::optional<BlockReduction> tp::getSelection(linalg::LinalgOp op) {
  std::optional<Combination> found =
      getFirstReduction(op) ? Combination::getGroupingFree(op) : std::nullopt;
  if (!found)
    return std::nullopt;
  Combination combination = *found;
  unsigned numParts = combination.numParts(), numResults = op.getNumDpsInits();
  BlockReduction reduction;
  reduction.mergesEmpty = true;
  for (unsigned part = 0; part < numParts; ++part)
    reduction.parts.push_back({combination.resultOfPart(part), TypedAttr()});
  reduction.step = [=](OpBuilder &builder, Location loc, IRMapping &mapping, ValueRange parts,
                       const BlockReduction::Place &) {
    auto witness = combination.witness;
    linalg::LinalgOp body = op;
    mapping.map(body.getRegionOutputArgs(), parts.take_front(numResults));
    SmallVector<Value> yielded = cloneDependent(builder, op, mapping, parts.take_front(numResults));
    if (witness) {
      Value element = mapping.lookupOrDefault(combination.elements[witness->of]);
      Value kept = parts.back();
      yielded.push_back(arith::SelectOp::create(
          builder, loc, mapping.lookupOrDefault(witness->condition),
          witness->taken ? element : kept, witness->taken ? kept : element));
    }
    return yielded;
  };
  reduction.merge = [=](OpBuilder &builder, Location, ValueRange results, ValueRange parts) {
    linalg::LinalgOp body = op;
    IRMapping mapping;
    for (unsigned i = 0; i < numResults; ++i) {
      mapping.map(combination.elements[i], parts[i]);
      mapping.map(body.getRegionOutputArgs()[i], results[i]);
    }
    for (Operation *def : combination.ops) {
      Operation *made = builder.clone(*def, mapping);
      if (combination.witness && isa<arith::CmpFOp>(def))
        made->replaceUsesOfWith(parts[combination.witness->of], parts[numResults]);
    }
    return llvm::map_to_vector(body.getBlock()->getTerminator()->getOperands(),
                               [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  return reduction;
}
