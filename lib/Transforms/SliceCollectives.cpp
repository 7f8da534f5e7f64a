//===- SliceCollectives.cpp - Collectives of which a rank keeps its own ----===//
//
// Which block a slice keeps is found by computing its offset for every device of
// the mesh: it is the rank's own block of a group where it is so on each.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tp {
#define GEN_PASS_DEF_SLICECOLLECTIVESPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Index values that follow from constants and coordinates, per device.
class DeviceValues {
public:
  explicit DeviceValues(const Mesh &mesh) : mesh(mesh) {}

  /// One number per device, or null where the value depends on data.
  const std::vector<int64_t> *get(Value value) {
    auto it = known.find(value);
    if (it == known.end())
      it = known.try_emplace(value, compute(value)).first;
    return it->second ? &*it->second : nullptr;
  }

private:
  using Numbers = std::optional<std::vector<int64_t>>;

  Numbers compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumResults() != 1)
      return std::nullopt;
    std::vector<int64_t> numbers(mesh.numDevices());
    if (auto coordinate = dyn_cast<comm::CoordinateOp>(op)) {
      AxisPart part = comm::getAxisParts(coordinate.getAxes(), mesh).front();
      for (auto [device, number] : llvm::enumerate(numbers))
        number = part.coordinate(mesh, device);
      return numbers;
    }
    if (!isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::RemUIOp, arith::CmpIOp, arith::SelectOp>(op))
      return std::nullopt;
    // Computed by folding, operand by operand.
    SmallVector<const std::vector<int64_t> *> operands;
    for (Value operand : op->getOperands()) {
      // Numbers are looked up again below: the map may grow.
      if (!operand.getType().isIntOrIndex() || !get(operand))
        return std::nullopt;
    }
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    Builder builder(op->getContext());
    for (auto [device, number] : llvm::enumerate(numbers)) {
      SmallVector<Attribute> attrs;
      for (auto [operand, list] : llvm::zip_equal(op->getOperands(), operands))
        attrs.push_back(builder.getIntegerAttr(operand.getType(), (*list)[device]));
      SmallVector<OpFoldResult> folded;
      if (failed(op->fold(attrs, folded)) || folded.size() != 1)
        return std::nullopt;
      // x + 0 folds to the operand x.
      if (auto same = dyn_cast<Value>(folded[0])) {
        number = (*operands[llvm::find(op->getOperands(), same) - op->operand_begin()])[device];
        continue;
      }
      auto attr = dyn_cast_or_null<IntegerAttr>(cast<Attribute>(folded[0]));
      if (!attr)
        return std::nullopt;
      number = attr.getValue().getSExtValue();
    }
    return numbers;
  }

  const Mesh &mesh;
  llvm::DenseMap<Value, Numbers> known;
};

class Slicer {
public:
  explicit Slicer(const Mesh &mesh) : mesh(mesh), values(mesh) {}

  bool rewrite(tensor::ExtractSliceOp slice);

private:
  /// The only dimension that the slice cuts, or -1.
  static int64_t getCutDim(tensor::ExtractSliceOp slice);
  /// Whether the slice begins on every device at (rank in the group) * size.
  bool isOwnBlock(tensor::ExtractSliceOp slice, int64_t dim, ArrayRef<AxisPart> parts);
  bool rewriteGather(tensor::ExtractSliceOp slice, comm::AllGatherOp gather, int64_t dim);
  bool rewriteReduce(tensor::ExtractSliceOp slice, comm::AllReduceOp reduce, int64_t dim);

  const Mesh &mesh;
  DeviceValues values;
};

int64_t Slicer::getCutDim(tensor::ExtractSliceOp slice) {
  if (slice.getType().getRank() != slice.getSourceType().getRank() || !slice.hasUnitStride())
    return -1;
  int64_t cut = -1;
  for (auto [dim, size, whole] :
       llvm::enumerate(slice.getStaticSizes(), slice.getSourceType().getShape())) {
    if (size == whole)
      continue;
    if (cut >= 0)
      return -1;
    cut = dim;
  }
  return cut;
}

bool Slicer::isOwnBlock(tensor::ExtractSliceOp slice, int64_t dim, ArrayRef<AxisPart> parts) {
  OpFoldResult offset = slice.getMixedOffsets()[dim];
  // A constant offset is some rank's block, not each one's own.
  auto value = dyn_cast<Value>(offset);
  const std::vector<int64_t> *offsets = value ? values.get(value) : nullptr;
  if (!offsets)
    return false;
  int64_t size = slice.getStaticSizes()[dim];
  for (auto [device, number] : llvm::enumerate(*offsets))
    if (number != comm::getGroupRank(parts, mesh, device) * size)
      return false;
  return true;
}

bool Slicer::rewriteGather(tensor::ExtractSliceOp slice, comm::AllGatherOp gather, int64_t dim) {
  if (static_cast<int64_t>(gather.getDim()) != dim)
    return false;
  Value input = gather.getInputs()[0];
  int64_t block = cast<RankedTensorType>(input.getType()).getDimSize(dim);
  SmallVector<AxisPart> parts = comm::getAxisParts(gather.getAxes(), mesh);
  // The own block of the first axes is what the others gather.
  for (unsigned count = parts.size(); count > 0; --count) {
    ArrayRef<AxisPart> own = ArrayRef(parts).take_front(count);
    ArrayRef<AxisPart> rest = ArrayRef(parts).drop_front(count);
    if (block * comm::getGroupSize(rest) != slice.getStaticSizes()[dim] ||
        !isOwnBlock(slice, dim, own))
      continue;
    if (rest.empty()) {
      slice.replaceAllUsesWith(input);
      return true;
    }
    if (!gather->hasOneUse() || gather->getBlock() != slice->getBlock())
      return false;
    OpBuilder builder(gather);
    ArrayAttr axes = builder.getArrayAttr(gather.getAxes().getValue().drop_front(count));
    auto smaller = comm::AllGatherOp::create(builder, gather.getLoc(), slice.getType(), input,
                                             gather.getDim(), axes, gather.getReasonAttr());
    slice.replaceAllUsesWith(smaller->getResult(0));
    return true;
  }
  return false;
}

bool Slicer::rewriteReduce(tensor::ExtractSliceOp slice, comm::AllReduceOp reduce, int64_t dim) {
  if (!reduce->hasOneUse() || reduce->getBlock() != slice->getBlock())
    return false;
  int64_t whole = slice.getSourceType().getDimSize(dim), size = slice.getStaticSizes()[dim];
  if (size == 0 || whole % size != 0)
    return false;
  // The axes, in which order, that the slice follows.
  SmallVector<unsigned> sequence;
  SmallVector<AxisPart> parts = comm::getAxisParts(reduce.getAxes(), mesh);
  auto find = [&](auto &self) -> bool {
    SmallVector<AxisPart> own;
    for (unsigned i : sequence)
      own.push_back(parts[i]);
    int64_t k = comm::getGroupSize(own);
    if (k == whole / size && isOwnBlock(slice, dim, own))
      return true;
    if (k >= whole / size)
      return false;
    for (unsigned i = 0; i < parts.size(); ++i) {
      if (llvm::is_contained(sequence, i))
        continue;
      sequence.push_back(i);
      if (self(self))
        return true;
      sequence.pop_back();
    }
    return false;
  };
  if (!find(find))
    return false;
  SmallVector<Attribute> own, rest;
  for (unsigned i : sequence)
    own.push_back(reduce.getAxes()[i]);
  for (auto [i, axis] : llvm::enumerate(reduce.getAxes()))
    if (!llvm::is_contained(sequence, i))
      rest.push_back(axis);
  OpBuilder builder(reduce);
  Value value = comm::ReduceScatterOp::create(builder, reduce.getLoc(), slice.getType(),
                                              reduce.getKind(), reduce.getInputs()[0], dim,
                                              builder.getArrayAttr(own), reduce.getReasonAttr())
                    ->getResult(0);
  if (!rest.empty())
    value = comm::AllReduceOp::create(builder, reduce.getLoc(), value.getType(), reduce.getKind(),
                                      value, builder.getArrayAttr(rest), reduce.getReasonAttr())
                ->getResult(0);
  slice.replaceAllUsesWith(value);
  return true;
}

bool Slicer::rewrite(tensor::ExtractSliceOp slice) {
  Operation *source = slice.getSource().getDefiningOp();
  if (!source || !comm::isCollective(source) || source->getNumResults() != 1)
    return false;
  int64_t dim = getCutDim(slice);
  if (dim < 0)
    return false;
  if (auto gather = dyn_cast<comm::AllGatherOp>(source))
    return rewriteGather(slice, gather, dim);
  if (auto reduce = dyn_cast<comm::AllReduceOp>(source))
    return rewriteReduce(slice, reduce, dim);
  return false;
}

struct SliceCollectivesPass : tp::impl::SliceCollectivesPassBase<SliceCollectivesPass> {
  void runOnOperation() override {
    MeshOp meshOp = lookupMesh(getOperation());
    if (!meshOp)
      return;
    Mesh mesh = getMesh(meshOp);
    Slicer slicer(mesh);
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
    for (tensor::ExtractSliceOp slice : slices) {
      Operation *source = slice.getSource().getDefiningOp();
      if (!slicer.rewrite(slice))
        continue;
      ++sliced;
      slice.erase();
      if (source->use_empty())
        source->erase();
    }
  }
};

} // namespace
