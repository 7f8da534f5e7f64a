//===- Ops.cpp - Verification of collectives -------------------------------===//

#include "dialects/Comm/Comm.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::comm;

/// Checks that the axes are distinct parts of the module's mesh and sets k.
static LogicalResult verifyAxes(Operation *op, ArrayAttr axes, int64_t &k) {
  MeshOp meshOp = lookupMesh(op);
  if (!meshOp)
    return op->emitOpError("needs a tp.mesh in the module");
  // A value with these partial axes is a valid sharding exactly when the axes are.
  SmallVector<AxisAttr> list(axes.getAsRange<AxisAttr>());
  auto emitError = [&] { return op->emitOpError(); };
  if (list.empty())
    return emitError() << "needs at least one axis";
  auto partial = PartialAttr::get(op->getContext(), ReductionKind::Sum, list);
  auto sharding = ShardingAttr::getChecked(emitError, op->getContext(), ArrayRef<DimShardingAttr>(),
                                           ArrayRef(partial));
  if (!sharding)
    return failure();
  for (AxisAttr axis : list)
    if (axis.getGranule() != 1)
      return op->emitOpError("axis \"")
             << axis.getName().getValue() << "\" has a granule, which means nothing in a group";
  FailureOr<Sharding> resolved = getSharding(sharding, getMesh(meshOp), 0, emitError);
  if (failed(resolved))
    return failure();
  k = 1;
  for (const PartialAxis &axis : resolved->partial)
    k *= axis.part.size;
  return success();
}

static LogicalResult verifyKind(Operation *op, ReductionKind kind, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isInteger = element.isIntOrIndex();
  bool isNumber = isInteger || isa<FloatType>(element);
  bool integerOnly = llvm::is_contained({ReductionKind::And, ReductionKind::Or, ReductionKind::Xor,
                                         ReductionKind::MaxU, ReductionKind::MinU},
                                        kind);
  bool floatOnly = llvm::is_contained({ReductionKind::MaxNum, ReductionKind::MinNum}, kind);
  if (!isNumber || (integerOnly && !isInteger) || (floatOnly && isInteger))
    return op->emitOpError() << "kind " << stringifyReductionKind(kind) << " does not apply to "
                             << element;
  return success();
}

/// Checks that `big` is k times `small` along `dim` and equal elsewhere.
static LogicalResult verifyScaled(Operation *op, Type small, Type big, int64_t dim, int64_t k) {
  auto smallType = cast<RankedTensorType>(small), bigType = cast<RankedTensorType>(big);
  if (dim < 0 || dim >= smallType.getRank())
    return op->emitOpError("has no dimension ")
           << dim << " in a value of rank " << smallType.getRank();
  SmallVector<int64_t> shape(smallType.getShape());
  shape[dim] *= k;
  if (bigType.getShape() != ArrayRef(shape) ||
      bigType.getElementType() != smallType.getElementType())
    return op->emitOpError("over ")
           << k << " ranks along dimension " << dim << " goes between " << smallType << " and "
           << smallType.clone(shape) << ", found " << bigType;
  return success();
}

LogicalResult CoordinateOp::verify() {
  int64_t k;
  if (getAxes().size() != 1)
    return emitOpError("takes one axis part, found ") << getAxes().size();
  return verifyAxes(*this, getAxes(), k);
}

bool tp::comm::isTransfer(Operation *op) { return isa<AllGatherOp, AllToAllOp, PermuteOp>(op); }

int64_t tp::getElementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

Type tp::comm::getTransferType(Operation *op) {
  Type first = getElementTypeOrSelf(op->getOperand(0));
  int64_t narrowest = getElementBytes(first);
  bool isOne = true;
  for (Type type : op->getOperandTypes()) {
    isOne &= getElementTypeOrSelf(type) == first;
    narrowest = std::min(narrowest, getElementBytes(getElementTypeOrSelf(type)));
  }
  return isOne ? first : IntegerType::get(op->getContext(), 8 * narrowest);
}

/// What all collectives have in common: a group, whose size becomes k, and as many results as
/// inputs, at least one, of one element type where they are combined.
static LogicalResult verifyCollective(Operation *op, int64_t &k) {
  if (failed(verifyAxes(op, op->getAttrOfType<ArrayAttr>("axes"), k)))
    return failure();
  if (op->getNumOperands() == 0 || op->getNumOperands() != op->getNumResults())
    return op->emitOpError("needs a result for each of its inputs and at least one, found ")
           << op->getNumOperands() << " inputs and " << op->getNumResults() << " results";
  Type element = getElementTypeOrSelf(op->getOperand(0));
  for (Value input : op->getOperands())
    if (!isTransfer(op) && getElementTypeOrSelf(input) != element)
      return op->emitOpError("combines values of one element type, found ")
             << element << " and " << getElementTypeOrSelf(input);
  return success();
}

LogicalResult AllReduceOp::verify() {
  int64_t k;
  if (failed(verifyCollective(*this, k)))
    return failure();
  return verifyKind(*this, getKind(), getInputs()[0].getType());
}

LogicalResult AllGatherOp::verify() {
  int64_t k;
  if (failed(verifyCollective(*this, k)))
    return failure();
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults()))
    if (failed(verifyScaled(*this, input.getType(), result.getType(), getDim(), k)))
      return failure();
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  int64_t k;
  if (failed(verifyCollective(*this, k)) ||
      failed(verifyKind(*this, getKind(), getInputs()[0].getType())))
    return failure();
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults()))
    if (failed(verifyScaled(*this, result.getType(), input.getType(), getDim(), k)))
      return failure();
  return success();
}

LogicalResult AllToAllOp::verify() {
  int64_t k;
  if (failed(verifyCollective(*this, k)))
    return failure();
  int64_t split = getSplit(), concat = getConcat();
  for (auto [value, result] : llvm::zip_equal(getInputs(), getResults())) {
    auto input = cast<RankedTensorType>(value.getType());
    int64_t rank = input.getRank();
    if (split < 0 || split >= rank || concat < 0 || concat >= rank)
      return emitOpError("has no dimensions ")
             << split << " and " << concat << " in a value of rank " << rank;
    SmallVector<int64_t> shape(input.getShape());
    if (shape[split] % k != 0)
      return emitOpError("cannot cut dimension ")
             << split << " of size " << shape[split] << " into " << k << " blocks";
    shape[split] /= k;
    shape[concat] *= k;
    if (result.getType() != input.clone(shape))
      return emitOpError("gives ") << input.clone(shape) << ", found " << result.getType();
  }
  return success();
}

LogicalResult PermuteOp::verify() {
  int64_t k;
  if (failed(verifyCollective(*this, k)))
    return failure();
  if (static_cast<int64_t>(getSources().size()) != k)
    return emitOpError("needs ") << k << " sources, found " << getSources().size();
  for (int32_t source : getSources())
    if (source < -1 || source >= k)
      return emitOpError("source ") << source << " is no rank of a group of " << k;
  return success();
}

LogicalResult CheckIndexOp::verify() {
  if (static_cast<int64_t>(getLower()) <= static_cast<int64_t>(getUpper()))
    return success();
  return emitOpError("lower must not be above upper, found [")
         << static_cast<int64_t>(getLower()) << ", " << static_cast<int64_t>(getUpper()) << ")";
}

#define GET_OP_CLASSES
#include "dialects/Comm/CommOps.cpp.inc"
