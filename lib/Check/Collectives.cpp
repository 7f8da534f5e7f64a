//===- Collectives.cpp - What ranks hold after a collective ---------------===//

#include "Evaluator.h"

#include "dialects/Comm/Comm.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::evaluateCollective(Operation *op) {
  const Ranks &ranks = algebra.ranks;
  SmallVector<AxisPart> parts =
      comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), ranks.getMesh());
  std::optional<SmallVector<unsigned>> digits = ranks.digitsOf(parts);
  if (!digits)
    return fail("parts of one axis are used that do not nest");
  if (auto coordinate = dyn_cast<comm::CoordinateOp>(op)) {
    Scalar scalar;
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      scalar.constants.push_back(
          IntegerAttr::get(coordinate.getType(), comm::getGroupRank(parts, ranks.getMesh(), rank)));
    if (llvm::all_equal(scalar.constants))
      scalar.constants.resize(1);
    define(coordinate, scalar);
    return true;
  }
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults()))
    if (!evaluateCollective(op, operand, result, parts, *digits))
      return false;
  return true;
}

/// One of the values that meet.
bool Evaluator::evaluateCollective(Operation *op, Value operand, Value result,
                                   ArrayRef<AxisPart> parts, ArrayRef<unsigned> digits) {
  const Ranks &ranks = algebra.ranks;
  Relation relation = relationOf(operand);
  Type element = getElementTypeOrSelf(result);
  int64_t count = comm::getGroupSize(parts);
  /// Each rank keeps its own of the blocks along `dim`.
  auto keepOwn = [&](unsigned dim) {
    int64_t size = relation.localSize(dim) / count;
    SmallVector<int64_t> offsets;
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      offsets.push_back(size * comm::getGroupRank(parts, ranks.getMesh(), rank));
    return algebra.slice(relation, dim, offsets, size);
  };
  bool done = true;
  if (auto reduce = dyn_cast<comm::AllReduceOp>(op)) {
    done = algebra.reduce(relation, reduce.getKind(), digits, element);
  } else if (auto scatter = dyn_cast<comm::ReduceScatterOp>(op)) {
    done =
        algebra.reduce(relation, scatter.getKind(), digits, element) && keepOwn(scatter.getDim());
  } else if (auto gather = dyn_cast<comm::AllGatherOp>(op)) {
    done = algebra.gather(relation, gather.getDim(), digits);
  } else if (auto exchange = dyn_cast<comm::AllToAllOp>(op)) {
    unsigned split = exchange.getSplit(), concat = exchange.getConcat();
    if (split != concat) {
      done = algebra.gather(relation, concat, digits) && keepOwn(split);
    } else {
      // Block i of every rank, in rank order: the blocks are a dimension of their own.
      SmallVector<int64_t> shape;
      SmallVector<SmallVector<int64_t, 2>> groups;
      for (unsigned d = 0; d < relation.layout.size(); ++d) {
        groups.push_back({int64_t(shape.size())});
        int64_t size = relation.localSize(d);
        if (d == split) {
          shape.push_back(count);
          groups.back().push_back(shape.size());
          size /= count;
        }
        shape.push_back(size);
      }
      done = algebra.expand(relation, groups, shape);
      if (done) {
        // gather in a new major dimension, then take the own block of the next.
        relation.layout.insert(relation.layout.begin() + split, SmallVector<Atom, 1>{});
        done = algebra.gather(relation, split, digits) && keepOwn(split + 1);
        algebra.dropUnitDims(relation, [&](unsigned d) { return d == split + 1; });
        SmallVector<SmallVector<int64_t, 2>> joined;
        int64_t next = 0;
        for (unsigned d = 0; d + 1 < relation.layout.size(); ++d) {
          joined.push_back({next++});
          if (d == split)
            joined.back().push_back(next++);
        }
        if (done)
          algebra.collapse(relation, joined);
      }
    }
  } else {
    auto permute = cast<comm::PermuteOp>(op);
    Attribute zero = element.isIntOrIndexOrFloat()
                         ? Attribute(Builder(op->getContext()).getZeroAttr(element))
                         : Attribute();
    done = algebra.permute(relation, permute.getSources(), digits, zero);
  }
  if (!done)
    return fail(algebra.why);
  define(result, relation);
  return true;
}
