//===- Loops.cpp - Linalg and elementwise ops as loop nests ----------------===//

#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::evaluateRounding(LoopNest &nest) {
  if (!rounded || nest.body.size() != 1 || nest.isReduction.any())
    return false;
  Operation *op = nest.body.front();
  for (LoopOperand &operand : nest.operands) {
    if (operand.elements.front() != op->getOperand(0) || operand.loops != nest.results[0])
      continue;
    Relation relation = operand.relation;
    bool rounds = isa<arith::TruncFOp>(op) && relation.partial && !relation.isRounded &&
                  getElementTypeOrSelf(op->getResult(0)) == rounded;
    if (!rounds && !(isa<arith::ExtFOp>(op) && relation.isRounded))
      return false;
    relation.isRounded = rounds;
    for (RankMapId &map : relation.maps)
      map = algebra.maps.forgetFills(map);
    define(nest.op->getResult(0), relation);
    return true;
  }
  return false;
}

bool Evaluator::evaluateLoops(LoopNest &nest) {
  if (evaluateRounding(nest))
    return true;
  for (const LoopOperand &operand : nest.operands)
    if (operand.relation.isRounded)
      return fail("uses a sum over ranks of rounded parts as if it were not rounded");
  NestEvaluator evaluator(algebra, nest);
  auto outside = [&](Value value) -> std::optional<BodyValue> {
    auto it = values.find(value);
    if (it == values.end() || it->second.failure)
      return std::nullopt;
    BodyValue known;
    if (it->second.relation) {
      known.expression = algebra.asTerm(*it->second.relation);
      return known;
    }
    known.expression = it->second.scalar.term;
    known.constants = it->second.scalar.constants;
    return known;
  };
  // What is computed from arbitrary content is arbitrary, to be safe.
  bool readsUndefined = llvm::any_of(nest.operands, [&](const LoopOperand &operand) {
    return operand.relation.isUndefined && isRead(nest, operand);
  });
  if (readsUndefined && isSource)
    return fail("reads a tensor without content");
  if (readsUndefined) {
    for (Value result : nest.op->getResults())
      defineUndefined(result);
    return true;
  }
  SmallVector<Relation> results;
  if (!evaluator.align() || !evaluator.evaluateBody(outside) || !evaluator.finish(results))
    return fail(evaluator.why);
  for (auto [value, relation] : llvm::zip_equal(nest.op->getResults(), results))
    define(value, relation);
  return true;
}

bool Evaluator::evaluateLinalg(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(fill.getOutputs()[0].getType());
    std::optional<TermId> value = termOf(scalarOf(fill.getInputs()[0]));
    if (!type || !value)
      return fail("fills with a value that depends on the rank");
    define(fill.getResult(0), algebra.splat(*value, type.getShape()));
    return true;
  }
  if (!linalgOp.hasPureTensorSemantics())
    return fail("works on memory");
  if (evaluateMerge(op))
    return true;
  why.clear();
  LoopNest nest;
  nest.op = op;
  nest.sizes.assign(linalgOp.getNumLoops(), -1);
  nest.isReduction.resize(linalgOp.getNumLoops());
  for (auto [i, iterator] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
    if (iterator != utils::IteratorType::parallel)
      nest.isReduction.set(i);
  SmallVector<AffineMap> indexing = linalgOp.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), indexing)) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    LoopOperand one;
    one.type = operand.get().getType();
    one.elements = {linalgOp.getMatchingBlockArgument(&operand)};
    one.isInit = linalgOp.isDpsInit(&operand);
    if (!type) {
      Scalar scalar = scalarOf(operand.get());
      std::optional<TermId> term = termOf(scalar);
      if (!term)
        return fail("uses a scalar that depends on the rank");
      one.relation = algebra.splat(*term, {});
      nest.operands.push_back(one);
      continue;
    }
    one.relation = relationOf(operand.get());
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        one.loops.push_back(dim.getPosition());
        nest.sizes[dim.getPosition()] = type.getDimSize(d);
        if (llvm::count(one.loops, int(dim.getPosition())) > 1)
          return fail("reads a diagonal");
      } else if (type.getDimSize(d) == 1 && isa<AffineConstantExpr>(expr)) {
        one.loops.push_back(-1);
      } else {
        return fail("has a window");
      }
    }
    nest.operands.push_back(one);
    if (one.isInit)
      nest.results.push_back(one.loops);
  }
  if (llvm::is_contained(nest.sizes, -1))
    return fail("has a loop that no operand has");
  // Dimensions of one element that no loop runs over.
  for (LoopOperand &operand : nest.operands)
    for (auto [d, loop] : llvm::enumerate(operand.loops))
      if (loop < 0 && operand.relation.layout[d].size() == 1 &&
          operand.relation.layout[d][0].dim >= 0 &&
          !algebra.maps.isUniform(operand.relation.maps[operand.relation.layout[d][0].dim]))
        return fail("reads the first element of a dimension that ranks have different blocks of");
  Block *block = linalgOp.getBlock();
  for (Operation &nested : block->without_terminator())
    nest.body.push_back(&nested);
  llvm::append_range(nest.yields, block->getTerminator()->getOperands());
  return evaluateLoops(nest);
}

bool Evaluator::evaluateElementwise(Operation *op) {
  LoopNest nest;
  nest.op = op;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned rank = type.getRank();
  nest.sizes.assign(type.getShape().begin(), type.getShape().end());
  nest.isReduction.resize(rank);
  SmallVector<int, 4> identity;
  for (unsigned i = 0; i < rank; ++i)
    identity.push_back(i);
  for (Value value : op->getOperands()) {
    if (!isa<RankedTensorType>(value.getType()))
      continue; // A scalar condition: from outside.
    if (llvm::any_of(nest.operands,
                     [&](const LoopOperand &known) { return known.elements.front() == value; }))
      continue;
    LoopOperand one;
    one.type = value.getType();
    one.elements = {value};
    one.relation = relationOf(value);
    one.loops = identity;
    nest.operands.push_back(one);
  }
  nest.body = {op};
  for (Value result : op->getResults()) {
    nest.yields.push_back(result);
    nest.results.push_back(identity);
  }
  return evaluateLoops(nest);
}
