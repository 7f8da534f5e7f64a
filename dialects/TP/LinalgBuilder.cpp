//===- LinalgBuilder.cpp - Shorthands to write linalg    ----------------===//

#include "dialects/TP/LinalgBuilder.h"

using namespace mlir;
using namespace mlir::tp;

ResultRange LinalgBuilder::generic(unsigned loops, ArrayRef<unsigned> reductions, ValueRange inputs,
                                   ValueRange outputs, ArrayRef<SmallVector<unsigned>> maps,
                                   Body body) {
  SmallVector<AffineMap> affine;
  for (ArrayRef<unsigned> dims : maps)
    affine.push_back(map(loops, dims));
  SmallVector<utils::IteratorType> iterators(loops, utils::IteratorType::parallel);
  for (unsigned loop : reductions)
    iterators[loop] = utils::IteratorType::reduction;
  auto op = linalg::GenericOp::create(*this, outputs.getTypes(), inputs, outputs, affine, iterators,
                                      [&](OpBuilder &nested, Location loc, ValueRange args) {
                                        LinalgBuilder inner(loc, nested);
                                        linalg::YieldOp::create(inner, body(inner, args));
                                      });
  return op.getResults();
}

SmallVector<unsigned> mlir::tp::loopRange(unsigned first, unsigned last) {
  return llvm::to_vector(llvm::seq(first, last));
}
