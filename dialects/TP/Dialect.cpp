//===- Dialect.cpp - Registration and verification of tp attributes --------===//

#include "dialects/TP/TP.h"

#include "VerifySource.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tp;

#include "dialects/TP/TPDialect.cpp.inc"
#include "dialects/TP/TPInterfaces.cpp.inc"

namespace {
/// Private functions with constraints are inlined where they are called.
struct TPInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TPDialect::initialize() {
  addInterfaces<TPInlinerInterface>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/TP/TPOps.cpp.inc"
      >();
}

/// Checks one sharding against a value's type and the mesh.
static LogicalResult verifySharding(Operation *op, Attribute attr, Type type, Twine what) {
  auto sharding = dyn_cast<ShardingAttr>(attr);
  if (!sharding)
    return op->emitError() << what << ": expected a #tp.sharding, found " << attr;
  // After bufferization arguments are memrefs and keep their sharding.
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank()) {
    if (sharding.getDims().empty() && sharding.getPartials().empty())
      return success();
    return op->emitError() << what << ": a sharding needs a ranked tensor, found " << type;
  }
  MeshOp mesh = lookupMesh(op);
  if (!mesh)
    return op->emitError() << what << ": a sharding needs a tp.mesh in the module";
  return success(succeeded(getSharding(sharding, getMesh(mesh), shaped.getRank(),
                                       [&] { return op->emitError() << what << ": "; })));
}

/// Checks an array of shardings, one per type.
static LogicalResult verifyShardings(Operation *op, NamedAttribute attr, TypeRange types) {
  auto array = dyn_cast<ArrayAttr>(attr.getValue());
  if (!array || array.size() != types.size())
    return op->emitError() << attr.getName().getValue() << ": expected an array of " << types.size()
                           << " shardings, found " << attr.getValue();
  for (auto [i, element] : llvm::enumerate(array))
    if (failed(verifySharding(op, element, types[i], attr.getName().getValue() + " " + Twine(i))))
      return failure();
  return success();
}

/// Checks an element of tp.priority, tp.cut_priority, tp.group, tp.plan_line or tp.why.
static LogicalResult verifyElement(Operation *op, StringRef name, Attribute value, Type type,
                                   Twine what) {
  auto text = dyn_cast<StringAttr>(value);
  if (llvm::is_contained({kWhyAttr, kGroupAttr, kPlanLineAttr}, name) && !text)
    return op->emitError() << what << ": " << name << " must be a string, found " << value;
  if (name == kGroupAttr && !text.empty() && !isa<RankedTensorType>(type))
    return op->emitError() << what << ": " << name << " is for ranked tensors, found " << type;
  if (name == kCutPriorityAttr || name == kArgCutPriorityAttr) {
    auto list = dyn_cast<DenseI64ArrayAttr>(value);
    auto shaped = dyn_cast<ShapedType>(type);
    int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
    if (!list || (!list.empty() && list.size() != rank) ||
        llvm::any_of(list.asArrayRef(), [](int64_t priority) { return priority < 0; }))
      return op->emitError() << what << ": " << name << " must be " << rank
                             << " integers of at least 0, or none, found " << value;
  }
  auto integer = dyn_cast<IntegerAttr>(value);
  if (name == kPriorityAttr && (!integer || integer.getValue().isNegative()))
    return op->emitError() << what << ": " << name << " must be an integer of at least 0, found "
                           << value;
  return success();
}

/// Whether ops have an array of such elements, one per result.
static bool isElementAttr(StringRef name) {
  return llvm::is_contained({kPriorityAttr, kCutPriorityAttr, kWhyAttr, kGroupAttr, kPlanLineAttr},
                            name);
}

/// Checks an array of such elements, one per value.
static LogicalResult verifyElements(Operation *op, NamedAttribute attr, ValueRange values,
                                    StringRef what) {
  StringRef name = attr.getName().getValue();
  auto array = dyn_cast<ArrayAttr>(attr.getValue());
  if (!array || array.size() != values.size())
    return op->emitError() << name << ": expected an array of " << values.size()
                           << " elements, found " << attr.getValue();
  for (auto [i, element, value] : llvm::enumerate(array, values))
    if (failed(verifyElement(op, name, element, value.getType(), what + " " + Twine(i))))
      return failure();
  return success();
}

SmallVector<Value> tp::getRegionArguments(Operation *op) {
  SmallVector<Value> arguments;
  for (Region &region : op->getRegions())
    llvm::append_range(arguments, region.getArguments());
  return arguments;
}

Attribute tp::getRegionArgumentAttr(BlockArgument argument, StringRef name) {
  Region *region = argument.getOwner()->getParent();
  auto array = region->getParentOp()->getAttrOfType<ArrayAttr>(name);
  if (!array || !argument.getOwner()->isEntryBlock())
    return {};
  unsigned index = argument.getArgNumber();
  for (unsigned i = 0; i < region->getRegionNumber(); ++i)
    index += region->getParentOp()->getRegion(i).getNumArguments();
  return array[index];
}

ShardingAttr tp::getValueShardingAttr(Value value) {
  Attribute attr;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (auto function = dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp()))
      attr = function.getArgAttr(arg.getArgNumber(), kShardingAttr);
    else
      attr = getRegionArgumentAttr(arg, kArgShardingAttr);
  } else if (auto reshard = value.getDefiningOp<ReshardOp>()) {
    attr = reshard.getTo();
  } else if (auto array = value.getDefiningOp()->getAttrOfType<ArrayAttr>(kShardingAttr)) {
    attr = array[cast<OpResult>(value).getResultNumber()];
  }
  return cast_or_null<ShardingAttr>(attr);
}

Sharding tp::getValueSharding(Value value, const Mesh &mesh) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return Sharding();
  ShardingAttr attr = getValueShardingAttr(value);
  return attr ? getSharding(attr, mesh, type.getRank()) : Sharding(type.getRank());
}

/// Attributes that mean the same on arguments and results.
static LogicalResult verifyValueAttr(Operation *op, NamedAttribute attr, Type type, Twine what) {
  StringRef name = attr.getName().getValue();
  if (name == kShardingAttr)
    return verifySharding(op, attr.getValue(), type, what);
  if (name == kNameAttr || name == kRoleAttr) {
    if (!isa<StringAttr>(attr.getValue()))
      return op->emitError() << what << ": " << name << " must be a string, found "
                             << attr.getValue();
    return success();
  }
  if (name == kGlobalTypeAttr) {
    if (!isa<TypeAttr>(attr.getValue()))
      return op->emitError() << what << ": " << name << " must be a type, found "
                             << attr.getValue();
    return success();
  }
  if (isElementAttr(name))
    return verifyElement(op, name, attr.getValue(), type, what);
  return op->emitError() << what << ": attribute " << name << " has no meaning here";
}

LogicalResult TPDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name == kShardingAttr)
    return verifyShardings(op, attr, op->getResultTypes());
  if (name == kArgShardingAttr) {
    SmallVector<Value> arguments = getRegionArguments(op);
    if (arguments.empty())
      return op->emitError() << name << ": the op has no block arguments";
    return verifyShardings(op, attr, TypeRange(ValueRange(arguments)));
  }
  if (name == kNameAttr || name == kRoleAttr) {
    if (!isa<StringAttr>(attr.getValue()))
      return op->emitError() << name << " must be a string, found " << attr.getValue();
    return success();
  }
  if (isElementAttr(name))
    return verifyElements(op, attr, op->getResults(), "result");
  if (name == kArgCutPriorityAttr)
    return verifyElements(op, attr, getRegionArguments(op), "block argument");
  if (name == kFactorPriorityAttr) {
    auto list = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
    if (!list || llvm::any_of(list.asArrayRef(), [](int64_t priority) { return priority < 0; }))
      return op->emitError() << name << " must be integers of at least 0, found "
                             << attr.getValue();
    return success();
  }
  if (name == kGlobalTypeAttr) {
    auto local = op->getNumOperands() ? dyn_cast<ShapedType>(op->getOperand(0).getType()) : nullptr;
    auto typeAttr = dyn_cast<TypeAttr>(attr.getValue());
    auto global = typeAttr ? dyn_cast<RankedTensorType>(typeAttr.getValue()) : nullptr;
    if (!local || !local.hasRank() || !global || global.getRank() != local.getRank())
      return op->emitError() << name << " must be a tensor type of the rank of operand 0, found "
                             << attr.getValue();
    return success();
  }
  // Module-level facts, e.g. tp.language_model.
  if (isa<ModuleOp>(op))
    return success();
  return op->emitError() << "attribute " << name << " has no meaning here";
}

LogicalResult TPDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                  NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  StringRef name = attr.getName().getValue();
  std::string what = ("argument " + Twine(argIndex)).str();
  if (name == kKindAttr) {
    auto kind = dyn_cast<StringAttr>(attr.getValue());
    if (!kind || !llvm::is_contained({"parameter", "state", "input"}, kind.getValue()))
      return op->emitError() << what << ": " << name
                             << " must be \"parameter\", \"state\" or \"input\", found "
                             << attr.getValue();
    return success();
  }
  if (name == kSourceAttr) {
    auto source = dyn_cast<DictionaryAttr>(attr.getValue());
    if (!source)
      return op->emitError() << what << ": " << name << " must be a dictionary, found "
                             << attr.getValue();
    Type type = function.getArgumentTypes()[argIndex];
    if (auto global = function.getArgAttrOfType<TypeAttr>(argIndex, kGlobalTypeAttr))
      type = global.getValue();
    return verifySource(source, dyn_cast<ShapedType>(type),
                        [&] { return op->emitError() << what << ": " << name << ": "; });
  }
  return verifyValueAttr(op, attr, function.getArgumentTypes()[argIndex], what);
}

LogicalResult TPDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned resultIndex,
                                                     NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  std::string what = ("result " + Twine(resultIndex)).str();
  if (attr.getName().getValue() == kAliasAttr) {
    auto argument = dyn_cast<IntegerAttr>(attr.getValue());
    if (!argument || argument.getInt() < 0 ||
        argument.getInt() >= static_cast<int64_t>(function.getNumArguments()))
      return op->emitError() << what << ": " << kAliasAttr << " must be an argument number, found "
                             << attr.getValue();
    auto kind = function.getArgAttrOfType<StringAttr>(argument.getInt(), kKindAttr);
    if (!kind || kind.getValue() != "state")
      return op->emitError() << what << ": " << kAliasAttr << " names argument "
                             << argument.getInt() << ", which is no state";
    for (unsigned other = 0; other < resultIndex; ++other)
      if (function.getResultAttr(other, kAliasAttr) == argument)
        return op->emitError() << what << ": the state of argument " << argument.getInt()
                               << " has a new value already, result " << other;
    return success();
  }
  return verifyValueAttr(op, attr, function.getResultTypes()[resultIndex], what);
}
