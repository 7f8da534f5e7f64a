//===- Reads.cpp - Which elements loop bodies read -------------------------===//
//
// An operand is read at an affine expression of the loops, a tensor from outside at what
// the body computes. Where one loop determines the index, the elements in its order are
// an operand like any other: a slice, a reversal, a rotation, the window that a rank has
// of a block. Sums of positions of several loops stay windows (NestWindows.cpp).
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool check::readAlong(const LoopNest &nest, LoopOperand &operand, unsigned dim, unsigned loop) {
  if (nest.sizes[loop] != operand.relation.localSize(dim) ||
      llvm::is_contained(operand.loops, int(loop)))
    return false;
  operand.loops.push_back(loop);
  return true;
}

bool Evaluator::readAt(LoopNest &nest, LoopOperand &operand, unsigned dim, const BodyIndex &index,
                       BodyIndices &indices) {
  bool isPosition = !index.isTable() && index.terms.size() == 1 && index.terms[0].second == 1 &&
                    llvm::all_of(index.offsets, [](int64_t offset) { return offset == 0; });
  if (isPosition && readAlong(nest, operand, dim, index.terms[0].first))
    return true;
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
  auto table = indices.tabulate(index, loop);
  if (!table)
    return fail("reads at indices of too many kinds");
  return algebra.pick(operand.relation, dim, *table) || fail(algebra.why);
}

/// The ops of the block that compute these values.
static SmallVector<Operation *> getSlice(Block &block, ValueRange values,
                                         llvm::function_ref<bool(Operation *)> isLeaf) {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> work;
  auto need = [&](Value value) {
    Operation *def = value.getDefiningOp();
    Operation *inBlock = def ? block.findAncestorOpInBlock(*def) : nullptr;
    if (inBlock && !isLeaf(inBlock) && needed.insert(inBlock).second)
      work.push_back(inBlock);
  };
  for (Value value : values)
    need(value);
  while (!work.empty())
    work.pop_back_val()->walk([&](Operation *nested) {
      if (!isLeaf(nested))
        for (Value operand : nested->getOperands())
          need(operand);
    });
  SmallVector<Operation *> slice;
  for (Operation &op : block)
    if (needed.contains(&op))
      slice.push_back(&op);
  return slice;
}

bool Evaluator::lookUpFirst(const LoopNest &nest, Block &block, LoopOperand &read) {
  auto extract = read.elements.front().getDefiningOp<tensor::ExtractOp>();
  if (extract->getBlock() != &block)
    return false;
  LoopOperand table = read;
  if (!read.relation.maps.empty() && !algebra.commit(table.relation))
    return false;
  for (const LookUp &lookUp : table.lookUps) {
    // A dimension of one element has no atom, one that is a reshape has several.
    const auto &atoms = table.relation.layout[lookUp.dim];
    if (atoms.size() != 1)
      return false;
    int dim = atoms[0].dim;
    if (dim >= 0 &&
        table.relation.maps[dim] !=
            algebra.maps.uniform(makeRange(0, algebra.terms.getShape(table.relation.term)[dim])))
      return false;
  }
  LoopNest inner;
  inner.op = nest.op;
  inner.sizes = nest.sizes;
  inner.isReduction.resize(nest.sizes.size());
  inner.operands = nest.operands;
  inner.operands.push_back(table);
  for (LoopOperand &operand : inner.operands)
    operand.isInit = false;
  llvm::SmallPtrSet<Operation *, 4> operands;
  for (const LoopOperand &operand : nest.operands)
    for (Value element : operand.elements)
      if (Operation *def = element.getDefiningOp())
        operands.insert(def);
  inner.body =
      getSlice(block, extract.getIndices(), [&](Operation *op) { return operands.contains(op); });
  inner.body.push_back(extract);
  inner.yields = {extract.getResult()};
  SmallVector<int, 4> loops;
  for (unsigned loop = 0; loop < nest.sizes.size(); ++loop)
    loops.push_back(loop);
  inner.results = {loops};
  std::optional<SmallVector<Relation>> found = relateLoops(inner);
  if (!found || found->front().isUndefined)
    return false;
  read.relation = found->front();
  read.loops = loops;
  read.windows.clear();
  read.lookUps.clear();
  return true;
}

/// Whether a condition on positions holds wherever the nest has elements: an operand that
/// it reads has padding elsewhere.
bool Evaluator::holdsOnElements(const LoopNest &nest, Value condition, BodyIndices &indices) {
  Maps &maps = algebra.maps;
  const BodyIndex *index = indices.get(condition);
  if (!index) {
    auto both = condition.getDefiningOp<arith::AndIOp>();
    return both && holdsOnElements(nest, both.getLhs(), indices) &&
           holdsOnElements(nest, both.getRhs(), indices);
  }
  if (!index->isTable())
    return false;
  auto isCovered = [&](ArrayRef<Run> map, ArrayRef<int64_t> holds) {
    int64_t position = 0;
    for (const Run &run : map)
      for (int64_t i = 0; i < run.size; ++i, ++position)
        if (!run.isPadding() && !holds[position])
          return false;
    return position == int64_t(holds.size());
  };
  for (const LoopOperand &operand : nest.operands) {
    auto dim = llvm::find(operand.loops, int(*index->loop));
    if (dim == operand.loops.end() || !isRead(nest, operand) || operand.relation.isUndefined)
      continue;
    const auto &atoms = operand.relation.layout[dim - operand.loops.begin()];
    if (atoms.size() != 1 || atoms[0].dim < 0 || atoms[0].stride != 1)
      continue;
    bool covers = true;
    for (unsigned rank = 0; rank < algebra.ranks.count() && covers; ++rank)
      covers = isCovered(maps.get(operand.relation.maps[atoms[0].dim], rank),
                         index->table[index->table.size() == 1 ? 0 : rank]);
    if (covers)
      return true;
  }
  return false;
}

/// The index of a loop of one iteration is the constant 0: what has one row of others is
/// along that loop, so that it stays known which row it is.
static void takeUnitLoops(const LoopNest &nest, LoopOperand &read) {
  for (unsigned dim = 0; dim < read.loops.size() && dim < nest.sizes.size(); ++dim) {
    const auto &atoms = read.relation.layout[dim];
    bool isLookedUp =
        llvm::any_of(read.lookUps, [&](const LookUp &access) { return access.dim == dim; });
    if (read.loops[dim] < 0 && !isLookedUp && atoms.size() == 1 && atoms[0].dim >= 0 &&
        atoms[0].size == 1 && nest.sizes[dim] == 1 && !nest.isReduction.test(dim) &&
        !llvm::is_contained(read.loops, int(dim)))
      read.loops[dim] = dim;
  }
}

bool Evaluator::leaveOut(LoopNest &nest, Value condition, BodyIndices &indices) {
  const BodyIndex *index = indices.get(condition);
  if (!index) {
    auto both = condition.getDefiningOp<arith::AndIOp>();
    return both && leaveOut(nest, both.getLhs(), indices) && leaveOut(nest, both.getRhs(), indices);
  }
  if (!index->isConstant() && !index->isTable())
    return false;
  auto ofRank = [](auto &list, unsigned rank) -> auto & {
    return list[list.size() == 1 ? 0 : rank];
  };
  if (index->isConstant()) {
    nest.omittedRanks.resize(algebra.ranks.count());
    for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank)
      if (!ofRank(index->offsets, rank))
        nest.omittedRanks.set(rank);
    return true;
  }
  nest.omitted.push_back({*index->loop, algebra.maps.make([&](unsigned rank) {
                            Map map;
                            for (int64_t holds : ofRank(index->table, rank))
                              append(map, {1, holds ? 0 : -1, 1, {}});
                            return map;
                          })});
  return true;
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
      for (auto guard = value.getDefiningOp<arith::SelectOp>();
           guard && nest.leavesOut && matchPattern(guard.getFalseValue(), m_Constant()) &&
           leaveOut(nest, guard.getCondition(), indices);
           guard = value.getDefiningOp<arith::SelectOp>())
        value = guard.getTrueValue();
      // Where there is padding only, another index may be harmless.
      if (auto guard = value.getDefiningOp<arith::SelectOp>();
          guard && !indices.get(value) && holdsOnElements(nest, guard.getCondition(), indices))
        value = guard.getTrueValue();
      if (const BodyIndex *index = indices.get(value)) {
        if (!readAt(nest, read, dim, *index, indices))
          return;
        continue;
      }
      read.loops.push_back(-1);
      read.lookUps.push_back({unsigned(dim), value, 0, {}});
    }
    takeUnitLoops(nest, read);
    if (read.lookUps.empty() || lookUpFirst(nest, block, read))
      done.insert(extract);
    nest.operands.push_back(std::move(read));
  });
  if (done.empty())
    return true;
  // What computed their indices is not needed, except to look up.
  nest.body = getSlice(block, block.getTerminator()->getOperands(),
                       [&](Operation *op) { return done.contains(op); });
  return true;
}
