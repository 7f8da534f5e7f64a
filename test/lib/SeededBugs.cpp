//===- SeededBugs.cpp ------------------------------------------------------===//

#include "SeededBugs.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace {

using Random = std::mt19937_64;

/// Tries `change` on the ops of type OpTy in random order, until one takes it.
template <typename OpTy>
bool onOne(ModuleOp module, Random &random, llvm::function_ref<bool(OpTy, OpBuilder &)> change) {
  SmallVector<OpTy> ops;
  // Bugs are put where one value meets.
  module.walk([&](OpTy op) {
    if (!comm::isCollective(op) || op->getNumResults() == 1)
      ops.push_back(op);
  });
  while (!ops.empty()) {
    size_t i = random() % ops.size();
    OpBuilder builder(ops[i]);
    if (change(ops[i], builder))
      return true;
    ops.erase(ops.begin() + i);
  }
  return false;
}

bool isCollective(Operation *op) { return comm::isCollective(op) && op->getNumResults() == 1; }

bool onCollective(ModuleOp module, Random &random,
                  llvm::function_ref<bool(Operation *, OpBuilder &)> change) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isCollective(op))
      ops.push_back(op);
  });
  while (!ops.empty()) {
    size_t i = random() % ops.size();
    OpBuilder builder(ops[i]);
    if (change(ops[i], builder))
      return true;
    ops.erase(ops.begin() + i);
  }
  return false;
}

RankedTensorType typeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

/// What collectives give as their reason.
StringAttr getReason(Operation *op) { return StringAttr::get(op->getContext(), "seeded"); }

Mesh meshOf(Operation *op) { return getMesh(lookupMesh(op)); }

SmallVector<AxisPart> partsOf(Operation *op) {
  return comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), meshOf(op));
}

ArrayAttr axesOf(OpBuilder &builder, ArrayRef<AxisPart> parts, const Mesh &mesh) {
  SmallVector<Attribute> axes;
  for (const AxisPart &part : parts)
    axes.push_back(getAxisAttr(builder.getContext(), part, mesh));
  return builder.getArrayAttr(axes);
}

Value coordinate(OpBuilder &builder, Location loc, ArrayAttr axes) {
  return comm::CoordinateOp::create(builder, loc, builder.getIndexType(), axes);
}

Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// `size` positions of `dim` from `offset`.
Value sliceOf(OpBuilder &builder, Location loc, Value value, unsigned dim, OpFoldResult offset,
              int64_t size) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  offsets[dim] = offset;
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), value, offsets,
                                        getAsIndexOpFoldResult(builder.getContext(), shape),
                                        strides);
}

bool replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

/// Makes the value's users, but for `made` itself, use what `make` makes of it.
bool insertAfter(Value value, llvm::function_ref<Value(OpBuilder &)> make) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallPtrSet<Operation *, 8> users(value.getUsers().begin(), value.getUsers().end());
  Value made = make(builder);
  if (!made)
    return false;
  value.replaceUsesWithIf(made, [&](OpOperand &use) { return users.contains(use.getOwner()); });
  return true;
}

Value convert(OpBuilder &builder, Location loc, Value value, Type element) {
  Type type = typeOf(value).clone(element);
  if (element.getIntOrFloatBitWidth() < typeOf(value).getElementTypeBitWidth())
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

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

/// Another value of the type that is made before `op`.
Value otherValue(Operation *op, Value value, Random &random) {
  SmallVector<Value> others;
  for (BlockArgument arg : op->getBlock()->getArguments())
    if (arg.getType() == value.getType() && arg != value)
      others.push_back(arg);
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    for (Value result : before.getResults())
      if (result.getType() == value.getType() && result != value &&
          !before.hasTrait<OpTrait::ConstantLike>() && !isa<tensor::EmptyOp>(before))
        others.push_back(result);
  }
  return others.empty() ? Value() : others[random() % others.size()];
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

//===----------------------------------------------------------------------===//
// Blocks and masks
//===----------------------------------------------------------------------===//

/// Whether the value depends on the rank.
bool dependsOnRank(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  return isa<comm::CoordinateOp>(op) || (isa<arith::ArithDialect>(op->getDialect()) &&
                                         llvm::any_of(op->getOperands(), dependsOnRank));
}

/// A slice whose offset depends on the rank, and which offset.
bool onRankSlice(
    ModuleOp module, Random &random,
    llvm::function_ref<bool(tensor::ExtractSliceOp, OpOperand &, OpBuilder &)> change) {
  return onOne<tensor::ExtractSliceOp>(module, random, [&](auto op, OpBuilder &builder) {
    for (OpOperand &offset : op.getOffsetsMutable())
      if (dependsOnRank(offset.get()))
        return change(op, offset, builder);
    return false;
  });
}

bool blockOfRankZero(ModuleOp module, Random &random) {
  return onRankSlice(module, random, [](auto op, OpOperand &offset, OpBuilder &builder) {
    offset.set(constantIndex(builder, op.getLoc(), 0));
    return true;
  });
}

bool blockOffByOne(ModuleOp module, Random &random) {
  return onRankSlice(module, random, [](auto op, OpOperand &offset, OpBuilder &builder) {
    Value less = arith::SubIOp::create(builder, op.getLoc(), offset.get(),
                                       constantIndex(builder, op.getLoc(), 1));
    offset.set(
        arith::MaxSIOp::create(builder, op.getLoc(), less, constantIndex(builder, op.getLoc(), 0)));
    return true;
  });
}

bool wrongCoordinate(ModuleOp module, Random &random) {
  return onOne<comm::CoordinateOp>(module, random, [&](auto op, OpBuilder &builder) {
    Mesh mesh = meshOf(op);
    AxisPart part = partsOf(op)[0];
    for (unsigned axis = 0; axis < mesh.numAxes(); ++axis)
      if (axis != part.axis && mesh.sizes[axis] > 1 && mesh.sizes[axis] <= part.size) {
        op->setAttr("axes", axesOf(builder, AxisPart{axis, 1, mesh.sizes[axis]}, mesh));
        return true;
      }
    return false;
  });
}

bool reversedCoordinate(ModuleOp module, Random &random) {
  return onOne<comm::CoordinateOp>(module, random, [](auto op, OpBuilder &) {
    int64_t size = comm::getGroupSize(partsOf(op));
    return insertAfter(op.getResult(), [&](OpBuilder &b) -> Value {
      return arith::SubIOp::create(b, op.getLoc(), constantIndex(b, op.getLoc(), size - 1),
                                   op.getResult());
    });
  });
}

/// The sum of linalg.index and an offset of the rank.
bool onRebasedIndex(ModuleOp module, Random &random,
                    llvm::function_ref<bool(arith::AddIOp, OpBuilder &)> change) {
  return onOne<arith::AddIOp>(module, random, [&](arith::AddIOp op, OpBuilder &builder) {
    return op.getLhs().getDefiningOp<linalg::IndexOp>() && dependsOnRank(op.getRhs()) &&
           change(op, builder);
  });
}

bool indexNotRebased(ModuleOp module, Random &random) {
  return onRebasedIndex(module, random,
                        [](arith::AddIOp op, OpBuilder &) { return replace(op, op.getLhs()); });
}

bool indexRebasedTwice(ModuleOp module, Random &random) {
  return onRebasedIndex(module, random, [](arith::AddIOp op, OpBuilder &) {
    return insertAfter(op.getResult(), [&](OpBuilder &b) -> Value {
      return arith::AddIOp::create(b, op.getLoc(), op.getResult(), op.getRhs());
    });
  });
}

bool indexOffByOne(ModuleOp module, Random &random) {
  return onRebasedIndex(module, random, [](arith::AddIOp op, OpBuilder &) {
    return insertAfter(op.getResult(), [&](OpBuilder &b) -> Value {
      return arith::AddIOp::create(b, op.getLoc(), op.getResult(),
                                   constantIndex(b, op.getLoc(), 1));
    });
  });
}

/// Generics that put a constant where padding is.
bool onMask(ModuleOp module, Random &random,
            llvm::function_ref<bool(linalg::GenericOp, arith::SelectOp, OpBuilder &)> change) {
  return onOne<linalg::GenericOp>(module, random, [&](linalg::GenericOp op, OpBuilder &builder) {
    auto select =
        op.getBody()->getTerminator()->getNumOperands() == 1
            ? op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>()
            : arith::SelectOp();
    Attribute constant;
    if (!select || !isa<BlockArgument>(select.getTrueValue()) ||
        !matchPattern(select.getFalseValue(), m_Constant(&constant)))
      return false;
    return change(op, select, builder);
  });
}

bool missingMask(ModuleOp module, Random &random) {
  return onMask(module, random, [](linalg::GenericOp op, arith::SelectOp, OpBuilder &) {
    return op.getNumDpsInputs() == 1 && op->getOperand(0).getType() == op->getResult(0).getType() &&
           replace(op, op->getOperand(0));
  });
}

bool wrongFill(ModuleOp module, Random &random) {
  return onMask(module, random, [](linalg::GenericOp, arith::SelectOp select, OpBuilder &builder) {
    Type type = select.getType();
    TypedAttr fill = isa<FloatType>(type) ? TypedAttr(builder.getFloatAttr(type, 3.0))
                                          : TypedAttr(builder.getIntegerAttr(type, 1));
    builder.setInsertionPoint(select);
    select.getFalseValueMutable().set(arith::ConstantOp::create(builder, select.getLoc(), fill));
    return true;
  });
}

bool maskOffByOne(ModuleOp module, Random &random) {
  return onOne<arith::CmpIOp>(module, random, [](arith::CmpIOp op, OpBuilder &builder) {
    if (!op.getLhs().getDefiningOp<linalg::IndexOp>() || !dependsOnRank(op.getRhs()))
      return false;
    op.getRhsMutable().set(arith::SubIOp::create(builder, op.getLoc(), op.getRhs(),
                                                 constantIndex(builder, op.getLoc(), 1)));
    return true;
  });
}

bool padOnWrongSide(ModuleOp module, Random &random) {
  return onOne<tensor::PadOp>(module, random, [](tensor::PadOp op, OpBuilder &) {
    SmallVector<int64_t> low(op.getStaticLow()), high(op.getStaticHigh());
    if (low == high || !op.getLow().empty() || !op.getHigh().empty())
      return false;
    op.setStaticLow(high);
    op.setStaticHigh(low);
    return true;
  });
}

bool missingRowOffset(ModuleOp module, Random &random) {
  return onOne<nn::EmbeddingOp>(module, random, [](nn::EmbeddingOp op, OpBuilder &) {
    if (!op.getRowOffset())
      return false;
    op.getRowOffsetMutable().clear();
    return true;
  });
}

bool missingIndexOffset(ModuleOp module, Random &random) {
  return onOne<nn::ArgmaxOp>(module, random, [](nn::ArgmaxOp op, OpBuilder &) {
    if (!op.getIndexOffset())
      return false;
    op.getIndexOffsetMutable().clear();
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

/// A reduction that begins with something else on every rank.
bool biasPerRank(ModuleOp module, Random &random) {
  return onOne<linalg::LinalgOp>(module, random, [](linalg::LinalgOp op, OpBuilder &builder) {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
      return false;
    OpOperand &init = op.getDpsInitsMutable()[0];
    auto type = cast<RankedTensorType>(init.get().getType());
    if (!isa<FloatType>(type.getElementType()))
      return false;
    Value one = arith::ConstantOp::create(builder, op.getLoc(),
                                          builder.getFloatAttr(type.getElementType(), 1.0));
    init.set(tensor::SplatOp::create(builder, op.getLoc(), one, type));
    return true;
  });
}

bool residualPerRank(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &builder) {
    if (op.getKind() != ReductionKind::Sum ||
        !isa<FloatType>(typeOf(op->getResult(0)).getElementType()))
      return false;
    Value other;
    for (Operation *user : op->getResult(0).getUsers())
      if (auto add = dyn_cast<arith::AddFOp>(user))
        other = add.getLhs() == op->getResult(0) ? add.getRhs() : add.getLhs();
    Operation *def = other ? other.getDefiningOp() : nullptr;
    if (!other || other == op->getResult(0) ||
        (def && (def->getBlock() != op->getBlock() || !def->isBeforeInBlock(op))))
      return false;
    op->setOperand(0, arith::AddFOp::create(builder, op.getLoc(), op->getOperand(0), other));
    return true;
  });
}

bool swappedOperands(ModuleOp module, Random &random) {
  return onOne<linalg::LinalgOp>(module, random, [](linalg::LinalgOp op, OpBuilder &) {
    if (op.getNumDpsInputs() < 2 || op->getOperand(0).getType() != op->getOperand(1).getType() ||
        op->getOperand(0) == op->getOperand(1))
      return false;
    Value first = op->getOperand(0);
    op->setOperand(0, op->getOperand(1));
    op->setOperand(1, first);
    return true;
  });
}

bool otherOperand(ModuleOp module, Random &random) {
  return onOne<linalg::LinalgOp>(module, random, [&](linalg::LinalgOp op, OpBuilder &) {
    if (op.getNumDpsInputs() == 0 || !typeOf(op->getOperand(0)))
      return false;
    Value other = otherValue(op, op->getOperand(0), random);
    if (other)
      op->setOperand(0, other);
    return bool(other);
  });
}

bool wrongTranspose(ModuleOp module, Random &random) {
  return onOne<linalg::TransposeOp>(module, random, [](linalg::TransposeOp op, OpBuilder &) {
    SmallVector<int64_t> permutation(op.getPermutation());
    ArrayRef<int64_t> shape = typeOf(op->getOperand(0)).getShape();
    for (size_t i = 0; i < permutation.size(); ++i)
      for (size_t j = i + 1; j < permutation.size(); ++j)
        if (shape[permutation[i]] == shape[permutation[j]] && shape[permutation[i]] > 1) {
          std::swap(permutation[i], permutation[j]);
          op.setPermutation(permutation);
          return true;
        }
    return false;
  });
}

bool wrongDimension(ModuleOp module, Random &random) {
  return onOne<linalg::GenericOp>(module, random, [](linalg::GenericOp op, OpBuilder &builder) {
    // Two dimensions of an operand of one size, the other way round.
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (unsigned o = 0; o < static_cast<unsigned>(op.getNumDpsInputs()); ++o) {
      auto type = dyn_cast<RankedTensorType>(op->getOperand(o).getType());
      if (!type || type.getRank() < 2 || !maps[o].isProjectedPermutation())
        continue;
      for (unsigned i = 0; i + 1 < maps[o].getNumResults(); ++i) {
        if (type.getDimSize(i) != type.getDimSize(i + 1) || type.getDimSize(i) < 2)
          continue;
        SmallVector<AffineExpr> results(maps[o].getResults());
        std::swap(results[i], results[i + 1]);
        maps[o] = AffineMap::get(maps[o].getNumDims(), 0, results, builder.getContext());
        op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
        return true;
      }
    }
    return false;
  });
}

bool wrongOp(ModuleOp module, Random &random) {
  return onOne<arith::MulFOp>(module, random, [](arith::MulFOp op, OpBuilder &builder) {
    return replace(op, arith::AddFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs()));
  });
}

bool droppedOp(ModuleOp module, Random &random) {
  return onOne<linalg::GenericOp>(module, random, [](linalg::GenericOp op, OpBuilder &) {
    return op.getNumDpsInputs() > 0 && op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
           op->getOperand(0).getType() == op->getResult(0).getType() &&
           replace(op, op->getOperand(0));
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

bool wrongTripCount(ModuleOp module, Random &random) {
  return onOne<scf::ForOp>(module, random, [](scf::ForOp op, OpBuilder &builder) {
    if (!op.getUpperBound().getType().isIndex())
      return false;
    op.setUpperBound(arith::AddIOp::create(builder, op.getLoc(), op.getUpperBound(), op.getStep()));
    return true;
  });
}

bool tripCountPerRank(ModuleOp module, Random &random) {
  return onOne<scf::ForOp>(module, random, [](scf::ForOp op, OpBuilder &builder) {
    Mesh mesh = meshOf(op);
    if (!op.getUpperBound().getType().isIndex() || mesh.sizes[0] == 1)
      return false;
    Value c =
        coordinate(builder, op.getLoc(), axesOf(builder, AxisPart{0, 1, mesh.sizes[0]}, mesh));
    op.setUpperBound(arith::AddIOp::create(builder, op.getLoc(), op.getUpperBound(), c));
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool otherResult(ModuleOp module, Random &random) {
  return onOne<func::ReturnOp>(module, random, [&](func::ReturnOp op, OpBuilder &) {
    if (op.getNumOperands() == 0)
      return false;
    unsigned i = random() % op.getNumOperands();
    Value other = otherValue(op, op.getOperand(i), random);
    if (other)
      op->setOperand(i, other);
    return bool(other);
  });
}

/// Axes of a sharding the other way round, where the local type stays.
ShardingAttr reversedAxes(ShardingAttr attr) {
  SmallVector<DimShardingAttr> dims(attr.getDims());
  for (DimShardingAttr &dim : dims)
    if (dim.getAxes().size() > 1) {
      SmallVector<AxisAttr> axes(dim.getAxes());
      std::reverse(axes.begin(), axes.end());
      dim = DimShardingAttr::get(attr.getContext(), axes, dim.getOpen());
      return ShardingAttr::get(attr.getContext(), dims, attr.getPartials());
    }
  return {};
}

/// The cut of one dimension in another one of its size.
ShardingAttr movedCut(ShardingAttr attr, RankedTensorType type) {
  SmallVector<DimShardingAttr> dims(attr.getDims());
  for (size_t i = 0; i < dims.size(); ++i)
    for (size_t j = i + 1; j < dims.size(); ++j)
      if (type.getDimSize(i) == type.getDimSize(j) && dims[i] != dims[j]) {
        std::swap(dims[i], dims[j]);
        return ShardingAttr::get(attr.getContext(), dims, attr.getPartials());
      }
  return {};
}

template <bool kResult, bool kMove> bool wrongSharding(ModuleOp module, Random &random) {
  return onOne<func::FuncOp>(module, random, [&](func::FuncOp op, OpBuilder &) {
    unsigned n = kResult ? op.getNumResults() : op.getNumArguments();
    for (unsigned k = 0, start = n ? random() % n : 0; k < n; ++k) {
      unsigned i = (start + k) % n;
      auto get = [&](StringRef name) {
        return kResult ? op.getResultAttr(i, name) : op.getArgAttr(i, name);
      };
      auto attr = dyn_cast_or_null<ShardingAttr>(get(kShardingAttr));
      auto global = dyn_cast_or_null<TypeAttr>(get(kGlobalTypeAttr));
      auto type = global ? dyn_cast<RankedTensorType>(global.getValue()) : RankedTensorType();
      ShardingAttr changed;
      if (attr && type)
        changed = kMove ? movedCut(attr, type) : reversedAxes(attr);
      Type local = kResult ? op.getResultTypes()[i] : op.getArgumentTypes()[i];
      Mesh mesh = meshOf(op);
      if (!changed ||
          local != type.clone(
                       tp::getSharding(changed, mesh, type.getRank()).localShape(type.getShape())))
        continue;
      if (kResult)
        op.setResultAttr(i, kShardingAttr, changed);
      else
        op.setArgAttr(i, kShardingAttr, changed);
      return true;
    }
    return false;
  });
}

} // namespace

const std::vector<BugClass> &test::getBugClasses() {
  static const std::vector<BugClass> classes = {
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
      {"block of rank 0 on every rank", blockOfRankZero},
      {"block off by one", blockOffByOne},
      {"coordinate of another axis", wrongCoordinate},
      {"coordinates counted backwards", reversedCoordinate},
      {"index not rebased", indexNotRebased},
      {"index rebased twice", indexRebasedTwice},
      {"index off by one", indexOffByOne},
      {"mask of padding missing", missingMask},
      {"padding filled with another value", wrongFill},
      {"mask off by one", maskOffByOne},
      {"padding on the wrong side", padOnWrongSide},
      {"row offset of a look-up missing", missingRowOffset},
      {"index offset of an argmax missing", missingIndexOffset},
      {"bias counted on every rank", biasPerRank},
      {"residual counted on every rank", residualPerRank},
      {"operands swapped", swappedOperands},
      {"another value as operand", otherOperand},
      {"transposed otherwise", wrongTranspose},
      {"dimensions of an operand swapped", wrongDimension},
      {"another op", wrongOp},
      {"op left out", droppedOp},
      {"loop runs once more", wrongTripCount},
      {"loop count depends on the rank", tripCountPerRank},
      {"another value returned", otherResult},
      {"result cut by axes in another order", wrongSharding<true, false>},
      {"result cut in another dimension", wrongSharding<true, true>},
      {"weight or input cut by axes in another order", wrongSharding<false, false>},
      {"weight or input cut in another dimension", wrongSharding<false, true>},
  };
  return classes;
}
