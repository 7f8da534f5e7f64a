//===- CommToRT.cpp - Collectives of the runtime ---------------------------===//
//
// comm names mesh axes, rt names groups by symbol and writes into destinations.
// Both are still on tensors here, so that bufferization decides what is in
// place; from here on every collective has an effect on the order resource.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "dialects/Comm/Comm.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tp/Conversion/Passes.h"
#include "tp/Interfaces/Transpose.h"
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

/// A contiguous value as this shape.
Value reshape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  auto oneGroup = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  auto flat = RankedTensorType::get(type.getNumElements(), type.getElementType());
  if (type.getRank() == 0)
    value = tensor::ExpandShapeOp::create(builder, loc, flat, value, oneGroup(0));
  else if (type.getRank() > 1)
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value, oneGroup(type.getRank()));
  if (shape.empty())
    return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), value, oneGroup(0));
  if (shape.size() == 1)
    return value;
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       oneGroup(shape.size()));
}

class Converter {
public:
  Converter(Groups &groups) : groups(groups) {}

  /// The replacements of the results of a collective of several values: their
  /// blocks for each rank side by side in one buffer, in one collective.
  SmallVector<Value> convertPacked(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto axes = op->getAttrOfType<ArrayAttr>("axes");
    int64_t k = groups.size(axes);
    if (k == 1 && !isa<comm::PermuteOp>(op))
      return llvm::to_vector(op->getOperands());
    // Which dimension holds a block per rank before and after.
    std::optional<int64_t> dimBefore, dimAfter;
    if (auto gather = dyn_cast<comm::AllGatherOp>(op))
      dimAfter = gather.getDim();
    if (auto scatter = dyn_cast<comm::ReduceScatterOp>(op))
      dimBefore = scatter.getDim();
    if (auto exchange = dyn_cast<comm::AllToAllOp>(op))
      dimBefore = exchange.getSplit(), dimAfter = exchange.getConcat();

    SmallVector<Value> rows;
    int64_t width = 0;
    Type element = comm::getTransferType(op);
    for (Value input : op->getOperands()) {
      rows.push_back(
          encodeElements(builder, loc, toRows(builder, loc, input, dimBefore, k), element));
      width += cast<RankedTensorType>(rows.back().getType()).getDimSize(1);
    }
    int64_t before = dimBefore ? k : 1, after = dimAfter ? k : 1, at = 0;
    Value packed = tensor::EmptyOp::create(builder, loc, {before, width}, element);
    auto slice = [&](int64_t height, int64_t columns) {
      Builder &b = builder;
      return std::array<SmallVector<OpFoldResult>, 3>{
          SmallVector<OpFoldResult>{b.getIndexAttr(0), b.getIndexAttr(at)},
          SmallVector<OpFoldResult>{b.getIndexAttr(height), b.getIndexAttr(columns)},
          SmallVector<OpFoldResult>{b.getIndexAttr(1), b.getIndexAttr(1)}};
    };
    for (Value row : rows) {
      int64_t columns = cast<RankedTensorType>(row.getType()).getDimSize(1);
      auto [offsets, sizes, strides] = slice(before, columns);
      packed = tensor::InsertSliceOp::create(builder, loc, row, packed, offsets, sizes, strides);
      at += columns;
    }
    OperationState one(loc, op->getName(), packed, RankedTensorType::get({after, width}, element),
                       op->getAttrs());
    Operation *collective = builder.create(one);
    if (isa<comm::AllGatherOp, comm::ReduceScatterOp>(collective))
      collective->setAttr("dim", builder.getI64IntegerAttr(0));
    if (isa<comm::AllToAllOp>(collective)) {
      collective->setAttr("split", builder.getI64IntegerAttr(0));
      collective->setAttr("concat", builder.getI64IntegerAttr(0));
    }
    packed = convert(collective);
    collective->erase();

    SmallVector<Value> results;
    at = 0;
    for (Value result : op->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      Type own = type.getElementType();
      int64_t columns =
          type.getNumElements() / after * getElementBytes(own) / getElementBytes(element);
      auto [offsets, sizes, strides] = slice(after, columns);
      Value part = tensor::ExtractSliceOp::create(builder, loc, packed, offsets, sizes, strides);
      part = decodeElements(builder, loc, part, own);
      results.push_back(fromRows(builder, loc, part, type, dimAfter, k));
      at += columns;
    }
    return results;
  }

  /// The replacement of `op`, which has one result, built before it, or null where
  /// it is no comm op.
  Value convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](comm::CoordinateOp o) { return convertCoordinate(builder, o); })
        .Case([&](comm::CheckIndexOp o) -> Value {
          rt::CheckIndexOp::create(builder, loc, o.getValue(), o.getLower(), o.getUpper(),
                                   o.getReasonAttr());
          return o.getValue();
        })
        .Case([&](comm::AllReduceOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInputs()[0];
          return rt::AllReduceOp::create(builder, loc, o.getResultTypes(),
                                         reduction(o, o.getKind()), o.getInputs()[0],
                                         groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::AllGatherOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInputs()[0];
          return rt::AllGatherOp::create(builder, loc, o.getResultTypes(), o.getInputs()[0],
                                         createDestination(builder, loc, o->getResult(0)),
                                         o.getDimAttr(), groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::ReduceScatterOp o) -> Value {
          if (groups.size(o.getAxes()) == 1)
            return o.getInputs()[0];
          return rt::ReduceScatterOp::create(
                     builder, loc, o.getResultTypes(), reduction(o, o.getKind()), o.getInputs()[0],
                     createDestination(builder, loc, o->getResult(0)), o.getDimAttr(),
                     groups.get(o.getAxes()), o.getReasonAttr())
              ->getResult(0);
        })
        .Case([&](comm::AllToAllOp o) { return convertAllToAll(builder, o); })
        .Case([&](comm::PermuteOp o) -> Value {
          if (o.getSources() == ArrayRef<int32_t>{0})
            return o.getInputs()[0];
          return rt::PermuteOp::create(builder, loc, o.getResultTypes(), o.getInputs()[0],
                                       createDestination(builder, loc, o->getResult(0)),
                                       o.getSourcesAttr(), groups.get(o.getAxes()),
                                       o.getReasonAttr())
              ->getResult(0);
        })
        .Default(Value());
  }

private:
  /// A row per block of dimension `dim`, one row where there is none.
  static Value toRows(OpBuilder &builder, Location loc, Value value, std::optional<int64_t> dim,
                      int64_t k) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!dim)
      return reshape(builder, loc, value, {1, type.getNumElements()});
    SmallVector<int64_t> cut(type.getShape());
    cut[*dim] /= k;
    cut.insert(cut.begin() + *dim, k);
    value = moveDimension(builder, loc, reshape(builder, loc, value, cut), *dim, 0);
    return reshape(builder, loc, value, {k, type.getNumElements() / k});
  }
  /// The inverse.
  static Value fromRows(OpBuilder &builder, Location loc, Value rows, RankedTensorType type,
                        std::optional<int64_t> dim, int64_t k) {
    if (!dim)
      return reshape(builder, loc, rows, type.getShape());
    SmallVector<int64_t> blocks(type.getShape());
    blocks[*dim] /= k;
    blocks.insert(blocks.begin(), k);
    rows = moveDimension(builder, loc, reshape(builder, loc, rows, blocks), 0, *dim);
    return reshape(builder, loc, rows, type.getShape());
  }

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
      return op.getInputs()[0];
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    int64_t rank = type.getRank(), split = op.getSplit(), concat = op.getConcat();
    SmallVector<int64_t> cut(type.getShape());
    cut[split] /= k;
    cut.insert(cut.begin() + split, k);
    Value blocks = tensor::ExpandShapeOp::create(builder, loc, type.clone(cut), op.getInputs()[0],
                                                 pairAt(rank + 1, split));
    blocks = moveDimension(builder, loc, blocks, split, 0);
    Value received = rt::AllToAllOp::create(builder, loc, blocks.getType(), blocks,
                                            createDestination(builder, loc, blocks),
                                            groups.get(op.getAxes()), op.getReasonAttr())
                         ->getResult(0);
    received = moveDimension(builder, loc, received, 0, concat);
    return tensor::CollapseShapeOp::create(builder, loc, op->getResult(0).getType(), received,
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
    // Ops with axes verify that there is a mesh.
    MeshOp mesh = lookupMesh(getOperation());
    Groups groups(getOperation(), mesh ? getMesh(mesh) : Mesh());
    Converter converter(groups);
    for (Operation *op : ops) {
      SmallVector<Value> replacements;
      if (op->getNumResults() > 1)
        replacements = converter.convertPacked(op);
      else
        replacements.push_back(converter.convert(op));
      if (!replacements[0]) {
        op->emitOpError("has no counterpart in the runtime");
        return signalPassFailure();
      }
      converted += comm::isCollective(op);
      op->replaceAllUsesWith(replacements);
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
