//===- Collectives.cpp - The comm dialect ----------------------------------===//

#include "Environment.h"

#include "dialects/Comm/Comm.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

FailureOr<SmallVector<AxisPart>> interp::getAxes(Operation *op, Environment &env) {
  // With these axes as partial ones a sharding is valid exactly when they are.
  auto axes = op->getAttrOfType<ArrayAttr>("axes");
  SmallVector<AxisAttr> list(axes.getAsRange<AxisAttr>());
  auto partial = PartialAttr::get(op->getContext(), ReductionKind::Sum, list);
  auto sharding = ShardingAttr::get(op->getContext(), {}, partial);
  const Mesh &mesh = env.options.mesh;
  if (failed(getSharding(sharding, mesh, 0, [&] { return env.emitError(op); })))
    return failure();
  return comm::getAxisParts(axes, mesh);
}

FailureOr<Results> interp::evaluateCoordinate(Operation *op, Environment &env) {
  FailureOr<SmallVector<AxisPart>> axes = getAxes(op, env);
  if (failed(axes))
    return failure();
  int64_t coordinate = comm::getGroupRank(*axes, env.options.mesh, env.rank);
  return Results{Tensor::index(op->getResult(0).getType(), coordinate)};
}

/// Block `i` of `count` along `dim`.
static Tensor getBlock(const Tensor &tensor, int64_t dim, int64_t count, int64_t i) {
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] /= count;
  Tensor block(shape, tensor.getElementType());
  Element *out = block.mutate().data();
  (void)forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    from[dim] += i * shape[dim];
    *out++ = tensor.at(from);
    return success();
  });
  return block;
}

/// Values of one shape, one after another along `dim`.
static Tensor concatenate(ArrayRef<Tensor> blocks, int64_t dim) {
  int64_t size = blocks[0].getDim(dim);
  SmallVector<int64_t> shape(blocks[0].getShape());
  shape[dim] *= blocks.size();
  Tensor result(shape, blocks[0].getElementType());
  Element *out = result.mutate().data();
  (void)forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    from[dim] %= size;
    *out++ = blocks[index[dim] / size].at(from);
    return success();
  });
  return result;
}

std::vector<Tensor> interp::evaluateCollective(Operation *op, ArrayRef<const Tensor *> operands) {
  using R = std::vector<Tensor>;
  size_t k = operands.size();
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](comm::AllReduceOp op) { return R(k, reduceInOrder(op.getKind(), operands)); })
      .Case([&](comm::AllGatherOp op) {
        SmallVector<Tensor> blocks(llvm::make_pointee_range(operands));
        return R(k, concatenate(blocks, op.getDim()));
      })
      .Case([&](comm::ReduceScatterOp op) {
        Tensor whole = reduceInOrder(op.getKind(), operands);
        R results;
        for (size_t i = 0; i < k; ++i)
          results.push_back(getBlock(whole, op.getDim(), k, i));
        return results;
      })
      .Case([&](comm::AllToAllOp op) {
        R results;
        for (size_t i = 0; i < k; ++i) {
          SmallVector<Tensor> blocks;
          for (const Tensor *operand : operands)
            blocks.push_back(getBlock(*operand, op.getSplit(), k, i));
          results.push_back(concatenate(blocks, op.getConcat()));
        }
        return results;
      })
      .Case([&](comm::PermuteOp op) {
        R results;
        for (int32_t source : op.getSources())
          results.push_back(source < 0
                                ? Tensor(operands[0]->getShape(), operands[0]->getElementType())
                                : *operands[source]);
        return results;
      })
      .Default([](Operation *) -> R { llvm_unreachable("no collective"); });
}
