//===- Composition.h - Reductions that compute -----------------*- C++ -*-===//
//
// A body that is applied to one element after the other may be applied to blocks on their
// own where it is proved that a few numbers per block say what the block does to any
// accumulators. Three ways to prove it, up to rounding as for sums:
//
// - *Affine maps.* In a semiring (+ and *, max and +, max and min, or and and, ...) the
//   body is affine in its accumulators s, with coefficients of the elements only:
//
//     s_i <- sum over j of s_j * c_ij + d_i
//
//   The composition of affine maps is one: of a block it is the product of the c and what
//   becomes of the d. Recurrences (a * h + x), clamped ones (max(min(a, x), h)), paths of
//   largest weight (max(a + x, 0)) are such. Floats that may be infinite must get from one
//   accumulator to one in one way only: a sum of ways times infinity is not what is made of
//   infinity on each way. (Orders, which have no infinity of their own, may have several.)
// - *Associative polynomials.* The body takes as many elements as there are accumulators,
//   and is, in a semiring, a polynomial f with f(f(s, t), u) = f(s, f(t, u)). Then a block
//   is what f makes of its elements. Complex and matrix products, pairs of affine maps,
//   a + x + a * x are such, of half the numbers that affine maps are.
// - *Known monoids* whose inverse or exponential is in no semiring, each in a few forms:
//   sums scaled by a running maximum (online softmax), the logarithm of a sum of
//   exponentials, mean and squared deviations (Welford).
//
// The first element of a block is what the composition begins with, so nothing has to be
// neutral; blocks without elements are passed over.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_COMPOSITION_H
#define LIB_INTERFACES_COMPOSITION_H

#include "BlockReduction.h"

namespace mlir {
namespace tp {

/// How blocks of the op's reductions compose; nothing where that is not proved.
std::optional<BlockReduction> getComposition(linalg::LinalgOp op);

/// The results of a reduction by which of them depend on one another.
SmallVector<SmallVector<unsigned>> getIndependentResults(linalg::LinalgOp op);

/// The op with some of its results only, which no others depend on or are needed for.
linalg::GenericOp createPart(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<unsigned> results);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_COMPOSITION_H
