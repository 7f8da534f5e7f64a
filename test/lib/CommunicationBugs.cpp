//===- CommunicationBugs.cpp - Faults of collectives ----------------------===//

#include "BugSites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace {

bool missingReduction(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(
      module, random, [](auto op, OpBuilder &) { return replace(op, op->getOperand(0)); });
}

bool missingGather(ModuleOp module, Random &random) {
  return onOne<comm::AllGatherOp>(module, random, [](auto op, OpBuilder &builder) {
    SmallVector<Value> copies(comm::getGroupSize(partsOf(op)), op->getOperand(0));
    return replace(op, tensor::ConcatOp::create(builder, op.getLoc(), op.getDim(), copies));
  });
}

bool missingSumInScatter(ModuleOp module, Random &random) {
  return onOne<comm::ReduceScatterOp>(module, random, [](auto op, OpBuilder &builder) {
    int64_t size = typeOf(op->getResult(0)).getDimSize(op.getDim());
    // One axis part: its coordinate is the place in the group.
    if (partsOf(op).size() != 1)
      return false;
    Value offset =
        arith::MulIOp::create(builder, op.getLoc(), coordinate(builder, op.getLoc(), op.getAxes()),
                              constantIndex(builder, op.getLoc(), size));
    return replace(op, sliceOf(builder, op.getLoc(), op->getOperand(0), op.getDim(), offset, size));
  });
}

bool missingExchange(ModuleOp module, Random &random) {
  return onCollective(module, random, [](Operation *op, OpBuilder &) {
    return isa<comm::PermuteOp, comm::AllToAllOp>(op) &&
           op->getOperand(0).getType() == op->getResult(0).getType() &&
           replace(op, op->getOperand(0));
  });
}

bool extraReduction(ModuleOp module, Random &random) {
  return onOne<linalg::GenericOp>(module, random, [&](linalg::GenericOp op, OpBuilder &) {
    Value value = op->getResult(0);
    if (value.use_empty() || !isa<FloatType>(typeOf(value).getElementType()))
      return false;
    Mesh mesh = meshOf(op);
    unsigned axis = random() % mesh.numAxes();
    if (mesh.sizes[axis] == 1)
      return false;
    return insertAfter(value, [&](OpBuilder &b) -> Value {
      return comm::AllReduceOp::create(b, op.getLoc(), value.getType(), ReductionKind::Sum, value,
                                       axesOf(b, AxisPart{axis, 1, mesh.sizes[axis]}, mesh),
                                       getReason(op))
          ->getResult(0);
    });
  });
}

bool doubledReduction(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &) {
    return op.getKind() == ReductionKind::Sum && insertAfter(op->getResult(0), [&](OpBuilder &b) {
             return comm::AllReduceOp::create(b, op.getLoc(), op->getResult(0).getType(),
                                              op.getKind(), op->getResult(0), op.getAxes(),
                                              getReason(op))
                 ->getResult(0);
           });
  });
}

bool wrongAxis(ModuleOp module, Random &random) {
  return onCollective(module, random, [&](Operation *op, OpBuilder &builder) {
    SmallVector<AxisPart> parts = partsOf(op);
    Mesh mesh = meshOf(op);
    bool anySize = isa<comm::AllReduceOp>(op);
    for (unsigned axis = 0; axis < mesh.numAxes(); ++axis) {
      AxisPart whole{axis, 1, mesh.sizes[axis]};
      bool isUsed = llvm::any_of(parts, [&](const AxisPart &p) { return p.axis == axis; });
      if (isUsed || whole.size == 1 || (!anySize && whole.size != parts[0].size))
        continue;
      parts[0] = whole;
      op->setAttr("axes", axesOf(builder, parts, mesh));
      return true;
    }
    return false;
  });
}

bool wrongAxisOrder(ModuleOp module, Random &random) {
  return onCollective(module, random, [](Operation *op, OpBuilder &builder) {
    SmallVector<AxisPart> parts = partsOf(op);
    if (parts.size() < 2 || isa<comm::AllReduceOp>(op))
      return false;
    std::reverse(parts.begin(), parts.end());
    op->setAttr("axes", axesOf(builder, parts, meshOf(op)));
    return true;
  });
}

bool wrongGroup(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &builder) {
    SmallVector<AxisPart> parts = partsOf(op);
    // Half of the group.
    if (parts[0].size % 2 != 0 || parts[0].size == 2)
      return false;
    parts[0].size /= 2;
    op->setAttr("axes", axesOf(builder, parts, meshOf(op)));
    return true;
  });
}

bool oneAxisMissing(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &builder) {
    SmallVector<AxisPart> parts = partsOf(op);
    if (parts.size() < 2)
      return false;
    parts.pop_back();
    op->setAttr("axes", axesOf(builder, parts, meshOf(op)));
    return true;
  });
}

bool wrongKind(ModuleOp module, Random &random) {
  return onCollective(module, random, [](Operation *op, OpBuilder &) {
    auto change = [&](auto reduce) {
      reduce.setKind(reduce.getKind() == ReductionKind::Sum ? ReductionKind::Max
                                                            : ReductionKind::Sum);
      return true;
    };
    if (auto reduce = dyn_cast<comm::AllReduceOp>(op))
      return change(reduce);
    if (auto scatter = dyn_cast<comm::ReduceScatterOp>(op))
      return change(scatter);
    return false;
  });
}

bool swappedShards(ModuleOp module, Random &random) {
  return onOne<comm::AllGatherOp>(module, random, [](auto op, OpBuilder &) {
    int64_t count = comm::getGroupSize(partsOf(op)), dim = op.getDim();
    int64_t size = typeOf(op->getOperand(0)).getDimSize(dim);
    if (count < 2 || size == 0)
      return false;
    return insertAfter(op->getResult(0), [&](OpBuilder &b) -> Value {
      SmallVector<Value> blocks;
      for (int64_t i = 0; i < count; ++i)
        blocks.push_back(sliceOf(b, op.getLoc(), op->getResult(0), dim,
                                 b.getIndexAttr((i + 1) % count * size), size));
      return tensor::ConcatOp::create(b, op.getLoc(), dim, blocks);
    });
  });
}

bool staleOperand(ModuleOp module, Random &random) {
  return onCollective(module, random, [&](Operation *op, OpBuilder &) {
    Value other = otherValue(op, op->getOperand(0), random);
    if (other)
      op->setOperand(0, other);
    return bool(other);
  });
}

bool wrongPartner(ModuleOp module, Random &random) {
  return onOne<comm::PermuteOp>(module, random, [](auto op, OpBuilder &) {
    SmallVector<int32_t> sources(op.getSources());
    std::rotate(sources.begin(), sources.begin() + 1, sources.end());
    op.setSources(sources);
    return true;
  });
}

bool wrongExchangeDims(ModuleOp module, Random &random) {
  return onOne<comm::AllToAllOp>(module, random, [](auto op, OpBuilder &) {
    // In one dimension: the blocks are put back in another order.
    if (op.getSplit() != op.getConcat())
      return false;
    int64_t count = comm::getGroupSize(partsOf(op)), dim = op.getSplit();
    int64_t size = typeOf(op->getResult(0)).getDimSize(dim) / count;
    return insertAfter(op->getResult(0), [&](OpBuilder &b) -> Value {
      SmallVector<Value> blocks;
      for (int64_t i = 0; i < count; ++i)
        blocks.push_back(sliceOf(b, op.getLoc(), op->getResult(0), dim,
                                 b.getIndexAttr((count - 1 - i) * size), size));
      return tensor::ConcatOp::create(b, op.getLoc(), dim, blocks);
    });
  });
}

bool wrongScatterBlock(ModuleOp module, Random &random) {
  return onOne<comm::ReduceScatterOp>(module, random, [](auto op, OpBuilder &) {
    int64_t count = comm::getGroupSize(partsOf(op));
    SmallVector<int32_t> sources;
    for (int64_t i = 0; i < count; ++i)
      sources.push_back((i + 1) % count);
    return insertAfter(op->getResult(0), [&](OpBuilder &b) -> Value {
      return comm::PermuteOp::create(b, op.getLoc(), op->getResult(0).getType(), op->getResult(0),
                                     b.getDenseI32ArrayAttr(sources), op.getAxes(), getReason(op))
          ->getResult(0);
    });
  });
}

bool roundedBeforeSum(ModuleOp module, Random &random) {
  return onCollective(module, random, [](Operation *op, OpBuilder &builder) {
    if (!isa<comm::AllReduceOp, comm::ReduceScatterOp>(op) ||
        !getElementTypeOrSelf(op->getOperand(0)).isF32())
      return false;
    Location loc = op->getLoc();
    Value narrow = convert(builder, loc, op->getOperand(0), builder.getBF16Type());
    op->setOperand(0, convert(builder, loc, narrow, builder.getF32Type()));
    return true;
  });
}

/// op(all_reduce(x)) becomes all_reduce(op(x)).
bool reductionAfterNonlinear(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &) {
    if (op.getKind() != ReductionKind::Sum || !op->getResult(0).hasOneUse())
      return false;
    Operation *user = *op->getResult(0).user_begin();
    bool movable = user->getNumResults() == 1 && user->getNumRegions() <= 1 &&
                   isa<linalg::GenericOp, arith::AddFOp, arith::MulFOp>(user) &&
                   user->getBlock() == op->getBlock() &&
                   user->getResult(0).getType() == op->getResult(0).getType();
    if (!movable)
      return false;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->moveAfter(user);
    Value value = user->getResult(0);
    value.replaceAllUsesExcept(op->getResult(0), op);
    op->setOperand(0, value);
    return true;
  });
}

bool averaged(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &) {
    auto element = dyn_cast<FloatType>(typeOf(op->getResult(0)).getElementType());
    if (!element)
      return false;
    return insertAfter(op->getResult(0), [&](OpBuilder &b) -> Value {
      Value half = arith::ConstantOp::create(
          b, op.getLoc(),
          DenseElementsAttr::get(typeOf(op->getResult(0)),
                                 Attribute(b.getFloatAttr(element, 0.5))));
      return arith::MulFOp::create(b, op.getLoc(), op->getResult(0), half);
    });
  });
}

bool onlyOneRank(ModuleOp module, Random &random) {
  return onOne<linalg::GenericOp>(module, random, [&](linalg::GenericOp op, OpBuilder &) {
    Value value = op->getResult(0);
    Mesh mesh = meshOf(op);
    unsigned axis = random() % mesh.numAxes();
    if (mesh.sizes[axis] == 1 || value.use_empty() || !op.hasPureTensorSemantics())
      return false;
    return insertAfter(value, [&](OpBuilder &b) -> Value {
      Location loc = op.getLoc();
      Value c = coordinate(b, loc, axesOf(b, AxisPart{axis, 1, mesh.sizes[axis]}, mesh));
      Value first =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, c, constantIndex(b, loc, 0));
      Value zero = arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(typeOf(value), b.getZeroAttr(typeOf(value).getElementType())));
      auto branch = scf::IfOp::create(b, loc, value.getType(), first, /*withElseRegion=*/true);
      OpBuilder inner = branch.getThenBodyBuilder();
      scf::YieldOp::create(inner, loc, value);
      inner = branch.getElseBodyBuilder();
      scf::YieldOp::create(inner, loc, zero);
      return branch.getResult(0);
    });
  });
}

/// A collective that only the ranks with coordinate 0 meet.
bool collectiveInBranch(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &b) {
    Location loc = op.getLoc();
    Value c = coordinate(b, loc, axesOf(b, partsOf(op)[0], meshOf(op)));
    Value first =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, c, constantIndex(b, loc, 0));
    auto branch =
        scf::IfOp::create(b, loc, op->getResult(0).getType(), first, /*withElseRegion=*/true);
    op->getResult(0).replaceAllUsesWith(branch.getResult(0));
    OpBuilder inner = branch.getElseBodyBuilder();
    scf::YieldOp::create(inner, loc, op->getOperand(0));
    inner = branch.getThenBodyBuilder();
    auto yield = scf::YieldOp::create(inner, loc, op->getResult(0));
    op->moveBefore(yield);
    return true;
  });
}

} // namespace

ArrayRef<BugClass> test::getCommunicationBugs() {
  static constexpr BugClass classes[] = {
      {"all-reduce missing", missingReduction},
      {"all-gather missing: the own block repeated", missingGather},
      {"reduce-scatter keeps its block without the sum", missingSumInScatter},
      {"permute or all-to-all missing", missingExchange},
      {"all-reduce too many", extraReduction},
      {"all-reduce twice", doubledReduction},
      {"collective over another axis", wrongAxis},
      {"axes of a collective in another order", wrongAxisOrder},
      {"all-reduce over half of the group", wrongGroup},
      {"all-reduce over one axis too few", oneAxisMissing},
      {"reduction by another kind", wrongKind},
      {"gathered blocks in another order", swappedShards},
      {"stale operand of a collective", staleOperand},
      {"permute from another rank", wrongPartner},
      {"exchanged blocks in another order", wrongExchangeDims},
      {"reduce-scatter gives the block of another rank", wrongScatterBlock},
      {"rounding before the sum over ranks", roundedBeforeSum},
      {"sum over ranks taken after the op that needs it", reductionAfterNonlinear},
      {"sum over ranks averaged", averaged},
      {"value of one rank only", onlyOneRank},
      {"collective in a branch that depends on the rank", collectiveInBranch},
  };
  return classes;
}
