//===- Contraction.cpp - Matrix products among structured ops --------------===//

#include "Contraction.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tp;

static Value skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

/// yield (out + x * y), x and y the inputs, perhaps extended; either order.
static bool isMultiplyAdd(Block &body) {
  auto isArgument = [&](Value value, unsigned number) { return value == body.getArgument(number); };
  if (body.getNumArguments() != 3)
    return false;
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  Value product = isArgument(sum.getLhs(), 2) ? sum.getRhs() : sum.getLhs();
  if (!isArgument(product == sum.getLhs() ? sum.getRhs() : sum.getLhs(), 2))
    return false;
  auto mul = product.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value x = skipExtension(mul.getLhs()), y = skipExtension(mul.getRhs());
  return (isArgument(x, 0) && isArgument(y, 1)) || (isArgument(x, 1) && isArgument(y, 0));
}

/// The loops, of more than one iteration, that index the dimensions of a value;
/// nothing where a dimension is no plain loop.
static std::optional<SmallVector<unsigned>> loopsOf(AffineMap map, ArrayRef<int64_t> sizes) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    if (sizes[dim.getPosition()] != 1)
      loops.push_back(dim.getPosition());
  }
  return loops;
}

/// Whether `loops` is `rows` followed by `columns`.
static bool isProduct(ArrayRef<unsigned> loops, ArrayRef<unsigned> rows,
                      ArrayRef<unsigned> columns) {
  return loops.size() == rows.size() + columns.size() && loops.take_front(rows.size()) == rows &&
         loops.drop_front(rows.size()) == columns;
}

std::optional<Contraction> mlir::tp::matchContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op->getNumResults() != 0)
    return std::nullopt;
  for (Value value : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !isa<FloatType>(type.getElementType()) || !rt::isContiguous(type))
      return std::nullopt;
  }
  if (!isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<SmallVector<unsigned>> loops;
  for (AffineMap map : maps) {
    std::optional<SmallVector<unsigned>> found = loopsOf(map, sizes);
    if (!found)
      return std::nullopt;
    loops.push_back(*found);
  }
  auto isReduction = [&](unsigned loop) {
    return iterators[loop] == utils::IteratorType::reduction;
  };
  auto product = [&](ArrayRef<unsigned> factors) {
    int64_t result = 1;
    for (unsigned loop : factors)
      result *= sizes[loop];
    return result;
  };
  std::optional<Contraction> best;
  for (unsigned first : {0u, 1u}) {
    ArrayRef<unsigned> a = loops[first], w = loops[1 - first], c = loops[2];
    SmallVector<unsigned> m, n, k;
    llvm::copy_if(w, std::back_inserter(k), isReduction);
    llvm::copy_if(w, std::back_inserter(n), [&](unsigned loop) { return !isReduction(loop); });
    llvm::copy_if(a, std::back_inserter(m), [&](unsigned loop) { return !isReduction(loop); });
    if (!isProduct(a, m, k) || !isProduct(w, n, k) || !isProduct(c, m, n) ||
        llvm::any_of(m, [&](unsigned loop) { return llvm::is_contained(n, loop); }))
      continue;
    Contraction found{op->getOperand(first),
                      op->getOperand(1 - first),
                      op->getOperand(2),
                      product(m),
                      product(n),
                      product(k)};
    if (!best || found.m < best->m)
      best = found;
  }
  // Every loop of more than one iteration must be m, n or k: a reduction that
  // indexes only one operand, or none, is not a product.
  if (!best || best->m * best->n * best->k != llvm::product_of(sizes))
    return std::nullopt;
  return best;
}
