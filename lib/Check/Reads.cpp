//===- Reads.cpp - Which elements loop bodies read -------------------------===//
//
// An operand is read at an affine expression of the loops, a tensor from outside at what
// the body computes. Where one loop determines the index, the elements in its order are
// an operand like any other: a slice, a reversal, a rotation, the window that a rank has
// of a block. Sums of positions of several loops stay windows (NestWindows.cpp).
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::readAt(LoopNest &nest, LoopOperand &operand, unsigned dim, const BodyIndex &index,
                       BodyIndices &indices) {
  operand.loops.push_back(-1);
  if (index.isConstant())
    return algebra.slice(operand.relation, dim, index.offsets, 1) || fail(algebra.why);
  if (!index.isTable() && index.terms.size() > 1) {
    operand.windows.push_back({dim, index.terms, index.offsets});
    return true;
  }
  unsigned loop = index.isTable() ? *index.loop : index.terms[0].first;
  if (llvm::is_contained(operand.loops, int(loop)))
    return fail("reads a diagonal");
  operand.loops.back() = loop;
  auto isZero = [](int64_t offset) { return offset == 0; };
  if (!index.isTable() && index.terms[0].second == 1 && llvm::all_of(index.offsets, isZero) &&
      nest.sizes[loop] == operand.relation.localSize(dim))
    return true;
  auto table = indices.tabulate(index, loop);
  if (!table)
    return fail("reads at indices of too many kinds");
  return algebra.pick(operand.relation, dim, *table) || fail(algebra.why);
}

bool Evaluator::addReads(LoopNest &nest, Block &block, BodyIndices &indices) {
  llvm::SmallPtrSet<Operation *, 4> done;
  block.walk([&](tensor::ExtractOp extract) {
    Value tensor = extract.getTensor();
    auto known = values.find(tensor);
    if (known == values.end() || !known->second.relation || known->second.relation->isUndefined)
      return;
    LoopOperand read;
    read.type = tensor.getType();
    read.elements = {extract.getResult()};
    read.relation = *known->second.relation;
    for (auto [dim, value] : llvm::enumerate(extract.getIndices())) {
      if (const BodyIndex *index = indices.get(value)) {
        if (!readAt(nest, read, dim, *index, indices))
          return;
        continue;
      }
      read.loops.push_back(-1);
      read.lookUps.push_back({unsigned(dim), value, 0, {}});
    }
    if (read.lookUps.empty())
      done.insert(extract);
    nest.operands.push_back(std::move(read));
  });
  if (done.empty())
    return true;
  // What computed their indices is not needed, except to look up.
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> work;
  auto need = [&](Operation *user) {
    user->walk([&](Operation *nested) {
      if (done.contains(nested))
        return;
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (Operation *inBody = block.findAncestorOpInBlock(*def);
              inBody && !done.contains(inBody) && needed.insert(inBody).second)
            work.push_back(inBody);
    });
  };
  need(block.getTerminator());
  while (!work.empty())
    need(work.pop_back_val());
  llvm::erase_if(nest.body, [&](Operation *op) { return !needed.contains(op); });
  return true;
}
