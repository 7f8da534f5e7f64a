//===- CommToRT.cpp - Collectives of the runtime ---------------------------===//
//
// comm names mesh axes, rt names groups by symbol and writes into destinations.
// Both are still on tensors here, so that bufferization decides what is in
// place; from here on every collective has an effect on the order resource.
//
//===----------------------------------------------------------------------===//

#include "dialects/Comm/Comm.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Conversion/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTCOMMTORTPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The groups of the module, one symbol per list of axis parts.
class Groups {
public:
  Groups(ModuleOp module, Mesh mesh) : table(module), mesh(std::move(mesh)) {
    for (auto group : module.getOps<rt::GroupOp>())
      known[group.getPartsAttr()] = group;
  }

  const Mesh &getMesh() const { return mesh; }

  FlatSymbolRefAttr get(ArrayAttr axes) {
    Builder builder(axes.getContext());
    SmallVector<int64_t> numbers;
    std::string name;
    for (const AxisPart &part : comm::getAxisParts(axes, mesh)) {
      numbers.append({int64_t(part.axis), part.pre, part.size});
      name += (name.empty() ? "" : "_") + mesh.names[part.axis];
      if (part.size != mesh.sizes[part.axis])
        name += "_" + std::to_string(part.pre) + "_" + std::to_string(part.size);
    }
    rt::GroupOp &group = known[builder.getDenseI64ArrayAttr(numbers)];
    if (!group) {
      auto module = cast<ModuleOp>(table.getOp());
      OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
      if (MeshOp meshOp = lookupMesh(module))
        at.setInsertionPointAfter(last ? last : meshOp);
      group = rt::GroupOp::create(at, module.getLoc(), name, numbers);
      table.insert(group);
      last = group;
    }
    return FlatSymbolRefAttr::get(group.getSymNameAttr());
  }

  int64_t size(ArrayAttr axes) const { return comm::getGroupSize(comm::getAxisParts(axes, mesh)); }

private:
  SymbolTable table;
  Mesh mesh;
  llvm::MapVector<Attribute, rt::GroupOp> known;
  Operation *last = nullptr;
};

/// A fresh destination of the type of `value`.
Value createDestination(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}

/// `value` with its dimension `from` moved to position `to`.
Value moveDimension(OpBuilder &builder, Location loc, Value value, int64_t from, int64_t to) {
  if (from == to)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, order)->getResult(0);
}

/// Dimensions of a value of this rank with `at` and `at + 1` in one group.
SmallVector<ReassociationIndices> pairAt(int64_t rank, int64_t at) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == at)
      groups.push_back({dim, dim + 1}), ++dim;
    else
      groups.push_back({dim});
  }
  return groups;
}

class Converter {
public:
  Converter(Groups &groups) : groups(groups) {}

  /// The replacement of `op`, built before it, or null where it is no comm op.
  Value convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](comm::CoordinateOp o) { return convertCoordinate(builder, o); })
        .Case([&](comm::AllReduceOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInput();
          return rt::AllReduceOp::create(builder, loc, o.getType(), reduction(o, o.getKind()),
                                         o.getInput(), groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::AllGatherOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInput();
          return rt::AllGatherOp::create(builder, loc, o.getType(), o.getInput(),
                                         createDestination(builder, loc, o), o.getDimAttr(),
                                         groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::ReduceScatterOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInput();
          return rt::ReduceScatterOp::create(builder, loc, o.getType(), reduction(o, o.getKind()),
                                             o.getInput(), createDestination(builder, loc, o),
                                             o.getDimAttr(), groups.get(o.getAxes()),
                                             o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::AllToAllOp o) { return convertAllToAll(builder, o); })
        .Case([&](comm::PermuteOp o) -> Value {
          if (o.getSources() == ArrayRef<int32_t>{0})
            return o.getInput();
          return rt::PermuteOp::create(builder, loc, o.getType(), o.getInput(),
                                       createDestination(builder, loc, o), o.getSourcesAttr(),
                                       groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Default(Value());
  }

private:
  /// The enumerations of both dialects have the runtime's numbers.
  static rt::ReductionAttr reduction(Operation *op, ReductionKind kind) {
    return rt::ReductionAttr::get(op->getContext(), static_cast<rt::Reduction>(kind));
  }

  Value convertCoordinate(OpBuilder &builder, comm::CoordinateOp op) {
    const Mesh &mesh = groups.getMesh();
    AxisPart part = comm::getAxisParts(op.getAxes(), mesh).front();
    Location loc = op.getLoc();
    if (part.size == 1)
      return arith::ConstantIndexOp::create(builder, loc, 0);
    int64_t size = mesh.sizes[part.axis];
    Value coordinate = rt::CoordinateOp::create(builder, loc, part.axis, size);
    if (int64_t below = size / (part.pre * part.size); below != 1)
      coordinate = arith::DivUIOp::create(builder, loc, coordinate,
                                          arith::ConstantIndexOp::create(builder, loc, below));
    if (part.pre != 1)
      coordinate = arith::RemUIOp::create(builder, loc, coordinate,
                                          arith::ConstantIndexOp::create(builder, loc, part.size));
    return coordinate;
  }

  /// Blocks become a leading dimension, which the runtime exchanges, and that is
  /// moved to where the received blocks are concatenated.
  Value convertAllToAll(OpBuilder &builder, comm::AllToAllOp op) {
    int64_t k = groups.size(op.getAxes());
    if (k == 1)
      return op.getInput();
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getInput().getType());
    int64_t rank = type.getRank(), split = op.getSplit(), concat = op.getConcat();
    SmallVector<int64_t> cut(type.getShape());
    cut[split] /= k;
    cut.insert(cut.begin() + split, k);
    Value blocks = tensor::ExpandShapeOp::create(builder, loc, type.clone(cut), op.getInput(),
                                                 pairAt(rank + 1, split));
    blocks = moveDimension(builder, loc, blocks, split, 0);
    Value received = rt::AllToAllOp::create(builder, loc, blocks.getType(), blocks,
                                            createDestination(builder, loc, blocks),
                                            groups.get(op.getAxes()), op.getReasonAttr())
                         ->getResult(0);
    received = moveDimension(builder, loc, received, 0, concat);
    return tensor::CollapseShapeOp::create(builder, loc, op.getType(), received,
                                           pairAt(rank + 1, concat));
  }

  Groups &groups;
};

struct ConvertCommToRTPass : tp::impl::ConvertCommToRTPassBase<ConvertCommToRTPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<comm::CommDialect>(op->getDialect()))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    MeshOp mesh = lookupMesh(getOperation());
    if (!mesh) {
      ops.front()->emitError("collectives need a tp.mesh in the module");
      return signalPassFailure();
    }
    Groups groups(getOperation(), getMesh(mesh));
    Converter converter(groups);
    for (Operation *op : ops) {
      Value replacement = converter.convert(op);
      if (!replacement) {
        op->emitError("has no counterpart in the runtime");
        return signalPassFailure();
      }
      converted += comm::isCollective(op);
      op->getResult(0).replaceAllUsesWith(replacement);
      op->erase();
    }
  }
};

static_assert(int(ReductionKind::Sum) == int(rt::Reduction::Sum) &&
                  int(ReductionKind::Mul) == int(rt::Reduction::Mul) &&
                  int(ReductionKind::Max) == int(rt::Reduction::Max) &&
                  int(ReductionKind::Min) == int(rt::Reduction::Min) &&
                  int(ReductionKind::MaxU) == int(rt::Reduction::MaxU) &&
                  int(ReductionKind::MinU) == int(rt::Reduction::MinU) &&
                  int(ReductionKind::And) == int(rt::Reduction::And) &&
                  int(ReductionKind::Or) == int(rt::Reduction::Or) &&
                  int(ReductionKind::Xor) == int(rt::Reduction::Xor) &&
                  int(ReductionKind::MaxNum) == int(rt::Reduction::MaxNum) &&
                  int(ReductionKind::MinNum) == int(rt::Reduction::MinNum),
              "reduction kinds of tp and rt have the same numbers");

} // namespace
