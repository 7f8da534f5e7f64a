//===- EntryValues.cpp - An entry's arguments, as the runtime sees them ----===//

#include "EntryValues.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Plan/PlanValues.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tp;
using llvm::Expected;
using tprt::ValueInfo;
using tprt::ValueKind;

Expected<func::FuncOp> tp::findEntry(ModuleOp module, StringRef name, StringRef file) {
  SmallVector<func::FuncOp> entries = getEntries(module);
  std::string names;
  for (func::FuncOp entry : entries) {
    if (entry.getName() == name)
      return entry;
    names += (names.empty() ? "" : ", ") + entry.getName().str();
  }
  std::string note = names.empty() ? "it has none" : "it has " + names;
  if (!name.empty())
    return userError(file + ": no public function '" + name + "' with a body", {note});
  if (entries.size() == 1)
    return entries.front();
  if (entries.empty())
    return userError(file + ": no public function with a body");
  return userError(file + ": more than one public function, choose by --entry", {note});
}

void tp::keepOnlyEntry(func::FuncOp entry) {
  auto module = entry->getParentOfType<ModuleOp>();
  // They speak of entries that may be gone.
  module->removeAttr("tp.language_model");
  module->removeAttr("tp.embedding_model");
  for (func::FuncOp other : getEntries(module))
    if (other != entry)
      other.setPrivate();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

int32_t tp::getRuntimeType(Type type) {
  for (int32_t dtype = TPRT_F64; dtype <= TPRT_INDEX; ++dtype) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    if (name == tprt_dtype_name(dtype))
      return dtype;
  }
  return -1;
}

static std::vector<int64_t> getIntegers(DictionaryAttr source, StringRef key) {
  if (auto dense = source.getAs<DenseI64ArrayAttr>(key))
    return std::vector<int64_t>(dense.asArrayRef());
  std::vector<int64_t> values;
  if (auto array = source.getAs<ArrayAttr>(key))
    for (auto element : array.getAsRange<IntegerAttr>())
      values.push_back(element.getInt());
  return values;
}

/// What `tp.source` leaves out is the whole tensor, as it is.
static tprt::ParameterSource getSource(DictionaryAttr source, const ValueInfo &value) {
  tprt::ParameterSource result;
  auto tensor = source.getAs<StringAttr>("tensor");
  result.tensor = tensor ? tensor.str() : value.name;
  result.shape = getIntegers(source, "shape");
  if (result.shape.empty())
    result.shape = value.globalShape;
  result.view = getIntegers(source, "view");
  if (result.view.empty())
    result.view = result.shape;
  result.offset = getIntegers(source, "offset");
  if (result.offset.empty())
    result.offset.assign(result.view.size(), 0);
  result.size = getIntegers(source, "size");
  if (result.size.empty())
    result.size = result.view;
  result.permutation = getIntegers(source, "permutation");
  if (result.permutation.empty()) {
    result.permutation.resize(result.view.size());
    std::iota(result.permutation.begin(), result.permutation.end(), 0);
  }
  if (auto dtype = source.getAs<StringAttr>("dtype"))
    for (int32_t i = TPRT_F64; i <= TPRT_INDEX; ++i)
      if (dtype.getValue() == tprt_dtype_name(i))
        result.dtype = i;
  return result;
}

static ValueKind getKind(func::FuncOp entry, unsigned i) {
  auto kind = entry.getArgAttrOfType<StringAttr>(i, kKindAttr);
  if (kind && kind.getValue() == "parameter")
    return ValueKind::Parameter;
  return kind && kind.getValue() == "state" ? ValueKind::State : ValueKind::Input;
}

Expected<std::vector<ValueInfo>> tp::describeArguments(func::FuncOp entry) {
  std::vector<ValueInfo> arguments;
  for (BlockArgument argument : entry.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto name = entry.getArgAttrOfType<StringAttr>(i, kNameAttr);
    ValueInfo info;
    info.name = name ? name.str() : (entry.getName() + ".arg" + Twine(i)).str();
    info.kind = getKind(entry, i);
    info.dtype = getRuntimeType(getElementTypeOrSelf(argument.getType()));
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (info.dtype < 0 || (tensor && !tensor.hasStaticShape())) {
      emitError(argument.getLoc())
          << "argument " << i << " of " << entry.getName()
          << " has a type that cannot be given from outside: " << argument.getType();
      return alreadyReported();
    }
    if (tensor)
      info.globalShape.assign(tensor.getShape().begin(), tensor.getShape().end());
    if (info.kind == ValueKind::Parameter) {
      auto source = entry.getArgAttrOfType<DictionaryAttr>(i, kSourceAttr);
      info.source = getSource(source ? source : DictionaryAttr::get(entry.getContext()), info);
    }
    arguments.push_back(std::move(info));
  }
  return arguments;
}

int64_t tp::getAliasedArgument(func::FuncOp entry, unsigned result) {
  auto alias = entry.getResultAttrOfType<IntegerAttr>(result, kAliasAttr);
  return alias ? alias.getInt() : -1;
}

//===----------------------------------------------------------------------===//
// The unsharded program
//===----------------------------------------------------------------------===//

static bool isAnnotation(StringAttr name) {
  return llvm::is_contained(kPlanAttrs, name.getValue());
}

void tp::removeShardings(ModuleOp module) {
  if (MeshOp mesh = lookupMesh(module))
    mesh.erase();
  module.walk([](Operation *op) {
    for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
      if (isAnnotation(attr.getName()))
        op->removeDiscardableAttr(attr.getName());
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      for (StringRef name : kPlanAttrs) {
        for (unsigned i = 0; i < function.getNumArguments(); ++i)
          function.removeArgAttr(i, name);
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          function.removeResultAttr(i, StringAttr::get(op->getContext(), name));
      }
    }
    if (isa<ConstraintOp, BarrierOp, ReshardOp>(op)) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
}

bool tp::onlyMovesData(func::FuncOp entry) {
  // A partial argument is added up: -0 and the neutral 0 of other ranks give 0.
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (auto sharding = entry.getArgAttrOfType<ShardingAttr>(i, kShardingAttr);
        sharding && !sharding.getPartials().empty())
      return false;
  WalkResult result = entry.walk([](Operation *op) {
    Dialect *dialect = op->getDialect();
    bool mayCompute =
        isa_and_nonnull<arith::ArithDialect, math::MathDialect, nn::NNDialect>(dialect);
    bool copies = isa<arith::ConstantOp, arith::SelectOp>(op);
    bool makesFloat = llvm::any_of(
        op->getResultTypes(), [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); });
    return mayCompute && !copies && makesFloat ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}
