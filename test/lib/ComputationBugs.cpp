//===- ComputationBugs.cpp - Faults of what each rank computes ------------===//

#include "BugSites.h"

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

/// What `user` adds to `value`, if it adds something of the same shape to it.
Value addendOf(Operation *user, Value value) {
  auto generic = dyn_cast<linalg::LinalgOp>(user);
  bool adds = isa<arith::AddFOp, linalg::AddOp>(user);
  if (auto body = dyn_cast<linalg::GenericOp>(user)) {
    Operation *last = body.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    adds =
        body.getNumDpsInputs() == 2 && body.getNumDpsInits() == 1 &&
        isa_and_nonnull<arith::AddFOp>(last) && &body.getBody()->front() == last &&
        llvm::all_of(body.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
  }
  if (!adds || (generic && generic.getNumReductionLoops() > 0))
    return {};
  Value a = user->getOperand(0), b = user->getOperand(1);
  return a == value ? b : b == value ? a : Value();
}

bool residualPerRank(ModuleOp module, Random &random) {
  return onOne<comm::AllReduceOp>(module, random, [](auto op, OpBuilder &builder) {
    if (op.getKind() != ReductionKind::Sum ||
        !isa<FloatType>(typeOf(op->getResult(0)).getElementType()))
      return false;
    Value other;
    for (Operation *user : op->getResult(0).getUsers())
      if (Value addend = addendOf(user, op->getResult(0)))
        other = addend;
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

ArrayRef<BugClass> test::getComputationBugs() {
  static constexpr BugClass classes[] = {
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
